"""The clinic's tasks on an open page, kept as they are now."""

from collections.abc import Callable

from nicegui import ui

from gendei.staff.tasks.listed import FoundTasks, TaskList
from gendei.web.pages.acting import Acting
from gendei.web.pages.page_texts import page_texts

TEXTS = page_texts("tasks")

OVERDUE_SECONDS = 60.0
"""Interval at which a page looks for tasks that have become overdue."""


class FollowedTasks:
    """Calls `draw` once the browser is there, at each change, and as time passes. Ends with the slot it is made in."""

    def __init__(self, acting: Acting, draw: Callable[[TaskList], None]) -> None:
        self._acting, self._draw = acting, draw
        self._found: FoundTasks | None = None
        ui.timer(0, lambda: acting.follow(acting.gendei.tasks.live.follow, self._show), once=True)
        ui.timer(OVERDUE_SECONDS, self.draw)

    def draw(self) -> None:
        """Once more, where there is anything yet."""
        if self._found is not None:
            self._draw(self._found.at(self._acting.now))

    async def _show(self, found: FoundTasks) -> None:
        await self._acting.actor()
        self._found = found
        self.draw()


MOST_SHOWN = 99


class TasksBadge:
    """One count, shown in each menu of the page; in the colour of what is wrong where a task is overdue."""

    def __init__(self, acting: Acting) -> None:
        self._labels: list[ui.label] = []
        FollowedTasks(acting, self._show)

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
    parts = [("pending", found.pending)] + [("overdue", found.overdue)] * (found.overdue > 0)
    return ", ".join(TEXTS(f"{key}_one" if count == 1 else f"{key}_many", count=count) for key, count in parts)
