"""A patient with a health plan, from the first message to what staff, programs and numbers see of it."""

import logging
from dataclasses import replace

import pytest
from tests.journeys.phone import Phone
from tests.journeys.town import AURORA, BROMELIA, clinics
from tests.web.api.conftest import bearer

from gendei.health_plan import HealthPlan, PlanTerms
from gendei.staff.actors import Right

PLANS = (
    HealthPlan("Odontoprev", services={"limpeza": PlanTerms(covered=True, authorization=True, card_number=True)}),
    HealthPlan("Amil Dental", terms=PlanTerms(price_cents=4000, waiting_days=60)),
)
CARD = "0044 5566 7788"


@pytest.fixture(autouse=True)
def with_plans(monkeypatch):
    """Aurora tells what its plans pay; Bromélia takes none."""
    aurora, bromelia = clinics()
    told = replace(aurora, insurance=("Odontoprev", "Amil Dental"), plans=PLANS)
    monkeypatch.setattr("tests.journeys.town.clinics", lambda: (told, bromelia))


async def asked(town, path: str, clinic_id=AURORA, rights=(Right.READ, Right.WRITE, Right.MANAGE), **body):
    """(status, answer) of the clinic's API."""
    headers = await bearer(town.gendei, clinic_id, *rights)
    method = "POST" if body else "GET"
    answer = await town.client.request(method, f"/api/v1{path}", json=body or None, headers=headers)
    return answer.status_code, answer.json()


async def the_appointment(town):
    [found] = (await asked(town, "/appointments?from=2026-11-24&to=2026-11-24"))[1]["items"][-1:]
    return found


async def test_a_patient_with_a_plan_goes_from_the_first_message_to_a_confirmation_that_everybody_sees(
    town, maria, caplog
):
    caplog.set_level(logging.DEBUG)
    told = await maria.say("oi! quero marcar limpeza amanhã às 15h, tenho Odontoprev")
    assert "coberto pelo convênio Odontoprev" in told
    assert ("precisa autorizar antes" in told, "pede o número da carteirinha" in told) == (True, True)
    assert ("R$ 180,00" in told, "particular ou por convênio" in told) == (False, False)
    assert "Anotei o número" in await maria.say(f"minha carteirinha: {CARD}")
    confirmed = await maria.say("sim")
    assert ("está confirmada" in confirmed, "Convênio: Odontoprev, coberto." in confirmed) == (True, True)
    found = await the_appointment(town)
    assert (found["plan"], found["covered"], found["priceCents"], found["depositCents"]) == (
        "Odontoprev",
        True,
        None,
        0,
    )
    card = (await asked(town, f"/patients/{found['patientId']}"))[1]
    assert (card["patient"]["plan"], card["coming"][0]["plan"], card["planCard"]) == ("Odontoprev", "Odontoprev", None)
    seen = (await asked(town, f"/patients/{found['patientId']}", rights=(Right.READ, Right.PERSONAL_DATA)))[1]
    assert seen["planCard"] == CARD.replace(" ", "")
    numbers = (await asked(town, "/numbers"))[1]["plans"]
    assert [(row["plan"], row["booked"], row["valueCents"], row["withoutPrice"]) for row in numbers] == [
        ("", 1, 18000, 0),
        ("Odontoprev", 1, 0, 1),
    ]
    assert not any(number in caplog.text for number in (CARD, CARD.replace(" ", "")))
    assert (await asked(town, f"/patients/{found['patientId']}", BROMELIA))[0] == 404
    assert (await asked(town, f"/appointments/{found['id']}/plan", BROMELIA, plan="particular"))[0] == 404
    assert (await asked(town, "/numbers", BROMELIA))[1]["plans"] == []
    assert (await the_appointment(town))["plan"] == "Odontoprev"


