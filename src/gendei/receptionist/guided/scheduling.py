"""Finding a time: service, professional, day, slot. The same way for a new booking and for a move."""

from collections.abc import Collection, Generator, Mapping, Sequence
from dataclasses import replace
from datetime import date, time, timedelta
from typing import Any

from gendei.booking.dates import Resolution
from gendei.booking.slots import GivesWay, NoSlots, Slot
from gendei.booking.time_wish import TimeWish
from gendei.clinic import Service
from gendei.receptionist.capabilities import plans
from gendei.receptionist.guided import information
from gendei.receptionist.guided.confirming import chosen_start, confirm
from gendei.receptionist.guided.draft_update import beside_draft, select_what, select_when, select_who
from gendei.receptionist.guided.guided_turn import CALL_PERSON, Action, Dialogue, GuidedTurn, Result, joined
from gendei.receptionist.guided.own_appointments import already_booked, booked, mine, same_as_draft
from gendei.receptionist.guided.times import hours_asked, show_nearest, show_times, shown_times, slots_of
from gendei.receptionist.offers.choices import ANY_PROFESSIONAL, Kind, choice, day_from, parse_choice
from gendei.receptionist.offers.reasons import reason_text
from gendei.receptionist.offers.rendering import capital
from gendei.receptionist.offers.slot_options import slot_choice
from gendei.receptionist.state import Goal, SchedulingAgentState, SchedulingState
from gendei.receptionist.understanding.patient_message import Understanding

DAYS_LISTED = 5
"""From so many days on a question for the day leaves it open."""
BESIDE_HOURS = 2
"""How far from one's own appointment "depois da minha" is looked."""
NEXT_TIMES = "próximos"
"""What get_available_slots takes for "the next free times, whatever the day"."""


def book(turn: GuidedTurn, heard: Understanding, lead: str = "") -> Dialogue:
    """Begin or go on with a booking, with whatever this message told. `lead`: text to say first."""
    if not turn.state.in_progress or turn.state.goal is not Goal.BOOK:
        about = turn.runtime.clinic.service(turn.state.about or "")
        professional = turn.runtime.clinic.professional(turn.state.about_professional or "")
        for_other = turn.state.about_other
        turn.state = turn.state.begun(Goal.BOOK)
        if professional is not None:
            turn.state.want_professional(professional.id, professional.name)
        turn.state.awaiting_name = for_other
        if about is not None and not heard.services and not heard.unknown_service:
            turn.state.select_service(about.id, about.name)
    yield from turn.go("sales_closer")
    yield from proceed(turn, heard, lead)


def proceed(turn: GuidedTurn, heard: Understanding, lead: str = "") -> Dialogue:
    """Take in what was heard and ask what is missing."""
    before = turn.state.facts
    if heard.wants("after_mine", "before_mine"):
        yield from _beside_own(turn, heard)
    problem = take_in(turn, heard, lead)
    if heard.plans.other and turn.state.goal is Goal.BOOK and not turn.state.plan_told:
        yield from plans.unknown(turn, heard.plans.other, lead)
        return
    if problem is None and heard.wants(*information.OF_WHOM) and turn.state.goal is Goal.BOOK:
        problem = _with_whom(turn, heard, lead)
    if problem is not None:
        yield from problem
        return
    if heard.then:
        lead = joined(lead, turn.phrase("one_by_one"))
    elif turn.state.state is SchedulingState.SELECTING_SERVICE and before != turn.state.facts:
        lead = joined(lead, turn.phrase("noted")) if turn.state.selected_service_id is None else lead
    yield from next_question(turn, lead)


def _beside_own(turn: GuidedTurn, heard: Understanding) -> Dialogue:
    """Just before or after the speaker's own appointment: the one that was booked last, or the next to come."""
    state, agent, own = turn.state, turn.agent, turn.state.last
    if own.get("date", "") < turn.runtime.now.date().isoformat():
        found = yield from mine(turn)
        yield from turn.go(agent)
        if not found:
            return
        own = booked(turn, found[0]["service_id"], found[0]["date"], found[0]["time"])
    state.selected_date, state.selected_until = own["date"], None
    state.selected_time = None
    if heard.wants("after_mine"):
        state.time_from, state.time_to = own["end"], _hours_from(own["end"], BESIDE_HOURS)
    else:
        state.time_from, state.time_to = _hours_from(own["time"], -BESIDE_HOURS), own["time"]


