"""What each clinic's days cost, one document a clinic and day of its zone.

Costs count in memory; what came together is added to the day's document every few seconds, one write a clinic and a
day, however many there were: a turn costs no write of its own. A process that is killed forgets the seconds since its
last write.
"""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from datetime import date, timedelta
from functools import partial
from typing import Generic, Self, TypeVar

from gendei.clinic import ClinicId
from gendei.documents import Documents, Transaction, document_id, transact
from gendei.errors import StoreError
from gendei.records import Record

MICRO = 1_000_000
"""Costs are in millionths of a US dollar."""
EVERY_SECONDS = 15.0
_log = logging.getLogger(__name__)
_Key = tuple[ClinicId, date]


@dataclass(frozen=True, slots=True)
class Cost:
    """Sums, all of which are 0 when nothing is given."""

    def __add__(self, other: Self) -> Self:
        return type(self)(*(getattr(self, field.name) + getattr(other, field.name) for field in fields(self)))


C = TypeVar("C", bound=Cost)


class CostLedger(Generic[C]):
    """The days of `record`, whose one path has the places {clinicId} and {yyyy-mm-dd}. Use it as a context manager:
    what is pending at the end is written then. every: seconds between writes."""

    def __init__(self, documents: Documents, record: Record[C], every: float = EVERY_SECONDS) -> None:
        self._documents, self._record, self._nothing, self._every = documents, record, record.kind(), every
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

    async def stored(self, clinic_id: ClinicId, days: Sequence[date]) -> list[C]:
        """What each of `days` cost, as it is stored. Raises StoreError."""
        found = await self._documents.get_many([self._path((clinic_id, day)) for day in days])
        return [self._record.found(snapshot) or self._nothing for snapshot in found]

    async def today(self, clinic_id: ClinicId, day: date) -> C:
        """What `day` cost so far, as far as this process knows: its own at once, other processes' since its last
        write. The store is read once a day and clinic. Raises StoreError."""
        key = (clinic_id, day)
        if key not in self._stored:
            [found] = await self.stored(clinic_id, [day])
            self._stored.setdefault(key, found)
        return self._stored[key] + self._pending.get(key, self._nothing)

    async def flush(self) -> None:
        """Write what is pending; what the store refuses stays pending."""
        for key in list(self._pending):
            cost = self._pending.pop(key)
            try:
                total = await transact(self._documents, partial(self._added, key, cost))
            except StoreError as error:
                self.add(*key, cost)
                _log.warning("the cost of clinic %s is not stored yet: %s", key[0], type(error).__name__)
            else:
                self._stored[key] = total
        newest = max((day for _, day in self._stored), default=date.min)
        self._stored = {key: cost for key, cost in self._stored.items() if newest - key[1] <= timedelta(days=2)}

    async def _added(self, key: _Key, cost: C, transaction: Transaction) -> C:
        path = self._path(key)
        total = (self._record.found(await transaction.get(path)) or self._nothing) + cost
        transaction.put(path, self._record.write(total))
        return total

    def _path(self, key: _Key) -> str:
        clinic_id, day = key
        return self._record.paths[0].format_map({"clinicId": document_id(clinic_id), "yyyy-mm-dd": day.isoformat()})

    async def _run(self) -> None:
        while True:
            await self._waiting.wait()
            await asyncio.sleep(self._every)
            self._waiting.clear()
            await self.flush()
