"""A clinic's day in numbers, counted from the messages of its conversations and what was booked."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from statistics import median
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, PlainSerializer

from gendei.booking.appointment import Appointment
from gendei.conversation.stored.history import Author, Event, HistoryMessage
from gendei.documents import Data
from gendei.messages.message import MessageType
from gendei.records import ABSENT_WHEN_EMPTY, ABSENT_WHEN_NONE, NOT_STORED, Day, Record
from gendei.staff.message_costs import SentMessages, sent_messages
from gendei.staff.outcomes import FULFILLED, Outcome, Signs
from gendei.staff.talk_times import TalkTimes, reasons_called

MOST_REASONS = 20
MOST_REASON = 80
MOST_ANSWERS = 2000
_SILENT = frozenset({MessageType.REACTION, MessageType.SYSTEM})
_ANSWERING = frozenset({Author.BOT, Author.STAFF})


def _listed(key: str, counts: Mapping[str, int]) -> list[Data]:
    return [{key: name, "count": count} for name, count in counts.items()]


def _mapped(key: str, listed: Sequence[Data]) -> dict[str, int]:
    return {counted[key]: counted["count"] for counted in listed}


ByReason = Annotated[
    Mapping[str, int], BeforeValidator(partial(_mapped, "reason")), PlainSerializer(partial(_listed, "reason"))
]
ByName = Annotated[
    Mapping[str, int], BeforeValidator(partial(_mapped, "name")), PlainSerializer(partial(_listed, "name"))
]
"""Lists in the document: a name there may hold what no field's name does."""


