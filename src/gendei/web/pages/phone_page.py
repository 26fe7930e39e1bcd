"""The demo's pages: /phone shows the patients' phones side by side, /demo/{clinic} one of them beside the staff's
pages. Where there is no demo, neither is found."""

import asyncio
from base64 import b64encode
from collections.abc import Awaitable, Callable
from datetime import date, datetime, timedelta

from nicegui import background_tasks, ui
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from gendei.booking.dates.rendering import WEEKDAY_NAMES
from gendei.clinic import Clinic
from gendei.conversation.site.web_channel import web_channel_of
from gendei.errors import NotFound
from gendei.providers.stand_in.graph import Sent
from gendei.providers.stand_in.phone import Arrived, Handset, Tick, Written
from gendei.web.live_calls import PATH
from gendei.web.pages.demo import DEMO, PHONE, SITE, Demo
from gendei.web.pages.frame import KEPT_SECONDS, asset, begin_page, house_icon
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import names
from gendei.web.pages.phone_files import PhoneFiles, file_or_template, show_file
from gendei.web.pages.phone_payments import PhoneTill
from gendei.web.pages.phones import address_text
from gendei.web.pages.site import site_in
from gendei.web.pages.whatsapp_text import whatsapp_html

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
        with ui.element("main").classes("d-stage"):
            with ui.element("div").classes("p-phones"):
                _phones(demo, clinic)
            if with_staff:
                ui.element("iframe").props(f'src="/inbox" title="{TEXTS["staff"]}"').classes("d-staff")
    return None


def _bar(demo: Demo, clinic: Clinic, *, with_staff: bool) -> None:
    here, other, key = (DEMO, PHONE, "phones") if with_staff else (PHONE, DEMO, "both")
    with ui.element("header").classes("d-bar"):
        ui.html(house_icon(), sanitize=False).classes("g-logo")
        ui.label(TEXTS["brand"]).classes("d-brand").props('role="heading" aria-level="1"')
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

    async def forward(step: timedelta) -> None:
        await demo.put_forward(demo.clock() + step)
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
        PhoneView(
            demo.handset(clinic, patient),
            clinic,
            demo.phone_token(clinic, patient),
            PhoneTill(demo, clinic),
            speaks=demo.gendei.live.speaks_for(clinic),
        )
        for patient in demo.patients
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

    async def move() -> None:
        try:
            moment = datetime.fromisoformat(str(field.value)).replace(tzinfo=clinic.timezone)
        except ValueError:
            return
        if await demo.put_forward(moment):
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


TICK_ICONS = {Tick.SENT: "done", Tick.DELIVERED: "done_all", Tick.READ: "done_all", Tick.FAILED: "error_outline"}
SUGGESTIONS = ("try_hello", "try_book", "try_price", "try_person")
PLACE = {"latitude": -23.5614, "longitude": -46.6559}


