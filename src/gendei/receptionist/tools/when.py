"""Dates and times as a model passes them to a tool: ISO, or the patient's own words; resolved here, never by it."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from gendei.booking.dates import resolve
from gendei.receptionist.offers.rendering import WEEKDAYS
from gendei.receptionist.runtime import Declined, Runtime
from gendei.receptionist.tools.refusals import ToolRefusal

NEXT_TIMES = "próximos"
MAX_DAYS = 14


@dataclass(frozen=True, slots=True)
class Wanted:
    """The days [first, last] and the local hours that were asked for. `at`: an exact start."""

    first: date
    last: date
    at: time | None = None
    time_from: time | None = None
    time_to: time | None = None
    excluded: tuple[date, ...] = ()

    @property
    def days(self) -> int:
        return (self.last - self.first).days + 1

    def fits(self, start: datetime) -> bool:
        """Whether a slot's local start is at a time that was asked for."""
        clock = start.time()
        if start.date() in self.excluded or (self.at is not None and clock != self.at):
            return False
        return not ((self.time_from and clock < self.time_from) or (self.time_to and clock >= self.time_to))


def wanted_days(text: str, time_from: str | None, time_to: str | None, runtime: Runtime) -> Wanted:
    """What `date`, `time_from` and `time_to` of get_available_slots ask for. Raises Declined."""
    hours = [clock_of(hour, runtime).replace(tzinfo=None) if hour else None for hour in (time_from, time_to)]
    at = hours[0] if hours[0] and hours[0] == hours[1] else None
    bounds = (None, None) if at else (hours[0], hours[1])
    today = runtime.now.date()
    if text.strip().lower() in {NEXT_TIMES, "proximos", ""}:
        return Wanted(today, today + timedelta(days=MAX_DAYS - 1), at, *bounds)
    if "/" in text and (interval := _interval(text)):
        return Wanted(interval[0], min(interval[1], interval[0] + timedelta(days=MAX_DAYS - 1)), at, *bounds)
    found = resolve(text, runtime.now)
    if found is None or found.impossible or (found.date is None and found.time is None and found.time_from is None):
        raise Declined(ToolRefusal.DATE_UNCLEAR, runtime.say("date_not_understood"))
    if len(found.alternatives) > 1:
        days = " / ".join(f"{WEEKDAYS[day.weekday()]} {day.isoformat()}" for day in found.alternatives)
        raise Declined(ToolRefusal.DATE_AMBIGUOUS, runtime.say("date_ambiguous", days=days))
    first = found.date or today
    last = found.end_date or (first + timedelta(days=MAX_DAYS - 1) if found.open_end else first)
    return Wanted(
        first,
        min(last, first + timedelta(days=MAX_DAYS - 1)),
        at or found.time,
        bounds[0] or found.time_from,
        bounds[1] or found.time_to,
        found.excluded,
    )


def start_of(day_text: str, time_text: str, runtime: Runtime) -> datetime:
    """The aware start that a date and a time name, in the clinic's zone. Raises Declined."""
    wanted = wanted_days(day_text, None, None, runtime)
    if wanted.days != 1:
        raise Declined(ToolRefusal.DATE_UNCLEAR, runtime.say("date_not_understood"))
    clock, zone = clock_of(time_text, runtime), runtime.clinic.timezone
    if clock.tzinfo is not None:
        return datetime.combine(wanted.first, clock).astimezone(zone)
    return datetime.combine(wanted.first, clock, zone)


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
