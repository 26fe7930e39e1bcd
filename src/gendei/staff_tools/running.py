"""Calling a tool: who may, with what, once, and what became of it."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import Any

from pydantic import ValidationError

from gendei.conversation.turns.turn import describe
from gendei.conversation.window import WindowClosed
from gendei.errors import NotFound, StoreUnavailable, TooContended
from gendei.staff.actors import Actor, Forbidden
from gendei.staff.agenda.agenda import AgendaRefused, clinic_of
from gendei.staff.agenda.blocks import NotBlocked
from gendei.staff.inbox.actions import TooMuch
from gendei.staff.once import KEPT_FOR, InProgress, KeyReused, Once
from gendei.staff.tasks.fields import TaskRefused
from gendei.staff_tools import agenda, blocks, people, shown, tasks
from gendei.staff_tools.arguments import what_is_wrong
from gendei.staff_tools.texts import Fault, ToolTexts
from gendei.staff_tools.tool import Asked, Call, Desks, Result, Tool, ToolRefused

log = logging.getLogger(__name__)
TOOLS: Mapping[str, Tool[Any]] = {one.name: one for one in (*agenda.TOOLS, *blocks.TOOLS, *people.TOOLS, *tasks.TOOLS)}
SAME_AGAIN = timedelta(minutes=2)
"""Within it the same call of a tool that `repeats`, without a key, is a client's second attempt."""
_FAULTS: Mapping[type[Exception], Fault] = {
    Forbidden: Fault.FORBIDDEN,
    NotFound: Fault.NOT_FOUND,
    WindowClosed: Fault.WINDOW_CLOSED,
    TooMuch: Fault.TOO_LONG,
    KeyReused: Fault.KEY_REUSED,
    InProgress: Fault.IN_PROGRESS,
    StoreUnavailable: Fault.UNAVAILABLE,
    TooContended: Fault.UNAVAILABLE,
}


@dataclass(frozen=True, slots=True)
class Told:
    """What a call told its caller. A refusal holds `error` (the reason) and `message` (what to do)."""

    answer: Result
    refused: bool = False


class ToolRunner:
    """Runs tools on `desks`; `channel` as in Call. `call` never raises: what went wrong is told, with what to do."""

    def __init__(self, desks: Desks, texts: ToolTexts, channel: str) -> None:
        self._desks, self._texts, self._channel = desks, texts, channel
        self._once = Once(desks.documents, desks.clock)

    async def begin(self, actor: Actor) -> Call:
        """What a call of `actor`'s works with. Raises NotFound where the clinic is gone."""
        clinic = await clinic_of(self._desks.clinics, actor)
        return Call(self._desks, actor, clinic, clinic.local(self._desks.clock()), self._channel)

    async def call(self, actor: Actor, tool: Tool[Any], arguments: Mapping[str, Any]) -> Told:
        try:
            asked = tool.asked.model_validate(dict(arguments))
            for right in sorted(tool.rights):
                actor.require(right)
            return Told(await self._run(await self.begin(actor), tool, asked))
        except Exception as error:  # noqa: BLE001 - whatever it is, the caller is told what to do
            return self.told(error, actor, tool)

    def refused(self, fault: Fault) -> Told:
        """What a call is told that was not begun."""
        return _refused(str(fault), self._texts.fault(fault), {})

    def told(self, error: Exception, actor: Actor, tool: Tool[Any]) -> Told:
        """What the caller of `tool` is told of `error`, which is logged where it is ours."""
        match error:
            case ValidationError():
                wrong = what_is_wrong(error, tool.asked, self._texts)
                return _refused(str(Fault.INVALID), self._texts.fault(Fault.INVALID, words=wrong), {})
            case ToolRefused():
                return _refused(str(error.fault), self._texts.fault(error.fault, **error.values), error.more)
            case AgendaRefused():
                free = {"alternatives": [shown.slot(one) for one in error.alternatives]} if error.alternatives else {}
                return _refused(error.reason, error.text, free)
            case NotBlocked():
                there = [shown.standing(one) for one in error.standing]
                return _refused(str(error.reason), error.text, {"standing": there} if there else {})
            case TaskRefused():
                near = [{"id": one.id, "title": one.title} for one in error.candidates]
                return _refused(str(error.fault), error.text, {"candidates": near} if near else {})
        fault = next((one for kind, one in _FAULTS.items() if isinstance(error, kind)), Fault.FAILED)
        if fault is Fault.FAILED:
            log.error("tool %s failed for clinic %s: %s", tool.name, actor.clinic_id, describe(error))
        return self.refused(fault)

    async def _run(self, call: Call, tool: Tool[Any], asked: Asked) -> Result:
        key = getattr(asked, "idempotency_key", None)
        if key is None and not tool.repeats:
            return await tool.run(call, asked)
        content = f"{tool.name}\n{asked.model_dump_json(exclude={'idempotency_key'})}".encode()
        whole = f"{self._channel} key {key}" if key else f"{self._channel} same {sha256(content).hexdigest()}"

        async def act() -> Result:
            return await tool.run(call, asked)

        done = await self._once.do(call.actor, whole, content, act, kept_for=KEPT_FOR if key else SAME_AGAIN)
        return (done.answer or {}) | ({"repeated": True} if done.again else {})


def _refused(reason: str, text: str, more: Mapping[str, Any]) -> Told:
    return Told({"error": reason, "message": text, **more}, refused=True)
