"""What a message asks for, written into the draft: what, with whom, for whom, when."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, time, timedelta

from gendei.booking.dates import Resolution
from gendei.booking.dates.words import MONTHS, MONTHS_SHORT, WEEKDAY_SHORT, WEEKDAYS
from gendei.receptionist.state import Goal, SchedulingAgentState
from gendei.receptionist.understanding.language import contains
from gendei.receptionist.understanding.patient_message import Understanding

OPEN_END = timedelta(days=13)
"""How far "a partir de quinta" is looked after."""
A_JOURNEY = 3
MOST_BUSY = 12
_MONTHS = frozenset({*MONTHS, *MONTHS_SHORT, "mes"})
_NEXT = "seguinte|posterior"
WEEK = 7
_WEEKDAYS = frozenset({*WEEKDAYS, *WEEKDAY_SHORT} - {"ter"})


def select_what(state: SchedulingAgentState, heard: Understanding) -> None:
    """The service, and the professional who is to do it."""
    of_whom = state.selected_service_id and heard.wants("with_woman", "with_man")  # "um médico homem" is no service
    if heard.service and state.goal is Goal.BOOK and not of_whom:
        state.select_service(heard.service.id, heard.service.name)
    if heard.professional:
        state.want_professional(heard.professional.id, heard.professional.name)
    elif heard.wants("any_professional"):
        state.want_professional(None, None)


def select_who(state: SchedulingAgentState, heard: Understanding, user_name: str | None) -> None:
    """Who comes, and what else is to be booked after this."""
    if state.goal is not Goal.BOOK:
        return
    if heard.then:
        before = [] if heard.services else state.then  # who names the first anew tells all of them
        state.then = [*before, *(wish.stored() for wish in heard.then)]
    if heard.name:
        state.patient_name, state.awaiting_name = heard.name, False
    elif heard.wants("myself"):
        state.patient_name, state.awaiting_name = user_name, False
    elif heard.wants("someone_else"):
        state.patient_name, state.awaiting_name = None, True


def select_when(state: SchedulingAgentState, heard: Understanding, when: Resolution, today: date) -> None:
    """Take in the day, the hours, or both. "Saio às 15h" asks for the hours from then on, not for that one. A part of
    the day that was asked for stands for another day too, until other hours are said."""
    kept = state.selected_time if when.date is not None and _within(state, when.date) else None
    if when.date is not None:
        last = when.end_date or (when.date + OPEN_END if when.open_end else None)
        state.selected_date = when.date.isoformat()
        state.selected_until = last.isoformat() if last else None
    if when.excluded or (when.date is not None and when.end_date is None and not when.open_end):
        is_range = when.end_date is not None or when.open_end
        wanted = {day.isoformat() for day in when.days if not is_range}
        state.excluded = sorted({*state.excluded, *_ruled_out(when.excluded, heard.said, today)} - wanted)
        if state.selected_date in state.excluded and state.selected_until is None:
            state.select_date(None, None, None, None)
            state.selected_date = None
    spans = (f"{first:%H:%M}-{last:%H:%M}" for first, last in when.busy)
    state.busy = list(dict.fromkeys([*state.busy, *spans]))[-MOST_BUSY:]
    clock, earliest, latest = when.time, when.time_from, when.time_to
    if clock is not None and heard.wants("free_from"):
        clock, earliest = None, clock
    elif clock is not None and heard.wants("free_until"):
        clock, latest = None, clock
    elif latest is not None and earliest is None and heard.wants("free_from"):
        earliest, latest = latest, None
    if heard.wants("same_time") and clock is None and (same := state.hour or state.last.get("time")):
        clock = time.fromisoformat(same)
    if clock or earliest or latest or when.slot or when.date is not None:
        bounded = bool(earliest or latest or when.slot)
        state.selected_time = f"{clock:%H:%M}" if clock else None if bounded else kept
        picks = "last" if heard.wants("latest") else "first" if heard.wants("earliest") else None
        state.pick = when.slot or (picks if bounded and when.date is None else None)
    if clock or earliest or latest or when.slot:
        state.time_from = f"{earliest:%H:%M}" if earliest and not clock else None
        state.time_to = f"{latest:%H:%M}" if latest and not clock else None
        state.hour = state.selected_time


def _within(state: SchedulingAgentState, day: date) -> bool:
    """Whether it is one of the several days that were asked for, so that the hour stands."""
    first, last = state.selected_date, state.selected_until
    return first is not None and last is not None and first <= day.isoformat() <= last


def beside_draft(state: SchedulingAgentState, heard: Understanding, when: Resolution, today: date) -> Resolution:
    """What was said of a day, by the days that were asked for before."""
    return _behind_that(state, heard, _of_the_month(state, heard, _of_the_week(state, heard, when)), today)


def _of_the_week(state: SchedulingAgentState, heard: Understanding, when: Resolution) -> Resolution:
    """A weekday that is said alone after "semana que vem" is one of that week."""
    if not state.selected_date or not state.selected_until or when.date is None or when.end_date:
        return when
    if _WEEKDAYS.isdisjoint(heard.said) or any(word.isdigit() for word in heard.said):
        return when
    first, last = date.fromisoformat(state.selected_date), date.fromisoformat(state.selected_until)
    meant = [first + timedelta(days=(day.weekday() - first.weekday()) % 7) for day in when.alternatives or (when.date,)]
    if max(meant) > last:
        return when
    return replace(when, date=min(meant), alternatives=tuple(sorted(meant)) if when.alternatives else ())


def _of_the_month(state: SchedulingAgentState, heard: Understanding, when: Resolution) -> Resolution:
    """A day that is said by its number alone after one of a later month is one of that month ("24/12", "e dia 26?")."""
    day = when.date
    if not state.selected_date or day is None or when.end_date or when.alternatives or not _is_number(day, heard.said):
        return when
    before = date.fromisoformat(state.selected_date)
    if (before.year, before.month) <= (day.year, day.month):
        return when
    try:
        return replace(when, date=day.replace(year=before.year, month=before.month), over=None)
    except ValueError:
        return when


def _behind_that(state: SchedulingAgentState, heard: Understanding, when: Resolution, today: date) -> Resolution:
    asked = state.selected_until or state.selected_date or state.stands_on
    return behind_day(date.fromisoformat(asked), heard, when, today) if asked else when


def behind_day(before: date, heard: Understanding, when: Resolution, today: date) -> Resolution:
    """ "No dia seguinte", "na semana seguinte": behind the day that it was about before, and not behind today."""
    of_today = when.date == today + timedelta(days=1) and "hoje" not in heard.said
    if of_today and contains(heard.said, ("dia", _NEXT)):
        return replace(when, date=before + timedelta(days=1))
    if when.end_date and contains(heard.said, ("semana", _NEXT)):
        monday = before + timedelta(days=WEEK - before.weekday())
        return replace(when, date=monday, end_date=monday + timedelta(days=WEEK - 1), alternatives=())
    return when


def _is_number(day: date, said: Sequence[str]) -> bool:
    """Whether the day was named by its number, and its month was not."""
    places = [place for place, word in enumerate(said) if word == str(day.day)]
    behind = [said[place + 1 : place + 3] for place in places]
    month_follows = any(word in _MONTHS for words in behind for word in words)
    return bool(places) and not month_follows and not any(words[:1] and words[0].isdigit() for words in behind)


def _ruled_out(days: Sequence[date], said: Sequence[str], today: date) -> list[str]:
    """The ISO dates of `days`. A weekday that is ruled out by its name is so in every week that is searched; days one
    after the other are those days alone ("viajo de quarta a sexta")."""
    in_a_row = len(days) >= A_JOURNEY and max(days) - min(days) == timedelta(days=len(days) - 1)
    if days and not in_a_row and not _WEEKDAYS.isdisjoint(said):
        weekdays = {day.weekday() for day in days}
        window = (today + timedelta(days=ahead) for ahead in range(OPEN_END.days + 1))
        days = sorted({*days, *(day for day in window if day.weekday() in weekdays)})
    return [day.isoformat() for day in days]
