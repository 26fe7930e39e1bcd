"""One turn on a language model: what it reads, what it may say, and what it is told when that was not true."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from agents import Agent, Runner, RunResult
from agents.items import TResponseInputItem

from gendei.messages.preferences import ORDINARY
from gendei.messages.replies import Option, Reply
from gendei.messages.turns import PatientInput, TurnInput
from gendei.off_loop import off_loop
from gendei.receptionist.llm.api_errors import Kind as TroubleKind
from gendei.receptionist.llm.api_errors import SaidNothing, SaidUntrue, trouble_of
from gendei.receptionist.llm.citing import approved_near, look_again, note_sources, take_names
from gendei.receptionist.llm.claims import uncarried
from gendei.receptionist.llm.drafting import TurnHooks
from gendei.receptionist.llm.grounding import Facts, facts_of
from gendei.receptionist.llm.guardrails import Fault, Guard, claims_booking, claims_money, denies_booking
from gendei.receptionist.llm.models import ApiModels
from gendei.receptionist.llm.strict_answer import says_enough, settled
from gendei.receptionist.llm.summaries import Messages, Summary, due, renewed
from gendei.receptionist.llm.unusable import (
    CutAnswers,
    beside_the_question,
    is_code,
    is_foreign,
    noticing_cuts,
    repeats,
)
from gendei.receptionist.offers.choices import YESES, Kind, parse_choice
from gendei.receptionist.offers.questions import question_text, show_question
from gendei.receptionist.offers.rendering import appointment_line
from gendei.receptionist.runtime import Runtime
from gendei.receptionist.sources import without_approved
from gendei.receptionist.state import ABOUT_BOOKED
from gendei.receptionist.team import Team
from gendei.receptionist.tools import CHANGING
from gendei.receptionist.understanding.patient_message import Understanding


@dataclass(frozen=True, slots=True)
class ApiTurn:
    """Raises whatever keeps a model's answer from being sent: the API's errors, the SDK's, TimeoutError after the
    turn's time, SaidNothing, SaidUntrue. The runtime is then as the model left it. understood: what the words of a
    text mean. summariser: the model that writes summaries, as prompts name models."""

    models: ApiModels
    team: Team
    guard: Guard
    understood: Callable[[str], Understanding]
    summariser: str
    runtime: Runtime
    hooks: TurnHooks
    cuts: CutAnswers = field(default_factory=CutAnswers)

    async def run(self, turn: TurnInput) -> Summary:
        """Answer into the runtime; returns the summary to keep."""
        runtime, limits = self.runtime, self.models.limits
        with noticing_cuts(self.cuts):
            async with asyncio.timeout(limits.turn_seconds):
                runtime.appointments = await runtime.desk.appointments_of(
                    runtime.clinic, runtime.contact, upcoming_only=True
                )
                summary = await self._summary(turn)
                items = _items(runtime, summary, turn.history[-self._read(turn) :])
                await self._answer(items, turn.history)
        return summary

    def _read(self, turn: TurnInput) -> int:
        """How many earlier messages a model reads: what the patient prefers, else what the limits say."""
        wished = turn.preferences.context
        return self.models.limits.messages if wished == ORDINARY.context else wished

    async def _summary(self, turn: TurnInput) -> Summary:
        """What the state holds, renewed where messages would else be forgotten."""
        kept = Summary.of(turn.state)
        taken_in = due(turn.history, kept, self._read(turn))
        if not taken_in:
            return kept
        writer = Agent[Runtime](name="summary", instructions=self.runtime.say("summarise"), model=self.summariser)
        before: Messages = [{"role": "assistant", "content": kept.text}] if kept.text else []
        told = "\n".join(f"{message['role']}: {message['content']}" for message in [*before, *taken_in])
        try:
            result = await Runner.run(
                writer, told, context=self.runtime, max_turns=1, hooks=self.hooks, run_config=self.models.run_config
            )
        except Exception as error:
            trouble = trouble_of(error)
            if trouble is None or trouble.kind is TroubleKind.MALFORMED:
                return kept  # it is this summary that does not go, and the turn may well
            raise
        return renewed(str(result.final_output or ""), taken_in)

    async def _answer(self, items: list[TResponseInputItem], history: Sequence[Mapping[str, str]]) -> None:
        """Run, and once more with the facts where the answer was not true."""
        result, text = await self._run(items)
        text = await self._settled(text)
        checked = await self._checked(text, history)
        if checked.corrections:
            told: list[TResponseInputItem] = [{"role": "system", "content": fact} for fact in checked.corrections]
            self._forget_replies()
            _, text = await self._run([*result.to_input_list(), *told])
            text = await self._settled(text)
            checked = await self._checked(text, history)
            if checked.corrections:
                raise SaidNothing if checked.says_nothing else SaidUntrue
        if checked.may_go:
            self.runtime.replies.append(Reply(text))
        _replace_claims(self.runtime)
        note_sources(self.runtime)
        show_question(self.runtime)
        _drop_dead_options(self.runtime)
        if not (self.runtime.replies or self.runtime.changes or self.runtime.takeover_reason):
            raise SaidNothing

    async def _settled(self, text: str) -> str:
        """In strict mode the answer without what may not be read of it, and with what our own code says; else without
        the names of the entries that it used, which are looked at as they stand now."""
        strict = self.runtime.strict
        if strict is not None:
            return await settled(self.runtime, strict, text)
        text = take_names(self.runtime, text)
        await look_again(self.runtime)
        return text

    async def _run(self, items: list[TResponseInputItem]) -> tuple[RunResult, str]:
        result = await Runner.run(
            self.team[self.runtime.agent],
            items,
            context=self.runtime,
            max_turns=self.models.limits.steps,
            hooks=self.hooks,
            run_config=self.models.run_config_of(self.runtime.clinic.id),
        )
        self.runtime.agent = result.last_agent.name
        return result, str(result.final_output or "").strip()

    async def _checked(self, text: str, history: Sequence[Mapping[str, str]]) -> "_Checked":
        characters = len(text) + sum(len(reply.text) for reply in self.runtime.replies)
        checked = await off_loop(characters, lambda: self._check(text, history))
        if Fault.UNPROVEN in checked.faults:
            near = await approved_near(self.runtime)
            told = self.runtime.say(f"correct_{Fault.UNPROVEN}", value=near or self.runtime.say("fact_none"))
            return replace(checked, corrections=(*checked.corrections, told))
        return checked

    def _check(self, text: str, history: Sequence[Mapping[str, str]]) -> "_Checked":
        facts = self._facts(history)
        faults = self._faults(text, facts)
        if faults and not self._drop(text, facts):
            known = (fault for fault in faults if fault is not Fault.UNPROVEN)
            corrections = tuple(_correction(fault, facts, self.runtime) for fault in known)
            return _Checked(corrections, says_nothing=faults == [Fault.EMPTY], faults=tuple(faults))
        if Fault.CUT in faults:
            return _Checked(())
        may_go = bool(text) and (not faults or self._claims(text) or not self.guard_of(text, facts))
        return _Checked((), may_go)

    def _facts(self, history: Sequence[Mapping[str, str]]) -> Facts:
        words = self.guard.words if self.runtime.strict is None else None
        return facts_of(self.runtime, self.hooks.outputs, history, words)

    def guard_of(self, text: str, facts: Facts) -> list[Fault]:
        """The faults of one text beside approved answers, but for claims of a booking."""
        whole, text = text, without_approved(text, self.runtime.sources.values())
        denial = [Fault.DENIAL] if self.runtime.standing and denies_booking(text) else []
        unproven = [Fault.UNPROVEN] if self.runtime.strict is None and uncarried(text, facts.evidence, whole) else []
        money = [Fault.CLAIM] if self._money_is_unknown and claims_money(text) else []
        known = [*self.guard.faults(text, facts), *denial, *money, *unproven, *self._unusable(text)]
        return known if text else []

    @property
    def _money_is_unknown(self) -> bool:
        """Whether the clinic asks for deposits, and nothing that this turn read says that one came."""
        charges = self.runtime.charges.values()
        return self.runtime.clinic.deposits is not None and not any(charge.ledger.received for charge in charges)

    def _claims(self, text: str) -> bool:
        """Whether the model's own words claim a booking."""
        return claims_booking(without_approved(text, self.runtime.sources.values()))

    def _leaves_yes_undone(self, own: Sequence[str]) -> bool:
        """Whether a plain yes was neither followed by its tool nor by a question ("obrigada, até lá!")."""
        runtime = self.runtime
        tried = {step.tool for step in runtime.steps} & CHANGING or runtime.changes or runtime.takeover_reason
        plain_yes = bool(runtime.agreed) and (
            runtime.tap_stands or (runtime.heard is not None and runtime.heard.only_yes)
        )
        return plain_yes and not tried and not any("?" in said for said in own)

    def _unusable(self, text: str) -> Iterator[Fault]:
        """Why the text is no answer, whether it is true or not."""
        runtime, known = self.runtime, self.guard.words
        asked = [message.text for message in runtime.inputs]
        if is_code(text):
            yield Fault.CODE
        if repeats(text):
            yield Fault.REPEATING
        if is_foreign(text, known) and not is_foreign("\n".join(asked), known):
            yield Fault.LANGUAGE
        if not (runtime.strict and runtime.rendered) and beside_the_question(
            text, asked, runtime.heard, lambda: self.understood(text)
        ):
            yield Fault.OFF_TOPIC

    def _faults(self, text: str, facts: Facts) -> list[Fault]:
        """What is wrong with the answer and with what else the model would send; counted. A claim about what the store
        holds is no fault, as text of the store takes its place."""
        runtime = self.runtime
        own = [text, *(shown for reply in runtime.unrendered for shown in _shown(reply))]
        claims = [said for said in own if self._claims(said)]
        proven = bool(runtime.changes or runtime.seen)
        found = {fault for said in own if not (proven and said in claims) for fault in self.guard_of(said, facts)}
        if claims and not proven:
            found.add(Fault.CLAIM)
        if self._leaves_yes_undone(own):
            found.add(Fault.UNDONE)
        if text and self.cuts.last:
            found.add(Fault.CUT)
        if runtime.strict is not None and not says_enough(runtime, text):
            found.add(Fault.FREE)
        if not (any(map(str.strip, own)) or runtime.replies or runtime.changes or runtime.takeover_reason):
            found.add(Fault.EMPTY)
        self.models.figures.corrections.update(map(str, found))
        return sorted(found)

    def _drop(self, text: str, facts: Facts) -> bool:
        """Whether the answer can do without its false words, because the system tells what was done by itself."""
        if not self.runtime.changes:
            return False
        kept = [
            reply for reply in self.runtime.unrendered if not any(self.guard_of(said, facts) for said in _shown(reply))
        ]
        self.runtime.replies = [
            reply for reply in self.runtime.replies if reply in self.runtime.rendered or reply in kept
        ]
        return True

    def _forget_replies(self) -> None:
        self.runtime.replies = [reply for reply in self.runtime.replies if reply in self.runtime.rendered]
        tappable = {option.id for reply in self.runtime.replies for option in reply.options}
        self.runtime.state.shown = [shown for shown in self.runtime.state.shown if shown["id"] in tappable]


