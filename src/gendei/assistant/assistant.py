"""The staff's assistant: a message in, an answer out, and what changes something only after the person's yes.

Who asks, and for which clinic, is the Actor alone. What was shown is kept on the server, settled to ids, moments and
versions; a yes does just that, once, or tells why not.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gendei.assistant.guided.dialogue import all_at_once
from gendei.assistant.guided.guide import CHOICES, Option, free_instead, numbered, stored
from gendei.assistant.pages import leading
from gendei.assistant.phrases import Phrase
from gendei.assistant.requests import Said, checked_history, checked_message
from gendei.assistant.runner import AssistantRunner
from gendei.assistant.talks import NotToDecide, Pending, Talk, Talks
from gendei.assistant.texts import load_assistant_files
from gendei.assistant.turn import AssistantTurn, PlannedCommand, ToolUse, plan_command
from gendei.commands.command import Call, Desks, Result
from gendei.commands.running import COMMANDS, KEY
from gendei.messages.turns import ToolStatus
from gendei.receptionist.answering import TeamReceptionist
from gendei.staff.actors import Actor, Right
from gendei.staff.once import Once

CHANGED = "changed"
"""Why nothing was done of what would now be something else; it is shown anew."""


@dataclass(frozen=True, slots=True)
class Answer:
    """`tools`: what was called for it. `pending`: what was shown and now waits for a yes. `choices`: what may be said
    next, to be tapped."""

    message: str
    talk_id: str
    tools: tuple[ToolUse, ...] = ()
    pending: Pending | None = None
    choices: tuple[str, ...] = ()


class _Changed(Exception):
    """What was shown would now do something else: `planned`."""

    def __init__(self, planned: PlannedCommand) -> None:
        self.planned = planned
        super().__init__("changed")


class _NotDone(Exception):
    """A tool refused, with what it told; `why`: in Portuguese. `near`: what may be chosen instead."""

    def __init__(self, told: Result, near: Sequence[Option] = ()) -> None:
        self.reason, self.why, self.near = str(told["error"]), str(told["message"]), near
        super().__init__("refused")


class Assistant:
    """Every call raises Forbidden without the right to read, and is about the actor's own talks."""

    def __init__(self, runner: AssistantRunner) -> None:
        self._runner, self.texts = runner, runner.texts
        self.talks = Talks(runner.desks.documents, runner.desks.clock)
        self._once = Once(runner.desks.documents, runner.desks.clock)

    async def say(
        self, actor: Actor, message: str, talk_id: str | None = None, history: Sequence[Said] | None = None
    ) -> Answer:
        """Answer `message` in the named talk, else in the last one, else in a new one. history: read in place of what
        the talk holds. Raises RequestRefused, and NotFound for a talk that is not the actor's."""
        actor.require(Right.READ)
        text = checked_message(message)
        earlier = None if history is None else checked_history(history)
        talk = await self.talks.open(actor, talk_id)
        pending = talk.pending if talk.pending and talk.pending.decided is None else None
        question = talk.question
        if pending is not None:
            yes = self.texts.yes_or_no(text, {command.tool for command in pending.deeds})
            if yes is not None:
                return await self.decide(actor, talk.id, pending.id, yes=yes, said=text)
            question = {**(question or {}), "shown": _told_to_guided(pending.deeds)}
        as_assistant = self._via(actor)
        call = await self._runner.for_people.begin(as_assistant)
        if all_at_once(
            self._runner.guide(AssistantTurn(as_assistant, call, self._runner.for_people, self.texts), text)
        ):
            return await self._recorded(actor, talk, text, self.texts.say(Phrase.ALL_AT_ONCE))
        read = talk.recent if earlier is None else earlier
        said, turn = await self._runner.answer(as_assistant, call, text, read, question)
        told = [*turn.remarks, self._confirm(turn.planned, full=turn.full)] if turn.planned else [said]
        return await self._recorded(actor, talk, text, "\n".join(told) or self.texts.say(Phrase.UNCLEAR), turn)

    async def decide(self, actor: Actor, talk_id: str, pending_id: str, *, yes: bool, said: str = "") -> Answer:
        """Do what was shown, or do not. The same answer again does nothing more. said: how it was typed, where it was
        not a button. Raises NotFound for a talk that is not the actor's."""
        actor.require(Right.READ)
        talk = await self.talks.get(actor, talk_id)
        try:
            pending = await self.talks.decide(actor, talk_id, pending_id, yes=yes)
        except NotToDecide as late:
            phrase = Phrase.ALREADY if late.already else Phrase.EXPIRED if late.expired else Phrase.NOTHING_PENDING
            return Answer(self.texts.say(phrase), talk_id)
        typed = Said("user", said or self.texts.button(yes=yes))
        if not yes:
            told = self.texts.say(Phrase.DECLINED)
            await self.talks.told(actor, talk, [typed, Said("assistant", told)])
            return Answer(told, talk_id)
        told, tools, anew, near = await self._do(self._via(actor), pending)
        refused = [each for each, tool in zip(pending.deeds, tools, strict=True) if not tool.success]
        exchange = [typed, Said("assistant", told)]
        if anew:
            after = await self.talks.record(actor, talk, exchange, deeds=anew)
            return Answer(told, talk_id, (*tools, *map(ToolUse.waiting, anew)), after.pending)
        question = {"refused": _told_to_guided(refused), "options": stored(near)} if refused else None
        await self.talks.told(actor, talk, exchange, question)
        return Answer(told, talk_id, tools, choices=choices_of(question))

    async def _do(
        self, actor: Actor, pending: Pending
    ) -> tuple[str, tuple[ToolUse, ...], list[PlannedCommand], list[Option]]:
        """What is told of it, the tools that were used, what is to be confirmed anew as it would now be done, and what
        may be chosen instead of the one thing that was refused."""
        done: list[str] = []
        failed: list[str] = []
        anew: list[PlannedCommand] = []
        tools: list[ToolUse] = []
        near: list[Option] = []
        call = await self._runner.for_people.begin(actor)
        for place, planned in enumerate(pending.deeds):
            try:
                answer = await self._do_one(call, planned, f"{pending.id}-{place}")
            except _Changed as changed:
                anew.append(changed.planned)
                error, sentence = CHANGED, self.texts.say(Phrase.CHANGED, deed=changed.planned.plan)
            except _NotDone as refused:
                error = refused.reason
                sentence = self.texts.say(Phrase.FAILED_ONE, deed=planned.plan, reason=refused.why)
                near += refused.near
            else:
                done.append(". ".join(filter(None, (planned.done, answer["notice"].rstrip(".")))))
                result = answer.get("result")
                tools.append(ToolUse(planned.tool, ToolStatus.COMPLETED, done[-1], planned.arguments, result))
                continue
            failed.append(sentence)
            tools.append(ToolUse(planned.tool, ToolStatus.FAILED, sentence, planned.arguments, error=error))
        told = [self._listed(done, Phrase.DONE_ONE, Phrase.DONE_MANY)] if done else []
        if len(failed) > 1:  # there is no saying which of them a choice would be for
            near.clear()
        if near:
            failed[-1] += f" {self.texts.say(Phrase.FREE_INSTEAD, list=numbered(near))}"
        return "\n".join([*told, *failed]), tuple(tools), anew, near

    async def _do_one(self, call: Call, planned: PlannedCommand, key: str) -> Result:
        """`notice`: what became of telling the patient, "" where that was not asked for; `result`: what the tool told
        (older answers do not hold it). Raises _Changed and _NotDone."""
        runner = self._runner.for_people

        async def act() -> Result:
            now = await plan_command(call, planned.tool, planned.arguments, self.texts)
            if now != planned:
                raise _Changed(now)
            told = await runner.call(call.actor, COMMANDS[planned.tool], {**planned.arguments, KEY: key})
            if told.refused:
                raise self._not_done(call, planned, told.answer)
            return {"notice": (told.answer.get("notice") or {}).get("text", ""), "result": told.answer}

        try:
            done = await self._once.do(call.actor, f"assistant {key}", planned.tool.encode(), act)
        except (_Changed, _NotDone):
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, the person is told
            told = runner.told(error, call.actor, COMMANDS[planned.tool])
            raise self._not_done(call, planned, told.answer) from None
        return {"notice": ""} | (done.answer or {})

    async def _recorded(
        self, actor: Actor, talk: Talk, text: str, told: str, turn: AssistantTurn | None = None
    ) -> Answer:
        told = leading(told, actor, self.texts.say(Phrase.MANAGERS_ONLY))
        exchange = [Said("user", text), Said("assistant", told)]
        if turn is None:
            after = await self.talks.record(actor, talk, exchange)
            return Answer(told, after.id)
        after = await self.talks.record(actor, talk, exchange, turn.planned, turn.question)
        return Answer(told, after.id, tuple(turn.used), after.pending, choices_of(after.question))

    def _via(self, actor: Actor) -> Actor:
        return replace(actor, name=self.texts.signed(actor.name))

    def _confirm(self, planned: Sequence[PlannedCommand], *, full: bool) -> str:
        many = Phrase.CONFIRM_FIRST if full else Phrase.CONFIRM_MANY
        return self._listed([each.plan for each in planned], Phrase.CONFIRM_ONE, many)

    def _listed(self, told: Sequence[str], single: Phrase, many: Phrase) -> str:
        if len(told) == 1:
            return self.texts.say(single, deed=told[0])
        return self.texts.say(many, list="\n".join(f"• {line}" for line in told))

    def _not_done(self, call: Call, planned: PlannedCommand, refusal: Result) -> _NotDone:
        turn = AssistantTurn(call.actor, call, self._runner.for_people, self.texts)
        return _NotDone(refusal, free_instead(turn, planned.tool, planned.arguments, refusal))


def choices_of(question: Mapping[str, Any] | None) -> tuple[str, ...]:
    """What can be tapped to answer what guided asked."""
    if question is None or "chosen" in question:
        return ()
    return (*question.get(CHOICES, ()), *(option["label"] for option in question.get("options", ())))


def _told_to_guided(planned: Sequence[PlannedCommand]) -> list[dict[str, Any]]:
    return [{"tool": command.tool, "arguments": dict(command.arguments)} for command in planned]


def open_assistant(folder: Path, desks: Desks, receptionist: TeamReceptionist, tool_seconds: float) -> Assistant:
    """On the models of the receptionist, their breaker and the clinic's budget. folder: the prompts'. tool_seconds: how
    long one tool may take. Raises ConfigurationError."""
    texts, prompt = load_assistant_files(folder)
    return Assistant(
        AssistantRunner(
            desks,
            texts,
            prompt,
            receptionist.prices,
            receptionist.verticals,
            receptionist.models_for,
            receptionist.ledger,
            tool_seconds,
        )
    )
