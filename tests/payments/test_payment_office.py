"""What staff see of deposits and do about them, by the API: each in the audit, and nothing of it another clinic's."""

from dataclasses import replace

import pytest
from tests.journeys.town import AURORA, BROMELIA
from tests.payments.paying_clinics import CENTS, MARIA, PayingClinics, paying_clinics
from tests.web.api.conftest import bearer, gestor

from gendei.booking.visits import BookingRequest
from gendei.documents import Query
from gendei.payments.money_ledger import ChargeState
from gendei.payments.pix_charge import CHARGE, PixCharge
from gendei.providers.stand_in.pix_bank import RefundOutcome
from gendei.staff.actors import Right, SecondFactor
from gendei.staff.clinic_changes.refusing import ChangeRefused
from gendei.staff.patient_data import Whose
from gendei.staff.payments.payment_office import PaymentOffice

RIGHTS = Right.READ, Right.WRITE, Right.MANAGE


@pytest.fixture
async def town(tmp_path):
    async with paying_clinics(tmp_path) as town:
        yield town


async def asked(town: PayingClinics, method: str, path: str, *rights: Right, clinic=AURORA, **body):
    headers = await bearer(town.gendei, clinic, *(rights or RIGHTS))
    given = {"json": body} if body else {}
    return await town.client.request(method, f"/api/v1/payments{path}", headers=headers, **given)


async def audited(town: PayingClinics, charge: PixCharge) -> list[str]:
    found = await town.gendei.documents.query(Query("gendei_clinics/aurora/audit"))
    return sorted(each.data["action"] for each in found if each.data["subject"] == charge.id)


async def test_a_deposit_is_shown_with_its_ledger_and_the_sums_of_its_days(town):
    charge = await town.paid()
    await asked(town, "POST", f"/{charge.id}/refund", cents=2000)
    await town.after(seconds=1)
    found = (await asked(town, "GET", "")).json()
    [shown] = found["items"]
    sums = {"asked": CENTS, "received": CENTS, "refunded": 2000, "left": 3000}
    assert (shown["id"], shown["state"], shown["heldCents"]) == (charge.id, "paid", 3000)
    assert [(entry["kind"], entry["cents"]) for entry in shown["entries"]] == [
        ("asked", CENTS),
        ("received", CENTS),
        ("refunded", 2000),
    ]
    assert [found["together"] | sums, found["days"][0]["sums"] | sums] == [found["together"]] * 2
    assert [(each["professionalId"], each["sums"]) for each in found["professionals"]] == [("paula", found["together"])]
    another = await asked(town, "GET", "?first=2026-10-01&last=2026-10-31")
    assert (another.json()["items"], another.json()["together"]["asked"]) == ([], 0)


async def test_a_waiver_is_in_the_ledger_and_the_audit_and_ends_the_code(town):
    charge = await town.shown()
    waived = await asked(town, "POST", f"/{charge.id}/waive", note="paciente antiga")
    await town.after(seconds=1)
    again = await asked(town, "POST", f"/{charge.id}/waive", note="paciente antiga")
    assert (waived.status_code, again.status_code, again.json()["reason"]) == (200, 409, "nothing_asked")
    after = await town.stands(charge)
    assert (after.state, after.entries[-1].note, town.bank.charges[charge.id].removed) == (
        ChargeState.EXPIRED,
        "paciente antiga",
        True,
    )
    assert await audited(town, charge) == ["payment.waived"]


async def test_paid_in_cash_given_back_by_hand_and_said_so(town):
    charge = await town.shown("manual")
    received = (await asked(town, "POST", f"/{charge.id}/receive", note="dinheiro")).json()
    refunded = (await asked(town, "POST", f"/{charge.id}/refund")).json()
    [order] = refunded["refunds"]
    given = await asked(town, "POST", f"/{charge.id}/refunds/{order['id']}/given")
    assert (received["state"], order["state"], given.json()["state"]) == ("paid", "by_hand", "refunded")
    assert await audited(town, charge) == ["payment.received", "payment.refunded", "payment.refunded"]


