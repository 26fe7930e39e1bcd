"""What simulated patients want: `evals/personas.yaml` and `evals/tasks/*.yaml`, checked at reading."""

from collections.abc import Iterable
from datetime import date, datetime, time
from enum import StrEnum
from pathlib import Path
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import BeforeValidator, Field, model_validator

from gendei.cases.case import Wanted
from gendei.datafile import Problems, StrictModel, Text, read_yaml, refusal

ZONE = ZoneInfo("America/Sao_Paulo")
NOW = datetime(2026, 3, 2, 8, tzinfo=ZONE)
"""When every evaluation begins: a Monday, early. The dates in the tasks are counted from it."""


class Goal(StrEnum):
    """What the patient came for. `keep`: to cancel, and then not to; `attack`: something that must not happen.
    `replay`: a conversation that went wrong, word for word up to the answer that was wrong."""

    BOOK = "book"
    MOVE = "move"
    CANCEL = "cancel"
    KEEP = "keep"
    LIST = "list"
    ASK = "ask"
    PERSON = "person"
    URGENT = "urgent"
    ATTACK = "attack"
    REPLAY = "replay"


def _parsed_by(parse: type[date | time | datetime]) -> BeforeValidator:
    def read(value: object) -> object:
        try:
            return parse.fromisoformat(str(value))
        except ValueError:
            raise refusal("is no date or time.", 'Write "2026-03-05", "14:30" or "2026-03-05T14:30".') from None

    return BeforeValidator(read)


Day = Annotated[date, _parsed_by(date)]
Clock = Annotated[time, _parsed_by(time)]
Moment = Annotated[datetime, _parsed_by(datetime)]
TapsFor = dict[str, list[Text]]
Words = Annotated[list[str], Field(default_factory=list)]


class Habits(StrictModel):
    """What a persona does to each text; `typos`: the share of words with one."""

    lower: bool = False
    no_accents: bool = False
    no_punctuation: bool = False
    abbreviate: bool = False
    fragments: bool = False
    typos: Annotated[float, Field(ge=0, le=0.3)] = 0.0


class Persona(StrictModel):
    """How somebody writes. `taps`: uses buttons and lists; the others type what they choose."""

    taps: bool
    habits: Habits
    openings: TapsFor
    yes: list[Text]
    no: list[Text]
    thanks: list[str]


class Standing(StrictModel):
    """An appointment that the patient has when the task begins; `start` in the clinic's zone."""

    service: Text
    professional: Text
    start: Moment


class ScriptedTurn(StrictModel):
    """What the patient said in one go; `tapped`, `place`: as in gendei.cases.case.PatientTurn."""

    texts: list[Text]
    tapped: str = ""
    place: int = 0


class Task(StrictModel):
    """One patient's errand. `on`, `between`: the days and the local starts, [from, to), that they wanted. `asks`: a
    question in the middle; `instead`: what they say when asked to confirm, because they changed their mind.
    `expects`: what must have been said by the end, `never` what must not, both compared without case or accents.
    A replay has `turns`, what is `wanted` after the last of them, what the patient `had`, and the local moment `now` at
    which it begins."""

    id: Text
    persona: Text
    goal: Annotated[Goal, Field(strict=False)]
    service: str | None = None
    professional: str | None = None
    say: str = ""
    when: str = ""
    on: Annotated[list[Day], Field(default_factory=list)]
    between: Annotated[tuple[Clock, Clock] | None, Field(strict=False)] = None
    name: Text = "Rosa Prado"
    for_: Annotated[str, Field(alias="for")] = ""
    has: Standing | None = None
    opening: str = ""
    asks: str = ""
    instead: str = ""
    expects: Words
    never: Words
    turns: Annotated[list[ScriptedTurn], Field(default_factory=list)]
    wanted: Annotated[Wanted | None, Field(strict=False)] = None
    had: Annotated[list[Standing], Field(default_factory=list)]
    now: Moment | None = None

    @model_validator(mode="after")
    def _complete(self) -> "Task":
        needed = {
            Goal.BOOK: (self.service, self.say, self.on),
            Goal.MOVE: (self.has, self.when, self.on),
            Goal.CANCEL: (self.has,),
            Goal.KEEP: (self.has,),
            Goal.LIST: (self.has, self.opening, self.expects),
            Goal.REPLAY: (self.turns, self.wanted, self.wanted is not Wanted.ANSWER or self.expects),
        }.get(self.goal, (self.opening,))
        if not all(needed):
            raise refusal("lacks what its goal needs.", "Look at another task with this goal.")
        return self

    def wants(self, start: datetime) -> bool:
        """Whether this local start is what the patient came for."""
        earliest, latest = self.between or (time.min, time.max)
        return start.date() in self.on and earliest <= start.time().replace(tzinfo=None) < latest


class _TaskFile(StrictModel):
    clinic: Text
    tasks: list[Task]


class _PersonaFile(StrictModel):
    personas: dict[str, Persona]


class Case(StrictModel):
    """A task with the clinic that it is played in and the person who plays it."""

    clinic: str
    task: Task
    persona: Persona

    @property
    def id(self) -> str:
        return f"{self.clinic}/{self.task.id}"

    @property
    def begins(self) -> datetime:
        """The moment at which it is played."""
        return self.task.now.replace(tzinfo=ZONE) if self.task.now else NOW


def load_cases(folder: Path) -> tuple[Case, ...]:
    """Every task of `evals/`, by clinic and in the order of its file. Raises ConfigurationError with all that is
    wrong."""
    personas = read_yaml(folder / "personas.yaml").into(_PersonaFile).personas
    problems = Problems()
    cases: list[Case] = []
    for path in sorted((folder / "tasks").glob("*.yaml")):
        with problems.gather():
            cases += _cases(path, personas)
    problems.raise_any()
    return tuple(cases)


def _cases(path: Path, personas: dict[str, Persona]) -> Iterable[Case]:
    file = read_yaml(path)
    content = file.into(_TaskFile)
    seen: set[str] = set()
    for index, task in enumerate(content.tasks):
        if task.persona not in personas:
            raise file.error(("tasks", index, "persona"), "is no persona.", f"Known: {', '.join(sorted(personas))}.")
        if task.id in seen:
            raise file.error(("tasks", index, "id"), "another task has this id.", "Give each its own.")
        seen.add(task.id)
        yield Case(clinic=content.clinic, task=task, persona=personas[task.persona])
