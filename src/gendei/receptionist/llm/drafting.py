"""The booking draft while a language model talks, so that guided can go on from where the model stopped.

Guided writes the draft itself. A model only calls tools; what it calls them with, and what the patient wrote since, is
put into the same draft here. Nothing is decided by it: a booking still takes an offered slot and the desk's yes."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from agents import Agent, RunContextWrapper, Tool
from agents.tool_context import ToolContext

from gendei.clinic import Service
from gendei.costs.model_costs import Prices
from gendei.receptionist.guided.guided_turn import GuidedTurn
from gendei.receptionist.guided.mentions import mentions_of
from gendei.receptionist.guided.rules import Meaning, rules
from gendei.receptionist.llm.models import ApiModels
from gendei.receptionist.llm.spending import CostHooks
from gendei.receptionist.offers.choices import Kind, parse_choice, start_from
from gendei.receptionist.offers.rendering import professional_name
from gendei.receptionist.runtime import Runtime
from gendei.receptionist.state import Goal, SchedulingState
from gendei.receptionist.tools.scheduling import MOVER
from gendei.receptionist.understanding.language import Vocabulary
from gendei.receptionist.understanding.one_wish import hear
from gendei.receptionist.understanding.patient_message import Understanding, typed_in
from gendei.receptionist.understanding.ranked_rules import first_of

RECALLED = 6
"""How many of the patient's earlier messages are looked through for what guided must not ask again."""
BOOKS = frozenset({Meaning.BOOK, Meaning.ANSWER_AND_BOOK})
ELSE = frozenset(
    {Meaning.CANCEL, Meaning.MOVE, Meaning.SHOW_APPOINTMENTS, Meaning.SHOW_PAST, Meaning.COME, Meaning.NOTE_LATE}
)
"""What is wished of an appointment that stands."""
HERE = frozenset({"topic", "cancel", "move", "appointments", "past_appointments", "late"})
OWN = frozenset({"minha", "meu"})


def note(runtime: Runtime, agent: str, tool: str, arguments: str, result: str) -> None:
    """Put one tool call of a model, both sides of it as JSON, into the draft. What failed changes nothing."""
    given, told = _mapping(arguments), _mapping(result)
    if not told.get("success"):
        if tool == "create_appointment" and "yes_choice" in (told.get("data") or {}):
            _held(runtime)
            runtime.state.patient_name = str(given.get("patient_name") or "").strip() or None
        return
    if tool == "get_available_slots" and agent != MOVER and isinstance(told.get("data"), Mapping):
        _searched(runtime, given, told["data"])
    elif tool == "hold_slot":
        _held(runtime)


def recall(runtime: Runtime, history: Sequence[Mapping[str, str]], told: int, vocabulary: Vocabulary) -> None:
    """Where a model talked before and the draft is empty, take service, professional, date and name of a booking that
    the patient wished for from what they wrote, newest first. `told`: how many of their messages a model has read since
    anything was changed in the agenda. Who wishes something else now, or did since, is reminded of no booking, and what
    was only asked about was not wished for."""
    earlier = [message["content"] for message in history if message["role"] == "user"][-min(told, RECALLED) :]
    if runtime.state.in_progress or not told or _means(runtime, typed_in(runtime.inputs), vocabulary)[1] in ELSE:
        return
    heard: list[Understanding] = []
    wishes: list[Understanding] = []
    for text in reversed(earlier):
        understood, meaning = _means(runtime, text, vocabulary)
        if meaning in ELSE:
            break
        heard.append(understood)
        if meaning in BOOKS and (understood.wants("book") or understood.says_when or "?" not in text):
            wishes.append(understood)
    service = next((found.service for found in [*wishes, *heard] if found.service), None)
    if wishes and service is not None:
        _draft(runtime, service, heard)


