"""What a search of a clinic's knowledge comes to. It is apart from the search, which takes numpy: who only names an
outcome starts without."""

from dataclasses import dataclass
from enum import StrEnum


class SearchOutcome(StrEnum):
    """What to do with a question."""

    ANSWERED = "answered"
    ASKED = "asked"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class WhatAnswers:
    """`ids`: the entry that answers, or those to choose from; none where nothing answers."""

    outcome: SearchOutcome
    ids: tuple[str, ...] = ()
