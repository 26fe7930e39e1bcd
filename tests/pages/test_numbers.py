"""Numbers: drawn and told, for who manages, of the own clinic alone."""

from datetime import timedelta

import pytest
from agents.testing import ScriptedModel
from playwright.async_api import expect
from tests.pages.house import BOA_VIDA, NOW, SORRISO, open_house, staff
from tests.pages.stage import NARROW, WIDE
from tests.pages.test_patients import book
from tests.receptionist.scripted import OneModel

from gendei.assistant.runner import CHANNEL as ASSISTANT
from gendei.channel_kinds import CHANNEL_KINDS
from gendei.costs.model_costs import Spent
from gendei.documents import put
from gendei.mcp.server import CHANNEL as MCP
from gendei.receptionist.llm.models import ApiModels, ModelLimits
from gendei.staff.actors import NO_CLINIC, Role
from gendei.staff.day_numbers import DAY, DayNumbers
from gendei.staff.outcomes import Outcome
from gendei.web.pages.numbers_tables import number, outcome_name
from gendei.web.pages.page_texts import channel_name

pytestmark = pytest.mark.slow

GILDA = staff("Gilda")
SCRIPT = "<script>window.broken=1</script><img src=x onerror=window.broken=1>"


async def a_day_before(house, **numbers) -> None:
    """What was counted yesterday."""
    day = NOW.date() - timedelta(days=1)
    kept = DAY.write(DayNumbers(day, **numbers))
    await house.gendei.documents.commit([put(f"gendei_clinics/{BOA_VIDA}/days/{day.isoformat()}", kept)])


async def test_the_month_stands_above_with_today_below_it_and_every_day_in_the_table(house):
    outcomes = {"booked": 2, "answered": 1, "person": 1}
    await a_day_before(
        house,
        conversations=4,
        with_person=1,
        outcomes=outcomes,
        first_answers=(60, 180),
        bookings_by_channel={"whatsapp": 3},
    )
    await house.write("+5511999990001", "Oi")
    page = await house.visit("/numbers", GILDA)
    tile = page.locator(".o-tile", has_text="Conversas")
    await expect(tile).to_contain_text("Conversas51 hoje")
    await expect(page.locator(".o-tile", has_text="Resolvidas sem pessoa")).to_contain_text("60%0% hoje")
    yesterday = page.get_by_role("row", name="22/11/2026")
    await expect(yesterday).to_have_text("22/11/2026475%2 min3000")


async def test_what_was_not_solved_is_told_by_reason(house):
    await a_day_before(house, conversations=4, outcomes={"booked": 1, "stopped": 2, "not_understood": 1})
    page = await house.visit("/numbers", GILDA)
    lines = page.get_by_role("table", name="As conversas do mês").locator("tbody tr")
    await expect(lines).to_have_text(
        [
            "Resolvida: marcou125%",
            "Parou antes de terminar a marcação ou a mudança250%",
            "A assistente não entendeu125%",
        ]
    )


def test_thousands_are_set_apart_for_people_and_not_for_programs():
    assert number(12727) == ("12.727", "12727")


def test_every_outcome_has_a_name_that_people_read():
    assert [outcome for outcome in Outcome if outcome_name(outcome) == str(outcome)] == []


async def test_another_month_is_chosen_and_has_no_today(house):
    await a_day_before(house, conversations=4, outcomes={"booked": 4})
    page = await house.visit("/numbers", GILDA)
    await page.get_by_label("Mês").click()
    await page.get_by_role("option", name="Outubro de 2026").click()
    await page.wait_for_url("**/numbers?month=2026-10")
    await expect(page.get_by_text("Não houve conversas, marcações nem horários neste mês.")).to_be_visible()
    await expect(page.locator(".o-tile", has_text="hoje")).to_have_count(0)


@pytest.mark.parametrize("month", ["2026-12", "1999-01", "x", "2026-11-01", "%00"])
async def test_a_month_that_there_is_not_is_the_present_one(house, month):
    page = await house.visit(f"/numbers?month={month}", GILDA)
    await expect(page.get_by_label("Mês")).to_have_value("Novembro de 2026")


async def test_each_professional_has_visits_value_and_occupancy(house):
    await book(house)
    page = await house.visit("/numbers", GILDA)
    table = page.get_by_role("table", name="Horários, valores e ocupação")
    await expect(table.get_by_role("row", name="Dra. Ana Souza")).to_contain_text("R$ 250,00")
    await expect(table.get_by_role("row", name="Todos")).to_contain_text("R$ 250,00")


async def test_every_table_is_a_file_for_spreadsheets(house):
    await a_day_before(
        house,
        conversations=1,
        outcomes={"booked": 1},
        takeovers={"=HYPERLINK(0)": 1},
        bookings_by_service={"Limpeza; e mais": 2},
        bookings_by_channel={"web": 1},
    )
    await book(house)
    page = await house.visit("/numbers", GILDA)
    links = page.get_by_role("link", name="Baixar CSV")
    await expect(links).to_have_count(6)
    addresses = [await link.get_attribute("href") for link in await links.all()]
    assert addresses == [
        f"/numbers/{name}.csv?month=2026-11"
        for name in (
            *("outcomes", "professionals", "bookings_by_service", "bookings_by_channel", "takeover_reasons", "days"),
        )
    ]
    files = {address: (await page.request.get(house.url + address)) for address in addresses}
    assert {found.headers["content-type"] for found in files.values()} == {"text/csv; charset=utf-8"}
    texts = [(await found.body()).decode("utf-8-sig").splitlines() for found in files.values()]
    assert texts[0] == ["O que aconteceu;Conversas;Parte (%)", "Resolvida: marcou;1;100,0"]
    assert texts[1][1].startswith("Dra. Ana Souza;1;0;0;0;0;250,00;0,00;0,00;")
    assert (texts[2][1], texts[4][1]) == ('"Limpeza; e mais";2', "'=HYPERLINK(0);1")


