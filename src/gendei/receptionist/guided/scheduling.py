"""Finding a time: service, professional, day, slot. The same way for a new booking and for a move."""

from collections.abc import Collection, Generator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from gendei.booking.dates import Resolution
from gendei.booking.slots import Slot
from gendei.receptionist.guided.confirming import chosen_start, confirm
from gendei.receptionist.guided.draft_update import select_what, select_when, select_who
from gendei.receptionist.guided.guided_turn import Action, Dialogue, Result, Talk, joined
from gendei.receptionist.guided.own_appointments import already_booked, booked, mine, same_as_draft
from gendei.receptionist.guided.times import show_nearest, show_times, show_with_others, slots_of
from gendei.receptionist.offers.choices import ANY_PROFESSIONAL, Kind, choice, day_from, parse_choice
from gendei.receptionist.offers.slot_options import slot_choice, spread
from gendei.receptionist.state import Goal, SchedulingState
from gendei.receptionist.understanding.patient_message import Understanding

OTHERS_SHOWN, OWN_BESIDE = 5, 3
"""How many times with others are shown for a move, and how many of its own professional's beside them."""
DAYS_LISTED = 5
"""From so many days on a question for the day leaves it open."""
BESIDE_HOURS = 2
"""How far from one's own appointment "depois da minha" is looked."""
NEXT_TIMES = "próximos"
"""What get_available_slots takes for "the next free times, whatever the day"."""


def book(talk: Talk, heard: Understanding, lead: str = "") -> Dialogue:
    """Begin or go on with a booking, with whatever this message told. `lead`: text to say first."""
    if not talk.state.in_progress or talk.state.goal is not Goal.BOOK:
        about = talk.runtime.clinic.service(talk.state.about or "")
        for_other, professional = (
            talk.state.about_other,
            talk.runtime.clinic.professional(talk.state.about_professional or ""),
        )
        talk.state = talk.state.begun(Goal.BOOK)
        if professional is not None:
            talk.state.want_professional(professional.id, professional.name)
        talk.state.awaiting_name = for_other
        if about is not None and not heard.services and not heard.unknown_service:
            talk.state.select_service(about.id, about.name)
    yield from talk.go("sales_closer")
    yield from proceed(talk, heard, lead)


def proceed(talk: Talk, heard: Understanding, lead: str = "") -> Dialogue:
    """Take in what was heard and ask what is missing."""
    before = talk.state.facts
    if heard.wants("after_mine", "before_mine"):
        yield from _beside_own(talk, heard)
    problem = take_in(talk, heard)
    if problem is not None:
        yield from problem
        return
    if heard.then:
        lead = joined(lead, talk.phrase("one_by_one"))
    elif talk.state.state is SchedulingState.SELECTING_SERVICE and before != talk.state.facts:
        lead = joined(lead, talk.phrase("noted")) if talk.state.selected_service_id is None else lead
    yield from next_question(talk, lead)


def _beside_own(talk: Talk, heard: Understanding) -> Dialogue:
    """Just before or after the speaker's own appointment: the one that was booked last, or the next to come."""
    state, agent, own = talk.state, talk.agent, talk.state.last
    if own.get("date", "") < talk.runtime.now.date().isoformat():
        found = yield from mine(talk)
        yield from talk.go(agent)
        if not found:
            return
        own = booked(talk, found[0]["service_id"], found[0]["date"], found[0]["time"])
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


def take_in(talk: Talk, heard: Understanding) -> Dialogue | None:
    """Write what was heard into the draft. Returns the question to ask at once when it cannot be used as it is."""
    state, today = talk.state, talk.runtime.now.date()
    select_what(state, heard)
    select_who(state, heard, talk.runtime.user_name)
    if heard.unknown_service and heard.wants("book") and state.goal is Goal.BOOK:
        talk.state = state.begun(Goal.BOOK)
        if heard.when is not None:
            select_when(talk.state, heard, heard.when, today)
        return ask_service(talk, [one.id for one in talk.runtime.clinic.services], talk.phrase("service_not_found"))
    if len(heard.services) > 1 and state.selected_service_id not in {one.id for one in heard.services}:
        return ask_service(talk, [one.id for one in heard.services])
    when = heard.when or (Resolution() if heard.has_booking_facts and _days_asked(talk) else None)
    return _take_in_when(talk, heard, when, today) if when is not None else None


def _take_in_when(talk: Talk, heard: Understanding, when: Resolution, today: date) -> Dialogue | None:
    if when.date is None and (asked := _days_asked(talk)):
        when = _any_of(replace(when, alternatives=asked))  # something else was said, and no matter which day
    else:
        when = _any_of(when) if when.alternatives and heard.lists_days else _on_open_days(talk, when)
    if when.past or when.impossible:
        talk.state.selected_time = None
        return _refuse_date(talk, "refusal_past" if when.past else "refusal_impossible")
    if len(when.alternatives) > 1:
        days = [choice(Kind.DAY, one.isoformat()) for one in when.alternatives]
        select_when(talk.state, heard, replace(when, date=None, alternatives=()), today)
        talk.state.state = SchedulingState.SELECTING_DATE
        return talk.ask(talk.phrase("which_day"), days)
    select_when(talk.state, heard, when, today)
    return None


