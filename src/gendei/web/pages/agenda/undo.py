"""Undoing the last change: what takes it back, by the same commands, as long as nobody has changed it since."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial

from gendei.booking.appointment import CORRECTIONS, LEGAL_MOVES, Appointment, AppointmentStatus, Attendance
from gendei.booking.time_blocks import TimeBlock
from gendei.commands.appointments import (
    BOOK_APPOINTMENT,
    CANCEL_APPOINTMENT,
    MOVE_APPOINTMENT,
    SET_APPOINTMENT_PLAN,
    SET_APPOINTMENT_STATUS,
    SET_ATTENDANCE,
    UPDATE_APPOINTMENT,
    BookAppointment,
    CancelAppointment,
    MoveAppointment,
    SetAppointmentPlan,
    SetAppointmentStatus,
    SetAttendance,
    UpdateAppointment,
)
from gendei.commands.blocks import BLOCK_TIME, FREE_TIME, BlockTime, FreeTime
from gendei.staff.agenda.agenda import Change
from gendei.web.pages.acting import Acting, Problem
from gendei.web.pages.page_texts import page_texts

TEXTS = page_texts("agenda")

S = AppointmentStatus
Step = Callable[[Acting, str], Awaitable[Change | Problem]]
"""One command on the appointment, which stands in the version that is given."""


@dataclass(frozen=True, slots=True)
class Undo:
    """`what`: the change, in a few words; `run`: take it back."""

    what: str
    run: Callable[[Acting], Awaitable[object]]


def undo_booking(made: Change) -> Undo:
    """Cancel it; who was told of it is told of that."""
    booked = made.appointment
    step = partial(_cancel, booked, notify=_told(made))
    return Undo(TEXTS("undo_booked", patient=booked.patient_name), partial(_run, [step], booked))


def undo_change(before: Appointment, made: Change, state: str) -> Undo | None:
    """As it was before; None where nothing leads back. state: what it is now, in words."""
    after, told, patient = made.appointment, _told(made), before.patient_name
    if after.status is S.CANCELLED:
        return Undo(TEXTS("undo_cancelled", patient=patient), partial(_book_anew, before, notify=told))
    path = _way_back(after.status, before.status)
    if path is None:
        return None
    steps: list[Step] = [partial(_set_status, after.id, status) for status in path]
    if before.attendance is not after.attendance and before.status.live:
        steps.append(partial(_set_attendance, after.id, before.attendance))
    what = TEXTS("undo_status", patient=patient, status=state)
    if (before.professional_id, before.interval) != (after.professional_id, after.interval):
        steps.insert(0, partial(_move, before, notify=told))
        what = TEXTS("undo_moved", patient=patient, when=f"{after.start:%d/%m %H:%M}")
    if before.note != after.note:
        steps.append(partial(_note, before))
        what = TEXTS("undo_note", patient=patient)
    if before.plan != after.plan:
        steps.append(partial(_plan, before))
        what = TEXTS("undo_plan", patient=patient)
    return Undo(what, partial(_run, steps, after)) if steps else None


def undo_block(block: TimeBlock) -> Undo:
    """Give the time back."""
    given = FreeTime(block_id=block.id)
    return Undo(TEXTS("undo_blocked", when=f"{block.start:%d/%m %H:%M}"), lambda acting: acting.do(FREE_TIME, given))


def undo_freeing(block: TimeBlock) -> Undo:
    """Block the same again, whatever was booked meanwhile."""
    given = BlockTime(
        professional_id=block.professional_id,
        start=block.start,
        end=block.end,
        reason=block.reason,
        despite_appointments=True,
    )
    return Undo(TEXTS("undo_freed", when=f"{block.start:%d/%m %H:%M}"), lambda acting: acting.do(BLOCK_TIME, given))


async def _run(steps: list[Step], after: Appointment, acting: Acting) -> Change | Problem:
    """One after the other, each on what the one before left."""
    done: Change | Problem = Change(after)
    for step in steps:
        if isinstance(done, Problem):
            break
        done = await step(acting, done.appointment.version)
    return done


def _way_back(present: AppointmentStatus, wanted: AppointmentStatus) -> list[AppointmentStatus] | None:
    """The fewest statuses to set, one after the other; None where none lead there. Nobody is cancelled on the way."""
    ways: list[list[AppointmentStatus]] = [[present]]
    seen = {present, S.CANCELLED}
    for way in ways:
        if way[-1] is wanted:
            return way[1:]
        following = (LEGAL_MOVES[way[-1]] | CORRECTIONS.get(way[-1], set())) - seen
        seen |= following
        ways.extend([*way, status] for status in sorted(following))
    return None


async def _set_status(appointment_id: str, status: AppointmentStatus, acting: Acting, version: str) -> Change | Problem:
    given = SetAppointmentStatus(appointment_id=appointment_id, status=status, version=version)
    return await acting.do(SET_APPOINTMENT_STATUS, given)


async def _set_attendance(
    appointment_id: str, attendance: Attendance, acting: Acting, version: str
) -> Change | Problem:
    given = SetAttendance(appointment_id=appointment_id, attendance=attendance, version=version)
    return await acting.do(SET_ATTENDANCE, given)


async def _move(before: Appointment, acting: Acting, version: str, *, notify: bool) -> Change | Problem:
    given = MoveAppointment(
        appointment_id=before.id,
        start=before.start,
        professional_id=before.professional_id,
        version=version,
        notify=notify,
        minutes=before.minutes,
        override=before.override,
    )
    return await acting.do(MOVE_APPOINTMENT, given)


async def _note(before: Appointment, acting: Acting, version: str) -> Change | Problem:
    given = UpdateAppointment(appointment_id=before.id, note=before.note, version=version)
    return await acting.do(UPDATE_APPOINTMENT, given)


async def _plan(before: Appointment, acting: Acting, version: str) -> Change | Problem:
    given = SetAppointmentPlan(appointment_id=before.id, plan=before.plan, version=version)
    return await acting.do(SET_APPOINTMENT_PLAN, given)


async def _cancel(booked: Appointment, acting: Acting, version: str, *, notify: bool) -> Change | Problem:
    given = CancelAppointment(appointment_id=booked.id, reason=TEXTS["undo_reason"], version=version, notify=notify)
    return await acting.do(CANCEL_APPOINTMENT, given)


async def _book_anew(before: Appointment, acting: Acting, *, notify: bool) -> Change | Problem:
    """What is cancelled stays so: the same is booked again."""
    given = BookAppointment(
        service_id=before.service_id,
        professional_id=before.professional_id,
        start=before.start,
        patient_name=before.patient_name,
        phone=before.patient_phone,
        contact=before.contact,
        notify=notify,
        note=before.note,
        minutes=before.minutes,
        override=before.override,
        plan=before.plan,
    )
    return await acting.do(BOOK_APPOINTMENT, given)


def _told(made: Change) -> bool:
    """Whether the patient is told of the change, and so has to be told that it is undone."""
    return made.notice is not None and made.notice.queued
