"""Who finds no time that fits waits for one: joins the list, looks at it, leaves it, and answers what is offered."""

import re
from collections.abc import Generator, Mapping
from typing import Any

from gendei.booking.dates.words import NUMBERS, WEEKDAY_PLURALS
from gendei.booking.patients import clean_name
from gendei.booking.slots import BookingRefused
from gendei.clinic import DAY_MINUTES, WEEKDAYS
from gendei.receptionist.guided.guided_turn import BOOK, CALL_PERSON, Action, Dialogue, GuidedTurn, Result, Say
from gendei.receptionist.guided.own_appointments import tell_changes
from gendei.receptionist.offers.choices import ANSWERS_OFFER, Choice, Kind, choice
from gendei.receptionist.offers.choices import Action as Wish
from gendei.receptionist.state import Goal, SchedulingState
from gendei.receptionist.tools.waiting import PARTS
from gendei.receptionist.understanding.names_told import MAX_NAME_WORDS
from gendei.receptionist.understanding.patient_message import Understanding

_NOTICE = re.compile(r"\b(\d{1,2}|uma?|duas|dois|tres) (horas?|dias?) (?:de antecedencia|antes)\b")
_SHORT_NOTICE = re.compile(r"\b(?:em cima da hora|de ultima hora|mesmo em cima|a qualquer hora|na hora)\b")
_SAYS_NAME = re.compile(
    r"^(?:(?:[eé]|seria|para|pra)\s+(?:[ao]\s+)?|(?:el[ae]\s+)?se\s+chama\s+|(?:o\s+)?nome\s+(?:del[ae]\s+)?[eé]\s+)",
    re.IGNORECASE,
)
"""Before a name that was asked for."""
NOTICES = {"soon": 0, "day": DAY_MINUTES}
"""What a tap says of the notice, in minutes."""
WISHES = (choice(Kind.ACTION, Wish.WAIT), choice(Kind.ACTION, Wish.SHOW_WAITING))


def asked(turn: GuidedTurn, heard: Understanding, typed: str) -> Dialogue | None:
    """What the words want of the clinic's waiting list; None for nothing."""
    if turn.runtime.clinic.waiting_list is None:
        return None
    if heard.wants("leave_waiting"):
        return leave(turn, heard)
    if heard.wants("see_waiting"):
        return show(turn)
    if heard.wants("join_waiting"):
        return join(turn, heard)
    return _told_more(turn, heard, typed) if turn.state.waits else None


def _told_more(turn: GuidedTurn, heard: Understanding, typed: str) -> Dialogue | None:
    """What was still to be told: of what service, or for whom."""
    turn.state.waits = False
    if turn.state.selected_service_id is None:
        return join(turn, heard) if heard.services else None
    if heard.name is not None:
        return join(turn, heard)
    typed = _SAYS_NAME.sub("", typed.strip(" .!"))
    words = typed.split()
    if turn.state.patient_name is None and 2 <= len(words) <= MAX_NAME_WORDS and not heard.intents:
        try:
            turn.state.patient_name, turn.state.awaiting_name = clean_name(typed), False
        except BookingRefused:
            return None
        return join(turn, heard)
    return None


