"""The agenda's documents: for each professional and month, what is taken and what is held.

    gendei_clinics/{clinicId}/agenda/{professionalId}_{yyyy-mm}
        {"taken": {appointmentId: [start, end]}, "holds": {contact: [start, end, expires]},
         "blocks": {blockId: [start, end, everybody]}}
    gendei_clinics/{clinicId}/closures/{yyyy-mm}
        {"blocks": {blockId: [start, end, true]}, "professionals": [professionalId]}

start and end are epoch minutes without buffers, expires is an epoch second. An interval stands in every month,
of the clinic's calendar, that it touches. A block of the whole clinic stands in the month's closure and on every page
that was begun; whoever begins a page copies it from there, and says so in the closure in the same commit. So a page
alone tells a booking all that is blocked, and no page that begins meanwhile is missed.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from itertools import product
from typing import Annotated, NamedTuple
from zoneinfo import ZoneInfo

from gendei.booking.wallclock import Interval, at_minute, epoch_minute
from gendei.clinic import DAY_MINUTES, Clinic, ClinicId, Contact, Professional, TimeOff
from gendei.documents import Documents, Snapshot, Transaction, document_id
from gendei.records import SORTED, Record


def page_path(clinic_id: ClinicId, professional_id: str, month: str) -> str:
    """Where the page of a month ("2026-03") stands."""
    return f"gendei_clinics/{document_id(clinic_id)}/agenda/{document_id(professional_id)}_{month}"


def closure_path(clinic_id: ClinicId, month: str) -> str:
    """Where stands what is blocked for the whole clinic in a month ("2026-03")."""
    return f"gendei_clinics/{document_id(clinic_id)}/closures/{month}"


def months(zone: ZoneInfo, interval: Interval) -> list[str]:
    """The calendar months that [start, end) touches on the clinic's wall."""
    return _months_between(at_minute(interval[0], zone).date(), at_minute(interval[1] - 1, zone).date())


class Block(NamedTuple):
    """Time that staff blocked, [start, end) in epoch minutes. `everybody`: it is the whole clinic's."""

    start: int
    end: int
    everybody: bool = False


@dataclass(frozen=True, slots=True)
class Closure:
    """What is blocked for the whole clinic in one month, and whose pages of that month are begun."""

    blocks: dict[str, Block] = field(default_factory=dict)
    professionals: Annotated[set[str], SORTED] = field(default_factory=set)


CLOSURE = Record(Closure, "gendei_clinics/{clinicId}/closures/{yyyy-mm}")


@dataclass(frozen=True, slots=True)
class Page:
    """One month of one professional."""

    taken: dict[str, Interval] = field(default_factory=dict)
    holds: dict[Contact, tuple[int, int, int]] = field(default_factory=dict)
    blocks: dict[str, Block] = field(default_factory=dict)

    def without_ended(self, now: datetime) -> "Page":
        """Without the holds that have ended."""
        present = now.timestamp()
        return replace(self, holds={key: hold for key, hold in self.holds.items() if hold[2] > present})

    def busy(self, contact: Contact | None, appointment_id: str | None = None) -> Iterator[Interval]:
        """Everything in the way of `contact`, whose own hold is not, and of `appointment_id`, if it is to be moved."""
        yield from (interval for key, interval in self.taken.items() if key != appointment_id)
        yield from ((start, end) for key, (start, end, _) in self.holds.items() if key != contact)


PAGE = Record(Page, "gendei_clinics/{clinicId}/agenda/{professionalId}_{yyyy-mm}")


def _page(found: Snapshot, now: datetime) -> Page:
    return (PAGE.found(found) or Page()).without_ended(now)


def _closure(found: Snapshot) -> Closure:
    return CLOSURE.found(found) or Closure()