def _hours_from(clock: str, hours: int) -> str:
    """ "HH:MM", so many hours later or earlier on the same day."""
    hour, _, minute = clock.partition(":")
    return f"{min(max(int(hour) + hours, 0), 23):02d}:{minute}"


def take_in(turn: GuidedTurn, heard: Understanding, lead: str = "") -> Dialogue | None:
    """Write what was heard into the draft. Returns the question to ask at once, below `lead`, when it cannot be used as
    it is."""
    today = turn.runtime.now.date()
    not_found = heard.unknown_service and heard.wants("book") and turn.state.goal is Goal.BOOK
    if not_found:
        turn.state = turn.state.begun(Goal.BOOK)
    state = turn.state
    select_what(state, heard)
    select_who(state, heard, turn.runtime.user_name)
    if not_found:
        if heard.when is not None:
            select_when(state, heard, heard.when, today)
        return ask_service(
            turn, [service.id for service in _offered(turn)], joined(lead, turn.phrase("service_not_found"))
        )
    if len(heard.services) > 1 and state.selected_service_id not in {service.id for service in heard.services}:
        return ask_service(turn, [service.id for service in heard.services], lead)
    if heard.wants("same_day") and not (heard.when and heard.when.date) and state.last.get("date", "") >= str(today):
        state.selected_date, state.selected_until = state.last["date"], None
    tells_when = heard.wants("same_time") or (heard.has_booking_facts and _days_asked(turn))
    when = heard.when or (Resolution() if tells_when else None)
    return _take_in_when(turn, heard, when, lead) if when is not None else None


def _with_whom(turn: GuidedTurn, heard: Understanding, lead: str) -> Dialogue:
    """On with the only professional who is as wished, or with anybody where all are; else it is asked with whom."""
    clinic, chosen = turn.runtime.clinic, turn.state.selected_service_id
    able = clinic.professionals_for(chosen) if chosen else clinic.professionals
    fits, told = information.fitting(turn, heard, able)
    only = fits[0] if len(fits) == 1 else None
    turn.state.want_professional(only.id if only else None, only.name if only else None)
    if 1 < len(fits) < len(able):
        asked = joined(lead, turn.phrase("ask_professional"))
        return turn.ask(asked, [choice(Kind.PROFESSIONAL, each.id) for each in fits])
    return next_question(turn, joined(lead, told))


def _take_in_when(turn: GuidedTurn, heard: Understanding, when: Resolution, lead: str) -> Dialogue | None:
    today = turn.runtime.now.date()
    when = beside_draft(turn.state, heard, when, today)
    if when.date is None and (asked := _days_asked(turn)):
        when = _any_of(replace(when, alternatives=asked))  # something else was said, and no matter which day
    else:
        when = _any_of(when) if when.alternatives and heard.lists_days else _on_open_days(turn, when)
    if when.past or when.over or when.impossible:
        return _refuse_date(turn, when, lead)
    if when.date is None and not when.alternatives and heard.wants("other_day"):
        _leave_day(turn.state)  # "tem outro dia de tarde?"
    if len(when.alternatives) > 1:
        days = [choice(Kind.DAY, day.isoformat()) for day in when.alternatives]
        select_when(turn.state, heard, replace(when, date=None, alternatives=()), today)
        turn.state.state = SchedulingState.SELECTING_DATE
        return turn.ask(joined(lead, turn.phrase("which_day")), days)
    select_when(turn.state, heard, when, today)
    return None