@dataclass(frozen=True, slots=True)
class _Checked:
    """What the guard says of an answer: what the model has to be told, or whether the answer may go as it is."""

    corrections: tuple[str, ...]
    may_go: bool = False
    says_nothing: bool = False
    faults: tuple[Fault, ...] = ()


def _correction(fault: Fault, facts: Facts, runtime: Runtime) -> str:
    """What the model is told of its fault, with the facts."""
    known: Mapping[Fault, Callable[[], str]] = {
        Fault.PRICE: facts.prices_told,
        Fault.TIME: facts.slots_told,
        Fault.UNDONE: lambda: " ".join(_agreed_line(agreed, runtime) for agreed in sorted(runtime.agreed)),
        Fault.DENIAL: lambda: " ".join(appointment_line(booked, runtime) for booked in runtime.standing),
    }
    value = known[fault]() if fault in known else ""
    return runtime.say(f"correct_{fault}", value=value or runtime.say("fact_none"))


def _agreed_line(agreed: str, runtime: Runtime) -> str:
    chosen = parse_choice(agreed)
    return question_text(chosen, runtime) if chosen else ""


def _items(runtime: Runtime, summary: Summary, history: Messages) -> list[TResponseInputItem]:
    """History and the new messages as the model reads them; a chosen option shows its id, to be used in tools, and
    whether its question is over. The summary is the model's own and so stands as its words, never as an order."""
    earlier: list[TResponseInputItem] = []
    if summary.text:
        earlier.append({"role": "assistant", "content": runtime.say("summary_so_far", value=summary.text)})
    now: list[TResponseInputItem] = [{"role": "user", "content": _content(message)} for message in runtime.inputs]
    if runtime.old_yes:
        now.append({"role": "system", "content": runtime.say("refusal_old_yes")})
    return [*earlier, *map(_item, history), *now]


