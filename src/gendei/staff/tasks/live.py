"""A clinic's tasks as they change: one watch a clinic and process, however many pages look."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from gendei.clinic import ClinicId
from gendei.documents import Documents
from gendei.staff.actors import Actor, Right
from gendei.staff.shared_watches import Feeds, merged
from gendei.staff.tasks.listed import FoundTasks, completed_tasks, pending_tasks
from gendei.staff.tasks.texts import TaskTexts


class TasksLive:
    """To be closed at the end."""

    def __init__(self, documents: Documents, texts: TaskTexts) -> None:
        self._documents, self._texts = documents, texts
        self._clinics: Feeds[ClinicId, FoundTasks] = Feeds(self._states)

    @asynccontextmanager
    async def follow(self, actor: Actor) -> AsyncIterator[AsyncIterator[FoundTasks]]:
        """The clinic's tasks now and after each change; a slow reader gets only the latest. Raises Forbidden; reading
        raises StoreError once the store cannot be watched any more: follow anew."""
        actor.require(Right.READ)
        async with self._clinics.follow(actor.clinic_id) as states:
            yield states

    async def close(self) -> None:
        """End every watch."""
        await self._clinics.close()

    async def _states(self, clinic_id: ClinicId) -> AsyncIterator[FoundTasks]:
        queries = (pending_tasks(clinic_id), completed_tasks(clinic_id))
        async for pending, completed in merged(self._documents, queries):
            yield FoundTasks(pending, completed, self._texts)
