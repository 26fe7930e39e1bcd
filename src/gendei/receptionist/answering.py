"""One turn of the receptionist: the team runs, what it says is checked, and the patient always gets an answer."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from agents import RunConfig, Runner
from agents.items import TResponseInputItem

from gendei.booking.desk import BookingDesk
from gendei.clinic import Clinic
from gendei.prompts import Phrases, PromptSet
from gendei.receptionist.contract import PatientInput, TurnInput, TurnOutcome
from gendei.receptionist.guardrails import claims_booking
from gendei.receptionist.guided.dialogue import converse
from gendei.receptionist.guided.model import GuidedModel
from gendei.receptionist.guided.talk import Routes, Talk
from gendei.receptionist.language import Vocabulary, words
from gendei.receptionist.models import ApiModels, guided_run_config
from gendei.receptionist.rendering import appointment_line, change_text
from gendei.receptionist.replies import Reply
from gendei.receptionist.runtime import Runtime
from gendei.receptionist.state import SchedulingAgentState
from gendei.receptionist.team import Team
from gendei.receptionist.typed import resolve_typed
from gendei.verticals import Vertical

RUN_SECONDS = 45.0
"""A model's whole turn; the conversation's own limit is above it."""
MAX_STEPS = 15
"""Model calls in one turn: a booking with hand-off, search, hold, booking and confirmation takes seven."""
MAX_TEXT = 4096
MAX_HISTORY = 20
"""Seed 1: how many earlier messages a model reads."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class TeamReceptionist:
    """The agents of `team` on `models`, or on guided where that is None. When the API fails, guided answers the
    turn: the patient can still book."""

    team: Team
    prompts: PromptSet
    phrases: Phrases
    verticals: Mapping[str, Vertical]
    vocabulary: Vocabulary
    desk: BookingDesk
    models: ApiModels | None = None

    async def answer(self, turn: TurnInput) -> TurnOutcome:
        runtime = self._runtime(turn)
        failure = None
        try:
            if self.models is None or self._about_messages(runtime):
                await self._guided(runtime)
            else:
                failure = await self._api(runtime, turn, self.models)
        except Exception as error:  # noqa: BLE001  # no turn ends in silence, whatever broke (promise 9)
            failure = _described(error)
            runtime.replies = [Reply(runtime.say("apology"))]
        failure = ": ".join(filter(None, [failure, *runtime.tool_failures[:1]])) or None
        return _outcome(runtime, failure)

    def apology(self, clinic: Clinic) -> str:
        """What the patient reads when no answer could be given."""
        terms = self.verticals[clinic.vertical].for_clinic(clinic).words()
        return self.phrases.say("apology", 0, **terms, clinic_name=clinic.name)

    def _about_messages(self, runtime: Runtime) -> bool:
        """Whether the patient wants no more messages that we start, or wants them again: never left to a model."""
        said = words("\n".join(one.text for one in runtime.inputs if not one.choice))
        return any(self.vocabulary.insists(intent, said) for intent in ("opt_out", "opt_in"))

    def _runtime(self, turn: TurnInput) -> Runtime:
        clinic = turn.clinic
        vertical = self.verticals[clinic.vertical].for_clinic(clinic)
        state = _remembered(turn)
        runtime = Runtime(
            clinic=clinic,
            vertical=vertical,
            words={**vertical.words(), "clinic_name": clinic.name},
            phrases=self.phrases,
            desk=self.desk,
            contact=turn.contact,
            phone=turn.phone,
            channel=turn.channel,
            user_name=turn.user_name,
            now=turn.now,
            inputs=resolve_typed(turn.inputs, state.shown, clinic, turn.now),
            state=state,
            agent=turn.agent if turn.agent in self.team else "triage",
        )
        runtime.tap_stands = state.stands(str(runtime.tapped), turn.now)
        return runtime

    async def _guided(self, runtime: Runtime) -> None:
        routes: Routes = {prompt.name: prompt.handoffs for prompt in self.prompts}
        talk = Talk(runtime, self.vocabulary, routes, runtime.agent)
        model = GuidedModel(converse(talk))
        text = await self._run(runtime, [{"role": "user", "content": "-"}], guided_run_config(model))
        if text:
            runtime.replies.append(Reply(text))

    async def _api(self, runtime: Runtime, turn: TurnInput, models: ApiModels) -> str | None:
        """Run on the API; returns why guided had to answer, or None."""
        runtime.appointments = await self.desk.appointments_of(runtime.clinic, runtime.contact, upcoming_only=True)
        items = _items(runtime, turn.history)
        try:
            await self._honest(runtime, items, models.run_config)
        except Exception as error:  # noqa: BLE001  # any failure of an API means the same: guided answers
            _log.warning("model failed, guided answers: %s", type(error).__name__)
            if not runtime.changes:
                fresh = self._runtime(turn)
                runtime.replies, runtime.state, runtime.agent = [], fresh.state, fresh.agent
                runtime.appointments = None
                await self._guided(runtime)
            return _described(error)
        return None

    async def _honest(self, runtime: Runtime, items: list[TResponseInputItem], config: RunConfig) -> None:
        """Run, and once more with the facts when the model claims a booking that was not committed."""
        text = await self._run(runtime, items, config)
        if self._unproven(runtime, text):
            runtime.replies = []
            note: TResponseInputItem = {"role": "system", "content": runtime.say("correct_claim")}
            text = await self._run(runtime, [*items, note], config)
            if self._unproven(runtime, text):
                runtime.replies, text = [], runtime.say("not_booked_yet")
        if text:
            runtime.replies.append(Reply(text))
        _replace_claims(runtime)

    def _unproven(self, runtime: Runtime, text: str) -> bool:
        return not runtime.changes and not runtime.seen and _any_claim(runtime, text)

    async def _run(self, runtime: Runtime, items: list[TResponseInputItem], config: RunConfig) -> str:
        async with asyncio.timeout(RUN_SECONDS):
            result = await Runner.run(
                self.team[runtime.agent], items, context=runtime, max_turns=MAX_STEPS, run_config=config
            )
        runtime.agent = result.last_agent.name
        return str(result.final_output or "").strip()


