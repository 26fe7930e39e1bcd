"""A clinic's tasks as a list: which documents it is made of, its order and its counts."""

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from gendei.conversation.stored.follow_ups import Occasion
from gendei.documents import Documents, Query, Snapshot
from gendei.staff.actors import Actor, Right
from gendei.staff.shared_watches import Feeds, latest_of, merged
from gendei.staff.tasks.stored import Task, TaskStatus, seen_by, task_of
from gendei.staff.tasks.texts import TaskTexts

MOST_PENDING = 1000
"""More than these nobody can add, to the clinic's tasks or to the own personal ones."""
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


def pending_tasks(collection: str) -> Query:
    return Query(collection, (("status", "==", str(TaskStatus.PENDING)),), limit=MOST_PENDING)


def completed_tasks(collection: str) -> Query:
    return Query(
        collection,
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
        done = sorted((task_of(snapshot, self.texts, now) for snapshot in self.completed), key=_done_at, reverse=True)
        completed = tuple(done[:COMPLETED_SHOWN])
        shown = {TaskStatus.PENDING: pending, TaskStatus.COMPLETED: completed}
        return TaskList(
            tasks=shown[status] if status else pending + completed,
            pending=len(pending),
            overdue=sum(task.overdue for task in pending),
            completed=len(completed),
        )


def together(found: Sequence[FoundTasks], texts: TaskTexts) -> FoundTasks:
    """All of them as one list."""
    return FoundTasks(
        [task for each in found for task in each.pending], [task for each in found for task in each.completed], texts
    )


def _done_at(task: Task) -> datetime:
    return task.completed_at or _LONG_AGO


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
        self._collections: Feeds[str, FoundTasks] = Feeds(self._states)

    @asynccontextmanager
    async def follow(self, actor: Actor) -> AsyncIterator[AsyncIterator[FoundTasks]]:
        """What the actor sees of the tasks, now and after each change; a slow reader gets only the latest. Raises
        Forbidden; reading raises StoreError once the store cannot be watched any more: follow anew."""
        actor.require(Right.READ)
        async with AsyncExitStack() as stack:
            feeds = [await stack.enter_async_context(self._collections.follow(each)) for each in seen_by(actor)]
            yield await stack.enter_async_context(aclosing(self._joined(feeds)))

    async def _joined(self, feeds: Sequence[AsyncIterator[FoundTasks]]) -> AsyncGenerator[FoundTasks, None]:
        async with aclosing(latest_of(feeds)) as states:
            async for found in states:
                yield together(found, self._texts)

    async def close(self) -> None:
        """End every watch."""
        await self._collections.close()

    async def _states(self, collection: str) -> AsyncIterator[FoundTasks]:
        queries = (pending_tasks(collection), completed_tasks(collection))
        async for pending, completed in merged(self._documents, queries):
            yield FoundTasks(pending, completed, self._texts)
