"""The demo's pages: /phone shows the patients' phones side by side, /demo/{clinic} one of them beside the staff's
pages. Where there is no demo, neither is found."""

from collections.abc import Callable
from datetime import datetime, timedelta

from nicegui import ui
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from gendei.booking.dates.rendering import WEEKDAY_NAMES
from gendei.clinic import Clinic
from gendei.conversation.site.web_channel import web_channel_of
from gendei.errors import NotFound
from gendei.web.pages.demo import DEMO, PHONE, SITE, Demo
from gendei.web.pages.frame import KEPT_SECONDS, asset, begin_page, house_icon
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import names
from gendei.web.pages.phone.view import PhoneView
from gendei.web.pages.site import site_in

TEXTS = page_texts("phone")

CLOCK_SECONDS = 2.0
STEP = "flat dense no-caps"


@ui.page(PHONE, reconnect_timeout=KEPT_SECONDS)
async def phone(request: Request, clinic: str = "") -> Response | None:
    """The phones of all patients of one clinic."""
    return _demo_page(request, clinic, with_staff=False)


@ui.page(DEMO + "/{clinic}", reconnect_timeout=KEPT_SECONDS)
async def demo(request: Request, clinic: str) -> Response | None:
    """One phone, and the staff's pages, signed in by GET /demo."""
    return _demo_page(request, clinic, with_staff=True)


def _demo_page(request: Request, clinic_id: str, *, with_staff: bool) -> Response | None:
    demo = site_in(request.scope).demo
    try:
        clinic = demo.clinic(clinic_id) if demo else None
    except NotFound:
        clinic = None
    if demo is None or clinic is None:
        return PlainTextResponse("Not Found", status_code=404)
    begin_page(TEXTS["title"])
    ui.add_head_html(f'<link rel="stylesheet" href="{asset("phone.css")}">')
    with ui.element("div").classes("d-shell" + (" d-with-staff" if with_staff else "")) as shell:
        _bar(demo, clinic, with_staff=with_staff)
        if with_staff:
            _switch(shell)
        with ui.element("div").classes("d-stage"):
            with ui.element("div").classes("p-phones"):
                _phones(demo, clinic)
            if with_staff:
                ui.element("iframe").props(f'src="/inbox" title="{TEXTS["staff"]}"').classes("d-staff")
    return None


def _bar(demo: Demo, clinic: Clinic, *, with_staff: bool) -> None:
    here, other, key = (DEMO, PHONE, "phones") if with_staff else (PHONE, DEMO, "both")
    with ui.element("header").classes("d-bar"):
        ui.html(house_icon(), sanitize=False).classes("g-logo")
        ui.label(TEXTS["brand"]).classes("d-brand")
        picker = ui.select(names(demo.clinics), value=clinic.id).classes("d-clinic")
        picker.props(f'dense borderless options-dense aria-label="{TEXTS["clinic"]}"')
        picker.on_value_change(lambda event: ui.navigate.to(f"{here}?clinic={event.value}"))
        _clock(demo, clinic)
        if web_channel_of(clinic):
            ui.link(TEXTS["site"], f"{SITE}?clinic={clinic.id}", new_tab=True).classes("d-other")
        ui.link(TEXTS[key], f"{other}?clinic={clinic.id}").classes("d-other")


def _clock(demo: Demo, clinic: Clinic) -> None:
    """The demo's time at the clinic, and what puts it forward."""

    def show() -> None:
        now = clinic.local(demo.clock())
        reading.text = f"{WEEKDAY_NAMES[now.weekday()][:3]} {now:%d/%m · %H:%M}"

    def forward(step: timedelta) -> None:
        demo.clock.move_to(demo.clock() + step)
        show()

    with ui.element("div").classes("d-clock"):
        ui.icon("schedule")
        reading = ui.label().classes("d-now").props(f'aria-label="{TEXTS["now"]}" role="timer"')
        show()
        ui.timer(CLOCK_SECONDS, show)
        for key, step in (("plus_hour", timedelta(hours=1)), ("plus_day", timedelta(days=1))):
            ui.button(TEXTS[key], on_click=lambda step=step: forward(step)).props(STEP).classes("d-step")
        ui.button(TEXTS["move_to"], on_click=_move_dialog(demo, clinic, show).open).props(STEP).classes("d-step")


def _switch(shell: ui.element) -> None:
    """On a narrow screen: the phone or the staff's page."""
    toggle = ui.toggle({"phone": TEXTS["phone"], "staff": TEXTS["staff"]}, value="phone")
    toggle.props("no-caps unelevated spread").classes("d-switch")
    toggle.on_value_change(
        lambda event: shell.classes(**{"add" if event.value == "staff" else "remove": "d-shows-staff"})
    )


def _phones(demo: Demo, clinic: Clinic) -> None:
    """One phone a patient; which of them is in front matters where there is no room for all."""
    tabs = ui.element("nav").classes("p-tabs")
    views = [
        PhoneView(demo.handset(clinic, patient), clinic, demo.live_token(clinic, patient)) for patient in demo.patients
    ]

    def bring_forward(chosen: int) -> None:
        for number, (view, button) in enumerate(zip(views, buttons, strict=True)):
            for element in (view.root, button):
                element.classes(**{"add" if number == chosen else "remove": "p-current"})

    with tabs:
        buttons = [
            ui.button(patient.name.split()[0], on_click=lambda number=number: bring_forward(number))
            .props("flat dense no-caps")
            .classes("p-tab")
            for number, patient in enumerate(demo.patients)
        ]
    bring_forward(0)


def _move_dialog(demo: Demo, clinic: Clinic, show: Callable[[], None]) -> ui.dialog:

    def move() -> None:
        try:
            moment = datetime.fromisoformat(str(field.value)).replace(tzinfo=clinic.timezone)
        except ValueError:
            return
        if demo.clock.move_to(moment):
            dialog.close()
            show()
        else:
            field.props["error-message"] = TEXTS["only_forward"]
            field.props["error"] = True

    with ui.dialog() as dialog, ui.card().classes("d-move"):
        field = ui.input(TEXTS["moment"], value=f"{clinic.local(demo.clock()):%Y-%m-%dT%H:%M}")
        field.props('type="datetime-local" outlined stack-label')
        with ui.row().classes("d-move-row"):
            ui.button(TEXTS["cancel"], on_click=dialog.close).props("flat no-caps")
            ui.button(TEXTS["move"], on_click=move).props("unelevated no-caps")
    return dialog
