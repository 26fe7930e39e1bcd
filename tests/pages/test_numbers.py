"""Numbers: drawn and told, for who manages, of the own clinic alone."""

from datetime import timedelta

import pytest
from agents.testing import ScriptedModel
from playwright.async_api import expect
from tests.pages.house import BOA_VIDA, NOW, SORRISO, open_house, staff
from tests.pages.stage import NARROW, WIDE
from tests.receptionist.scripted import OneModel

from gendei.assistant.runner import CHANNEL as ASSISTANT
from gendei.channel_kinds import CHANNEL_KINDS
from gendei.costs.model_costs import Spent
from gendei.documents import put
from gendei.mcp.server import CHANNEL as MCP
from gendei.receptionist.llm.models import ApiModels, ModelLimits
from gendei.staff.actors import NO_CLINIC, Role
from gendei.staff.numbers import DAY, DayNumbers
from gendei.web.pages.page_texts import channel_name

pytestmark = pytest.mark.slow

GILDA = staff("Gilda")
SCRIPT = "<script>window.broken=1</script><img src=x onerror=window.broken=1>"


async def a_day_before(house, **numbers) -> None:
    """What was counted yesterday."""
    day = NOW.date() - timedelta(days=1)
    kept = DAY.write(DayNumbers(day, **numbers))
    await house.gendei.documents.commit([put(f"gendei_clinics/{BOA_VIDA}/days/{day.isoformat()}", kept)])


async def test_today_and_30_days_stand_above_and_every_day_in_the_table(house):
    await a_day_before(
        house, conversations=4, with_person=1, first_answers=(60, 180), bookings_by_channel={"whatsapp": 3}
    )
    await house.write("+5511999990001", "Oi")
    page = await house.visit("/numbers", GILDA)
    tile = page.locator(".o-tile", has_text="Conversas")
    await expect(tile).to_contain_text("Conversas15 em 30 dias")
    await expect(page.locator(".o-tile", has_text="Resolvidas sem pessoa")).to_contain_text("100%80% em 30 dias")
    yesterday = page.get_by_role("row", name="22/11/2026")
    await expect(yesterday).to_have_text("22/11/2026475%2 min3000")


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
        await expect(tile).to_contain_text("US$ 0,00US$ 0,00 em 30 dias")
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
    await expect(page.get_by_text("Ainda não houve conversas nem marcações")).to_be_visible()


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
    page = await house.visit("/numbers", GILDA, size=size)
    await expect(page.get_by_role("table", name="Os mesmos números")).to_be_visible()
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
