"""One appointment on a sheet: what is known of it, and what can be done with it."""

from collections.abc import Callable
from datetime import datetime
from typing import TypeVar
from urllib.parse import quote, urlencode

from nicegui import ui

from gendei.booking.appointment import CORRECTIONS, LEGAL_MOVES, Appointment, AppointmentStatus
from gendei.booking.slots import Slot
from gendei.clock import instant
from gendei.commands.appointments import (
    CANCEL_APPOINTMENT,
    MOVE_APPOINTMENT,
    SET_APPOINTMENT_STATUS,
    CancelAppointment,
    MoveAppointment,
    SetAppointmentStatus,
)
from gendei.commands.command import Arguments, Command
from gendei.staff.agenda.agenda import Change
from gendei.web.pages.agenda.board import STATUS_ICONS, late_text
from gendei.web.pages.agenda.booking import BookingSheet
from gendei.web.pages.agenda.sheet import FIELD, AgendaActing, AgendaSheet, MomentFields, fact
from gendei.web.pages.page_texts import channel_name, page_texts
from gendei.web.pages.sheets import PLAIN, STRONG, Handler

TEXTS = page_texts("agenda")
A = TypeVar("A", bound=Arguments)
MAX_REASON = 500
PAST = {AppointmentStatus.COMPLETED, AppointmentStatus.NO_SHOW}
"""Statuses that nobody can know before the appointment's start."""
BY = {"patient": "by_patient", "staff": "by_staff"}
"""Names in the history that are no person's."""


def show_appointment(acting: AgendaActing, shown: Appointment, *, warning: str = "") -> None:
    """Open it as `shown` has it; `warning` stands below."""
    statuses = acting.desk.agenda.statuses
    sheet = AgendaSheet(acting, TEXTS["appointment"])
    with sheet.body:
        with ui.element("div").classes(f"a-status a-{shown.status}"):
            ui.icon(STATUS_ICONS[shown.status])
            ui.label(statuses[shown.status])
        fact(TEXTS["patient"], shown.patient_name)
        fact(TEXTS["when"], acting.spoken(shown.start))
        fact(TEXTS["who"], shown.professional_name)
        fact(TEXTS["service"], shown.service_name)
        fact(TEXTS["phone"], shown.patient_phone or shown.contact)
        fact(TEXTS["channel"], channel_name(shown.channel))
        if shown.late:
            at = f"{acting.clinic.local(shown.late.at):%H:%M}"
            fact(TEXTS["late_fact"], TEXTS("late_said", what=late_text(shown.late), at=at))
        if shown.cancel_reason:
            fact(TEXTS["reason"], shown.cancel_reason)
        with ui.element("div").classes("a-links"):
            ui.link(TEXTS["to_conversation"], f"/inbox?{urlencode({'contact': shown.contact})}")
            ui.link(TEXTS["to_patient"], f"/patients/{quote(shown.patient_id, safe='')}")
        with ui.expansion(TEXTS["history"]).classes("a-history").props("dense"):
            for line in shown.history:
                by = TEXTS[BY[line.by]] if line.by in BY else line.by
                at = f"{acting.clinic.local(line.at):%d/%m %H:%M}"
                status = statuses[line.status]
                if line.moved_from:
                    status = TEXTS("history_moved", start=f"{acting.clinic.local(line.moved_from):%d/%m %H:%M}")
                ui.label(TEXTS("history_line", at=at, status=status, by=by)).classes("g-small")
    sheet.say(warning)
    _buttons(acting, sheet, shown)


def _buttons(acting: AgendaActing, sheet: AgendaSheet, shown: Appointment) -> None:
    statuses, legal = acting.desk.agenda.statuses, LEGAL_MOVES[shown.status] - {AppointmentStatus.CANCELLED}

    def setting(status: AppointmentStatus) -> Handler:
        given = SetAppointmentStatus(appointment_id=shown.id, status=status, version=shown.version)
        return lambda: _change(
            acting, sheet, SET_APPOINTMENT_STATUS, given, TEXTS("status_saved", status=statuses[status])
        )

    def then(ask: Callable[[AgendaActing, Appointment], None]) -> Handler:
        async def go() -> None:
            sheet.close()
            ask(acting, shown)

        return go

    for status in AppointmentStatus:
        if status in legal and (instant(acting.now) >= instant(shown.start) or status not in PAST):
            props = PLAIN if status is AppointmentStatus.NO_SHOW else STRONG
            sheet.button(TEXTS[f"set_{status}"], setting(status), props=props)
    for status in CORRECTIONS.get(shown.status, ()):
        sheet.button(TEXTS("set_back", status=statuses[status]), setting(status), props=f"{PLAIN} icon=undo")
    if shown.status.live:
        sheet.button(TEXTS["to_move"], then(ask_move), props=PLAIN)
    if not shown.status.takes_time:
        sheet.button(TEXTS["to_book_again"], then(book_again), props=PLAIN)
    if shown.may_be_cancelled(acting.now):
        sheet.button(TEXTS["to_cancel"], then(ask_cancel), props=f"{PLAIN} color=negative")


