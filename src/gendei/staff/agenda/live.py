"""The agenda as it changes: one watch for each clinic and stretch of days, however many pages look."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple

from gendei.clinic import ClinicId
from gendei.documents import Documents, Query, document_id
from gendei.staff.actors import Actor, Right
from gendei.staff.shared_watches import Feeds, merged


class _Stretch(NamedTuple):
    clinic_id: ClinicId
    first: date
    days: int


class AgendaLive:
    """To be closed at the end."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._stretches: Feeds[_Stretch, int] = Feeds(self._changes)

    @asynccontextmanager
    async def follow(self, actor: Actor, first: date, days: int) -> AsyncIterator[AsyncIterator[int]]:
        """A number that rises with each change of the clinic's appointments and blocks on the local days from `first`
        on, whoever made it: read the view again. Raises Forbidden; reading raises StoreError once the store cannot be
        watched any more: follow anew."""
        actor.require(Right.READ)
        async with self._stretches.follow(_Stretch(actor.clinic_id, first, days)) as changes:
            yield changes

    async def close(self) -> None:
        """End every watch."""
        await self._stretches.close()

    async def _changes(self, stretch: _Stretch) -> AsyncIterator[int]:
        begin = datetime.combine(stretch.first, time.min, UTC) - timedelta(days=1)  # a day more than any zone needs
        end = begin + timedelta(days=stretch.days + 2)
        clinic = f"gendei_clinics/{document_id(stretch.clinic_id)}"
        queries = (
            Query(
                f"{clinic}/appointments",
                where=(("start", ">=", begin), ("start", "<", end)),
                order_by=(("start", False),),
            ),
            Query(f"{clinic}/blocks", where=(("end", ">", begin),), order_by=(("end", False),)),
        )
        count = 0
        async for _ in merged(self._documents, queries):
            count += 1
            yield count
