"""A clinic's tasks as a list: which documents it is made of, its order and its counts."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from gendei.clinic import ClinicId
from gendei.conversation.stored.follow_ups import Occasion, tasks_of
from gendei.documents import Documents, Query, Snapshot
from gendei.staff.actors import Actor, Right
from gendei.staff.shared_watches import Feeds, merged
from gendei.staff.tasks.stored import Task, TaskStatus, task_of
from gendei.staff.tasks.texts import TaskTexts

MOST_PENDING = 1000
"""More than these nobody can add."""
COMPLETED_SHOWN = 100
"""Completed tasks that a list holds, those done last; the others stay in the store."""
_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class TaskList:
    """`tasks`: pending ones, first those overdue, then urgencies, then who waits for longer than promised, then by due
    date, those without one behind them; then completed ones, the last done first.
    `pending`, `overdue`: how many there are of all; `completed`: at most COMPLETED_SHOWN."""

    tasks: tuple[Task, ...]
    pending: int
    overdue: int
    completed: int


def pending_tasks(clinic_id: ClinicId) -> Query:
    return Query(tasks_of(clinic_id), (("status", "==", str(TaskStatus.PENDING)),), limit=MOST_PENDING)


def completed_tasks(clinic_id: ClinicId) -> Query:
    return Query(
        tasks_of(clinic_id),
        where=(("completedAt", ">", _LONG_AGO),),
        order_by=(("completedAt", True),),
        limit=COMPLETED_SHOWN,
    )


@dataclass(frozen=True, slots=True)
class FoundTasks:
    """What `pending_tasks` and `completed_tasks` found."""

    pending: Sequence[Snapshot]
    completed: Sequence[Snapshot]
    texts: TaskTexts

    def at(self, now: datetime, status: TaskStatus | None = None) -> TaskList:
        """The tasks of `status`, or all; the counts are of all in any case. `now`: in the clinic's zone."""
        pending = tuple(sorted((task_of(snapshot, self.texts, now) for snapshot in self.pending), key=_urgency))
        completed = tuple(task_of(snapshot, self.texts, now) for snapshot in self.completed)
        shown = {TaskStatus.PENDING: pending, TaskStatus.COMPLETED: completed}
        return TaskList(
            tasks=shown[status] if status else pending + completed,
            pending=len(pending),
            overdue=sum(task.overdue for task in pending),
            completed=len(completed),
        )


_FIRST = {Occasion.URGENCY: 0, Occasion.OVERDUE: 1}


def _urgency(task: Task) -> tuple[bool, int, bool, str, str, datetime]:
    due, occasion = task.due, task.occasion
    return (
        not task.overdue,
        len(_FIRST) if occasion is None else _FIRST.get(occasion, len(_FIRST)),
        due is None,
        str(due.day) if due else "",
        str(due.at or "24") if due else "",
        task.created_at,
    )


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
