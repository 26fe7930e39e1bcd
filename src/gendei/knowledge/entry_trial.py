"""What an entry would do before it is approved: which questions it answers, and which entries say otherwise."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gendei.knowledge.outcome import SearchOutcome
from gendei.knowledge.searchable import Searchable

if TYPE_CHECKING:
    from gendei.knowledge.search import SearchIndex


@dataclass(frozen=True, slots=True)
class TriedQuestion:
    """How a question would be answered. `by_it`: by the entry, at once or as one of those to choose from. `ids`: of
    all that would be said or offered."""

    question: str
    outcome: SearchOutcome
    by_it: bool
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EntryTrial:
    """`contradicting`: the entries in use that answer one of its question forms in other words."""

    tried: tuple[TriedQuestion, ...]
    contradicting: tuple[str, ...]


def trial_of(index: "SearchIndex", written: Searchable, asked: Sequence[str]) -> EntryTrial:
    """Try an entry as if it were in use, with questions that patients ask. index: of the entries in use. It takes
    processor time for each entry."""
    from gendei.knowledge.finding import find  # noqa: PLC0415  # numpy is for who searches

    others = [each for each in index.entries if each.id != written.id]
    whole = type(index)([*others, written])
    tried = [(question, find(whole, question)) for question in asked]
    told = (TriedQuestion(question, found.outcome, written.id in found.ids, found.ids) for question, found in tried)
    return EntryTrial(tuple(told), tuple(contradicting(index, written)))


def contradicting(index: "SearchIndex", written: Searchable) -> list[str]:
    """The entries of `index` that answer one of the entry's questions in other words."""
    from gendei.knowledge.finding import find  # noqa: PLC0415  # numpy is for who searches

    others = type(index)([each for each in index.entries if each.id != written.id])
    said = {each.id: each.answer for each in others.entries}
    found = (find(others, question) for question in written.questions)
    same = {each.ids[0] for each in found if each.outcome is SearchOutcome.ANSWERED}
    same |= {found_id for question in written.questions for found_id in others.asked_so(question)}
    return sorted(each for each in same if said[each] != written.answer)
