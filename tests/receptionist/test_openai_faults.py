"""OpenAI's own faults over both protocols: the patient is answered in any case, and the API rests where it should."""

from collections.abc import AsyncIterator, Callable

import pytest
from tests.receptionist import openai_faults as openai
from tests.receptionist.front_desk import FrontDesk, Visitor, text
from tests.receptionist.openai_server import Asked, OpenAiServer, Say, Step

from gendei.receptionist.llm.api_errors import Kind
from gendei.receptionist.llm.breaker import BreakerState
from gendei.receptionist.llm.models import ApiModels, ModelLimits, Protocol, api_models

HELLO = Say("Olá, em que posso ajudar?")
BOTH = pytest.mark.parametrize("protocol", ["chat", "responses"])


@pytest.fixture
async def on(server: OpenAiServer, front_desk: FrontDesk) -> AsyncIterator[Callable[[Protocol], Visitor]]:
    made: list[ApiModels] = []

    def build(protocol: Protocol) -> Visitor:
        limits = ModelLimits(first_pause=0, longest_pause=0)
        made.append(api_models("key", server.url, "gpt-4.1", limits=limits, protocol=protocol))
        front_desk.models = made[-1]
        return front_desk.visitor("sorriso")

    yield build
    for item in made:
        await item.close()


@BOTH
@pytest.mark.parametrize(
    "passing",
    [openai.TOO_FAST, openai.SERVER_ERROR, openai.OVERLOADED, openai.BAD_GATEWAY],
    ids=lambda step: step.status,
)
async def test_what_passes_is_tried_again(server: OpenAiServer, on, protocol: Protocol, passing: Step):
    server.will(passing, HELLO)
    maria = on(protocol)
    outcome = await maria.say("oi")
    state = maria.receptionist.models.breaker.view.state
    assert (text(outcome), len(server.requests), state) == (HELLO.text, 2, BreakerState.CLOSED)


@BOTH
@pytest.mark.parametrize(
    ("lasting", "kind"),
    [
        (openai.BAD_KEY, Kind.REFUSED),
        (openai.WRONG_COUNTRY, Kind.REFUSED),
        (openai.NO_MODEL, Kind.REFUSED),
        (openai.NO_CREDIT, Kind.QUOTA),
        (openai.FOR_THE_DAY, Kind.RATE_LIMITED),
    ],
    ids=["key", "country", "model", "credit", "day"],
)
async def test_what_lasts_rests_the_api_at_once(
    server: OpenAiServer, on, protocol: Protocol, lasting: Step, kind: Kind
):
    server.will(lasting)
    maria = on(protocol)
    outcome = await maria.say("quero uma limpeza amanhã às 14h")
    view = maria.receptionist.models.breaker.view
    assert (len(server.requests), view.state, view.reason) == (1, BreakerState.OPEN, kind)
    assert text(outcome).startswith("Posso marcar assim?")


@BOTH
@pytest.mark.parametrize(
    "of_the_turn", [openai.TOO_LONG, openai.AGAINST_POLICY, openai.FILTERED], ids=["long", "policy", "filtered"]
)
async def test_what_is_wrong_with_one_request_is_guideds_that_turn_alone(
    server: OpenAiServer, on, protocol: Protocol, of_the_turn: Step | Asked
):
    server.will(of_the_turn, HELLO)
    maria = on(protocol)
    outcome = await maria.say("quero uma limpeza amanhã às 14h")
    assert (text(outcome).startswith("Posso marcar assim?"), len(server.requests)) == (True, 1)
    assert maria.receptionist.models.breaker.view.state is BreakerState.CLOSED
    assert text(await maria.say("oi")) == HELLO.text