def _days_asked(talk: Talk) -> tuple[date, ...]:
    """The few days between which the last message asked to choose."""
    shown = [parse_choice(option["id"]) for option in talk.state.shown]
    days = [day for one in shown if one and one.kind is Kind.DAY and (day := day_from(one.args[0]))]
    return tuple(days) if 1 < len(days) == len(shown) < DAYS_LISTED else ()


def _on_open_days(talk: Talk, when: Resolution) -> Resolution:
    """Of the days that could be meant the one on which the clinic works, where there is but one such."""
    clinic = talk.runtime.clinic
    works = [day for day in when.alternatives if day not in clinic.closed and clinic.hours.get(day.weekday())]
    return when if len(works) != 1 else replace(when, date=works[0], alternatives=())


def _any_of(when: Resolution) -> Resolution:
    """Any of the days: from the first to the last of them, those between left out."""
    first, last = min(when.alternatives), max(when.alternatives)
    between = (first + timedelta(days=ahead) for ahead in range((last - first).days))
    others = tuple(day for day in between if day not in when.alternatives)
    return replace(when, date=first, end_date=last, excluded=(*when.excluded, *others), alternatives=())


def next_question(talk: Talk, lead: str = "", *, again: bool = False) -> Dialogue:
    """Ask for the first thing that is missing; offer times when enough is known. again: as `offer` has it."""
    state, clinic = talk.state, talk.runtime.clinic
    if state.selected_service_id is None:
        wanted = clinic.professional(state.selected_professional_id or "") if state.professional_wanted else None
        offered = [one for one in clinic.services if wanted is None or one.id in wanted.service_ids]
        if len(offered) != 1:
            yield from ask_service(talk, [one.id for one in offered], lead)
            return
        state.select_service(offered[0].id, offered[0].name)
    yield from offer(talk, lead, again=again)


def ask_service(talk: Talk, service_ids: Sequence[str], lead: str = "") -> Dialogue:
    talk.state.state = SchedulingState.SELECTING_SERVICE
    choices = [choice(Kind.SERVICE, one) for one in service_ids]
    text = joined(lead, talk.phrase("ask_service"))
    if len(choices) > 10:
        names = [service.name for one in service_ids if (service := talk.runtime.clinic.service(one))]
        text = joined(text, "\n".join(f"• {name}" for name in names))
        choices = []
    yield from talk.ask(text, choices, "list_label_services")


def offer_others(talk: Talk) -> Dialogue:
    """Times of the same days that were not in the last message, where there are such."""
    talk.state.select_date(None, None, None, None)
    yield from offer(talk, beyond={option["id"].rpartition("|")[0] for option in talk.state.shown})


def offer(talk: Talk, lead: str = "", beyond: Collection[str] = (), *, again: bool = False) -> Dialogue:
    """Look for free times for the draft and show them; a single time that fits exactly goes straight to the yes.
    beyond: choices, without their offer, that are not to be shown again. again: why there is nothing at the wished
    time was said before."""
    state = talk.state
    state.state = SchedulingState.SELECTING_TIME
    wanted = state.selected_date
    found = yield from talk.call(
        "get_available_slots",
        service_id=state.selected_service_id,
        date=f"{wanted}/{state.selected_until}" if wanted and state.selected_until else wanted or NEXT_TIMES,
        professional_id=state.selected_professional_id if state.professional_wanted else None,
        time_from=state.selected_time or state.time_from,
        time_to=state.selected_time or state.time_to,
    )
    data = found.get("data") or {}
    nearest = slots_of(talk, data.get("nearest", ()))
    if data.get("reason") == "not_offered" and state.professional_wanted:
        state.want_professional(None, None)
        yield from offer(talk, joined(lead, str(found["error"])))
        return
    if not found["success"]:
        yield from show_nearest(talk, joined(lead, str(found["error"])), nearest)
        return
    slots = [one for one in slots_of(talk, data["slots"]) if one.start.date().isoformat() not in state.excluded]
    if slots and state.pick:
        one = slots[0 if state.pick == "first" else -1]
        yield from confirm(talk, one.professional_id, one.start, lead)
    elif state.selected_time and slots and (len(slots) == 1 or _all_shown(talk, slots)):
        yield from confirm(talk, slots[0].professional_id, slots[0].start, lead)
    elif slots:
        others = [one for one, id_ in zip(slots, _without_offer(talk, slots), strict=True) if id_ not in beyond]
        yield from show_times(talk, others or slots, lead)
    elif standing := (yield from same_as_draft(talk)):
        yield from already_booked(talk, standing)
    elif others := (yield from _with_others(talk)):
        yield from show_with_others(talk, joined(lead, _others_have(talk, data)), [*others, *nearest[:OWN_BESIDE]])
        state.want_professional(None, None)
    else:
        if data.get("reason") != "time":
            state.selected_date = state.selected_until = None  # an hour that is said next is one of another day
        why = str(data.get("reason_text") or talk.phrase("refusal_range"))
        yield from show_nearest(talk, lead if again and lead else joined(lead, why), nearest)


