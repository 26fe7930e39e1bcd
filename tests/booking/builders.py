"""Plain clinics and times for the booking tests."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from gendei.booking.desk import BookingDesk
from gendei.booking.visits import BookingRequest
from gendei.clinic import BookingPolicy, Clinic, ClinicId, Contact, Professional, Service, TimeRange
from gendei.documents import Documents, Query

SAO_PAULO = ZoneInfo("America/Sao_Paulo")
NEW_YORK = ZoneInfo("America/New_York")
MARIA, JOAO = Contact("+5511999990001"), Contact("+5511999990002")

MONDAY = datetime(2026, 3, 2, 7, tzinfo=SAO_PAULO)
"""An ordinary Monday, before the clinic opens."""
CHECKUP = Service("consulta", "Consulta Geral", 30, price_cents=25000, deposit_cents=5000)
CLEANING = Service("limpeza", "Limpeza", 60, price_cents=18000)
ANA = Professional("ana", "Dra. Ana Souza", ("consulta", "limpeza"))
BRUNO = Professional("bruno", "Dr. Bruno Lima", ("consulta",))


def hours(text: str) -> tuple[TimeRange, ...]:
    """ "08:00-12:00 13:00-18:00" as ranges."""
    return tuple(TimeRange(*(_minutes(end) for end in part.split("-"))) for part in text.split())


def _minutes(text: str) -> int:
    hour, minute = text.split(":")
    return int(hour) * 60 + int(minute)


def weekdays(text: str) -> dict[int, tuple[TimeRange, ...]]:
    return {day: hours(text) for day in range(5)}


def every_day(text: str) -> dict[int, tuple[TimeRange, ...]]:
    return {day: hours(text) for day in range(7)}


OPEN = weekdays("08:00-12:00 13:00-18:00")


def make_clinic(**changes: Any) -> Clinic:
    """Boa Vida: Monday to Friday with a lunch break, no lead time, no buffer, unless `changes` say otherwise."""
    fields: dict[str, Any] = {
        "id": ClinicId("boa-vida"),
        "name": "Clínica Boa Vida",
        "vertical": "med",
        "timezone": SAO_PAULO,
        "hours": OPEN,
        "services": (CHECKUP, CLEANING),
        "professionals": (ANA, BRUNO),
        "booking": BookingPolicy(lead_minutes=0, horizon_days=60),
    }
    return Clinic(**(fields | changes))


def at(day: int, clock: str, month: int = 3, year: int = 2026, zone: ZoneInfo = SAO_PAULO) -> datetime:
    hour, minute = clock.split(":")
    return datetime(year, month, day, int(hour), int(minute), tzinfo=zone)


def request(start: datetime, name: str = "Maria Silva", service: str = "consulta", who: str = "ana") -> BookingRequest:
    return BookingRequest(service, who, start, name)


@dataclass
class TestClock:
    """A clock that stands still until it is told otherwise."""

    __test__ = False
    now: datetime = MONDAY

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **amount: float) -> None:
        self.now += timedelta(**amount)


@dataclass(frozen=True)
class Booking:
    """What a desk test needs: the desk, the store it writes to, and the clock it reads."""

    desk: BookingDesk
    documents: Documents
    clock: TestClock


async def everything(documents: Documents, clinic: Clinic) -> dict[str, Any]:
    """Every booking document of a clinic, path to data."""
    found = [
        snapshot
        for name in ("agenda", "appointments", "holds", "patients")
        for snapshot in await documents.query(Query(f"gendei_clinics/{clinic.id}/{name}"))
    ]
    return {item.path: item.data for item in found}


async def taken(documents: Documents, clinic: Clinic) -> dict[str, dict[str, list[int]]]:
    """What the agenda holds as taken, by page: "ana_2026-03" to appointment id to [start, end]."""
    pages = await documents.query(Query(f"gendei_clinics/{clinic.id}/agenda"))
    return {page.id: page.data["taken"] for page in pages if page.data and page.data["taken"]}