def _days_asked(turn: GuidedTurn) -> tuple[date, ...]:
    """The few days between which the last message asked to choose."""
    shown = [parse_choice(option["id"]) for option in turn.state.shown]
    days = [day for chosen in shown if chosen and chosen.kind is Kind.DAY and (day := day_from(chosen.args[0]))]
    return tuple(days) if 1 < len(days) == len(shown) < DAYS_LISTED else ()


def _on_open_days(turn: GuidedTurn, when: Resolution) -> Resolution:
    """Of the days that could be meant the one on which the clinic works, where there is but one such."""
    clinic = turn.runtime.clinic
    works = [day for day in when.alternatives if day not in clinic.closed and clinic.hours.get(day.weekday())]
    return when if len(works) != 1 else replace(when, date=works[0], alternatives=())


def _any_of(when: Resolution) -> Resolution:
    """Any of the days: from the first to the last of them, those between left out."""
    first, last = min(when.alternatives), max(when.alternatives)
    between = (first + timedelta(days=ahead) for ahead in range((last - first).days))
    others = tuple(day for day in between if day not in when.alternatives)
    return replace(when, date=first, end_date=last, excluded=(*when.excluded, *others), alternatives=())


def next_question(turn: GuidedTurn, lead: str = "", *, again: bool = False) -> Dialogue:
    """Ask for the first thing that is missing; offer times when enough is known. again: as `offer` has it."""
    state = turn.state
    if state.selected_service_id is None:
        offered = _offered(turn)
        if len(offered) != 1:
            yield from ask_service(turn, [service.id for service in offered], lead)
            return
        state.select_service(offered[0].id, offered[0].name)
    yield from offer(turn, lead, again=again)


def _offered(turn: GuidedTurn) -> list[Service]:
    """Of the clinic's services those of the professional whom the patient wants."""
    state, clinic = turn.state, turn.runtime.clinic
    wanted = clinic.professional(state.selected_professional_id or "") if state.professional_wanted else None
    return [service for service in clinic.services if wanted is None or service.id in wanted.service_ids]


def ask_service(turn: GuidedTurn, service_ids: Sequence[str], lead: str = "") -> Dialogue:
    turn.state.state = SchedulingState.SELECTING_SERVICE
    choices = [choice(Kind.SERVICE, service_id) for service_id in service_ids]
    first = turn.runtime.clinic.service(service_ids[0])
    text = turn.phrase("ask_service", service=first.name if first else "")
    if lead and asked_already(turn, text):  # who told nothing new is called somebody (repetition.py)
        helped = turn.phrase("service_help")
        lead = lead if helped in turn.runtime.said[-1] else joined(lead, helped)
        choices = [CALL_PERSON, *choices]
    text = joined(lead, text)
    if len(choices) > 10:
        names = [service.name for service_id in service_ids if (service := turn.runtime.clinic.service(service_id))]
        text = joined(text, "\n".join(f"• {name}" for name in names))
        choices = []
    yield from turn.ask(text, choices, "list_label_services")


def asked_already(turn: GuidedTurn, question: str) -> bool:
    """Whether both of the last messages ended with this question, in whatever words."""
    wordings = (question, turn.runtime.wordings.get(question, question))
    return len(turn.runtime.said) > 1 and all(said.endswith(wordings) for said in turn.runtime.said)


def offer_others(turn: GuidedTurn) -> Dialogue:
    """Times of the same days that were not in the last message, where there are such."""
    turn.state.select_date(None, None, None, None)
    yield from offer(turn, beyond={option["id"].rpartition("|")[0] for option in turn.state.shown})


def _leave_day(state: SchedulingAgentState) -> None:
    """Any other day than the one so far."""
    if state.selected_date and not state.selected_until:
        state.excluded.append(state.selected_date)
    state.selected_date = state.selected_until = None


def same_hour(turn: GuidedTurn, lead: str = "") -> Dialogue:
    """The hour that was asked for, chosen or shown last, or that part of the day, on other days."""
    state, shown = turn.state, {f"{start:%H:%M}" for start, _ in shown_times(turn)}
    yield from turn.go_to_scheduler()
    state.selected_time = state.hour or (shown.pop() if len(shown) == 1 else None)
    if state.selected_time is state.time_from is state.time_to is None:
        yield from ask_day(turn, lead)
        return
    _leave_day(state)
    yield from offer(turn, lead, why=turn.phrase("no_other_day", hours=capital(hours_asked(turn))))


