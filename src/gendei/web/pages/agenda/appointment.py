"""One appointment on a sheet: what is known of it, and what can be done with it."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from functools import partial
from typing import TypeVar
from urllib.parse import quote, urlencode

from nicegui import ui

from gendei.booking.appointment import CORRECTIONS, Appointment, AppointmentStatus, Attendance
from gendei.booking.slots import Slot
from gendei.clock import instant
from gendei.commands.appointments import (
    CANCEL_APPOINTMENT,
    MOVE_APPOINTMENT,
    SET_APPOINTMENT_STATUS,
    SET_ATTENDANCE,
    CancelAppointment,
    MoveAppointment,
    SetAppointmentStatus,
    SetAttendance,
)
from gendei.commands.command import Arguments, Command
from gendei.staff.agenda.agenda import Change
from gendei.web.pages.agenda.booking import BookingSheet
from gendei.web.pages.agenda.charge_fact import show_charge
from gendei.web.pages.agenda.notes import ask_note
from gendei.web.pages.agenda.personal_fields import offer_personal_data
from gendei.web.pages.agenda.plan_field import show_plan
from gendei.web.pages.agenda.sheet import FIELD, AgendaActing, AgendaSheet, MinutesField, MomentFields, fact
from gendei.web.pages.agenda.states import late_text, show_states, state_text
from gendei.web.pages.agenda.undo import undo_change
from gendei.web.pages.page_texts import channel_name, page_texts
from gendei.web.pages.phones import address_text
from gendei.web.pages.sheets import PLAIN, STRONG, Handler

TEXTS = page_texts("agenda")
A = TypeVar("A", bound=Arguments)
MAX_REASON = 500
PAST = {AppointmentStatus.COMPLETED, AppointmentStatus.NO_SHOW}
"""Statuses that nobody can know before the appointment's start."""
QUIET = {AppointmentStatus.NO_SHOW, AppointmentStatus.CONFIRMED_PRESENCE}
BY = {"patient": "by_patient", "staff": "by_staff", "deposit": "by_deposit"}
"""Names in the history that are no person's."""
MARKS = {Attendance.EXPECTED: Attendance.ARRIVED, Attendance.ARRIVED: Attendance.IN_ROOM}
"""What comes next on the day."""
UNMARKS = {Attendance.ARRIVED: Attendance.EXPECTED, Attendance.IN_ROOM: Attendance.ARRIVED}


def show_appointment(acting: AgendaActing, shown: Appointment, *, warning: str = "") -> None:
    """Open it as `shown` has it; `warning` stands below."""
    sheet = AgendaSheet(acting, TEXTS["appointment"], shown)
    with sheet.body:
        show_states(acting, shown)
        fact(TEXTS["patient"], shown.patient_name)
        fact(TEXTS["when"], acting.spoken(shown.start))
        fact(TEXTS["duration"], TEXTS("minutes_count", minutes=shown.minutes))
        fact(TEXTS["who"], shown.professional_name)
        fact(TEXTS["service"], shown.service_name)
        show_plan(acting.clinic, shown)
        show_charge(acting, shown)
        fact(TEXTS["phone"], address_text(shown.patient_phone or shown.contact))
        fact(TEXTS["channel"], channel_name(shown.channel))
        if shown.late:
            at = f"{acting.clinic.local(shown.late.at):%H:%M}"
            fact(TEXTS["late_fact"], TEXTS("late_said", what=late_text(shown.late), at=at))
        if shown.cancel_reason:
            fact(TEXTS["reason"], shown.cancel_reason)
        if shown.note:
            fact(TEXTS["note"], shown.note)
        offer_personal_data(acting, sheet, shown.patient_id)
        with ui.element("div").classes("a-links"):
            ui.link(TEXTS["to_conversation"], f"/inbox?{urlencode({'contact': shown.contact})}")
            ui.link(TEXTS["to_patient"], f"/patients/{quote(shown.patient_id, safe='')}")
        _history(acting, shown)
    sheet.say(warning)
    _attendance_buttons(acting, sheet, shown)
    _buttons(acting, sheet, shown)


