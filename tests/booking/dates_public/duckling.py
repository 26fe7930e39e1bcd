"""Reads the Portuguese corpus of facebook/duckling: what its test expects of each phrase, on 12 February 2013."""

import datetime as dt
import re
from collections.abc import Iterator
from pathlib import Path

from tests.booking.dates_public.clone import text_of
from tests.booking.dates_public.expected import Expected, Phrase, hours_of_part
from tests.booking.dates_public.scope import by_clinic, is_stretch_of_hours, out_by_words

from gendei.booking.dates.nodes import Part

FILE = "Duckling/Time/PT/Corpus.hs"
NOW = dt.datetime(2013, 2, 12, 4, 30, tzinfo=dt.timezone(-dt.timedelta(hours=2)))
_GROUP = re.compile(
    r"examples\s+\((?P<kind>datetime\w*)\s+(?P<edge>After|Before)?\s*\(?"
    r"(?P<moments>\([\d, ]+\)(?:\s*,\s*\([\d, ]+\))?)\)?\s*(?P<grain>\w+)\)\s*\[(?P<phrases>.*?)\n\s*\]",
    re.S,
)
_NEGATIVE = re.compile(r"negativeCorpus =.*?examples =\s*\[(?P<phrases>.*?)\n\s*\]", re.S)
_STRING = re.compile(r'"([^"]*)"')
_NUMBERS = re.compile(r"\(([\d, ]+)\)")
_PARTS = {4: Part.MORNING, 12: Part.AFTERNOON, 18: Part.NIGHT}
_PRESENT = re.compile(r"agora|j[áa]|instante|momento", re.I)
_DAY = dt.timedelta(days=1)


def phrases(clone: Path) -> Iterator[Phrase]:
    """The phrases of the corpus in order, and those that it says to hold nothing."""
    source = text_of(clone, FILE)
    negative = _NEGATIVE.search(source)
    for text in _STRING.findall(negative["phrases"]) if negative else ():
        yield Phrase(text, NOW)
    for group in _GROUP.finditer(source):
        moments = [[int(number) for number in found.split(",")] for found in _NUMBERS.findall(group["moments"])]
        for text in _STRING.findall(group["phrases"]):
            outside = _outside(text, group["grain"], moments)
            yield Phrase(text, NOW, Expected() if outside else _expected(text, group, moments), outside)


def _outside(text: str, grain: str, moments: list[list[int]]) -> str:
    if reason := out_by_words(text):
        return reason
    if grain in ("Year", "Quarter"):
        return "a year alone"
    if grain in ("Second", "Minute", "Hour") and is_stretch_of_hours(text):
        return "hours or minutes counted as a stretch"
    if len(moments) == 2 and grain in ("Day", "Week", "Month"):
        first, last = (_date(moment) for moment in moments)
        if last <= NOW.date():
            return "a stretch counted back from today"
        if grain in ("Week", "Month") and first > NOW.date() and re.search(r"pr[óo]xim|que vem", text):
            return "the collection's own convention: the next weeks and months are whole ones"
    return ""


def _expected(text: str, group: re.Match[str], moments: list[list[int]]) -> Expected:
    grain, edge = group["grain"], group["edge"]
    first = _date(moments[0])
    hour = dt.time(*moments[0][3:5])
    if _PRESENT.fullmatch(text.rsplit(maxsplit=1)[-1]):
        return Expected(first=first, last=first, hour_is_free=True)
    if edge:
        midnight = hour == dt.time(0)
        day = first - _DAY if midnight else first
        return Expected(
            first=day,
            last=day,
            since=hour if edge == "After" else None,
            until=dt.time(23, 59) if midnight else hour if edge == "Before" else None,
        )
    if len(moments) == 2:
        return _interval(text, grain, moments)
    if grain == "Week":
        return Expected(first=first, last=first + 6 * _DAY)
    if grain == "Month":
        counted = (first.month == NOW.month) and first.year != NOW.year
        return Expected(month_of=first) if counted else Expected(first=first, last=_month_end(first))
    if grain == "Day" or (grain == "Hour" and hour.hour == NOW.hour and "dia" in text):
        return Expected(first=first, last=first)
    return Expected(first=first, last=first, times=by_clinic(text, hour))


def _interval(text: str, grain: str, moments: list[list[int]]) -> Expected:
    """An interval, whose end is exclusive: days, the hours of one day, or a weekend from Friday evening on."""
    first, end = (_date(moment) for moment in moments)
    if grain == "Minute":
        since, until = (dt.time(*moment[3:5]) for moment in moments)
        exclusive = until.replace(minute=until.minute - 1)
        return Expected(first=first, last=first, since=since, until=exclusive)
    if grain == "Hour" and (end - first).days > 1:
        return Expected(first=first + _DAY, last=end - _DAY)
    if grain == "Hour":
        return hours_of_part(_PARTS[moments[0][3]], first)
    if grain == "Day" and first == NOW.date() + _DAY and "prox" in text:
        first = NOW.date()
    return Expected(first=first, last=end - _DAY)


def _date(moment: list[int]) -> dt.date:
    return dt.date(moment[0], max(moment[1], 1), max(moment[2], 1))


def _month_end(first: dt.date) -> dt.date:
    return (first + 31 * _DAY).replace(day=1) - _DAY
