"""The sentences that staff read about tasks, from `prompts/tasks.yaml`."""

from enum import StrEnum
from typing import Annotated

from gendei.conversation.stored.follow_ups import Occasion
from gendei.datafile import Text
from gendei.texts import Catalogue, Each, Holds, fill


class TaskFault(StrEnum):
    """Why nothing was done with a task."""

    TITLE_BLANK = "title_blank"
    TITLE_TOO_LONG = "title_too_long"
    DESCRIPTION_TOO_LONG = "description_too_long"
    DUE_UNCLEAR = "due_unclear"
    DUE_TWO_DAYS = "due_two_days"
    DUE_PAST = "due_past"
    TOO_MANY = "too_many"
    NONE_FOUND = "none_found"
    SEVERAL_FOUND = "several_found"
    ONE_AT_A_TIME = "one_at_a_time"
    NOTHING_CHANGED = "nothing_changed"
    PERSONAL_OF_NOBODY = "personal_of_nobody"
    PERSONAL_OF_ANOTHER = "personal_of_another"


class TaskTexts(Catalogue):
    """`occasions`: titles of tasks that nobody wrote, of `patient` where the name is not known. `everything`: words
    that ask for all tasks at once."""

    file_name = "tasks.yaml"
    occasions: Annotated[dict[str, Text], Each(Occasion), Holds(("patient",))]
    patient: Text
    faults: Annotated[dict[str, Text], Each(TaskFault), Holds(("title", "titles", "due", "first", "second", "example"))]
    everything: list[Text]

    def title(self, occasion: Occasion, patient: str | None) -> str:
        return fill(self.occasions[occasion], {"patient": patient or self.patient})

    def fault(self, fault: TaskFault, **values: str) -> str:
        return fill(self.faults[fault], values)
