"""Writes dates and hours as a receptionist would; `resolve` reads them back."""

from datetime import date, datetime, time

from gendei.booking.dates.hour_reading import as_time
from gendei.booking.dates.nodes import Part
from gendei.booking.dates.resolution import Resolution
from gendei.booking.wallclock import showing
from gendei.clock import require_aware

WEEKDAY_NAMES = (
    "segunda-feira",
    "terça-feira",
    "quarta-feira",
    "quinta-feira",
    "sexta-feira",
    "sábado",
    "domingo",
)
_NEAR = {-1: "ontem, ", 0: "hoje, ", 1: "amanhã, "}
_PART_NAMES = {
    (as_time(part.value[0]), as_time(part.value[1])): name
    for part, name in (
        (Part.DAWN, "de madrugada"),
        (Part.MORNING, "de manhã"),
        (Part.AFTERNOON, "à tarde"),
        (Part.NIGHT, "à noite"),
    )
}
_SLOTS = {"first": "no primeiro horário", "last": "no último horário"}


def describe(what: date | datetime | Resolution, now: datetime) -> str:
    """ "segunda-feira, 23/11", "amanhã, terça-feira, 24/11, às 14h30", "sábado, 28/11, à tarde".

    A datetime is shown in its own zone, and must be aware, as `now` must: NaiveTime otherwise. The year is shown when
    it is not `now`'s or the day is past. An empty Resolution gives "".
    """
    require_aware(now)
    if isinstance(what, Resolution):
        return ", ".join(part for part in (_days(what, now.date()), _hours(what)) if part)
    if isinstance(what, datetime):
        return f"{_day(require_aware(what).date(), now.date())}, {_at(what.time())}{which_time(what)}"
    return _day(what, now.date())


def which_time(moment: datetime) -> str:
    """ " (1ª vez)" or " (2ª vez)" after a time that the wall clock shows twice, as clocks go back; else ""."""
    again = showing(moment)
    return f" ({again}ª vez)" if again else ""


def _day(day: date, today: date) -> str:
    near = _NEAR.get((day - today).days, "")
    year = "" if near or (day.year == today.year and day > today) else f"/{day.year:04d}"
    return f"{near}{WEEKDAY_NAMES[day.weekday()]}, {day.day:02d}/{day.month:02d}{year}"


def _days(what: Resolution, today: date) -> str:
    if what.date is None:
        return ""
    if what.open_end:
        return f"a partir de {_day(what.date, today)}"
    if what.end_date is None:
        return _day(what.date, today)
    return f"de {_full(what.date, today)} a {_full(what.end_date, today)}"


def _full(day: date, today: date) -> str:
    """Inside a range "hoje" would only disturb, and a past day needs its year."""
    year = f"/{day.year:04d}" if day.year != today.year or day < today else ""
    return f"{WEEKDAY_NAMES[day.weekday()]} {day.day:02d}/{day.month:02d}{year}"


def _hours(what: Resolution) -> str:
    if what.time is not None:
        return _at(what.time)
    since, until = what.time_from, what.time_to
    if part := _PART_NAMES.get((since, until)):
        return part
    if since and until:
        return f"das {clock(since)} às {clock(until)}"
    if since:
        return f"a partir das {clock(since)}"
    if until:
        return f"até as {clock(until)}"
    return _SLOTS.get(what.slot or "", "")


def _at(moment: time) -> str:
    return f"à {clock(moment)}" if moment.hour in (0, 1) else f"às {clock(moment)}"


def clock(moment: time) -> str:
    """ "14h", "14h30", "6h da manhã": the hours that patients take for the afternoon name their part of the day."""
    text = plain_clock(moment)
    return f"{text} da manhã" if 1 <= moment.hour <= 6 else text


def plain_clock(moment: time | datetime) -> str:
    """ "14h" or "14h30"; of a moment also "1h30 (2ª vez)", where the wall clock shows that twice."""
    told = f"{moment.hour}h{moment.minute:02d}" if moment.minute else f"{moment.hour}h"
    return told + which_time(moment) if isinstance(moment, datetime) else told
