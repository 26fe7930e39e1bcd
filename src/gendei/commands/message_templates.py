"""The clinic's templates at its provider: seen, looked up, and made."""

from typing import Annotated

from pydantic import AwareDatetime, Field

from gendei.commands.command import Arguments, Call, Command
from gendei.commands.shapes import Shape
from gendei.conversation.outbound.template_troubles import Trouble
from gendei.conversation.outbound.templates import ApprovedTemplate
from gendei.messages.account_notices import AccountEvent
from gendei.staff.actors import Right
from gendei.staff.templates.clinic_templates import ClinicTemplatesState, Made, PurposeState
from gendei.staff.templates.wording import LONGEST_BODY, LONGEST_NAME, Fault

Purpose = Annotated[str, Field(max_length=100, description="What it is for.", examples=["reminder"])]


class NoTemplates(Arguments):
    """No arguments."""


class SetUpTemplates(Arguments):
    purposes: Annotated[
        list[Purpose],
        Field(max_length=50, description="None: all that the clinic has no template for and that are no marketing."),
    ] = []  # noqa: RUF012  # pydantic copies it


class CreateTemplate(Arguments):
    purpose: Purpose
    body: Annotated[
        str,
        Field(
            max_length=4 * LONGEST_BODY,
            description="The text, with {patient}, {service} and the others where the values stand.",
            examples=["Olá, {patient}! Seu horário é {weekday_date}, às {time}. Você vem?"],
        ),
    ]
    name: Annotated[str, Field(max_length=LONGEST_NAME, description="At Meta; none: one that follows of the text.")] = (
        ""
    )


async def list_templates(call: Call, given: NoTemplates) -> ClinicTemplatesState:
    """The clinic's templates by purpose, as they were last told of."""
    return await call.desks.templates.state(call.actor)


async def look_up_templates(call: Call, given: NoTemplates) -> ClinicTemplatesState:
    """Ask Meta for the templates of the clinic's accounts, and remember them."""
    return await call.desks.templates.look_up(call.actor)


async def set_up_templates(call: Call, given: SetUpTemplates) -> list[Made]:
    """Make the product's own templates at Meta, and write them into the clinic's data. What is there already is taken
    as it is, so that it may be called again."""
    return await call.desks.templates.set_up(call.actor, given.purposes)


async def create_template(call: Call, given: CreateTemplate) -> Made:
    """Make a template of the clinic's own words at Meta, in place of the one that served the purpose."""
    return await call.desks.templates.create(call.actor, given.purpose, given.body, given.name)


LIST_TEMPLATES = Command(list_templates, right=Right.MANAGE)
LOOK_UP_TEMPLATES = Command(look_up_templates, right=Right.MANAGE)
SET_UP_TEMPLATES = Command(set_up_templates, right=Right.MANAGE)
CREATE_TEMPLATE = Command(create_template, right=Right.MANAGE)


class KnownTemplateOut(Shape):
    """A template as Meta has it. `status`: APPROVED, PENDING, REJECTED, PAUSED, DISABLED, MISSING, ...;
    `correctCategory`: what Meta announced to charge it as."""

    status: str
    reason: Annotated[str, Field(description="Meta's word for a rejection.")]
    category: str
    correct_category: str
    quality: str
    text: str


class TemplateOut(Shape):
    """What serves a purpose at the clinic; `name` is null where nothing does. `problem`: why it cannot be sent, ""
    where it can. `found`: null where Meta was not asked yet. `standard`: the text that comes with the product."""

    purpose: str
    name: str | None
    language: str | None
    problem: str
    troubles: list[Trouble]
    found: KnownTemplateOut | None
    standard: str | None

    @classmethod
    def at(cls, state: PurposeState) -> "TemplateOut":
        report = state.report
        wanted, found = (report.wanted, report.found) if report else (None, None)
        return cls(
            purpose=state.purpose,
            name=wanted.name if wanted else None,
            language=wanted.language if wanted else None,
            problem=report.problem if report else "",
            troubles=list(state.troubles),
            found=_known(found) if found else None,
            standard=state.standard.body if state.standard else None,
        )


class AccountOut(Shape):
    """What was last told of a WhatsApp account."""

    account: str
    event: AccountEvent
    at: AwareDatetime
    detail: str


class TemplatesOut(Shape):
    """All purposes, and the clinic's accounts."""

    items: list[TemplateOut]
    accounts: list[AccountOut]

    @classmethod
    def told_of(cls, state: ClinicTemplatesState) -> "TemplatesOut":
        accounts = [AccountOut.of(account) for account in state.accounts]
        return cls(items=[TemplateOut.at(each) for each in state.purposes], accounts=accounts)


class MadeTemplateOut(Shape):
    """What became of one template: its `status` at Meta, or the `fault` that it was not made for, with the reason in
    Portuguese."""

    purpose: str
    name: str
    status: str
    was_there: bool
    fault: Fault | None
    text: str


class MadeTemplatesOut(Shape):
    items: list[MadeTemplateOut]

    @classmethod
    def told_of(cls, made: list[Made]) -> "MadeTemplatesOut":
        return cls(items=[MadeTemplateOut.of(each) for each in made])


def _known(found: ApprovedTemplate) -> KnownTemplateOut:
    return KnownTemplateOut.of(found)
