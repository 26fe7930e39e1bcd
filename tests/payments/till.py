"""A clinic that collects by a stand-in of a payment provider, and a clock that is put forward by hand."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import httpx

from gendei.clinic import ClinicId, Contact
from gendei.documents import Documents, transact
from gendei.payments.collecting import Collector
from gendei.payments.money_ledger import asked_for
from gendei.payments.pix_charge import PixCharge
from gendei.payments.provider import PaymentAccount, PaymentProvider
from gendei.providers.payments.manual_pix import ManualPix
from gendei.providers.payments.mercado_pago import MercadoPago
from gendei.providers.payments.pix_api import PixApi
from gendei.providers.stand_in.pix_bank import PixBank, RefundOutcome
from gendei.providers.stand_in.pix_faces import (
    ACCESS_TOKEN,
    CLIENT_ID,
    CLIENT_SECRET,
    WEBHOOK_SECRET,
    MercadoPagoFace,
    PixApiFace,
)

BEGIN = datetime(2026, 3, 2, 12, tzinfo=UTC)
HERE, THERE = ClinicId("boa-vida"), ClinicId("sorriso")
CREDENTIALS = {
    "access_token": ACCESS_TOKEN,
    "webhook_secret": WEBHOOK_SECRET,
    "client_id": CLIENT_ID,
    "client_secret": CLIENT_SECRET,
}
SETTINGS = {
    "base_url": "https://bank.test",
    "key": "pix@clinica.example",
    "payer_email": "pix@clinica.example",
    "merchant_name": "Clínica Boa Vida",
    "city": "São Paulo",
}
CENTS = 5000


@dataclass
class Hands:
    """A clock."""

    now: datetime = BEGIN

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **by: float) -> None:
        self.now += timedelta(**by)


def credential(_account: PaymentAccount, name: str) -> str:
    return CREDENTIALS[name]


def mercado_pago(bank: PixBank) -> PaymentProvider:
    client = httpx.AsyncClient(transport=httpx.ASGITransport(MercadoPagoFace(bank).app))
    return MercadoPago(client, "https://mercadopago.test", credential)


def pix_api(bank: PixBank) -> PaymentProvider:
    client = httpx.AsyncClient(transport=httpx.ASGITransport(PixApiFace(bank).app))
    return PixApi(lambda _account: client, credential, bank.clock)


MAKERS: dict[str, Callable[[PixBank], PaymentProvider]] = {"mercado_pago": mercado_pago, "pix_api": pix_api}


@dataclass
class Till:
    """provider: "mercado_pago", "pix_api" or "manual". first_id: of several at one store, each has its own."""

    documents: Documents
    provider: str = "pix_api"
    clock: Hands = field(default_factory=Hands)
    first_id: int = 7

    def __post_init__(self) -> None:
        self.bank = PixBank(self.clock)
        made = {name: make(self.bank) for name, make in MAKERS.items()}
        self.providers: dict[str, PaymentProvider] = {**made, "manual": ManualPix()}
        self.collector = Collector(self.documents, self.clock, self.providers, self.account)
        self._chance = random.Random(self.first_id)

    def account(self, clinic_id: ClinicId = HERE, provider: str = "") -> PaymentAccount:
        return PaymentAccount(clinic_id, provider or self.provider, SETTINGS)

    async def ask(self, *, minutes: float = 30, cents: int = CENTS, clinic: ClinicId = HERE) -> PixCharge:
        """A charge that was begun, and that nobody has looked at."""
        charge = PixCharge(
            id=f"{self._chance.getrandbits(128):032x}",
            clinic_id=clinic,
            appointment_id="a1",
            contact=Contact("+5511999990001"),
            patient_id="maria",
            professional_id="ana",
            service_id="consulta",
            provider=self.provider,
            created_at=self.clock(),
            pay_until=self.clock() + timedelta(minutes=minutes),
            refund_until=self.clock() + timedelta(days=1),
            agreed="Sinal de R$ 50,00, devolvido até 24 h antes.",
            description="Sinal da consulta",
            entries=asked_for(cents, self.clock(), "patient").entries,
        )

        async def attempt(transaction):
            self.collector.begin(transaction, charge)

        await transact(self.documents, attempt)
        return charge

    async def shown(self, **how: float) -> PixCharge:
        """A charge whose code the patient has."""
        charge = await self.ask(**how)
        return await self.look(charge)

    async def look(self, charge: PixCharge) -> PixCharge:
        return await self.collector.see_to(charge.clinic_id, charge.id)

    async def work(self) -> None:
        """All that is due."""
        for clinic_id, charge_id in await self.collector.due():
            await self.collector.see_to(clinic_id, charge_id)

    async def run(self, *, hours: float) -> None:
        """Let time pass, and do each thing when it is due."""
        end = self.clock() + timedelta(hours=hours)
        while self.clock() < end:
            await self.work()
            self.clock.forward(minutes=1 if hours < 2 else 10)

    async def settle(self, charge: PixCharge) -> PixCharge:
        """Until nothing is to be done any more, with a provider that is well."""
        self.bank.faults.clear()
        self.bank.refund_outcome = RefundOutcome.DONE
        self.bank.settle_refunds()
        for _ in range(200):
            stands = await self.stands(charge)
            if stands.due_at is None:
                return stands
            self.clock.now = max(self.clock.now, stands.due_at)
            await self.work()
        raise AssertionError("it is looked at without an end")

    async def stands(self, charge: PixCharge) -> PixCharge:
        return await self.collector.charge(charge.clinic_id, charge.id)
