"""Answers that staff found wrong, as tests of the clinic."""

from typing import Annotated

from pydantic import Field

from gendei.cases.case import ClinicCase, Wanted
from gendei.cases.making import CaseDraft
from gendei.commands.clinic import Nothing
from gendei.commands.command import Arguments, Call, Command
from gendei.commands.conversations import OfConversation
from gendei.commands.fields import Id
from gendei.commands.refusals import CommandRefused, Reason
from gendei.staff.actors import Right
from gendei.staff.clinic_cases import RightAnswer

MOST_SAID = 5
LONGEST_SAID = 200


class OfAnswer(OfConversation):
    message_id: Annotated[str, Field(min_length=1, max_length=300, description="Of an answer of the bot.")]


class AddCase(OfAnswer):
    """`said`: what the answer must say, word for word but for capitals and accents, where `wanted` is answer.
    `service_id`: what must be booked where it is booking; left out: anything."""

    wanted: Wanted
    said: Annotated[
        tuple[Annotated[str, Field(min_length=1, max_length=LONGEST_SAID)], ...],
        Field(max_length=MOST_SAID, examples=[["R$ 180,00"]]),
    ] = ()
    service_id: Id | None = None


class OfCase(Arguments):
    case_id: Id


async def draft_case(call: Call, given: OfAnswer) -> CaseDraft:
    """What a case made of this answer would keep: the patient's words up to it, with stand-ins for names, phones,
    documents and dates."""
    return await call.desks.front_desk.cases.draft(call.actor, given.contact, given.message_id)


async def add_case(call: Call, given: AddCase) -> ClinicCase:
    """Say that an answer was wrong, and what would have been right. `gendei eval --only clinic/` plays it. One case
    stands for each answer: the newest."""
    said = tuple(text.strip() for text in given.said if text.strip())
    if given.wanted is Wanted.ANSWER and not said:
        raise CommandRefused(Reason.INVALID, "said", problem="what the answer must say is needed")
    if given.service_id is not None and call.clinic.service(given.service_id) is None:
        raise CommandRefused(Reason.INVALID, "service_id", problem="the clinic has no such service")
    judgement = RightAnswer(
        given.wanted,
        said if given.wanted is Wanted.ANSWER else (),
        (given.service_id or "") if given.wanted is Wanted.BOOKING else "",
    )
    return await call.desks.front_desk.cases.add(call.actor, given.contact, given.message_id, judgement)


async def list_cases(call: Call, given: Nothing) -> list[ClinicCase]:
    """The clinic's cases, the newest first."""
    return await call.desks.front_desk.cases.list(call.actor)


async def remove_case(call: Call, given: OfCase) -> ClinicCase:
    """Forget a case."""
    return await call.desks.front_desk.cases.remove(call.actor, given.case_id)


DRAFT_CASE = Command(draft_case, right=Right.WRITE)
ADD_CASE = Command(add_case, right=Right.WRITE)
LIST_CASES = Command(list_cases)
REMOVE_CASE = Command(remove_case, destructive=True, right=Right.MANAGE)
COMMANDS = (DRAFT_CASE, ADD_CASE, LIST_CASES, REMOVE_CASE)
