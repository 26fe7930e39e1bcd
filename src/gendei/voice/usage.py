"""What each clinic's speech cost, by day: gendei_clinics/{clinicId}/speech_usage/{yyyy-mm-dd}, in the clinic's zone.

Counted in memory and written together every few seconds; a process that is killed forgets the seconds since then.
"""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from datetime import date
from functools import partial
from typing import Self

from gendei.clinic import ClinicId
from gendei.documents import Data, Documents, Transaction, document_id, transact
from gendei.errors import StoreError

EVERY_SECONDS = 15.0
MICRO = 1_000_000
_log = logging.getLogger(__name__)
_Key = tuple[ClinicId, date]


@dataclass(frozen=True, slots=True)
class SpeechSpent:
    """Sums. `heard_ms`: of notes that a service transcribed; `spoken_characters`: that one read aloud; `failed`: calls
    that came to nothing. `cost_micros`: millionths of a US dollar, by the prices of the settings."""

    heard: int = 0
    heard_ms: int = 0
    spoken: int = 0
    spoken_characters: int = 0
    failed: int = 0
    cost_micros: int = 0

    def __add__(self, other: "SpeechSpent") -> "SpeechSpent":
        return SpeechSpent(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(self)))

    def to_document(self) -> Data:
        return {name: getattr(self, attribute) for attribute, name in _FIELDS.items()}

    @classmethod
    def from_document(cls, data: Data | None) -> "SpeechSpent":
        """What a document holds; nothing where there is none."""
        return cls(**{attribute: (data or {}).get(name, 0) for attribute, name in _FIELDS.items()})


_FIELDS = {
    "heard": "heard",
    "heard_ms": "heardMs",
    "spoken": "spoken",
    "spoken_characters": "spokenCharacters",
    "failed": "failed",
    "cost_micros": "costMicros",
}


@dataclass(frozen=True, slots=True)
class Prices:
    """US dollars: for a minute that is transcribed, and for a million characters that are spoken."""

    minute: float
    million_characters: float

    def of_hearing(self, seconds: float) -> SpeechSpent:
        return SpeechSpent(
            heard=1, heard_ms=round(seconds * 1000), cost_micros=round(seconds / 60 * self.minute * MICRO)
        )

    def of_speaking(self, text: str) -> SpeechSpent:
        return SpeechSpent(
            spoken=1, spoken_characters=len(text), cost_micros=round(len(text) * self.million_characters)
        )


class SpeechLedger:
    """Use it as a context manager: what is pending at the end is written then."""

    def __init__(self, documents: Documents, every: float = EVERY_SECONDS) -> None:
        self._documents = documents
        self._every = every
        self._pending: dict[_Key, SpeechSpent] = {}
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

    def add(self, clinic_id: ClinicId, day: date, spent: SpeechSpent) -> None:
        self._pending[clinic_id, day] = self._pending.get((clinic_id, day), SpeechSpent()) + spent
        self._waiting.set()

    async def flush(self) -> None:
        """Write what is pending; what the store refuses stays pending."""
        for key in list(self._pending):
            spent = self._pending.pop(key)
            try:
                await transact(self._documents, partial(_add, key, spent))
            except StoreError as error:
                self.add(*key, spent)
                _log.warning("the cost of clinic %s is not stored yet: %s", key[0], type(error).__name__)

    async def _run(self) -> None:
        while True:
            await self._waiting.wait()
            await asyncio.sleep(self._every)
            self._waiting.clear()
            await self.flush()


def usage_path(clinic_id: ClinicId, day: date) -> str:
    return f"gendei_clinics/{document_id(clinic_id)}/speech_usage/{day.isoformat()}"


async def _add(key: _Key, spent: SpeechSpent, transaction: Transaction) -> None:
    path = usage_path(*key)
    total = SpeechSpent.from_document((await transaction.get(path)).data) + spent
    transaction.put(path, total.to_document())


async def speech_usage(documents: Documents, clinic_id: ClinicId, days: Sequence[date]) -> list[SpeechSpent]:
    """What each of `days` (of the clinic's zone) cost, as it is stored."""
    found = await documents.get_many([usage_path(clinic_id, day) for day in days])
    return [SpeechSpent.from_document(one.data) for one in found]
