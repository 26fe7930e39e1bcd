"""Dates and times as a model passes them to a tool: ISO, or the patient's own words; resolved here, never by it."""

from dataclasses import replace
from datetime import date, datetime, time, timedelta

from gendei.booking.dates import resolve
from gendei.booking.time_wish import TimeWish
from gendei.receptionist.offers.rendering import WEEKDAYS
from gendei.receptionist.runtime import Declined, Runtime
from gendei.receptionist.tools.refusals import ToolRefusal

NEXT_TIMES = "próximos"
OPEN_END = timedelta(days=13)
"""How far "a partir de quinta" is looked after."""


def wish_of(text: str, time_from: str | None, time_to: str | None, runtime: Runtime) -> TimeWish:
    """What `date`, `time_from` and `time_to` of get_available_slots ask for, without the days that the draft rules out
    unless such a day is asked for by itself. Raises Declined."""
    wish = _named(text, time_from, time_to, runtime)
    ruled_out = {date.fromisoformat(day) for day in runtime.state.excluded}
    if wish.days == 1:
        ruled_out.discard(wish.first)
    hours = (tuple(map(time.fromisoformat, span.split("-"))) for span in runtime.state.busy)
    busy = (*wish.busy, *((first, last) for first, last in hours)) if wish.at is None else ()
    return replace(wish, excluded=(*wish.excluded, *sorted(ruled_out)), busy=busy)


def _named(text: str, time_from: str | None, time_to: str | None, runtime: Runtime) -> TimeWish:
    hours = [clock_of(hour, runtime).replace(tzinfo=None) if hour else None for hour in (time_from, time_to)]
    at = hours[0] if hours[0] and hours[0] == hours[1] else None
    bounds = (None, None) if at else (hours[0], hours[1])
    today = runtime.now.date()
    if text.strip().lower() in {NEXT_TIMES, "proximos", ""}:
        return TimeWish(today, today + OPEN_END, at, *bounds, any_day=True)
    if "/" in text and (interval := _interval(text)):
        return TimeWish(*interval, at, *bounds)
    found = resolve(text, runtime.now)
    if found is None or found.impossible or (found.date is None and found.time is None and found.time_from is None):
        raise Declined(ToolRefusal.DATE_UNCLEAR, runtime.say("date_not_understood"))
    if len(found.alternatives) > 1:
        days = " / ".join(f"{WEEKDAYS[day.weekday()]} {day.isoformat()}" for day in found.alternatives)
        raise Declined(ToolRefusal.DATE_AMBIGUOUS, runtime.say("date_ambiguous", days=days))
    first = found.over or found.date or today
    last = first + OPEN_END if found.open_end or found.date is None else found.end_date
    return TimeWish(
        first,
        last if last and not found.over else first,
        at or found.time,
        bounds[0] or found.time_from,
        bounds[1] or found.time_to,
        found.excluded,
        any_day=found.date is None,
        busy=found.busy,
    )


def start_of(day_text: str, time_text: str, runtime: Runtime) -> datetime:
    """The aware start that a date and a time name, in the clinic's zone. Raises Declined."""
    wish = wish_of(day_text, None, None, runtime)
    if wish.days != 1:
        raise Declined(ToolRefusal.DATE_UNCLEAR, runtime.say("date_not_understood"))
    clock, zone = clock_of(time_text, runtime), runtime.clinic.timezone
    if clock.tzinfo is not None:
        return datetime.combine(wish.first, clock).astimezone(zone)
    return datetime.combine(wish.first, clock, zone)


def clock_of(text: str, runtime: Runtime) -> time:
    """ "14:30" or the patient's words as a local time; one with an offset ("01:30-05:00") has it still. Raises
    Declined."""
    try:
        return time.fromisoformat(text.strip())
    except ValueError:
        found = resolve(text, runtime.now)
        if found is None or found.time is None:
            raise Declined(ToolRefusal.DATE_UNCLEAR, runtime.say("date_not_understood")) from None
        return found.time


def _interval(text: str) -> tuple[date, date] | None:
    """ "2026-11-23/2026-11-27" as two days, both inclusive."""
    first, _, last = text.partition("/")
    try:
        days = date.fromisoformat(first.strip()), date.fromisoformat(last.strip())
    except ValueError:
        return None
    return days if days[0] <= days[1] else None