async def test_more_than_is_there_does_not_go_back(town):
    charge = await town.paid()
    town.bank.refund_outcome = RefundOutcome.IN_PROGRESS
    assert (await asked(town, "POST", f"/{charge.id}/refund", cents=CENTS + 1)).json()["reason"] == "not_there"
    assert (await asked(town, "POST", f"/{charge.id}/refund")).status_code == 200
    assert (await asked(town, "POST", f"/{charge.id}/refund")).json()["reason"] == "not_there"
    assert [(await asked(town, "POST", f"/{charge.id}/refund", cents=each)).status_code for each in (0, -1)] == [
        422
    ] * 2


async def test_looked_at_again_the_provider_is_asked_at_once(town):
    charge = await town.shown()
    town.bank.pay(charge.code)
    assert (await asked(town, "POST", f"/{charge.id}/look")).status_code == 200
    await town.gendei.payments.work.idle()
    assert (await town.stands(charge)).state is ChargeState.PAID


@pytest.mark.parametrize("clinic", [AURORA, BROMELIA])
async def test_who_does_not_manage_this_clinic_sees_and_changes_nothing(town, clinic):
    charge = await town.paid()
    rights = (Right.READ, Right.WRITE) if clinic == AURORA else RIGHTS
    deeds = [("look", {}), ("waive", {"note": "x"}), ("receive", {"note": "x"}), ("refund", {"cents": 1})]
    deeds.append((f"refunds/{charge.id}r1/given", {}))
    refused = [
        await asked(town, "POST", f"/{charge.id}/{verb}", *rights, clinic=clinic, **body) for verb, body in deeds
    ]
    refused.append(await asked(town, "GET", f"/{charge.id}", *rights, clinic=clinic))
    listed = await asked(town, "GET", "", *rights, clinic=clinic)
    assert {each.status_code for each in refused} == {403 if clinic == AURORA else 404}
    assert (charge.id in listed.text, await town.stands(charge), await audited(town, charge)) == (False, charge, [])


async def test_a_person_in_a_browser_is_asked_for_the_second_factor(town):
    charge, desks = await town.paid(), town.gendei.desks
    office = PaymentOffice(desks.documents, desks.clinics, desks.collector, desks.clinic_changes)
    carla = replace(gestor(), factor=SecondFactor(is_set=True))
    for act in (office.waive(carla, charge.id, "x"), office.refund(carla, charge.id)):
        with pytest.raises(ChangeRefused):
            await act
    assert await town.stands(charge) == charge


async def test_a_person_who_is_erased_leaves_the_money_and_nothing_else(town):
    clinic = await town.gendei.directory.get(AURORA)
    start = town.clock().astimezone(clinic.timezone).replace(day=24, hour=14, minute=0, second=0, microsecond=0)
    request = BookingRequest("limpeza", "paula", start, "Maria Silva")
    booked = await town.gendei.desk.book(clinic, MARIA, request)
    charge = await town.ask(patient_id=booked.patient_id, appointment_id=booked.id)
    other = await town.ask(contact="+5511988887777", patient_id="joao")
    await town.work()
    town.bank.pay((await town.stands(charge)).code)
    await town.after(days=3)
    await asked(town, "POST", f"/{charge.id}/receive", note="Maria pagou")
    data, before = town.gendei.front_desk.patient_data, await town.stands(other)
    handed_out = str(await data.export(gestor(), Whose(booked.patient_id)))
    assert (charge.id in handed_out, other.id in handed_out) == (True, False)
    await data.erase(gestor(), Whose(booked.patient_id))
    left = await town.stands(charge)
    written = str(CHARGE.write(left))
    assert [text for text in (MARIA, booked.patient_id, "Maria", "devolvido") if text in written] == []
    assert (left.ledger.received, left.id, await town.stands(other)) == (CENTS, charge.id, before)
    assert (await asked(town, "GET", "")).json()["together"]["received"] == CENTS
