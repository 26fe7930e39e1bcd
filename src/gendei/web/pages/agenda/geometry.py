"""Positions in a drawn day: minutes of the clinic's wall clock, and the free time between appointments."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime

from gendei.booking.dates.rendering import WEEKDAY_NAMES
from gendei.clinic import DAY_MINUTES
from gendei.clock import instant
from gendei.staff.agenda.view import AgendaView, ColumnDay

Stretch = tuple[int, int]
"""[start, end) in minutes after local midnight."""
USUAL_DAY: Stretch = (8 * 60, 18 * 60)
"""The hours that are drawn for a day without working hours or appointments."""
LEAST_FREE = 5
LEAST_DRAWN = 10
"""Minutes that are drawn high enough to be hit; what is shorter still is a thinner line."""
FIRST_DAY, LAST_DAY = date(1900, 1, 1), date(2999, 12, 31)
"""The first and last day that an agenda can show: every day that is computed from one of these, in any zone, is a date
too."""


def minute_of(moment: datetime, day: date) -> int:
    """Return the wall clock's time at `moment` (in the clinic's zone), in minutes after the midnight that begins
    `day`; cut to that day."""
    minutes = (moment.date() - day).days * DAY_MINUTES + moment.hour * 60 + moment.minute
    return min(max(minutes, 0), DAY_MINUTES)


def stretch_of(start: datetime, end: datetime, day: date) -> Stretch:
    """[start, end) as minutes of `day`."""
    return minute_of(start, day), minute_of(end, day)


def lasting(start: datetime, end: datetime, day: date) -> Stretch:
    """[start, end) as minutes of `day`, at least as long as it really takes: where clocks go back, what ends later may
    end at an earlier minute of the wall."""
    begin, finish = stretch_of(start, end, day)
    if start.date() != day or end.date() != day:
        return begin, finish
    real = int((instant(end) - instant(start)).total_seconds()) // 60
    return begin, min(max(finish, begin + real), DAY_MINUTES)


def day_name(day: date) -> str:
    """ "seg 23/11"."""
    return f"{WEEKDAY_NAMES[day.weekday()][:3]} {day:%d/%m}"


def clock_text(minute: int) -> str:
    """ "08:30"."""
    return f"{minute // 60:02d}:{minute % 60:02d}"


def shown_stretch(view: AgendaView) -> Stretch:
    """The whole hours that hold every day's working hours and appointments."""
    stretches = [
        stretch
        for column in view.columns
        for day in column.days
        for stretch in (
            *(stretch_of(*hours, day.day) for hours in day.hours),
            *(lasting(appointment.start, appointment.end, day.day) for appointment in day.appointments),
        )
    ]
    start, end = (
        min((stretch[0] for stretch in stretches), default=0),
        max((stretch[1] for stretch in stretches), default=0),
    )
    return (start // 60 * 60, -(-end // 60) * 60) if end else USUAL_DAY


def free_stretches(day: ColumnDay, now: datetime, least: int = LEAST_FREE) -> list[Stretch]:
    """Return the parts of the working hours that are still ahead, neither taken nor blocked, and of `least` minutes."""
    taken = [*_taken(day), (0, minute_of(now, day.day))]
    return [free for worked in _open(day) for free in _without(worked, taken) if free[1] - free[0] >= least]


def least_bookable(view: AgendaView, professional_id: str) -> int:
    """Minutes of the shortest service of a professional: what is shorter is of no use to anybody."""
    services = [
        service.duration_minutes
        for service in view.clinic.services
        for professional in view.clinic.professionals
        if professional.id == professional_id and service.id in professional.service_ids
    ]
    return max(min(services, default=LEAST_FREE), LEAST_FREE)


def least_drawn(view: AgendaView) -> int:
    """Minutes of the shortest thing that is drawn, which has to be as high as a target may be low."""
    lasted = [
        end - start
        for column in view.columns
        for day in column.days
        for start, end in (
            *(lasting(appointment.start, appointment.end, day.day) for appointment in day.appointments),
            *(stretch_of(block.start, block.end, day.day) for block in day.blocks),
            *free_stretches(day, view.now, least_bookable(view, column.professional_id)),
        )
    ]
    return max(min(lasted, default=60), LEAST_DRAWN)


def occupancy(days: Iterable[ColumnDay]) -> int | None:
    """How much of the working time of these days is taken, in percent; None where nobody works."""
    worked = free = 0
    for day in days:
        worked += _total(_open(day))
        free += _total(part for stretch in _open(day) for part in _without(stretch, _taken(day)))
    return round(100 * (worked - free) / worked) if worked else None


def length_text(minutes: int) -> str:
    """ "40 min", "2h", "2h20"."""
    hours, rest = divmod(minutes, 60)
    return f"{hours}h{rest:02d}" if hours and rest else f"{hours}h" if hours else f"{rest} min"


def _open(day: ColumnDay) -> list[Stretch]:
    """The working hours without what is blocked."""
    closed = [
        *(stretch_of(block.start, block.end, day.day) for block in day.blocks),
        *(stretch_of(off.start, off.end, day.day) for off in day.time_off),
    ]
    return [part for hours in day.hours for part in _without(stretch_of(*hours, day.day), closed)]


def _taken(day: ColumnDay) -> list[Stretch]:
    return [
        lasting(appointment.start, appointment.end, day.day)
        for appointment in day.appointments
        if appointment.status.takes_time
    ]


def _total(stretches: Iterable[Stretch]) -> int:
    return sum(end - start for start, end in stretches)


def side_by_side(stretches: Sequence[Stretch]) -> list[tuple[int, int]]:
    """For each stretch, in order of start: which place it has, and of how many, so that no two that overlap share
    one."""
    places: list[tuple[int, int]] = []
    group: list[int] = []
    ends: list[int] = []

    def close_group() -> None:
        for index in group:
            places[index] = (places[index][0], len(ends))
        group.clear()
        ends.clear()

    for index, (start, end) in enumerate(stretches):
        if ends and start >= max(ends):
            close_group()
        place = next((number for number, taken in enumerate(ends) if taken <= start), len(ends))
        ends[place : place + 1] = [end]
        places.append((place, 1))
        group.append(index)
    close_group()
    return places


def _without(stretch: Stretch, taken: Iterable[Stretch]) -> list[Stretch]:
    start, end = stretch
    found: list[Stretch] = []
    for begin, finish in sorted(taken):
        if finish <= start or begin >= end:
            continue
        if begin > start:
            found.append((start, begin))
        start = finish
    return [*found, (start, end)] if start < end else found


def nearest_day(day: date) -> date:
    """`day` where the agenda can show it, else the nearest one that it can."""
    return min(max(day, FIRST_DAY), LAST_DAY)


def day_of(text: object) -> date | None:
    """The day of an ISO date; None for what is no date, and for a day that the agenda cannot show."""
    try:
        day = date.fromisoformat(str(text))
    except ValueError:
        return None
    return day if day == nearest_day(day) else None
