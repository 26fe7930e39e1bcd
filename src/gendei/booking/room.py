"""How many appointments a contact may have ahead: a stranger who books the agenda full keeps patients out of it.

Only what was booked by the contact itself counts. The contact's document (`gendei.booking.holds`) has it as
{"booked": {appointmentId: start}}, which every booking reads and writes in its transaction, so that of two at once only
one takes the last place. Cancelling and moving leave the entries as they are: they are looked up where it matters.
"""

from datetime import datetime

from gendei.booking.appointment import Appointment
from gendei.booking.appointments import Appointments, appointment_path, owned
from gendei.booking.refusals import BookingRefused, Refusal
from gendei.clinic import Clinic, Contact, is_anonymous
from gendei.clock import instant
from gendei.documents import Data, Documents
from gendei.errors import NotFound

PATIENT = "patient"
"""Who acts, in an appointment's history."""


def most_ahead(clinic: Clinic, contact: Contact) -> int:
    """How many live appointments ahead the contact may have booked: fewer where it proved no phone."""
    policy = clinic.booking
    return policy.most_ahead_of_visitor if is_anonymous(contact) else policy.most_ahead


async def require_room(
    documents: Documents, appointments: Appointments, clinic: Clinic, contact: Contact, data: Data | None, now: datetime
) -> dict[str, datetime]:
    """What the contact has booked ahead, by id with its start. `data`: the contact's document, read in the transaction
    that will write it. Raises BookingRefused(TOO_MANY) where there is no room for one more."""
    booked: dict[str, datetime] | None = (data or {}).get("booked")
    most = most_ahead(clinic, contact)
    if booked is None:
        found = [one for one in await appointments.of_contact(clinic, contact) if _is_own(one)]
        booked = {one.id: one.start for one in found}
    else:
        full = sum(instant(start) > instant(now) for start in booked.values()) >= most
        booked = await _as_they_stand(documents, clinic, contact, booked, now, everything=full)
    if len(booked) >= most:
        raise BookingRefused(Refusal.TOO_MANY)
    return booked


async def _as_they_stand(
    documents: Documents,
    clinic: Clinic,
    contact: Contact,
    booked: dict[str, datetime],
    now: datetime,
    *,
    everything: bool,
) -> dict[str, datetime]:
    """Without what is over. An entry's start is that of the booking: what was moved since is read anew once that start
    has passed, or where it counts (`everything`). An appointment that has begun is never moved, so this cannot be
    outrun."""
    begun = {appointment_id for appointment_id, start in booked.items() if instant(start) <= instant(now)}
    doubtful = list(booked) if everything else sorted(begun)
    known = {appointment_id: start for appointment_id, start in booked.items() if appointment_id not in doubtful}
    snapshots = await documents.get_many([appointment_path(clinic, one) for one in doubtful]) if doubtful else []
    for snapshot in snapshots:
        try:
            appointment = owned(clinic, contact, snapshot)
        except NotFound:
            continue
        if appointment.status.live and instant(appointment.start) > instant(now):
            known[appointment.id] = appointment.start
    return known


def _is_own(appointment: Appointment) -> bool:
    return bool(appointment.history) and appointment.history[0].by == PATIENT
