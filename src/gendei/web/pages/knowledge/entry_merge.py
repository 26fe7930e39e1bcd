"""Two editors of one entry: what both changed, side by side, and nothing lost."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from typing import Any

from gendei.knowledge.entry import KnowledgeEntry


@dataclass(frozen=True, slots=True)
class EntryWords:
    """What staff write of an entry."""

    questions: tuple[str, ...] = ()
    answer: str = ""
    owner: str = ""
    source: str = ""
    valid_until: date | None = None

    @classmethod
    def of(cls, entry: KnowledgeEntry) -> "EntryWords":
        return cls(entry.questions, entry.answer, entry.owner, entry.source, entry.valid_until)


def merged(base: EntryWords, theirs: EntryWords, mine: EntryWords) -> tuple[EntryWords, list[str]]:
    """What both editors meant, and the fields that both changed, which stand as `mine`. base: what both saw. Of the
    questions, what either added is there and what either took out is not."""
    whole = replace(mine, questions=_together(base.questions, theirs.questions, mine.questions))
    conflicts: list[str] = []
    for name in (field.name for field in fields(EntryWords) if field.name != "questions"):
        before, their, own = (getattr(each, name) for each in (base, theirs, mine))
        if own == before:
            changed: dict[str, Any] = {name: their}
            whole = replace(whole, **changed)
        elif their not in (before, own):
            conflicts.append(name)
    return whole, conflicts


def _together(base: Sequence[str], theirs: Sequence[str], mine: Sequence[str]) -> tuple[str, ...]:
    kept = [each for each in theirs if each in mine or each not in base]
    return tuple(dict.fromkeys((*kept, *(each for each in mine if each in theirs or each not in base))))
