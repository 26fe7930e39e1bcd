"""Health plans in what staff ask their assistant."""

from dataclasses import replace

import pytest
from tests.assistant.conftest import Desk
from tests.journeys.town import AURORA

from gendei.health_plan import HealthPlan, PlanTerms

PLANS = (HealthPlan("Amil Dental", terms=PlanTerms(covered=True)),)


async def with_plans(desk: Desk) -> None:
    clinic = await desk.gendei.directory.get(AURORA)
    assert clinic is not None
    told = replace(clinic, insurance=("Odontoprev", "Amil Dental"), plans=PLANS)
    await desk.gendei.directory.import_clinic(told)


@pytest.mark.parametrize(
    ("words", "plan"),
    [("pela Odontoprev", "Odontoprev"), ("pelo convênio amil dental", "Amil Dental"), ("particular", "particular")],
)
async def test_a_booking_by_a_plan_is_shown_with_it_and_made(desk: Desk, words: str, plan: str) -> None:
    await with_plans(desk)
    shown = await desk.say(f"marca limpeza para Rita Melo, (11) 98888-7777, quarta às 10h {words}")
    assert (f"convênio: {plan}" in shown.message, "Rita Melo" in shown.message) == (True, True), shown.message
    await desk.say("sim")
    clinic = await desk.gendei.directory.get(AURORA)
    assert clinic is not None
    [booked] = await desk.gendei.desk.appointments_of(clinic, "+5511988887777")  # type: ignore[arg-type]  # a contact
    assert (booked.plan, booked.patient_name) == (plan, "Rita Melo")


async def test_a_price_is_told_with_what_plans_pay(desk: Desk) -> None:
    await with_plans(desk)
    told = (await desk.say("quanto custa a limpeza?")).message
    assert ("R$ 180,00; pelo convênio Amil Dental, coberto" in told, "Odontoprev" in told) == (True, False)


async def test_a_plan_is_found_however_it_is_written(desk: Desk) -> None:
    clinic = await desk.gendei.directory.get(AURORA)
    assert clinic is not None
    await desk.gendei.directory.import_clinic(replace(clinic, insurance=("Bradesco Saúde",)))
    booking = "marca limpeza para Rita Melo, (11) 98888-7777, quarta às 10h"
    told = [(await desk.say(f"{booking}{plan}")).message for plan in ("", " pelo bradesco saude", " pelo bradesco")]
    assert ["convênio: Bradesco Saúde" in message for message in told] == [False, True, True]
    assert {"para Rita Melo, (11)" in message for message in told} == {True}
