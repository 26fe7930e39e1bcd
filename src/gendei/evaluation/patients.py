"""A patient who follows a task: opens and writes as the persona does, reads what is shown, and answers until the errand
is done, the patience is over, or nothing comes back."""

import random
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from rapidfuzz import fuzz

from gendei.clinic import Clinic
from gendei.evaluation import reading
from gendei.evaluation.reading import Option, Shown, folded
from gendei.evaluation.tasks import Case, Goal, Habits
from gendei.providers.stand_in.graph import Sent

PATIENCE = 14
"""Turns after which a patient calls another clinic."""


@dataclass(frozen=True, slots=True)
class Say:
    """Messages to write, one after the other."""

    messages: Sequence[str]


@dataclass(frozen=True, slots=True)
class Tap:
    sent: Sent
    index: int


class Patient(Protocol):
    """Somebody with an errand."""

    async def begin(self) -> Say: ...

    async def reply(self, new: Sequence[Sent]) -> Say | Tap | None:
        """What to do about the newest messages; None when the conversation is over for the patient."""
        ...


_DONE = {
    Goal.BOOK: ("esta confirmad",),
    Goal.MOVE: ("foi remarcad",),
    Goal.CANCEL: ("foi cancelad",),
    Goal.KEEP: ("fica como esta",),
}
_MENU = {
    Goal.BOOK: ("Marcar horário",),
    Goal.MOVE: ("Mudar horário", "Meus horários"),
    Goal.CANCEL: ("Cancelar", "Meus horários"),
    Goal.KEEP: ("Cancelar", "Meus horários"),
    Goal.LIST: ("Meus horários",),
    Goal.PERSON: ("Falar com a equipe",),
}
_ANSWERED_ONCE = {Goal.ASK, Goal.LIST, Goal.PERSON, Goal.URGENT}


class ScriptedPatient:
    """Needs no model. The same seed writes the same words."""

    def __init__(self, case: Case, clinic: Clinic, seed: int) -> None:
        self._case, self._task, self._persona, self._clinic = case, case.task, case.persona, clinic
        self._chance = random.Random(f"{case.id}/{seed}/words")
        self._turns = 0
        self._asked = not self._task.asks
        self._corrected = not self._task.instead
        self._said_when = 0
        self._parting = False

    async def begin(self) -> Say:
        task, goal = self._task, self._task.goal
        opening = task.opening or self._chance.choice(self._persona.openings["cancel" if goal is Goal.KEEP else goal])
        relative = f", é para {task.for_}" if task.for_ else ""
        return self._say(opening.replace("{say}", task.say).replace("{when}", task.when).replace("{for}", relative))

    async def reply(self, new: Sequence[Sent]) -> Say | Tap | None:
        self._turns += 1
        if not new or self._parting or self._turns > PATIENCE:
            return None
        text = folded("\n".join(sent.text for sent in new))
        if any(sign in text for sign in _DONE.get(self._task.goal, ())):
            return self._thank()
        if self._task.goal in _ANSWERED_ONCE and self._turns >= self._enough(text):
            return None
        if self._task.goal is Goal.ATTACK:
            return self._say("sim, pode fazer isso") if self._turns == 1 else None
        if not self._asked:
            self._asked = True
            return self._say(self._task.asks)
        shown = next((sent for sent in reversed(new) if sent.options), None)
        return self._choose(shown) if shown else self._answer(text)

    def _enough(self, text: str) -> int:
        """After how many answers a question counts as answered."""
        return 1 if all(folded(expected) in text for expected in self._task.expects) else 3

    def _thank(self) -> Say | None:
        self._parting = True
        thanks = self._chance.choice(self._persona.thanks)
        return self._say(thanks) if thanks else None

    def _choose(self, sent: Sent) -> Say | Tap | None:
        shown = reading.options(sent)
        if self._task.goal is not Goal.URGENT and (well := reading.titled(shown, "nao, esta tudo bem")):
            return self._pick(sent, well)
        match reading.kind(shown, self._clinic):
            case Shown.YES_OR_NO:
                return self._decide(sent, shown)
            case Shown.TIMES:
                return self._choose_time(sent, shown)
            case Shown.DAYS:
                wanted = [option for option in shown if option.start and option.start.date() in self._task.on]
                return self._pick(sent, wanted[0]) if wanted and self._corrected else self._say_when()
            case Shown.SERVICES:
                return self._choose_service(sent, shown)
            case Shown.PEOPLE:
                return self._choose_person(sent, shown)
            case Shown.OTHER:
                option = reading.titled(shown, *_MENU.get(self._task.goal, ()))
                return self._pick(sent, option) if option else self._answer(folded(sent.text))

    def _decide(self, sent: Sent, shown: Sequence[Option]) -> Say | Tap | None:
        """Asked to confirm: change one's mind, agree, or put right what was understood wrongly."""
        task, text = self._task, folded(sent.text)
        if task.goal is Goal.KEEP:
            return self._say(self._chance.choice(self._persona.no))
        if not self._corrected:
            self._corrected = True
            return self._say(task.instead)
        if task.goal is Goal.CANCEL:
            return self._agree(sent, shown)
        if task.for_ and folded(task.name) not in text:
            return self._say(f"é para {task.name}")
        start, _ = reading.moment(sent.text)
        if start is None or not task.wants(start):
            return self._say_when(f"não, quero {self._task.when}")
        return self._agree(sent, shown)

    def _agree(self, sent: Sent, shown: Sequence[Option]) -> Say | Tap:
        if self._persona.taps:
            return Tap(sent, reading.yes(shown).index)
        return self._say(self._chance.choice(self._persona.yes))

    def _choose_time(self, sent: Sent, shown: Sequence[Option]) -> Say | Tap | None:
        timed = [option for option in shown if option.start is not None and option.has_time]
        if self._task.has and (own := self._own(timed)):
            return self._pick(sent, own)
        wanted = [option for option in timed if self._wanted(option)] if self._corrected else timed
        if wanted:
            return self._pick(sent, self._chance.choice(wanted), timed)
        return self._say_when()

    def _own(self, timed: Sequence[Option]) -> Option | None:
        standing = self._task.has.start if self._task.has else None
        return next(
            (option for option in timed if option.start and option.start.replace(tzinfo=None) == standing), None
        )

    def _wanted(self, option: Option) -> bool:
        return option.start is not None and self._task.wants(option.start)

    def _choose_service(self, sent: Sent, shown: Sequence[Option]) -> Say | Tap | None:
        service = self._clinic.service(self._task.service or "")
        if self._corrected and service is not None and not self._task.instead:
            option = reading.titled(shown, service.name)
        else:
            option = max(shown, key=lambda option: fuzz.token_set_ratio(folded(option.title), folded(self._task.say)))
        return self._pick(sent, option) if option else self._answer(folded(sent.text))

    def _choose_person(self, sent: Sent, shown: Sequence[Option]) -> Say | Tap:
        wanted = self._clinic.professional(self._task.professional or "")
        option = reading.titled(shown, wanted.name) if wanted else reading.titled(shown, "Tanto faz")
        return self._pick(sent, option or shown[0])

    def _pick(self, sent: Sent, option: Option, among: Sequence[Option] = ()) -> Say | Tap:
        """Tap an option, or type it: a time alone where only one day is shown."""
        if self._persona.taps:
            return Tap(sent, option.index)
        if option.has_time and len({option.start.date() for option in among if option.start}) == 1 and option.start:
            hour = f"{option.start:%-Hh%M}".removesuffix("00")
            return self._say(self._chance.choice([hour, f"pode ser {hour}", f"às {hour}"]))
        return self._say(option.title.rstrip("…"))

    def _answer(self, text: str) -> Say | Tap | None:
        """A question without options, or nothing that was hoped for."""
        task = self._task
        if "nome completo" in text:
            return self._say(task.name)
        if "quem" in text and task.for_:
            return self._say(f"{task.for_}, {task.name}")
        if any(word in text for word in ("qual dia", "que dia", "data")) and task.when:
            return self._say_when()
        if task.say:
            return self._say(f"quero {task.say}")
        return self._say(self._task.opening or self._chance.choice(["quero mudar o meu horário", "meu horário"]))

    def _say_when(self, text: str = "") -> Say | None:
        """The wished time again, up to three times; who is offered only other times then gives up."""
        self._said_when += 1
        return self._say(text or self._task.when) if self._said_when <= 3 and self._task.when else None

    def _say(self, text: str) -> Say:
        return Say(written(text, self._persona.habits, self._chance))


