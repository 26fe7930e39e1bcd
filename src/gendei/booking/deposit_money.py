"""What money does to appointments: paid, a pending one is confirmed; not paid in time, its time is free again; paid
late, it is booked again where the time is still free, and refunded where it is not."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from gendei.booking.agenda import AgendaEdit
from gendei.booking.appointment import (
    APPOINTMENT,
    BY_DEPOSIT,
    Appointment,
    AppointmentStatus,
    StatusChange,
    appointment_path,
)
from gendei.booking.deposits import is_unpaid
from gendei.booking.erasing import ERASED
from gendei.booking.events import AgendaEvent, AgendaPlace, Doer, DoerKind, EventKind, Stream, Tell, appointment_events
from gendei.booking.slots import BookingRefused
from gendei.booking.visits import require_unused
from gendei.clinic import Clinic
from gendei.clock import instant
from gendei.documents import Transaction
from gendei.errors import NotFound
from gendei.messages.channels import Clinics
from gendei.payments.pix_charge import CLOCK, PixCharge, refund_all

UNPAID = "the deposit was not paid in time"
"""The reason of a cancellation by BY_DEPOSIT."""
CHARGE_STREAM = "charge:"
"""Before a charge's id: what happens to it is a stream of events of its own."""
_S = AppointmentStatus
_BY_MONEY = Doer(DoerKind.MONEY)
NewId = Callable[[], str]


@dataclass(frozen=True, slots=True)
class DepositMoney:
    """Implements `payments.collecting.MoneyFollower`: all of it is in the commit that enters the money. tell: gets the
    events of the appointment, and one of the charge, by which the patient is told."""

    clinics: Clinics
    tell: Tell

    async def follow(self, transaction: Transaction, before: PixCharge, after: PixCharge, now: datetime) -> PixCharge:
        """The charge as it is to be stored."""
        clinic = await self.clinics.get(after.clinic_id)
        if clinic is None:
            return refund_all(after, now, CLOCK) if not after.ledger.is_asking else after
        edit = AgendaEdit(transaction, clinic, clinic.local(now))
        try:
            path = appointment_path(clinic, after.appointment_id)
        except NotFound:
            return refund_all(after, now, CLOCK) if not after.ledger.is_asking else after
        found = await transaction.get(path)
        appointment = APPOINTMENT.found(found, zone=clinic.timezone)
        if appointment is None or appointment.charge_id != after.id:
            transaction.put(path, found.data) if found.data is not None else transaction.delete(path)
            return refund_all(after, now, CLOCK) if not after.ledger.is_asking else after
        transaction.put(path, found.data or {})
        settled = await self._settled(edit, appointment, before, after)
        self.tell(transaction, [_event(appointment, settled, now)])
        return settled

    async def _settled(
        self, edit: AgendaEdit, appointment: Appointment, before: PixCharge, after: PixCharge
    ) -> PixCharge:
        ledger = after.ledger
        came = ledger.received > before.ledger.received
        if appointment.status is _S.PENDING:
            if ledger.is_waived or ledger.received >= ledger.asked:
                return self._confirm(edit, appointment, after)
            if ledger.is_withdrawn:
                return await self._give_back(edit, appointment, after)
        elif appointment.status is _S.CANCELLED and came and not ledger.is_asking:
            return await self._came_late(edit, appointment, after)
        return after

    def _confirm(self, edit: AgendaEdit, appointment: Appointment, charge: PixCharge) -> PixCharge:
        confirmed = appointment.with_status(_S.CONFIRMED, edit.now, BY_DEPOSIT)
        self._record(edit, appointment, confirmed)
        return charge

    async def _give_back(self, edit: AgendaEdit, appointment: Appointment, charge: PixCharge) -> PixCharge:
        """The provider takes no payment of it any more, so that its time may be somebody else's."""
        await edit.load(appointment.professional_id, appointment.interval)
        edit.free(appointment.professional_id, appointment.id, appointment.interval)
        edit.save()
        self._record(edit, appointment, appointment.cancelled(edit.now, BY_DEPOSIT, UNPAID))
        return charge

    async def _came_late(self, edit: AgendaEdit, appointment: Appointment, charge: PixCharge) -> PixCharge:
        """Booked again where it was the time that ran out, and the time is still free; else the money goes back."""
        if not await self._is_free(edit, appointment):
            return refund_all(charge, edit.now, CLOCK)
        again = _again(appointment, edit.now)
        edit.take(again.professional_id, again.id, again.interval)
        edit.save()
        edit.transaction.create(appointment_path(edit.clinic, again.id), APPOINTMENT.write(again))
        self.tell(edit.transaction, appointment_events(None, again, _BY_MONEY))
        return replace(charge, appointment_id=again.id)

    async def _is_free(self, edit: AgendaEdit, appointment: Appointment) -> bool:
        whole = charge_is_for(edit.clinic, appointment)
        if not is_unpaid(appointment) or not whole or appointment.contact == ERASED:
            return False
        if instant(appointment.start) <= instant(edit.now):
            return False
        await edit.load(appointment.professional_id, appointment.interval)
        try:
            require_unused(appointment, edit)
        except BookingRefused:
            edit.save()
            return False
        return True

    def _record(self, edit: AgendaEdit, before: Appointment, after: Appointment) -> None:
        edit.transaction.put(appointment_path(edit.clinic, after.id), APPOINTMENT.write(after))
        self.tell(edit.transaction, appointment_events(before, after, _BY_MONEY))


def charge_is_for(clinic: Clinic, appointment: Appointment) -> bool:
    """Whether the clinic still does this, with this professional."""
    professional = clinic.professional(appointment.professional_id)
    return professional is not None and appointment.service_id in professional.service_ids


def _again(appointment: Appointment, now: datetime) -> Appointment:
    """The same visit, booked anew: what was cancelled stays so, since the patient was told."""
    begun = replace(
        appointment,
        id=secrets.token_hex(6),
        status=_S.PENDING,
        created_at=now,
        updated_at=now,
        cancel_reason="",
        history=(StatusChange(_S.PENDING, now, BY_DEPOSIT),),
    )
    return begun.with_status(_S.CONFIRMED, now, BY_DEPOSIT)


def _event(appointment: Appointment, charge: PixCharge, now: datetime) -> AgendaEvent:
    """Of what became of a charge: its code is known, or its ledger has more entries. The seq rises with either."""
    return AgendaEvent(
        kind=EventKind.DEPOSIT,
        stream=Stream(charge.clinic_id, f"{CHARGE_STREAM}{charge.id}"),
        seq=2 * len(charge.entries) + bool(charge.code),
        at=now,
        doer=_BY_MONEY,
        place=AgendaPlace(appointment.professional_id, appointment.start, appointment.end),
        appointment_id=charge.appointment_id,
        service_id=charge.service_id,
        contact=appointment.contact,
        patient_id=appointment.patient_id,
    )
