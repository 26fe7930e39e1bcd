"""A clinic's command: also what it shows before a yes, and what it answers.

The JSON API, the MCP tools, the staff's assistant, the pages and the command line are made from it.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from typing import Any, Generic, Protocol, TypeVar

from pydantic import ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from gendei.campaigns.campaign import Campaign
from gendei.clinic import Clinic
from gendei.clock import Clock
from gendei.commands.definition import Definition, Given, R
from gendei.commands.moments import ToolSchema, Wording
from gendei.commands.refusals import CommandRefused, Reason
from gendei.conversation.site.web_channel import has_words
from gendei.documents import Documents
from gendei.knowledge.sources.bringing import KnowledgeSources
from gendei.messages.channels import Clinics
from gendei.payments.collecting import Collector
from gendei.staff.actors import Actor, Right, clinic_of
from gendei.staff.audit import Audit
from gendei.staff.clinic_changes.changes import ClinicChanges
from gendei.staff.connecting.connections import Connections
from gendei.staff.desks import AgendaDesk, FrontDesk
from gendei.staff.tasks.tasks import Tasks
from gendei.staff.templates.clinic_templates import ClinicTemplates

Result = dict[str, Any]
"""What a tool answers: JSON, with the ids that other tools take."""
Values = dict[str, str]
"""The values of a sentence's placeholders."""


class Arguments(Given):
    """What a clinic's command is given, also by language models."""

    @field_validator("*")
    @classmethod
    def _text(cls, value: Any, info: ValidationInfo) -> Any:
        """Language models make up characters that are no text. pydantic keeps some that Python takes for space."""
        if isinstance(value, str) and value:
            only_controls = not (value.strip() or value.isprintable())
            if only_controls or (isinstance(info.context, Wording) and not has_words(value)):
                raise PydanticCustomError("no_text", "Holds characters that are no text")
        return value


A = TypeVar("A", bound=Arguments)


def _next_look(_campaign: Campaign) -> None:
    """A process that sends looks every minute."""


@dataclass(frozen=True, slots=True)
class Desks:
    """What the commands work on. wake_campaign: is told of a campaign that is due now."""

    documents: Documents
    clinics: Clinics
    clock: Clock
    audit: Audit
    front_desk: FrontDesk
    agenda_desk: AgendaDesk
    tasks: Tasks
    clinic_changes: ClinicChanges
    connections: Connections
    templates: ClinicTemplates
    collector: Collector
    knowledge_sources: KnowledgeSources
    wake_campaign: Callable[[Campaign], None] = _next_look

    async def call(self, actor: Actor, channel: str, key: str | None = None) -> "Call":
        """What commands of `actor` run with. Raises NotFound where the clinic is gone."""
        clinic = await clinic_of(self.clinics, actor)
        return Call(self, actor, clinic, clinic.local(self.clock()), channel, key)


@dataclass(frozen=True, slots=True)
class Call:
    """One call, of the actor's own clinic. now: aware, in the clinic's zone. channel: where it comes from, which stands
    with what is booked in it. key: what is added twice with it is one."""

    desks: Desks
    actor: Actor
    clinic: Clinic
    now: datetime
    channel: str
    key: str | None = None

    @property
    def wording(self) -> Wording:
        """For reading the words of people and language models."""
        return Wording(self.now)