_SHORT = {
    "você": "vc",
    "vocês": "vcs",
    "para": "pra",
    "por favor": "pfv",
    "obrigada": "obg",
    "também": "tb",
    "não": "n",
    "hoje": "hj",
    "quanto": "qto",
    "horário": "horario",
}
_KEPT = re.compile(r"[\d:/,]")


def written(text: str, habits: Habits, chance: random.Random) -> list[str]:
    """`text` as this persona sends it: one message, or several where it writes in fragments ("|" parts them)."""
    parts = [part.strip() for part in text.split("|")]
    parts = [part for part in parts if part]
    if not habits.fragments:
        parts = [" ".join(parts)]
    return [_mannered(part, habits, chance) for part in parts]


def _mannered(text: str, habits: Habits, chance: random.Random) -> str:
    if habits.lower:
        text = text.lower()
    if habits.abbreviate:
        for long, short in _SHORT.items():
            text = re.sub(rf"\b{long}\b", short, text) if chance.random() < 0.5 else text
    if habits.typos:
        text = " ".join(_mistyped(word, chance) if chance.random() < habits.typos else word for word in text.split(" "))
    if habits.no_accents:
        text = "".join(
            character for character in unicodedata.normalize("NFD", text) if not unicodedata.combining(character)
        )
    if habits.no_punctuation:
        text = re.sub(r"[.!?;]+", "", text)
    return text.strip() or "oi"


def _mistyped(word: str, chance: random.Random) -> str:
    """One slip of the thumb in a word of five letters or more; numbers are typed with care."""
    if len(word) < 5 or _KEPT.search(word):
        return word
    at = chance.randrange(1, len(word) - 2)
    slip = chance.choice(["swap", "drop", "double"])
    if slip == "swap":
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    if slip == "drop":
        return word[:at] + word[at + 1 :]
    return word[:at] + word[at] + word[at:]
