"""The team on an OpenAI-compatible API over HTTP: what it is sent, and what comes of every kind of answer."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest
from agents import Agent, Runner
from tests.receptionist.front_desk import JOAO, MARIA, FrontDesk, Visitor, options, text
from tests.receptionist.openai_server import (
    Call,
    Fail,
    Garbage,
    Never,
    OpenAiServer,
    Say,
    Step,
    call,
    hand_off,
    openai_server,
)

from gendei.receptionist.llm.breaker import Breaker, BreakerState
from gendei.receptionist.llm.models import ApiModels, ModelLimits, Protocol, api_models

SLOT = {"service_id": "profilaxia", "professional_id": "livia", "date": "2026-11-24", "time": "14:00"}
SEARCH = call("get_available_slots", service_id="profilaxia", date="2026-11-24")
BOOK = call("create_appointment", **SLOT, patient_name="Maria Silva")
HOLD = call("hold_slot", **SLOT)
ASK = call("enviar_opcoes", texto="Posso marcar?", opcoes=["book|profilaxia|livia|2026-11-24T14:00", "Outro horário"])
AT_ONCE = ModelLimits(first_pause=0, longest_pause=0)


@dataclass
class Api:
    """The stand-in, the models that reach it, and the clock of their breaker."""

    server: OpenAiServer
    models: ApiModels
    seconds: float = 0.0


@pytest.fixture
async def api() -> AsyncIterator[Callable[..., Api]]:
    async with openai_server() as server:
        made: list[Api] = []

        def build(protocol: Protocol = "chat", limits: ModelLimits = AT_ONCE) -> Api:
            models = api_models("key", server.url, "gpt-4.1-mini", limits=limits, protocol=protocol)
            one = Api(server, models)
            one.models = replace(models, breaker=Breaker(clock=lambda: one.seconds))
            made.append(one)
            return one

        yield build
        for item in made:
            await item.models.close()


def patient(front_desk: FrontDesk, api: Api, **who: Any) -> Visitor:
    front_desk.models = api.models
    return front_desk.visitor("sorriso", **who)


@pytest.mark.parametrize("protocol", ["chat", "responses"])
async def test_a_booking_with_hand_off_goes_over_either_protocol(front_desk: FrontDesk, api, protocol: Protocol):
    over = api(protocol)
    over.server.will(hand_off("sales_closer"), SEARCH, HOLD, ASK, BOOK, Say("Te espero lá!"))
    maria = patient(front_desk, over)
    await maria.say("limpeza amanhã às 14h, pode marcar")
    outcome = await maria.say("sim, amanhã às 14h")
    assert (outcome.agent, "Sua consulta está confirmada" in text(outcome), outcome.failure) == (
        "sales_closer",
        True,
        None,
    )


@pytest.mark.parametrize("protocol", ["chat", "responses"])
@pytest.mark.parametrize("streamed", [False, True])
async def test_the_stand_in_speaks_whole_and_streamed(api, protocol: Protocol, streamed: bool):
    over = api(protocol)
    over.server.will(Say("Bom dia!"))
    agent = Agent[None](name="one", model=over.models.provider.get_model("gpt-4.1-mini"))
    if streamed:
        result: Any = Runner.run_streamed(agent, "oi", run_config=replace(over.models.run_config, model=None))
        assert [event async for event in result.stream_events()] != []
    else:
        result = await Runner.run(agent, "oi", run_config=over.models.run_config)
    assert (result.final_output, bool(over.server.requests[0].get("stream"))) == ("Bom dia!", streamed)


async def test_the_api_gets_the_settings_and_not_who_the_patient_is(front_desk: FrontDesk, api):
    over = api(limits=replace(AT_ONCE, temperature=0.1, max_tokens=300))
    over.server.will(Say("Olá!"))
    await patient(front_desk, over).say("oi")
    [asked] = over.server.requests
    assert (asked["model"], asked["temperature"], asked["max_tokens"], asked.get("store"), MARIA in str(asked)) == (
        "gpt-4.1-mini",
        0.1,
        300,
        None,
        False,
    )


async def test_responses_are_not_to_be_stored(front_desk: FrontDesk, api):
    over = api("responses")
    over.server.will(Say("Olá!"))
    await patient(front_desk, over).say("oi")
    assert over.server.requests[0]["store"] is False


@pytest.mark.parametrize("passing", [Fail(429, "rate_limit_exceeded", "0"), Fail(503), Fail(500)])
async def test_what_passes_is_tried_again(front_desk: FrontDesk, api, passing: Step):
    over = api()
    over.server.will(passing, Say("Olá, em que posso ajudar?"))
    outcome = await patient(front_desk, over).say("oi")
    assert (text(outcome), len(over.server.requests)) == ("Olá, em que posso ajudar?", 2)


@pytest.mark.parametrize(
    ("failing", "requests"),
    [
        ([Fail(429, "insufficient_quota")], 1),
        ([Fail(401, "invalid_api_key")], 1),
        ([Fail(404, "model_not_found")], 1),
        ([Fail(429, "rate_limit_exceeded", "120")], 1),
    ],
    ids=["quota", "key", "model", "asked to wait"],
)
async def test_an_api_in_trouble_rests_and_guided_answers_at_once(
    front_desk: FrontDesk, api, failing: list[Step], requests: int
):
    over = api()
    over.server.will(*failing)
    maria = patient(front_desk, over)
    first = await maria.say("quero uma limpeza amanhã às 14h")
    second = await maria.say("sim")
    assert (text(first).splitlines()[0], "confirmada" in text(second), second.failure) == (
        "Posso marcar assim?",
        True,
        None,
    )
    assert (len(over.server.requests), over.models.breaker.view.state) == (requests, BreakerState.OPEN)


async def test_one_patients_retries_keep_nobody_else_from_the_api(front_desk: FrontDesk, api):
    over = api()
    over.server.will(*[Fail(503)] * 4, Say("Olá!"))
    await patient(front_desk, over).say("quero uma limpeza amanhã às 14h")
    assert (len(over.server.requests), over.models.breaker.view.failures) == (4, 1)
    assert text(await patient(front_desk, over, contact=JOAO).say("oi")) == "Olá!"


async def test_after_three_turns_in_trouble_the_api_rests(front_desk: FrontDesk, api):
    over = api(limits=replace(AT_ONCE, retries=1))
    over.server.will(*[Fail(503)] * 6)
    for _ in range(4):
        await patient(front_desk, over).say("quero uma limpeza amanhã às 14h")
    assert (len(over.server.requests), over.models.breaker.view.state) == (5, BreakerState.OPEN)


async def test_a_request_that_the_api_dislikes_is_answered_by_guided_and_rests_nothing(front_desk: FrontDesk, api):
    over = api()
    over.server.will(Fail(400, "context_length_exceeded"))
    outcome = await patient(front_desk, over).say("quero uma limpeza amanhã às 14h")
    assert ("Posso marcar assim?" in text(outcome), over.models.breaker.view.state) == (True, BreakerState.CLOSED)


async def test_guided_goes_on_where_the_model_stopped_and_gives_back(front_desk: FrontDesk, api):
    over = api()
    maria = patient(front_desk, over)
    over.server.will(hand_off("sales_closer"), Say("Claro! Para qual dia?"))
    await maria.say("quero marcar uma limpeza com a Dra. Lívia")
    over.server.will(Fail(401))
    asked = await maria.say("amanhã às 14h")
    assert text(asked).splitlines()[:2] == ["Posso marcar assim?", "*Profilaxia (limpeza)* com Dra. Lívia Nogueira"]
    told = await maria.say("sim")
    assert "Sua consulta está confirmada" in text(told)
    over.seconds += 31
    over.server.will(Say("Por nada, até amanhã!"))
    assert text(await maria.say("obrigada")) == "Por nada, até amanhã!"
    assert over.models.breaker.view.state is BreakerState.CLOSED


async def test_a_yes_to_what_the_model_asked_is_a_yes_to_guided(front_desk: FrontDesk, api):
    over = api()
    maria = patient(front_desk, over)
    over.server.will(
        hand_off("sales_closer"), SEARCH, call("hold_slot", **SLOT), Say("Posso reservar terça, 24/11, às 14h?")
    )
    await maria.say("limpeza amanhã às 14h com a Lívia")
    over.server.will(Fail(401))
    told = await maria.say("sim")
    assert "Sua consulta está confirmada" in text(told)


async def test_a_call_that_takes_too_long_is_given_up(front_desk: FrontDesk, api):
    over = api(limits=replace(AT_ONCE, call_seconds=0.2))
    over.server.will(Never(), Never(), Never())
    outcome = await patient(front_desk, over).say("quero uma limpeza amanhã às 14h")
    assert ("Posso marcar assim?" in text(outcome), outcome.failure, len(over.server.requests)) == (
        True,
        "ModelTimeoutError",
        1,
    )


async def test_a_turn_that_takes_too_long_is_given_up_however_quick_its_calls(front_desk: FrontDesk, api):
    over = api(limits=replace(AT_ONCE, turn_seconds=0.3))
    over.server.will(hand_off("sales_closer"), Never())
    outcome = await patient(front_desk, over).say("quero uma limpeza amanhã às 14h")
    assert ("Posso marcar assim?" in text(outcome), over.models.breaker.view.failures) == (True, 1)


BAD = {
    "nothing": [Say("")],
    "broken arguments": [hand_off("sales_closer"), Call((("create_appointment", '{"service_id": '),)), Say("")],
    "arguments of another shape": [hand_off("sales_closer"), Call((("create_appointment", "[1, 2]"),)), Say("")],
    "wrong types": [hand_off("sales_closer"), call("get_available_slots", service_id=7, date=None), Say("")],
    "an unknown tool": [hand_off("sales_closer"), call("apagar_agenda", tudo=True), Say("")],
    "a tool of another agent": [call("cancel_appointment", appointment_id="1"), Say("")],
    "the same tool 50 times": [hand_off("sales_closer"), *[SEARCH] * 50],
    "50 calls at once": [hand_off("sales_closer"), Call((("get_services", {}),) * 50), Say("")],
    "50 bookings at once": [
        hand_off("sales_closer"),
        Call((("create_appointment", {**SLOT, "patient_name": "Maria Silva"}),) * 50),
        Say(""),
    ],
    "no JSON": [Garbage()],
    "another JSON": [Garbage('{"choices": "none"}')],
}


@pytest.mark.parametrize("steps", BAD.values(), ids=BAD)
@pytest.mark.parametrize("protocol", ["chat", "responses"])
async def test_a_bad_answer_ends_in_a_sensible_sentence_and_no_booking(
    front_desk: FrontDesk, api, protocol: Protocol, steps: list[Step]
):
    over = api(protocol)
    over.server.will(*steps)
    maria = patient(front_desk, over)
    outcome = await maria.say("quero uma limpeza amanhã às 14h")
    assert text(outcome).splitlines()[0] == "Posso marcar assim?"
    assert await front_desk.desk.appointments_of(maria.clinic, MARIA) == []
    assert await front_desk.desk.appointments_of(maria.clinic, JOAO) == []


async def test_no_more_than_a_few_calls_of_one_answer_are_made(front_desk: FrontDesk, api):
    over = api()
    days = (f"2026-12-{day:02d}" for day in range(1, 31))
    many = tuple(("get_available_slots", {"service_id": "profilaxia", "date": day}) for day in days)
    over.server.will(hand_off("sales_closer"), Call(many), Say("A limpeza custa R$ 180,00."))
    outcome = await patient(front_desk, over).say("quanto custa a limpeza?")
    assert (len(outcome.steps), text(outcome)) == (8, "A limpeza custa R$ 180,00.")


async def test_what_one_answer_calls_twice_is_called_once(front_desk: FrontDesk, api):
    over = api()
    over.server.will(hand_off("product_info"), Call((("get_services", {}),) * 50), Say("A limpeza custa R$ 180,00."))
    outcome = await patient(front_desk, over).say("quanto custa a limpeza?")
    assert (len(outcome.steps), text(outcome)) == (1, "A limpeza custa R$ 180,00.")


@pytest.mark.parametrize(
    ("said", "answered"),
    [
        ("estou com dor no peito e falta de ar", "192"),
        ("não quero mais viver", "188"),
        ("não quero mais receber mensagens", "não envio mais avisos"),
    ],
)
async def test_what_is_never_left_to_a_model_does_not_reach_it(front_desk: FrontDesk, api, said: str, answered: str):
    over = api()
    outcome = await patient(front_desk, over).say(said)
    assert (answered in text(outcome), over.server.requests) == (True, [])


async def test_a_model_may_offer_what_it_searched_and_the_tap_books(front_desk: FrontDesk, api):
    over = api()
    maria = patient(front_desk, over)
    over.server.will(
        hand_off("sales_closer"),
        SEARCH,
        call("hold_slot", **SLOT),
        call("enviar_opcoes", texto="Posso marcar?", opcoes=["book|profilaxia|livia|2026-11-24T14:00", "Outro"]),
    )
    asked = await maria.say("limpeza amanhã às 14h com a lívia")
    over.server.will(BOOK, Say(""))
    assert "Sua consulta está confirmada" in text(await maria.tap(options(asked)["Confirmar"]))
