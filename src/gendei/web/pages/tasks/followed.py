"""The clinic's tasks on an open page, kept as they are now."""

import asyncio
from collections.abc import Callable

from nicegui import ui

from gendei.app import Gendei
from gendei.clinic import Clinic
from gendei.errors import StoreError
from gendei.staff.actors import Forbidden
from gendei.staff.tasks.listed import FoundTasks, TaskList
from gendei.web.pages.signed_in import SignedOut, present_actor

RETRY_SECONDS = 3.0
OVERDUE_SECONDS = 60.0
"""How soon a page shows that a task has become overdue."""


class FollowedTasks:
    """Calls `draw` once the browser is there, at each change, and as time passes. Ends with the slot it is made in."""

    def __init__(self, gendei: Gendei, clinic: Clinic, draw: Callable[[TaskList], None]) -> None:
        self._gendei, self._clinic, self._draw = gendei, clinic, draw
        self._client = ui.context.client
        self._found: FoundTasks | None = None
        ui.timer(0, self._follow, once=True)
        ui.timer(OVERDUE_SECONDS, self.draw)

    def draw(self) -> None:
        """Once more, where there is anything yet."""
        if self._found is not None:
            self._draw(self._found.at(self._clinic.local(self._gendei.clock())))

    async def _follow(self) -> None:
        while True:
            try:
                actor = await present_actor(self._client, is_use=False)
                async with self._gendei.tasks.live.follow(actor) as states:
                    async for self._found in states:
                        await present_actor(self._client, is_use=False)
                        self.draw()
            except (SignedOut, Forbidden):
                return
            except StoreError:
                await asyncio.sleep(RETRY_SECONDS)
