"""Voice notes before the team: what was heard surely counts like writing, what was not is asked back, and how the
patient wants to be answered is taken down. Nothing that was not heard surely reaches the team without a yes. Where what
was misheard may tell of danger, that is asked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cached_property
from secrets import token_hex
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import AwareDatetime, Field, PlainSerializer

from gendei.clinic_services import VoicePolicy
from gendei.datafile import Text
from gendei.messages.limits import fit
from gendei.messages.preferences import ORDINARY, VOICES, Answers, Preferences
from gendei.messages.replies import Option, Reply
from gendei.messages.turns import (
    Danger,
    Hearing,
    PatientInput,
    Receptionist,
    TurnInput,
    TurnOutcome,
    Understood,
)
from gendei.off_loop import off_loop
from gendei.receptionist.offers.choices import Action, Kind, choice
from gendei.receptionist.understanding.alarms import alarm_of
from gendei.receptionist.understanding.language import ALARMS, Vocabulary, words
from gendei.receptionist.understanding.typed_choices import typed_choice
from gendei.records import Record
from gendei.texts import Catalogue, Each, Holds, fill

if TYPE_CHECKING:
    from gendei.ear.model import Belief


class Wish(StrEnum):
    """How a patient asks to be answered, in the order in which several of one message are taken down. TEXT stands for
    itself; OTHER_VOICE is any but this one."""

    TEXT = "text"
    AUDIO = "audio"
    SLOWER = "slower"
    FASTER = "faster"
    ORDINARY_RATE = "ordinary_rate"
    MAN = "man"
    WOMAN = "woman"
    OTHER_VOICE = "other_voice"


OWN = "own"
"""What patients say of their own voice notes, in words that might be a Wish."""
MISHEARD = (Hearing.SILENT, Hearing.NOISE, Hearing.TOO_LONG, Hearing.UNREADABLE, Hearing.UNHEARD)
"""Notes without words that count; each has a phrase under its own name."""
_PHRASES = frozenset(
    {"heard_back", "button_yes", "button_no", "not_that", "still_unclear", "answer_limit", "answer_no_audio"}
    | {"ask_urgent", "ask_crisis", "ask_violence", "button_danger", "button_no_danger", "no_danger"}
    | {str(hearing) for hearing in MISHEARD}
    | {f"answer_{wish}" for wish in Wish}
)


class VoiceTexts(Catalogue):
    """`wishes`: the expressions of each Wish, and OWN."""

    file_name = "voice.yaml"
    wishes: Annotated[dict[str, Annotated[list[Text], Field(min_length=1)]], Each((OWN, *Wish))]
    phrases: Annotated[dict[str, Text], Each(_PHRASES), Holds(("words",), needs=("words",), of="heard_back")]

    @cached_property
    def vocabulary(self) -> Vocabulary:
        return Vocabulary.of(self.wishes)

    def heard_back(self, words: str) -> str:
        """The question whether these were the words."""
        return fill(self.phrases["heard_back"], {"words": words})


STATE = "heard"
"""The field of the conversation's agentState that holds what was asked back."""
LASTS = timedelta(minutes=30)
MAX_ASKED_BACK = 600
"""Characters; who said more is asked to write."""
MAX_TEXT = 4096
AUDIO = "audio"
NEVER_ASKED_BACK = ("urgent", "crisis", "violence", "person")
"""Intents that wait for no question: what follows them books nothing."""
DANGER, NO_DANGER = choice(Kind.ACTION, Action.DANGER), choice(Kind.ACTION, Action.NO_DANGER)
"""The same answers as to what was written in doubt."""
VOICE_OF = {Wish.MAN: "onyx", Wish.WOMAN: "nova"}
"""Of the six in VOICES, those that OpenAI describes as a man's and a woman's: for clinics that name none."""
SMALL_TALK = 3
"""So many words beside a wish ask nothing more."""


