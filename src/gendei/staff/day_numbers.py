"""What happened at a clinic on one day: counted from the history and from appointments, kept once the day is over."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from statistics import median
from typing import Annotated

from pydantic import BeforeValidator, Field, PlainSerializer

from gendei.conversation.history import Author, Event
from gendei.conversation.messages import MessageType
from gendei.documents import Data
from gendei.records import NOT_STORED, Day, Record

MOST_REASONS = 20
MOST_REASON = 80
MOST_ANSWERS = 2000
_SILENT = frozenset({str(MessageType.REACTION), str(MessageType.SYSTEM)})
_ANSWERING = frozenset({str(Author.BOT), str(Author.STAFF)})


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


@dataclass(frozen=True, slots=True)
class DayNumbers:
    """`conversations`: in how many the patient wrote; `with_person` of them had a take-over or a person's message.
    `first_answers`: seconds from a conversation's first message of the day to the first answer to it. `bookings` were
    made that day, for whatever day; `no_shows` are of that day's appointments. `takeovers`: by reason, "" where nobody
    gave one."""

    day: Day
    conversations: int = 0
    with_person: int = 0
    first_answers: tuple[int, ...] = ()
    takeovers: ByReason = field(default_factory=dict)
    failed_sends: int = 0
    bookings_by_channel: Annotated[ByName, Field(alias="byChannel")] = field(default_factory=dict)
    bookings_by_service: Annotated[ByName, Field(alias="byService")] = field(default_factory=dict)
    no_shows: Annotated[int, NOT_STORED] = 0


DAY = Record(DayNumbers, "gendei_clinics/{clinicId}/days/{yyyy-mm-dd}")


@dataclass(frozen=True, slots=True)
class Totals:
    """Of one or several days. `without_person`: the share of conversations that the bot did alone, 0 to 1;
    `median_first_answer` in seconds; both None where there was none. A conversation counts once for each day on which
    the patient wrote."""

    conversations: int
    without_person: float | None
    median_first_answer: float | None
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
        conversations, with_person = sum(day.conversations for day in days), sum(day.with_person for day in days)
        answers = [seconds for day in days for seconds in day.first_answers]
        channels, services, reasons = (
            _summed(day.bookings_by_channel for day in days),
            _summed(day.bookings_by_service for day in days),
            _summed(day.takeovers for day in days),
        )
        return cls(
            conversations=conversations,
            without_person=1 - with_person / conversations if conversations else None,
            median_first_answer=median(answers) if answers else None,
            bookings=sum(channels.values()),
            bookings_by_channel=channels,
            bookings_by_service=services,
            takeovers=sum(reasons.values()),
            takeover_reasons=reasons,
            no_shows=sum(day.no_shows for day in days),
            failed_sends=sum(day.failed_sends for day in days),
        )


def counted(day: date, conversations: Iterable[Sequence[Data]], bookings: Iterable[Data], no_shows: int) -> DayNumbers:
    """`conversations`: of each, the messages of that day in order; `bookings`: appointments made that day."""
    told = [_Told.of(messages) for messages in conversations]
    spoken = [conversation for conversation in told if conversation.patient_wrote]
    booked = list(bookings)
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
        bookings_by_channel=dict(Counter(booking["channel"] for booking in booked).most_common()),
        bookings_by_service=dict(Counter(booking["serviceName"] for booking in booked).most_common()),
        no_shows=no_shows,
    )


@dataclass(frozen=True, slots=True)
class _Told:
    """What one conversation's messages of a day tell."""

    patient_wrote: bool
    with_person: bool
    first_answer: int | None
    takeovers: tuple[str, ...]
    failed: int

    @classmethod
    def of(cls, messages: Sequence[Data]) -> "_Told":
        talk = [message for message in messages if "event" not in message]
        asked = next(
            (message for message in talk if message["author"] == Author.PATIENT and message["type"] not in _SILENT),
            None,
        )
        answered = None
        if asked is not None:
            later = (
                message
                for message in talk
                if message["author"] in _ANSWERING and message["timestamp"] > asked["timestamp"]
            )
            answered = next(later, None)
        takeovers = [message for message in messages if message.get("event") == Event.TAKEN_OVER]
        return cls(
            patient_wrote=asked is not None,
            with_person=bool(takeovers) or any(message["author"] == Author.STAFF for message in talk),
            first_answer=round((answered["timestamp"] - asked["timestamp"]).total_seconds())
            if asked is not None and answered is not None
            else None,
            takeovers=tuple(" ".join(takeover["detail"].split())[:MOST_REASON] for takeover in takeovers),
            failed=sum(message.get("deliveryState") == "failed" for message in talk),
        )


def _summed(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for count in counts:
        total.update(count)
    return dict(total.most_common())
