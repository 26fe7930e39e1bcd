"""A bank beside the demo, at which one of its clinics asks for deposits: the phone has a button that pays its codes."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import count

from gendei.app import Gendei
from gendei.clinic import Clinic, ClinicId
from gendei.clinics.deposits import DepositsSection
from gendei.clock import Clock
from gendei.documents import Query
from gendei.payments.money_ledger import EntryKind
from gendei.payments.pix_charge import BY_HAND, CHARGE, PixCharge, charges_of
from gendei.providers.stand_in.local_server import serve
from gendei.providers.stand_in.pix_bank import BankCharge, BankPayment, BankRefund, PixBank, RefundOutcome
from gendei.providers.stand_in.pix_faces import CLIENT_ID, CLIENT_SECRET, PixApiFace

PAYS_HERE = ClinicId("sorriso")
"""The demo's clinic that asks for deposits; the other has staff say how to pay."""
KEY = "pix@sorriso.example"


@asynccontextmanager
async def beside_bank(gendei: Gendei, clock: Clock) -> AsyncIterator[PixBank]:
    """The bank, which has what earlier runs of the demo asked it for; the clinic then asks for deposits there."""
    bank = PixBank(clock)
    numbers = count(1)
    for charge in await _stored(gendei):
        if charge.reference:
            bank.charges[charge.id] = _remembered(charge, next(numbers))
    async with serve(PixApiFace(bank).app) as url:
        clinic = await gendei.directory.get(PAYS_HERE)
        if clinic is not None:
            await gendei.directory.import_clinic(_paying(gendei, clinic, url))
        yield bank


def _paying(gendei: Gendei, clinic: Clinic, url: str) -> Clinic:
    account = {"base_url": url, "client_id": CLIENT_ID, "client_secret": CLIENT_SECRET}
    told = {"provider": "pix_api", "key": KEY, "city": "São Paulo", "pix_api": account}
    return replace(clinic, deposits=DepositsSection.model_validate(told).rules(clinic.id, gendei.secrets))


async def _stored(gendei: Gendei) -> list[PixCharge]:
    found = await gendei.documents.query(Query(charges_of(PAYS_HERE)))
    return [CHARGE.read(each.data, id=each.id, clinic_id=PAYS_HERE) for each in found]


def _remembered(charge: PixCharge, number: int) -> BankCharge:
    """As the bank had it, by what the clinic knows of it."""
    payments = [
        BankPayment(entry.reference, entry.cents, entry.at, _refunds(charge, entry.reference))
        for entry in charge.entries
        if entry.kind is EntryKind.RECEIVED and not entry.reference.startswith(BY_HAND)
    ]
    return BankCharge(
        charge.id,
        number,
        charge.ledger.asked,
        charge.code,
        charge.description,
        charge.created_at,
        charge.pay_until,
        removed=charge.closed and not payments,
        payments=payments,
    )


def _refunds(charge: PixCharge, payment: str) -> list[BankRefund]:
    back = [entry for entry in charge.entries if entry.kind is EntryKind.REFUNDED and entry.of == payment]
    return [BankRefund(each.reference, 0, each.cents, each.at, RefundOutcome.DONE) for each in back]