def _draft(runtime: Runtime, service: Service, told: Sequence[Understanding]) -> None:
    """A booking of `service`, with what else was told, newest first."""
    runtime.state = state = runtime.state.begun(Goal.BOOK)
    state.select_service(service.id, service.name)
    state.state = SchedulingState.SELECTING_DATE
    if professional := next((heard.professional for heard in told if heard.professional), None):
        state.want_professional(professional.id, professional.name)
    state.patient_name = next((heard.name for heard in told if heard.name), None)
    when = next((heard.when for heard in told if heard.says_when and heard.when), None)
    if when and when.date and not (when.past or when.over or when.impossible or len(when.alternatives) > 1):
        clock, start, end = (f"{hour:%H:%M}" if hour else None for hour in (when.time, when.time_from, when.time_to))
        state.select_date(when.date.isoformat(), clock, start, end)


def _means(runtime: Runtime, text: str, vocabulary: Vocabulary) -> tuple[Understanding, Meaning | None]:
    """A message of the patient's, and what guided takes it for."""
    heard = hear(
        text,
        clinic=runtime.clinic,
        vocabulary=vocabulary,
        vertical=runtime.vertical,
        now=runtime.now,
    )
    mentions = mentions_of(GuidedTurn(runtime, vocabulary, {}, runtime.agent), heard, text)
    if "few_facts" in mentions and not mentions & HERE and OWN.isdisjoint(heard.said):
        return heard, Meaning.BOOK  # "amanhã às 14h" answers a question: what the ear makes of it is a guess
    rule = first_of(rules(), mentions)
    return heard, rule.means if rule else None


def _searched(runtime: Runtime, given: Mapping[str, Any], data: Mapping[str, Any]) -> None:
    service = runtime.clinic.service(str(given.get("service_id")))
    if service is None:
        return
    if not runtime.state.in_progress or runtime.state.goal is not Goal.BOOK:
        runtime.state = runtime.state.begun(Goal.BOOK)
    state = runtime.state
    state.select_service(service.id, service.name)
    if professional := runtime.clinic.professional(str(given.get("professional_id"))):
        state.want_professional(professional.id, professional.name)
    state.select_date(str(data["date"]) if data.get("date") else None, None, None, None)
    state.state = SchedulingState.SELECTING_TIME


def _held(runtime: Runtime) -> None:
    """The slot that the standing question is about."""
    asked, state = parse_choice(runtime.state.question), runtime.state
    start = start_from(asked.args[2], runtime.clinic) if asked and asked.kind in {Kind.BOOK, Kind.MOVE_NOW} else None
    if asked is None or start is None:
        return
    if asked.kind is Kind.BOOK:
        service = runtime.clinic.service(asked.args[0])
        if not state.in_progress or state.goal is not Goal.BOOK:
            question, asked_at = state.question, state.asked_at
            runtime.state = state = state.begun(Goal.BOOK)
            state.question, state.asked_at = question, asked_at
        if service is not None:
            state.select_service(service.id, service.name)
    state.select_professional(asked.args[1], professional_name(runtime.clinic, asked.args[1]))
    state.select_date(start.date().isoformat(), f"{start:%H:%M}", None, None)
    state.state = SchedulingState.CONFIRMING


def _mapping(text: str) -> Mapping[str, Any]:
    with suppress(ValueError):
        parsed = json.loads(text)
        if isinstance(parsed, dict):
            return parsed
    return {}


class TurnHooks(CostHooks[Runtime]):
    """Follows the runs of a patient's turn. `outputs`: what our own tools returned of the clinic's data, as JSON, in
    order."""

    def __init__(self, models: ApiModels, prices: Prices) -> None:
        super().__init__(models, prices)
        self.outputs: list[str] = []

    async def on_tool_end(
        self, context: RunContextWrapper[Runtime], agent: Agent[Runtime], tool: Tool, result: object
    ) -> None:
        if tool.name in context.context.attached_names or tool.name == "search_knowledge":
            return  # what an entry says is known where the answer names it
        self.outputs.append(str(result))
        if isinstance(context, ToolContext):
            note(context.context, agent.name, tool.name, context.tool_arguments, str(result))
