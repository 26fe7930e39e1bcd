"""What a patient said of being late, noted with the appointment."""

from dataclasses import replace

from gendei.booking.appointment import APPOINTMENT, Appointment, LateWord, appointment_path, owned
from gendei.booking.slots import BookingRefused, Refusal
from gendei.clinic import Clinic, Contact
from gendei.clock import Clock, instant
from gendei.documents import Documents, Transaction, transact


async def note_late(
    documents: Documents,
    clock: Clock,
    clinic: Clinic,
    contact: Contact,
    appointment_id: str,
    minutes: int | None = None,
) -> Appointment:
    """Note that the contact will be late for an appointment that is not over; nothing else of it changes. `minutes`
    None: as many as were said before. Raises NotFound, or BookingRefused(ILLEGAL_MOVE) for one that is over or was
    cancelled."""

    async def attempt(transaction: Transaction) -> Appointment:
        now = clinic.local(clock())
        before = owned(clinic, contact, await transaction.get(appointment_path(clinic, appointment_id)))
        if not before.status.live or instant(before.end) <= instant(now):
            raise BookingRefused(Refusal.ILLEGAL_MOVE)
        known = before.late.minutes if before.late else None
        after = replace(before, late=LateWord(now, minutes or known))
        transaction.put(appointment_path(clinic, appointment_id), APPOINTMENT.write(after))
        return after

    return await transact(documents, attempt)
