"""/appointments and /blocks."""

from datetime import date, timedelta
from typing import Annotated

from fastapi import APIRouter, Body, Depends, Query

from gendei.booking.appointment import AppointmentStatus
from gendei.booking.refusals import Refusal
from gendei.booking.time_blocks import BlockWish
from gendei.clinic import Contact
from gendei.staff.agenda.agenda import AgendaRefused, NewBooking
from gendei.web.api.access import Reader, Service, Writer
from gendei.web.api.appointment_shapes import (
    AppointmentOut,
    BlockIn,
    BlockOut,
    Book,
    BookedOut,
    Cancel,
    ChangeOut,
    Move,
    SetStatus,
)
from gendei.web.api.cursors import cursor_of, place_of
from gendei.web.api.problems import READ_ONE, WRITE, Unfit, errors
from gendei.web.api.shapes import Cursor, Day, Id, Limit, Listed, Paged

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
    shown = [one for one in found if professional_id in {None, one.professional_id} and status in {None, one.status}]
    more = cursor_of(found[-1].start.isoformat(), found[-1].id) if len(found) == limit else None
    return Paged(items=[AppointmentOut.of(one) for one in shown], next=more)


@router.get("/appointments/{appointment_id}", responses=READ_ONE)
async def get_appointment(actor: Reader, gendei: Service, appointment_id: str) -> AppointmentOut:
    """One appointment."""
    return AppointmentOut.of(await gendei.agenda_desk.agenda.appointment(actor, appointment_id))


@router.post("/appointments", status_code=201, responses=WRITE, response_model_exclude_unset=True)
async def book(actor: Writer, gendei: Service, asked: Book) -> BookedOut:
    """Book for somebody known or new. The same again (contact, service, professional and start) gives what stands. With
    `notify`, `notice` says what became of telling the patient."""
    if asked.phone is None and asked.contact is None:
        raise Unfit("body.phone", "phone or contact is needed")
    booking = NewBooking(
        asked.service_id,
        asked.professional_id,
        asked.start,
        asked.patient_name,
        asked.phone,
        Contact(asked.contact) if asked.contact else None,
        channel="api",
    )
    try:
        return BookedOut.after(await gendei.agenda_desk.agenda.book(actor, booking, notify=asked.notify))
    except AgendaRefused as refused:
        if refused.reason == Refusal.INVALID_PHONE:
            raise Unfit("body.phone" if asked.phone else "body.contact", refused.text) from refused
        if refused.reason == Refusal.INVALID_NAME:
            raise Unfit("body.patientName", refused.text) from refused
        raise


@router.post("/appointments/{appointment_id}/move", responses=WRITE)
async def move(actor: Writer, gendei: Service, appointment_id: str, asked: Move) -> ChangeOut:
    """Another start, and another professional where one is named."""
    change = await gendei.agenda_desk.agenda.move(
        actor, appointment_id, asked.start, asked.professional_id, seen=asked.version, notify=asked.notify
    )
    return ChangeOut.of(change)


@router.post("/appointments/{appointment_id}/cancel", responses=WRITE)
async def cancel(
    actor: Writer, gendei: Service, appointment_id: str, asked: Annotated[Cancel, Body(default_factory=Cancel)]
) -> ChangeOut:
    """Cancel, and free the time."""
    change = await gendei.agenda_desk.agenda.cancel(
        actor, appointment_id, asked.reason, seen=asked.version, notify=asked.notify
    )
    return ChangeOut.of(change)


@router.post("/appointments/{appointment_id}/status", responses=WRITE)
async def set_status(actor: Writer, gendei: Service, appointment_id: str, asked: SetStatus) -> ChangeOut:
    """Presence confirmed, completed, no-show: any legal move. `confirmed` takes each of these back; after a no-show it
    is refused where the time is no more free."""
    change = await gendei.agenda_desk.agenda.set_status(actor, appointment_id, asked.status, seen=asked.version)
    return ChangeOut.of(change)


@router.get("/blocks", responses=errors(404))
async def list_blocks(actor: Reader, gendei: Service, days: Days) -> Listed[BlockOut]:
    """What staff blocked on these local days, by start."""
    return Listed(items=[BlockOut.of(one) for one in await gendei.agenda_desk.blocks.list(actor, *days)])


@router.post("/blocks", status_code=201, responses=WRITE)
async def block(actor: Writer, gendei: Service, asked: BlockIn) -> BlockOut:
    """Block time of a professional or of the whole clinic. Refused where appointments stand, with their ids in
    `standing`, unless despiteAppointments."""
    wish = BlockWish(asked.professional_id, asked.start, asked.end, asked.reason, asked.despite_appointments)
    return BlockOut.of(await gendei.agenda_desk.blocks.add(actor, wish))


@router.delete("/blocks/{block_id}", responses=WRITE)
async def unblock(actor: Writer, gendei: Service, block_id: str) -> BlockOut:
    """Give the time back; the block that was."""
    return BlockOut.of(await gendei.agenda_desk.blocks.remove(actor, block_id))
