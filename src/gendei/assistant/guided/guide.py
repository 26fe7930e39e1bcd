"""What guided knows while it answers one message, and how its errands ask tools and people."""

import re
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from gendei.assistant.guided.errand_rules import BOOKS_A_TIME, IN_TASK, ErrandRule, Trait, errand_rules
from gendei.assistant.phrases import Errand, Phrase
from gendei.assistant.turn import AssistantTurn
from gendei.booking.dates import Resolution, describe, hour_alone, resolve
from gendei.clinic import Clinic, Professional, Service
from gendei.commands.command import Detail
from gendei.commands.shown import shortened
from gendei.receptionist.guided.guided_turn import Call, Result
from gendei.receptionist.understanding.language import plain, same_word, words
from gendei.receptionist.understanding.ranked_rules import first_of
from gendei.receptionist.understanding.service_names import best_of, meant_of, scores_of
from gendei.receptionist.understanding.typed_choices import place_said
from gendei.verticals import Vertical

T = TypeVar("T")
Steps = Generator[Call, Result, T]
_PARTICLES = frozenset({"de", "da", "do", "das", "dos"})
_WORD = re.compile(r"[^\W_]+")
TARGET = re.compile(r"\b(?:para|pra|pro|pras|pros|p)\b", re.IGNORECASE)
AND = re.compile(r"(?<!\s)\s+,\s*|,\s*|(?<!\s)\s+e\s+", re.IGNORECASE)
PHONE = re.compile(r"(?<![\dh:])\+?[\d(][\d\s().-]{7,40}\d")
MOST_OPTIONS, MOST_FREE = 8, 4
CHOICES = "choices"
"""Of a question: the answers that can be tapped, where they are not its options."""
MOST_TARGETS = 8
"""So many times "para" is looked behind, from the end on."""


class OrderPart(StrEnum):
    """What an errand was told beside its own message: in answer to a question, or elsewhere in a longer message."""

    TARGET = "target"
    HOUR = "hour"
    UNTIL = "until"
    TEXT = "text"
    NOTICE = "notice"
    APPOINTMENT = "appointment"
    """An id, of one that was chosen."""


