"""Of a conversation's messages: why people were called, how long who wrote waited for the bot and for a person, and
on which days they came back."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from gendei.conversation.stored.conversation import IDLE
from gendei.conversation.stored.history import Author, Event, HistoryMessage
from gendei.messages.called_for import CalledFor
from gendei.messages.message import MessageType

UNTOLD = "untold"
"""A person was called before reasons were kept."""
SOON = timedelta(hours=48)
"""Who writes again within it came back."""
SILENT = frozenset({MessageType.REACTION, MessageType.SYSTEM})


@dataclass(frozen=True, slots=True)
class TalkTimes:
    """Seconds from the patient's first message of the day to the bot's first answer; and from when a person was called,
    or else from what the patient wrote, to the first message of a person. None where there was none."""

    bot: int | None = None
    person: int | None = None

    @classmethod
    def of(cls, messages: Sequence[HistoryMessage]) -> "TalkTimes":
        """`messages`: of one conversation's day, in order."""
        talk = [message for message in messages if _is_talk(message)]
        asked = next((message for message in talk if message.is_of_patient), None)
        if asked is None:
            return cls()
        bot = next((each for each in talk if each.author is Author.BOT and each.timestamp > asked.timestamp), None)
        person = next((each for each in talk if each.author is Author.STAFF), None)
        since = None if person is None else _waits_since(messages, person)
        return cls(
            None if bot is None else _seconds(asked.timestamp, bot.timestamp),
            None if person is None or since is None else _seconds(since, person.timestamp),
        )


def _waits_since(messages: Sequence[HistoryMessage], answer: HistoryMessage) -> datetime | None:
    """Since when somebody waited for this first message of a person; None where staff began."""
    before = [message for message in messages if message.timestamp < answer.timestamp]
    called = next((each for each in before if each.event is Event.TAKEN_OVER and each.author_name is None), None)
    written = [each for each in before if _is_talk(each) and each.is_of_patient]
    return called.timestamp if called else written[-1].timestamp if written else None


def reasons_called(messages: Sequence[HistoryMessage]) -> Iterator[str]:
    """Why a person stepped in, once for each time that one was called or came of their own accord: one of CalledFor, or
    UNTOLD. Who came because they were called is not counted again."""
    is_called = False
    for message in messages:
        if message.event is Event.TAKEN_OVER:
            by_person = message.author_name is not None
            known = message.called_for or (CalledFor.STAFF if by_person else UNTOLD)
            if not by_person or (known == CalledFor.STAFF and not is_called):
                yield str(known)
            is_called = not by_person
        elif message.event in {Event.HANDED_BACK, Event.LEFT, Event.CLOSED}:
            is_called = False


def came_back(messages: Sequence[HistoryMessage], local: Callable[[datetime], datetime]) -> frozenset[date]:
    """The days on which the patient came back by themselves within SOON after a talk that had ended: not to an answer
    of a person, and not to what the clinic wrote first. `messages`: of one conversation, in order."""
    days: set[date] = set()
    before: HistoryMessage | None = None
    for message in messages:
        if not _is_talk(message):
            continue
        if message.is_of_patient and before is not None and _has_ended(before):
            gap = message.timestamp - before.timestamp
            if IDLE <= gap <= SOON:
                days.add(local(message.timestamp).date())
        before = message
    return frozenset(days)


def _has_ended(last: HistoryMessage) -> bool:
    """Whether this last message is the patient's, or the bot's answer to them."""
    return last.is_of_patient or (last.author is Author.BOT and last.turn is not None)


def _is_talk(message: HistoryMessage) -> bool:
    return message.event is None and message.type not in SILENT


def _seconds(start: datetime, end: datetime) -> int:
    return round((end - start).total_seconds())
