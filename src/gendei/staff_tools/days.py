"""Days and moments as an assistant gives them: ISO, or the words of the person it works for."""

import re
from datetime import MAXYEAR, MINYEAR, date, datetime, timedelta
from typing import Annotated

from pydantic import Field

from gendei.booking.dates import resolve
from gendei.staff_tools.texts import Fault
from gendei.staff_tools.tool import Call, ToolRefused

MOST_DAYS = 42
Days = Annotated[
    str,
    Field(
        min_length=1,
        max_length=100,
        description="Local day or days: 2026-11-24, 2026-11-24/2026-11-30, or in Portuguese (hoje, semana que vem).",
    ),
]
Start = Annotated[
    str,
    Field(
        min_length=1,
        max_length=100,
        description="A moment with its offset, 2026-11-24T14:00:00-03:00, or in Portuguese (terça às 14h).",
    ),
]
_ISO_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


def days_of(call: Call, words: str) -> tuple[date, date]:
    """The first and the last day that `words` name, at most MOST_DAYS. Raises ToolRefused."""
    first, slash, last = (one.strip() for one in words.partition("/"))
    if _ISO_DAY.fullmatch(first) and (not slash or _ISO_DAY.fullmatch(last)):
        try:
            days = date.fromisoformat(first), date.fromisoformat(last if slash else first)
        except ValueError:
            raise ToolRefused(Fault.DAYS_UNCLEAR, words=words) from None
    else:
        found = resolve(words, call.now)
        if found is None or found.impossible or found.date is None:
            raise ToolRefused(Fault.DAYS_UNCLEAR, words=words)
        days = found.date, found.end_date or found.date
    if days[0].year == MINYEAR or days[1].year == MAXYEAR:  # there, other zones have no such days
        raise ToolRefused(Fault.DAYS_UNCLEAR, words=words)
    if not timedelta() <= days[1] - days[0] < timedelta(days=MOST_DAYS):
        raise ToolRefused(Fault.TOO_MANY_DAYS, most=str(MOST_DAYS))
    return days


def start_of(call: Call, words: str) -> datetime:
    """The one moment that `words` name. Raises ToolRefused, also for a moment without an offset."""
    if _ISO_DAY.match(words):
        try:
            moment = datetime.fromisoformat(words)
        except ValueError:
            raise ToolRefused(Fault.START_UNCLEAR, words=words) from None
        if moment.tzinfo is None:
            raise ToolRefused(Fault.NO_OFFSET)
        return moment
    found = resolve(words, call.now)
    if found is None or found.impossible or found.date is None or found.time is None or found.end_date:
        raise ToolRefused(Fault.START_UNCLEAR, words=words)
    if len(found.alternatives) > 1 or len(found.time_alternatives) > 1:
        raise ToolRefused(Fault.START_UNCLEAR, words=words)
    return datetime.combine(found.date, found.time, call.clinic.timezone)