def offer(
    turn: GuidedTurn, lead: str = "", beyond: Collection[str] = (), *, why: str = "", again: bool = False
) -> Dialogue:
    """Look for free times for the draft and show them; a single time that fits exactly goes straight to the yes.
    beyond: choices, without their offer, that are not to be shown again. why: what to say in place of the reason where
    there is none. again: that was said before."""
    state = turn.state
    wanted = state.selected_professional_id if state.professional_wanted else None
    if (instead := plans.problem(turn, wanted, lead)) is not None:
        yield from instead
        return
    state.state = SchedulingState.SELECTING_TIME
    found = yield from _search(turn, state.wanted_days or NEXT_TIMES)
    data = found.get("data") or {}
    if data.get("reason") == NoSlots.NOT_OFFERED and state.professional_wanted:
        state.want_professional(None, None)
        yield from offer(turn, joined(lead, str(found["error"])))
        return
    if not found["success"]:
        yield from show_nearest(turn, joined(lead, str(found["error"])), slots_of(turn, data.get("nearest", ())))
        return
    slots = slots_of(turn, data["slots"])
    if state.pick == "last":
        slots = list({slot.start.date(): slot for slot in slots}.values())  # of each day
    picked = state.pick == "first" or len(slots) == 1
    if slots and ((state.pick and picked) or (state.selected_time and (picked or _all_shown(turn, slots)))):
        yield from confirm(turn, slots[0].professional_id, slots[0].start, lead)
    elif slots:
        others = [slot for slot, id_ in zip(slots, _without_offer(turn, slots), strict=True) if id_ not in beyond]
        yield from show_times(turn, others or slots, lead)
    elif standing := (yield from same_as_draft(turn)):
        yield from already_booked(turn, standing)
    else:
        again = again and bool(lead)
        why = lead if again else joined(lead, why or data["reason_text"])
        yield from _offer_instead(turn, data["alternatives"], why, again=again)


def _offer_instead(turn: GuidedTurn, near: Sequence[Mapping[str, Any]], why: str, *, again: bool) -> Dialogue:
    """Nothing as it was asked for: why, and what is nearest, with the wish that has to give way for it."""
    state, given = turn.state, {row["gives_way"] for row in near}
    state.missed = state.wanted_days
    if GivesWay.HOURS not in given:
        state.selected_date = state.selected_until = None  # an hour that is said next is one of another day
    if GivesWay.PROFESSIONAL in given and state.goal is Goal.MOVE:
        state.want_professional(None, None)  # only the appointment's own: the patient asked for nobody
    told = "" if again else "\n".join(row["text"] for row in near)
    yield from show_nearest(turn, why, slots_of(turn, [slot for row in near for slot in row["slots"]]), told)


def _search(turn: GuidedTurn, days: str) -> Generator[Action, Result, Result]:
    """Free times for the draft on `days`, as get_available_slots takes them."""
    state = turn.state
    wanted = state.selected_professional_id if state.professional_wanted else None
    result = yield from turn.call(
        "get_available_slots",
        service_id=state.selected_service_id,
        date=days,
        professional_id=wanted,
        time_from=state.selected_time or state.time_from,
        time_to=state.selected_time or state.time_to,
    )
    return result


def _all_shown(turn: GuidedTurn, slots: Sequence[Slot]) -> bool:
    """Whether just these were shown last, of one hour: who says it again does not mind with whom."""
    shown = {option["id"].rpartition("|")[0] for option in turn.state.shown}
    return len({slot.start for slot in slots}) == 1 and shown == set(_without_offer(turn, slots))


def _without_offer(turn: GuidedTurn, slots: Sequence[Slot]) -> list[str]:
    service = turn.state.selected_service_id or ""
    return [slot_choice(slot, service, turn.runtime).rpartition("|")[0] for slot in slots]