def _history(acting: AgendaActing, shown: Appointment) -> None:
    agenda = acting.desk.agenda
    with ui.expansion(TEXTS["history"]).classes("a-history").props("dense"):
        for line in shown.history:
            by = TEXTS[BY[line.by]] if line.by in BY else line.by
            at = f"{acting.clinic.local(line.at):%d/%m %H:%M}"
            status = agenda.attendances[line.attendance] if line.attendance else agenda.statuses[line.status]
            if line.moved_from:
                status = TEXTS("history_moved", start=f"{acting.clinic.local(line.moved_from):%d/%m %H:%M}")
            ui.label(TEXTS("history_line", at=at, status=status, by=by)).classes("g-small")


def _attendance_buttons(acting: AgendaActing, sheet: AgendaSheet, shown: Appointment) -> None:
    """From its day on: who comes arrives and goes in; and back, where that was a mistake."""
    names = acting.desk.agenda.attendances
    if not shown.status.live or acting.now.date() < shown.start.date():
        return

    def marking(attendance: Attendance) -> Handler:
        given = SetAttendance(appointment_id=shown.id, attendance=attendance, version=shown.version)
        saved = TEXTS("status_saved", status=names[attendance])
        return lambda: _change(acting, sheet, SET_ATTENDANCE, given, saved)

    if then := MARKS.get(shown.attendance):
        sheet.button(TEXTS[f"mark_{then}"], marking(then))
    if back := UNMARKS.get(shown.attendance):
        sheet.button(TEXTS("unmark", attendance=names[back]), marking(back), props=f"{PLAIN} icon=undo")


def _buttons(acting: AgendaActing, sheet: AgendaSheet, shown: Appointment) -> None:
    statuses, legal = acting.desk.agenda.statuses, shown.next_statuses(acting.now) - {AppointmentStatus.CANCELLED}
    if shown.attendance is not Attendance.EXPECTED:
        legal -= {AppointmentStatus.CONFIRMED_PRESENCE}

    def setting(status: AppointmentStatus) -> Handler:
        given = SetAppointmentStatus(appointment_id=shown.id, status=status, version=shown.version)
        saved = TEXTS("status_saved", status=statuses[status])
        return lambda: _change(acting, sheet, SET_APPOINTMENT_STATUS, given, saved)

    def then(ask: Callable[[AgendaActing, Appointment], Awaitable[None] | None]) -> Handler:
        async def go() -> None:
            sheet.close()
            if (opening := ask(acting, shown)) is not None:
                await opening

        return go

    for status in AppointmentStatus:
        if status in legal and (instant(acting.now) >= instant(shown.start) or status not in PAST):
            quiet = status in QUIET or shown.attendance is Attendance.ARRIVED
            props = PLAIN if quiet else STRONG
            sheet.button(TEXTS[f"set_{status}"], setting(status), props=props)
    sheet.button(TEXTS["to_edit"], then(ask_note), props=PLAIN)
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
    override: Handler | None = None,
) -> None:
    """Run `command`, and say `text` where it was done. Where somebody else was faster, show how it stands now."""
    done = await acting.do(command, given)
    if isinstance(done, Change):
        state = state_text(acting.desk.agenda, done.appointment)
        await sheet.done(text, done.notice, undo_change(sheet.about, done, state) if sheet.about else None)
    elif done.present is None:
        sheet.tell(done, choose, override)
    else:
        sheet.close()
        await acting.refresh()
        show_appointment(acting, done.present, warning=done.text)


def book_again(acting: AgendaActing, shown: Appointment) -> None:
    """Book the same for another time, after it was cancelled or missed."""
    sheet = BookingSheet(acting, shown.start, shown.professional_id, shown.service_id)
    sheet.choose_patient(shown.patient_name, shown.patient_phone, shown.contact, shown.plan)


def ask_move(
    acting: AgendaActing,
    shown: Appointment,
    start: datetime | None = None,
    professional_id: str | None = None,
    *,
    minutes: int | None = None,
    seen: str | None = None,
) -> None:
    """Ask for another time, or to confirm what is given; `seen`: the version that was dragged, else `shown`'s."""
    who = professional_id or shown.professional_id
    _MoveSheet(acting, shown, seen or shown.version).open(start or shown.start, who, minutes or shown.minutes)


