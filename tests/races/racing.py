"""Who races, for what, and how a race is judged."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import pairwise

from tests.booking.builders import make_clinic

from gendei.booking.appointment import Appointment
from gendei.booking.desk import BookingDesk
from gendei.booking.slots import BookingRefused
from gendei.clinic import BookingPolicy, Clinic, ClinicId, Contact
from gendei.errors import TooContended

CLINIC = make_clinic(booking=BookingPolicy(lead_minutes=0, horizon_days=60, step_minutes=5))
"""Slots are 30 minutes long and begin every 5, so that neighbours overlap."""
OTHER = make_clinic(id=ClinicId("outra"))
"""The outsider: a clinic whose agenda no race may touch."""


def contacts(count: int, first: int = 0) -> list[Contact]:
    return [Contact(f"+55119{80_000_000 + number}") for number in range(first, first + count)]


@dataclass(frozen=True)
class Race:
    """How the attempts ended."""

    winners: Sequence[Appointment]
    losers: Sequence[BookingRefused]

    @property
    def empty_handed(self) -> list[BookingRefused]:
        """The losers that were offered nothing."""
        return [loser for loser in self.losers if not loser.alternatives]


Attempt = Callable[[], Awaitable[Appointment]]


async def race(attempts: Iterable[Attempt]) -> Race:
    """All at once; whatever is no refusal is raised."""
    outcomes = await asyncio.gather(*(_outcome(attempt) for attempt in attempts))
    return Race(
        [outcome for outcome in outcomes if isinstance(outcome, Appointment)],
        [outcome for outcome in outcomes if isinstance(outcome, BookingRefused)],
    )


async def _outcome(attempt: Attempt) -> Appointment | BookingRefused:
    """As a turn does: where the store is too busy to decide, the same is asked again."""
    while True:
        try:
            return await attempt()
        except BookingRefused as refused:
            return refused
        except TooContended:
            continue


async def standing(desk: BookingDesk, clinic: Clinic = CLINIC) -> list[Appointment]:
    """What takes time in the clinic, by start."""
    everybody = await desk.appointments(clinic, date(2026, 1, 1), date(2026, 12, 31))
    return sorted((entry for entry in everybody if entry.status.takes_time), key=lambda appointment: appointment.start)


def overlaps(appointments: Sequence[Appointment]) -> list[tuple[datetime, datetime]]:
    """The starts of neighbours of one professional of which the second begins before the first has ended."""
    found: list[tuple[datetime, datetime]] = []
    for professional in {appointment.professional_id for appointment in appointments}:
        mine = sorted(
            (appointment for appointment in appointments if appointment.professional_id == professional),
            key=lambda appointment: appointment.start,
        )
        found += [(appointment.start, two.start) for appointment, two in pairwise(mine) if two.start < appointment.end]
    return found
