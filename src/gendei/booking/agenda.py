"""The agenda's documents: for each professional and month, what is taken and what is held.

    gendei_clinics/{clinicId}/agenda/{professionalId}_{yyyy-mm}
        {"taken": {appointmentId: [start, end]}, "holds": {contact: [start, end, expires]}}

start and end are epoch minutes without buffers, expires is an epoch second. An interval stands in every month,
of the clinic's calendar, that it touches.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from gendei.booking.wallclock import Interval, at_minute
from gendei.clinic import DAY_MINUTES, Clinic, ClinicId, Contact, Professional
from gendei.documents import Data, Documents, Snapshot, Transaction, document_id


def page_path(clinic_id: ClinicId, professional_id: str, month: str) -> str:
    """Where the page of a month ("2026-03") stands."""
    return f"gendei_clinics/{document_id(clinic_id)}/agenda/{document_id(professional_id)}_{month}"


def months(zone: ZoneInfo, interval: Interval) -> list[str]:
    """The calendar months that [start, end) touches on the clinic's wall."""
    return _months_between(at_minute(interval[0], zone).date(), at_minute(interval[1] - 1, zone).date())


@dataclass(frozen=True, slots=True)
class Page:
    """One month of one professional."""

    taken: dict[str, Interval]
    holds: dict[Contact, tuple[int, int, int]]

    @classmethod
    def of(cls, snapshot: Snapshot, now: datetime) -> "Page":
        """What a snapshot holds, without the holds that have ended."""
        data = snapshot.data or {}
        present = now.timestamp()
        return cls(
            {key: (start, end) for key, (start, end) in data.get("taken", {}).items()},
            {
                Contact(key): (start, end, expires)
                for key, (start, end, expires) in data.get("holds", {}).items()
                if expires > present
            },
        )

    def to_document(self) -> Data:
        return {
            "taken": {key: list(interval) for key, interval in self.taken.items()},
            "holds": {key: list(hold) for key, hold in self.holds.items()},
        }

    def busy(self, contact: Contact | None, appointment_id: str | None = None) -> Iterator[Interval]:
        """Everything in the way of `contact`, whose own hold is not, and of `appointment_id`, if it is to be moved."""
        yield from (interval for key, interval in self.taken.items() if key != appointment_id)
        yield from ((start, end) for key, (start, end, _) in self.holds.items() if key != contact)


class Agenda:
    """Reads many pages at once, for searching. What it returns may be stale a moment later."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents

    async def busy(
        self,
        clinic: Clinic,
        professionals: Sequence[Professional],
        days: tuple[date, date],
        now: datetime,
        contact: Contact | None = None,
    ) -> dict[str, list[Interval]]:
        """What is taken or held by others than `contact`, by professional, on the local days first to last and
        as far around them as the buffer reaches."""
        reach = timedelta(days=-(-clinic.booking.buffer_minutes // DAY_MINUTES))
        names = _months_between(days[0] - reach, days[1] + reach)
        owners = [one.id for one in professionals for _ in names]
        paths = [page_path(clinic.id, one.id, month) for one in professionals for month in names]
        busy: dict[str, list[Interval]] = {one.id: [] for one in professionals}
        for owner, snapshot in zip(owners, await self._documents.get_many(paths), strict=True):
            busy[owner].extend(Page.of(snapshot, now).busy(contact))
        return busy


class AgendaEdit:
    """The pages that one transaction decides on. What `load` reads, `save` writes, changed or not: the commit's
    preconditions then hold the decision together, across the end of a month too."""

    def __init__(self, transaction: Transaction, clinic: Clinic, now: datetime) -> None:
        self._transaction, self._clinic, self._now = transaction, clinic, now
        self._pages: dict[str, dict[str, Page]] = {}

    async def load(self, professional_id: str, interval: Interval) -> None:
        """Read the pages that decide whether `interval` is free: its months, and those that its buffer reaches."""
        pages = self._pages.setdefault(professional_id, {})
        names = [name for name in months(self._clinic.timezone, _padded(interval, self._clinic)) if name not in pages]
        snapshots = await self._transaction.get_many([self._path(professional_id, name) for name in names])
        for name, snapshot in zip(names, snapshots, strict=True):
            pages[name] = Page.of(snapshot, self._now)

    def busy(self, professional_id: str, contact: Contact | None, appointment_id: str | None = None) -> list[Interval]:
        """As `Page.busy`, over every loaded page of the professional."""
        return [
            interval
            for page in self._pages[professional_id].values()
            for interval in page.busy(contact, appointment_id)
        ]

    def starting_at(self, professional_id: str, minute: int) -> set[str]:
        """The ids of the appointments that begin at an epoch minute."""
        return {
            key
            for page in self._pages[professional_id].values()
            for key, (start, _) in page.taken.items()
            if start == minute
        }

    def take(self, professional_id: str, appointment_id: str, interval: Interval) -> None:
        for page in self._loaded(professional_id, interval):
            page.taken[appointment_id] = interval

    def free(self, professional_id: str, appointment_id: str, interval: Interval) -> None:
        for page in self._loaded(professional_id, interval):
            page.taken.pop(appointment_id, None)

    def hold(self, professional_id: str, contact: Contact, interval: Interval, expires: int) -> None:
        """Hold until the epoch second `expires`."""
        for page in self._loaded(professional_id, interval):
            page.holds[contact] = (*interval, expires)

    def drop_holds(self, contact: Contact) -> None:
        """Take the contact's hold out of every loaded page."""
        for pages in self._pages.values():
            for page in pages.values():
                page.holds.pop(contact, None)

    def save(self) -> None:
        for professional_id, pages in self._pages.items():
            for name, page in pages.items():
                self._transaction.put(self._path(professional_id, name), page.to_document())

    def _loaded(self, professional_id: str, interval: Interval) -> list[Page]:
        return [self._pages[professional_id][name] for name in months(self._clinic.timezone, interval)]

    def _path(self, professional_id: str, month: str) -> str:
        return page_path(self._clinic.id, professional_id, month)


def _padded(interval: Interval, clinic: Clinic) -> Interval:
    buffer = clinic.booking.buffer_minutes
    return interval[0] - buffer, interval[1] + buffer


def _months_between(first: date, last: date) -> list[str]:
    numbers = range(first.year * 12 + first.month - 1, last.year * 12 + last.month)
    return [f"{number // 12:04d}-{number % 12 + 1:02d}" for number in numbers]
