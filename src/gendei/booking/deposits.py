"""Deposits of appointments: what is asked for a booking, and what becomes of the charge when its appointment changes.

The charge goes with its appointment in the commit that changes either. It keeps the terms that the patient agreed to,
whatever the clinic asks of others later. What money does to an appointment is in `deposit_money`.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from gendei.booking.appointment import BY_DEPOSIT, BY_PATIENT, Appointment, AppointmentStatus
from gendei.clock import instant
from gendei.documents import Transaction
from gendei.payments.money_ledger import EntryKind, asked_for
from gendei.payments.pix_charge import CHARGE, PixCharge, charge_path, refund_all

LATE_CANCEL, NO_SHOW = "cancelled later than agreed", "did not come"
"""Notes of what was kept."""
_PATIENT = "patient"
_S = AppointmentStatus


@dataclass(frozen=True, slots=True)
class DepositTerms:
    """What is asked for one booking. refund_before: how long before the appointment a cancellation is still refunded.
    agreed: what the patient read of it, word by word; description: what the payer reads at the bank."""

    provider: str
    cents: int
    pay_within: timedelta
    refund_before: timedelta
    agreed: str = ""
    description: str = ""

    def __post_init__(self) -> None:
        if self.cents < 1 or self.pay_within <= timedelta(0):
            raise ValueError("a deposit is of at least a centavo, and there is time to pay it")

    @property
    def key(self) -> str:
        """The same for the same terms, in whatever words."""
        return f"{self.provider}|{self.cents}|{self.pay_within}|{self.refund_before}"

    def pay_until(self, start: datetime, now: datetime) -> datetime:
        """The end of the time to pay, of an appointment that begins at `start`."""
        return min(now + self.pay_within, start, key=instant)

    def refund_until(self, start: datetime) -> datetime:
        """Until when a cancellation is refunded; it may be over when it is booked."""
        return start - self.refund_before


def begin_charge(transaction: Transaction, appointment: Appointment, terms: DepositTerms, now: datetime) -> None:
    """Put the charge of a new appointment, which names it, into its commit."""
    charge = PixCharge(
        id=appointment.charge_id,
        clinic_id=appointment.clinic_id,
        appointment_id=appointment.id,
        contact=appointment.contact,
        patient_id=appointment.patient_id,
        professional_id=appointment.professional_id,
        service_id=appointment.service_id,
        provider=terms.provider,
        created_at=now,
        pay_until=terms.pay_until(appointment.start, now),
        refund_until=terms.refund_until(appointment.start),
        agreed=terms.agreed,
        description=terms.description,
        entries=asked_for(terms.cents, now, _PATIENT).entries,
        due_at=now,
    )
    transaction.create(charge.path, CHARGE.write(charge))


async def settle(transaction: Transaction, before: Appointment, after: Appointment, cause: str, now: datetime) -> None:
    """Let the charge follow a change of its appointment, in the same commit. cause: who made it, BY_PATIENT or as the
    ledger names staff."""
    if not after.charge_id or after.history == before.history:
        return
    path = charge_path(after.clinic_id, after.charge_id)
    charge = CHARGE.found(await transaction.get(path), id=after.charge_id, clinic_id=after.clinic_id)
    if charge is None:
        transaction.delete(path)  # it was read, and is not there
        return
    transaction.put(path, CHARGE.write(followed(charge, before, after, cause, now)))


def followed(charge: PixCharge, before: Appointment, after: Appointment, cause: str, now: datetime) -> PixCharge:
    """The charge after its appointment was moved, cancelled, missed, or confirmed without it. cause: as in `settle`."""
    if after.id != charge.appointment_id:  # it was booked again under another id
        return charge
    moved = (before.professional_id, instant(before.start)) != (after.professional_id, instant(after.start))
    if moved:
        return _moved(charge, before, after, cause, now)
    if after.status is before.status:
        return charge
    if after.status is _S.CANCELLED:
        return given_up(charge, cause, now)
    if after.status is _S.NO_SHOW:
        return _kept(charge, cause, now, NO_SHOW)
    if before.status is _S.PENDING and charge.ledger.is_asking:  # staff do without it
        left = charge.ledger.asked - charge.ledger.received
        return replace(charge.with_entry(EntryKind.WAIVED, left, now, cause), due_at=now)
    return charge


def given_up(charge: PixCharge, cause: str, now: datetime) -> PixCharge:
    """The charge of an appointment that is cancelled: it is to be paid no more, and what was paid goes back, unless the
    patient cancels later than was agreed."""
    ended = replace(charge, pay_until=min(charge.pay_until, now), due_at=now) if charge.ledger.is_asking else charge
    if is_refunded(charge, cause, now):
        return replace(refund_all(ended, now, cause), due_at=now)
    return _kept(ended, cause, now, LATE_CANCEL)


def is_refunded(charge: PixCharge, cause: str, now: datetime) -> bool:
    """Whether a cancellation gives the deposit back: where the clinic cancels, always."""
    return cause != BY_PATIENT or charge.refund_until is None or now <= charge.refund_until


def _kept(charge: PixCharge, cause: str, now: datetime, note: str) -> PixCharge:
    """What was paid in full stays the clinic's; a part of it goes back, since nothing was agreed for a part."""
    cents = charge.ledger.held - charge.pending_refunds
    if cents < 1:
        return charge
    if charge.ledger.is_asking:
        return replace(refund_all(charge, now, cause), due_at=now)
    return charge.with_entry(EntryKind.KEPT, cents, now, cause, note=note)


def _moved(charge: PixCharge, before: Appointment, after: Appointment, cause: str, now: datetime) -> PixCharge:
    """It goes along. The last moment of a refund stays as far before the appointment as it was; where a patient moves
    when it is over, it stays over."""
    until = charge.refund_until
    if until is not None and (cause != BY_PATIENT or now <= until):
        until += instant(after.start) - instant(before.start)
    pay_until = min(charge.pay_until, after.start, key=instant)
    sooner = pay_until != charge.pay_until
    return replace(
        charge,
        professional_id=after.professional_id,
        refund_until=until,
        pay_until=pay_until,
        due_at=now if sooner and charge.ledger.is_asking else charge.due_at,
    )


def is_unpaid(appointment: Appointment) -> bool:
    """Whether its time was given back since the deposit was not paid in time."""
    return appointment.status is _S.CANCELLED and appointment.history[-1].by == BY_DEPOSIT