async def test_the_question_is_asked_once_and_answered_by_a_tap(town, maria):
    assert await maria.say("quero marcar limpeza amanhã às 15h") in {
        "Vai ser particular ou por convênio?",
        "É particular ou por qual convênio?",
    }
    assert maria.options == ["Particular", "Odontoprev", "Amil Dental"]
    assert "R$ 40,00 pelo convênio Amil Dental" in await maria.tap("Amil Dental")
    await maria.tap("Confirmar")
    again = await maria.say("quero marcar mais uma limpeza quarta às 10h")
    assert "R$ 40,00 pelo convênio Amil Dental" in again
    assert (await the_appointment(town))["priceCents"] == 4000


async def test_a_plan_that_is_not_taken_is_told_and_private_is_one_tap_away(town, maria):
    told = await maria.say("quero marcar um canal amanhã às 14h pela Odontoprev")
    assert ("não fazemos Tratamento de canal" in told, "R$ 950,00" in told) == (True, True)
    await maria.tap("Particular")
    assert "particular, R$ 950,00 (sinal de R$ 200,00)" in maria.last.text
    await maria.tap("Confirmar")
    found = await the_appointment(town)
    assert (found["plan"], found["priceCents"], found["depositCents"]) == ("particular", 95000, 20000)


async def test_an_unknown_plan_is_denied(maria):
    assert await maria.say("vocês aceitam Golden Cross?") == (
        "Não aceitamos o convênio Golden Cross. Aceitamos: Odontoprev, Amil Dental."
    )


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("quanto custa a limpeza pela Odontoprev?", "• Limpeza: coberto"),
        ("pela Amil Dental tem que pagar?", "• Limpeza: R$ 40,00"),
        ("quanto custa a limpeza pelo convênio?", "Pelo convênio, depende de qual."),
    ],
)
async def test_a_price_by_plan_is_never_the_private_one(maria, question, answer):
    told = await maria.say(question)
    assert (answer in told, "R$ 180,00" in told) == (True, False), told


async def test_a_waiting_time_is_told_where_the_clinic_gives_it_and_is_the_operators_else(maria):
    assert "• Limpeza: carência de 60 dias" in await maria.say("a limpeza tem carência pela Amil Dental?")
    told = await maria.say("e pela Odontoprev, tem carência?")
    assert ("operadora do plano" in told, "Sim, aceitamos" in told) == (True, False)


async def test_a_program_books_by_a_plan_and_changes_it(town):
    body = {
        "serviceId": "limpeza",
        "professionalId": "paula",
        "start": "2026-11-24T16:00:00-03:00",
        "patientName": "Rita Melo",
        "phone": "+5511977776666",
    }
    status, refused = await asked(town, "/appointments", plan="Golden Cross", **body)
    assert (status, refused["reason"]) == (422, "plan_not_taken")
    status, booked = await asked(town, "/appointments", plan="odontoprev", **body)
    assert (status, booked["plan"], booked["covered"]) == (201, "Odontoprev", True)
    status, changed = await asked(
        town, f"/appointments/{booked['id']}/plan", plan="Amil Dental", version=booked["version"]
    )
    after = changed["appointment"]
    assert (status, after["plan"], after["priceCents"], after["version"] != booked["version"]) == (
        *(200, "Amil Dental", 4000),
        True,
    )
    stale = await asked(town, f"/appointments/{booked['id']}/plan", plan="particular", version=booked["version"])
    assert (stale[0], stale[1]["reason"]) == (409, "changed")
    plans = (await asked(town, "/clinic"))[1]["plans"]
    assert [(plan["name"], [each["serviceId"] for each in plan["services"]]) for plan in plans] == [
        ("Odontoprev", ["limpeza"]),
        ("Amil Dental", ["limpeza", "canal"]),
    ]


async def test_the_other_clinics_patient_is_asked_for_no_plan(town, dalva: Phone):
    told = await dalva.say("quero marcar consulta amanhã às 8h")
    assert ("Posso marcar assim?" in told, "convênio" in told) == (True, False)
    assert "Não aceitamos o convênio Odontoprev. Atendemos só particular." in await dalva.say("aceitam Odontoprev?")
