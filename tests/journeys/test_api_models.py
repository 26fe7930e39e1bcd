"""GENDEI_MODEL=api as operators set it, against a stand-in of the API: webhook in, provider request out."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from datetime import date

import pytest
from tests.journeys.phone import Phone
from tests.journeys.town import AURORA, BROMELIA, Town, open_town
from tests.receptionist.openai_server import Fail, OpenAiServer, Say, call, hand_off, openai_server
from tests.receptionist.reasoner import reasoner, refusing

from gendei.costs.model_costs import Spent
from gendei.staff.actors import terminal

SEARCH = call("get_available_slots", service_id="limpeza", date="amanhã à tarde")
OFFER = call("enviar_opcoes", texto="Tenho:", opcoes=["slot|limpeza|paula|2026-11-24T15:00"])
BOOK = call(
    "create_appointment",
    service_id="limpeza",
    professional_id="paula",
    date="2026-11-24",
    time="15:00",
    patient_name="Maria Silva",
)
TODAY = date(2026, 11, 23)


@pytest.fixture
async def server() -> AsyncIterator[OpenAiServer]:
    async with openai_server() as running:
        yield running


@pytest.fixture
def opening(tmp_path, server):
    """A town on the API of `server`; more of Settings by name."""

    def opened(**others: object) -> AbstractAsyncContextManager[Town]:
        api = {"model": "api", "OPENAI_API_KEY": "sk-of-the-journeys", "OPENAI_BASE_URL": server.url}
        return open_town(tmp_path, **{**api, "api_model": "gpt-4.1-mini", "api_retries": 0, **others})

    return opened


@pytest.mark.parametrize("protocol", ["chat", "responses"])
async def test_a_whole_booking_on_the_api_is_answered_counted_and_kept_apart(opening, server, protocol):
    server.will(hand_off("sales_closer"), SEARCH, OFFER, BOOK)
    server.usage = (1000, 100)
    async with opening(api_protocol=protocol) as town:
        maria = Phone(town, "+5511999990001", "Maria Silva")
        await maria.say("quero uma limpeza amanhã às 15h, pode marcar")
        await maria.tap("ter 24/11 15h")
        told = await maria.say("sim, terça às 15h")
        agenda = await town.agenda_of(maria.number)
        figures = (await town.client.get("/metrics")).text
        assert ("✅ Sua consulta está confirmada!" in told, agenda, set(server.keys)) == (
            True,
            [("confirmed", "limpeza", "2026-11-24T15:00")],
            {"Bearer sk-of-the-journeys"},
        )
        assert 'gendei_model_tokens_total{kind="input"} 4000.0' in figures
        assert maria.number not in figures
        use = town.gendei.model_use
        spent = [(await use.days(terminal(clinic), TODAY, TODAY))[0].spent for clinic in (AURORA, BROMELIA)]
        assert spent == [Spent(2, 0, 4, 4000, 0, 400, 4 * (400 + 160)), Spent()]


@pytest.mark.parametrize("protocol", ["chat", "responses"])
@pytest.mark.parametrize("model", ["unheard-of", "gpt-6.1-terra", "o3"])
async def test_a_model_that_reasons_and_refuses_a_temperature_books_over_either_protocol(
    opening, server, protocol, model
):
    server.gate = refusing(*{"unheard-of": ["tools"], "gpt-6.1-terra": ["tools"], "o3": ["none"]}[model])
    server.will(*reasoner(hand_off("sales_closer"), SEARCH, OFFER, BOOK))
    async with opening(api_protocol=protocol, api_model=model) as town:
        maria = Phone(town, "+5511999990001", "Maria Silva")
        await maria.say("quero uma limpeza amanhã às 15h, pode marcar")
        await maria.tap("ter 24/11 15h")
        told = await maria.say("sim, terça às 15h")
        assert ("✅ Sua consulta está confirmada!" in told, await town.agenda_of(maria.number)) == (
            True,
            [("confirmed", "limpeza", "2026-11-24T15:00")],
        )
        figures = (await town.client.get("/metrics")).text
        assert "gendei_model_fallbacks_total{" not in figures
        refused = sum(server.gate(body) is not None for body in server.requests)
        assert refused == ({"chat": 3, "responses": 1}[protocol] if model == "unheard-of" else 0)


async def test_an_outage_in_the_middle_of_a_booking_is_not_noticed(opening, server):
    server.will(hand_off("sales_closer"), Say("Claro! Para qual dia e horário?"))
    async with opening() as town:
        maria = Phone(town, "+5511999990001", "Maria Silva")
        assert await maria.say("oi, quero marcar uma limpeza") == "Claro! Para qual dia e horário?"
        server.will(Fail(429, "insufficient_quota"))
        asked = await maria.say("amanhã às 15h")
        seen = await town.conversation(maria.number)
        told = await maria.tap("Confirmar")
        rests = "gendei_model_resting 1.0" in (await town.client.get("/metrics")).text
        assert (asked.splitlines()[:2], seen["lastFailure"]["detail"], told.splitlines()[0], rests) == (
            ["Posso marcar assim?", "*Limpeza* com Dra. Paula Lins"],
            "RateLimitError",
            "✅ Sua consulta está confirmada!",
            True,
        )
        assert len(server.requests) == 3


async def test_a_day_that_cost_enough_goes_on_with_guided(opening, server):
    server.usage = (1_000_000, 0)
    server.will(Say("Olá! Como posso ajudar?"))
    async with opening(api_daily_budget_usd=0.3) as town:
        maria = Phone(town, "+5511999990001", "Maria Silva")
        await maria.say("oi")
        asked = await maria.say("quero uma limpeza amanhã às 15h")
        fallbacks = (await town.client.get("/metrics")).text
        assert (asked.splitlines()[0], len(server.requests)) == ("Posso marcar assim?", 1)
        assert 'gendei_model_fallbacks_total{why="budget"} 1.0' in fallbacks


async def test_a_false_price_is_corrected_before_the_patient_reads_it(opening, server):
    server.will(Say("A limpeza custa R$ 80,00."), Say("A limpeza custa R$ 180,00."))
    async with opening() as town:
        maria = Phone(town, "+5511999990001", "Maria Silva")
        assert await maria.say("quanto custa a limpeza?") == "A limpeza custa R$ 180,00."
        assert (maria.texts, "R$ 180,00" in server.requests[1]["messages"][-1]["content"]) == (
            ["A limpeza custa R$ 180,00."],
            True,
        )
