"""Time to find the free slots of a big clinic's month."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from random import Random
from statistics import median
from time import perf_counter
from zoneinfo import ZoneInfo

from bench.report import Figure, Section
from bench.sizes import Sizes
from gendei.booking.availability import Busy, free_slots
from gendei.booking.slots import Slot
from gendei.booking.wallclock import Interval, epoch_minute
from gendei.cli.serving import settle_memory
from gendei.clinic import Clinic, ClinicId, Professional, Service, TimeRange, WeeklyHours

GOAL = 5.0
PROFESSIONALS = 10
DAYS = 30
APPOINTMENTS = 1_000
FIRST = date(2026, 3, 2)
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
WEEK = {weekday: (TimeRange(8 * 60, 12 * 60), TimeRange(13 * 60, 18 * 60)) for weekday in range(6)}


def measure_slots(sizes: Sizes) -> Section:
    """Searches where all professionals have hours of their own, so that nothing is shared, and where none have."""
    settle_memory()
    own = _clinic([_shifted(number) for number in range(PROFESSIONALS)])
    shared = _clinic([None] * PROFESSIONALS)
    times, found = _times(own, sizes.searches)
    shared_times, shared_found = _times(shared, sizes.searches)
    return Section(
        title="Slots of a month",
        figures=(
            Figure("slots of 10 professionals, hours of their own", median(times), "at most", GOAL, "ms"),
            Figure("slots of 10 professionals, the clinic's hours", median(shared_times), "at most", GOAL, "ms"),
        ),
        method=(
            f"booking.availability.free_slots for {PROFESSIONALS} professionals over {DAYS} days of two ranges, six "
            f"days a week, with {APPOINTMENTS} appointments of 30 minutes standing. Once every professional has hours "
            f"of their own, so that no work is shared between them, and once all have the clinic's. Medians of "
            f"{sizes.searches} searches in one process."
        ),
        seen=(
            f"hours of their own: {found} free slots; fastest {min(times):.2f}, slowest {max(times):.2f} ms",
            f"the clinic's: {shared_found} free; fastest {min(shared_times):.2f}, slowest {max(shared_times):.2f} ms",
        ),
    )


def _times(clinic: Clinic, searches: int) -> tuple[list[float], int]:
    """Milliseconds of each search, and how many slots it finds."""
    busy = _busy(clinic)
    times = []
    found = 0
    for _ in range(searches):
        began = perf_counter()
        free = _search(clinic, busy)
        times.append(1000 * (perf_counter() - began))
        found = sum(map(len, free.values()))
    return times, found


def _search(clinic: Clinic, busy: Busy) -> dict[str, list[Slot]]:
    last = FIRST + timedelta(days=DAYS - 1)
    return free_slots(clinic, clinic.services[0], clinic.professionals, busy, (FIRST, last), NOW)


def _clinic(hours: Sequence[WeeklyHours | None]) -> Clinic:
    """A clinic with a professional for each of `hours`; None: the clinic's."""
    service = Service(id="consulta", name="Consulta", duration_minutes=30, price_cents=20_000)
    professionals = tuple(
        Professional(id=f"p{number}", name=f"Dra. {number}", service_ids=(service.id,), hours=own)
        for number, own in enumerate(hours)
    )
    return Clinic(
        id=ClinicId("bench"),
        name="Bench",
        vertical="med",
        timezone=ZoneInfo("America/Sao_Paulo"),
        hours=WEEK,
        services=(service,),
        professionals=professionals,
    )


def _shifted(minutes: int) -> WeeklyHours:
    return {
        weekday: tuple(TimeRange(part.start + minutes, part.end + minutes) for part in ranges)
        for weekday, ranges in WEEK.items()
    }


def _busy(clinic: Clinic) -> Busy:
    """APPOINTMENTS of the clinic's free slots, the same ones at every run, spread over its professionals."""
    every = [slot for slots in _search(clinic, {}).values() for slot in slots]
    busy: dict[str, list[Interval]] = {professional.id: [] for professional in clinic.professionals}
    for slot in Random(1).sample(every, APPOINTMENTS):
        busy[slot.professional_id].append((epoch_minute(slot.start), epoch_minute(slot.end)))
    return busy
