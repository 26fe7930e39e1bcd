"""Reads the Portuguese specifications of microsoft/Recognizers-Text, each phrase with its own present."""

import datetime as dt
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.booking.dates_public.clone import text_of
from tests.booking.dates_public.expected import LAST_MINUTE, Expected, Phrase, hours_of_part
from tests.booking.dates_public.scope import (
    by_clinic,
    has_month_first,
    is_hour_by_clinic,
    is_stretch_of_hours,
    measured,
    out_by_words,
    says_which_past,
)

from gendei.booking.dates.nodes import Part

FOLDER = "Specs/DateTime/Portuguese"
FILES = (
    *("DateParser", "DatePeriodParser", "TimeParser", "TimePeriodParser", "DateTimeParser", "DateTimePeriodParser"),
    *("HolidayParser", "SetParser", "DurationParser", "DateTimeModel"),
)
ZONE = dt.timezone(-dt.timedelta(hours=3))
UNDATED = dt.datetime(2016, 11, 7, tzinfo=ZONE)
"""The present of a phrase whose meaning does not depend on it."""
_DAY = dt.timedelta(days=1)
_PARTS = {"MO": Part.MORNING, "AF": Part.AFTERNOON, "EV": Part.AFTERNOON, "NI": Part.NIGHT, "DA": Part.DAWN}
_PART = re.compile(r"T(MO|AF|EV|NI|DA)$")
_YEARS = re.compile(r"^\d{4}$|P\d+Y\)$")
_FOREIGN_FEAST = re.compile(r"^(?:XXXX|\d{4})-\d\d-WXX-\d-\d$")
_NUMBERED_WEEK = re.compile(r"^\d{4}-W\d\d$")
_COUNTED = re.compile(
    r"(?:pr[óo]xim|[úu]ltim|primeir)\w*\s\w+\s(?:dias|semanas|meses)|\w+\s(?:pr[óo]xim|[úu]ltim)\w*\s(?:dias|semanas|meses)",
    re.I,
)
_BARE_SECONDS = re.compile(r"T\d\d:\d\d:(?!00)\d\d")


def phrases(clone: Path) -> Iterator[Phrase]:
    """The phrases of every file, in order. The same phrase with the same present counts once."""
    seen = set()
    for name in FILES:
        for spec in json.loads(text_of(clone, f"{FOLDER}/{name}.json")):
            now = dt.datetime.fromisoformat(spec.get("Context", {}).get("ReferenceDateTime", UNDATED.isoformat()))
            text, now = spec["Input"], now.replace(tzinfo=ZONE)
            if (text, now) in seen:
                continue
            seen.add((text, now))
            meant = [_Meant.of(result, now) for result in spec["Results"]]
            outside = _outside(text, meant, now)
            yield Phrase(measured(text), now, Expected() if outside else _together(text, meant, now), outside)


class _Meant:
    """One result of a phrase: its type, its timex, and its value, the future one where it has two."""

    def __init__(self, kind: str, text: str, values: list[dict[str, str]]) -> None:
        self.kind, self.text, self.values = kind, text, values
        self.timex = values[0].get("timex", "") if values else ""
        self.first, self.last = (_moment(values[0], *names) for names in (("start", "value"), ("end", "value")))
        self.modifier = values[0].get("Mod", "") if values else ""

    @classmethod
    def of(cls, result: dict[str, Any], now: dt.datetime) -> "_Meant":
        if "Value" in result or "TypeName" not in result:
            value = result.get("Value") or {}
            future = value.get("FutureResolution") or {}
            return cls(result["Type"], result["Text"], [{"timex": value.get("Timex", "")} | _renamed(future)])
        values = (result.get("Resolution") or {}).get("values", [])
        kind = result["TypeName"].removeprefix("datetimeV2.")
        ahead = [value for value in values if _end(value, now) >= now.date()]
        nearest = min((_end(value, now) for value in ahead), default=None)
        chosen = [value for value in ahead if _end(value, now) == nearest] or values[-1:]
        return cls(kind, result["Text"], chosen)

    @property
    def times(self) -> tuple[dt.time, ...]:
        return tuple(moment.time() for value in self.values if (moment := _moment(value, "value")))


def _renamed(future: dict[str, str]) -> dict[str, str]:
    """The names of a parser's specification in those of the model's."""
    names = {"date": "value", "time": "value", "dateTime": "value"}
    return {
        names.get(name, "start" if name.startswith("start") else "end" if name.startswith("end") else name): value
        for name, value in future.items()
    }


def _moment(value: dict[str, str], *names: str) -> dt.datetime | None:
    """The first of the named moments; a time without a date has the first day of the calendar."""
    text = next((value[name] for name in names if name in value), "")
    if re.fullmatch(r"\d\d:\d\d:\d\d", text):
        text = f"0001-01-01 {text}"
    return dt.datetime.fromisoformat(text) if re.match(r"\d{4}-", text) else None


def _end(value: dict[str, str], now: dt.datetime) -> dt.date:
    moment = _moment(value, "end", "value", "start")
    return moment.date() if moment and moment.year > 1 else now.date()


