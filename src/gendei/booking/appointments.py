"""Reading appointments: gendei_clinics/{clinicId}/appointments/{id}. Only the desk writes them."""

import re
from datetime import date, datetime, time, timedelta

from gendei.booking.appointment import APPOINTMENT, Appointment
from gendei.clinic import Clinic, Contact
from gendei.clock import Clock, instant
from gendei.documents import Documents, Operator, Query, Snapshot, document_id
from gendei.errors import NotFound

_ID = re.compile("[0-9a-f]{12}")
Conditions = tuple[tuple[str, Operator, object], ...]


def appointment_path(clinic: Clinic, appointment_id: str) -> str:
    """Raises NotFound for what cannot be an id: ids come back from models and from taps."""
    if not _ID.fullmatch(appointment_id):
        raise NotFound
    return f"{_collection(clinic)}/{appointment_id}"


def owned(clinic: Clinic, contact: Contact | None, snapshot: Snapshot) -> Appointment:
    """The appointment of a snapshot. Raises NotFound when there is none, or it is not the contact's (None: staff)."""
    if snapshot.data is None or (contact is not None and snapshot.data["contact"] != contact):
        raise NotFound
    return APPOINTMENT.read(snapshot.data, zone=clinic.timezone)


class Appointments:
    """The reading half of the repository; every call is about one clinic."""

    def __init__(self, documents: Documents, clock: Clock) -> None:
        self._documents, self._clock = documents, clock

    async def get(self, clinic: Clinic, contact: Contact | None, appointment_id: str) -> Appointment:
        """One appointment of the contact, or of anybody for staff (None). Raises NotFound."""
        return owned(clinic, contact, await self._documents.get(appointment_path(clinic, appointment_id)))

    async def of_contact(self, clinic: Clinic, contact: Contact, *, upcoming_only: bool = True) -> list[Appointment]:
        """What this contact booked, by start, then professional; `upcoming_only`: live and not begun yet."""
        mine: Conditions = (("contact", "==", contact),)
        if not upcoming_only:
            return await self._query(clinic, mine)
        coming = await self._query(clinic, (*mine, ("start", ">", self._clock())))
        return [one for one in coming if one.status.live]

    async def between(self, clinic: Clinic, first: date, last: date) -> list[Appointment]:
        """Everybody's appointments that begin on the local days `first` to `last`, whatever their status, by start."""
        begin, end = (datetime.combine(day, time.min, clinic.timezone) for day in (first, last + timedelta(days=1)))
        return await self._query(clinic, (("start", ">=", begin), ("start", "<", end)))

    async def page(
        self, clinic: Clinic, days: tuple[date, date], limit: int, after: tuple[datetime, str] | None = None
    ) -> list[Appointment]:
        """At most `limit` of those that begin on the local days from the first to the last of `days`, by start, then
        id. after: start (aware) and id of the last one seen."""
        first, last = days
        begin, end = (datetime.combine(day, time.min, clinic.timezone) for day in (first, last + timedelta(days=1)))
        where: Conditions = (("start", ">=", begin), ("start", "<", end))
        query = Query(_collection(clinic), where=where, order_by=(("start", False),), limit=limit)
        if after is not None:
            query = query.after(Snapshot(appointment_path(clinic, after[1]), {"start": after[0]}))
        found = await self._documents.query(query)
        return [APPOINTMENT.read(one.data, zone=clinic.timezone) for one in found]

    async def _query(self, clinic: Clinic, where: Conditions) -> list[Appointment]:
        query = Query(_collection(clinic), where=where, order_by=(("start", False),))
        found = await self._documents.query(query)
        appointments = [APPOINTMENT.read(one.data, zone=clinic.timezone) for one in found]
        return sorted(appointments, key=lambda one: (instant(one.start), one.professional_name))


def _collection(clinic: Clinic) -> str:
    return f"gendei_clinics/{document_id(clinic.id)}/appointments"
