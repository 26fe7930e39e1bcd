"""The inbox as a list: conversations put off, closed and passed on together, begun, and danger that is seen to."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, TypeVar

from pydantic import Field

from gendei.booking.dates import describe
from gendei.booking.patients import clean_phone
from gendei.booking.slots import BookingRefused
from gendei.commands import shown
from gendei.commands.command import Arguments, Call, Command, Detail, Result, Say, Values
from gendei.commands.conversations import OfConversation, with_contact
from gendei.commands.fields import Address, Told
from gendei.commands.moments import Moment
from gendei.commands.refusals import CommandRefused, MessageDeclined, Reason
from gendei.commands.shown import in_line, shortened
from gendei.commands.tasks import Assigned, colleague_named
from gendei.conversation.outbound.proactive import Declined
from gendei.errors import NotFound
from gendei.messages.limits import MAX_TEXT
from gendei.staff.inbox.actions import InDanger
from gendei.staff.inbox.conversation import View
from gendei.staff.inbox.known import Known

MOST_AT_ONCE = 200


class SnoozeConversation(OfConversation):
    """`until` null: back in the list now."""

    until: Annotated[Moment | None, Field(examples=["2026-11-24T08:00:00-03:00"])] = None


class OfConversations(Arguments):
    """What is done in several conversations."""

    contacts: Annotated[tuple[Address, ...], Field(min_length=1, max_length=MOST_AT_ONCE)]


class AssignConversations(OfConversations):
    """`assignedTo`: who shall look after them; null: nobody in particular."""

    assigned_to: Assigned | None = None


class BeginConversation(Arguments):
    """`contact`: of a patient or a conversation, or a phone; one without + is read as Brazilian."""

    contact: Annotated[str, Field(min_length=1, max_length=128, examples=["(11) 99999-8888"])]
    text: Annotated[str, Field(description="Word for word what the patient reads."), Told(1, MAX_TEXT)]
    patient_name: Annotated[str, Field(max_length=200, description="As the template says it; else as it is known.")] = (
        ""
    )


@dataclass(frozen=True, slots=True)
class Left:
    """A conversation in which nothing was done. reason: danger, for what is not closed so, or not_found."""

    contact: str
    reason: str


@dataclass(frozen=True, slots=True)
class Handled:
    """What was done of several."""

    done: tuple[str, ...]
    left: tuple[Left, ...]


@dataclass(frozen=True, slots=True)
class Begun:
    """`id`: of the message. `due_at`: when it leaves."""

    id: str
    contact: str
    due_at: datetime


async def snooze_conversation(call: Call, given: SnoozeConversation) -> View:
    """Put a conversation off: it leaves the list until the moment has come or the patient writes."""
    desk = call.desks.front_desk
    _require_to_come(call, given)
    await desk.conversations.snooze(call.actor, given.contact, given.until)
    return await desk.views.view(call.actor, given.contact, limit=1)


async def see_to_danger(call: Call, given: OfConversation) -> View:
    """Say that the person whose token this is sees to a patient who may be in danger: it stands first no more. Taking
    the conversation over and answering say so too."""
    desk = call.desks.front_desk
    await desk.conversations.see_to_danger(call.actor, given.contact)
    return await desk.views.view(call.actor, given.contact, limit=1)


async def close_conversations(call: Call, given: OfConversations) -> Handled:
    """Take conversations out of the list until their patients write again. Where a patient may be in danger, the
    conversation stays."""
    close = call.desks.front_desk.conversations.close
    return await _each(given, lambda contact: close(call.actor, contact, despite_danger=False))


async def assign_conversations(call: Call, given: AssignConversations) -> Handled:
    """Let a colleague, or nobody in particular, look after conversations."""
    assign, to = call.desks.front_desk.conversations.assign, given.assigned_to or None
    if to is not None:
        await call.desks.front_desk.colleagues.find(call.actor, to)
    return await _each(given, lambda contact: assign(call.actor, contact, to))


async def begin_conversation(call: Call, given: BeginConversation) -> Begun:
    """Write first to a patient, or to any phone: the text where WhatsApp lets it go, else the clinic's approved
    template, which asks for an answer, and the text after that. Within the limits on what a clinic begins (quiet hours,
    so many a day, who wants nothing). It takes the conversation over, and cannot be taken back: show the text and have
    it confirmed first."""
    known = await _known(call, given)
    name = given.patient_name or known.name or ""
    outcome = await call.desks.front_desk.conversations.begin(call.actor, known.contact, given.text, name)
    if isinstance(outcome, Declined):
        raise MessageDeclined(outcome.reason)
    return Begun(outcome.entry_id, known.contact, outcome.due_at)


async def _each(given: OfConversations, act: Callable[[str], Awaitable[None]]) -> Handled:
    done: list[str] = []
    left: list[Left] = []
    for contact in dict.fromkeys(given.contacts):
        try:
            await act(contact)
        except InDanger:
            left.append(Left(contact, "danger"))
        except NotFound:
            left.append(Left(contact, "not_found"))
        else:
            done.append(contact)
    return Handled(tuple(done), tuple(left))


async def _known(call: Call, given: BeginConversation) -> Known:
    """To whom it goes. Raises CommandRefused for what is neither a contact nor a phone."""
    contact = given.contact
    if contact.startswith("+") or not any(character.isalpha() for character in contact):
        try:
            contact = clean_phone(contact)
        except BookingRefused:
            raise CommandRefused(Reason.INVALID, "contact", problem="is no phone in use", words="contact") from None
    return await call.desks.front_desk.known.known(call.actor, contact)


def _require_to_come(call: Call, given: SnoozeConversation) -> None:
    if given.until is not None and given.until <= call.now:
        raise CommandRefused(Reason.PAST)


async def _preview_snoozing(call: Call, given: SnoozeConversation, say: Say) -> tuple[SnoozeConversation, Values]:
    _require_to_come(call, given)
    settled, values = await with_contact(call, given, say)
    if given.until is None:
        return settled, values | {"to_do": say(Detail.TO_WAKE), "did": say(Detail.WOKEN), "details": ""}
    details = say(Detail.UNTIL, when=describe(call.clinic.local(given.until), call.now))
    return settled, values | {"to_do": say(Detail.TO_SNOOZE), "did": say(Detail.SNOOZED), "details": details}


M = TypeVar("M", bound=OfConversations)


async def _preview_several(call: Call, given: M, say: Say) -> tuple[M, Values]:
    """Everybody by name."""
    named = [await with_contact(call, OfConversation(contact=contact), say) for contact in given.contacts]
    contacts = tuple(settled.contact for settled, _ in named)
    names = ", ".join(values["patient"] for _, values in named)
    return given.model_copy(update={"contacts": contacts}), {"text": names}


async def _preview_assigning(call: Call, given: AssignConversations, say: Say) -> tuple[AssignConversations, Values]:
    settled, values = await _preview_several(call, given, say)
    if not given.assigned_to:
        return settled, values | {"details": say(Detail.NOBODY)}
    who = await colleague_named(call, given.assigned_to)
    details = say(Detail.ASSIGNED, name=shortened(who.name))
    return settled.model_copy(update={"assigned_to": who.id}), values | {"details": details}


async def _settle_assigned(call: Call, given: AssignConversations) -> AssignConversations:
    if not given.assigned_to:
        return given
    return given.model_copy(update={"assigned_to": (await colleague_named(call, given.assigned_to)).id})


async def _preview_beginning(call: Call, given: BeginConversation, say: Say) -> tuple[BeginConversation, Values]:
    known = await _known(call, given)
    prospect = await call.desks.front_desk.conversations.prospect(call.actor, known.contact)
    if isinstance(prospect, Declined):
        raise MessageDeclined(prospect.reason)
    name = given.patient_name or known.name or say(Detail.SOMEBODY)
    settled = given.model_copy(update={"contact": str(known.contact)})
    details = "" if prospect.free_text else say(Detail.TEMPLATE)
    who = f"{shortened(name)} ({in_line(known.contact)})"
    return settled, {"patient": who, "text": given.text, "details": details}


def _row(_call: Call, view: View) -> Result:
    return shown.conversation(view.row)


def _handled(_call: Call, handled: Handled) -> Result:
    left = [{"contact": left.contact, "reason": left.reason} for left in handled.left]
    return {"done": list(handled.done), "left": left}


def _begun(call: Call, begun: Begun) -> Result:
    due = call.clinic.local(begun.due_at).isoformat(timespec="minutes")
    return {"id": begun.id, "contact": begun.contact, "dueAt": due}


SNOOZE_CONVERSATION = Command(snooze_conversation, _row, _preview_snoozing)
SEE_TO_DANGER = Command(see_to_danger, _row, with_contact)
CLOSE_CONVERSATIONS = Command(close_conversations, _handled, _preview_several, destructive=True)
ASSIGN_CONVERSATIONS = Command(assign_conversations, _handled, _preview_assigning, _settle_assigned)
BEGIN_CONVERSATION = Command(begin_conversation, _begun, _preview_beginning, repeats=True, outside=True)
COMMANDS = (SNOOZE_CONVERSATION, SEE_TO_DANGER, CLOSE_CONVERSATIONS, ASSIGN_CONVERSATIONS, BEGIN_CONVERSATION)
