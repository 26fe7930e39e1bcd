"""What guided knows while it answers one message, and how its errands ask tools and people."""

import re
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from gendei.assistant.phrases import Errand, Phrase
from gendei.assistant.turn import AssistantTurn
from gendei.booking.dates import Resolution, describe, resolve
from gendei.clinic import Clinic, Professional, Service
from gendei.commands.command import Detail
from gendei.commands.moments import MOST_DAYS
from gendei.commands.shown import shortened
from gendei.receptionist.guided.guided_turn import Call, Result
from gendei.receptionist.understanding.language import plain, same_word, words

T = TypeVar("T")
Steps = Generator[Call, Result, T]
_PARTICLES = frozenset({"de", "da", "do", "das", "dos"})
_PLACES = ("primeir*", "segund*", "terceir*", "quart*", "quint*")
_AROUND = (Errand.NO, Errand.YES, Errand.CORRECTION)
"""What is said around a choice."""
_WORD = re.compile(r"[^\W_]+")
TARGET = re.compile(r"\b(?:para|pra|pro|pras|pros|p)\b", re.IGNORECASE)
AND = re.compile(r"(?<!\s)\s+,\s*|,\s*|(?<!\s)\s+e\s+", re.IGNORECASE)
PHONE = re.compile(r"(?<![\dh:])\+?[\d(][\d\s().-]{7,40}\d")
MOST_OPTIONS, MOST_FREE = 8, 4
CHOICES = "choices"
"""Of a question: the answers that can be tapped, where they are not its options."""
MOST_TARGETS = 8
"""So many times "para" is looked behind, from the end on."""
_BARE_HOUR = re.compile(r"\s*(?:[01]?\d|2[0-3])\s*[.!?]*", re.ASCII)


class Option(NamedTuple):
    """One thing that may be meant, and the call that it stands for. at: its local start in ISO, where it has one."""

    label: str
    tool: str
    arguments: Mapping[str, Any]
    at: str = ""


class Refused(Exception):
    """`tool` did nothing with these arguments; `answer` says why."""

    def __init__(self, answer: Result, tool: str = "", arguments: Mapping[str, Any] | None = None) -> None:
        self.answer, self.tool, self.arguments = answer, tool, arguments or {}
        super().__init__(str(answer.get("error")))


