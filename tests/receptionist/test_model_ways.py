"""What models are asked with: by what is known of each, and by what it refused."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from tests.receptionist.front_desk import JOAO, FrontDesk, text
from tests.receptionist.openai_server import OpenAiServer, Say, call, hand_off
from tests.receptionist.reasoner import NO_TOOLS_WHILE_IT_REASONS, reasoner, refusal, refusing, unsupported

from gendei.clinic import Contact
from gendei.costs.model_costs import load_prices
from gendei.datafile import data_dir
from gendei.prompts import load_prompts
from gendei.receptionist.llm.breaker import BreakerState
from gendei.receptionist.llm.known_models import KnownWays, Ways, load_ways
from gendei.receptionist.llm.models import ApiModels, ModelLimits, Protocol, api_models
from gendei.receptionist.tools import CATEGORIES, CATEGORY_OF
from gendei.verticals import TERM_FORMS

PROMPTS = data_dir("prompts")
SEARCH = call("get_available_slots", service_id="profilaxia", date="2026-11-24")
HELLO = Say("Olá! Como posso ajudar?")
BOTH: list[Protocol] = ["chat", "responses"]
Reach = Callable[..., ApiModels]


@pytest.fixture
async def reach(server: OpenAiServer) -> AsyncIterator[Reach]:
    made: list[ApiModels] = []

    def build(protocol: Protocol, model: str = "unheard-of", ways: KnownWays | None = None) -> ApiModels:
        limits = ModelLimits(first_pause=0, longest_pause=0)
        made.append(api_models("key", server.url, model, limits=limits, protocol=protocol, ways=ways))
        return made[-1]

    yield build
    for item in made:
        await item.close()


@pytest.mark.parametrize("protocol", BOTH)
async def test_an_unknown_model_is_asked_once_without_what_it_refuses_and_never_again_with_it(
    front_desk: FrontDesk, server: OpenAiServer, reach: Reach, protocol: Protocol
):
    front_desk.models = models = reach(protocol)
    refusals = {"chat": 2, "responses": 1}[protocol]  # chat completions call the limit of an answer otherwise, too
    server.will(*reasoner(*[HELLO] * (refusals + 1)))
    assert text(await front_desk.visitor("sorriso").say("oi")) == HELLO.text
    assert (len(server.requests), models.breaker.view.state) == (refusals + 1, BreakerState.CLOSED)
    server.will(*reasoner(HELLO))
    assert text(await front_desk.visitor("sorriso", contact=JOAO).say("oi")) == HELLO.text
    assert (len(server.requests), "temperature" in server.requests[-1]) == (refusals + 2, False)


@pytest.mark.parametrize("protocol", BOTH)
async def test_a_known_model_is_asked_with_what_it_takes_from_the_start(
    front_desk: FrontDesk, server: OpenAiServer, reach: Reach, protocol: Protocol
):
    front_desk.models = reach(protocol, "openai/o3-2025-04-16", load_ways(PROMPTS))
    server.will(*reasoner(hand_off("greeter"), HELLO, refuses=["parallel_tool_calls", "none"]))
    outcome = await front_desk.visitor("sorriso").say("oi")
    assert (text(outcome), outcome.failure, len(server.requests)) == (HELLO.text, None, 2)
    asked = server.requests[0]
    effort = asked.get("reasoning_effort") or asked["reasoning"]["effort"]
    assert (effort, asked.get("max_completion_tokens") or asked["max_output_tokens"]) == ("low", 2048)


async def test_what_one_model_refuses_another_is_still_asked_with(
    front_desk: FrontDesk, server: OpenAiServer, reach: Reach
):
    models = reach("chat")
    models.ways.learned["unheard-of"] = Ways(temperature=False)
    front_desk.models = reach("chat", "another")
    server.will(HELLO)
    await front_desk.visitor("sorriso").say("oi")
    assert server.requests[0]["temperature"] == 0.3


@pytest.mark.parametrize(
    ("refuses", "learned"),
    [
        (["parallel_tool_calls"], {"parallel_calls": False}),
        (["strict"], {"strict": False}),
        (["tools"], {"effort": "none"}),
    ],
)
async def test_each_parameter_that_a_model_refuses_is_learned(
    front_desk: FrontDesk, server: OpenAiServer, reach: Reach, refuses: list[str], learned: dict[str, object]
):
    front_desk.models = models = reach("chat", ways=KnownWays(models={"unheard": Ways(temperature=False)}))
    server.will(*reasoner(*[hand_off("greeter")] * 3, HELLO, refuses=refuses))
    outcome = await front_desk.visitor("sorriso").say("oi")
    expected = Ways(temperature=False, completion_tokens=True).model_copy(update=learned)
    assert (text(outcome), models.ways.of("unheard-of")) == (HELLO.text, expected)


async def test_an_effort_that_a_model_does_not_have_is_left_out(
    front_desk: FrontDesk, server: OpenAiServer, reach: Reach
):
    known = KnownWays(models={"unheard": Ways(temperature=False, effort="none")})
    front_desk.models = models = reach("responses", ways=known)
    server.will(*reasoner(HELLO, HELLO, refuses=["none"]))
    assert text(await front_desk.visitor("sorriso").say("oi")) == HELLO.text
    assert (models.ways.of("unheard-of").effort, "reasoning" in server.requests[1]) == (None, False)


@pytest.mark.parametrize("times", [2, 5])
async def test_a_model_that_refuses_the_same_again_is_not_asked_for_ever(
    front_desk: FrontDesk, server: OpenAiServer, reach: Reach, times: int
):
    front_desk.models = models = reach("chat")
    server.will(*[NO_TOOLS_WHILE_IT_REASONS] * times)
    outcome = await front_desk.visitor("sorriso").say("quero uma limpeza amanhã às 14h")
    assert ("Posso marcar assim?" in text(outcome), len(server.requests)) == (True, 2)
    assert models.breaker.view.state is BreakerState.CLOSED


async def test_a_400_that_is_about_no_parameter_is_not_asked_again(
    front_desk: FrontDesk, server: OpenAiServer, reach: Reach
):
    front_desk.models = reach("chat")
    server.will(unsupported("messages", "Invalid 'messages': the conversation is too long.", "context_length_exceeded"))
    await front_desk.visitor("sorriso").say("oi")
    assert len(server.requests) == 1


async def test_patients_who_write_at_once_are_all_answered_while_it_is_learned(
    front_desk: FrontDesk, server: OpenAiServer, reach: Reach
):
    front_desk.models = reach("responses")
    server.gate = refusing()
    server.will(*[HELLO] * 5)
    visitors = [front_desk.visitor("sorriso", contact=Contact(f"+551199999100{number}")) for number in range(5)]
    outcomes = await asyncio.gather(*(visitor.say("oi") for visitor in visitors))
    assert [(text(outcome), outcome.failure) for outcome in outcomes] == [(HELLO.text, None)] * 5


async def test_a_message_that_happens_to_name_a_parameter_changes_nothing(
    front_desk: FrontDesk, server: OpenAiServer, reach: Reach
):
    front_desk.models = models = reach("chat")
    server.will(unsupported("messages", "Please include fewer messages: thinking takes its time.", None))
    await front_desk.visitor("sorriso").say("oi")
    assert (len(server.requests), models.ways.learned) == (1, {})


async def test_a_message_that_names_the_parameter_is_enough(front_desk: FrontDesk, server: OpenAiServer, reach: Reach):
    front_desk.models = models = reach("chat")
    wrapped = unsupported("", "openai error: 'max_tokens' is not supported. Use 'max_completion_tokens' instead.", None)
    server.will(wrapped, HELLO)
    assert text(await front_desk.visitor("sorriso").say("oi")) == HELLO.text
    assert (models.ways.of("unheard-of").completion_tokens, "max_tokens" in server.requests[1]) == (True, False)


@pytest.mark.parametrize("protocol", BOTH)
async def test_a_refusal_is_no_answer_and_guided_gives_one(
    front_desk: FrontDesk, server: OpenAiServer, reach: Reach, protocol: Protocol
):
    front_desk.models = models = reach(protocol)
    server.will(refusal("I'm sorry, I can't help with that."))
    outcome = await front_desk.visitor("sorriso").say("quero uma limpeza amanhã às 14h")
    assert ("Posso marcar assim?" in text(outcome), "sorry" in text(outcome)) == (True, False)
    assert (models.figures.fallbacks["refused"], models.breaker.view.state) == (1, BreakerState.CLOSED)


def test_the_longest_beginning_of_a_name_counts():
    known = KnownWays(models={"gpt-5": Ways(effort="minimal"), "gpt-5.": Ways(effort="none")})
    efforts = [known.of(name).effort for name in ("gpt-5-mini", "openai/gpt-5.4-mini", "gpt-4.1")]
    assert efforts == ["minimal", "none", None]


def test_the_models_of_the_prompts_are_known_with_their_prices():
    prompts = load_prompts(PROMPTS, CATEGORY_OF, TERM_FORMS, CATEGORIES)
    prices, ways = load_prices(PROMPTS), load_ways(PROMPTS)
    for model in {prompt.model for prompt in prompts}:
        assert (model in prices.models, ways.of(model) != Ways()) == (True, True)


def test_a_mistake_in_the_file_is_named(tmp_path: Path):
    (tmp_path / "models.yaml").write_text("models:\n  one: {effort: much}\n")
    with pytest.raises(Exception, match=r"models\.yaml: line 2, models\.one\.effort"):
        load_ways(tmp_path)
