"""How many tasks wait, beside their name in the menu: seen from every page."""

from nicegui import ui

from gendei.app import Gendei
from gendei.clinic import Clinic
from gendei.staff.tasks.listed import TaskList
from gendei.web.pages.tasks.followed import FollowedTasks
from gendei.web.pages.texts import page_texts

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
