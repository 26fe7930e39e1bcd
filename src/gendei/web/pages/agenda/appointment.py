"""One appointment on a sheet: what is known of it, and what can be done with it."""

from collections.abc import Awaitable, Callable
from datetime import datetime
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
from gendei.staff.agenda.agenda import Change
from gendei.web.pages.agenda.board import STATUS_ICONS
from gendei.web.pages.agenda.booking import BookingSheet
from gendei.web.pages.agenda.sheet import FIELD, PLAIN, STRONG, Acting, MomentFields, Problem, Sheet, fact
from gendei.web.pages.page_texts import channel_name

MAX_REASON = 500
PAST = {AppointmentStatus.COMPLETED, AppointmentStatus.NO_SHOW}
"""What nobody knows before the time has come."""
BY = {"patient": "by_patient", "staff": "by_staff"}
"""Names in the history that are no person's."""


def show_appointment(acting: Acting, one: Appointment, *, warning: str = "") -> None:
    """Open it as `one` has it; `warning` stands above."""
    words, statuses = acting.words, acting.desk.agenda.statuses
    sheet = Sheet(acting, words["appointment"])
    with sheet.body:
        with ui.element("div").classes(f"a-status a-{one.status}"):
            ui.icon(STATUS_ICONS[one.status])
            ui.label(statuses[one.status])
        fact(words["patient"], one.patient_name)
        fact(words["when"], acting.spoken(one.start))
        fact(words["who"], one.professional_name)
        fact(words["service"], one.service_name)
        fact(words["phone"], one.patient_phone or one.contact)
        fact(words["channel"], channel_name(one.channel))
        if one.cancel_reason:
            fact(words["reason"], one.cancel_reason)
        with ui.element("div").classes("a-links"):
            ui.link(words["to_conversation"], f"/inbox?{urlencode({'contact': one.contact})}")
            ui.link(words["to_patient"], f"/patients/{quote(one.patient_id, safe='')}")
        _history(acting, one)
    if warning:
        sheet.say(Problem(warning))
    _buttons(acting, sheet, one)


async def _said_changed(acting: Acting, sheet: Sheet, problem: Problem) -> bool:
    """Where somebody else was faster: how it stands now, on a sheet of its own. False for any other problem."""
    if problem.present is None:
        return False
    sheet.close()
    await acting.refresh()
    show_appointment(acting, problem.present, warning=problem.text)
    return True


def _history(acting: Acting, one: Appointment) -> None:
    words, statuses = acting.words, acting.desk.agenda.statuses
    with ui.expansion(words["history"]).classes("a-history").props("dense"):
        for line in one.history:
            by = words[BY[line.by]] if line.by in BY else line.by
            at = f"{acting.clinic.local(line.at):%d/%m %H:%M}"
            status = statuses[line.status]
            if line.moved_from:
                status = words["history_moved"].format(start=f"{acting.clinic.local(line.moved_from):%d/%m %H:%M}")
            ui.label(words["history_line"].format(at=at, status=status, by=by)).classes("g-small")


def _buttons(acting: Acting, sheet: Sheet, one: Appointment) -> None:
    words, legal = acting.words, LEGAL_MOVES[one.status]
    for status in AppointmentStatus:
        if (
            status in legal
            and status is not AppointmentStatus.CANCELLED
            and (instant(acting.now) >= instant(one.start) or status not in PAST)
        ):
            props = PLAIN if status is AppointmentStatus.NO_SHOW else STRONG
            sheet.button(words[f"set_{status}"], _sets(acting, sheet, one, status), props=props)

    for status in CORRECTIONS.get(one.status, ()):
        text = words["set_back"].format(status=acting.desk.agenda.statuses[status])
        sheet.button(text, _sets(acting, sheet, one, status), props=f"{PLAIN} icon=undo")

    def then(ask: Callable[[Acting, Appointment], None]) -> Callable[[], Awaitable[None]]:
        async def go() -> None:
            sheet.close()
            ask(acting, one)

        return go

    if one.status.live:
        sheet.button(words["to_move"], then(ask_move), props=PLAIN)
    if not one.status.takes_time:
        sheet.button(words["to_book_again"], then(book_again), props=PLAIN)
    if one.may_be_cancelled(acting.now):
        sheet.button(words["to_cancel"], then(ask_cancel), props=f"{PLAIN} color=negative")


def book_again(acting: Acting, one: Appointment) -> None:
    """What was cancelled, or marked as missed, for another time."""
    sheet = BookingSheet(acting, one.start, one.professional_id, one.service_id)
    sheet.choose_patient(one.patient_name, one.patient_phone, one.contact)


