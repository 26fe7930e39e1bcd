"""Which of the times that are shown is meant, by a tap or by words ("o mais cedo", "mais tarde"), and what that may do.

A time is held and asked about, however old its message is: it is what the patient meant. A yes is taken at once only
where it answers the question that stands; an older one is asked again. Nothing else than what the id names is booked.
"""

from dataclasses import replace
from datetime import date, datetime, time, timedelta
from typing import Any

from gendei.receptionist.guided import appointments, scheduling
from gendei.receptionist.guided.confirming import chosen_start, confirm, draft_slot
from gendei.receptionist.guided.finishing import finish
from gendei.receptionist.guided.guided_turn import Dialogue, GuidedTurn, Say
from gendei.receptionist.guided.own_appointments import mine as read_mine
from gendei.receptionist.guided.times import shown_times
from gendei.receptionist.offers.choices import YESES, Choice, Kind, parse_choice, start_from
from gendei.receptionist.state import Goal, SchedulingState
from gendei.receptionist.understanding.patient_message import Understanding
from gendei.receptionist.understanding.typed_choices import hour_alone

MOVES = frozenset({Kind.MOVE_TO, Kind.MOVE_NOW})


def choose_slot(turn: GuidedTurn, chosen: Choice) -> Dialogue:
    """A tapped slot, or a tapped yes (which names its slot too, so an old button cannot book another one)."""
    _, professional_id, local = chosen.args
    start = start_from(local, turn.runtime.clinic)
    old = _is_old(turn, chosen)
    mine = (yield from read_mine(turn)) if old or chosen.kind in MOVES else []
    if done := _done_already(turn, mine, chosen):
        yield Say(turn.phrase("already_booked", line=done["line"]))
        return
    yield from turn.go("payment" if chosen.kind in MOVES else "sales_closer")
    aimed = _aim_move(turn, mine, chosen) if chosen.kind in MOVES else _aim_booking(turn, chosen)
    if not aimed and chosen.kind in MOVES:
        yield from appointments.gone(turn, mine)
    elif start is None or not aimed:
        yield from scheduling.next_question(turn, turn.phrase("stale_choice"))
    elif chosen.kind in YESES and not old:
        draft_slot(turn, professional_id, start)
        yield from finish(turn)
    else:
        about_age = "old_question" if chosen.kind in YESES else "old_offer"
        yield from confirm(turn, professional_id, start, turn.phrase(about_age) if old else "")


def _is_old(turn: GuidedTurn, chosen: Choice) -> bool:
    """Of a slot: shown before the last offer, or too long ago. Of a yes: not to the question that stands."""
    runtime = turn.runtime
    if chosen.kind in YESES:
        return not runtime.state.stands(str(chosen), runtime.now)
    return chosen.offer is None or chosen.offer != runtime.state.newest_offer(runtime.now)


def _done_already(turn: GuidedTurn, mine: list[dict[str, Any]], chosen: Choice) -> dict[str, Any] | None:
    """The appointment that stands where an old button would put one: the same tap came twice."""
    subject, professional_id, local = chosen.args
    named = "appointment_id" if chosen.kind in MOVES else "service_id"
    return next(
        (
            row
            for row in mine
            if (row[named], row["professional_id"], f"{row['date']}T{row['time']}") == (subject, professional_id, local)
        ),
        None,
    )


def _aim_move(turn: GuidedTurn, mine: list[dict[str, Any]], chosen: Choice) -> bool:
    """Point the draft at moving this appointment; False when the patient has no such appointment any more."""
    found = next((row for row in mine if row["appointment_id"] == chosen.args[0]), None)
    if found is None:
        return False
    if turn.state.goal is not Goal.MOVE or turn.state.appointment_id != found["appointment_id"]:
        turn.state = turn.state.begun(Goal.MOVE, found["appointment_id"])
        turn.state.want_professional(found["professional_id"], found["professional"])
    turn.state.select_service(found["service_id"], found["service"])
    return True


def _aim_booking(turn: GuidedTurn, chosen: Choice) -> bool:
    """Point the draft at booking this service; False when the clinic does not have it any more."""
    service = turn.runtime.clinic.service(chosen.args[0])
    if service is None or not turn.state.in_progress or turn.state.goal is not Goal.BOOK:
        turn.state = turn.state.begun(Goal.BOOK)
    if service is None:
        return False
    turn.state.select_service(service.id, service.name)
    return True


WIDE = timedelta(hours=4)
"""Times that are further apart are a whole day's: "mais cedo" then means its first half."""