async def _change(
    acting: AgendaActing,
    sheet: AgendaSheet,
    command: Command[A, Change],
    given: A,
    text: str,
    choose: Callable[[Slot], None] | None = None,
) -> None:
    """Run `command`, and say `text` where it was done. Where somebody else was faster, show how it stands now."""
    done = await acting.do(command, given)
    if isinstance(done, Change):
        await sheet.done(text, done.notice)
    elif done.present is None:
        sheet.tell(done, choose)
    else:
        sheet.close()
        await acting.refresh()
        show_appointment(acting, done.present, warning=done.text)


def book_again(acting: AgendaActing, shown: Appointment) -> None:
    """Book the same for another time, after it was cancelled or missed."""
    sheet = BookingSheet(acting, shown.start, shown.professional_id, shown.service_id)
    sheet.choose_patient(shown.patient_name, shown.patient_phone, shown.contact)


def ask_move(
    acting: AgendaActing,
    shown: Appointment,
    start: datetime | None = None,
    professional_id: str | None = None,
    *,
    seen: str | None = None,
) -> None:
    """Ask for another time, or to confirm the one given; `seen`: the version that was dragged, else `shown`'s."""
    clinic = acting.clinic
    sheet = AgendaSheet(acting, TEXTS["move_title"])

    def line(when: datetime, who: str) -> str:
        return TEXTS("move_line", when=acting.spoken(when), professional=acting.professional_name(who))

    def show() -> None:
        moment = fields.moment
        target.text = line(moment, str(who.value)) if moment else TEXTS["bad_date"]

    def choose(slot: Slot) -> None:
        fields.set(slot.start)
        who.value = slot.professional_id
        sheet.say("")

    with sheet.body:
        ui.label(f"{shown.patient_name} · {shown.service_name}").props('dir="auto"').classes("a-strong")
        for key, text in (("move_from", line(shown.start, shown.professional_id)), ("move_to", "")):
            with ui.element("div").classes("a-fact"):
                ui.label(TEXTS[key]).classes("g-soft g-small")
                target = ui.label(text).classes("a-fact-value").props(f'data-testid="{key}"')
        ids = [professional.id for professional in clinic.professionals_for(shown.service_id)]
        ids += filter(None, [shown.professional_id, professional_id])
        with ui.element("div").classes("a-row"):
            fields = MomentFields(clinic, start or shown.start, show)
        offered = {known: acting.professional_name(known) for known in ids}
        who = ui.select(offered, label=TEXTS["who"], value=professional_id or shown.professional_id, on_change=show)
        who.props(FIELD)
        notify = ui.checkbox(TEXTS["notify"])
        show()

    async def move() -> None:
        moment, professional = fields.moment, str(who.value)
        if moment is None:
            sheet.say(TEXTS["bad_date"])
        elif (instant(moment), professional) == (instant(shown.start), shown.professional_id):
            sheet.say(TEXTS["unchanged"])
        else:
            given = MoveAppointment(
                appointment_id=shown.id,
                start=moment,
                professional_id=professional,
                version=seen or shown.version,
                notify=bool(notify.value),
            )
            await _change(acting, sheet, MOVE_APPOINTMENT, given, TEXTS("moved", when=acting.spoken(moment)), choose)

    sheet.leave_button(TEXTS["back"])
    sheet.button(TEXTS["move"], move)


def ask_cancel(acting: AgendaActing, shown: Appointment) -> None:
    """Ask for the reason, and whether the patient shall be told."""
    sheet = AgendaSheet(acting, TEXTS["cancel_title"])
    with sheet.body:
        ui.label(f"{shown.patient_name} · {shown.service_name}").props('dir="auto"').classes("a-strong")
        ui.label(acting.spoken(shown.start)).classes("g-soft")
        reason = ui.textarea(TEXTS["cancel_reason"]).props(f'{FIELD} autogrow maxlength="{MAX_REASON}" autofocus')
        notify = ui.checkbox(TEXTS["notify"])

    async def cancel() -> None:
        why = str(reason.value or "").strip()[:MAX_REASON]
        if not why:
            sheet.say(TEXTS["reason_needed"])
            return
        given = CancelAppointment(appointment_id=shown.id, reason=why, version=shown.version, notify=bool(notify.value))
        await _change(acting, sheet, CANCEL_APPOINTMENT, given, TEXTS["cancelled"])

    sheet.leave_button(TEXTS["back"])
    sheet.button(TEXTS["cancel"], cancel).props("color=negative")
