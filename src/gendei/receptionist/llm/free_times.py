"""Whether a model's words about what is free are known: a time that it offers, and that there is none.

A time that is offered was found by a search, held, or is an appointment's; opening hours are told and never offered.
That something is not free needs a search that found nothing, a refusal, or a day on which nobody works."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta

from gendei.clinic import Clinic
from gendei.receptionist.llm.facts_in_text import dates, sentences, times
from gendei.receptionist.understanding.language import plain

_OFFERS = re.compile(
    r"\b(?:vagas?|disponive(?:l|is)|livres?|encaix\w+|agend\w+|(?:re)?mar(?:car|co|camos|quei)|reserv\w+|remarc\w+"
    r"|(?:tem|tenho|temos|ha|existem?|sobrou|consigo|posso) (?:\w+ ){0,2}(?:horarios?|as|a partir))\b"
)
_ASKS_FOR_YES = re.compile(
    r"\b(?:confirm\w+|(?:re)?mar(?:car|co|que)|agend\w+|reserv\w+|pode ser|fica bom|serve|te atende|fechado|combinado)"
)
_OPENING = re.compile(
    r"\b(?:abr(?:e|em|imos)|fecha\w*|funcion\w+|atend(?:e|em|emos|imento)|expediente|almoco)\b"
    r"|\bate as\b|\bdas .{1,16} (?:as|a|ate) "
)
_NONE = re.compile(
    r"\b(?:indisponive(?:l|is)|nao (?:esta|estao|fica|ficam|ha|tem)(?: mais)? disponive(?:l|is)"
    r"|(?:nao (?:ha|tem|temos|tenho|existe\w*|sobrou|sobraram|encontr\w+|ach\w+|consegui|consigo|vejo|vi|resta\w*)"
    r"|sem)(?: (?:mais|nenhum\w*|nem|um|uma|outr\w+|ver|encontrar|achar)){0,2} (?:vagas?|horarios?|disponibilidade)"
    r"|(?:agenda|horarios?|dia)\w* (?:\w+ ){0,2}(?:lotad|chei|esgotad|preenchid|ocupad)[ao]s?|esgotad[ao]s?)\b"
)
_WEEKDAYS = ("segunda", "terca", "quarta", "quinta", "sexta", "sabado", "domingo")


@dataclass(slots=True)
class Searches:
    """What is known of searches: asked, one was made in this turn; found_none, one found nothing, or the desk refused.
    open_on: weekdays that somebody works; closed: dates that nobody does; hours: the first and the last minute."""

    asked: bool = False
    found_none: bool = False
    open_on: frozenset[int] = frozenset(range(7))
    closed: frozenset[date] = frozenset()
    hours: tuple[int, int] = (0, 24 * 60)

    @classmethod
    def of(cls, clinic: Clinic, outputs: Iterable[str], history: Sequence[Mapping[str, str]]) -> "Searches":
        """`outputs`: of this turn's tools, JSON. What was said to be taken before may be said again."""
        weeks = [clinic.hours, *(clinic.hours_of(professional) for professional in clinic.professionals)]
        ranges = [hours for week in weeks for day in week.values() for hours in day]
        made = cls(
            open_on=frozenset(day for week in weeks for day, parts in week.items() if parts), closed=clinic.closed
        )
        if ranges:
            made.hours = (min(hours.start for hours in ranges), max(hours.end for hours in ranges))
        for output in outputs:
            made._learn(output)
        earlier = (message["content"] for message in history if message["role"] == "assistant")
        made.found_none |= any(_NONE.search(plain(text)) for text in earlier)
        return made

    def _learn(self, output: str) -> None:
        with suppress(ValueError, AttributeError):
            result = json.loads(output)
            data = result.get("data") or {}
            refused = result.get("success") is False
            searched = isinstance(data, dict) and bool({"slots", "nearest", "available"} & set(data))
            self.asked |= searched or refused
            self.found_none |= refused or (searched and (data.get("available") is False or not data.get("slots", True)))


def asks_for_yes(text: str) -> bool:
    """Whether the text asks whether something shall be booked."""
    return any(part.rstrip().endswith("?") and _ASKS_FOR_YES.search(plain(part)) for part in sentences(text))


def offered(sentence: str, *, asks: bool) -> bool:
    """Whether a sentence offers the times that it names. `asks`: its text asks for the yes."""
    said = plain(sentence)
    opens = bool(_OPENING.search(said)) or len(set(times(sentence))) > 2
    if _OFFERS.search(said):
        return not (opens and not re.search(r"\b(?:vagas?|disponive|livres?)", said))
    if opens:
        return False
    return asks and bool(_day_named(said) or dates(sentence, date.today()))  # noqa: DTZ011  # only whether there is one


def weekdays_named(sentence: str, today: date) -> set[int]:
    """The weekdays that are named, also as today and tomorrow."""
    said = plain(sentence)
    found = {number for number, name in enumerate(_WEEKDAYS) if re.search(rf"\b{name}s?\b", said)}
    found |= {today.weekday()} if re.search(r"\bhoje\b", said) else set()
    return found | ({(today + timedelta(days=1)).weekday()} if re.search(r"\bamanha\b", said) else set())


def _day_named(said: str) -> bool:
    return re.search(rf"\b(?:hoje|amanha|dia \d|{'|'.join(_WEEKDAYS)})", said) is not None


def false_refusals(text: str, searches: Searches, today: date) -> bool:
    """Whether the text says that something is not free, of which nothing shows that it is so."""
    if searches.found_none:
        return False
    for sentence in sentences(text):
        if sentence.rstrip().endswith("?") or not _NONE.search(plain(sentence)):
            continue
        days, on, at = weekdays_named(sentence, today), dates(sentence, today), times(sentence)
        if searches.asked and (days or on or at):
            continue
        closed = any(day not in searches.open_on for day in days) or any(
            day in searches.closed or day.weekday() not in searches.open_on for day in on
        )
        first, last = searches.hours
        if not closed and not any(not first <= minutes < last for minutes in at):
            return True
    return False