@dataclass(frozen=True)
class Guide:
    """`text`: the message, behind what it goes on with where guided had asked something. now: local."""

    turn: AssistantTurn
    clinic: Clinic
    now: datetime
    text: str

    @cached_property
    def said(self) -> list[str]:
        return words(self.text)

    @cached_property
    def heard(self) -> frozenset[str]:
        """The errands whose words stand in the message."""
        return self.turn.texts.vocabulary.heard_in(self.said)

    def say(self, phrase: Phrase | Detail, /, **values: str) -> str:
        return self.turn.texts.say(phrase, **values)

    def is_only(self, errand: Errand) -> bool:
        return self.turn.texts.vocabulary.is_only(errand, self.said)

    @cached_property
    def declines(self) -> bool:
        """Whether it begins with a no."""
        lines = self.turn.texts.vocabulary.expressions[Errand.NO]
        return any(_stands(self.said[: len(line)], line) for line in lines)

    def when(self, text: str | None = None) -> Resolution:
        """The days and hours of `text`, or of the message; an empty one for none."""
        return resolve(self.text if text is None else text, self.now) or Resolution()

    def names(self, text: str, *errands: Errand) -> list[str]:
        """The words of `text` that may be names: without days and hours, the words of `errands`, and filler."""
        left = words(without(text, self.when(text).spans))
        for errand in (*errands, Errand.COURTESY, Errand.FILLER):
            left = self.turn.texts.vocabulary.beyond(errand, left)
        return [word for word in left if not word.isdigit()]

    def typed_name(self, wanted: Sequence[str]) -> str:
        """A name as it was typed, with the particles between its words: "João da Silva"."""
        typed = [(plain(typed_word), typed_word) for typed_word in _WORD.findall(self.text)]
        places = [place for place, (word, _) in enumerate(typed) if word in wanted]
        first, last = places[0], places[0]
        for following in places[1:]:
            if following > last + 3 or any(word not in _PARTICLES for word, _ in typed[last + 1 : following]):
                break
            last = following
        name = typed[first : last + 1]
        return " ".join(word if word in _PARTICLES else typed_word.capitalize() for word, typed_word in name)

    def professionals(self, text: str | None = None) -> list[Professional]:
        """Those whose names the message, or `text`, says: of "Ana Prado" Dr. Caio Prado is none."""
        said = self.said if text is None else words(text)
        return [professional for professional in self.clinic.professionals if self._is_called(said, professional)]

    def _is_called(self, said: Sequence[str], professional: Professional) -> bool:
        has = self.turn.texts.vocabulary.has
        own = [
            word
            for label in (professional.name, *professional.aliases)
            for word in words(label)
            if not has(Errand.FILLER, word)
        ]
        for place, word in enumerate(said):
            if len(word) > 2 and not has(Errand.FILLER, word) and named([word], " ".join(own)):
                before = said[place - 1] if place else ""
                is_first = same_word(word, own[0])
                if is_first or not before or has(Errand.FILLER, before) or named([before], " ".join(own)):
                    return True
        return False

    def services(self) -> list[Service]:
        """Those that the message says: by a whole name or alias, else by a word of it."""
        labels = [
            (service, words(label)) for service in self.clinic.services for label in (service.name, *service.aliases)
        ]
        whole = [(len(label), service) for service, label in labels if label and named(label, self.text)]
        if whole:
            longest = max(length for length, _ in whole)
            return list(dict.fromkeys(service for length, service in whole if length == longest))
        return [service for service in self.clinic.services if self._is_said(self.said, service.name, *service.aliases)]

    def _is_said(self, said: Sequence[str], *labels: str) -> bool:
        vocabulary = self.turn.texts.vocabulary
        return any(named([word], *labels) for word in said if len(word) > 2 and not vocabulary.has(Errand.FILLER, word))

    def spoken(self, errand: Errand) -> str:
        """The first words of `errand` in the message, as they were typed; "" where there are none."""
        span = self._span(errand)
        return self.text[slice(*span)] if span else ""

    def after(self, errand: Errand) -> str:
        """The message from behind the first words of `errand`, as they were typed."""
        span = self._span(errand)
        return self.text[span[1] :].strip(" ,:;-–") if span else self.text

    def place(self, errand: Errand) -> int | None:
        """How many words stand before the first words of `errand`; None where there are none."""
        return self.place_of(self.turn.texts.vocabulary.expressions[errand])

    def place_of(self, expressions: Iterable[Sequence[str]]) -> int | None:
        """As `place`, of the first of these expressions."""
        span = self._span_of(expressions)
        return None if span is None else len(words(self.text[: span[0]]))

    def _span(self, errand: Errand) -> tuple[int, int] | None:
        return self._span_of(self.turn.texts.vocabulary.expressions[errand])

    def _span_of(self, expressions: Iterable[Sequence[str]]) -> tuple[int, int] | None:
        found = list(_WORD.finditer(self.text))
        said = [plain(match[0]) for match in found]
        lines = sorted(expressions, key=len, reverse=True)
        for start in range(len(said)):
            for line in lines:
                if _stands(said[start : start + len(line)], line):
                    return found[start].start(), found[start + len(line) - 1].end()
        return None

    def reason(self) -> tuple[str, str]:
        """The message before a "porque", and the reason behind it; all of it and "" where none is given."""
        if Errand.BECAUSE not in self.heard:
            return self.text, ""
        reason = self.after(Errand.BECAUSE)
        return self.text[: len(self.text) - len(reason)], reason.strip(" .!")

    def split(self) -> tuple[str, str]:
        """The message before and behind the "para" that a day or an hour follows; all of it and "" where none does."""
        for found in reversed(list(TARGET.finditer(self.text))[-MOST_TARGETS:]):
            behind = self.text[found.end() :]
            target = resolve(behind, self.now)
            if target and (target.date or target.time) and target.spans[0][0] <= 4:  # "para as 16h"
                return self.text[: found.start()], behind
            if _BARE_HOUR.fullmatch(behind):
                return self.text[: found.start()], f"às {behind.strip(' .!?')}"
        return self.text, ""

    def more(
        self,
        phrase: Phrase,
        joint: str = " ",
        behind: str = "",
        *,
        free: bool = False,
        choices: Iterable[str] = (),
        **values: str,
    ) -> str:
        """Ask; what is said next belongs behind this message, and before `behind`. free: it may be any words, also
        those of an errand. choices: answers that can be tapped."""
        asked = self.say(phrase, **values)
        self.turn.question = {"text": self.text + joint, "behind": behind, "free": free, "asked": asked}
        self.turn.question |= {CHOICES: list(choices)}
        return asked

    def which(self, options: Sequence[Option]) -> str:
        """Ask which."""
        few = options[:MOST_OPTIONS]
        self.turn.question = {"options": stored(few)}
        return self.say(Phrase.WHICH, list=numbered(few))

    def refuse(self, refused: Refused) -> str:
        """Say why nothing was done, with the free slots near it, of which one may be chosen."""
        told, tool, given = str(refused.answer["message"]), refused.tool, refused.arguments
        near = free_instead(self.turn, tool, given, refused.answer)
        if not near:
            return told
        self.turn.question = {"refused": [{"tool": tool, "arguments": dict(given)}], "options": stored(near)}
        return f"{told} {self.say(Phrase.FREE_INSTEAD, list=numbered(near))}"

    def lost(self, told: str = "") -> str:
        """Say that the message was not understood, never in the same words twice in a row. told: what still waits for
        an answer; without it, what may be asked."""
        self.turn.missed += 1
        again, words_said = self.turn.missed % 2 == 0, shortened(self.text)
        if told:
            return f"{self.say(Phrase.LOST_AGAIN if again else Phrase.LOST, words=words_said)}\n{told}"
        if not again:
            return self.say(Phrase.UNCLEAR if self.turn.missed == 1 else Phrase.UNCLEAR_STILL, words=words_said)
        examples = self.turn.texts.examples
        self.turn.question = {CHOICES: examples}
        return self.say(Phrase.UNCLEAR_AGAIN, words=words_said, list=lines(f"“{example}”" for example in examples))