class Detail(StrEnum):
    """What a preview says beside its sentence, by the keys of `phrases` in prompts/assistant.yaml."""

    NOTIFIED = "notified"
    DUE = "detail_due"
    ASSIGNED = "detail_assigned"
    NOBODY = "detail_nobody"
    NO_DUE = "detail_no_due"
    TITLE = "detail_title"
    DESCRIPTION = "detail_description"
    PATIENT = "detail_patient"
    CONVERSATION = "detail_conversation"
    APPOINTMENT = "detail_appointment"
    REASON = "detail_reason"
    NOTE = "detail_note"
    REMARK = "detail_remark"
    NOTE_IS = "note_is"
    NO_NOTE = "no_note"
    PLAN = "detail_plan"
    PLAN_IS = "plan_is"
    NO_PLAN = "no_plan"
    MINUTES = "detail_minutes"
    OVERRIDE = "detail_override"
    TO_DO = "detail_to_do"
    TEMPLATE = "detail_template"
    WITH = "detail_with"
    UNTIL = "detail_until"
    TO_SNOOZE = "to_snooze"
    SNOOZED = "snoozed"
    TO_WAKE = "to_wake"
    WOKEN = "woken"
    LEFT = "detail_left"
    LEFT_ONE = "detail_left_one"
    LEFT_NONE = "detail_left_none"
    NAMES_DIFFER = "detail_names_differ"
    WHOSE = "whose"
    EVERYBODYS = "everybodys"
    PERSONAL = "detail_personal"
    TO_COMPLETE = "to_complete"
    COMPLETED = "completed"
    TO_REOPEN = "to_reopen"
    REOPENED = "reopened"
    SOMEBODY = "somebody"
    WISH_DAYS = "detail_wish_days"
    WISH_WEEKDAYS = "detail_wish_weekdays"
    WISH_HOURS = "detail_wish_hours"
    WISH_NOTICE = "detail_wish_notice"
    EARLIER = "detail_earlier"
    ENTRY = "detail_entry"
    OWNER = "detail_owner"
    SOURCE = "detail_source"
    DESPITE = "detail_despite"
    QUESTIONS = "detail_questions"
    ASKED = "detail_asked"


class Say(Protocol):
    def __call__(self, detail: Detail, /, **values: str) -> str: ...


Preview = Callable[[Call, A, Say], Awaitable[tuple[A, Values]]]
"""What a command would do now: its arguments, settled to ids, moments and versions, and the values of its sentence, in
which every argument is told. Nothing is changed. Raises what the command itself would raise."""


@dataclass(frozen=True)
class Command(Definition[Call, A, R], Generic[A, R]):
    """A command of one clinic.

    shown: what tools answer; None: it is no tool. preview: what a tool shows before it changes something. settle: finds
    what a person's or a model's words name, for surfaces where those stand in place of ids. repeats: called twice, it
    would do its work twice, so that the same call within minutes counts as one. outside: it reaches a patient. hidden:
    arguments that no preview tells, and that no tool therefore has. right: what it asks for beside the right to read,
    where that is not what the preview says.
    """

    shown: Callable[[Call, R], Result] | None = None
    preview: Preview[A] | None = None
    settle: Callable[[Call, A], Awaitable[A]] | None = None
    repeats: bool = False
    outside: bool = False
    hidden: frozenset[str] = frozenset()

    @property
    def writes(self) -> bool:
        """Whether it changes something: a tool has a preview then."""
        return self.preview is not None or self.right is not None

    @property
    def rights(self) -> frozenset[Right]:
        """A command that writes also asks for the right to read: its answer shows what was written to."""
        return frozenset({Right.READ, self.right or Right.WRITE} if self.writes else {Right.READ})

    def told(self, call: Call, result: R) -> Result:
        """What a tool answers. Raises ValueError where it is no tool."""
        if self.shown is None:
            raise ValueError(f"{self.name} is no tool")
        return self.shown(call, result)

    def read(self, call: Call, given: Mapping[str, Any]) -> A:
        """The arguments that a tool's caller gave, days and moments perhaps in Portuguese. Raises Forbidden,
        CommandRefused, and pydantic's ValidationError."""
        self.require(call.actor)
        if unseen := sorted(given.keys() & self.hidden):
            raise CommandRefused(Reason.INVALID, words=", ".join(unseen))
        return self.arguments.model_validate(dict(given), context=call.wording, by_alias=False, by_name=True)

    async def settled(self, call: Call, given: A) -> A:
        """`given` with ids in place of words. Raises what `settle` raises."""
        return given if self.settle is None else await self.settle(call, given)

    @cached_property
    def schema(self) -> Result:
        """The arguments as a tool has them, as JSON Schema."""
        schema = self.arguments.model_json_schema(by_alias=False, schema_generator=ToolSchema)
        for name in self.hidden:
            del schema["properties"][name]
        return schema


def whole(_call: Call, result: Result) -> Result:
    """For `shown`, where `run` answers what tools read."""
    return result
