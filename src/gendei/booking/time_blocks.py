"""Time that staff block, of one professional or of the whole clinic: gendei_clinics/{clinicId}/blocks/{id}.

The documents say why, by whom and for whom; what bookings obey is their copy on the pages of the agenda, written in the
same commit. An import of the clinic touches neither.
"""

import re
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import StrEnum
from typing import Annotated

from gendei.booking.agenda import AgendaEdit, Block, day_interval, whole_days
from gendei.booking.appointment import Appointment, Appointments
from gendei.booking.events import (
    AgendaEvent,
    AgendaPlace,
    Doer,
    DoerKind,
    EventKind,
    Stream,
    Tell,
    nobody_follows,
    still_ahead,
)
from gendei.booking.wallclock import Interval, at_minute, epoch_minute, epoch_minute_after
from gendei.clinic import DAY_MINUTES, Clinic
from gendei.clock import Clock, require_aware
from gendei.documents import Data, Documents, Query, Transaction, Write, document_id, transact
from gendei.errors import GendeiError, NotFound
from gendei.records import NOT_STORED, Local, Record

MOST_DAYS = 366
MAX_REASON = 200
_ID = re.compile("[0-9a-f]{12}")


class BlockRefusal(StrEnum):
    """NO_TIME: it ends before it begins. TOO_LONG: more than 366 days. TOO_FAR: it ends more than three times as far
    away. PAST: it is over already. UNKNOWN_PROFESSIONAL: the clinic has none such. APPOINTMENTS: some stand there."""

    NO_TIME = "no_time"
    TOO_LONG = "too_long"
    TOO_FAR = "too_far"
    PAST = "past"
    UNKNOWN_PROFESSIONAL = "unknown_professional"
    APPOINTMENTS = "appointments"


class BlockRefused(GendeiError):
    """The time was not blocked and nothing was changed. `standing`: the appointments in the way, by start."""

    def __init__(self, reason: BlockRefusal, standing: tuple[Appointment, ...] = ()) -> None:
        self.reason, self.standing = reason, standing
        super().__init__(f"not blocked: {reason}")


@dataclass(frozen=True, slots=True)
class BlockWish:
    """What to block: [start, end) (aware; widened to whole minutes) of a professional, or of the whole clinic where
    None. despite_appointments: also where appointments stand, which then are left as they are."""

    professional_id: str | None
    start: datetime
    end: datetime
    reason: str = ""
    despite_appointments: bool = False

    def __post_init__(self) -> None:
        require_aware(self.start)
        require_aware(self.end)

    @classmethod
    def whole_days(
        cls, clinic: Clinic, first: date, last: date, reason: str = "", *, despite_appointments: bool = False
    ) -> "BlockWish":
        """The whole clinic, closed on the local days `first` to `last`."""
        start, end = (at_minute(minute, clinic.timezone) for minute in day_interval(clinic, first, last))
        return cls(None, start, end, reason, despite_appointments)


@dataclass(frozen=True, slots=True)
class TimeBlock:
    """[start, end), aware, in the clinic's zone, whole minutes. `professional_id` None: of the whole clinic.
    `days`: the local days that it closes for the whole clinic. `by`: the member of staff's name."""

    id: Annotated[str, NOT_STORED]
    professional_id: str | None
    start: Local
    end: Local
    reason: str
    by: str
    created_at: Local
    days: Annotated[tuple[date, ...], NOT_STORED] = ()

    @property
    def interval(self) -> Interval:
        return epoch_minute(self.start), epoch_minute(self.end)


TIME_BLOCK = Record(TimeBlock, "gendei_clinics/{clinicId}/blocks/{id}")

Beside = Callable[[TimeBlock], Sequence[Write]]
"""More writes of the same commit."""


