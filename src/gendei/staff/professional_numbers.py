"""What a month was for each professional: visits, their value, what was lost of it, and how full the time was."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from datetime import date, timedelta

from gendei.booking.appointment import BY_PATIENT, Appointment, AppointmentStatus
from gendei.booking.time_blocks import TimeBlock
from gendei.booking.wallclock import Interval, epoch_minute, intervals, spans, wall_midnight
from gendei.clinic import Clinic, Professional

_LOST = frozenset({AppointmentStatus.CANCELLED, AppointmentStatus.NO_SHOW})


@dataclass(frozen=True, slots=True)
class ProfessionalNumbers:
    """Of the appointments that begin in the period. Money is centavos. `booked`: all of them, `by_patients` of these
    through the bot, `without_price` of these "sob consulta". `lost`: of those that were cancelled or missed, but for
    `refilled`, in whose time somebody else came. `open_minutes`: of working hours up to the period's last day or today,
    without what is blocked; `taken_minutes`: of these and of what was put beside them. `id` empty: of all together."""

    id: str
    name: str
    booked: int = 0
    by_patients: int = 0
    without_price: int = 0
    came: int = 0
    missed: int = 0
    cancelled: int = 0
    value_cents: int = 0
    lost_cents: int = 0
    refilled_cents: int = 0
    open_minutes: int = 0
    taken_minutes: int = 0

    @property
    def occupancy(self) -> float | None:
        """0 to 1, or more where appointments lie outside of the hours; None without any hours."""
        return self.taken_minutes / self.open_minutes if self.open_minutes else None

    @classmethod
    def together(cls, numbers: Sequence["ProfessionalNumbers"]) -> "ProfessionalNumbers":
        columns = [field.name for field in fields(cls)][2:]
        return cls("", "", **{name: sum(getattr(each, name) for each in numbers) for name in columns})


def by_professional(
    clinic: Clinic,
    days: tuple[date, date],
    until: date,
    appointments: Iterable[Appointment],
    blocks: Sequence[TimeBlock],
) -> tuple[ProfessionalNumbers, ...]:
    """`appointments`, `blocks`: of the local days from the first to the last of `days`. until: the last day whose hours
    count. Professionals of the clinic, then others that appointments name; who has neither hours nor appointments is
    left out."""
    whose: dict[str, list[Appointment]] = {}
    names = {professional.id: professional.name for professional in clinic.professionals}
    for appointment in appointments:
        whose.setdefault(appointment.professional_id, []).append(appointment)
        names.setdefault(appointment.professional_id, appointment.professional_name)
    counted = (
        _numbers(clinic, who, name, whose.get(who, []), _open(clinic, who, (days[0], until), blocks))
        for who, name in names.items()
    )
    return tuple(numbers for numbers in counted if numbers.booked or numbers.open_minutes)


def _numbers(
    clinic: Clinic, who: str, name: str, appointments: Sequence[Appointment], hours: Sequence[Interval]
) -> ProfessionalNumbers:
    statuses = [appointment.status for appointment in appointments]
    taken = _union(appointment.interval for appointment in appointments if appointment.status.takes_time)
    lost = [appointment for appointment in appointments if appointment.status in _LOST]
    refilled = sum(_price(each) for each in lost if any(_overlap(each.interval, other) for other in taken))
    ends = hours[-1][1] if hours else 0
    return ProfessionalNumbers(
        id=who,
        name=name,
        booked=len(appointments),
        by_patients=sum(bool(each.history) and each.history[0].by == BY_PATIENT for each in appointments),
        without_price=sum(each.price_cents is None for each in appointments),
        came=statuses.count(AppointmentStatus.COMPLETED),
        missed=statuses.count(AppointmentStatus.NO_SHOW),
        cancelled=statuses.count(AppointmentStatus.CANCELLED),
        value_cents=sum(map(_price, appointments)),
        lost_cents=sum(map(_price, lost)) - refilled,
        refilled_cents=refilled,
        open_minutes=_length(hours),
        taken_minutes=_length([interval for interval in taken if interval[0] < ends]),
    )


def _price(appointment: Appointment) -> int:
    return appointment.price_cents or 0


def _open(clinic: Clinic, who: str, days: tuple[date, date], blocks: Sequence[TimeBlock]) -> list[Interval]:
    """When the professional works on these local days, in order, without absences and blocks."""
    professional = clinic.professional(who)
    if professional is None or days[0] > days[1]:
        return []
    away = [(epoch_minute(absence.start), epoch_minute(absence.end)) for absence in professional.time_off]
    away += [block.interval for block in blocks if block.professional_id in {None, who}]
    return _without(_union(_hours(clinic, professional, days)), _union(away))


def _hours(clinic: Clinic, professional: Professional, days: tuple[date, date]) -> Iterable[Interval]:
    first, last = days
    periods, weekly = spans(clinic.timezone, first, last), clinic.hours_of(professional)
    for number in range((last - first).days + 1):
        day = first + timedelta(days=number)
        for part in () if day in clinic.closed else weekly.get(day.weekday(), ()):
            yield from intervals(periods, wall_midnight(day) + part.start, wall_midnight(day) + part.end)


def _union(parts: Iterable[Interval]) -> list[Interval]:
    """The same time as disjoint intervals, in order."""
    found: list[Interval] = []
    for start, end in sorted(parts):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found


def _without(hours: Sequence[Interval], away: Sequence[Interval]) -> list[Interval]:
    """`hours` without `away`; both disjoint and in order."""
    left: list[Interval] = []
    for start, end in hours:
        here = start
        for gone, back in away:
            if gone < end and here < back:
                if here < gone:
                    left.append((here, gone))
                here = max(here, back)
        if here < end:
            left.append((here, end))
    return left


def _overlap(one: Interval, other: Interval) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _length(parts: Iterable[Interval]) -> int:
    return sum(end - start for start, end in parts)
