"""Who writes to the clinic on its day, and what about: `people.yaml`."""

from datetime import datetime, timedelta
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from gendei.datafile import StrictModel, Text, read_yaml
from gendei.evaluation.tasks import NOW, Case, Persona, Standing, Task, load_cases

HERE = Path(__file__).parent
CLINIC = "boa-vida"
MONDAY = NOW.replace(hour=0)


class Kind(StrEnum):
    """What a conversation is about."""

    BOOK = "book"
    MOVE = "move"
    CANCEL = "cancel"
    OWN = "own"
    CONFIRM = "confirm"
    QUESTION = "question"
    PRICE = "price"
    PLAN = "plan"
    LATE = "late"
    COMPLAINT = "complaint"
    DANGER = "danger"
    PERSON = "person"
    FILE = "file"
    CHILD = "child"
    WRONG = "wrong"
    RETURNS = "returns"
    LANGUAGE = "language"


class Part(StrictModel):
    """at: when it begins; without one, when the part before it is over. thanks: the patient waits for a person, and
    thanks."""

    at: Annotated[str, StringConstraints(pattern=r"^((mon|tue) \d\d:\d\d)?$")] = ""
    persona: str = ""
    task: Annotated[dict[str, Any], Field(default_factory=dict)]
    says: Annotated[tuple[str, ...], Field(strict=False)] = ()
    taps: str = ""
    sends: Literal["", "voice", "picture", "document"] = ""
    caption: str = ""
    thanks: bool = False

    @property
    def begins(self) -> datetime | None:
        if not self.at:
            return None
        day, _, clock = self.at.partition(" ")
        hour, minute = map(int, clock.split(":"))
        return MONDAY + timedelta(days=("mon", "tue").index(day), hours=hour, minutes=minute)


class Person(StrictModel):
    """A patient. `has`: a visit that stands before the day."""

    name: Text
    kind: Annotated[Kind, Field(strict=False)]
    has: Standing | None = None
    parts: Annotated[tuple[Part, ...], Field(strict=False)]

    def case(self, part: Part) -> Case:
        """The errand of a part, as the evaluation's patients have it."""
        given = {"id": self.kind, "persona": part.persona, "name": self.name, "has": self.has} | part.task
        return Case(clinic=CLINIC, task=Task.model_validate(given), persona=_personas()[part.persona])


class _File(StrictModel):
    people: Annotated[tuple[Person, ...], Field(strict=False)]


@cache
def everybody() -> tuple[Person, ...]:
    return read_yaml(HERE / "people.yaml").into(_File).people


@cache
def _personas() -> dict[str, Persona]:
    return {case.task.persona: case.persona for case in load_cases(HERE.parents[1] / "evals")}
