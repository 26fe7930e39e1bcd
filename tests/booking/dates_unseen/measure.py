"""How often `resolve` is right about the phrases of a.yaml and b.yaml, which were written without sight of its grammar.

A phrase counts as right when every field of its line is: `date` and `time` are always looked at (absent means that
nothing may be found), the others where they are given, and `past` may only be said where it is given.
"""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import yaml

from gendei.booking.dates import Resolution, resolve

HERE = Path(__file__).parent
ZONE = ZoneInfo("America/Sao_Paulo")
COLLECTIONS = ("a", "b", "c")
ANY = "any"


@dataclass(frozen=True)
class Case:
    """One phrase of a collection, when it was written, and the fields that were expected of it."""

    collection: str
    now: dt.datetime
    text: str
    expected: dict[str, Any]

    @property
    def name(self) -> str:
        return f"{self.collection}: {self.text}"


def read_cases() -> Iterator[Case]:
    """The phrases as they were collected."""
    for collection in COLLECTIONS:
        content = yaml.safe_load((HERE / f"{collection}.yaml").read_text(encoding="utf-8"))
        for group in content["groups"]:
            now = dt.datetime.fromisoformat(group["now"]).replace(tzinfo=ZONE)
            for phrase in group["phrases"]:
                yield Case(collection, now, phrase.pop("text"), phrase)


def found_for(case: Case) -> dict[str, Any]:
    """What `resolve` makes of the phrase, in the fields and the notation of its line."""
    found = resolve(case.text, case.now) or Resolution()
    shown = {
        "date": found.date,
        "end_date": found.end_date,
        "time": written(found.time),
        "time_from": written(found.time_from),
        "time_to": written(found.time_to),
        "dates": list(found.alternatives),
        "past": found.past,
    }
    return {field: shown[field] for field in wanted_of(case)}


def wanted_of(case: Case) -> dict[str, Any]:
    """The fields that decide whether the phrase was understood."""
    expected = {"date": None, "time": None, "past": False} | case.expected
    if expected.pop("ambiguous", False) and expected["date"] is None:
        expected["date"] = expected["dates"][0]
    return {field: value for field, value in expected.items() if value != ANY}


def written(at: dt.time | None) -> str | None:
    return f"{at:%H:%M}" if at else None


def is_right(case: Case) -> bool:
    return found_for(case) == wanted_of(case)


def known_misses() -> dict[str, str]:
    """The names of the cases that are not met, with the reason."""
    content = yaml.safe_load((HERE / "misses.yaml").read_text(encoding="utf-8"))
    return content["missed"] | content["mistaken"]
