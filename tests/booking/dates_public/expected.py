"""What a phrase of a public collection is held to mean, and how a resolution is judged by it."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum

from gendei.booking.dates import Resolution, resolve
from gendei.booking.dates.nodes import Part

LAST_MINUTE = dt.time(23, 59)


class Verdict(StrEnum):
    """How a phrase was read, the worst first."""

    WRONG_HOUR = "wrong hour"
    WRONG_DAY = "wrong day"
    NOT_UNDERSTOOD = "not understood"
    RIGHT = "right"


@dataclass(frozen=True, kw_only=True)
class Expected:
    """The days and hours of a phrase.

    `first`..`last` are days, both inclusive; one that is None stays open. `days` are those of a list. `times` are the
    exact hours that are right; `since`..`until` bound the hours. `hour_is_free`: only the day counts.
    `month_of`: any day of that month.
    """

    first: dt.date | None = None
    last: dt.date | None = None
    days: tuple[dt.date, ...] = ()
    times: tuple[dt.time, ...] = ()
    since: dt.time | None = None
    until: dt.time | None = None
    until_is_free: bool = False
    hour_is_free: bool = False
    month_of: dt.date | None = None
    impossible: bool = False

    def __str__(self) -> str:
        """The fields that are set."""
        values = ((each.name, getattr(self, each.name)) for each in fields(self))
        return (
            ", ".join(f"{name} {shown(value)}" for name, value in values if value not in (None, (), False)) or "nothing"
        )

    @property
    def says_hours(self) -> bool:
        return bool(self.times) or self.since is not None or self.until is not None


def shown(value: object) -> str:
    return " or ".join(map(str, value)) if isinstance(value, tuple) else str(value)


@dataclass(frozen=True)
class Phrase:
    """A phrase of a collection with its present. `outside` is the reason why it is out of scope, "" where it is in."""

    text: str
    now: dt.datetime
    expected: Expected = field(default_factory=Expected)
    outside: str = ""


def hours_of_part(part: Part, day: dt.date | None) -> Expected:
    """That part of the day, whose bounds are this project's and not the collection's."""
    since, until = (dt.time(minutes // 60) for minutes in part.value)
    return Expected(first=day, last=day, since=since, until=until)


def judged(phrase: Phrase) -> Verdict:
    """The verdict on what `resolve` makes of the phrase."""
    found = resolve(phrase.text, phrase.now) or Resolution()
    hours, days = _hours(phrase, found), _days(phrase, found)
    for verdict in Verdict:
        if verdict in (hours, days):
            return verdict
    return Verdict.RIGHT


def _hours(phrase: Phrase, found: Resolution) -> Verdict:
    expected = phrase.expected
    if found.time is not None:
        if expected.hour_is_free and found.time == phrase.now.time():
            return Verdict.RIGHT
        said = {found.time, *found.time_alternatives}
        return Verdict.RIGHT if said & set(expected.times) else Verdict.WRONG_HOUR
    if expected.hour_is_free:
        return Verdict.RIGHT
    if expected.times:
        return Verdict.NOT_UNDERSTOOD
    window = found.time_from, found.time_to
    if window == (expected.since, expected.until):
        return Verdict.RIGHT
    if expected.until_is_free and found.time_from == expected.since:
        return Verdict.RIGHT
    return Verdict.WRONG_HOUR if window != (None, None) else Verdict.NOT_UNDERSTOOD


def _days(phrase: Phrase, found: Resolution) -> Verdict:
    expected, today = phrase.expected, phrase.now.date()
    if expected.impossible:
        right = found.impossible and found.date is None
        return Verdict.RIGHT if right else Verdict.WRONG_DAY if found.date else Verdict.NOT_UNDERSTOOD
    if expected.month_of is not None:
        same = found.date is not None and found.date.replace(day=1) == expected.month_of
        return Verdict.RIGHT if same else _missed(found)
    if expected.first is None and expected.last is None and not expected.days:
        return Verdict.RIGHT if found.date in (None, today) else Verdict.WRONG_DAY
    if found.date is None:
        hours_said = found.time or found.time_from or found.time_to
        return Verdict.RIGHT if hours_said and _is_next(expected, phrase.now) else Verdict.NOT_UNDERSTOOD
    if expected.days:
        listed = found.alternatives or (found.date,)
        return Verdict.RIGHT if listed == expected.days else Verdict.WRONG_DAY
    return Verdict.RIGHT if _same_days(expected, found, phrase.now) else Verdict.WRONG_DAY


def _missed(found: Resolution) -> Verdict:
    return Verdict.WRONG_DAY if found.date else Verdict.NOT_UNDERSTOOD


def _same_days(expected: Expected, found: Resolution, now: dt.datetime) -> bool:
    """Whether the days are those. What began before today and lasts begins today for a booking."""
    today = now.date()
    if expected.last is None:
        return found.open_end and found.date == expected.first
    first, last = expected.first or today, expected.last
    past = last < today or _is_over(expected, now)
    if found.past != past:
        return False
    if not past:
        first = max(first, today)
    if first == last:
        return found.end_date is None and first in (found.date, *found.alternatives)
    return (found.date, found.end_date or found.date) == (first, last)


def _is_over(expected: Expected, now: dt.datetime) -> bool:
    """Whether an hour of today lies before now."""
    ends = [*expected.times, *([expected.until] if expected.until else [])]
    return expected.last == now.date() and bool(ends) and max(ends) < now.time()


def _is_next(expected: Expected, now: dt.datetime) -> bool:
    """Whether hours without a day mean this one: the next that has them."""
    if not expected.says_hours and not expected.hour_is_free:
        return False
    ends: Sequence[dt.time] = expected.times or ([expected.until] if expected.until else [LAST_MINUTE])
    days = 0 if expected.hour_is_free or max(ends) >= now.time().replace(tzinfo=None) else 1
    return expected.first in (now.date() + dt.timedelta(days=days), now.date() if not expected.times else None)
