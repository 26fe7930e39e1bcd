"""The clinic's tasks on an open page, kept as they are now."""

import asyncio
from collections.abc import Callable

from nicegui import ui

from gendei.app import Gendei
from gendei.clinic import Clinic
from gendei.errors import StoreError
from gendei.staff.actors import Forbidden
from gendei.staff.tasks.listed import FoundTasks, TaskList
from gendei.web.pages.page_texts import page_texts
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


MOST_SHOWN = 99


class TasksBadge:
    """One count, shown in each menu of the page; in the colour of what is wrong where a task is overdue."""

    def __init__(self, gendei: Gendei, clinic: Clinic) -> None:
        self._labels: list[ui.label] = []
        FollowedTasks(gendei, clinic, self._show)

    def place(self) -> None:
        """Here."""
        label = ui.label().classes("g-badge")
        label.set_visibility(False)
        self._labels.append(label)

    def _show(self, found: TaskList) -> None:
        told, count = counted(found), str(found.pending or "")
        for label in self._labels:
            label.set_text(count if found.pending <= MOST_SHOWN else f"{MOST_SHOWN}+")
            label.set_visibility(found.pending > 0)
            label.classes(**{"add" if found.overdue else "remove": "g-badge-bad"})
            label.props["title"] = label.props["aria-label"] = told
            label.update()


def counted(found: TaskList) -> str:
    """ "3 pendentes, 1 atrasada"."""
    words = page_texts("tasks")
    parts = [("pending", found.pending)] + [("overdue", found.overdue)] * (found.overdue > 0)
    return ", ".join(words[f"{key}_one" if count == 1 else f"{key}_many"].format(count=count) for key, count in parts)
