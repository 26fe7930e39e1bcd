"""One turn of the receptionist: the team runs, what it says is checked, and the patient always gets an answer."""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

from gendei.booking.deposit_desk import DepositDesk
from gendei.booking.desk import BookingDesk
from gendei.clinic import Clinic
from gendei.clinic_services import ModelStyle
from gendei.costs.model_costs import Prices, Spent, UsageLedger
from gendei.ear.model import own_ear
from gendei.knowledge.knowledge_base import KnowledgeBase
from gendei.messages.called_for import settled
from gendei.messages.replies import Reply, merged
from gendei.messages.turns import TurnInput, TurnOutcome
from gendei.off_loop import off_loop
from gendei.prompts import Phrases, PromptSet
from gendei.receptionist.asked_data import is_answered, take_given
from gendei.receptionist.capabilities.paying import is_about_deposit, take_owed
from gendei.receptionist.capabilities.survey import is_answer, take_survey
from gendei.receptionist.guided.carrying_out import carry_out
from gendei.receptionist.guided.dialogue import converse
from gendei.receptionist.guided.guided_turn import GuidedTurn, Routes
from gendei.receptionist.llm.api_turn import ApiTurn
from gendei.receptionist.llm.clinic_models import ClinicModels
from gendei.receptionist.llm.drafting import RECALLED, TurnHooks, recall
from gendei.receptionist.llm.guardrails import Guard
from gendei.receptionist.llm.models import ApiModels
from gendei.receptionist.llm.spending import ApiUse
from gendei.receptionist.llm.summaries import Memory, since
from gendei.receptionist.of_clinic import vertical_of
from gendei.receptionist.offers.costs import keep_plan
from gendei.receptionist.offers.deposit_terms import note_read
from gendei.receptionist.offers.questions import agreed_to, only_agrees, show_question
from gendei.receptionist.offers.rendering import change_text, charges_begun, deposits_due
from gendei.receptionist.plain_answers import is_plain, of_somebody
from gendei.receptionist.presence import word_of_coming
from gendei.receptionist.recap import recap
from gendei.receptionist.runtime import Runtime
from gendei.receptionist.staff_answers import reassured, when_answered
from gendei.receptionist.state import SchedulingAgentState
from gendei.receptionist.strict_mode import StrictMode
from gendei.receptionist.survey_taps import SurveyTaps, chosen_in
from gendei.receptionist.team import Team
from gendei.receptionist.tools.attached import AttachedTools, attached_tools
from gendei.receptionist.tools.knowing import keep_unanswered
from gendei.receptionist.tools.registry import TOOL_SECONDS
from gendei.receptionist.turn_rules import broken_rules
from gendei.receptionist.turn_trace import TurnTrace
from gendei.receptionist.understanding.language import ALARMS, HARMLESS, Vocabulary, name_in, words
from gendei.receptionist.understanding.one_wish import hear
from gendei.receptionist.understanding.patient_message import Understanding, typed_in
from gendei.receptionist.understood import understood
from gendei.verticals import Vertical
from gendei.waiting.waiting_list import WaitingList

