"""The words of a model's own that a patient may read in strict mode (`prompts/strict.yaml`).

A sentence passes where all of it is known expressions: what is not known is not said. That tells no truth from a lie,
and need not, since no expression states a fact."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from gendei.datafile import Text
from gendei.receptionist.llm.facts_in_text import sentences
from gendei.receptionist.understanding.language import plain
from gendei.texts import Catalogue

MOST_STATEMENTS, MOST_QUESTIONS, LONGEST = 4, 2, 160
"""What leads to an answer is short ("Oi! Tudo bem? Qual dia prefere?"). A sentence is counted in characters."""
_READABLE = re.compile(r"[A-Za-zÀ-ÖØ-öø-ÿ\s,.!?…:;'\"“”’()–—-]*")
"""No digit, sign or picture: these state something without a word."""
_LETTERS = re.compile("[a-z]+")
_MARKS = re.compile(r"[*_]")

Expression = tuple[frozenset[str], ...]
"""Words one after the other, each with its alternatives."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What may be read of a text, in order. lost: whether anything was left out."""

    statements: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    lost: bool = False


class FreeWords(Catalogue):
    """Expressions by where they may stand."""

    file_name: ClassVar[str] = "strict.yaml"
    around: list[Text]
    assent: list[Text]
    asking: list[Text]
    on_buttons: list[Text]

    def kept(self, text: str, names: Sequence[str] = (), *, assent: bool = True) -> Kept:
        """The sentences of `text` that may be read. names: of the patient and the clinic, which a sentence may hold
        beside other words. assent: whether they may say yes."""
        lists = ("around", "assent") if assent else ("around",)
        found = sentences(_MARKS.sub("", text))
        asked = [said.strip() for said in found if said.rstrip().endswith("?")]
        told = [said.strip() for said in found if not said.rstrip().endswith("?")]
        questions = [said for said in asked if self._passes(said, (*lists, "asking"), names)]
        statements = [said for said in told if self._passes(said, lists, names)]
        lost = len(questions) + len(statements) < len(found)
        once = {tuple(_LETTERS.findall(plain(said))): said for said in reversed(statements)}
        return Kept(tuple(reversed(once.values()))[:MOST_STATEMENTS], tuple(questions[-MOST_QUESTIONS:]), lost)

    def names_a_button(self, title: str) -> bool:
        """Whether a button may bear these words."""
        return self._passes(title, ("around", "assent", "asking", "on_buttons"), ())

    def _passes(self, sentence: str, lists: Sequence[str], names: Sequence[str]) -> bool:
        if len(sentence) > LONGEST or not _READABLE.fullmatch(sentence):
            return False
        said = _LETTERS.findall(plain(sentence))
        own = [expression for name in names if (expression := _expression(name))]
        if not said or any(_covers([name], said) for name in own):
            return False
        known = (found for name in lists for word in set(said) for found in self._by_first_word[name].get(word, ()))
        return _covers([*known, *own], said)

    @cached_property
    def _by_first_word(self) -> Mapping[str, Mapping[str, Sequence[Expression]]]:
        lists = {"around": self.around, "assent": self.assent, "asking": self.asking, "on_buttons": self.on_buttons}
        return {name: _by_first_word(map(_expression, expressions)) for name, expressions in lists.items()}


def _expression(text: str) -> Expression:
    parts = re.split(r"[\s-]+", plain(text))
    found = (frozenset(_LETTERS.findall(part)) for part in parts)
    return tuple(word for word in found if word)


def _by_first_word(expressions: Iterable[Expression]) -> dict[str, list[Expression]]:
    found: dict[str, list[Expression]] = {}
    for expression in expressions:
        for word in expression[0]:
            found.setdefault(word, []).append(expression)
    return found


def _covers(expressions: Sequence[Expression], said: Sequence[str]) -> bool:
    """Whether the words are expressions from end to end."""
    reached = {0}
    for place in range(len(said)):
        for expression in expressions if place in reached else ():
            following = said[place : place + len(expression)]
            if len(following) == len(expression) and all(map(frozenset.__contains__, expression, following)):
                reached.add(place + len(expression))
    return len(said) in reached
