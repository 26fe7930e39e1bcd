"""A clinic's knowledge on an open page, told of each change."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from nicegui import ui

from gendei.documents import Query, Snapshot
from gendei.knowledge.entry import revision_path
from gendei.staff.actors import Actor, Right
from gendei.web.pages.acting import Acting


def follow_entries(acting: Acting, changed: Callable[[], Awaitable[object]]) -> None:
    """Call `changed` once the browser is there, and after each change of an entry by anybody. It ends with the slot
    that it is made in."""

    @asynccontextmanager
    async def states(actor: Actor) -> AsyncIterator[AsyncIterator[list[Snapshot]]]:
        actor.require(Right.READ)
        revisions = revision_path(actor.clinic_id).rpartition("/")[0]
        async with acting.gendei.documents.watch(Query(revisions)) as found:
            yield found

    async def show(_revision: list[Snapshot]) -> None:
        await changed()

    ui.timer(0, lambda: acting.follow(states, show), once=True)
