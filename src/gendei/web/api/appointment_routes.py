"""/appointments and /blocks."""

from datetime import date, timedelta
from typing import Annotated

from fastapi import APIRouter, Depends, Query

from gendei.booking.appointment import AppointmentStatus
from gendei.commands.appointments import (
    BOOK_APPOINTMENT,
    CANCEL_APPOINTMENT,
    MOVE_APPOINTMENT,
    SET_APPOINTMENT_PLAN,
    SET_APPOINTMENT_STATUS,
    SET_ATTENDANCE,
    UPDATE_APPOINTMENT,
)
from gendei.commands.blocks import BLOCK_TIME, FREE_TIME
from gendei.commands.shapes import AppointmentOut, BlockOut, BookedOut, ChangeOut
from gendei.web.api.access import Reader, Service
from gendei.web.api.command_routes import offer
from gendei.web.api.problems import READ_ONE, Unfit, errors
from gendei.web.api.shapes import Cursor, Day, Id, Limit, Listed, Paged, cursor_of, place_of

MOST_DAYS = timedelta(days=366)
router = APIRouter(tags=["appointments"])


def _days(
    first: Annotated[Day, Query(alias="from", description="The first local day.", examples=["2026-11-24"])],
    last: Annotated[Day, Query(alias="to", description="The last local day.", examples=["2026-11-30"])],
) -> tuple[date, date]:
    if not first <= last <= first + MOST_DAYS:
        raise Unfit("query.to", "is not before `from`, and at most 366 days after it")
    return first, last


Days = Annotated[tuple[date, date], Depends(_days)]


@router.get("/appointments", responses=errors(404))
async def list_appointments(
    actor: Reader,
    gendei: Service,
    days: Days,
    *,
    professional_id: Annotated[Id | None, Query(alias="professionalId")] = None,
    status: AppointmentStatus | None = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Paged[AppointmentOut]:
    """Appointments that begin on these local days, by start. Where a filter is given, a page may hold fewer than
    `limit` and still have a next one."""
    found = await gendei.agenda_desk.agenda.page(actor, days, limit, place_of(cursor))
    shown = [
        appointment
        for appointment in found
        if professional_id in {None, appointment.professional_id} and status in {None, appointment.status}
    ]
    more = cursor_of(found[-1].start.isoformat(), found[-1].id) if len(found) == limit else None
    return Paged(items=[AppointmentOut.of(appointment) for appointment in shown], next=more)


@router.get("/appointments/{appointment_id}", responses=READ_ONE)
async def get_appointment(actor: Reader, gendei: Service, appointment_id: str) -> AppointmentOut:
    """One appointment."""
    return AppointmentOut.of(await gendei.agenda_desk.agenda.appointment(actor, appointment_id))


offer(
    router,
    "POST /appointments",
    BOOK_APPOINTMENT,
    BookedOut.after,
    "book",
    status_code=201,
    response_model_exclude_unset=True,
)
offer(router, "POST /appointments/{appointment_id}/move", MOVE_APPOINTMENT, ChangeOut.of, "move")
offer(router, "POST /appointments/{appointment_id}/cancel", CANCEL_APPOINTMENT, ChangeOut.of, "cancel")
offer(router, "POST /appointments/{appointment_id}/status", SET_APPOINTMENT_STATUS, ChangeOut.of, "set_status")
offer(router, "POST /appointments/{appointment_id}/attendance", SET_ATTENDANCE, ChangeOut.of, "set_attendance")
offer(router, "PATCH /appointments/{appointment_id}", UPDATE_APPOINTMENT, ChangeOut.of, "update_appointment")
offer(router, "POST /appointments/{appointment_id}/plan", SET_APPOINTMENT_PLAN, ChangeOut.of, "set_plan")


@router.get("/blocks", responses=errors(404))
async def list_blocks(actor: Reader, gendei: Service, days: Days) -> Listed[BlockOut]:
    """What staff blocked on these local days, by start."""
    return Listed(items=[BlockOut.of(block) for block in await gendei.agenda_desk.blocks.list(actor, *days)])


offer(router, "POST /blocks", BLOCK_TIME, BlockOut.of, "block", "BlockIn", status_code=201)
offer(router, "DELETE /blocks/{block_id}", FREE_TIME, BlockOut.of, "unblock")
