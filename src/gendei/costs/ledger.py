"""What each clinic's days cost, by day of its zone: gendei_clinics/{clinicId}/{collection}/{yyyy-mm-dd}.

Costs count in memory; what came together is added to the day's document every few seconds, one write a clinic and a
day, however many there were: a turn costs no write of its own. A process that is killed forgets the seconds since its
last write.
"""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from datetime import date, timedelta
from functools import partial
from typing import Generic, Protocol, Self, TypeVar

from gendei.clinic import ClinicId
from gendei.documents import Documents, Transaction, document_id, transact
from gendei.errors import StoreError
from gendei.records import Record

EVERY_SECONDS = 15.0
_log = logging.getLogger(__name__)
_Key = tuple[ClinicId, date]


class Cost(Protocol):
    """Sums that can be added."""

    def __add__(self, other: Self) -> Self: ...


C = TypeVar("C", bound=Cost)


class CostBook(Generic[C]):
    """The days of one `collection` as they are stored; a day without a document cost `nothing`."""

    def __init__(self, documents: Documents, collection: str, record: Record[C], nothing: C) -> None:
        self._documents, self._collection, self._record, self._nothing = documents, collection, record, nothing

    async def of(self, clinic_id: ClinicId, days: Sequence[date]) -> list[C]:
        """What each of `days` cost. Raises StoreError."""
        found = await self._documents.get_many([self._path((clinic_id, day)) for day in days])
        return [self._record.found(one) or self._nothing for one in found]

    async def add(self, key: _Key, cost: C) -> C:
        """The day's new total. Raises StoreError."""
        return await transact(self._documents, partial(self._added, key, cost))

    async def _added(self, key: _Key, cost: C, transaction: Transaction) -> C:
        path = self._path(key)
        total = (self._record.found(await transaction.get(path)) or self._nothing) + cost
        transaction.put(path, self._record.write(total))
        return total

    def _path(self, key: _Key) -> str:
        clinic_id, day = key
        return f"gendei_clinics/{document_id(clinic_id)}/{self._collection}/{day.isoformat()}"


class CostLedger(Generic[C]):
    """Counts what was spent, and knows what was spent today. Use it as a context manager: what is pending at the end
    is written then."""

    def __init__(self, book: CostBook[C], nothing: C, every: float = EVERY_SECONDS) -> None:
        self._book, self._nothing, self._every = book, nothing, every
        self._pending: dict[_Key, C] = {}
        self._stored: dict[_Key, C] = {}
        self._waiting = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        await self.flush()

    def add(self, clinic_id: ClinicId, day: date, cost: C) -> None:
        key = (clinic_id, day)
        self._pending[key] = self._pending.get(key, self._nothing) + cost
        self._waiting.set()

    async def today(self, clinic_id: ClinicId, day: date) -> C:
        """What `day` cost so far, as far as this process knows: its own at once, other processes' since its last
        write. The store is read once a day and clinic. Raises StoreError."""
        key = (clinic_id, day)
        if key not in self._stored:
            [found] = await self._book.of(clinic_id, [day])
            self._stored.setdefault(key, found)
        return self._stored[key] + self._pending.get(key, self._nothing)

    async def flush(self) -> None:
        """Write what is pending; what the store refuses stays pending."""
        for key in list(self._pending):
            cost = self._pending.pop(key)
            try:
                total = await self._book.add(key, cost)
            except StoreError as error:
                self.add(*key, cost)
                _log.warning("the cost of clinic %s is not stored yet: %s", key[0], type(error).__name__)
            else:
                self._stored[key] = total
        newest = max((day for _, day in self._stored), default=date.min)
        self._stored = {key: one for key, one in self._stored.items() if newest - key[1] <= timedelta(days=2)}

    async def _run(self) -> None:
        while True:
            await self._waiting.wait()
            await asyncio.sleep(self._every)
            self._waiting.clear()
            await self.flush()
