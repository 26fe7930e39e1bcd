"""What every payment provider promises, over the real adapters and a stand-in that plays the provider, with its faults.

To add a provider, give the stand-in a face of it, and add the adapter to `tests.payments.till.MAKERS`.
"""

from dataclasses import replace
from datetime import timedelta

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from tests.payments.till import BEGIN, CENTS, HERE, MAKERS, SETTINGS, THERE, Hands, credential

from gendei.errors import SecretUnreadable
from gendei.payments.br_code import read_code
from gendei.payments.provider import (
    ChargeOrder,
    ForgedWebhook,
    FoundCharge,
    FoundStatus,
    PaymentAccount,
    PaymentProvider,
    PaymentWebhook,
    ProviderRefused,
    ProviderUnavailable,
    RefundRequest,
    RefundState,
)
from gendei.providers.payments.mercado_pago import MercadoPago
from gendei.providers.payments.mutual_tls import CertifiedClients
from gendei.providers.payments.pix_api import PixApi
from gendei.providers.stand_in.pix_bank import BankFault, PixBank, RefundOutcome
from gendei.providers.stand_in.pix_faces import WEBHOOK_SECRET, PixApiFace, signed_notification

ACCOUNT = PaymentAccount(HERE, "any", SETTINGS)
ORDER = ChargeOrder("0123456789abcdef" * 2, CENTS, BEGIN, BEGIN + timedelta(minutes=30), "Sinal da consulta")
OPEN_OUTCOMES = [BankFault.DOWN, BankFault.DONE_THEN_DOWN, BankFault.SILENT, BankFault.GARBAGE]


@pytest.fixture
def bank() -> PixBank:
    return PixBank(Hands())


@pytest.fixture(params=MAKERS)
async def provider(request: pytest.FixtureRequest, bank: PixBank):
    provider = MAKERS[request.param](bank)
    yield provider
    await provider.close()


async def found(provider: PaymentProvider) -> FoundCharge:
    charge = await provider.find(ACCOUNT, ORDER.id, "")
    assert charge is not None
    return charge


async def paid(provider: PaymentProvider, bank: PixBank) -> FoundCharge:
    bank.pay((await provider.create(ACCOUNT, ORDER)).code)
    return await found(provider)


def refund_of(charge: FoundCharge, cents: int, refund_id: str = "r1") -> RefundRequest:
    return RefundRequest(refund_id, charge.reference, charge.payments[0].id, cents)


async def test_a_charge_has_our_id_and_a_code_that_can_be_paid(provider, bank):
    made = await provider.create(ACCOUNT, ORDER)
    assert (made.id, made.status, read_code(made.code).is_dynamic) == (ORDER.id, FoundStatus.OPEN, True)
    assert {charge.cents for charge in bank.charges.values()} == {CENTS}
    assert await provider.find(ACCOUNT, "", made.reference) == made == await found(provider)


async def test_what_was_never_made_is_not_found(provider):
    assert await provider.find(ACCOUNT, ORDER.id, "") is None


async def test_a_charge_that_is_asked_for_twice_is_made_once(provider, bank):
    first, second = await provider.create(ACCOUNT, ORDER), await provider.create(ACCOUNT, ORDER)
    assert (first, len(bank.charges)) == (second, 1)


@pytest.mark.parametrize("fault", OPEN_OUTCOMES)
async def test_after_an_open_outcome_the_same_charge_is_made_or_found(provider, bank, fault):
    await provider.find(ACCOUNT, ORDER.id, "")
    bank.faults.append(fault)
    with pytest.raises(ProviderUnavailable):
        await provider.create(ACCOUNT, ORDER)
    assert ((await provider.create(ACCOUNT, ORDER)).id, len(bank.charges)) == (ORDER.id, 1)


async def test_a_refused_charge_is_not_made(provider, bank):
    bank.faults.append(BankFault.REFUSED)
    with pytest.raises(ProviderRefused) as refused:
        await provider.create(ACCOUNT, ORDER)
    assert (refused.value.of_account, bank.charges) == (False, {})


async def test_a_payment_is_told_with_its_amount_and_time(provider, bank):
    bank.clock.forward(minutes=3)
    charge = await paid(provider, bank)
    [payment] = charge.payments
    assert (charge.status, payment.cents, payment.at) == (FoundStatus.PAID, CENTS, bank.clock())


async def test_a_charge_that_was_taken_back_cannot_be_paid(provider, bank):
    made = await provider.create(ACCOUNT, ORDER)
    cancelled = await provider.cancel(ACCOUNT, ORDER.id, made.reference)
    assert (cancelled.status, cancelled.code, await found(provider)) == (FoundStatus.ENDED, "", cancelled)
    assert await provider.cancel(ACCOUNT, ORDER.id, made.reference) == cancelled