def ask(tool: str, **arguments: Any) -> Steps[Result]:
    """What `tool` answers. Raises Refused."""
    result = yield Call(tool, arguments)
    if "error" in result:
        raise Refused(result, tool, arguments)
    return result


def stored(options: Iterable[Option]) -> list[dict[str, Any]]:
    """Options as a question keeps them."""
    return [{**option._asdict(), "arguments": dict(option.arguments)} for option in options]


def numbered(options: Iterable[Option]) -> str:
    return lines((f"{place}. {option.label}" for place, option in enumerate(options, 1)), "")


def free_instead(turn: AssistantTurn, tool: str, given: Mapping[str, Any], refusal: Result) -> list[Option]:
    """`tool` with each of the free slots that a refusal names."""
    clinic, options = turn.call.clinic, []
    for slot in refusal.get("alternatives", ())[:MOST_FREE]:
        start = clinic.local(datetime.fromisoformat(slot["start"]))
        who = clinic.professional(slot["professionalId"])
        label = describe(start, turn.call.now) + (turn.texts.say(Detail.WITH, name=who.name) if who else "")
        there = {"professional_id": slot["professionalId"], "start": start.isoformat()}
        settled = {name: value for name, value in given.items() if name != "version"}
        options.append(Option(label, tool, settled | there, start.isoformat()))
    return options