def _outside(text: str, meant: list[_Meant], now: dt.datetime) -> str:
    for result in meant:
        if reason := _out_by_type(result, now) or out_by_words(result.text):
            return reason
    kinds = {result.kind for result in meant}
    return "several things that are no list of days" if len(meant) > 1 and kinds != {"date"} else ""


def _out_by_type(result: _Meant, now: dt.datetime) -> str:
    if result.kind in ("set", "duration"):
        return f"a {result.kind}"
    if result.timex == "FUTURE_REF":
        return "no point in time"
    if _YEARS.search(result.timex):
        return "a year alone"
    if _FOREIGN_FEAST.match(result.timex):
        return "a holiday of another country"
    if _NUMBERED_WEEK.match(result.timex) and re.search(r"\d{4}|ano|mil", result.text):
        return "a week by its number in the year"
    if _BARE_SECONDS.search(result.timex) and result.kind in ("time", "datetime") and ":59:59" not in result.timex:
        return "seconds"
    return _out_by_value(result, now)


def _out_by_value(result: _Meant, now: dt.datetime) -> str:
    first, last = result.first, result.last
    if result.kind == "datetimerange" and is_stretch_of_hours(result.text):
        return "hours or minutes counted as a stretch"
    if first and last and any(has_month_first(result.text, moment.date()) for moment in (first, last)):
        return "the order of day, month and year of another country"
    if result.kind == "datetimerange" and first and last and first.date() != last.date():
        return "a stretch from an hour of one day to an hour of another"
    if first and last and last < first:
        return "a range that ends before it begins"
    if result.kind == "daterange" and last and last.date() == now.date() and "P" in result.timex and _counted(result):
        return "a stretch counted back from today"
    if result.kind == "date" and first and first.date() < now.date() and not says_which_past(result.text):
        return "the past, where nothing says so"
    if result.kind == "date" and first and (first.date() - now.date()).days > 14 and is_hour_by_clinic(result.text):
        return "the collection's own convention: a number behind a weekday is always the day"
    return ""


def _counted(result: _Meant) -> bool:
    return re.search(r"[úu]ltim|passad|anterior", result.text, re.I) is not None


def _together(text: str, meant: list[_Meant], now: dt.datetime) -> Expected:
    if not meant:
        return Expected()
    if len(meant) > 1:
        days = tuple(sorted({result.first.date() for result in meant if result.first}))
        return Expected(days=days) if len(days) > 1 else Expected(first=days[0], last=days[0])
    return _expected(text, meant[0], now)


def _expected(text: str, result: _Meant, now: dt.datetime) -> Expected:
    first, last = result.first, result.last
    if result.timex == "PRESENT_REF":
        return Expected(first=now.date(), last=now.date(), hour_is_free=True)
    if not first and not last:
        return Expected(impossible=True)
    part = _PART.search(result.timex)
    if part:
        day = None if result.kind == "timerange" else (first or last or now).date()
        if result.modifier:
            return Expected(first=day and now.date(), last=day, hour_is_free=True)
        meant = hours_of_part(_PARTS[part[1]], day)
        return replace(meant, until_is_free=part[1] == "AF")
    if result.modifier:
        return _bounded(text, result, now)
    match result.kind:
        case "date":
            return Expected(first=first.date(), last=first.date())
        case "daterange":
            return _range(result, now)
        case "time" | "datetime":
            return _exact(text, result)
        case _:
            return _hours(text, result)


def _range(result: _Meant, now: dt.datetime) -> Expected:
    """A range of days. Its end is exclusive, but where both ends were said; what is counted begins today for us."""
    first, last = result.first.date(), result.last.date()
    if "dentro" in result.text:
        return Expected(first=last, last=last)
    counted = _COUNTED.search(result.text)
    inclusive = result.timex.count(",") == 2 and not counted
    ahead = counted and first == now.date() + _DAY
    return Expected(first=now.date() if ahead else first, last=last if inclusive else last - _DAY)


def _exact(text: str, result: _Meant) -> Expected:
    day = result.first.date() if result.kind == "datetime" else None
    if result.times[0] == dt.time(23, 59, 59):
        return Expected(first=day, last=day, hour_is_free=True)
    times = result.times if len(result.times) > 1 else by_clinic(text, result.times[0])
    return Expected(first=day, last=day, times=times)


def _hours(text: str, result: _Meant) -> Expected:
    first, last = result.first, result.last
    day = first.date() if result.kind == "datetimerange" else None
    since, until = by_clinic(text, first.time(), last.time())
    return Expected(first=day, last=day, since=since, until=min(until, LAST_MINUTE))


def _bounded(text: str, result: _Meant, now: dt.datetime) -> Expected:
    """ "até" and "antes de": the collection's end is the named thing itself, which "até" includes for us."""
    if result.kind == "timerange":
        return Expected(
            since=result.first.time() if result.modifier == "after" else None,
            until=result.last.time() if result.modifier == "before" else None,
        )
    if result.modifier == "after":
        return Expected(first=result.first.date())
    end = result.last.date()
    if re.fullmatch(r"XXXX-\d\d", result.timex):
        end = (end + 31 * _DAY).replace(day=1) - _DAY
    return Expected(first=now.date(), last=end)
