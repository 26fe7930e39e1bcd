"""The team on Gemini and on OpenRouter, where they are unlike OpenAI: what they are sent, and what comes of it."""

from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any

import pytest
from agents import Agent, Runner
from openai import APIError
from tests.receptionist import gemini as google
from tests.receptionist import openrouter as router
from tests.receptionist.front_desk import MARIA, FrontDesk, Visitor, text
from tests.receptionist.gemini import gemini
from tests.receptionist.openai_server import Call, OpenAiServer, Raw, Say, Step, call, hand_off
from tests.receptionist.openrouter import openrouter

from gendei.receptionist.llm.api_dialects import Dialect, as_asked_of, dialect_of
from gendei.receptionist.llm.api_errors import Kind
from gendei.receptionist.llm.breaker import BreakerState
from gendei.receptionist.llm.known_models import Ways
from gendei.receptionist.llm.models import ApiModels, ModelLimits, api_models

SLOT = {"service_id": "profilaxia", "professional_id": "livia", "date": "2026-11-24", "time": "14:00"}
SEARCH = call("get_available_slots", service_id="profilaxia", date="2026-11-24")
TWO = Call((("get_services", {}), ("get_available_slots", {"service_id": "profilaxia", "date": "2026-11-24"})))
ASK = call("enviar_opcoes", texto="Posso marcar?", opcoes=["book|profilaxia|livia|2026-11-24T14:00", "Outro horário"])
BOOKING = (hand_off("sales_closer"), TWO, call("hold_slot", **SLOT), ASK)
BOOKED = (call("create_appointment", **SLOT, patient_name="Maria Silva"), Say("Te espero lá!"))
AT_ONCE = ModelLimits(first_pause=0, longest_pause=0)
HELLO = Say("Olá, em que posso ajudar?")
SPEAKS: dict[Dialect, Any] = {Dialect.GEMINI: gemini, Dialect.OPENROUTER: openrouter}
MODELS = {Dialect.GEMINI: "gemini-3.5-flash", Dialect.OPENROUTER: "google/gemini-3.5-flash"}
Reach = Callable[[Dialect], ApiModels]
FAILED_WITH_200 = Raw(
    {"id": "resp_1", "object": "response", "created_at": 1, "model": "gpt-6-luna", "status": "failed", "output": []}
    | {"error": {"code": "server_error", "message": "The model failed to generate a response."}}
)
"""Documented of OpenAI's responses (the object's `status` and `error`)."""


@pytest.fixture
async def reach(server: OpenAiServer) -> AsyncIterator[Reach]:
    made: list[ApiModels] = []

    def build(dialect: Dialect) -> ApiModels:
        made.append(api_models("key", server.url, MODELS[dialect], limits=AT_ONCE, dialect=dialect))
        return made[-1]

    yield build
    for item in made:
        await item.close()


def patient(front_desk: FrontDesk, models: ApiModels) -> Visitor:
    front_desk.models = models
    return front_desk.visitor("sorriso")


@pytest.mark.parametrize(
    ("address", "dialect"),
    [
        ("https://generativelanguage.googleapis.com/v1beta/openai/", Dialect.GEMINI),
        ("https://openrouter.ai/api/v1", Dialect.OPENROUTER),
        ("http://127.0.0.1:11434/v1", Dialect.OPENAI),
        ("https://openrouter.ai.example.com/v1", Dialect.OPENAI),
        (None, Dialect.OPENAI),
    ],
)
def test_the_address_tells_whose_api_it_is(address: str | None, dialect: Dialect):
    assert dialect_of(address) is dialect


@pytest.mark.parametrize("dialect", SPEAKS)
async def test_a_booking_with_two_calls_at_once_goes_over_either(
    front_desk: FrontDesk, server: OpenAiServer, reach: Reach, dialect: Dialect
):
    models = reach(dialect)
    maria = patient(front_desk, models)
    server.will(*SPEAKS[dialect](*BOOKING, *BOOKED))
    await maria.say("limpeza amanhã às 14h, pode marcar")
    outcome = await maria.say("sim")
    assert ("Sua consulta está confirmada" in text(outcome), outcome.failure) == (True, None)
    assert len(await front_desk.desk.appointments_of(maria.clinic, MARIA)) == 1


async def test_each_result_finds_its_call_though_gemini_gave_neither_an_id(
    front_desk: FrontDesk, server: OpenAiServer, reach: Reach
):
    server.will(*gemini(hand_off("sales_closer"), TWO, HELLO))
    await patient(front_desk, reach(Dialect.GEMINI)).say("oi")
    [calls] = [
        message["tool_calls"]
        for message in server.requests[-1]["messages"]
        if len(message.get("tool_calls") or []) == 2
    ]
    results = {
        message["tool_call_id"]: message["name"]
        for message in server.requests[-1]["messages"]
        if message["role"] == "tool"
    }
    assert [results[entry["id"]] for entry in calls] == ["get_services", "get_available_slots"]


PASSING = [
    (Dialect.GEMINI, google.exhausted("GenerateRequestsPerMinutePerProjectPerModel", "0s")),
    (Dialect.GEMINI, google.OVERLOADED),
    (Dialect.OPENROUTER, router.MODEL_DOWN),
    (Dialect.OPENROUTER, router.BROKE_OFF),
    (Dialect.OPENROUTER, router.TOO_MUCH_AT_ONCE),
    (Dialect.OPENROUTER, router.failed(503)),
]