async def occupied(
    documents: Documents,
    clinic: Clinic,
    professionals: Sequence[Professional],
    days: tuple[date, date],
    now: datetime,
    contact: Contact | None = None,
) -> tuple[Clinic, tuple[Professional, ...], dict[str, list[Interval]]]:
    """For a search on the local days first to last, and as far around them as the buffer reaches: the clinic and the
    professionals `obeying` what staff blocked, and what is taken, or held by others than `contact`, by professional.
    One read of many pages; it may be stale a moment later."""
    reach = timedelta(days=-(-clinic.booking.buffer_minutes // DAY_MINUTES))
    names = _months_between(days[0] - reach, days[1] + reach)
    pairs = list(product([professional.id for professional in professionals], names))
    closures = [closure_path(clinic.id, month) for month in names]
    found = await documents.get_many([*(page_path(clinic.id, *pair) for pair in pairs), *closures])
    closed = {name: _closure(closure) for name, closure in zip(names, found[len(pairs) :], strict=True)}
    busy: dict[str, list[Interval]] = {professional.id: [] for professional in professionals}
    blocks: dict[str, list[Block]] = {professional.id: [] for professional in professionals}
    for (owner, month), snapshot in zip(pairs, found, strict=False):
        page = _page(snapshot, now)
        busy[owner].extend(page.busy(contact))
        blocks[owner].extend((page if snapshot.exists else closed[month]).blocks.values())
    return *obeying(clinic, professionals, blocks), busy


class AgendaEdit:
    """The pages that one transaction decides on. What `load` reads, `save` writes, changed or not: the commit's
    preconditions then hold the decision together, across the end of a month too. `now`: in the clinic's zone."""

    def __init__(self, transaction: Transaction, clinic: Clinic, now: datetime) -> None:
        self.transaction, self.clinic, self.now = transaction, clinic, now
        self._pages: dict[str, dict[str, Page]] = {}
        self._closures: dict[str, Closure] = {}

    async def load(self, professional_id: str, interval: Interval) -> None:
        """Read the pages that decide whether `interval` is free: its months, and those that its buffer reaches."""
        pages = self._pages.setdefault(professional_id, {})
        names = [name for name in months(self.clinic.timezone, _padded(interval, self.clinic)) if name not in pages]
        snapshots = await self.transaction.get_many([self._path(professional_id, name) for name in names])
        pages.update((name, _page(item, self.now)) for name, item in zip(names, snapshots, strict=True))
        new = [name for name, snapshot in zip(names, snapshots, strict=True) if not snapshot.exists]
        await self._load_closures(new)
        for name in new:
            pages[name].blocks.update(self._closures[name].blocks)
            self._closures[name].professionals.add(professional_id)

    async def load_everybody(self, interval: Interval) -> list[str]:
        """Read the closures of `interval` and every page of its months: the professionals whose pages they are, those
        that the clinic does not have any more included."""
        names = months(self.clinic.timezone, interval)
        await self._load_closures(names)
        begun = {professional for name in names for professional in self._closures[name].professionals}
        everybody = sorted(begun | {professional.id for professional in self.clinic.professionals})
        for professional_id in everybody:
            await self.load(professional_id, interval)
        return everybody

    async def _load_closures(self, names: Iterable[str]) -> None:
        missing = [name for name in names if name not in self._closures]
        found = await self.transaction.get_many([closure_path(self.clinic.id, name) for name in missing])
        self._closures.update((name, _closure(snapshot)) for name, snapshot in zip(missing, found, strict=True))

    def busy(self, professional_id: str, contact: Contact | None, appointment_id: str | None = None) -> list[Interval]:
        """As `Page.busy`, over every loaded page of the professional."""
        return [
            interval
            for page in self._pages[professional_id].values()
            for interval in page.busy(contact, appointment_id)
        ]

    def blocks(self, professional_id: str) -> list[Block]:
        """What staff blocked, over every loaded page of the professional."""
        return [block for page in self._pages[professional_id].values() for block in page.blocks.values()]

    def taken_within(self, professional_id: str, interval: Interval) -> set[str]:
        """The ids of the appointments that touch `interval`."""
        return {
            key
            for page in self._pages[professional_id].values()
            for key, (start, end) in page.taken.items()
            if start < interval[1] and interval[0] < end
        }

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

    def block(self, professional_id: str, block_id: str, block: Block) -> None:
        for page in self._loaded(professional_id, (block.start, block.end)):
            page.blocks[block_id] = block

    def unblock(self, professional_id: str, block_id: str, interval: Interval) -> None:
        for page in self._loaded(professional_id, interval):
            page.blocks.pop(block_id, None)

    def close(self, block_id: str, block: Block) -> None:
        """Into the closures, for the pages that are not begun yet."""
        for name in months(self.clinic.timezone, (block.start, block.end)):
            self._closures[name].blocks[block_id] = block

    def reopen(self, block_id: str) -> None:
        for closure in self._closures.values():
            closure.blocks.pop(block_id, None)

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
                self.transaction.put(self._path(professional_id, name), PAGE.write(page))
        for name, closure in self._closures.items():
            self.transaction.put(closure_path(self.clinic.id, name), CLOSURE.write(closure))

    def _loaded(self, professional_id: str, interval: Interval) -> list[Page]:
        return [self._pages[professional_id][name] for name in months(self.clinic.timezone, interval)]

    def _path(self, professional_id: str, month: str) -> str:
        return page_path(self.clinic.id, professional_id, month)


def _padded(interval: Interval, clinic: Clinic) -> Interval:
    buffer = clinic.booking.buffer_minutes
    return interval[0] - buffer, interval[1] + buffer


def _months_between(first: date, last: date) -> list[str]:
    numbers = range(first.year * 12 + first.month - 1, last.year * 12 + last.month)
    return [f"{number // 12:04d}-{number % 12 + 1:02d}" for number in numbers]


_DAY = timedelta(days=1)


def obeying(
    clinic: Clinic, professionals: Sequence[Professional], blocks: Mapping[str, Iterable[Block]]
) -> tuple[Clinic, tuple[Professional, ...]]:
    """The clinic and its professionals with their blocks: each is time off, and a local day that is blocked whole for
    the whole clinic is a closed day. Buffers do not reach into blocks, as they do not reach into time off."""
    everybody = {block for several in blocks.values() for block in several if block.everybody}
    closed = frozenset(day for block in everybody for day in whole_days(clinic, (block.start, block.end)))
    away = tuple(_away(clinic, professional, blocks.get(professional.id, ())) for professional in professionals)
    return (replace(clinic, closed=clinic.closed | closed) if closed else clinic), away


def whole_days(clinic: Clinic, interval: Interval) -> list[date]:
    """The local days that [start, end) covers from midnight to midnight."""
    day, last = (at_minute(minute, clinic.timezone).date() for minute in interval)
    found = []
    while day <= last:
        begin, end = day_interval(clinic, day)
        if interval[0] <= begin and end <= interval[1]:
            found.append(day)
        day += _DAY
    return found


def day_interval(clinic: Clinic, first: date, last: date | None = None) -> Interval:
    """The local days `first` to `last` (the same where None) in epoch minutes."""
    midnights = (datetime.combine(day, time.min, clinic.timezone) for day in (first, (last or first) + _DAY))
    begin, end = map(epoch_minute, midnights)
    return begin, end


def _away(clinic: Clinic, professional: Professional, blocks: Iterable[Block]) -> Professional:
    added = tuple(
        TimeOff(at_minute(block.start, clinic.timezone), at_minute(block.end, clinic.timezone)) for block in blocks
    )
    return replace(professional, time_off=professional.time_off + added) if added else professional
