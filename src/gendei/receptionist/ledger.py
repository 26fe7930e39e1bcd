"""What each clinic's conversations cost in language models, by day, in the store.

Turns count in memory; what came together is added to the day's document every few seconds, one write a clinic and a
day, however many turns there were: a turn costs no write of its own. A process that is killed forgets the seconds
since its last write.
"""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from datetime import date, timedelta
from functools import partial
from typing import Self

from gendei.clinic import ClinicId
from gendei.documents import Documents, Transaction, transact
from gendei.errors import StoreError
from gendei.receptionist.usage import Spent

EVERY_SECONDS = 15.0
_log = logging.getLogger(__name__)
_Key = tuple[ClinicId, date]


def usage_path(clinic_id: ClinicId, day: date) -> str:
    return f"gendei_clinics/{clinic_id}/model_usage/{day.isoformat()}"


class UsageLedger:
    """Counts what was spent, and knows what was spent today. Days are of the clinic's zone."""

    def __init__(self, documents: Documents, every: float = EVERY_SECONDS) -> None:
        self._documents = documents
        self._every = every
        self._pending: dict[_Key, Spent] = {}
        self._stored: dict[_Key, Spent] = {}
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

    def add(self, clinic_id: ClinicId, day: date, spent: Spent) -> None:
        key = (clinic_id, day)
        self._pending[key] = self._pending.get(key, Spent()) + spent
        self._waiting.set()

    async def today(self, clinic_id: ClinicId, day: date) -> Spent:
        """What `day` cost so far, as far as this process knows: its own turns at once, other processes' since its last
        write. The store is read once a day and clinic. Raises StoreError."""
        key = (clinic_id, day)
        if key not in self._stored:
            found = await self._documents.get(usage_path(*key))
            self._stored.setdefault(key, Spent.from_document(found.data))
        return self._stored[key] + self._pending.get(key, Spent())

    async def flush(self) -> None:
        """Write what is pending; what the store refuses stays pending."""
        for key in list(self._pending):
            spent = self._pending.pop(key)
            try:
                total = await transact(self._documents, partial(_add, key, spent))
            except StoreError as error:
                self.add(*key, spent)
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


async def _add(key: _Key, spent: Spent, transaction: Transaction) -> Spent:
    path = usage_path(*key)
    total = Spent.from_document((await transaction.get(path)).data) + spent
    transaction.put(path, total.to_document())
    return total


async def usage_of(documents: Documents, clinic_id: ClinicId, days: Sequence[date]) -> list[Spent]:
    """What each of `days` (of the clinic's zone) cost, as it is stored."""
    found = await documents.get_many([usage_path(clinic_id, day) for day in days])
    return [Spent.from_document(one.data) for one in found]
