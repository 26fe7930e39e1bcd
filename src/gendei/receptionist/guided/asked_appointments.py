"""Questions about appointments that stand: what was booked just now, somebody else's, and which one is told of."""

from dataclasses import replace
from datetime import time

from gendei.booking.dates.rendering import plain_clock
from gendei.ear.kinds import MessageKind
from gendei.receptionist.guided import appointments, information, scheduling
from gendei.receptionist.guided.guided_turn import BOOK, BOOK_OR_PERSON, CALL_PERSON, Dialogue, GuidedTurn
from gendei.receptionist.guided.own_appointments import mine
from gendei.receptionist.offers.choices import Kind, choice
from gendei.receptionist.offers.rendering import where_to_come
from gendei.receptionist.state import Goal
from gendei.receptionist.understanding.language import words
from gendei.receptionist.understanding.other_people import appointment_of, contact_of
from gendei.receptionist.understanding.parting import without
from gendei.receptionist.understanding.patient_message import Understanding

_OTHER_WISHES = (
    "book",
    "another",
    "also",
    "move",
    "changes",
    "cancel",
    "late",
    "arrived",
    "staff_matter",
    "correction",
)
_FACTS = ("booked_with", "booked_for", "booked_at")
"""Intents that ask for one fact of what was booked, and the phrases that tell it."""
_ASKS = (MessageKind.SEE, MessageKind.ASK)


def of_booked(turn: GuidedTurn, heard: Understanding) -> Dialogue:
    """Who attends, who comes, when and where, of what was booked last, each that is asked."""
    last, found = turn.state.last, (yield from mine(turn))
    just = [row for row in found if (row["date"], row["time"]) == (last.get("date"), last.get("time"))]
    if not just:
        yield from appointments.show(turn, heard)
        return
    row, start = just[0], time.fromisoformat(just[0]["time"])
    facts = {"professional_name": row["professional"], "patient": row["patient"], "weekday_date": row["day"]}
    facts["time"] = plain_clock(start)
    told = [turn.phrase(asked, **facts) for asked in _FACTS if heard.wants(asked)]
    told += where_to_come(row["service_id"], turn.runtime) if heard.wants("booked_where") else []
    told_of = information.AROUND_BOOKING | ({"address"} if heard.wants("booked_where") else set())
    if topics := heard.intents & information.TOPICS - told_of:
        told.append((yield from information.answer(turn, replace(heard, intents=topics))))
    told = told or [turn.phrase("booked_at", **facts)]
    choices = [choice(Kind.MOVE, row["appointment_id"]), choice(Kind.CANCEL, row["appointment_id"]), BOOK]
    yield from turn.ask("\n".join(told), choices)


def of_somebody_else(turn: GuidedTurn, heard: Understanding, typed: str) -> Dialogue | None:
    """What this contact booked for the person who is asked about; else that nothing is said of other people. None where
    nobody else's appointment or telephone is asked for."""
    runtime = turn.runtime
    here = (runtime.clinic, turn.vocabulary, runtime.vertical)
    if heard.phone or heard.wants(*_OTHER_WISHES):
        return None
    if contact_of(typed, *here):
        return _nothing_of_others(turn)
    person = None if turn.state.in_progress else appointment_of(without(typed, heard.when), *here)
    return _of_person(turn, person) if person and ("?" in typed or heard.likeliest in _ASKS) else None


def _of_person(turn: GuidedTurn, person: str) -> Dialogue:
    said, own = set(words(person)), turn.runtime.user_name
    is_kin = bool(said & {"meu", "minha"})
    found = yield from mine(turn)
    theirs = [row for row in found if (row["patient"] != own if is_kin else said & set(words(row["patient"])))]
    yield from appointments.listed(turn, theirs) if theirs else _nothing_of_others(turn)


def _nothing_of_others(turn: GuidedTurn) -> Dialogue:
    if turn.state.in_progress and turn.state.goal is not Goal.CANCEL:
        return scheduling.resume(turn, turn.phrase("others_data"))
    return turn.ask(turn.phrase("others_data"), BOOK_OR_PERSON)


def told_of(turn: GuidedTurn, heard: Understanding) -> Dialogue:
    """A day or a professional that is told after a look at the agenda ("é dia 7 com o Bruno"): the appointment that is
    meant, or that it is not there."""
    found, when = (yield from mine(turn)), heard.when
    days = {day.isoformat() for day in when.days} if when else set()
    meant = [
        row
        for row in found
        if (not days or row["date"] in days)
        and (heard.professional is None or row["professional_id"] == heard.professional.id)
    ]
    if meant or found:
        yield from appointments.listed(turn, meant or found, "" if meant else turn.phrase("not_in_agenda"))
    else:
        yield from turn.ask(turn.phrase("not_in_agenda"), [CALL_PERSON, BOOK])
