"""Who said that they come, who did not come, and who cancelled late: by professional, service, weekday and hour."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from gendei.booking.appointment import Appointment, AppointmentStatus
from gendei.clinic import WEEKDAYS, Clinic

LATE = timedelta(hours=24)
"""A cancellation later than this before the start leaves hardly anybody time to take the slot."""
AHEAD = timedelta(hours=1)
"""Whose presence is marked later than this before the start has arrived, and did not say so before."""


class PresenceBy(StrEnum):
    """What appointments are sorted by; ALL: all together."""

    ALL = "all"
    PROFESSIONAL = "professional"
    SERVICE = "service"
    WEEKDAY = "weekday"
    HOUR = "hour"


@dataclass(frozen=True, slots=True)
class PresenceNumbers:
    """Of the appointments that began in the period. `name`: of a professional or a service, one of WEEKDAYS, or the
    hour of the start as "08". `confirmed`: of all, who said an hour ahead at least that they come; `late`: of the
    cancelled, those within a day of the start."""

    by: PresenceBy
    name: str
    booked: int
    confirmed: int
    missed: int
    cancelled: int
    late: int

    @property
    def confirmation(self) -> float | None:
        """The share of those that were confirmed."""
        return self.confirmed / self.booked if self.booked else None

    @property
    def no_show(self) -> float | None:
        """The share of those that were not cancelled, to which nobody came."""
        expected = self.booked - self.cancelled
        return self.missed / expected if expected else None

    @property
    def late_cancel(self) -> float | None:
        return self.late / self.booked if self.booked else None


def presence(clinic: Clinic, appointments: Iterable[Appointment], now: datetime) -> tuple[PresenceNumbers, ...]:
    """Of the `appointments` that began by `now`, sorted by each of PresenceBy: people and services by their number,
    weekdays and hours in order."""
    begun = [appointment for appointment in appointments if appointment.start <= now]
    names: Mapping[PresenceBy, Callable[[Appointment], str]] = {
        PresenceBy.ALL: lambda _appointment: "",
        PresenceBy.PROFESSIONAL: lambda appointment: appointment.professional_name,
        PresenceBy.SERVICE: lambda appointment: appointment.service_name,
        PresenceBy.WEEKDAY: lambda appointment: WEEKDAYS[clinic.local(appointment.start).weekday()],
        PresenceBy.HOUR: lambda appointment: f"{clinic.local(appointment.start):%H}",
    }
    found: list[PresenceNumbers] = []
    for by, name in names.items():
        sorted_by: dict[str, list[Appointment]] = {}
        for appointment in begun:
            sorted_by.setdefault(name(appointment), []).append(appointment)
        counted = [_numbers(by, key, of_name) for key, of_name in sorted_by.items()]
        found += sorted(counted, key=_order)
    return tuple(found)


def _order(numbers: PresenceNumbers) -> tuple[int, str]:
    if numbers.by is PresenceBy.WEEKDAY:
        return WEEKDAYS.index(numbers.name), ""
    return 0 if numbers.by is PresenceBy.HOUR else -numbers.booked, numbers.name


def _numbers(by: PresenceBy, name: str, appointments: list[Appointment]) -> PresenceNumbers:
    statuses = [appointment.status for appointment in appointments]
    return PresenceNumbers(
        by=by,
        name=name,
        booked=len(appointments),
        confirmed=sum(map(_confirmed, appointments)),
        missed=statuses.count(AppointmentStatus.NO_SHOW),
        cancelled=statuses.count(AppointmentStatus.CANCELLED),
        late=sum(map(_cancelled_late, appointments)),
    )


def _confirmed(appointment: Appointment) -> bool:
    """Of the time that it has: what was said before a move counts no more."""
    moves = [place for place, change in enumerate(appointment.history) if change.moved_from is not None]
    since = appointment.history[moves[-1] if moves else 0 :]
    known = AppointmentStatus.CONFIRMED_PRESENCE, appointment.start - AHEAD
    return any(change.status is known[0] and change.at <= known[1] for change in since)


def _cancelled_late(appointment: Appointment) -> bool:
    if appointment.status is not AppointmentStatus.CANCELLED:
        return False
    last = [change.at for change in appointment.history if change.status is AppointmentStatus.CANCELLED][-1:]
    return bool(last) and last[0] > appointment.start - LATE
