"""Health plans on the agenda's page and on the patient's card."""

from dataclasses import replace

import pytest
from playwright.async_api import expect
from tests.pages.agenda_cast import ANA, LUCIA, MARIA, all_booked, at, audited, card, choose, clinic_of, open_agenda
from tests.pages.house import SORRISO, staff

from gendei.booking.visits import BookingRequest
from gendei.health_plan import HealthPlan, PlanTerms

pytestmark = pytest.mark.slow

COVERED = PlanTerms(covered=True, authorization=True, card_number=True)
PLANS = (
    HealthPlan("Unimed", terms=COVERED),
    HealthPlan("Amil", services={"consulta": PlanTerms(price_cents=9000, professionals=("ana",))}),
)


async def with_plans(house) -> None:
    """The clinic tells what its plans pay."""
    await house.gendei.directory.import_clinic(replace(await clinic_of(house), plans=PLANS))


async def by_unimed(house, hour: int = 8):
    booking = BookingRequest("consulta", "ana", at(hour), "Maria Silva", MARIA, plan="Unimed")
    return (await house.gendei.agenda_desk.agenda.book(LUCIA, booking)).appointment


async def test_staff_book_by_a_plan_which_the_next_booking_knows(house):
    await with_plans(house)
    page = await open_agenda(house)
    for hour in ("09:00", "10:00"):
        await page.get_by_role("button", name="Marcar").first.click()
        sheet = page.get_by_role("dialog")
        await sheet.get_by_label("Hora", exact=True).fill(hour)
        if hour == "09:00":
            await choose(page, "Convênio", "Unimed · coberto")
            await sheet.get_by_label("Nome de quem vem").fill("Rita Melo")
            await sheet.get_by_label("Telefone").fill("(11) 98888-7777")
        else:
            await sheet.get_by_label("Nome de quem vem").fill("rita")
            await sheet.get_by_role("button", name="Rita Melo").click()
        await sheet.get_by_role("button", name="Marcar").click()
        await expect(page.get_by_text("Marcado: Rita Melo").last).to_be_visible()
    assert [(each.plan, each.covered, each.deposit_cents) for each in await all_booked(house)] == [
        ("Unimed", True, 0),
        ("Unimed", True, 0),
    ]


async def test_the_sheet_tells_the_plan_and_changes_it_and_takes_that_back(house):
    await with_plans(house)
    booked = await by_unimed(house)
    page = await open_agenda(house)
    await expect(card(page)).to_contain_text("Unimed")
    await card(page).click()
    sheet = page.get_by_role("dialog")
    await expect(sheet).to_contain_text("Unimed · coberto")
    await expect(sheet).to_contain_text("autorização, número da carteirinha")
    await sheet.get_by_role("button", name="Anotar…").click()
    await choose(page, "Convênio", "Amil · R$ 90,00")
    await page.get_by_role("dialog").get_by_role("button", name="Salvar").click()
    await expect(page.get_by_text("Salvo.")).to_be_visible()
    await expect(card(page)).to_contain_text("Amil")
    [after] = await all_booked(house)
    assert (after.plan, after.price_cents) == ("Amil", 9000)
    assert (await audited(house, booked.id))[0] == ("Ana", "appointment.plan_set")
    await page.get_by_role("button", name="Desfazer").first.click()
    await expect(card(page)).to_contain_text("Unimed")


async def test_only_plans_that_are_taken_for_it_can_be_chosen(house):
    await with_plans(house)
    page = await open_agenda(house)
    await page.get_by_role("button", name="Marcar").first.click()
    await choose(page, "Serviço", "Check-up completo")
    await expect(page.get_by_role("option")).to_have_count(0)
    await page.get_by_role("dialog").get_by_label("Convênio", exact=True).click()
    await expect(page.get_by_role("option")).to_have_text(
        ["Não informado", "Particular · R$ 480,00", "Unimed · coberto", "Bradesco Saúde", "SulAmérica"]
    )


async def test_the_number_of_the_card_and_the_plan_stand_on_the_patients_card(house):
    await with_plans(house)
    booked = await by_unimed(house)
    page = await house.visit(f"/patients/{booked.patient_id}", ANA)
    await expect(page.get_by_text("Unimed").first).to_be_visible()
    await page.get_by_label("Número da carteirinha").fill("0012 3456")
    await page.get_by_role("button", name="Salvar").click()
    await expect(page.get_by_label("Número da carteirinha")).to_have_value("00123456")


async def test_the_numbers_tell_the_plans(house):
    await with_plans(house)
    await by_unimed(house)
    page = await house.visit("/numbers", ANA)
    await expect(page.get_by_role("row", name="Unimed")).to_be_visible()
    answer = await page.request.get(f"{house.url}/numbers/plans.csv")
    assert "Unimed;1;0;0;0;0,00;1" in await answer.text()


async def test_another_clinics_staff_see_nothing_of_it(house):
    await with_plans(house)
    booked = await by_unimed(house)
    page = await house.visit(f"/patients/{booked.patient_id}", staff("Rui", SORRISO))
    await expect(page.get_by_text("Unimed")).to_have_count(0)
    answer = await page.request.get(f"{house.url}/numbers/plans.csv")
    assert "Unimed" not in await answer.text()
