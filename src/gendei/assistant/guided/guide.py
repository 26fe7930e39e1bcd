"""What guided knows while it answers one message, and how its errands ask tools and people."""

import re
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, TypeVar

from gendei.assistant.phrases import Errand, Phrase
from gendei.assistant.sitting import Sitting
from gendei.booking.dates import Resolution, resolve
from gendei.clinic import Clinic
from gendei.receptionist.guided.actions import Call, Result
from gendei.receptionist.language import plain, same_word, words

T = TypeVar("T")
Steps = Generator[Call, Result, T]
_WORD = re.compile(r"[^\W_]+")
TARGET = re.compile(r"\b(?:para|pra|pro|pras|pros)\b", re.IGNORECASE)
MOST_OPTIONS = 8


class Refused(Exception):
    """A tool did nothing; `answer` says why."""

    def __init__(self, answer: Result) -> None:
        self.answer = answer
        super().__init__(str(answer.get("error")))


@dataclass(frozen=True)
class Guide:
    """`text`: the message, behind what it goes on with where guided had asked something. now: local."""

    sitting: Sitting
    clinic: Clinic
    now: datetime
    text: str

    @cached_property
    def said(self) -> list[str]:
        return words(self.text)

    @cached_property
    def heard(self) -> frozenset[str]:
        """The errands whose words stand in the message."""
        return self.sitting.texts.vocabulary.heard_in(self.said)

    def say(self, phrase: Phrase, **values: str) -> str:
        return self.sitting.texts.say(phrase, **values)

    def is_only(self, errand: Errand) -> bool:
        return self.sitting.texts.vocabulary.is_only(errand, self.said)

    @cached_property
    def declines(self) -> bool:
        """Whether it begins with a no."""
        lines = self.sitting.texts.vocabulary.expressions[Errand.NO]
        return any(_stands(self.said[: len(line)], line) for line in lines)

    def when(self, text: str | None = None) -> Resolution:
        """The days and hours of `text`, or of the message; an empty one for none."""
        return resolve(self.text if text is None else text, self.now) or Resolution()

    def names(self, text: str, *errands: Errand) -> list[str]:
        """The words of `text` that may be names: without days and hours, the words of `errands`, and filler."""
        left = words(without(text, self.when(text).spans))
        for errand in (*errands, Errand.FILLER):
            left = self.sitting.texts.vocabulary.beyond(errand, left)
        return [one for one in left if not one.isdigit()]

    def as_typed(self, word: str) -> str:
        """A word of the message with its accents."""
        return next((one for one in _WORD.findall(self.text) if plain(one) == word), word)

    def after(self, errand: Errand) -> str:
        """The message from behind the first words of `errand`, as they were typed."""
        found = list(_WORD.finditer(self.text))
        said = [plain(one[0]) for one in found]
        lines = sorted(self.sitting.texts.vocabulary.expressions[errand], key=len, reverse=True)
        for start in range(len(said)):
            for line in lines:
                if _stands(said[start : start + len(line)], line):
                    return self.text[found[start + len(line) - 1].end() :].strip(" ,:;-–")
        return self.text

    def reason(self) -> tuple[str, str]:
        """The message before a "porque", and the reason behind it; all of it and "" where none is given."""
        if Errand.BECAUSE not in self.heard:
            return self.text, ""
        reason = self.after(Errand.BECAUSE)
        return self.text[: len(self.text) - len(reason)], reason.strip(" .!")

    def split(self) -> tuple[str, str]:
        """The message before and behind the "para" that a day or an hour follows; all of it and "" where none does."""
        for found in reversed(list(TARGET.finditer(self.text))):
            behind = self.text[found.end() :]
            target = resolve(behind, self.now)
            if target and (target.date or target.time) and target.spans[0][0] <= 4:  # "para as 16h"
                return self.text[: found.start()], behind
        return self.text, ""

    def more(self, phrase: Phrase, joint: str = " ", **values: str) -> str:
        """Ask; what is said next belongs behind this message."""
        self.sitting.question = {"text": self.text + joint}
        return self.say(phrase, **values)

    def which(self, options: Sequence[tuple[str, str, Mapping[str, Any]]]) -> str:
        """Ask which: (what it is called, tool, arguments) of each."""
        few = options[:MOST_OPTIONS]
        self.sitting.question = {
            "options": [{"label": label, "tool": tool, "arguments": dict(given)} for label, tool, given in few]
        }
        return self.say(Phrase.WHICH, list=lines((f"{n}. {label}" for n, (label, _, _) in enumerate(few, 1)), ""))


def ask(tool: str, **arguments: Any) -> Steps[Result]:
    """What `tool` answers. Raises Refused."""
    result = yield Call(tool, arguments)
    if "error" in result:
        raise Refused(result)
    return result


def without(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """`text` without the characters of `spans`."""
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]} {text[end:]}"
    return text


def named(wanted: Sequence[str], *names: str | None) -> bool:
    """Whether every wanted word is one of these names', perhaps with a slip."""
    there = [word for one in names if one for word in words(one)]
    return all(any(same_word(one, word) or same_word(word, one) for word in there) for one in wanted)


def lines(found: Iterable[str], mark: str = "• ") -> str:
    return "\n".join(f"{mark}{one}" for one in found)


def chosen(guide: Guide, options: Sequence[T], label: Callable[[T], str]) -> T | None:
    """The one option that the message means, by its number or its words; None where it is none, or not one."""
    numbers = [int(one) for one in guide.said if one.isdigit()]
    if numbers and len(guide.said) <= 3:
        return options[numbers[0] - 1] if 0 < numbers[0] <= len(options) else None
    places = ("primeir*", "segund*", "terceir*", "quart*", "quint*")
    for place, word in enumerate(places[: len(options)]):
        if len(guide.said) <= 2 and any(same_word(one, word) for one in guide.said):
            return options[place]
    wanted = [one for one in guide.said if not guide.sitting.texts.vocabulary.has(Errand.FILLER, one)]
    found = [one for one in options if wanted and named(wanted, label(one))]
    return found[0] if len(found) == 1 else None


def _stands(said: Sequence[str], line: Sequence[str]) -> bool:
    return len(said) == len(line) and all(same_word(one, meant) for one, meant in zip(said, line, strict=True))
