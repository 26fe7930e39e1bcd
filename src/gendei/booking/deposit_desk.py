"""Deposits as the receptionist looks at them: those of one contact, as they stand here or at the provider."""

import asyncio
import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from gendei.booking.appointment import Appointment, Appointments
from gendei.clinic import Clinic, Contact
from gendei.clock import instant
from gendei.documents import Documents
from gendei.errors import NotFound, StoreError
from gendei.payments.collecting import Collector
from gendei.payments.pix_charge import CHARGE, PixCharge, charge_path

logger = logging.getLogger(__name__)
LOOK_SECONDS = 6.0
"""For which a patient waits for the provider's answer."""
RECENT = timedelta(days=2)
"""So long after it was booked a deposit is meant by "já paguei", whatever became of it."""


@dataclass(frozen=True, slots=True)
class OwnDeposit:
    """Of one appointment."""

    appointment: Appointment
    charge: PixCharge


@dataclass(frozen=True, slots=True)
class DepositDesk:
    """Whoever is asked about: an appointment of another contact or clinic has no deposit here."""

    documents: Documents
    collector: Collector

    async def charges(self, clinic: Clinic, appointments: Iterable[Appointment]) -> Mapping[str, PixCharge]:
        """The charges of these appointments, by their own ids."""
        ids = list(dict.fromkeys(each.charge_id for each in appointments if each.charge_id))
        found = await self.documents.get_many([charge_path(clinic.id, id_) for id_ in ids]) if ids else []
        read = (CHARGE.found(each, id=each.id, clinic_id=clinic.id) for each in found)
        return {charge.id: charge for charge in read if charge is not None}

    async def recent(self, clinic: Clinic, contact: Contact) -> list[OwnDeposit]:
        """Of what the contact has booked and has ahead, or booked a short time ago; the newest first, each charge once,
        with the appointment that it is for."""
        now = self.collector.clock()
        mine = await Appointments(self.documents, self.collector.clock).of_contact(clinic, contact, upcoming_only=False)
        near = [each for each in mine if each.charge_id and _is_near(each, now)]
        charges = await self.charges(clinic, near)
        own = [OwnDeposit(each, charge) for each in near if (charge := charges.get(each.charge_id)) is not None]
        return sorted(
            (each for each in own if each.charge.appointment_id == each.appointment.id),
            key=lambda each: instant(each.appointment.created_at),
            reverse=True,
        )

    def can_ask(self, charge: PixCharge) -> bool:
        """Whether its provider tells what was paid; else staff look for it."""
        provider = self.collector.providers.get(charge.provider)
        return provider is not None and provider.keeps_records

    async def look(self, clinic: Clinic, deposit: OwnDeposit) -> OwnDeposit:
        """As it stands after the provider was asked, as far as it answers in time."""
        charge = deposit.charge
        try:
            async with asyncio.timeout(LOOK_SECONDS):
                charge = await self.collector.see_to(clinic.id, deposit.charge.id)
        except (TimeoutError, StoreError) as error:
            logger.warning("charge=%s: not looked at: %s", deposit.charge.id, type(error).__name__)
        try:
            appointments = Appointments(self.documents, self.collector.clock)
            return OwnDeposit(await appointments.get(clinic, None, charge.appointment_id), charge)
        except NotFound:
            return OwnDeposit(deposit.appointment, charge)


def _is_near(appointment: Appointment, now: datetime) -> bool:
    ahead = appointment.status.live and instant(appointment.start) > instant(now)
    return ahead or instant(appointment.created_at) > instant(now - RECENT)
