"""A tool for models that work for staff: what it is called with, what it may do, and what it does."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from inspect import getdoc
from typing import Annotated, Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field, field_validator
from pydantic_core import PydanticCustomError

from gendei.clinic import Clinic
from gendei.clock import Clock
from gendei.conversation.ports import Clinics
from gendei.conversation.site.web_channel import has_words
from gendei.documents import Documents
from gendei.staff.actors import Actor, Right
from gendei.staff.agenda.desk import AgendaDesk
from gendei.staff.audit import Audit
from gendei.staff.inbox.desk import FrontDesk
from gendei.staff.tasks.tasks import Tasks
from gendei.staff_tools.texts import Fault

Result = dict[str, Any]


class Asked(BaseModel):
    """The arguments of a tool: no unknown ones. None of them says for which clinic or as whom."""

    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True, str_max_length=4096)

    @field_validator("*")
    @classmethod
    def _text(cls, value: object) -> object:
        if isinstance(value, str) and value and not has_words(value):
            raise PydanticCustomError("no_text", "Holds characters that are no text")
        return value


Key = Annotated[
    str | None,
    Field(
        min_length=1,
        max_length=255,
        description="Any text of your own; the same call again with it is not done twice (24 hours).",
    ),
]
Phone = Annotated[str, Field(min_length=1, max_length=128, description="The `contact` of a conversation or patient.")]
Id = Annotated[str, Field(min_length=1, max_length=100)]

A = TypeVar("A", bound=Asked)


@dataclass(frozen=True, slots=True)
class Desks:
    """What the tools work on."""

    documents: Documents
    clinics: Clinics
    clock: Clock
    audit: Audit
    front_desk: FrontDesk
    agenda_desk: AgendaDesk
    tasks: Tasks


@dataclass(frozen=True, slots=True)
class Call:
    """One call, of the actor's own clinic. now: aware, in the clinic's zone. channel: where wishes came from that are
    booked in it."""

    desks: Desks
    actor: Actor
    clinic: Clinic
    now: datetime
    channel: str


class ToolRefused(Exception):
    """The tool did nothing. `fault` and the values of its sentence say why; `more`: what helps to go on."""

    def __init__(self, fault: Fault, more: Mapping[str, Any] | None = None, **values: str) -> None:
        self.fault, self.more, self.values = fault, dict(more or {}), values
        super().__init__(str(fault))


@dataclass(frozen=True)
class Tool(Generic[A]):
    """`run` is described by its docstring. `writes`: it needs both rights. `destructive`: something that was there is
    lost. `repeats`: called twice, it would do its work twice, so that the same call within minutes counts as one, and
    `idempotency_key` says so for longer. `outside`: it reaches a patient."""

    name: str
    asked: type[A]
    run: Callable[[Call, A], Awaitable[Result]]
    writes: bool = False
    destructive: bool = False
    repeats: bool = False
    outside: bool = False

    @property
    def rights(self) -> frozenset[Right]:
        return frozenset({Right.READ, Right.WRITE} if self.writes else {Right.READ})

    @property
    def description(self) -> str:
        return " ".join((getdoc(self.run) or "").split())

    @cached_property
    def schema(self) -> Result:
        """Its arguments as JSON Schema."""
        return self.asked.model_json_schema()