GUIDED_SECONDS = 12.0
"""A guided turn, whose time the store takes. With ModelLimits.turn_seconds before it, it stays below the
conversation's own limit."""
MAX_STEPS = 15
LAST = 8
"""Messages among which the last two of ours are looked for."""
RULE_BROKEN = "TurnRuleBroken"
"""The kind of failure that staff see where a turn broke one of turn_rules.RULES."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class TeamReceptionist:
    """The agents of `team` on `models`, or on guided where that is None. When the API fails, rests, or has cost the
    clinic enough for a day, guided answers the turn: the patient can still book. `clinic_models`: the clinics' own in
    place of those. `ledger`: where costs are counted. `attached`: the tools of the clinics' own servers, which are for
    models alone. `broken`: how often each of the rules of a turn was broken by what would have been answered. `strict`:
    what strict mode needs; `style`: of clinics that do not say. `waiting`: the clinics' waiting lists; `survey_taps`:
    keeps answers to surveys; `knowledge`: what they answer questions with; `deposits`: what is known of deposits."""

    team: Team
    prompts: PromptSet
    phrases: Phrases
    verticals: Mapping[str, Vertical]
    vocabulary: Vocabulary
    desk: BookingDesk
    guard: Guard
    prices: Prices
    models: ApiModels | None = None
    clinic_models: ClinicModels | None = None
    ledger: UsageLedger | None = None
    attached: AttachedTools | None = None
    tool_seconds: float = TOOL_SECONDS
    strict: StrictMode | None = None
    style: ModelStyle = ModelStyle.FREE
    waiting: WaitingList | None = None
    survey_taps: SurveyTaps | None = None
    knowledge: KnowledgeBase | None = None
    deposits: DepositDesk | None = None
    broken: Counter[str] = field(default_factory=Counter)

    async def answer(self, turn: TurnInput) -> TurnOutcome:
        runtime = await self._prepared(turn)
        agreed, memory, failure = runtime.agreed, Memory.of(turn.state).without_model(), None
        try:
            await take_owed(runtime, self._ear(runtime.vertical))
            models = self.models_for(turn.clinic)
            if models is None or await off_loop(runtime.characters, lambda: self._is_guideds(runtime, turn)):
                await self._guided(runtime)
            else:
                runtime, memory, failure = await self._api(runtime, turn, models)
        except Exception as error:  # noqa: BLE001  # no turn ends in silence, whatever broke (promise 9)
            failure = _described(error)
            _apologise(runtime, turn)
        failure = ": ".join(filter(None, [failure, *runtime.tool_failures[:1]])) or None
        await keep_unanswered(runtime)
        outcome = _outcome(runtime, memory, failure)
        if broken := self._broken(turn, runtime, agreed, outcome):
            return await self._instead(turn, runtime, agreed, broken)
        return outcome

    def _broken(
        self, turn: TurnInput, runtime: Runtime, agreed: frozenset[str], outcome: TurnOutcome
    ) -> tuple[str, ...]:
        """The rules that the turn breaks; counted."""
        before = _remembered(turn).left() if turn.resumes else _remembered(turn)
        history = tuple(message["content"] for message in turn.history)
        trace = TurnTrace.of(runtime, before, agreed, outcome.replies, history)
        broken = broken_rules(trace)
        self.broken.update(broken)
        return broken

    async def _instead(
        self, turn: TurnInput, runtime: Runtime, agreed: frozenset[str], broken: tuple[str, ...]
    ) -> TurnOutcome:
        """In place of an answer that breaks a rule: what the store holds of what was done, else guided's, and where
        that breaks one too, an apology. Staff see which rule it was."""
        failure = f"{RULE_BROKEN}: {broken[0]}"
        _log.error("a turn of clinic %s breaks a rule: %s", turn.clinic.id, ", ".join(broken))
        memory = replace(Memory.of(turn.state).without_model(), told=0)
        own = [reply for reply in runtime.replies if reply in runtime.rendered]
        if runtime.by_model and not runtime.changes and not runtime.takeover_reason:
            with suppress(Exception):
                runtime = await self._in_place_of_api(turn, runtime, Memory.of(turn.state))
                outcome = _outcome(runtime, memory, failure)
                if not self._broken(turn, runtime, agreed, outcome):
                    return outcome
        _apologise(runtime, turn)
        runtime.replies = own or runtime.replies
        return _outcome(runtime, memory, failure)

    def models_for(self, clinic: Clinic) -> ApiModels | None:
        """Whose models answer a clinic; None for guided."""
        return self.clinic_models.of(clinic) if self.clinic_models else self.models

    def style_of(self, clinic: Clinic) -> ModelStyle:
        """How a model may speak to a clinic's patients."""
        return clinic.model_style or self.style

    def apology(self, clinic: Clinic) -> str:
        """What the patient reads when no answer could be given."""
        return self._say("apology", clinic)

    def not_invited(self, clinic: Clinic) -> str:
        """What somebody reads who takes no part in the deployment's trial."""
        return self._say("not_invited", clinic)

    def _say(self, phrase: str, clinic: Clinic) -> str:
        terms = self.verticals[clinic.vertical].for_clinic(clinic).words()
        return self.phrases.of(clinic).say(phrase, 0, **terms, clinic_name=clinic.name)

    def alarming(self, texts: Sequence[str]) -> bool:
        """Whether these texts of a patient's speak of danger to health or life."""
        said = "\n".join(texts)
        return not self._alarms.heard_in(words(said)).isdisjoint(ALARMS) or own_ear().hear(said).alarms

    @cached_property
    def _alarms(self) -> Vocabulary:
        """What alarms in any vertical, and what only sounds so, each expression once."""
        ears = self._ears.values()
        every = {
            name: [expression for ear in ears for expression in ear.expressions[name]] for name in (*ALARMS, HARMLESS)
        }
        return Vocabulary({name: tuple(dict.fromkeys(them)) for name, them in every.items()})

    @cached_property
    def _ears(self) -> Mapping[str, Vocabulary]:
        return {slug: self.vocabulary.joined(vertical.intents) for slug, vertical in self.verticals.items()}

    def _ear(self, vertical: Vertical) -> Vocabulary:
        """What is listened for in a clinic of this vertical, which may have intents of its own."""
        if vertical.intents == self.verticals[vertical.slug].intents:
            return self._ears[vertical.slug]
        return self.vocabulary.joined(vertical.intents)

    def _never_for_models(self, runtime: Runtime) -> bool:
        """Whether this is never left to a model: an emergency, or what may be one, and a wish for no more messages that
        we start."""
        typed = "\n".join(message.text for message in runtime.inputs if not message.choice)
        said = words(typed)
        ear = self._ear(runtime.vertical)
        if any(ear.insists(intent, said) for intent in ("opt_out", "opt_in")):
            return True
        return bool(runtime.state.in_doubt) or ear.hears(said, *ALARMS) or own_ear().hear(typed).asks

    def _is_guideds(self, runtime: Runtime, turn: TurnInput) -> bool:
        """Whether no model is asked: it may not decide this, or there is nothing to decide."""
        if self._never_for_models(runtime) or is_answered(runtime) or is_answer(runtime, self._hearing(runtime)):
            return True
        if is_about_deposit(runtime, self._ear(runtime.vertical)):
            return True
        memory = Memory.of(turn.state)
        told = since(turn.history, memory.told) if memory.model and not turn.resumes else None
        return is_plain(runtime, self._ear(runtime.vertical), told)

    def begun(self, turn: TurnInput) -> Runtime:
        """The turn before anything is answered: the draft, what was chosen, and what was agreed to."""
        clinic = turn.clinic
        vertical = vertical_of(clinic, self.verticals[clinic.vertical])
        state = _remembered(turn).left() if turn.resumes else _remembered(turn)
        when = when_answered(clinic, turn.now, self.phrases.say)
        runtime = Runtime(
            clinic=clinic,
            vertical=vertical,
            words={**vertical.words(), "clinic_name": clinic.name, "answered": when},
            phrases=self.phrases.of(clinic),
            desk=self.desk,
            contact=turn.contact,
            phone=turn.phone,
            channel=turn.channel,
            user_name=name_in(turn.user_name or ""),
            now=turn.now,
            inputs=chosen_in(turn.inputs, state.shown, clinic, turn.now),
            state=state,
            agent=turn.agent if turn.agent in self.team else "triage",
            said=tuple(message["content"] for message in turn.history[-LAST:] if message["role"] == "assistant")[-2:],
            earlier=tuple(message["content"] for message in turn.history if message["role"] == "user"),
            awaited=turn.awaited,
            before=turn.before,
            resumes=turn.resumes,
            waiting=self.waiting,
            survey_taps=self.survey_taps,
            knowledge=self.knowledge,
            deposits=self.deposits,
        )
        state.recap = recap(runtime) if turn.resumes else state.recap
        runtime.tap_stands = state.stands(str(runtime.tapped), turn.now)
        runtime.agreed = agreed_to(runtime, self._ear(vertical))
        runtime.only_agrees = bool(runtime.agreed) and only_agrees(runtime, self._ear(vertical))
        return runtime

    async def _prepared(self, turn: TurnInput) -> Runtime:
        return await off_loop(sum(len(message.text) for message in turn.inputs), lambda: self.begun(turn))

    async def _guided(self, runtime: Runtime) -> None:
        await take_given(runtime)
        await take_survey(runtime, self._hearing(runtime))
        routes: Routes = {prompt.name: prompt.handoffs for prompt in self.prompts}
        guided = GuidedTurn(runtime, self._ear(runtime.vertical), routes, runtime.agent)
        team, characters = self.team[runtime.agent], runtime.characters
        async with asyncio.timeout(GUIDED_SECONDS):
            agent, text = await carry_out(converse(guided), team, runtime, characters=characters, most=MAX_STEPS)
        runtime.agent = agent.name
        if text := text.strip():
            runtime.replies.append(Reply(text))

    async def _api(self, runtime: Runtime, turn: TurnInput, models: ApiModels) -> tuple[Runtime, Memory, str | None]:
        """Answer on the API, or on guided in its place: the runtime that has the answer, what to remember beside the
        draft, and why guided had to answer, where it was asked because the API failed."""
        memory = Memory.of(turn.state)
        use = ApiUse(models, self.ledger, turn.clinic.id, turn.now.date())
        if (why := await use.rests()) is not None:
            use.rested(why)
            return await self._in_place_of_api(turn, runtime, memory), memory.without_model(), None
        await off_loop(runtime.characters, lambda: self._heard(runtime))
        hooks = TurnHooks(models, self.prices)
        if self.attached is not None:
            runtime.attached = attached_tools(
                self.attached, turn.clinic, list(self.team), self.phrases, self.tool_seconds
            )
        if self.strict is not None and self.style_of(turn.clinic) is ModelStyle.STRICT:
            self.strict.begin(runtime, self._ear(runtime.vertical))
        guard = self.guard.hiding(runtime.attached_names)
        on_api = ApiTurn(models, self.team, guard, self._hearing(runtime), self.prompts["triage"].model, runtime, hooks)
        try:
            summary = await on_api.run(turn)
        except Exception as error:  # noqa: BLE001  # any failure of an API means the same: guided answers
            use.failed(error, hooks.spent)
            if runtime.changes or runtime.takeover_reason:
                runtime.replies = [reply for reply in runtime.replies if reply in runtime.rendered]
                show_question(runtime)
                return runtime, replace(memory, told=0), _described(error)
            return await self._in_place_of_api(turn, runtime, memory), memory.without_model(), _described(error)
        use.count(hooks.spent + Spent(turns=1))
        if self._asked_who(runtime) and not any(self.guard.says_what_it_is(reply.text) for reply in runtime.replies):
            runtime.replies.insert(0, Reply(runtime.say("i_am_assistant")))
            runtime.rendered += runtime.replies[:1] if runtime.strict is not None else []
        told = 0 if runtime.changes else memory.told + len(turn.inputs)
        return runtime, Memory(summary, model=True, told=told), None

    async def _in_place_of_api(self, turn: TurnInput, before: Runtime, memory: Memory) -> Runtime:
        """Guided on a draft as the turn began with, and with what the patient told the model before. What tools did
        meanwhile stays on record."""
        runtime = await self._prepared(turn)
        runtime.steps, runtime.tool_failures, runtime.owed = before.steps, before.tool_failures, before.owed
        if memory.model and not turn.resumes:
            characters = sum(len(message["content"]) for message in turn.history[-2 * RECALLED :])
            ear = self._ear(runtime.vertical)
            await off_loop(characters, lambda: recall(runtime, turn.history, memory.told, ear))
            told = since(turn.history, memory.told)
            if runtime.state.patient_name is None and await off_loop(
                characters, lambda: of_somebody(runtime, ear, told)
            ):
                runtime.state.awaiting_name = runtime.state.in_progress
        await self._guided(runtime)
        return runtime

    def _heard(self, runtime: Runtime) -> None:
        """Note what rules and ear make of what a model answers, for staff who ask why."""
        runtime.by_model = True
        runtime.heard = self._understood(runtime, typed_in(runtime.inputs))
        runtime.comes = word_of_coming(runtime, self._ear(runtime.vertical))
        keep_plan(runtime)

    def _hearing(self, runtime: Runtime) -> Callable[[str], Understanding]:
        return partial(self._understood, runtime)

    def _understood(self, runtime: Runtime, text: str) -> Understanding:
        return hear(
            text,
            clinic=runtime.clinic,
            vocabulary=self._ear(runtime.vertical),
            vertical=runtime.vertical,
            now=runtime.now,
            open_service=runtime.state.open_service,
        )

    def _asked_who(self, runtime: Runtime) -> bool:
        """Whether the patient asks if a person answers."""
        return self.vocabulary.hears(words("\n".join(message.text for message in runtime.inputs)), "robot")