@dataclass(frozen=True, slots=True)
class AskedBack:
    """Words that were not heard surely, and the ids of the answers to "É isso?". danger: it was asked whether somebody
    is in danger; beside: what was heard surely in the same turn."""

    words: str
    yes: str
    no: str
    asked_at: Annotated[AwareDatetime, PlainSerializer(datetime.isoformat)]
    danger: bool = False
    beside: str = ""

    @classmethod
    def read(cls, data: Any, now: datetime) -> "AskedBack | None":
        """None where nothing was asked back, or too long ago."""
        if not isinstance(data, Mapping):
            return None
        asked = ASKED_BACK.read(data)
        return asked if now - asked.asked_at < LASTS else None


ASKED_BACK = Record(AskedBack)
"""In the conversation's agentState, where a moment is a text."""


@dataclass(slots=True)
class _Taken:
    """What a turn's messages come to. `notices`: what is said of notes without words. `changes`: of preferences.
    `alarming`: misheard words that may tell of danger. `in_danger`: those of which this was answered."""

    inputs: list[PatientInput] = field(default_factory=list)
    unsure: bool = False
    alarming: list[str] = field(default_factory=list)
    in_danger: str = ""
    notices: list[str] = field(default_factory=list)
    changes: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class NoteTaker:
    """Implements `contract.Receptionist` in front of another."""

    inner: Receptionist
    texts: VoiceTexts
    vocabulary: Vocabulary

    async def answer(self, turn: TurnInput) -> TurnOutcome:
        asked = AskedBack.read(turn.state.get(STATE), turn.now)
        turn = replace(turn, state={name: value for name, value in turn.state.items() if name != STATE})
        characters = sum(len(message.text) for message in turn.inputs)
        taken = await off_loop(characters, lambda: self._taken(turn, asked))
        return taken if isinstance(taken, TurnOutcome) else await self._answer(turn, taken)

    def _taken(self, turn: TurnInput, asked: AskedBack | None) -> "_Taken | TurnOutcome":
        """What is left for the receptionist; an answer where nothing is."""
        said = [self._yes_or_no(message, asked, turn) for message in turn.inputs]
        others = [message for message, answer in zip(turn.inputs, said, strict=True) if answer is None]
        is_no = False in said and True not in said
        if is_no and not others and not (asked and asked.beside):
            return self._said(turn, "no_danger" if asked and asked.danger else "not_that")
        taken = _Taken()
        if asked is not None and True in said:
            self._take_yes(asked, taken)
        if asked is not None and is_no and asked.beside:
            taken.inputs.append(PatientInput(asked.beside))
        for message in others:
            self._take(message, turn, taken)
        if taken.alarming and asked is not None and asked.danger:  # in doubt a second time
            taken.in_danger, taken.inputs = " ".join(taken.alarming), [PatientInput("", choice=DANGER)]
        elif taken.alarming and not any(self._never_waits(message.text) for message in taken.inputs):
            return self._ask_danger(turn, taken)
        if taken.unsure:
            return self._ask_back(turn, taken, again=asked is not None)
        return taken

    def _take_yes(self, asked: AskedBack, taken: _Taken) -> None:
        if asked.danger:
            taken.in_danger = asked.words
            taken.inputs.append(PatientInput("", choice=DANGER))
        else:
            taken.inputs.append(PatientInput(asked.words))

    def _yes_or_no(self, message: PatientInput, asked: AskedBack | None, turn: TurnInput) -> bool | None:
        """What a message says to what was asked back; None for what is no answer to it. An unsure note is none."""
        if asked is None:
            return None
        if message.choice:
            return {asked.yes: True, asked.no: False}.get(message.choice)
        if message.kind != "text" and message.hearing is not Hearing.SURE:
            return None
        plainly = self.vocabulary.beyond("courtesy", words(message.text))
        if self.vocabulary.is_only("yes", plainly):
            return True
        if self.vocabulary.is_only("no", plainly):
            return False
        shown = [{"id": option.id, "title": option.title} for option in self._options(asked)]
        return {asked.yes: True, asked.no: False}.get(typed_choice(message.text, shown, turn.clinic, turn.now) or "")

    def _take(self, message: PatientInput, turn: TurnInput, taken: _Taken) -> None:
        if message.choice and message.choice.startswith(f"{STATE}|"):
            return  # an answer to a question that is over
        if message.hearing in {Hearing.UNSURE, Hearing.NOISE} and self._may_alarm(message):
            taken.alarming.append(message.text)
        elif message.hearing is Hearing.UNSURE and not self._never_waits(message.text):
            taken.unsure = True
            taken.inputs.append(message)
        elif message.hearing in MISHEARD:
            taken.notices.append(self.texts.phrases[str(message.hearing)])
        else:
            plain = replace(message, kind="text", hearing=None) if message.hearing else message
            rest = self._wish(plain, turn, taken)
            if rest is not None:
                taken.inputs.append(rest)

    def _never_waits(self, text: str) -> bool:
        return self.vocabulary.hears(words(text), *NEVER_ASKED_BACK)

    def _may_alarm(self, message: PatientInput) -> bool:
        """Whether misheard words may tell of danger. What was half heard and says so plainly needs no question."""
        plainly = self.vocabulary.hears(words(message.text), *ALARMS)
        if message.hearing is Hearing.UNSURE:
            return not self._never_waits(message.text) and _heard(message.text).asks
        return plainly or _heard(message.text).asks

    def _ask_danger(self, turn: TurnInput, taken: _Taken) -> TurnOutcome:
        heard = " ".join(taken.alarming)[:MAX_ASKED_BACK]
        beside = " ".join(message.text for message in taken.inputs if message.hearing is None)[:MAX_ASKED_BACK]
        asked = AskedBack(heard, DANGER, NO_DANGER, turn.now, danger=True, beside=beside)
        by_rules = self.vocabulary.heard_in(words(heard))
        question = self.texts.phrases[f"ask_{alarm_of(by_rules, _heard(heard).danger_kind)}"]
        state = {**turn.state, STATE: ASKED_BACK.write(asked)}
        reply, understood = Reply(question, self._options(asked)), Understood(danger=Danger.ASKED)
        return TurnOutcome((reply,), turn.agent, state, preferences=taken.changes, understood=understood)

    def _wish(self, message: PatientInput, turn: TurnInput, taken: _Taken) -> PatientInput | None:
        """Take down how the patient wants to be answered; the message, None where it says nothing else."""
        if message.kind != "text" or message.choice:
            return message
        rest = self.texts.vocabulary.beyond(OWN, words(message.text))
        wishes = _together(self.texts.vocabulary.heard_in(rest))
        for wish in wishes:
            before = turn.preferences.changed(taken.changes)
            changes = _changes(wish, before, turn.clinic.voice, can_speak=turn.can_speak)
            if wish is not Wish.TEXT and not turn.can_speak:
                phrase = "answer_no_audio"
            else:
                phrase = f"answer_{wish}" if changes else "answer_limit"
            taken.changes |= changes
            taken.notices.append(self.texts.phrases[phrase])
            rest = self.texts.vocabulary.beyond(wish, rest)
        for name in ("courtesy", "greeting"):
            rest = self.vocabulary.beyond(name, rest)
        return None if wishes and len(rest) <= SMALL_TALK else message

    def _ask_back(self, turn: TurnInput, taken: _Taken, *, again: bool) -> TurnOutcome:
        heard = " ".join(message.text.strip() for message in taken.inputs if message.text.strip())
        if again or len(heard) > MAX_ASKED_BACK:
            return self._said(turn, "still_unclear", taken.changes)
        token = token_hex(3)
        asked = AskedBack(heard, f"{STATE}|yes|{token}", f"{STATE}|no|{token}", turn.now)
        question = self.texts.heard_back(heard.rstrip(" .!?"))
        reply = Reply("\n\n".join([*taken.notices, question]), self._options(asked))
        state = {**turn.state, STATE: ASKED_BACK.write(asked)}
        return TurnOutcome((reply,), turn.agent, state, preferences=taken.changes)

    def _options(self, asked: AskedBack) -> tuple[Option, ...]:
        phrases = self.texts.phrases
        yes, no = ("button_danger", "button_no_danger") if asked.danger else ("button_yes", "button_no")
        return Option(asked.yes, phrases[yes]), Option(asked.no, phrases[no])

    async def _answer(self, turn: TurnInput, taken: _Taken) -> TurnOutcome:
        if not taken.inputs:
            notices = dict.fromkeys(taken.notices or [self.texts.phrases["not_that"]])
            return _unchanged(turn, Reply("\n\n".join(notices)), taken.changes)
        preferences = turn.preferences.changed(taken.changes)
        doubted = {"in_doubt": taken.in_danger} if taken.in_danger else {}
        turn = replace(turn, state={**turn.state, **doubted}, inputs=tuple(taken.inputs), preferences=preferences)
        outcome = await self.inner.answer(turn)
        return replace(
            outcome,
            replies=_after(taken.notices, outcome.replies),
            preferences={**outcome.preferences, **taken.changes},
        )

    def _said(self, turn: TurnInput, phrase: str, changes: Mapping[str, Any] | None = None) -> TurnOutcome:
        return _unchanged(turn, Reply(self.texts.phrases[phrase]), changes or {})


