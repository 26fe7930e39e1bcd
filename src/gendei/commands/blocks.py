"""Time that nobody can book: of a professional, or of the whole clinic."""

from datetime import datetime, timedelta
from typing import Annotated

from pydantic import Field

from gendei.booking.time_blocks import MAX_REASON, BlockWish, TimeBlock
from gendei.commands import shown
from gendei.commands.command import Arguments, Call, Command, Detail, Result, Say, Values, whole
from gendei.commands.fields import Id
from gendei.commands.moments import Days, Moment
from gendei.commands.shown import in_line
from gendei.errors import NotFound

_FAR = timedelta(days=5 * 366)
"""Further ahead nobody can block."""


class ListBlocks(Arguments):
    days: Annotated[Days, Field(default="hoje")]


class BlockTime(Arguments):
    professional_id: Annotated[
        Id | None, Field(description="Left out or null: the whole clinic.", examples=["ana"])
    ] = None
    start: Annotated[Moment, Field(examples=["2026-11-26T13:00:00-03:00"])]
    end: Annotated[Moment, Field(examples=["2026-11-26T18:00:00-03:00"])]
    reason: Annotated[str, Field(max_length=MAX_REASON)] = ""
    despite_appointments: Annotated[bool, Field(description="Leave standing what is booked then.")] = False

    @property
    def wish(self) -> BlockWish:
        return BlockWish(self.professional_id, self.start, self.end, self.reason, self.despite_appointments)


class FreeTime(Arguments):
    block_id: Id


async def list_blocks(call: Call, given: ListBlocks) -> Result:
    """What staff blocked on these days, by start. `professionalId` null: the whole clinic."""
    found = await call.desks.agenda_desk.blocks.list(call.actor, *given.days)
    return {"blocks": [_shown(call, block) for block in found]}


async def block_time(call: Call, given: BlockTime) -> TimeBlock:
    """Block time of a professional or of the whole clinic, so that nobody can book it. Refused where appointments
    stand, which `standing` names, unless they are left as they are."""
    return await call.desks.agenda_desk.blocks.add(call.actor, given.wish)


async def free_time(call: Call, given: FreeTime) -> TimeBlock:
    """Give blocked time back; the block that was."""
    return await call.desks.agenda_desk.blocks.remove(call.actor, given.block_id)


async def _preview_block(call: Call, given: BlockTime, say: Say) -> tuple[BlockTime, Values]:
    if given.professional_id and call.clinic.professional(given.professional_id) is None:
        raise NotFound
    left = await call.desks.agenda_desk.blocks.standing(call.actor, given.wish)
    details = say(Detail.REASON, reason=in_line(given.reason)) if given.reason else ""
    if given.despite_appointments:
        told = Detail.LEFT_ONE if len(left) == 1 else Detail.LEFT if left else Detail.LEFT_NONE
        details += say(told, count=str(len(left)))
    return given, _whose(call, given.professional_id, say, given.start, given.end) | {"details": details}


async def _preview_freeing(call: Call, given: FreeTime, say: Say) -> tuple[FreeTime, Values]:
    today = call.now.date()
    there = await call.desks.agenda_desk.blocks.list(call.actor, today, today + _FAR)
    found = next((block for block in there if block.id == given.block_id), None)
    if found is None:
        raise NotFound
    return given, _whose(call, found.professional_id, say, found.start, found.end)


def _whose(call: Call, professional_id: str | None, say: Say, start: datetime, end: datetime) -> Values:
    """Whose time, and which."""
    who = call.clinic.professional(professional_id or "")
    period = shown.stretch(call.clinic.local(start), call.clinic.local(end), call.now)
    return {"whose": say(Detail.WHOSE, name=who.name) if who else say(Detail.EVERYBODYS), "when": period}


def _shown(call: Call, block: TimeBlock) -> Result:
    return shown.block(call.clinic, block, call.now)


BLOCK_TIME = Command(block_time, _shown, _preview_block, repeats=True)
FREE_TIME = Command(free_time, _shown, _preview_freeing, destructive=True)
COMMANDS = (Command(list_blocks, whole), BLOCK_TIME, FREE_TIME)