async def test_where_it_was_just_paid_taking_back_tells_so(provider, bank):
    charge = await paid(provider, bank)
    assert await provider.cancel(ACCOUNT, ORDER.id, charge.reference) == charge


@pytest.mark.parametrize("cents", [CENTS, 2000])
async def test_a_refund_of_all_or_a_part_is_done_once(provider, bank, cents):
    request = refund_of(await paid(provider, bank), cents)
    first, second = await provider.refund(ACCOUNT, request), await provider.refund(ACCOUNT, request)
    charge = await found(provider)
    assert (first.state, first.cents, first, bank.balance) == (RefundState.DONE, cents, second, CENTS - cents)
    assert (charge.status, charge.payments[0].refunds) == (FoundStatus.PAID, (first,))


@pytest.mark.parametrize("fault", OPEN_OUTCOMES)
async def test_after_an_open_outcome_a_refund_is_done_once(provider, bank, fault):
    request = refund_of(await paid(provider, bank), CENTS)
    bank.faults.append(fault)
    with pytest.raises(ProviderUnavailable):
        await provider.refund(ACCOUNT, request)
    assert ((await provider.refund(ACCOUNT, request)).state, bank.balance) == (RefundState.DONE, 0)


async def test_a_refund_in_progress_is_told_and_then_its_end(provider, bank):
    bank.refund_outcome = RefundOutcome.IN_PROGRESS
    refund = await provider.refund(ACCOUNT, refund_of(await paid(provider, bank), CENTS))
    bank.settle_refunds()
    after = (await found(provider)).payments[0].refunds
    assert (refund.state, [(each.reference, each.state) for each in after]) == (
        RefundState.IN_PROGRESS,
        [(refund.reference, RefundState.DONE)],
    )


async def test_more_than_came_does_not_go_back(provider, bank):
    charge = await paid(provider, bank)
    await provider.refund(ACCOUNT, refund_of(charge, 3000))
    with pytest.raises(ProviderRefused):
        await provider.refund(ACCOUNT, refund_of(charge, 3000, "r2"))
    assert bank.balance == 2000


async def test_all_charges_of_a_time_are_listed_page_after_page(provider, bank):
    for number in range(105):
        bank.make(f"{number:032x}", CENTS, "", BEGIN + timedelta(hours=1))
    bank.clock.forward(hours=2)
    await provider.create(ACCOUNT, replace(ORDER, created_at=bank.clock(), pay_until=bank.clock() + timedelta(hours=1)))
    listed = await provider.created_between(ACCOUNT, BEGIN, BEGIN + timedelta(hours=1))
    assert [charge.id for charge in listed] == [f"{number:032x}" for number in range(105)]


@pytest.mark.parametrize(
    ("status", "error"),
    [(500, ProviderUnavailable), (429, ProviderUnavailable), (401, ProviderRefused), (302, ProviderRefused)],
)
@pytest.mark.parametrize("make", ["mercado_pago", "pix_api"])
async def test_an_answer_that_is_none_is_told_without_a_secret(status, error, make):
    answer = httpx.Response(status, headers={"Location": "https://elsewhere.test", "Retry-After": "7"}, text="5299822")
    client = httpx.AsyncClient(transport=httpx.MockTransport(lambda _request: answer))
    made = {
        "mercado_pago": lambda: MercadoPago(client, "https://bank.test", credential),
        "pix_api": lambda: PixApi(lambda _account: client, credential, Hands()),
    }[make]()
    with pytest.raises(error) as problem:
        await made.create(ACCOUNT, ORDER)
    assert [
        secret for secret in ("5299822", "token-of", "bank.test", "elsewhere") if secret in str(problem.value)
    ] == []
    assert getattr(problem.value, "of_account", True)
    await made.close()


async def test_a_credential_that_cannot_be_read_is_a_refusal_of_the_account(bank):
    def unreadable(_account: PaymentAccount, _name: str) -> str:
        raise SecretUnreadable

    client = httpx.AsyncClient()
    for provider in (
        MercadoPago(client, "https://x.test", unreadable),
        PixApi(CertifiedClients(unreadable), unreadable, bank.clock),
    ):
        with pytest.raises(ProviderRefused) as refused:
            await provider.create(ACCOUNT, ORDER)
        assert refused.value.of_account
    await client.aclose()