async def test_a_file_is_for_who_manages_the_clinic_alone(house):
    await a_day_before(house, conversations=1, outcomes={"booked": 1})
    for user, status in ((staff("Ana", role=Role.ATENDENTE), 404), (None, 404), (staff("Otto", SORRISO), 200)):
        page = await house.visit("/login" if user is None else "/account", user)
        answer = await page.request.get(f"{house.url}/numbers/outcomes.csv?month=2026-11")
        assert (answer.status, "marcou" in await answer.text()) == (status, False)
    page = await house.visit("/account", GILDA)
    for name in ("nothing", "..%2Fdays"):
        assert (await page.request.get(f"{house.url}/numbers/{name}.csv")).status == 404


async def test_charts_are_drawn_and_say_what_they_show(house):
    await a_day_before(house, conversations=1, bookings_by_service={"Limpeza": 2}, takeovers={"": 1})
    page = await house.visit("/numbers", GILDA)
    await expect(page.get_by_role("img", name="Gráfico: Limpeza: 2.").locator("svg")).to_be_visible()
    await expect(page.get_by_role("region", name="Por que uma pessoa assumiu")).to_contain_text("Sem motivo anotado")


async def test_channels_are_told_by_name_and_those_of_one_name_together(house):
    await a_day_before(house, conversations=1, bookings_by_channel={"meta": 2, "web": 1, "whatsapp": 3, "new one": 1})
    page = await house.visit("/numbers", GILDA)
    told = "Gráfico: WhatsApp: 5, Chat do site: 1, new one: 1."
    await expect(page.get_by_role("img", name=told)).to_be_visible()


def test_every_channel_has_a_name_that_people_read():
    assert [kind for kind in (*CHANNEL_KINDS, "staff", ASSISTANT, MCP, "api") if channel_name(kind) == kind] == []


async def test_words_of_a_reason_are_text(house):
    await a_day_before(house, conversations=1, with_person=1, takeovers={SCRIPT: 1})
    page = await house.visit("/numbers", GILDA)
    await page.get_by_role("region", name="Por que uma pessoa assumiu").get_by_text("Ver como tabela").click()
    await expect(page.get_by_role("rowheader", name=SCRIPT)).to_be_visible()
    assert await page.evaluate("window.broken") is None


async def test_what_the_model_costs_is_shown_and_that_its_day_has_cost_enough(stage, tmp_path):
    models = ApiModels(OneModel(ScriptedModel([])), limits=ModelLimits(daily_budget_usd=0.5))
    async with open_house(stage, tmp_path, models=models) as house:
        ledger, today = house.gendei.model_use.ledger, NOW.date()
        ledger.add(SORRISO, today, Spent(cost_micros=900_000))
        page = await house.visit("/numbers", GILDA)
        tile = page.locator(".o-tile", has_text="Modelo de linguagem")
        await expect(tile).to_contain_text("US$ 0,00US$ 0,00 hoje")
        await expect(page.get_by_text("limite de gasto de hoje")).to_have_count(0)
        ledger.add(BOA_VIDA, today, Spent(cost_micros=620_000))
        await page.reload()
        await expect(tile).to_contain_text("US$ 0,62")
        await expect(page.get_by_text("limite de gasto de hoje")).to_be_visible()


async def test_before_anything_happened_it_says_what_to_do(house):
    page = await house.visit("/numbers", GILDA)
    await expect(page.get_by_role("link", name="Abrir as conversas")).to_be_visible()


async def test_another_clinic_sees_nothing_of_it(house):
    await a_day_before(house, conversations=4)
    page = await house.visit("/numbers", staff("Otto", SORRISO))
    await expect(page.get_by_text("Não houve conversas, marcações nem horários neste mês.")).to_be_visible()


@pytest.mark.parametrize(
    ("user", "said"),
    [
        (staff("Ana", role=Role.ATENDENTE), "Sua conta não tem acesso a esta página."),
        (staff("Olga", NO_CLINIC, Role.OPERADOR), "Escolha uma clínica em Operação para abrir esta página."),
    ],
)
async def test_who_does_not_manage_a_clinic_reads_that_kindly(house, user, said):
    page = await house.visit("/numbers", user)
    await expect(page.get_by_text(said)).to_be_visible()
    await expect(page.locator(".o-tile")).to_have_count(0)


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_nothing_sticks_out(house, size):
    await a_day_before(house, conversations=1, bookings_by_service={"Limpeza com clareamento " * 3: 1})
    await book(house)
    page = await house.visit("/numbers", GILDA, size=size)
    await expect(page.get_by_role("table", name="Os mesmos números")).to_be_visible()
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