def _heard(text: str) -> "Belief":
    """What the ear makes of it."""
    from gendei.ear.model import own_ear  # noqa: PLC0415  # who only checks the texts needs no numpy

    return own_ear().hear(text)


def _unchanged(turn: TurnInput, reply: Reply, changes: Mapping[str, Any]) -> TurnOutcome:
    """An answer that leaves what the team remembers as it was."""
    return TurnOutcome((reply,), turn.agent, dict(turn.state), preferences=changes)


def _together(heard: frozenset[str]) -> list[Wish]:
    """The wishes that can be fulfilled beside each other."""
    wishes = [wish for wish in Wish if wish in heard]
    if Wish.TEXT in wishes:
        return [Wish.TEXT]
    named = {Wish.MAN, Wish.WOMAN}.isdisjoint(wishes)
    return [wish for wish in wishes if named or wish is not Wish.OTHER_VOICE]


def _changes(wish: Wish, before: Preferences, policy: VoicePolicy, *, can_speak: bool) -> dict[str, Any]:
    """What a wish changes; nothing where it cannot be fulfilled, or no further."""
    if wish is Wish.TEXT:
        return {"answers": Answers.TEXT}
    if not can_speak:
        return {}
    if wish is Wish.AUDIO:
        return {"answers": Answers.AUDIO}
    if wish in VOICE_OF:
        voice = (policy.man if wish is Wish.MAN else policy.woman) or VOICE_OF[wish]
        return {} if before.voice == voice else {"voice": voice}
    if wish is Wish.ORDINARY_RATE:
        return {} if before.rate == ORDINARY.rate else {"rate": ORDINARY.rate}
    if wish is Wish.OTHER_VOICE:
        voices = tuple(dict.fromkeys(filter(None, (policy.voice, policy.man, policy.woman)))) or VOICES
        voices = voices if len(voices) > 1 else VOICES
        present = before.voice or policy.voice
        following = voices.index(present) + 1 if present in voices else 0
        return {"voice": voices[following % len(voices)]}
    rate = before.faster(-1 if wish is Wish.SLOWER else 1)
    return {} if rate == before.rate else {"rate": rate}


def _after(notices: Sequence[str], replies: tuple[Reply, ...]) -> tuple[Reply, ...]:
    """The replies with the notices before them, in the first message where there is room."""
    if not notices:
        return replies
    notice = "\n\n".join(dict.fromkeys(notices))
    first, *others = replies
    limit = MAX_TEXT if not first.options else 1024
    joined = f"{notice}\n\n{first.text}"
    if first.pin or fit(joined, limit) != joined:
        return Reply(notice), *replies
    return replace(first, text=joined), *others
