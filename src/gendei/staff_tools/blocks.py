"""Time that nobody can book: of a professional, or of the whole clinic."""

from typing import Annotated

from pydantic import Field

from gendei.booking.time_blocks import MAX_REASON, BlockWish
from gendei.staff_tools import shown
from gendei.staff_tools.days import Days, Start, days_of, start_of
from gendei.staff_tools.tool import Asked, Call, Id, Key, Result, Tool


class BlockedTime(Asked):
    days: Days = "hoje"


class BlockTime(Asked):
    professional_id: Annotated[Id | None, Field(description="Left out: the whole clinic.")] = None
    start: Start
    end: Start
    reason: Annotated[str, Field(max_length=MAX_REASON)] = ""
    despite_appointments: Annotated[bool, Field(description="Leave standing what is booked then.")] = False
    idempotency_key: Key = None


class FreeTime(Asked):
    block_id: Id
    idempotency_key: Key = None


async def list_blocks(call: Call, asked: BlockedTime) -> Result:
    """What staff blocked on these days, by start. `professionalId` null: the whole clinic."""
    found = await call.desks.agenda_desk.blocks.list(call.actor, *days_of(call, asked.days))
    return {"blocks": [shown.block(call.clinic, one, call.now) for one in found]}


async def block_time(call: Call, asked: BlockTime) -> Result:
    """Block time, so that nobody can book it. Refused where appointments stand, which `standing` names, unless they
    are left as they are."""
    return shown.block(call.clinic, await call.desks.agenda_desk.blocks.add(call.actor, wish_of(call, asked)), call.now)


async def free_time(call: Call, asked: FreeTime) -> Result:
    """Give blocked time back; the block that was."""
    return shown.block(call.clinic, await call.desks.agenda_desk.blocks.remove(call.actor, asked.block_id), call.now)


def wish_of(call: Call, asked: BlockTime) -> BlockWish:
    """Raises ToolRefused."""
    start, end = start_of(call, asked.start), start_of(call, asked.end)
    return BlockWish(asked.professional_id, start, end, asked.reason, asked.despite_appointments)


TOOLS = (
    Tool("list_blocks", BlockedTime, list_blocks),
    Tool("block_time", BlockTime, block_time, writes=True, repeats=True),
    Tool("free_time", FreeTime, free_time, writes=True, destructive=True),
)
