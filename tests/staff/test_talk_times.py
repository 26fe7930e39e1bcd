"""How long who wrote waited for the bot and for a person, why people were called, and who came back."""

from datetime import UTC, date, datetime, timedelta

from gendei.conversation.stored.history import Author, Event, HistoryMessage
from gendei.messages.called_for import CalledFor
from gendei.messages.message import MessageType
from gendei.staff.talk_times import TalkTimes, came_back, reasons_called

NINE = datetime(2026, 11, 24, 9, tzinfo=UTC)


def message(author: Author, minutes: float, *, event: Event | None = None, name: str | None = None, **more):
    return HistoryMessage(
        id=f"{author}{minutes}",
        author=author,
        type=MessageType.SYSTEM if event else MessageType.TEXT,
        content="",
        timestamp=NINE + timedelta(minutes=minutes),
        event=event,
        author_name=name,
        **more,
    )


def asks(minutes: float):
    return message(Author.PATIENT, minutes)


def answers(minutes: float):
    return message(Author.BOT, minutes, turn="1")


def calls(minutes: float, why: CalledFor | None = CalledFor.MONEY):
    return message(Author.SYSTEM, minutes, event=Event.TAKEN_OVER, called_for=why)


def comes(minutes: float, why: CalledFor | None):
    return message(Author.STAFF, minutes, event=Event.TAKEN_OVER, name="Caio", called_for=why)


def writes(minutes: float):
    return message(Author.STAFF, minutes, name="Caio")


def days(*messages) -> frozenset[date]:
    return came_back(messages, lambda moment: moment)


def test_the_wait_for_a_person_begins_when_one_is_called():
    talk = [asks(0), answers(0.1), asks(1), calls(2), answers(2.1), asks(5), comes(12, CalledFor.MONEY), writes(12)]
    assert TalkTimes.of(talk) == TalkTimes(bot=6, person=600)


def test_who_is_answered_by_a_person_whom_nobody_called_waited_since_they_wrote():
    assert TalkTimes.of([asks(0), answers(0.1), asks(4), comes(5, CalledFor.STAFF), writes(5)]).person == 60
    assert TalkTimes.of([writes(0), asks(1)]) == TalkTimes()


def test_each_call_counts_once_and_who_comes_unasked_counts_too():
    assert [*reasons_called([calls(0), comes(1, CalledFor.MONEY)])] == ["money"]
    assert [*reasons_called([comes(1, CalledFor.STAFF)])] == ["staff"]
    assert [*reasons_called([calls(0, None), comes(1, None), comes(2, None)])] == ["untold", "staff"]


def test_who_writes_again_within_two_days_came_back_and_nobody_else():
    day = NINE.date()
    assert days(asks(0), answers(0.1), asks(29)) == frozenset()
    assert days(asks(0), answers(0.1), asks(31)) == {day}
    assert days(asks(0), answers(0), asks(48 * 60)) == {day + timedelta(days=2)}
    assert days(asks(0), answers(0), asks(48 * 60 + 1)) == frozenset()


def test_who_answers_a_person_or_what_the_clinic_sent_did_not_come_back():
    assert days(asks(0), answers(0.1), writes(5), asks(120)) == frozenset()
    assert days(asks(0), answers(0.1), message(Author.BOT, 60), asks(120)) == frozenset()
