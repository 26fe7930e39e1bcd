"""The sentences that staff read about tasks, from `prompts/tasks.yaml`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import AfterValidator, Field

from gendei.conversation.follow_ups import Occasion
from gendei.datafile import StrictModel, Text, read_yaml, refusal

FILE = "tasks.yaml"
E = TypeVar("E", bound=StrEnum)


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


def _each(kind: type[E]) -> Callable[[dict[E, str]], dict[E, str]]:
    def complete(texts: dict[E, str]) -> dict[E, str]:
        missing = [one for one in kind if one not in texts]
        if missing:
            raise refusal(f"{missing[0]} is missing.", "Write a sentence for staff.")
        return texts

    return complete


class _File(StrictModel):
    occasions: Annotated[dict[Annotated[Occasion, Field(strict=False)], Text], AfterValidator(_each(Occasion))]
    patient: Text
    faults: Annotated[dict[Annotated[TaskFault, Field(strict=False)], Text], AfterValidator(_each(TaskFault))]
    everything: list[Text]


@dataclass(frozen=True, slots=True)
class TaskTexts:
    """`occasions`: titles of tasks that nobody wrote, of `patient` where the name is not known. `everything`: words
    that ask for all tasks at once."""

    occasions: Mapping[Occasion, str]
    patient: str
    faults: Mapping[TaskFault, str]
    everything: tuple[str, ...]

    def title(self, occasion: Occasion, patient: str | None) -> str:
        return self.occasions[occasion].replace("{patient}", patient or self.patient)

    def fault(self, fault: TaskFault, **values: str) -> str:
        text = self.faults[fault]
        for name, value in values.items():
            text = text.replace(f"{{{name}}}", value)
        return text


def load_task_texts(folder: Path) -> TaskTexts:
    """The sentences of `folder`. Raises ConfigurationError for one that is unknown or missing."""
    content = read_yaml(folder / FILE).into(_File)
    return TaskTexts(content.occasions, content.patient, content.faults, tuple(content.everything))