def join(turn: GuidedTurn, heard: Understanding) -> Dialogue:
    """Put them on the list with what the draft and this message say; ask for what is missing."""
    state, runtime = turn.state, turn.runtime
    yield from turn.go("sales_closer")
    if heard.service is not None:
        state.select_service(heard.service.id, heard.service.name)
    if heard.professional is not None:
        state.want_professional(heard.professional.id, heard.professional.name)
    if state.selected_service_id is None and len(runtime.clinic.services) == 1:
        state.select_service(runtime.clinic.services[0].id, runtime.clinic.services[0].name)
    if state.selected_service_id is None:
        state.waits, state.state = True, SchedulingState.SELECTING_SERVICE
        services = [choice(Kind.SERVICE, service.id) for service in runtime.clinic.services[:10]]
        yield from turn.ask(turn.phrase("waiting_ask_service"), services, "list_label_services")
        return
    if heard.name is not None:
        state.patient_name, state.awaiting_name = heard.name, False
    elif heard.wants("someone_else") and not heard.wants("myself"):
        state.patient_name, state.awaiting_name = None, True
    named = state.patient_name or (runtime.user_name and not state.awaiting_name)
    if not named and state.goal is not Goal.MOVE:
        state.waits = True
        yield Say(turn.phrase("waiting_ask_name"))
        return
    joined = yield from turn.call("join_waiting_list", **_wish(turn, heard))
    if not joined["success"]:
        yield from turn.ask(str(joined["error"]), [choice(Kind.ACTION, Wish.SHOW_WAITING), CALL_PERSON])
        return
    turn.state = turn.state.finished()
    minutes = str(joined["data"]["answer_within_minutes"])
    yield from _stands(
        turn, joined["data"], turn.phrase("waiting_joined", line=joined["data"]["line"], minutes=minutes)
    )


def _wish(turn: GuidedTurn, heard: Understanding) -> dict[str, Any]:
    """The arguments of join_waiting_list."""
    state, when = turn.state, heard.when
    said = " ".join(heard.said)
    days, since, until = state.wanted_days or state.missed, state.time_from, state.time_to
    since, until = state.selected_time or since, state.selected_time or until
    if when is not None and when.date is not None:
        days = f"{when.date}/{when.end_date or when.date}"
    if when is not None and (when.time or when.time_from or when.time_to):
        first, last = when.time or when.time_from, when.time or when.time_to
        since, until = (f"{hour:%H:%M}" if hour else None for hour in (first, last))
    elif heard.wants("earlier") and since:
        since, until = None, since  # what is before the hours that were offered, and are none for them
    elif heard.wants("later_time") and until:
        since, until = until, None
    weekdays = [WEEKDAYS[day] for word, day in WEEKDAY_PLURALS.items() if word in heard.said]
    return {
        "service_id": state.selected_service_id,
        "date": "" if weekdays and not (when and when.end_date) else days,
        "professional_id": state.selected_professional_id if state.professional_wanted else None,
        "time_from": since,
        "time_to": until,
        "weekdays": weekdays or None,
        "notice_minutes": _notice(said),
        "patient_name": state.patient_name or turn.runtime.user_name,
        "appointment_id": state.appointment_id if state.goal is Goal.MOVE else None,
    }


def _notice(said: str) -> int | None:
    """How long before a time they want to know; None where nothing was said."""
    if _SHORT_NOTICE.search(said):
        return 0
    found = _NOTICE.search(said)
    if found is None:
        return None
    number = int(found[1]) if found[1].isdigit() else NUMBERS[found[1]]
    return number * (DAY_MINUTES if found[2].startswith("dia") else 60)


def _stands(turn: GuidedTurn, row: Mapping[str, Any], text: str) -> Dialogue:
    """How the wish stands, with what can be changed of it by a tap."""
    parts = [part for part in PARTS if _hours(row) != PARTS[part]]
    changes = [
        *parts,
        *(["any"] if _hours(row) != (0, DAY_MINUTES) else []),
        "soon" if row["notice_minutes"] else "day",
    ]
    choices = [choice(Kind.WAITING_SET, row["entry_id"], change) for change in changes]
    yield from turn.ask(text, [*choices, choice(Kind.WAITING_LEAVE, row["entry_id"])])


def _hours(row: Mapping[str, Any]) -> tuple[int, int]:
    """The minutes after midnight of a row's hours."""
    hours = [row["time_from"] or "00:00", row["time_to"] or "24:00"]
    since, until = (int(hour[:2]) * 60 + int(hour[3:]) for hour in hours)
    return since, until


def show(turn: GuidedTurn) -> Dialogue:
    """What they wait for, with what can be done about it."""
    found = yield from _own(turn)
    if not found:
        yield from turn.ask(turn.phrase("waiting_none"), [BOOK])
    elif len(found) == 1:
        yield from _stands(turn, found[0], turn.phrase("waiting_yours", lines=found[0]["line"]))
    else:
        lines = "\n".join(row["line"] for row in found)
        leave_ = [choice(Kind.WAITING_LEAVE, row["entry_id"]) for row in found]
        yield from turn.ask(turn.phrase("waiting_yours", lines=lines), leave_)