def _with_others(talk: Talk) -> Generator[Action, Result, list[Slot]]:
    """Times just as wished with somebody else of the team, for a move whose own professional has none."""
    state = talk.state
    able = talk.runtime.clinic.professionals_for(state.selected_service_id or "")
    if state.goal is not Goal.MOVE or not state.professional_wanted or len(able) < 2 or not state.selected_date:
        return []
    until = f"/{state.selected_until}" if state.selected_until else ""
    found = yield from talk.call(
        "get_available_slots",
        service_id=state.selected_service_id,
        date=state.selected_date + until,
        professional_id=None,
        time_from=state.selected_time or state.time_from,
        time_to=state.selected_time or state.time_to,
    )
    slots = slots_of(talk, (found.get("data") or {}).get("slots", ()))
    return spread([one for one in slots if one.start.date().isoformat() not in state.excluded], OTHERS_SHOWN)


def _others_have(talk: Talk, data: Mapping[str, Any]) -> str:
    """Why not with the professional of the appointment, and that there are times with others."""
    name = talk.state.selected_professional_name or ""
    why = str(data.get("reason_text") or talk.phrase("refusal_range"))
    return joined(why, talk.phrase("others_have", professional_name=name), " ")


def _all_shown(talk: Talk, slots: Sequence[Slot]) -> bool:
    """Whether just these were shown last: who says the hour again does not mind with whom."""
    return {option["id"].rpartition("|")[0] for option in talk.state.shown} == set(_without_offer(talk, slots))


def _without_offer(talk: Talk, slots: Sequence[Slot]) -> list[str]:
    service = talk.state.selected_service_id or ""
    return [slot_choice(one, service, talk.runtime).rpartition("|")[0] for one in slots]


def ask_day(talk: Talk, lead: str = "") -> Dialogue:
    """The next days that have free times, to tap; any other may be typed."""
    state = talk.state
    state.state = SchedulingState.SELECTING_DATE
    state.selected_date = state.selected_until = state.selected_time = None
    days: list[str] = []
    while not days:
        found = yield from talk.call(
            "get_available_slots",
            service_id=state.selected_service_id,
            date=NEXT_TIMES,
            professional_id=state.selected_professional_id if state.professional_wanted else None,
            time_from=state.time_from,
            time_to=state.time_to,
        )
        days = list(dict.fromkeys(one["date"] for one in (found.get("data") or {}).get("slots", ())))
        if state.time_from is state.time_to is None:
            break
        if not days:
            state.time_from = state.time_to = None  # nothing at these hours: any day is better than none
    text = joined(lead, talk.phrase("ask_day"))
    yield from talk.ask(text, [choice(Kind.DAY, one) for one in days[:9]], "list_label_days")


def choose_day(talk: Talk, day: date, lead: str = "") -> Dialogue:
    state = talk.state
    state.selected_date, state.selected_until = day.isoformat(), None
    yield from next_question(talk, lead)


def ask_professional(talk: Talk) -> Dialogue:
    talk.state.state = SchedulingState.SELECTING_PROFESSIONAL
    able = talk.runtime.clinic.professionals_for(talk.state.selected_service_id or "")
    choices = [choice(Kind.PROFESSIONAL, one.id) for one in able[:9]]
    choices.append(choice(Kind.PROFESSIONAL, ANY_PROFESSIONAL))
    yield from talk.ask(talk.phrase("ask_professional"), choices, "list_label_professionals")


def resume(talk: Talk, lead: str = "") -> Dialogue:
    """Back to the open question, after an answer to something else."""
    state = talk.state
    yield from talk.go("payment" if state.goal is Goal.MOVE else "sales_closer")
    start = chosen_start(talk)
    if state.state is SchedulingState.CONFIRMING and start and state.selected_professional_id:
        yield from confirm(talk, state.selected_professional_id, start, lead)
    elif state.state is SchedulingState.SELECTING_DATE:
        yield from ask_day(talk, lead)
    else:
        yield from next_question(talk, lead, again=True)


def _refuse_date(talk: Talk, key: str) -> Dialogue:
    if talk.state.selected_service_id is None:
        return ask_service(talk, [one.id for one in talk.runtime.clinic.services], talk.phrase(key))
    return ask_day(talk, talk.phrase(key))