@pytest.mark.parametrize(("dialect", "passing"), PASSING)
async def test_what_passes_is_tried_again(
    front_desk: FrontDesk, server: OpenAiServer, reach: Reach, dialect: Dialect, passing: Step
):
    models = reach(dialect)
    server.will(passing, *SPEAKS[dialect](HELLO))
    outcome = await patient(front_desk, models).say("oi")
    assert (text(outcome), len(server.requests), models.breaker.view.state) == (HELLO.text, 2, BreakerState.CLOSED)


OF_AN_EFFORT = google.failed(
    400, "INVALID_ARGUMENT", "Invalid reasoning_effort: low. Valid values are: high, medium, minimal"
)


async def test_an_effort_that_a_model_of_gemini_does_not_have_is_left_out(
    front_desk: FrontDesk, server: OpenAiServer, reach: Reach
):
    models = reach(Dialect.GEMINI)
    models.ways.learned[MODELS[Dialect.GEMINI]] = Ways(effort="low")
    server.will(OF_AN_EFFORT, *gemini(HELLO))
    assert text(await patient(front_desk, models).say("oi")) == HELLO.text
    assert ["reasoning_effort" in asked for asked in server.requests] == [True, False]


async def test_an_answer_of_200_that_failed_is_tried_again(front_desk: FrontDesk, server: OpenAiServer):
    models = api_models("key", server.url, "gpt-6-luna", limits=AT_ONCE, protocol="responses")
    server.will(FAILED_WITH_200, HELLO)
    outcome = await patient(front_desk, models).say("oi")
    assert (text(outcome), len(server.requests), models.breaker.view.state) == (HELLO.text, 2, BreakerState.CLOSED)
    await models.close()


RESTING = [
    (Dialect.GEMINI, google.exhausted("GenerateRequestsPerDayPerProjectPerModel-FreeTier", "47s"), Kind.QUOTA),
    (Dialect.GEMINI, google.exhausted("GenerateRequestsPerMinutePerProjectPerModel", "47s"), Kind.RATE_LIMITED),
    (Dialect.GEMINI, google.BAD_KEY, Kind.REFUSED),
    (Dialect.GEMINI, google.NO_BILLING, Kind.REFUSED),
    (Dialect.OPENROUTER, router.NO_CREDITS, Kind.QUOTA),
    (Dialect.OPENROUTER, router.failed(401), Kind.REFUSED),
    (Dialect.OPENROUTER, router.failed(403), Kind.REFUSED),
]


@pytest.mark.parametrize(("dialect", "failing", "reason"), RESTING)
async def test_what_lasts_is_not_tried_again_and_the_api_rests(
    front_desk: FrontDesk, server: OpenAiServer, reach: Reach, dialect: Dialect, failing: Step, reason: Kind
):
    models = reach(dialect)
    server.will(failing)
    outcome = await patient(front_desk, models).say("quero uma limpeza amanhã às 14h")
    view = models.breaker.view
    assert (len(server.requests), view.state, view.reason) == (1, BreakerState.OPEN, reason)
    assert text(outcome).splitlines()[0] == "Posso marcar assim?"


OF_THE_TURN = [
    (Dialect.GEMINI, google.failed(400, "INVALID_ARGUMENT", "Request contains an invalid argument.")),
    (Dialect.GEMINI, google.BLOCKED),
    (Dialect.OPENROUTER, router.FLAGGED),
]


@pytest.mark.parametrize(("dialect", "refused"), OF_THE_TURN)
async def test_what_the_model_would_not_read_is_answered_by_guided_that_turn_alone(
    front_desk: FrontDesk, server: OpenAiServer, reach: Reach, dialect: Dialect, refused: Step
):
    models = reach(dialect)
    server.will(refused, *SPEAKS[dialect](HELLO))
    maria = patient(front_desk, models)
    outcome = await maria.say("quero uma limpeza amanhã às 14h")
    assert (text(outcome).splitlines()[0], models.breaker.view.state) == ("Posso marcar assim?", BreakerState.CLOSED)
    assert (text(await maria.say("oi")), len(server.requests)) == (HELLO.text, 2)


def test_a_schema_for_gemini_has_no_references_and_no_keywords_that_it_does_not_know():
    item = {
        "type": "object",
        "properties": {"strict": {"type": "string", "const": "a"}, "more": {"$ref": "#/$defs/Item"}},
    }
    schema = {
        "$defs": {"Item": item},
        "type": "object",
        "additionalProperties": False,
        "properties": {"items": {"type": "array", "items": {"$ref": "#/$defs/Item", "description": "One."}}},
    }
    tool = {"type": "function", "function": {"name": "show", "parameters": schema, "strict": True}}
    asked = as_asked_of(Dialect.GEMINI, {"model": "m", "messages": [], "tools": [tool]})
    shown = {"strict": {"type": "string"}, "more": {"type": "object"}}
    rows = {"type": "array", "items": {"type": "object", "properties": shown, "description": "One."}}
    plain = {"type": "object", "properties": {"items": rows}}
    assert asked["tools"] == [{"type": "function", "function": {"name": "show", "parameters": plain}}]


async def streamed(models: ApiModels) -> str:
    agent = Agent[None](name="one", model=models.provider.get_model("m"))
    result = Runner.run_streamed(agent, "oi", run_config=replace(models.run_config, model=None))
    async for _event in result.stream_events():
        pass
    return str(result.final_output)


async def test_comments_between_the_events_of_a_stream_are_passed_over(server: OpenAiServer, reach: Reach):
    server.will(router.STREAMED)
    assert await streamed(reach(Dialect.OPENROUTER)) == "Bom dia!"


async def test_a_stream_that_breaks_off_is_an_error_and_no_short_answer(server: OpenAiServer, reach: Reach):
    server.will(router.BROKE_OFF_STREAMED)
    with pytest.raises(APIError, match="Provider disconnected"):
        await streamed(reach(Dialect.OPENROUTER))