def _sets(acting: Acting, sheet: Sheet, one: Appointment, status: AppointmentStatus) -> Callable[[], Awaitable[None]]:
    async def save() -> None:
        agenda = acting.desk.agenda
        given = SetAppointmentStatus(appointment_id=one.id, status=status, version=one.version)
        done = await acting.do(SET_APPOINTMENT_STATUS, given)
        if isinstance(done, Change):
            sheet.close()
            acting.tell(acting.words["status_saved"].format(status=agenda.statuses[done.appointment.status]))
            await acting.refresh()
        elif not await _said_changed(acting, sheet, done):
            sheet.say(done)

    return save


def ask_move(
    acting: Acting,
    one: Appointment,
    start: datetime | None = None,
    professional_id: str | None = None,
    *,
    seen: str | None = None,
) -> None:
    """Ask for another time, or to confirm the one given; `seen`: the version that was dragged, else `one`'s."""
    words, clinic = acting.words, acting.clinic
    sheet = Sheet(acting, words["move_title"])

    def line(when: datetime, who: str) -> str:
        return words["move_line"].format(when=acting.spoken(when), professional=acting.professional_name(who))

    def show() -> None:
        moment = fields.moment
        target.text = line(moment, str(who.value)) if moment else words["bad_date"]

    def choose(slot: Slot) -> None:
        fields.set(slot.start)
        who.value = slot.professional_id
        sheet.say(Problem(""))

    with sheet.body:
        ui.label(f"{one.patient_name} · {one.service_name}").props('dir="auto"').classes("a-strong")
        for key, text in (("move_from", line(one.start, one.professional_id)), ("move_to", "")):
            with ui.element("div").classes("a-fact"):
                ui.label(words[key]).classes("g-soft g-small")
                target = ui.label(text).classes("a-fact-value").props(f'data-testid="{key}"')
        offered = {each.id: each.name for each in clinic.professionals_for(one.service_id)}
        offered |= {one.professional_id: acting.professional_name(one.professional_id)}
        if professional_id:
            offered |= {professional_id: acting.professional_name(professional_id)}
        with ui.element("div").classes("a-row"):
            fields = MomentFields(clinic, (words["date"], words["start_time"]), start or one.start, show)
        who = ui.select(offered, label=words["who"], value=professional_id or one.professional_id, on_change=show)
        who.props(FIELD)
        notify = ui.checkbox(words["notify"])
        show()

    async def move() -> None:
        moment, professional = fields.moment, str(who.value)
        if moment is None:
            sheet.say(Problem(words["bad_date"]))
            return
        if (moment and instant(moment), professional) == (instant(one.start), one.professional_id):
            sheet.say(Problem(words["unchanged"]))
            return
        given = MoveAppointment(
            appointment_id=one.id,
            start=moment,
            professional_id=professional,
            version=seen or one.version,
            notify=bool(notify.value),
        )
        done = await acting.do(MOVE_APPOINTMENT, given)
        if isinstance(done, Change):
            await _done(acting, sheet, done, words["moved"].format(when=acting.spoken(done.appointment.start)))
        elif not await _said_changed(acting, sheet, done):
            sheet.say(done, choose)

    _back(acting, sheet)
    sheet.button(words["move"], move)


def ask_cancel(acting: Acting, one: Appointment) -> None:
    """Ask for the reason, and whether the patient shall be told."""
    words = acting.words
    sheet = Sheet(acting, words["cancel_title"])
    with sheet.body:
        ui.label(f"{one.patient_name} · {one.service_name}").props('dir="auto"').classes("a-strong")
        ui.label(acting.spoken(one.start)).classes("g-soft")
        reason = ui.textarea(words["cancel_reason"]).props(f'{FIELD} autogrow maxlength="{MAX_REASON}" autofocus')
        notify = ui.checkbox(words["notify"])

    async def cancel() -> None:
        why = str(reason.value or "").strip()[:MAX_REASON]
        if not why:
            sheet.say(Problem(words["reason_needed"]))
            return
        given = CancelAppointment(appointment_id=one.id, reason=why, version=one.version, notify=bool(notify.value))
        done = await acting.do(CANCEL_APPOINTMENT, given)
        if isinstance(done, Change):
            await _done(acting, sheet, done, words["cancelled"])
        elif not await _said_changed(acting, sheet, done):
            sheet.say(done)

    _back(acting, sheet)
    sheet.button(words["cancel"], cancel).props("color=negative")


def _back(acting: Acting, sheet: Sheet) -> None:
    with sheet.buttons:
        ui.button(acting.words["back"], on_click=sheet.close).props(PLAIN)


async def _done(acting: Acting, sheet: Sheet, change: Change, text: str) -> None:
    sheet.close()
    acting.tell_change(text, change.notice)
    await acting.refresh()
