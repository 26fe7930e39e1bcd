"""What staff write of a task, checked: pure, from their words to the fields of the document."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from unicodedata import category

from gendei.booking.dates import describe, resolve
from gendei.errors import GendeiError
from gendei.staff.tasks.stored import Due, Task
from gendei.staff.tasks.texts import TaskFault, TaskTexts

MAX_TITLE, MAX_DESCRIPTION = 200, 1000
_KEPT = "\n\t\u200d"


class TaskRefused(GendeiError):
    """Nothing was done. `fault`: why; `text`: the same for staff, in Portuguese; `candidates`: the tasks, or `days`:
    the times that may have been meant."""

    def __init__(
        self, fault: TaskFault, text: str, candidates: tuple[Task, ...] = (), days: tuple[Due, ...] = ()
    ) -> None:
        self.fault, self.text, self.candidates, self.days = fault, text, candidates, days
        super().__init__(f"task: {fault}")


def visible(text: str) -> str:
    """`text` without what nobody sees and what turns round how the rest is read; lines and the joints of emoji stay."""
    return "".join(character if character in _KEPT or category(character)[0] != "C" else " " for character in text)


@dataclass(frozen=True, slots=True)
class TaskFields:
    """Raises TaskRefused for what cannot stand in a task."""

    texts: TaskTexts

    def title(self, title: str) -> str:
        clean = " ".join(visible(title).split())
        if not any(category(character)[0] not in "CZ" for character in clean):
            raise self.refused(TaskFault.TITLE_BLANK)
        if len(clean) > MAX_TITLE:
            raise self.refused(TaskFault.TITLE_TOO_LONG)
        return clean

    def description(self, description: str) -> str:
        clean = visible(description).strip()
        if len(clean) > MAX_DESCRIPTION:
            raise self.refused(TaskFault.DESCRIPTION_TOO_LONG)
        return clean

    def due(self, text: str, now: datetime) -> Due | None:
        """None for "". The last day of several ("semana que vem"); a time alone is the next one to come; of what may be
        two days ("quinta que vem") neither. `now`: local."""
        if not text.strip():
            return None
        found = resolve(text, now)
        if found is None or found.impossible or (found.date is None and found.time is None):
            raise self.refused(TaskFault.DUE_UNCLEAR, due=text.strip())
        meant = tuple(due for day in found.alternatives if not (due := Due(day, found.time)).over(now))
        if len(meant) > 1:
            raise self._which(text, meant, now)
        day = found.end_date or found.date
        if day is None:
            day = now.date() + timedelta(days=found.time is not None and found.time <= now.time())
        due = Due(day, found.time)
        if due.over(now):
            raise self.refused(TaskFault.DUE_PAST, due=text.strip())
        return due

    def _which(self, text: str, meant: tuple[Due, ...], now: datetime) -> TaskRefused:
        first, second = (describe(due.day, now) for due in (meant[0], meant[-1]))
        fault = TaskFault.DUE_TWO_DAYS
        said = self.texts.fault(fault, due=text.strip(), first=first, second=second, example=f"{meant[0].day:%d/%m}")
        return TaskRefused(fault, said, days=meant)

    def refused(self, fault: TaskFault, candidates: tuple[Task, ...] = (), **values: str) -> TaskRefused:
        return TaskRefused(fault, self.texts.fault(fault, **values), candidates)
