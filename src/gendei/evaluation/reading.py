"""What a patient sees of a message: times, days, and what the options are about. It knows the clinic's words for
services and people, and nothing of how the receptionist works."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from gendei.clinic import Clinic
from gendei.evaluation.tasks import NOW, ZONE
from gendei.providers.stand_in.graph import Sent

_DAY = re.compile(r"\b(\d{1,2})/(\d{1,2})\b")
_TIME = re.compile(r"\b(\d{1,2})h(\d{2})?\b")
_YES = re.compile(r"^(confirmar|sim\b)")
_TITLE = 20


class Shown(StrEnum):
    """What a set of options is about."""

    YES_OR_NO = "yes_or_no"
    TIMES = "times"
    DAYS = "days"
    SERVICES = "services"
    PEOPLE = "people"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Option:
    """`start`: the moment that it names, in the clinic's zone; its time is midnight where only a day is named."""

    index: int
    title: str
    start: datetime | None
    has_time: bool


def folded(text: str) -> str:
    """Lower case without accents."""
    plain = unicodedata.normalize("NFD", text.lower())
    return "".join(character for character in plain if not unicodedata.combining(character))


def moment(text: str, day_from: str = "") -> tuple[datetime | None, bool]:
    """The first day and time that `text` names, the day from `day_from` where it names none; and whether it has a
    time."""
    day, hour = _DAY.search(text) or _DAY.search(day_from), _TIME.search(text)
    if day is None:
        return None, hour is not None
    month = int(day[2])
    year = NOW.year + (month < NOW.month)
    clock = (int(hour[1]), int(hour[2] or 0)) if hour else (0, 0)
    return datetime(year, month, int(day[1]), *clock, tzinfo=ZONE), hour is not None


def options(sent: Sent) -> list[Option]:
    """Each option with the moment that its title names, under its heading and below the text."""
    found = []
    for index, ((_, title), heading) in enumerate(zip(sent.options, _headings(sent), strict=True)):
        start, has_time = moment(title, f"{heading} {sent.text}")
        found.append(Option(index, title, start, has_time))
    return found


def kind(shown: Sequence[Option], clinic: Clinic) -> Shown:
    """What these options are about, as most of them are."""
    titles = [folded(option.title) for option in shown]
    if any(_YES.match(title) for title in titles):
        return Shown.YES_OR_NO
    if sum(option.has_time for option in shown) * 2 >= len(shown):
        return Shown.TIMES
    if any(_DAY.search(option.title) for option in shown):
        return Shown.DAYS
    if any(matches(title, service.name) for title in titles for service in clinic.services):
        return Shown.SERVICES
    if any(matches(title, person.name) for title in titles for person in clinic.professionals):
        return Shown.PEOPLE
    return Shown.OTHER


def yes(shown: Sequence[Option]) -> Option:
    """The option that agrees."""
    return next(option for option in shown if _YES.match(folded(option.title)))


def titled(shown: Sequence[Option], *names: str) -> Option | None:
    """The first option whose title is one of `names`, whole or cut."""
    return next((option for name in names for option in shown if matches(folded(option.title), name)), None)


def matches(title: str, name: str) -> bool:
    """Whether a folded title is `name`, as far as its 20 or 24 characters go."""
    name = folded(name)
    stem = title.rstrip("… .")
    return stem == name or (len(stem) >= min(_TITLE - 4, len(name)) and (name.startswith(stem) or stem in name))


def _headings(sent: Sent) -> list[str]:
    sections = sent.payload["interactive"]["action"].get("sections", [])
    rows = [section.get("title", "") for section in sections for _ in section["rows"]]
    return rows or [""] * len(sent.options)