def leave(turn: GuidedTurn, heard: Understanding) -> Dialogue:
    """Off the list; where they wait for several things, of which is asked unless it was said."""
    found = yield from _own(turn)
    meant = [row for row in found if heard.service is not None and row["service_id"] == heard.service.id] or found
    if len(meant) > 1:
        choices = [choice(Kind.WAITING_LEAVE, row["entry_id"]) for row in meant]
        lines = "\n".join(row["line"] for row in meant)
        yield from turn.ask(f"{turn.phrase('waiting_which')}\n{lines}", choices)
    elif meant:
        yield from _left(turn, meant[0]["entry_id"])
    else:
        yield from turn.ask(turn.phrase("waiting_none"), [BOOK])


def _left(turn: GuidedTurn, entry_id: str) -> Dialogue:
    left = yield from turn.call("leave_waiting_list", entry_id=entry_id)
    text = turn.phrase("waiting_left", line=left["data"]["line"]) if left["success"] else turn.phrase("waiting_none")
    yield from turn.ask(text, [BOOK, choice(Kind.ACTION, Wish.APPOINTMENTS)])


def _own(turn: GuidedTurn) -> Generator[Action, Result, list[dict[str, Any]]]:
    yield from turn.go("payment")
    return list((yield from turn.call("get_waiting_list"))["data"])


def chosen(turn: GuidedTurn, tapped: Choice, heard: Understanding) -> Dialogue:
    """What was tapped of the waiting list."""
    if tapped.kind is Kind.ACTION:
        yield from join(turn, heard) if str(tapped) == WISHES[0] else show(turn)
        return
    if tapped.kind in ANSWERS_OFFER:
        yield from _answered(turn, tapped)
        return
    found = {row["entry_id"]: row for row in (yield from _own(turn))}
    row = found.get(tapped.args[0])
    if row is None:
        yield from turn.ask(turn.phrase("waiting_none"), [BOOK])
    elif tapped.kind is Kind.WAITING_LEAVE:
        yield from _left(turn, row["entry_id"])
    else:
        yield from _changed(turn, row, tapped.args[1])


def _changed(turn: GuidedTurn, row: Mapping[str, Any], what: str) -> Dialogue:
    """Another part of the day, or another notice."""
    wish = {name: value for name, value in row.items() if name not in {"entry_id", "line"}}
    if what in NOTICES:
        wish["notice_minutes"] = NOTICES[what]
    else:
        since, until = PARTS.get(what, (0, DAY_MINUTES))
        wish["time_from"] = f"{since // 60:02d}:00" if since else None
        wish["time_to"] = f"{until // 60:02d}:00" if until < DAY_MINUTES else None
    changed = yield from turn.call("join_waiting_list", **wish)
    if changed["success"]:
        yield from _stands(turn, changed["data"], turn.phrase("waiting_changed", line=changed["data"]["line"]))
    else:
        yield from turn.ask(str(changed["error"]), [choice(Kind.ACTION, Wish.SHOW_WAITING)])


def _answered(turn: GuidedTurn, tapped: Choice) -> Dialogue:
    """The answer to an offer. What was booked or moved is told by the system."""
    yield from turn.go("payment")
    names = dict(zip(("entry_id", "refill_id", "professional_id", "start"), tapped.args, strict=True))
    done = yield from turn.call("answer_waiting_offer", **names, accepts=tapped.kind is Kind.WAITING_TAKE)
    if not done["success"]:
        others = [choice(Kind.ACTION, Wish.SHOW_WAITING), BOOK]
        yield from turn.ask(str(done["error"]), others)
    elif tapped.kind is Kind.WAITING_TAKE:
        tell_changes(turn)
        yield Say()
    else:
        yield Say(turn.phrase("waiting_passed"))
