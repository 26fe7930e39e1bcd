"""POST /webhooks/payments/...: a hint to look, from whoever knows the clinic's own address, and never a proof."""

import json
import logging
from datetime import timedelta

import pytest
from tests.journeys.town import AURORA, BROMELIA
from tests.payments.paying_clinics import PayingClinics, paying_clinics

from gendei.clinic import ClinicId
from gendei.payments.money_ledger import ChargeState
from gendei.payments.pix_charge import PixCharge
from gendei.providers.stand_in.pix_faces import signed_notification
from gendei.web.payment_webhook import MAX_BODY


@pytest.fixture
async def town(tmp_path):
    async with paying_clinics(tmp_path) as town:
        yield town


def address(town: PayingClinics, provider: str = "pix_api", clinic: ClinicId = AURORA) -> str:
    return town.gendei.payments.accounts.webhook_address(clinic, provider)


def told(charge: PixCharge) -> bytes:
    return json.dumps({"pix": [{"txid": charge.id, "endToEndId": "E1", "valor": "50.00"}]}).encode()


async def post(town: PayingClinics, path: str, body: bytes, **more) -> int:
    return (await town.client.post(path, content=body, **more)).status_code


async def test_a_bank_s_word_makes_us_look_and_nothing_of_it_is_believed(town):
    charge = await town.shown()
    asked = list(town.bank.asked)
    assert await post(town, f"{address(town)}/pix", told(charge)) == 200
    await town.gendei.payments.work.idle()
    assert (await town.stands(charge)).state is ChargeState.OPEN
    assert town.bank.asked[len(asked) :] == [f"GET /v2/cob/{charge.id}"]
    town.bank.pay(charge.code)
    for _ in range(3):
        assert await post(town, address(town), told(charge)) == 200
        await town.gendei.payments.work.idle()
    paid = await town.stands(charge)
    assert (paid.state, len(paid.entries)) == (ChargeState.PAID, 2)


async def test_mercado_pago_s_signature_is_checked(town):
    charge = await town.shown("mercado_pago")
    town.bank.pay(charge.code)
    path = address(town, "mercado_pago")
    for secret, status, state in [("guessed", 401, ChargeState.OPEN), (None, 200, ChargeState.PAID)]:
        given = {"secret": secret} if secret else {}
        headers, query = signed_notification(int(charge.reference), **given)
        body = json.dumps({"type": "payment", "data": {"id": charge.reference}}).encode()
        assert await post(town, path, body, headers=headers, params=query) == status
        await town.gendei.payments.work.idle()
        assert (await town.stands(charge)).state is state


async def test_who_does_not_know_the_address_changes_nothing_and_learns_nothing(town):
    charge = await town.shown()
    town.bank.pay(charge.code)
    asked, theirs = list(town.bank.asked), address(town, clinic=BROMELIA)
    wrong = [
        address(town)[:-1] + "x",
        address(town).replace("pix_api", "mercado_pago"),
        address(town).replace(str(AURORA), str(BROMELIA)),
        address(town).replace(str(AURORA), "nobody"),
        address(town).replace("pix_api", "paypal"),
    ]
    assert [await post(town, path, told(charge)) for path in wrong] == [401] * len(wrong)
    assert await post(town, theirs, told(charge)) == 200
    await town.gendei.payments.work.idle()
    assert (await town.stands(charge), town.bank.asked) == (charge, asked)


NOTHING = [b"", b"{", b"[]", b'{"pix": 1}', b'{"pix": [{"txid": "../x"}]}', b'{"pix": [{}]}', b"\xff" * 99]


async def test_what_says_nothing_is_taken_and_asks_nobody(town):
    asked = list(town.bank.asked)
    assert [await post(town, address(town), body) for body in NOTHING] == [200] * len(NOTHING)
    await town.gendei.payments.work.idle()
    assert town.bank.asked == asked


async def test_a_huge_body_is_refused_and_nothing_is_noted(town):
    charge = await town.shown()
    assert await post(town, address(town), told(charge) + b" " * MAX_BODY) == 413
    assert await town.stands(charge) == charge


async def test_a_lost_webhook_is_no_harm(town):
    charge = await town.shown()
    town.bank.pay(charge.code)
    await town.after(seconds=20)
    assert (await town.stands(charge)).state is ChargeState.PAID


async def test_the_secret_of_the_address_stands_in_no_log(town, caplog):
    with caplog.at_level(logging.DEBUG):
        await post(town, address(town), b"{}")
        await post(town, address(town)[:-1] + "x", b"{}")
    secret = address(town).rpartition("/")[2]
    ours = [record.getMessage() for record in caplog.records if not record.name.startswith(("httpx", "httpcore"))]
    assert [text for text in ours if secret[:20] in text] == []


async def test_each_charge_is_looked_at_by_one_of_two_processes(town):
    charge = await town.ask()
    claims = [await town.gendei.payments.collector.claim(charge) for _ in range(2)]
    assert claims == [True, False]
    await town.work()
    assert (await town.stands(charge)).code == ""
    await town.after(minutes=1, seconds=1)
    assert (await town.stands(charge)).code != ""
    assert (await town.stands(charge)).due_at <= town.clock() + timedelta(seconds=20)
