"""Calendar arithmetic: weeks from Monday to Sunday, months, and the holidays of Brazil."""

from calendar import monthrange
from collections.abc import Iterator
from datetime import MAXYEAR, MINYEAR, date, timedelta
from functools import lru_cache

from gendei.booking.dates.nodes import Unit
from gendei.booking.dates.words import EASTER_FEASTS, FIXED_FEASTS, PUBLIC_HOLIDAYS, SECOND_SUNDAYS

MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY = range(7)

_SHORT_YEARS_AHEAD = 10
OPTIONAL_HOLIDAYS = frozenset({"carnaval", "corpus christi"})


def easter(year: int) -> date:
    """Easter Sunday of the Gregorian calendar (Meeus's form of the anonymous algorithm)."""
    century, rest = divmod(year, 100)
    moon = (19 * (year % 19) + century - century // 4 - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    sunday = (32 + 2 * (century % 4) + 2 * (rest // 4) - moon - rest % 4) % 7
    late = (year % 19 + 11 * moon + 22 * sunday) // 451
    month, day = divmod(moon + sunday - 7 * late + 114, 31)
    return date(year, month, day + 1)


def feast_in(name: str, year: int) -> date:
    """The day of the named feast in that year; KeyError when the name is none of this module's."""
    if name in EASTER_FEASTS:
        return easter(year) + timedelta(days=EASTER_FEASTS[name])
    if name in SECOND_SUNDAYS:
        return nth_weekday(year, SECOND_SUNDAYS[name], SUNDAY, 2) or date(year, SECOND_SUNDAYS[name], 8)
    return date(year, *FIXED_FEASTS[name])


def next_feast(name: str, today: date) -> date:
    """The first day of the named feast that is not before `today`."""
    this_year = feast_in(name, today.year)
    return this_year if this_year >= today else feast_in(name, today.year + 1)


def next_holiday(today: date) -> date:
    """The first public holiday that is not before `today`."""
    return min(next_feast(name, today) for name in PUBLIC_HOLIDAYS)


def coming_holidays(today: date) -> list[tuple[str, date]]:
    """Each public holiday by its name, on its first day that is not before `today`, in their order."""
    return sorted(((name, next_feast(name, today)) for name in PUBLIC_HOLIDAYS), key=lambda found: found[1])


@lru_cache(maxsize=4096)
def is_working_day(day: date) -> bool:
    return day.weekday() < SATURDAY and next_holiday(day) != day


def monday_of(day: date, weeks: int = 0) -> date:
    """The Monday of `day`'s week, moved by `weeks`."""
    return day - timedelta(days=day.weekday()) + timedelta(weeks=weeks)


def coming(today: date, weekday: int) -> date:
    """The nearest such weekday, today included."""
    return today + timedelta(days=(weekday - today.weekday()) % 7)


def month_end(day: date) -> date:
    return day.replace(day=monthrange(day.year, day.month)[1])


def add_months(day: date, months: int) -> date:
    """The same day `months` later, or the last day of that month where it is shorter."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def moved(day: date, amount: int, unit: Unit) -> date:
    """That many days, weeks, months or years later; earlier where the amount is negative."""
    if unit in ("month", "year"):
        return add_months(day, amount * (12 if unit == "year" else 1))
    return day + timedelta(days=amount * (7 if unit == "week" else 1))


def exact(year: int, month: int, day: int) -> date | None:
    """That date, or None where the calendar has no such day."""
    if not (MINYEAR < year < MAXYEAR and 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]):
        return None
    return date(year, month, day)


def days_numbered(today: date, day: int, month: int | None = None, *, back: bool = False) -> Iterator[date]:
    """The dates with that day number, of that month where one is given: from `today` on, or backwards from the day
    before, the nearest first. They end after nine years, since 29/02 may wait that long for a leap year."""
    for months in range(9 * 12):
        near = add_months(today.replace(day=1), -months if back else months)
        found = exact(near.year, near.month, day) if month in (None, near.month) else None
        if found and (found < today) is back:
            yield found


def just_over(found: date, today: date) -> date | None:
    """The same day one year before, where it lies before `today` and is the nearer of the two."""
    before = exact(found.year - 1, found.month, found.day)
    return before if before and timedelta(0) < today - before < found - today else None


def with_century(year: int, today: date) -> int:
    """ "15/03/88" is a date of birth: two digits reach only a few years ahead."""
    return year + (2000 if 2000 + year <= today.year + _SHORT_YEARS_AHEAD else 1900)


def nth_weekday(year: int, month: int, weekday: int, nth: int) -> date | None:
    """The nth such weekday of a month, -1 for the last; None when the month has fewer."""
    first = date(year, month, 1)
    days = [coming(first, weekday) + timedelta(weeks=week) for week in range(5)]
    days = [day for day in days if day.month == month]
    index = nth if nth < 0 else nth - 1
    return days[index] if -len(days) <= index < len(days) else None