class PhoneView:
    """Shows a handset until its page is gone."""

    def __init__(self, handset: Handset, clinic: Clinic, token: str, till: PhoneTill, *, speaks: bool) -> None:
        """`token`: as Demo.phone_token gives it. `till`: where codes are paid. `speaks`: its patient may speak live."""
        self._handset, self._clinic, self._token, self._till = handset, clinic, token, till
        self._shown = 0
        self._day: date | None = None
        self._ticks: list[tuple[Written, ui.icon]] = []
        with ui.element("section").classes("p-phone").props(f'aria-label="{_attribute(handset.name)}"') as self.root:
            self._owner()
            with ui.element("div").classes("p-screen"):
                self._top()
                with ui.element("div").classes("p-chat") as self._chat:
                    self._lines = ui.element("div").classes("p-lines").props('role="log"')
                    self._hint()
                    self._typing = _typing_bubble()
                if speaks:
                    PhoneLive(token)
                self._compose()
                self._sheet = ui.element("div").classes("p-sheet")
        following = background_tasks.create(self._follow(), name="phone page")
        ui.context.client.on_delete(following.cancel)

    def _owner(self) -> None:
        with ui.element("header").classes("p-owner"):
            with ui.element("div"):
                ui.label(self._handset.name).classes("p-owner-name")
                ui.label(address_text(self._handset.phone)).classes("g-soft g-small")
            switch = ui.switch(TEXTS["plain"], value=not self._handset.shows_interactive)
            switch.props("dense").tooltip(TEXTS["plain_hint"])
            switch.on_value_change(lambda event: setattr(self._handset, "shows_interactive", not event.value))

    def _top(self) -> None:
        with ui.element("div").classes("p-top"):
            ui.label(_initials(self._clinic.name)).classes("p-avatar")
            with ui.element("div").classes("p-top-names"):
                ui.label(self._clinic.name).classes("p-top-name")
                self._status = ui.label(TEXTS["online"]).classes("p-top-status")
            ui.icon("verified").classes("p-verified").tooltip(TEXTS["business"])

    def _hint(self) -> None:
        with ui.element("div").classes("p-hint") as self._hint_box:
            ui.label(TEXTS["try"])
            for key in SUGGESTIONS:
                ui.button(TEXTS[key], on_click=self._says(TEXTS[key])).props("flat no-caps").classes("p-try")

    def _compose(self) -> None:
        with ui.element("div").classes("p-compose"):
            place = ui.button(icon="add_location_alt", on_click=self._share_place)
            place.props(f'flat round dense aria-label="{TEXTS["attach"]}"').classes("p-attach")
            PhoneFiles(self._token)
            self._field = ui.textarea(placeholder=TEXTS["write"]).classes("p-field")
            self._field.props(f'borderless dense autogrow rows="1" aria-label="{TEXTS["write"]}" maxlength="4096"')
            self._field.on("keydown.enter.exact.prevent", self._send)
            send = ui.button(icon="send", on_click=self._send)
            send.props(f'round unelevated dense aria-label="{TEXTS["send"]}"').classes("p-send")

    async def _send(self) -> None:
        text = str(self._field.value or "").strip()
        self._field.value = ""
        if text:
            await self._handset.write(text)

    async def _share_place(self) -> None:
        await self._handset.share_place({**PLACE, "name": TEXTS["place_name"], "address": TEXTS["place_address"]})

    def _says(self, text: str) -> Callable[[], Awaitable[int]]:
        return lambda: self._handset.write(text)

    async def _follow(self) -> None:
        face: object = None
        while True:
            face = await self._handset.wait_changed(face)
            with self.root:
                self._show()
            await asyncio.sleep(0)

    def _show(self) -> None:
        """Add what came, and bring ticks and the typing sign up to date."""
        for line in self._handset.lines[self._shown :]:
            with self._lines:
                self._day_of(line.at)
                self._add(line)
            self._shown += 1
        for written, icon in self._ticks:
            tick = self._handset.tick(written)
            icon.name = TICK_ICONS[tick]
            icon.classes(replace=f"p-tick p-{tick}")
        self._hint_box.set_visibility(not self._shown)
        self._typing.set_visibility(self._handset.is_typing)
        self._status.text = TEXTS["typing" if self._handset.is_typing else "online"]
        ui.run_javascript(f"const chat = getHtmlElement({self._chat.id}); if (chat) chat.scrollTop = chat.scrollHeight")

    def _day_of(self, at: datetime) -> None:
        day = self._clinic.local(at).date()
        if day != self._day:
            self._day = day
            ui.label(f"{WEEKDAY_NAMES[day.weekday()]}, {day:%d/%m}").classes("p-day")

    def _add(self, line: Written | Arrived) -> None:
        if isinstance(line, Written):
            with ui.element("div").classes("p-line p-mine"), ui.element("div").classes("p-bubble"):
                if line.place is None:
                    show_file(line, self._token)
                    _text(line.text)
                else:
                    _place_card(line.place, TEXTS["shared_place"])
                with ui.element("div").classes("p-meta"):
                    ui.label(self._time(line.at))
                    self._ticks.append((line, ui.icon("done").classes("p-tick")))
        else:
            with ui.element("div").classes("p-line"):
                self._message(line.sent, self._time(line.at))

    def _message(self, sent: Sent, time: str) -> None:
        with ui.element("div").classes("p-bubble"):
            if sent.payload["type"] == "image" and (picture := self._handset.file_of(sent)):
                address = f"data:image;base64,{b64encode(picture).decode()}"
                shown = ui.element("img").classes("p-picture")
                shown.props.update(src=address, alt=TEXTS["picture"])
            elif kind := file_or_template(sent):
                with ui.element("div").classes("p-file"):
                    ui.icon("description")
                    ui.label(sent.payload[sent.payload["type"]].get("filename") or TEXTS[kind])
            if sent.place:
                _place_card(sent.place, TEXTS["shared_place"])
            else:
                _text(sent.text)
            with ui.element("div").classes("p-meta"):
                ui.label(time)
            self._till.show(sent)
            if sent.link:
                label, address = sent.link
                with ui.link(target=address, new_tab=True).classes("p-option"):
                    ui.icon("open_in_new")
                    ui.label(label)
            elif sent.list_label:
                with _option(lambda: self._open_list(sent)):
                    ui.icon("list")
                    ui.label(sent.list_label)
            else:
                for option_id, title in sent.options:
                    with _option(self._taps(option_id, title, in_list=False)):
                        ui.icon("reply")
                        ui.label(title)

    def _open_list(self, sent: Sent) -> None:
        self._sheet.clear()
        above = ""
        with self._sheet.classes("p-open"), ui.element("div").classes("p-rows").props('role="dialog"'):
            with ui.element("div").classes("p-rows-top"):
                ui.label(sent.list_label)
                close = ui.button(icon="close", on_click=self._close_list)
                close.props(f'flat round dense aria-label="{TEXTS["close"]}"')
            for (option_id, title), (section, below) in zip(sent.options, sent.around, strict=True):
                if section != above:
                    ui.label(section).classes("p-section")
                    above = section
                with _option(self._taps(option_id, title, in_list=True)).classes(replace="p-row"):
                    with ui.element("div"):
                        ui.label(title).classes("p-row-title")
                        if below:
                            ui.label(below).classes("p-row-below")
                    ui.icon("radio_button_unchecked")
            ui.label(TEXTS["choose_hint"]).classes("p-rows-hint")

    def _close_list(self) -> None:
        self._sheet.classes(remove="p-open").clear()

    def _taps(self, option_id: str, title: str, *, in_list: bool) -> Callable[[], Awaitable[None]]:
        async def tap() -> None:
            self._close_list()
            await self._handset.tap(option_id, title, in_list=in_list)

        return tap

    def _time(self, at: datetime) -> str:
        return f"{self._clinic.local(at):%H:%M}"