def _if_any(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None else read(value)


ByOutcome = Annotated[
    Mapping[str, int] | None,
    BeforeValidator(_if_any(partial(_mapped, "outcome"))),
    PlainSerializer(_if_any(partial(_listed, "outcome"))),
    ABSENT_WHEN_NONE,
]
ByCalledFor = Annotated[
    Mapping[str, int] | None,
    BeforeValidator(_if_any(partial(_mapped, "calledFor"))),
    PlainSerializer(_if_any(partial(_listed, "calledFor"))),
    ABSENT_WHEN_NONE,
]


@dataclass(frozen=True, slots=True)
class DayNumbers:
    """`conversations`: in how many the patient wrote; `with_person` of them had a take-over or a person's message.
    `outcomes`: what became of them, by Outcome; None of days that were kept before these were told. `first_answers`:
    seconds from a conversation's first message of the day to the first answer to it. `bookings` were made that day, for
    whatever day; `no_shows` are of that day's appointments. `takeovers`: by reason, "" where nobody gave one. `sent`:
    of which WhatsApp told a category.
    `called`: why a person was called or came, by CalledFor; None of days that were kept before it was told, which know
    nothing of the following either. `returned`: in how many conversations the patient came back within 48 hours.
    `bot_answers`, `person_answers`: seconds to the first answer of the bot, and of a person."""

    day: Day
    conversations: int = 0
    with_person: int = 0
    first_answers: tuple[int, ...] = ()
    takeovers: ByReason = field(default_factory=dict)
    failed_sends: int = 0
    bookings_by_channel: Annotated[ByName, Field(alias="byChannel")] = field(default_factory=dict)
    bookings_by_service: Annotated[ByName, Field(alias="byService")] = field(default_factory=dict)
    no_shows: Annotated[int, NOT_STORED] = 0
    outcomes: ByOutcome = None
    called: ByCalledFor = None
    returned: Annotated[int | None, ABSENT_WHEN_NONE] = None
    bot_answers: Annotated[tuple[int, ...], ABSENT_WHEN_EMPTY] = ()
    person_answers: Annotated[tuple[int, ...], ABSENT_WHEN_EMPTY] = ()
    sent: Annotated[tuple[SentMessages, ...], ABSENT_WHEN_EMPTY] = ()

    @property
    def tells_all(self) -> bool:
        return self.called is not None and (self.outcomes is not None or not self.conversations)

    def completed(self, fresh: "DayNumbers") -> "DayNumbers":
        """This day, kept by an earlier version, with what only `fresh`, counted now, tells."""
        known = self if self.outcomes is not None else replace(self, outcomes=fresh.outcomes)
        return replace(
            known,
            called=fresh.called,
            returned=fresh.returned,
            bot_answers=fresh.bot_answers,
            person_answers=fresh.person_answers,
        )

    @property
    def solved(self) -> int:
        """In how many conversations the bot alone did what was wished, as far as that is known."""
        return sum((self.outcomes or {}).get(outcome, 0) for outcome in FULFILLED)


DAY = Record(DayNumbers, "gendei_clinics/{clinicId}/days/{yyyy-mm-dd}")


@dataclass(frozen=True, slots=True)
class Totals:
    """Of one or several days. `solved`: the share of conversations in which the bot alone did what was wished, 0 to 1,
    of those days of which `outcomes` are known; `returned`: the share of those in which the patient came back within 48
    hours; the medians in seconds, of the bot's first answers, of people's, and of whoever was first; each of these None
    where there was none. `called`: why people were called or came. A conversation counts once for each day on which the
    patient wrote."""

    conversations: int
    with_person: int
    solved: float | None
    outcomes: Mapping[str, int]
    median_first_answer: float | None
    median_bot_answer: float | None
    median_person_answer: float | None
    returned: float | None
    called: Mapping[str, int]
    bookings: int
    bookings_by_channel: Mapping[str, int]
    bookings_by_service: Mapping[str, int]
    takeovers: int
    takeover_reasons: Mapping[str, int]
    no_shows: int
    failed_sends: int

    @classmethod
    def of(cls, days: Iterable[DayNumbers]) -> "Totals":
        days = list(days)
        outcomes = _summed(day.outcomes for day in days if day.outcomes is not None)
        told, solved = sum(outcomes.values()), sum(outcomes.get(outcome, 0) for outcome in FULFILLED)
        answers = [seconds for day in days for seconds in day.first_answers]
        bot = [seconds for day in days for seconds in day.bot_answers]
        people = [seconds for day in days for seconds in day.person_answers]
        known = [day for day in days if day.returned is not None]
        talks = sum(day.conversations for day in known)
        channels, services, reasons = (
            _summed(day.bookings_by_channel for day in days),
            _summed(day.bookings_by_service for day in days),
            _summed(day.takeovers for day in days),
        )
        return cls(
            conversations=sum(day.conversations for day in days),
            with_person=sum(day.with_person for day in days),
            solved=solved / told if told else None,
            outcomes=outcomes,
            median_first_answer=median(answers) if answers else None,
            median_bot_answer=median(bot) if bot else None,
            median_person_answer=median(people) if people else None,
            returned=sum(day.returned or 0 for day in known) / talks if talks else None,
            called=_summed(day.called for day in days if day.called is not None),
            bookings=sum(channels.values()),
            bookings_by_channel=channels,
            bookings_by_service=services,
            takeovers=sum(reasons.values()),
            takeover_reasons=reasons,
            no_shows=sum(day.no_shows for day in days),
            failed_sends=sum(day.failed_sends for day in days),
        )


def counted(
    day: date,
    conversations: Sequence[Sequence[HistoryMessage]],
    bookings: Sequence[Appointment],
    signs: Signs,
    returned: int = 0,
) -> DayNumbers:
    """`conversations`: of each, the messages of that day in order; `bookings`: appointments made that day; `returned`:
    in how many of the conversations the patient came back."""
    told = [_Told.of(messages, signs) for messages in conversations]
    spoken = [conversation for conversation in told if conversation.patient_wrote]
    return DayNumbers(
        day=day,
        conversations=len(spoken),
        with_person=sum(conversation.with_person for conversation in spoken),
        first_answers=tuple(
            conversation.first_answer for conversation in spoken if conversation.first_answer is not None
        )[:MOST_ANSWERS],
        takeovers=dict(
            Counter(reason for conversation in told for reason in conversation.takeovers).most_common(MOST_REASONS)
        ),
        failed_sends=sum(conversation.failed for conversation in told),
        bookings_by_channel=dict(Counter(booked.channel for booked in bookings).most_common()),
        bookings_by_service=dict(Counter(booked.service_name for booked in bookings).most_common()),
        outcomes=dict(Counter(str(each.outcome) for each in spoken if each.outcome is not None).most_common()),
        called=dict(Counter(why for each in told for why in each.called).most_common()),
        returned=returned,
        bot_answers=tuple(each.times.bot for each in spoken if each.times.bot is not None)[:MOST_ANSWERS],
        person_answers=tuple(each.times.person for each in spoken if each.times.person is not None)[:MOST_ANSWERS],
        sent=sent_messages(message.charge for messages in conversations for message in messages),
    )


@dataclass(frozen=True, slots=True)
class _Told:
    """What one conversation's messages of a day tell."""

    patient_wrote: bool
    with_person: bool
    first_answer: int | None
    takeovers: tuple[str, ...]
    failed: int
    outcome: Outcome | None
    called: tuple[str, ...]
    times: TalkTimes

    @classmethod
    def of(cls, messages: Sequence[HistoryMessage], signs: Signs) -> "_Told":
        talk = [message for message in messages if message.event is None]
        asked = next((each for each in talk if each.is_of_patient and each.type not in _SILENT), None)
        answered = None
        if asked is not None:
            later = (each for each in talk if each.author in _ANSWERING and each.timestamp > asked.timestamp)
            answered = next(later, None)
        takeovers = [message for message in messages if message.event is Event.TAKEN_OVER]
        return cls(
            patient_wrote=asked is not None,
            with_person=bool(takeovers) or any(message.author is Author.STAFF for message in talk),
            first_answer=round((answered.timestamp - asked.timestamp).total_seconds())
            if asked is not None and answered is not None
            else None,
            takeovers=tuple(" ".join(event.detail.split())[:MOST_REASON] for event in takeovers),
            failed=sum(message.delivery_state == "failed" for message in talk),
            outcome=None if asked is None else signs.outcome(messages),
            called=tuple(reasons_called(messages)),
            times=TalkTimes.of(messages),
        )


def _summed(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for count in counts:
        total.update(count)
    return dict(total.most_common())