def unsure(turn: GuidedTurn, phrase: str = "unsure") -> Dialogue:
    """Who does not know what to book, or wants what there is not, sees what there is, and can ask the team."""
    if not turn.state.in_progress:
        turn.state = turn.state.begun(Goal.BOOK)
    turn.state.state = SchedulingState.SELECTING_SERVICE
    yield from turn.go("sales_closer")
    services = turn.runtime.clinic.services[:9]
    choices = [*(choice(Kind.SERVICE, service.id) for service in services), CALL_PERSON]
    question = turn.phrase("ask_service", service=services[0].name)
    yield from turn.ask(joined(turn.phrase(phrase), question), choices, "list_label_services")


def ask_day(turn: GuidedTurn, lead: str = "") -> Dialogue:
    """The next days that have free times, to tap; any other may be typed."""
    state = turn.state
    state.state = SchedulingState.SELECTING_DATE
    state.selected_date = state.selected_until = state.selected_time = None
    days: list[str] = []
    while not days:
        found = yield from _search(turn, NEXT_TIMES)
        days = list(dict.fromkeys(row["date"] for row in (found.get("data") or {}).get("slots", ())))
        if state.time_from is state.time_to is None:
            break
        if not days:
            state.time_from = state.time_to = None  # nothing at these hours: any day is better than none
    text = joined(lead, turn.phrase("ask_day"))
    yield from turn.ask(text, [choice(Kind.DAY, day) for day in days[:9]], "list_label_days")


def choose_day(turn: GuidedTurn, day: date, lead: str = "") -> Dialogue:
    state = turn.state
    state.selected_date, state.selected_until = day.isoformat(), None
    yield from next_question(turn, lead)


def ask_professional(turn: GuidedTurn) -> Dialogue:
    turn.state.state = SchedulingState.SELECTING_PROFESSIONAL
    able = turn.runtime.clinic.professionals_for(turn.state.selected_service_id or "")
    choices = [choice(Kind.PROFESSIONAL, professional.id) for professional in able[:9]]
    choices.append(choice(Kind.PROFESSIONAL, ANY_PROFESSIONAL))
    yield from turn.ask(turn.phrase("ask_professional"), choices, "list_label_professionals")


def choose_plan(turn: GuidedTurn, key: str, heard: Understanding) -> Dialogue:
    plans.choose(turn, key)
    going_on = turn.state.in_progress and turn.state.goal is Goal.BOOK
    yield from resume(turn) if going_on else book(turn, heard)


def resume(turn: GuidedTurn, lead: str = "") -> Dialogue:
    """Back to the open question, after an answer to something else."""
    state = turn.state
    yield from turn.go_to_scheduler()
    start = chosen_start(turn)
    if state.state is SchedulingState.CONFIRMING and start and state.selected_professional_id:
        yield from confirm(turn, state.selected_professional_id, start, lead)
    elif state.state is SchedulingState.SELECTING_DATE:
        yield from ask_day(turn, lead)
    else:
        yield from next_question(turn, lead, again=True)


def _refuse_date(turn: GuidedTurn, when: Resolution, lead: str) -> Dialogue:
    """What was asked for does not exist, or lies behind: say so and ask for a day, for the same part of it."""
    state, first = turn.state, when.over or when.date
    state.select_date(None, None, _clock(when.time_from), _clock(when.time_to))
    if when.impossible:
        why = turn.phrase("refusal_impossible")
    else:
        last = first if when.over else when.end_date or first
        wish = TimeWish(first, last, when.time, when.time_from, when.time_to) if first and last else None
        why = reason_text(NoSlots.PAST, turn.runtime, wish)
    if state.selected_service_id is None:
        return ask_service(turn, [service.id for service in turn.runtime.clinic.services], joined(lead, why))
    return ask_day(turn, joined(lead, why))


def _clock(hour: time | None) -> str | None:
    return f"{hour:%H:%M}" if hour else None