class _MoveSheet:
    def __init__(self, acting: AgendaActing, shown: Appointment, seen: str) -> None:
        self._acting, self._shown, self._seen = acting, shown, seen
        self._sheet = AgendaSheet(acting, TEXTS["move_title"], shown)

    def open(self, start: datetime, professional_id: str, minutes: int) -> None:
        shown, clinic = self._shown, self._acting.clinic
        with self._sheet.body:
            ui.label(f"{shown.patient_name} · {shown.service_name}").props('dir="auto"').classes("a-strong")
            self._fact("move_from", self._line(shown.start, shown.professional_id))
            self._target = self._fact("move_to", "")
            able = [professional.id for professional in clinic.professionals_for(shown.service_id)]
            people = dict.fromkeys([*able, shown.professional_id, professional_id])
            offered = {who: self._acting.professional_name(who) for who in people}
            with ui.element("div").classes("a-row"):
                self._fields = MomentFields(clinic, start, self._show)
                self._lasting = MinutesField(clinic, shown.service_id, minutes, self._show)
            self._who = ui.select(offered, label=TEXTS["who"], value=professional_id, on_change=self._show).props(FIELD)
            self._notify = ui.checkbox(TEXTS["notify"])
        self._show()
        self._sheet.leave_button(TEXTS["back"])
        self._sheet.button(TEXTS["move"], self._move)

    @staticmethod
    def _fact(key: str, text: str) -> ui.label:
        with ui.element("div").classes("a-fact"):
            ui.label(TEXTS[key]).classes("g-soft g-small")
            return ui.label(text).classes("a-fact-value").props(f'data-testid="{key}"')

    def _line(self, when: datetime, who: str) -> str:
        name = self._acting.professional_name(who)
        return TEXTS("move_line", when=self._acting.spoken(when), professional=name)

    def _show(self) -> None:
        moment, minutes = self._fields.moment, self._lasting.minutes
        told = self._line(moment, str(self._who.value)) if moment else TEXTS["bad_date"]
        self._target.text = told + (TEXTS("move_minutes", minutes=minutes) if minutes != self._shown.minutes else "")

    def _choose(self, slot: Slot) -> None:
        self._fields.set(slot.start)
        self._who.value = slot.professional_id
        self._sheet.say("")

    async def _move(self, *, override: bool = False) -> None:
        shown, moment, who = self._shown, self._fields.moment, str(self._who.value)
        minutes = self._lasting.minutes
        if moment is None or not self._lasting.is_right:
            self._sheet.say(TEXTS["bad_date" if moment is None else "bad_minutes"])
            return
        stays = (instant(moment), who) == (instant(shown.start), shown.professional_id)
        if stays and minutes == shown.minutes:
            self._sheet.say(TEXTS["unchanged"])
            return
        given = MoveAppointment(
            appointment_id=shown.id,
            start=moment,
            professional_id=who,
            version=self._seen,
            notify=bool(self._notify.value),
            minutes=minutes,
            override=override,
        )
        resized = TEXTS("resized", minutes=minutes)
        text = resized if stays else TEXTS("moved", when=self._acting.spoken(moment))
        again = partial(self._move, override=True)
        await _change(self._acting, self._sheet, MOVE_APPOINTMENT, given, text, self._choose, again)


def ask_cancel(acting: AgendaActing, shown: Appointment) -> None:
    """Ask for the reason, and whether the patient shall be told."""
    sheet = AgendaSheet(acting, TEXTS["cancel_title"], shown)
    with sheet.body:
        ui.label(f"{shown.patient_name} · {shown.service_name}").props('dir="auto"').classes("a-strong")
        ui.label(acting.spoken(shown.start)).classes("g-soft")
        reason = ui.textarea(TEXTS["cancel_reason"]).props(f'{FIELD} autogrow maxlength="{MAX_REASON}" autofocus')
        notify = ui.checkbox(TEXTS["notify"])
    sheet.ask_before_closing(reason)

    async def cancel() -> None:
        why = str(reason.value or "").strip()[:MAX_REASON]
        if not why:
            sheet.say(TEXTS["reason_needed"])
            return
        given = CancelAppointment(appointment_id=shown.id, reason=why, version=shown.version, notify=bool(notify.value))
        await _change(acting, sheet, CANCEL_APPOINTMENT, given, TEXTS["cancelled"])

    sheet.leave_button(TEXTS["back"])
    sheet.button(TEXTS["cancel"], cancel).props("color=negative")