def _item(message: Mapping[str, str]) -> TResponseInputItem:
    """A message as a model reads it: what staff and the system said stands as the system's."""
    if message["role"] == "assistant":
        return {"role": "assistant", "content": message["content"]}
    return {"role": "user" if message["role"] == "user" else "system", "content": message["content"]}


def _content(message: PatientInput) -> str:
    return f"{message.text} [{message.choice}]" if message.choice else message.text or f"[{message.kind}]"


def _shown(reply: Reply) -> list[str]:
    """All that the patient would read of it."""
    link = [f"{reply.link.label} {reply.link.url}"] if reply.link else []
    return [reply.text, *(f"{option.title} {option.description}" for option in reply.options), *link]


def _replace_claims(runtime: Runtime) -> None:
    """The model's own words about a booking give way to text rendered from the store."""
    rendered = {reply.text for reply in runtime.rendered}
    known = runtime.sources.values()
    honest = [
        reply
        for reply in runtime.replies
        if reply.text in rendered or not claims_booking(without_approved(reply.text, known))
    ]
    if len(honest) != len(runtime.replies) and not runtime.changes:
        lines = "\n".join(appointment_line(appointment, runtime) for appointment in runtime.seen.values())
        honest.append(Reply(f"{runtime.say('your_appointments')}\n\n{lines}"))
    runtime.replies = honest


def _drop_dead_options(runtime: Runtime) -> None:
    """Take away what could be tapped in vain: a yes to another question than the one that stands, and what is about an
    appointment that is not the patient's."""
    known = {found.id for found in runtime.appointments or ()} | set(runtime.seen)

    def lives(option: Option) -> bool:
        chosen = parse_choice(option.id)
        if chosen is None:
            return True
        of_booked = chosen.kind in ABOUT_BOOKED | {Kind.CANCEL_NOW, Kind.MOVE_TO, Kind.MOVE_NOW}
        return not (of_booked and chosen.args[0] not in known) and (
            chosen.kind not in YESES or option.id == runtime.state.question
        )

    for place, reply in enumerate(runtime.replies):
        living = tuple(filter(lives, reply.options))
        if len(living) < len(reply.options):
            runtime.replies[place] = replace(reply, options=living)
    tappable = {option.id for reply in runtime.replies for option in reply.options}
    runtime.state.shown = [shown for shown in runtime.state.shown if shown["id"] in tappable]
