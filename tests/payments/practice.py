"""A practice with one professional, whose appointments wait for their deposits at a stand-in of a bank."""

from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import pairwise

from tests.journeys.town import SAO_PAULO, clinics
from tests.payments.till import CENTS, MAKERS, SETTINGS, Hands

from gendei.booking.agenda import PAGE
from gendei.booking.appointment import APPOINTMENT, Appointment
from gendei.booking.deposit_money import DepositMoney
from gendei.booking.deposits import DepositTerms
from gendei.booking.desk import BookingDesk
from gendei.booking.slots import BookingRefused
from gendei.booking.visits import BookingRequest
from gendei.clinic import Clinic, ClinicId, Contact
from gendei.documents import Documents, Query
from gendei.payments.collecting import Collector
from gendei.payments.money_ledger import ChargeState, EntryKind
from gendei.payments.pix_charge import CHARGE, PixCharge
from gendei.payments.provider import PaymentAccount
from gendei.providers.stand_in.pix_bank import PixBank, RefundOutcome

MARIA, JOAO = Contact("+5511999990001"), Contact("+5511999990002")
NOW = datetime(2026, 11, 23, 9, tzinfo=SAO_PAULO)
TIMES = tuple(datetime(2026, 11, 25, hour, tzinfo=SAO_PAULO) for hour in (14, 15))
"""Both are refunded until a day before."""
TERMS = DepositTerms("pix_api", CENTS, timedelta(minutes=30), timedelta(hours=24), agreed="Sinal de R$ 50,00.")
STAFF = "ana"


class OneClinic:
    """The clinics that there are: one."""

    def __init__(self, clinic: Clinic) -> None:
        self.clinic = clinic

    async def get(self, clinic_id: ClinicId) -> Clinic | None:
        return self.clinic if clinic_id == self.clinic.id else None

    def all(self) -> tuple[Clinic, ...]:
        return (self.clinic,)

    async def by_channel(self, provider: str, external_id: str) -> Clinic | None:
        return None


@dataclass
class Practice:
    documents: Documents
    provider: str = "pix_api"
    clock: Hands = field(default_factory=lambda: Hands(NOW))

    def __post_init__(self) -> None:
        self.clinic = clinics()[0]
        self.bank = PixBank(self.clock)
        self.providers = {name: make(self.bank) for name, make in MAKERS.items()}
        self.open(self.documents)

    def open(self, documents: Documents) -> None:
        """As a process that works on this store."""
        self.desk = BookingDesk(documents, self.clock)
        money = DepositMoney(OneClinic(self.clinic), lambda _transaction, _events: None)
        self.collector = Collector(documents, self.clock, self.providers, self._account, money)

    def _account(self, clinic_id: ClinicId, provider: str) -> PaymentAccount:
        return PaymentAccount(clinic_id, provider, SETTINGS)

    async def book(self, contact: Contact, at: datetime, terms: DepositTerms = TERMS) -> Appointment:
        asked = replace(terms, provider=self.provider)
        request = BookingRequest("limpeza", "paula", at, "Maria Silva", deposit=asked)
        return await self.desk.book(self.clinic, contact, request)

    async def appointments(self) -> list[Appointment]:
        found = await self.documents.query(Query(f"gendei_clinics/{self.clinic.id}/appointments"))
        return [APPOINTMENT.read(each.data, zone=self.clinic.timezone) for each in found]

    async def charges(self) -> list[PixCharge]:
        found = await self.documents.query(Query(f"gendei_clinics/{self.clinic.id}/charges"))
        return [CHARGE.read(each.data, id=each.id, clinic_id=self.clinic.id) for each in found]

    async def look(self) -> None:
        """At every charge."""
        for charge in await self.charges():
            await self.collector.see_to(self.clinic.id, charge.id)

    async def settle(self) -> None:
        """Until nothing is to be done any more, with a bank that is well."""
        self.bank.faults.clear()
        self.bank.refund_outcome = RefundOutcome.DONE
        self.bank.settle_refunds()
        for _ in range(400):
            dues = [charge.due_at for charge in await self.charges() if charge.due_at is not None]
            if not dues:
                return
            self.clock.now = max(self.clock.now, min(dues))
            for clinic_id, charge_id in await self.collector.due():
                await self.collector.see_to(clinic_id, charge_id)
        raise AssertionError("something is looked at without an end")

    async def close(self) -> None:
        for provider in self.providers.values():
            await provider.close()

    async def require_in_order(self) -> None:
        """No confirmed appointment without its money or a waiver, no money without an appointment or a refund, sums
        that are the bank's, and no two appointments at one time."""
        charges, appointments = {each.id: each for each in await self.charges()}, await self.appointments()
        for charge in charges.values():
            assert charge.state is not ChargeState.OPEN
            [own] = [each for each in appointments if each.id == charge.appointment_id]
            live = [each for each in appointments if each.charge_id == charge.id and each.status.live]
            assert len(live) <= 1
            left = charge.ledger.held - charge.pending_refunds
            assert left == 0 or (own.status.live and not own.awaits_deposit and left <= charge.ledger.asked)
            if own.status.live:
                assert not own.awaits_deposit
                given_back = any(e.kind is EntryKind.REFUNDED and e.cause == STAFF for e in charge.entries)
                came = charge.ledger.received - charge.ledger.refunded >= charge.ledger.asked
                assert came or charge.ledger.is_waived or given_back
        assert self._came(list(charges.values())) == self.bank.balance
        busy = sorted(each.interval for each in appointments if each.status.takes_time)
        assert all(first[1] <= then[0] for first, then in pairwise(busy))
        pages = await self.documents.query(Query(f"gendei_clinics/{self.clinic.id}/agenda"))
        taken = {key for page in pages for key in (PAGE.read(page.data).taken if page.data else {})}
        assert taken == {each.id for each in appointments if each.status.takes_time}

    @staticmethod
    def _came(charges: list[PixCharge]) -> int:
        """What came through the bank and did not go back through it, by the ledgers."""
        hands = {e.reference for charge in charges for e in charge.entries if e.reference.startswith("hand:")}
        return sum(
            (e.kind is EntryKind.RECEIVED and e.reference not in hands) * e.cents
            - (e.kind is EntryKind.REFUNDED and e.of not in hands) * e.cents
            for charge in charges
            for e in charge.entries
        )


async def attempted(practice: Practice, contact: Contact, at: datetime) -> None:
    """A booking, where the time is free."""
    with suppress(BookingRefused):
        await practice.book(contact, at)