def without(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """`text` with a blank for each of `spans`, which do not overlap."""
    kept, at = [], 0
    for start, end in sorted(spans):
        kept.append(text[at:start])
        at = end
    return " ".join([*kept, text[at:]])


def named(wanted: Sequence[str], *names: str | None) -> bool:
    """Whether every wanted word is one of these names', perhaps with a slip."""
    there = [word for name in names if name for word in words(name)]
    return all(
        any(same_word(wanted_word, word) or same_word(word, wanted_word) for word in there) for wanted_word in wanted
    )


def lines(found: Iterable[str], mark: str = "• ") -> str:
    return "\n".join(f"{mark}{line}" for line in found)


def chosen(guide: Guide, options: Sequence[Option]) -> Option | None:
    """The one option that the message means: by its day and hour, its number, its place or its words. None where it is
    none, or not one."""
    if tapped := [option for option in options if option.label == guide.text]:
        return tapped[0]
    when = guide.when()
    if when.date or when.time:
        at = [option for option in options if option.at and _is_when(datetime.fromisoformat(option.at), when)]
        meant = [option for option in at if named(guide.names(guide.text, *_AROUND), option.label)]
        return meant[0] if len(meant) == 1 else None
    numbers = [int(word) for word in guide.said if word.isdigit()]
    if numbers and len(guide.said) <= 3:
        return options[numbers[0] - 1] if 0 < numbers[0] <= len(options) else None
    if len(guide.said) <= 2 and any(same_word(said, "ultim*") for said in guide.said):
        return options[-1]
    for place, word in enumerate(_PLACES[: len(options)]):
        if len(guide.said) <= 2 and any(same_word(said, word) for said in guide.said):
            return options[place]
    wanted = guide.names(guide.text, *_AROUND)
    found = [option for option in options if wanted and named(wanted, option.label)]
    return found[0] if len(found) == 1 else None


def _is_when(at: datetime, when: Resolution) -> bool:
    return (when.date in {None, at.date()} or at.date() in when.alternatives) and when.time in {None, at.time()}


def _stands(said: Sequence[str], line: Sequence[str]) -> bool:
    return len(said) == len(line) and all(same_word(word, meant) for word, meant in zip(said, line, strict=True))


def behind(guide: Guide) -> Resolution:
    """The days that are meant of what is over: of this week those up to today."""
    when, today = guide.when(), guide.now.date()
    if Errand.WEEK in guide.heard and (when.date is None or when.date <= today <= (when.end_date or when.date)):
        return Resolution(date=today - timedelta(days=today.weekday()), end_date=today)
    return when


def ahead(guide: Guide, days: int) -> Resolution:
    """The days that are meant of what is to come; where none is said, so many from today on."""
    when = guide.when()
    if when.date is None and Errand.WEEK in guide.heard:
        return coming(guide, 7 - guide.now.weekday())
    return coming(guide, days) if when.date is None else when


def coming(guide: Guide, days: int) -> Resolution:
    """Today and what follows, so many days in all."""
    today = guide.now.date()
    return Resolution(date=today, end_date=today + timedelta(days=days - 1))


def iso_days(guide: Guide, when: Resolution) -> str:
    """The days that are meant, today's where none is said; of several ("terça e quinta") the first to the last."""
    first = when.date or guide.now.date()
    last = when.end_date or (max(when.alternatives) if when.alternatives else first)
    return f"{first}/{min(last, _furthest(first))}"


def days_text(guide: Guide, when: Resolution) -> str:
    first = when.date or guide.now.date()
    if when.alternatives:
        return "; ".join(describe(day, guide.now) for day in when.alternatives)
    last = min(when.end_date, _furthest(first)) if when.date and when.end_date else None
    return describe(Resolution(date=first, end_date=last), guide.now)


def _furthest(first: date) -> date:
    """The last day that is read from `first` on."""
    return first + timedelta(days=MOST_DAYS - 1)