def _remembered(turn: TurnInput) -> SchedulingAgentState:
    """The draft as the last turn left it; a new one where this version cannot read it, or every turn would fail."""
    try:
        return SchedulingAgentState.from_dict(turn.state)
    except (KeyError, TypeError, ValueError) as error:
        _log.error("an agentState of clinic %s cannot be read: %s", turn.clinic.id, type(error).__name__)
        return SchedulingAgentState()


def _apologise(runtime: Runtime, turn: TurnInput) -> None:
    """Say that no answer could be given. A question that this turn would have asked was not asked."""
    runtime.replies, runtime.strict = [Reply(runtime.say("apology"))], None
    runtime.state.shown = []
    if runtime.state.question != turn.state.get("question"):
        runtime.state.question = runtime.state.asked_at = None


def _outcome(runtime: Runtime, memory: Memory, failure: str | None) -> TurnOutcome:
    for change, appointment in runtime.changes:
        runtime.tell(change, appointment, Reply(change_text(change, appointment, runtime)))
    if runtime.takeover_reason and not runtime.replies:
        runtime.tell_own(Reply(runtime.say("handover_started")))
    if not runtime.replies:
        runtime.tell_own(Reply(runtime.say("not_understood")))
    if runtime.strict is not None:
        runtime.strict.own = runtime.unrendered
    runtime.replies = reassured(runtime)
    note_read(runtime, runtime.replies)
    if not any(reply.options for reply in runtime.replies):
        runtime.state.shown = []
    return TurnOutcome(
        replies=merged(runtime.replies),
        agent=runtime.agent,
        state=runtime.state.to_dict() | memory.to_dict(),
        takeover_reason=runtime.takeover_reason,
        called_for=settled(
            runtime.called_for, called=runtime.takeover_reason is not None, failed=bool(runtime.tool_failures)
        ),
        urgent=runtime.urgent,
        patient_id=runtime.patient_id,
        steps=tuple(runtime.steps),
        failure=failure,
        opt_out=runtime.opt_out,
        understood=understood(runtime),
        late=runtime.late,
        deposits=deposits_due(runtime),
        charges=charges_begun(runtime),
        low_score=runtime.low_score,
    )


def _described(error: BaseException) -> str:
    """For staff and operators: the kind of error, never its text, which may hold a patient's words."""
    cause = error.__cause__
    name = type(error).__name__
    return f"{name} ({type(cause).__name__})" if cause else name