class Order(NamedTuple):
    """One errand, in the person's own words. errand: where its words stand in another message. about: the messages
    whose subject it goes on with."""

    text: str
    errand: str | None = None
    parts: Mapping[str, str] = {}
    about: Sequence[str] = ()


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
    """now: local."""

    turn: AssistantTurn
    clinic: Clinic
    vertical: Vertical
    now: datetime
    order: Order

    @property
    def text(self) -> str:
        return self.order.text

    def of(self, text: str, **changed: Any) -> "Guide":
        """The same errand in other words."""
        return replace(self, order=self.order._replace(text=text, **changed))

    def knowing(self, part: OrderPart, told: str) -> "Guide":
        """The same, with what was told for this part of it, if anything was."""
        return replace(self, order=self.order._replace(parts={**self.order.parts, str(part): told})) if told else self

    def alone(self, text: str) -> "Guide":
        """`text` as a message of its own."""
        return replace(self, order=Order(text))

    def told(self, part: OrderPart) -> str:
        return self.order.parts.get(part, "")

    @cached_property
    def subject(self) -> "Guide | None":
        """What was asked before, and is asked again of what this message names."""
        *before, last = self.order.about or [""]
        return replace(self, order=Order(last, about=before)) if last else None

    @cached_property
    def said(self) -> list[str]:
        return words(self.text)

    @cached_property
    def heard(self) -> frozenset[str]:
        """The errands whose words stand in the message, or in what it goes on with."""
        own = self.turn.texts.heard_in(self.said)
        if self.order.errand:
            return own | {self.order.errand}
        return own | self.subject.heard if self.subject and not own & errand_rules().errands else own

    @cached_property
    def rule(self) -> ErrandRule | None:
        """The rule that decides which errand it is."""
        if self.order.errand:
            return errand_rules().of(self.order.errand)
        heard = set(self.heard)
        begun, task = (self.place(errand) for errand in (Errand.BEGIN, Errand.ADD_TASK))
        if begun is not None and task is not None and task < begun:
            heard.add(IN_TASK)  # "cria uma tarefa: começar uma conversa com a Ana"
        if Errand.BOOK in heard and self.services() and self.when().time is not None:
            heard.add(BOOKS_A_TIME)
        return first_of(errand_rules().rules, heard)

    def is_a(self, trait: Trait) -> bool:
        return self.rule is not None and trait in self.rule.traits

    def say(self, phrase: Phrase | Detail, /, **values: str) -> str:
        return self.turn.texts.say(phrase, **values)

    def is_only(self, errand: Errand) -> bool:
        return self.turn.texts.vocabulary.is_only(errand, self.said)

    @property
    def asks(self) -> bool:
        return self.text.rstrip().endswith("?") or (self.subject is not None and self.subject.asks)

    @cached_property
    def declines(self) -> bool:
        """Whether it begins with a no."""
        lines = self.turn.texts.vocabulary.expressions[Errand.NO]
        return any(_stands(self.said[: len(line)], line) for line in lines)

    def when(self, text: str | None = None) -> Resolution:
        """The days and hours of `text`; or of the message, and where it names none, of what it goes on with."""
        if text is not None:
            return resolve(text, self.now) or Resolution()
        found = self.when(self.text)
        return found.beside(self.subject.when()) if self.subject else found

    def moment(self, text: str) -> Resolution:
        """As `when`, of what can only be a day or an hour: "10" is one."""
        return hour_alone(text, self.now) or self.when(text)

    def names(self, text: str | None = None, around: str = "people") -> list[str]:
        """The words of `text`, or of the message, that may be names: without days and hours, and the words that stand
        `around` names in such errands."""
        said = self.text if text is None else text
        verb = slice(*(self._verb or (0, 0)))
        blank = " " * len(self.text[verb])
        left = words(self.when(said).blanked(said.replace(self.text[verb], blank, 1) if blank else said))
        own = [word for word in self.turn.texts.around(around, left) if not word.isdigit()]
        if text is not None or self.subject is None or set(own) - self._labels:
            return own
        return own + [word for word in self.subject.names(around=around) if word not in self.subject._labels]

    @cached_property
    def _verb(self) -> tuple[int, int] | None:
        """Where the words stand by which the errand was understood."""
        return self.span_of(self.turn.texts.vocabulary.expressions[self.rule.means]) if self.rule else None

    @cached_property
    def _labels(self) -> frozenset[str]:
        """The words of the names of the professionals and services that the message names."""
        named_so: list[Professional | Service] = [*self.professionals(), *self.services()]
        return frozenset(word for each in named_so for label in (each.name, *each.aliases) for word in words(label))

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
        lines_said = [words(line) for line in (self.text if text is None else text).splitlines()]
        found = [who for who in self.clinic.professionals if any(self._calls(said, who) for said in lines_said)]
        return found or (self.subject.professionals() if text is None and self.subject else [])

    def _calls(self, said: Sequence[str], professional: Professional) -> bool:
        filler = self.turn.texts.vocabulary.single_words(Errand.FILLER)
        labels = (professional.name, *professional.aliases)
        own = [word for label in labels for word in words(label) if word not in filler]
        for place, word in enumerate(said):
            if len(word) > 2 and word not in filler and named([word], " ".join(own)):
                before = said[place - 1] if place else ""
                if same_word(word, own[0]) or not before or before in filler or named([before], " ".join(own)):
                    return True
        return False

    def services(self) -> list[Service]:
        """Those that the message names, as patients name them."""
        about = words(self.when(self.text).blanked(self.text))
        found = meant_of(about, best_of(scores_of(about, self.clinic, self.vertical)), self.vertical)
        return list(found) or (self.subject.services() if self.subject else [])

    def after(self, errand: Errand) -> str:
        """The message from behind the first words of `errand`, as they were typed."""
        span = self.span_of(self.turn.texts.vocabulary.expressions[errand])
        return self.text[span[1] :].strip(" ,:;-–") if span else self.text

    def place(self, errand: Errand) -> int | None:
        """How many words stand before the first words of `errand`; None where there are none."""
        return self.place_of(self.turn.texts.vocabulary.expressions[errand])

    def place_of(self, expressions: Iterable[Sequence[str]]) -> int | None:
        """As `place`, of the first of these expressions."""
        span = self.span_of(expressions)
        return None if span is None else len(words(self.text[: span[0]]))

    def span_of(self, expressions: Iterable[Sequence[str]]) -> tuple[int, int] | None:
        """Where the first of these expressions begins and ends, in characters."""
        found = list(_WORD.finditer(self.text))
        said = [plain(match[0]) for match in found]
        longest_first = sorted(expressions, key=len, reverse=True)
        for start in range(len(said)):
            for line in longest_first:
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
        if told := self.told(OrderPart.TARGET):
            return self.text, told
        for found in reversed(list(TARGET.finditer(self.text))[-MOST_TARGETS:]):
            behind = self.text[found.end() :]
            target = resolve(behind, self.now)
            begins = target and (target.date or target.time) and target.spans[0][0] <= 4  # "para as 16h"
            if begins or hour_alone(behind, self.now):
                return self.text[: found.start()], behind
        return self.text, ""

    def ask(
        self,
        phrase: Phrase,
        part: OrderPart | None = None,
        *,
        free: bool = False,
        choices: Iterable[str] = (),
        **values: str,
    ) -> str:
        """Ask; what is said next is this `part`, or belongs to this message. free: it may be any words, also those of
        an errand. choices: answers that can be tapped."""
        asked = self.say(phrase, **values)
        self.turn.question = {"order": self.order._asdict(), "part": part and str(part), "free": free, "asked": asked}
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


def do(tool: str, **arguments: Any) -> Steps[str]:
    """Put down what `tool` would do; there is nothing to say then. Raises Refused."""
    yield from ask(tool, **arguments)
    return ""


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


def named(wanted: Sequence[str], *names: str | None) -> bool:
    """Whether every wanted word is one of these names', perhaps with a slip."""
    there = [word for name in names if name for word in words(name)]
    return all(
        any(same_word(wanted_word, word) or same_word(word, wanted_word) for word in there) for wanted_word in wanted
    )


def lines(found: Iterable[str], mark: str = "• ") -> str:
    return "\n".join(f"{mark}{line}" for line in found)


def chosen(guide: Guide, options: Sequence[Option]) -> Option | None:
    """The one option that the message means: by its day and hour, its place or its words. None where it is none, or
    not one."""
    if tapped := [option for option in options if option.label == guide.text]:
        return tapped[0]
    when, wanted = guide.when(), guide.names()
    if when.date or when.time:
        at = [option for option in options if option.at and _is_when(datetime.fromisoformat(option.at), when)]
        found = [option for option in at if named(wanted, option.label)]
    elif place := place_said(guide.said):
        found = list(options[-1:] if place < 0 else options[place - 1 : place])
    else:
        found = [option for option in options if wanted and named(wanted, option.label)]
    return found[0] if len(found) == 1 else None


def _is_when(at: datetime, when: Resolution) -> bool:
    return (when.date in {None, at.date()} or at.date() in when.alternatives) and when.time in {None, at.time()}


def _stands(said: Sequence[str], line: Sequence[str]) -> bool:
    return len(said) == len(line) and all(same_word(word, meant) for word, meant in zip(said, line, strict=True))