def pointed(turn: GuidedTurn, heard: Understanding) -> Dialogue | None:
    """What the words mean for the times that are shown or asked about; None when they point at none."""
    state = turn.state
    if state.goal is Goal.CANCEL or heard.says_when or heard.services:
        return None
    times = shown_times(turn)
    if heard.professional and len({start for start, _ in times}) == 1:
        with_them = [chosen for _, chosen in times if chosen.args[1] == heard.professional.id]
        return choose_slot(turn, with_them[0]) if with_them else None
    if (when := hour_alone(heard.said, turn.vocabulary, turn.runtime.now)) is not None and when.time:
        within = [(start.minute, chosen) for start, chosen in times if start.hour == when.time.hour]
        at = [chosen for minute, chosen in within if minute == 0] or ([within[0][1]] if len(within) == 1 else [])
        if at:
            return choose_slot(turn, at[0])
        return scheduling.proceed(turn, replace(heard, when=when)) if times or chosen_start(turn) else None
    if heard.wants("nearest") and times:
        return choose_slot(turn, _nearest(turn, times))
    if heard.wants("earliest", "any_time") and times:
        return choose_slot(turn, times[0][1])
    if heard.wants("latest") and times:
        return choose_slot(turn, times[-1][1])
    if heard.wants("any_time") and state.state is SchedulingState.SELECTING_DATE:
        return scheduling.offer(turn)
    chosen = chosen_start(turn) if state.state is SchedulingState.CONFIRMING else None
    starts = [chosen] if chosen else [start for start, _ in times]
    if heard.wants("earlier", "later_time") and starts:
        return _shifted(turn, starts, earlier=heard.wants("earlier"))
    points = heard.wants("this_one") and not heard.wants("other_day", "other_time")
    return this_one(turn) if points and times else None


def _nearest(turn: GuidedTurn, times: list[tuple[datetime, Choice]]) -> Choice:
    """To the day and the hour that were asked for, as far as they were."""
    asked_days, hour = turn.state.missed or turn.state.wanted_days, turn.state.hour

    def distance(shown: tuple[datetime, Choice]) -> tuple[timedelta, timedelta]:
        start, _ = shown
        day = date.fromisoformat(asked_days.partition("/")[0]) if asked_days else start.date()
        at = datetime.combine(start.date(), time.fromisoformat(hour), start.tzinfo) if hour else start
        return abs(start.date() - day), abs(start - at)

    return min(times, key=distance)[1]


def this_one(turn: GuidedTurn) -> Dialogue:
    """ "Esse", "sim": the only time that is shown; of several times, days, services or professionals it is asked
    which."""
    times, shown = shown_times(turn), [option["id"] for option in turn.state.shown]
    of_kind: dict[Kind, list[str]] = {}
    for chosen in filter(None, map(parse_choice, shown)):
        of_kind.setdefault(chosen.kind, []).append(str(chosen))
    if len(times) == 1:
        yield from choose_slot(turn, times[0][1])
    elif times and len({start for start, _ in times}) == 1:
        yield from turn.ask(turn.phrase("ask_professional"), [str(chosen) for _, chosen in times])
    elif Kind.PROFESSIONAL in of_kind:
        yield from scheduling.ask_professional(turn)
    elif len(services := of_kind.get(Kind.SERVICE, [])) > 1:
        yield from scheduling.ask_service(turn, [id_.partition("|")[2] for id_ in services])
    elif of_kind.get(Kind.DAY) == shown != []:
        yield from turn.ask(turn.phrase("which_day"), shown)
    else:
        yield from scheduling.resume(turn, turn.phrase("which_time") if times else "")


def _shifted(turn: GuidedTurn, starts: list[datetime], *, earlier: bool) -> Dialogue:
    """Times before the earliest of these, or after the latest."""
    state, clocks = turn.state, sorted(timedelta(hours=start.hour, minutes=start.minute) for start in starts)
    middle = (clocks[0] + clocks[-1]) / 2 if clocks[-1] - clocks[0] > WIDE else None
    edge = middle or (clocks[0] if earlier else clocks[-1] + timedelta(minutes=1))
    minutes = int(edge.total_seconds()) // 60
    clock = f"{minutes // 60:02d}:{minutes % 60:02d}"
    state.select_date(None, None, None if earlier else clock, clock if earlier else None)
    if state.selected_date is None and len({start.date() for start in starts}) == 1:
        state.selected_date = starts[0].date().isoformat()
    yield from turn.go_to_scheduler()
    yield from scheduling.offer(turn)
