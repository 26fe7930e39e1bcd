"""Deposits for who manages the clinic: seen with their sums, waived, refunded, said to be paid, looked at again.

What changes money asks a person in a browser for the second factor, and stands in the audit in the commit of the
change.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Annotated

from gendei.booking.patients import patients_of
from gendei.clinic import Clinic
from gendei.datafile import Text
from gendei.documents import Documents, Query, document_id
from gendei.errors import GendeiError
from gendei.messages.channels import Clinics
from gendei.payments.collecting import Beside, Collector
from gendei.payments.money_ledger import LedgerRefused
from gendei.payments.pix_charge import CHARGE, PixCharge, charges_of
from gendei.payments.reconciliation import last_reconciliations
from gendei.staff.access.users import USER, USERS
from gendei.staff.actors import Actor, Right, clinic_of
from gendei.staff.audit import Action, audit_write, days_within
from gendei.staff.clinic_changes.changes import ClinicChanges
from gendei.staff.payments.payment_book import PaymentBook
from gendei.texts import Catalogue, Each, read_texts

PAGE = 200
MOST_DAYS = 366


class PaymentFault(StrEnum):
    """Why nothing was done."""

    NOTHING_ASKED = "nothing_asked"
    NOT_THERE = "not_there"
    TOO_MANY_DAYS = "too_many_days"
    DAYS_OUT_OF_ORDER = "days_out_of_order"


class PaymentTexts(Catalogue):
    file_name = "payment_texts.yaml"
    refusals: Annotated[dict[str, Text], Each(PaymentFault)]


class PaymentRefused(GendeiError):
    """Nothing was changed. Do what the sentence for staff says."""

    def __init__(self, reason: PaymentFault) -> None:
        self.reason, self.text = reason, payment_texts().refusals[reason]
        super().__init__(str(reason))


@cache
def payment_texts() -> PaymentTexts:
    """Those that come with the product."""
    return read_texts(Path(__file__).with_name(PaymentTexts.file_name), PaymentTexts)


@dataclass(frozen=True)
class PaymentOffice:
    """Every call is about the actor's clinic; a charge of another one is NotFound. All raise Forbidden without the
    right to manage the clinic, but for what an appointment's sheet shows."""

    documents: Documents
    clinics: Clinics
    collector: Collector
    changes: ClinicChanges

    async def book(self, actor: Actor, first: date | None = None, last: date | None = None) -> PaymentBook:
        """What came and went from the first to the last day, both included; left out, in the present month so far.
        Raises PaymentRefused for more than MOST_DAYS."""
        actor.require(Right.MANAGE)
        clinic = await clinic_of(self.clinics, actor)
        today = clinic.local(self.collector.clock()).date()
        last = last or max(today, first or today)
        first = first or last.replace(day=1)
        if first > last:
            raise PaymentRefused(PaymentFault.DAYS_OUT_OF_ORDER)
        if last - first >= timedelta(days=MOST_DAYS):
            raise PaymentRefused(PaymentFault.TOO_MANY_DAYS)
        since, until = days_within(first, last, clinic.timezone)
        charges = [charge for charge in await self._changed_since(clinic, since) if _has_entry(charge, since, until)]
        patients = await self._patients(clinic, charges)
        people = await self._people(clinic)
        compared = tuple(await last_reconciliations(self.documents, clinic.id))
        return PaymentBook(clinic, first, last, tuple(charges), patients, people, compared)

    async def one(self, actor: Actor, charge_id: str) -> PixCharge:
        actor.require(Right.MANAGE)
        return await self.collector.charge(actor.clinic_id, charge_id)

    async def of_appointment(self, actor: Actor, appointment_id: str) -> Sequence[PixCharge]:
        """For everybody who reads the agenda; the newest first."""
        actor.require(Right.READ)
        query = Query(charges_of(actor.clinic_id), (("appointmentId", "==", appointment_id),))
        found = [
            CHARGE.read(each.data, id=each.id, clinic_id=actor.clinic_id) for each in await self.documents.query(query)
        ]
        return sorted(found, key=lambda charge: charge.created_at, reverse=True)

    async def waive(self, actor: Actor, charge_id: str, note: str) -> PixCharge:
        """Do without what is still asked. Raises PaymentRefused."""
        beside = self._audited(actor, Action.PAYMENT_WAIVED, charge_id)
        return await self._changing(
            actor,
            PaymentFault.NOTHING_ASKED,
            lambda: self.collector.waive(actor.clinic_id, charge_id, actor.user_id, note, beside),
        )

    async def receive(self, actor: Actor, charge_id: str, note: str, cents: int | None = None) -> PixCharge:
        """It was paid otherwise: all that is still asked, or so much. Raises PaymentRefused."""
        beside = self._audited(actor, Action.PAYMENT_RECEIVED, charge_id, cents=cents)
        return await self._changing(
            actor,
            PaymentFault.NOTHING_ASKED,
            lambda: self.collector.received_by_hand(actor.clinic_id, charge_id, actor.user_id, note, cents, beside),
        )

    async def refund(self, actor: Actor, charge_id: str, cents: int | None = None) -> PixCharge:
        """Give back all that is held, or so much, also of what was kept. Raises PaymentRefused."""
        beside = self._audited(actor, Action.PAYMENT_REFUNDED, charge_id, cents=cents)
        return await self._changing(
            actor,
            PaymentFault.NOT_THERE,
            lambda: self.collector.refund(actor.clinic_id, charge_id, actor.user_id, cents, beside),
        )

    async def refunded(self, actor: Actor, charge_id: str, order_id: str) -> PixCharge:
        """What staff were to give back by hand, they gave back."""
        beside = self._audited(actor, Action.PAYMENT_REFUNDED, charge_id, order=order_id)
        return await self._changing(
            actor,
            PaymentFault.NOT_THERE,
            lambda: self.collector.refunded_by_hand(actor.clinic_id, charge_id, order_id, actor.user_id, beside),
        )

    async def look(self, actor: Actor, charge_id: str) -> PixCharge:
        """Let the provider be asked at once; what it says is entered by whoever looks after charges."""
        actor.require(Right.MANAGE)
        return await self.collector.look_soon(actor.clinic_id, charge_id)

    def _audited(self, actor: Actor, action: Action, charge_id: str, **detail: object) -> Beside:
        known = {name: value for name, value in detail.items() if value is not None}
        return (audit_write(actor, action, charge_id, self.collector.clock(), **known),)

    async def _changing(self, actor: Actor, fault: PaymentFault, act: Callable[[], Awaitable[PixCharge]]) -> PixCharge:
        actor.require(Right.MANAGE)
        self.changes.require_proven(actor)
        try:
            return await act()
        except LedgerRefused:
            raise PaymentRefused(fault) from None

    async def _changed_since(self, clinic: Clinic, since: datetime | None) -> list[PixCharge]:
        """A charge with an entry in some days has its last one then or later."""
        query = Query(charges_of(clinic.id), (("lastEntryAt", ">=", since),), (("lastEntryAt", True),), limit=PAGE)
        charges: list[PixCharge] = []
        while page := await self.documents.query(query):
            charges += [CHARGE.read(each.data, id=each.id, clinic_id=clinic.id) for each in page]
            if len(page) < PAGE:
                break
            query = query.after(page[-1])
        return charges

    async def _patients(self, clinic: Clinic, charges: Sequence[PixCharge]) -> dict[str, str]:
        ids = sorted({charge.patient_id for charge in charges})
        found = await self.documents.get_many([f"{patients_of(clinic.id)}/{document_id(each)}" for each in ids])
        return {each.id: str(each.data.get("name") or "") for each in found if each.data}

    async def _people(self, clinic: Clinic) -> dict[str, str]:
        found = await self.documents.query(Query(USERS, where=(("clinicId", "==", clinic.id),)))
        return {user.id: user.name for each in found if (user := USER.found(each))}


def _has_entry(charge: PixCharge, since: datetime | None, until: datetime | None) -> bool:
    return any((since is None or e.at >= since) and (until is None or e.at < until) for e in charge.entries)
