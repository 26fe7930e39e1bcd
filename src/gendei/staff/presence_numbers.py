"""Who said that they come, who did not come, and who cancelled late: by professional, service, weekday and hour."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sized
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial
from typing import Protocol, TypeVar

from gendei.booking.appointment import Appointment, AppointmentStatus
from gendei.clinic import WEEKDAYS, Clinic

LATE = timedelta(hours=24)
"""A cancellation later than this before the start leaves hardly anybody time to take the slot."""
AHEAD = timedelta(hours=1)
"""Whose presence is marked later than this before the start has arrived, and did not say so before."""


class Visited(Protocol):
    """What is sorted."""

    @property
    def start(self) -> datetime: ...

    @property
    def professional_name(self) -> str: ...

    @property
    def service_name(self) -> str: ...


V = TypeVar("V", bound=Visited)


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
    """Of the `appointments` that began by `now`, as `sides` sorts them."""
    begun = [appointment for appointment in appointments if appointment.start <= now]
    return tuple(_numbers(by, name, of_name) for by, name, of_name in sides(clinic, begun))


def sides(clinic: Clinic, visits: Collection[V]) -> Iterator[tuple[PresenceBy, str, list[V]]]:
    """The visits sorted by each of PresenceBy, with the name of each part: people and services by the number of their
    visits, weekdays and hours in order."""
    names: Mapping[PresenceBy, Callable[[V], str]] = {
        PresenceBy.ALL: lambda _visit: "",
        PresenceBy.PROFESSIONAL: lambda visit: visit.professional_name,
        PresenceBy.SERVICE: lambda visit: visit.service_name,
        PresenceBy.WEEKDAY: lambda visit: WEEKDAYS[clinic.local(visit.start).weekday()],
        PresenceBy.HOUR: lambda visit: f"{clinic.local(visit.start):%H}",
    }
    for by, name_of in names.items():
        sorted_by: dict[str, list[V]] = {}
        for visit in visits:
            sorted_by.setdefault(name_of(visit), []).append(visit)
        parts = sorted(sorted_by.items(), key=partial(_place, by))
        yield from ((by, name, of_name) for name, of_name in parts)


def _place(by: PresenceBy, part: tuple[str, Sized]) -> tuple[int, str]:
    name, visits = part
    if by is PresenceBy.WEEKDAY:
        return WEEKDAYS.index(name), ""
    return 0 if by is PresenceBy.HOUR else -len(visits), name


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