def _remembered(turn: TurnInput) -> SchedulingAgentState:
    """The draft as the last turn left it; a new one where this version cannot read it, or every turn would fail."""
    try:
        return SchedulingAgentState.from_dict(turn.state)
    except (KeyError, TypeError, ValueError) as error:
        _log.error("an agentState of clinic %s cannot be read: %s", turn.clinic.id, type(error).__name__)
        return SchedulingAgentState()


def _items(runtime: Runtime, history: Sequence[Mapping[str, str]]) -> list[TResponseInputItem]:
    """History and the new messages as the model reads them; a chosen option shows its id, to be used in tools, and
    whether its question is over."""
    earlier: list[TResponseInputItem] = [
        {"role": "assistant", "content": one["content"]}
        if one["role"] == "assistant"
        else {"role": "user" if one["role"] == "user" else "system", "content": one["content"]}
        for one in history[-MAX_HISTORY:]
    ]
    now: list[TResponseInputItem] = [{"role": "user", "content": _content(one)} for one in runtime.inputs]
    if runtime.old_yes:
        now.append({"role": "system", "content": runtime.say("refusal_old_yes")})
    return earlier + now


def _content(one: PatientInput) -> str:
    return f"{one.text} [{one.choice}]" if one.choice else one.text or f"[{one.kind}]"


def _any_claim(runtime: Runtime, text: str) -> bool:
    rendered = {reply.text for reply in runtime.rendered}
    return claims_booking(text) or any(
        claims_booking(reply.text) for reply in runtime.replies if reply.text not in rendered
    )


def _replace_claims(runtime: Runtime) -> None:
    """The model's own words about a booking give way to text rendered from the store."""
    rendered = {reply.text for reply in runtime.rendered}
    honest = [one for one in runtime.replies if one.text in rendered or not claims_booking(one.text)]
    if len(honest) != len(runtime.replies) and not runtime.changes:
        lines = "\n".join(appointment_line(one, runtime) for one in runtime.seen.values())
        honest.append(Reply(f"{runtime.say('your_appointments')}\n\n{lines}"))
    runtime.replies = honest


def _outcome(runtime: Runtime, failure: str | None) -> TurnOutcome:
    for change, appointment in runtime.changes:
        runtime.tell(change, appointment, Reply(change_text(change, appointment, runtime)))
    if runtime.takeover_reason and not runtime.replies:
        runtime.replies.append(Reply(runtime.say("handover_started")))
    if not runtime.replies:
        runtime.replies.append(Reply(runtime.say("not_understood")))
    if not any(reply.options for reply in runtime.replies):
        runtime.state.shown = []
    return TurnOutcome(
        replies=_merged(runtime.replies),
        agent=runtime.agent,
        state=runtime.state.to_dict(),
        takeover_reason=runtime.takeover_reason,
        urgent=runtime.urgent,
        patient_id=runtime.patient_id,
        steps=tuple(runtime.steps),
        failure=failure,
        opt_out=runtime.opt_out,
    )


def _merged(replies: list[Reply]) -> tuple[Reply, ...]:
    """Plain texts join what follows them: each message costs money, and repeating oneself looks broken."""
    merged: list[Reply] = []
    for reply in replies:
        last = merged[-1] if merged else None
        if last is None or last.options or last.link or len(last.text) + len(reply.text) + 2 > MAX_TEXT:
            merged.append(reply)
        elif reply.text != last.text or reply.options or reply.link:
            text = reply.text if reply.text == last.text else f"{last.text}\n\n{reply.text}"
            merged[-1] = replace(reply, text=text)
    return tuple(merged)


def _described(error: BaseException) -> str:
    """For staff and operators: the kind of error, never its text, which may hold a patient's words."""
    cause = error.__cause__
    name = type(error).__name__
    return f"{name} ({type(cause).__name__})" if cause else name