class TimeBlocks:
    """The repository of blocks; every call is about one clinic. `tell`: gets an event when a block is removed."""

    def __init__(self, documents: Documents, clock: Clock, tell: Tell = nobody_follows) -> None:
        self._documents, self._clock, self._tell = documents, clock, tell
        self._appointments = Appointments(documents, clock)

    async def add(self, clinic: Clinic, wish: BlockWish, *, by: str, beside: Beside = lambda _block: ()) -> TimeBlock:
        """Block what is wished. by: the name of who does. Raises BlockRefused; with APPOINTMENTS it tells which."""
        professional_id = wish.professional_id
        now = clinic.local(self._clock())
        interval = epoch_minute(wish.start), epoch_minute_after(wish.end)
        _require_possible(clinic, professional_id, interval, now)
        start, end = (at_minute(minute, clinic.timezone) for minute in interval)
        reason = wish.reason.strip()[:MAX_REASON]
        block = _made(clinic, TimeBlock(secrets.token_hex(6), professional_id, start, end, reason, by, now))
        mark = Block(*interval, professional_id is None)

        async def attempt(transaction: Transaction) -> TimeBlock:
            edit = AgendaEdit(transaction, clinic, now)
            whose = await _load(edit, professional_id, interval)
            standing = {appointment_id for each in whose for appointment_id in edit.taken_within(each, interval)}
            if standing and not wish.despite_appointments:
                raise _Standing(standing)
            for each in whose:
                edit.block(each, block.id, mark)
            if mark.everybody:
                edit.close(block.id, mark)
            edit.save()
            transaction.create(_path(clinic, block.id), TIME_BLOCK.write(block))
            for write in beside(block):
                transaction.create(write.path, write.data or {})
            return block

        try:
            return await transact(self._documents, attempt)
        except _Standing as found:
            standing = [await self._appointments.get(clinic, None, appointment_id) for appointment_id in found.ids]
            raise BlockRefused(
                BlockRefusal.APPOINTMENTS, tuple(sorted(standing, key=lambda appointment: appointment.interval))
            ) from None

    async def remove(
        self, clinic: Clinic, block_id: str, *, user_id: str = "", beside: Beside = lambda _block: ()
    ) -> TimeBlock:
        """Give the time back; the block that was. user_id: of the member of staff, as in the audit. Raises NotFound."""
        path = _path(clinic, block_id)

        async def attempt(transaction: Transaction) -> TimeBlock:
            data = (await transaction.get(path)).data
            if data is None:
                raise NotFound
            block, now = _block(clinic, block_id, data), clinic.local(self._clock())
            edit = AgendaEdit(transaction, clinic, now)
            for each in await _load(edit, block.professional_id, block.interval):
                edit.unblock(each, block_id, block.interval)
            edit.reopen(block_id)
            edit.save()
            transaction.delete(path)
            self._tell(transaction, still_ahead(_freed(clinic, block, now, Doer(DoerKind.STAFF, user_id))))
            for write in beside(block):
                transaction.create(write.path, write.data or {})
            return block

        return await transact(self._documents, attempt)

    async def between(self, clinic: Clinic, first: date, last: date) -> list[TimeBlock]:
        """Everything that is blocked on the local days `first` to `last`, by start."""
        begin, end = day_interval(clinic, first, last)
        after = at_minute(begin, clinic.timezone)
        query = Query(_collection(clinic), where=(("end", ">", after),), order_by=(("end", False),))
        found = [_block(clinic, snapshot.id, snapshot.data) for snapshot in await self._documents.query(query)]
        return sorted(
            (block for block in found if block.interval[0] < end), key=lambda block: (block.interval[0], block.id)
        )


def _freed(clinic: Clinic, block: TimeBlock, now: datetime, doer: Doer) -> AgendaEvent:
    place = AgendaPlace(block.professional_id, block.start, block.end)
    return AgendaEvent(EventKind.TIME_FREED, Stream(clinic.id, f"block:{block.id}"), 1, now, doer, place)


def _require_possible(clinic: Clinic, professional_id: str | None, interval: Interval, now: datetime) -> None:
    unknown = professional_id is not None and clinic.professional(professional_id) is None
    present, far = epoch_minute(now), MOST_DAYS * DAY_MINUTES
    refusals = (
        (BlockRefusal.UNKNOWN_PROFESSIONAL, unknown),
        (BlockRefusal.NO_TIME, interval[0] >= interval[1]),
        (BlockRefusal.PAST, interval[1] <= present),
        (BlockRefusal.TOO_FAR, interval[1] > present + 3 * far),
        (BlockRefusal.TOO_LONG, interval[1] - interval[0] > far),
    )
    for reason, holds in refusals:
        if holds:
            raise BlockRefused(reason)


class _Standing(GendeiError):
    """Appointments are in the way; what they are is read when the transaction is over."""

    def __init__(self, ids: set[str]) -> None:
        self.ids = ids
        super().__init__("appointments are in the way")


async def _load(edit: AgendaEdit, professional_id: str | None, interval: Interval) -> list[str]:
    """Load every page that the block stands on; whose they are."""
    if professional_id is None:
        return await edit.load_everybody(interval)
    await edit.load(professional_id, interval)
    return [professional_id]


def _collection(clinic: Clinic) -> str:
    return f"gendei_clinics/{document_id(clinic.id)}/blocks"


def _path(clinic: Clinic, block_id: str) -> str:
    if not _ID.fullmatch(block_id):
        raise NotFound
    return f"{_collection(clinic)}/{block_id}"


def _block(clinic: Clinic, block_id: str, data: Data | None) -> TimeBlock:
    """The block of a document, in the clinic's zone."""
    return _made(clinic, TIME_BLOCK.read(data, zone=clinic.timezone, id=block_id))


def _made(clinic: Clinic, block: TimeBlock) -> TimeBlock:
    """`block` with the days that it closes."""
    return replace(block, days=tuple(whole_days(clinic, block.interval))) if block.professional_id is None else block