def _option(tapped: Callable[[], object]) -> ui.element:
    return ui.element("button").props('type="button"').classes("p-option").on("click", tapped)


def _text(text: str) -> None:
    if text:
        ui.html(whatsapp_html(text), sanitize=False).classes("p-text")  # it escapes everything but its own tags


def _place_card(place: dict[str, object], title: str) -> None:
    with ui.element("div").classes("p-place"):
        ui.icon("location_on")
        with ui.element("div"):
            ui.label(str(place.get("name") or title)).classes("p-row-title")
            ui.label(str(place.get("address", ""))).classes("p-row-below")


def _typing_bubble() -> ui.element:
    with ui.element("div").classes("p-line") as line, ui.element("div").classes("p-bubble p-typing"):
        for _ in range(3):
            ui.element("i")
    line.set_visibility(False)
    return line


def _initials(name: str) -> str:
    return "".join(word[0] for word in name.split()[-2:]).upper()


def _attribute(text: str) -> str:
    """For NiceGUI's props, whose values end at a quote."""
    return text.replace("\\", "").replace('"', "")


class PhoneLive(ui.element, component="static/phone_live.js"):
    """`token`: as Demo.phone_token gives it."""

    def __init__(self, token: str) -> None:
        super().__init__()
        self._props["token"] = token
        self._props["path"] = PATH
        self._props["script"] = asset("live_call.js")
        self._props["worklet"] = asset("live_worklet.js")
        self._props["words"] = dict(page_texts("live"))
