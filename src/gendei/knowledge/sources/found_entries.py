"""Entries in the blocks of a file: questions with the text below them, and headings with theirs."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from gendei.knowledge.checks import MOST_OF_QUESTION, MOST_QUESTIONS
from gendei.knowledge.everyday_words import folded
from gendei.knowledge.sources.blocks import TextBlock

MOST_FOUND = 200
"""Entries of one file."""
LONGEST_ID = 40


@dataclass(frozen=True, slots=True)
class FoundEntry:
    """Question forms and the text that answers them, as a file has it."""

    questions: tuple[str, ...]
    answer: str

    @property
    def id(self) -> str:
        """Readable, and the same for the same question."""
        words = re.sub(r"[^a-z0-9]+", "-", folded(self.questions[0])).strip("-")
        return words[:LONGEST_ID].rstrip("-") or "entrada"


_ASKS = re.compile(r"^(?:(?:p|q|pergunta|question)\s*(?:\d{1,3})?\s*[:.)-]\s*)?(.{3,}?\?)(?=\s|$)\s*", re.I | re.S)
_ANSWERS = re.compile(r"^(?:r|a|resp|resposta|answer)\s*(?:\d{1,3})?\s*[:.)-]\s*", re.I)
_NUMBER = re.compile(r"^(?:\d{1,3}(?:\.\d{1,2})*\s*[.):-]\s*|[•–-]\s+)")


def entries_in(blocks: Iterable[TextBlock]) -> list[FoundEntry]:
    """In the order of the file, each question once; at most MOST_FOUND."""
    found: dict[str, FoundEntry] = {}
    for entry in _entries(blocks):
        found.setdefault(entry.id, entry)
        if len(found) == MOST_FOUND:
            break
    return list(found.values())


def _entries(blocks: Iterable[TextBlock]) -> Iterator[FoundEntry]:
    """A heading asks for what stands below it until the next heading or question; questions in a row are forms of
    one."""
    questions: list[str] = []
    heading = ""
    answer: list[str] = []
    for block in blocks:
        asked, rest = _parted(_NUMBER.sub("", block.text))
        if (asked or block.is_heading) and answer:
            yield from _entry(questions or [heading], answer)
            questions, answer = [], []
        if asked:
            questions += asked
        elif block.is_heading:
            heading, questions, rest = rest.rstrip(":"), [], ""
        if rest and (questions or heading):
            answer.append(_ANSWERS.sub("", rest) if questions and not answer else rest)
    if answer:
        yield from _entry(questions or [heading], answer)


def _parted(text: str) -> tuple[list[str], str]:
    """The questions with which a text begins, and what follows them."""
    asked: list[str] = []
    while len(asked) < MOST_QUESTIONS and (found := _ASKS.match(text)) and _is_one_sentence(found[1]):
        asked.append(found[1])
        text = text[found.end() :]
    return asked, text.strip()


def _is_one_sentence(text: str) -> bool:
    """Not the end of a paragraph that happens to ask something."""
    return len(text) <= MOST_OF_QUESTION and not re.search(r"[.!;:]\s+\w", text[:-1])


def _entry(questions: Sequence[str], answer: Sequence[str]) -> Iterator[FoundEntry]:
    forms = tuple(dict.fromkeys(filter(None, questions)))[:MOST_QUESTIONS]
    if forms:
        yield FoundEntry(forms, "\n".join(answer))