async def test_a_token_that_is_not_taken_any_more_is_renewed(bank):
    face = PixApiFace(bank)
    client = httpx.AsyncClient(transport=httpx.ASGITransport(face.app))
    provider = PixApi(lambda _account: client, credential, bank.clock)
    await provider.create(ACCOUNT, ORDER)
    face.tokens.clear()
    assert (await found(provider)).status is FoundStatus.OPEN
    await client.aclose()


def certificate(name: str) -> str:
    """One that somebody made for themselves, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    who = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    made = x509.CertificateBuilder(who, who, key.public_key(), x509.random_serial_number(), BEGIN, BEGIN)
    signed = made.sign(key, SHA256()).public_bytes(Encoding.PEM)
    plain = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return (signed + plain).decode()


async def test_each_account_shows_its_own_certificate_and_keeps_its_client():
    pems = {HERE: certificate("here"), THERE: certificate("there")}
    clients = CertifiedClients(lambda account, _name: pems[account.clinic_id])
    accounts = [replace(ACCOUNT, clinic_id=clinic) for clinic in (HERE, THERE)]
    here, there = (clients(account) for account in accounts)
    assert (here is there, clients(accounts[0]) is here) == (False, True)
    for client in (here, there):
        await client.aclose()


async def test_what_is_no_certificate_is_a_refusal_of_the_account(bank):
    provider = PixApi(CertifiedClients(lambda _account, _name: "no certificate"), credential, bank.clock)
    with pytest.raises(ProviderRefused) as refused:
        await provider.create(ACCOUNT, ORDER)
    assert refused.value.of_account


# Webhooks


def notification(headers: dict[str, str], query: dict[str, str], body: bytes = b"{}") -> PaymentWebhook:
    return PaymentWebhook(headers, query, body, BEGIN)


def test_a_notification_of_mercado_pago_is_a_hint_where_its_signature_fits():
    provider = MercadoPago(httpx.AsyncClient(), "https://x.test", credential)
    headers, query = signed_notification(123)
    assert provider.hinted(ACCOUNT, notification(headers, query)) == ("123",)
    assert provider.hinted(ACCOUNT, notification(headers, query | {"type": "plan"})) == ()


@pytest.mark.parametrize(
    ("headers", "query"),
    [
        ({}, {"data.id": "123", "type": "payment"}),
        (signed_notification(123, secret="another")[0], signed_notification(123)[1]),
        (signed_notification(124)[0], signed_notification(123)[1]),
        (signed_notification(123)[0] | {"x-request-id": "other"}, signed_notification(123)[1]),
        ({"x-signature": "ts=,v1="}, {"data.id": "123"}),
        ({"x-signature": "ts=1,v1=é"}, {"data.id": "123"}),
        (signed_notification(123)[0], {"type": "payment"}),
    ],
)
def test_a_forged_notification_of_mercado_pago_is_no_hint(headers, query):
    with pytest.raises(ForgedWebhook):
        MercadoPago(httpx.AsyncClient(), "https://x.test", credential).hinted(ACCOUNT, notification(headers, query))


def test_a_bank_tells_the_charges_that_were_paid_by_the_secret_of_its_address():
    provider = PixApi(lambda _account: httpx.AsyncClient(), credential, Hands())
    body = f'{{"pix": [{{"txid": "{ORDER.id}"}}, {{"txid": "../x"}}, {{"txid": "{ORDER.id}"}}, 3]}}'.encode()
    assert provider.hinted(ACCOUNT, notification({}, {"secret": WEBHOOK_SECRET}, body)) == (ORDER.id,)
    for junk in (b"", b"[]", b"null", b'{"pix": 3}', b"[" * 5000):
        assert provider.hinted(ACCOUNT, notification({}, {"secret": WEBHOOK_SECRET}, junk)) == ()
    for query in ({}, {"secret": ""}, {"secret": "sé"}):
        with pytest.raises(ForgedWebhook):
            provider.hinted(ACCOUNT, notification({}, query, body))


async def test_each_account_asks_with_its_own_token(bank):
    asked = []

    def own(account: PaymentAccount, name: str) -> str:
        asked.append((account.clinic_id, name))
        return credential(account, name)

    client = httpx.AsyncClient(transport=httpx.ASGITransport(PixApiFace(bank).app))
    provider = PixApi(lambda _account: client, own, bank.clock)
    await provider.find(ACCOUNT, ORDER.id, "")
    await provider.find(replace(ACCOUNT, clinic_id=THERE), ORDER.id, "")
    assert asked == [(clinic, name) for clinic in (HERE, THERE) for name in ("client_id", "client_secret")]
    await client.aclose()
