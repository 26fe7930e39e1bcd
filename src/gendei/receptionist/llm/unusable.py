"""Answers that are none, however true: in another language, the same again and again, code, or beside the question.

Found by what can be seen cheaply; that an API cut an answer, it says itself (`noticing_cuts`)."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from gendei.prompts import GuardrailWords
from gendei.receptionist.guided.information import TOPICS
from gendei.receptionist.llm.facts_in_text import sentences
from gendei.receptionist.understanding.language import plain, words
from gendei.receptionist.understanding.patient_message import Understanding

_CODE = re.compile(
    r"```|<\|?/?(?:tool_call|think|function|im_start|im_end|assistant)|\{\s*\"\w+\"\s*:|^\s*\[\s*\{|\btool_calls\b"
)
_TITLE = re.compile(r"\b(Dra?|Sra?)\.")
"""Its point ends no sentence."""
FEWEST_FOREIGN = 2
CLEARLY_FOREIGN = 3
FOREIGN_LETTERS = 3
"""Letters of another script: a model that slips into another language writes more than one sign of it."""
MOST_ALIKE = 3
"""Times that a sentence of more than one word may be said, and three words in a sentence."""
MOST_IN_A_ROW = 4
_SELDOM = 2


@dataclass(slots=True)
class CutAnswers:
    """Whether the API cut its last answer off."""

    last: bool = False


_noticed: ContextVar[CutAnswers | None] = ContextVar("gendei_cut_answers", default=None)


@contextmanager
def noticing_cuts(cuts: CutAnswers) -> Iterator[None]:
    """Keep in `cuts` what `tell_if_cut` says meanwhile, also in tasks that are begun inside."""
    token = _noticed.set(cuts)
    try:
        yield
    finally:
        _noticed.reset(token)


def tell_if_cut(body: Mapping[str, Any]) -> bool:
    """Whether an API's whole answer, of either protocol, was cut by its length (`finish_reason`: length; `status`:
    incomplete). Both documented by OpenAI."""
    choices = body.get("choices")
    first = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], Mapping) else {}
    details = body.get("incomplete_details")
    why = details.get("reason") if isinstance(details, Mapping) else None
    cut = first.get("finish_reason") == "length" or (body.get("status") == "incomplete" and why == "max_output_tokens")
    if (cuts := _noticed.get()) is not None:
        cuts.last = cut
    return cut


def is_code(text: str) -> bool:
    return _CODE.search(text) is not None


def repeats(text: str) -> bool:
    """Whether a sentence is said too often, a word too often in a row, or three words too often in one sentence."""
    text = text.replace("…", ".")  # where a title was cut
    said = [plain(sentence).strip(" .!?;") for sentence in sentences(_TITLE.sub(r"\1", text))]
    if any(times > MOST_ALIKE for sentence, times in Counter(said).items() if " " in sentence):
        return True
    row, before = 0, ""
    for word in words(text):
        row = row + 1 if word == before else 1
        before = word
        if row > MOST_IN_A_ROW and word.isalpha():
            return True
    return any(_goes_round(words(sentence)) for sentence in said)


def _goes_round(said: Sequence[str]) -> bool:
    """Whether the same three words come again and again in one sentence."""
    threes = Counter(zip(said, said[1:], said[2:], strict=False))
    return any(times > MOST_ALIKE for times in threes.values())


def is_foreign(text: str, known: GuardrailWords) -> bool:
    """Whether the text is in English, Spanish or another script, by its commonest words and its letters."""
    strange = sum(letter.isalpha() and not unicodedata.name(letter, "LATIN").startswith("LATIN") for letter in text)
    if strange >= FOREIGN_LETTERS:
        return True
    theirs, ours = _shares(text, known)
    return (theirs >= FEWEST_FOREIGN and not ours) or any(
        theirs >= CLEARLY_FOREIGN and theirs > 2 * ours
        for theirs, ours in (_shares(part, known) for part in sentences(text))
    )


def _shares(text: str, known: GuardrailWords) -> tuple[int, int]:
    """How many words are common in another language, and how many in Portuguese."""
    said = words(text)
    theirs = max(sum(word in listed for word in said) for listed in (known.english, known.spanish))
    return theirs, sum(word in known.portuguese for word in said)


def beside_the_question(
    text: str, asked: Sequence[str], heard: Understanding | None, understood: Callable[[], Understanding]
) -> bool:
    """Whether who asked something of the clinic is only asked something else of it back, or reads the own words again.
    `asked`: the patient's messages; `heard`: what is understood of them; `understood`: of the text."""
    said = words(text)
    if len(said) > _SELDOM and any(said == words(message) for message in asked):
        return True
    topics = (heard.intents & TOPICS) if heard else frozenset()
    if not topics or not all(sentence.rstrip().endswith("?") for sentence in sentences(text)):
        return False
    answer = understood()
    theirs = answer.intents & TOPICS
    about_booking = answer.wants("book", "another", "move", "cancel") or answer.says_when or answer.services
    return bool(theirs and not topics & theirs and not about_booking)
