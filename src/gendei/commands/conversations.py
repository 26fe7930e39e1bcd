"""Conversations with patients."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, TypeVar

from pydantic import Field

from gendei.commands import shown
from gendei.commands.command import Arguments, Call, Command, Detail, Result, Say, Values, whole
from gendei.commands.fields import Address, Id
from gendei.commands.refusals import CommandRefused, MessageDeclined, Reason
from gendei.commands.shown import in_line, shortened
from gendei.conversation.files.clinic_files import ClinicFile
from gendei.conversation.outbound.proactive import Declined
from gendei.errors import StoreUnavailable
from gendei.messages.limits import MAX_BUTTON_TITLE, MAX_ROW_DESCRIPTION, MAX_ROW_TITLE, distinct_titles, fit, one_line
from gendei.messages.replies import LIST_LABEL, MAX_BUTTONS, MAX_OPTIONS, Option, Reply
from gendei.staff.actors import Right
from gendei.staff.audit import Action
from gendei.staff.inbox.actions import MAX_NOTE, MAX_TO_DO
from gendei.staff.inbox.conversation import View
from gendei.staff.inbox.rows import InboxFilter, State


class ListConversations(Arguments):
    state: Annotated[State | None, Field(description="waiting: a patient waits for a person.")] = None
    search: Annotated[str, Field(max_length=200, description="Words of name, phone or the last messages.")] = ""
    unread: bool = False
    snoozed: Annotated[bool, Field(description="Those that are put off, which are left out else.")] = False
    limit: Annotated[int, Field(ge=1, le=50)] = 20


class ReadConversation(Arguments):
    contact: Address
    limit: Annotated[int, Field(ge=1, le=50, description="How many of the last messages.")] = 20


class OfConversation(Arguments):
    """What is done in one conversation."""

    contact: Address


class TakeOverConversation(OfConversation):
    reason: Annotated[str, Field(max_length=200)] = ""


class HandBackConversation(OfConversation):
    note: Annotated[str, Field(max_length=MAX_NOTE, description="What the bot should know from now on.")] = ""
    to_do: Annotated[
        str, Field(max_length=MAX_TO_DO, description="What staff still owe the patient; it becomes a task.")
    ] = ""


class AddNote(OfConversation):
    text: Annotated[str, Field(min_length=1, max_length=MAX_NOTE, description="For colleagues, and never sent.")]


class AssignConversation(OfConversation):
    """`user_id`: who shall look after it; null: nobody in particular."""

    user_id: Annotated[str | None, Field(max_length=254)] = None


class LabelConversation(OfConversation):
    labels: tuple[str, ...]


class QueueMessage(OfConversation):
    text: str


class UnqueueMessage(OfConversation):
    message_id: Id


class AddFile(Arguments):
    """`label`: the type that the sender's computer gives the file."""

    file_name: Annotated[str, Field(max_length=200)] = ""
    label: str = ""
    content: bytes


class OptionIn(Arguments):
    """A button (20 characters), or a row of a list (24), which may have a description."""

    title: Annotated[str, Field(min_length=1, max_length=24, examples=["Sim"])]
    description: Annotated[str, Field(max_length=72)] = ""


class ReplyToConversation(OfConversation):
    """`text` is needed where there is no `fileId`; with one it is the caption (1024 characters), and after a recording
    it follows as a message of its own. `options`: up to 3 go as buttons, more, or with `listLabel`, as a list; as
    numbered text where the channel has neither. `template`: outside of the service window, the clinic's template for
    messages of staff goes, and the text once the patient answers."""

    text: Annotated[
        str, Field(description="Word for word what the patient reads.", examples=["Bom dia! O resultado chegou."])
    ] = ""
    file_id: Annotated[
        str | None,
        Field(max_length=100, description="Of `POST /files`.", examples=["0f8c2d6be1a94f53a7d0c7b3e5f21908"]),
    ] = None
    options: Annotated[tuple[OptionIn, ...], Field(max_length=MAX_OPTIONS)] = ()
    list_label: Annotated[str, Field(max_length=20, examples=["Ver horários"])] = ""
    template: Annotated[bool, Field(description="Outside of the 24 hours: the clinic's template goes first.")] = False

    @property
    def reply(self) -> Reply:
        as_list = bool(self.list_label) or len(self.options) > MAX_BUTTONS
        titles = [(option.title, option.description) for option in self.options]
        options = staff_options(titles, MAX_ROW_TITLE if as_list else MAX_BUTTON_TITLE)
        return Reply(self.text, options, self.list_label or LIST_LABEL, as_list=as_list)


@dataclass(frozen=True, slots=True)
class Sent:
    """`id`: of the message. `due_at`: when a template leaves; None for a message, which leaves at once."""

    id: str
    view: View
    due_at: datetime | None = None


async def list_conversations(call: Call, given: ListConversations) -> Result:
    """Conversations, those in danger and those that wait for a person first. `more`: there are others beyond these."""
    wanted = InboxFilter(state=given.state, search=given.search, unread_only=given.unread, snoozed=given.snoozed)
    page = await call.desks.front_desk.inbox.list(call.actor, wanted, limit=given.limit)
    return {"conversations": [shown.conversation(row) for row in page.rows], "more": page.cursor is not None}


async def read_conversation(call: Call, given: ReadConversation) -> Result:
    """The last messages of a conversation, the oldest first. That they were read goes into the audit."""
    view = await call.desks.front_desk.views.view(call.actor, given.contact, limit=given.limit)
    await call.desks.audit.record(call.actor, Action.CONVERSATION_READ, view.row.contact)
    return shown.view(view)


async def take_over_conversation(call: Call, given: TakeOverConversation) -> View:
    """Take a conversation over: from now on the bot sends nothing there."""
    await call.desks.front_desk.conversations.take_over(call.actor, given.contact, given.reason)
    return await _view(call, given.contact)


async def reply_to_conversation(call: Call, given: ReplyToConversation) -> Sent:
    """Send the patient a WhatsApp message in the name of the person whose token this is. It takes the conversation
    over. It cannot be taken back: show the text and have it confirmed first. Outside of the service window this is
    refused with `window_closed`; then ask for `template`: the clinic's approved template goes, which asks for an
    answer, and the text after that. It carries text alone."""
    _require_sendable(given)
    conversations, contact = call.desks.front_desk.conversations, given.contact
    if given.file_id:
        sent = await conversations.send_file(call.actor, contact, given.file_id, given.text)
        return Sent(sent, await _view(call, contact))
    if not given.template:
        return Sent(await conversations.send(call.actor, contact, given.reply), await _view(call, contact))
    view = await _view(call, contact)  # who never wrote is not for programs to begin with
    outcome = await conversations.begin(call.actor, contact, given.text, view.row.name or "")
    if isinstance(outcome, Declined):
        raise MessageDeclined(outcome.reason)
    return Sent(outcome.entry_id, view, outcome.due_at)


async def hand_back_conversation(call: Call, given: HandBackConversation) -> View:
    """Give a conversation back to the bot, which answers again."""
    await call.desks.front_desk.conversations.hand_back(call.actor, given.contact, given.note, given.to_do)
    return await _view(call, given.contact)


async def add_note(call: Call, given: AddNote) -> View:
    """Write a note for colleagues into a conversation; never sent, and not known to the bot."""
    await call.desks.front_desk.conversations.add_note(call.actor, given.contact, given.text)
    return await _view(call, given.contact)


async def assign_conversation(call: Call, given: AssignConversation) -> None:
    """Let a colleague, or nobody in particular, look after a conversation."""
    await call.desks.front_desk.conversations.assign(call.actor, given.contact, given.user_id)


async def label_conversation(call: Call, given: LabelConversation) -> None:
    """Give a conversation these labels and no others."""
    await call.desks.front_desk.conversations.set_labels(call.actor, given.contact, given.labels)


async def close_conversation(call: Call, given: OfConversation) -> None:
    """Take a conversation out of the list until the patient writes again."""
    await call.desks.front_desk.conversations.close(call.actor, given.contact)


async def reopen_conversation(call: Call, given: OfConversation) -> None:
    """Bring a closed conversation back into the list, with the bot."""
    await call.desks.front_desk.conversations.reopen(call.actor, given.contact)


async def queue_message(call: Call, given: QueueMessage) -> str:
    """Keep a text outside of the service window; it goes when the patient writes again."""
    return await call.desks.front_desk.conversations.queue(call.actor, given.contact, given.text)


async def unqueue_message(call: Call, given: UnqueueMessage) -> None:
    """Take back a text that still waits."""
    await call.desks.front_desk.conversations.unqueue(call.actor, given.contact, given.message_id)


async def add_file(call: Call, given: AddFile) -> ClinicFile:
    """Keep a file that is to be sent; the same again is the same file."""
    try:
        return await call.desks.front_desk.own_files.add(call.actor, given.file_name, given.label, given.content)
    except OSError:
        raise StoreUnavailable("the media store cannot be reached") from None


async def _preview_taking_over(
    call: Call, given: TakeOverConversation, say: Say
) -> tuple[TakeOverConversation, Values]:
    settled, values = await with_contact(call, given, say)
    return settled, values | {"details": say(Detail.REASON, reason=in_line(given.reason)) if given.reason else ""}


async def _preview_handing_back(
    call: Call, given: HandBackConversation, say: Say
) -> tuple[HandBackConversation, Values]:
    settled, values = await with_contact(call, given, say)
    details = say(Detail.NOTE, note=in_line(given.note)) if given.note else ""
    if given.to_do:
        details += say(Detail.TO_DO, title=in_line(given.to_do))
    return settled, values | {"details": details}


async def _preview_note(call: Call, given: AddNote, say: Say) -> tuple[AddNote, Values]:
    settled, values = await with_contact(call, given, say)
    return settled, values | {"text": in_line(given.text)}


async def _preview_reply(call: Call, given: ReplyToConversation, say: Say) -> tuple[ReplyToConversation, Values]:
    _require_sendable(given)
    settled, values = await with_contact(call, given, say)
    return settled, values | {"text": given.text, "details": say(Detail.TEMPLATE) if given.template else ""}


C = TypeVar("C", bound=OfConversation)


async def with_contact(call: Call, given: C, say: Say) -> tuple[C, Values]:
    """`given` for the conversation's own contact, and how a sentence names the patient."""
    row = (await _view(call, given.contact)).row
    name = shortened(row.name or say(Detail.SOMEBODY))
    settled = given.model_copy(update={"contact": str(row.contact)})
    return settled, {"patient": f"{name} ({row.phone or row.contact})"}


def _require_sendable(given: ReplyToConversation) -> None:
    if given.template and (given.file_id or given.options):
        raise _unfit("template", "a template carries text alone")
    if given.file_id and given.options:
        raise _unfit("options", "a file has nothing to tap")
    if not (given.text or given.file_id):
        raise _unfit("text", "a text or a file is needed")


def _unfit(argument: str, problem: str) -> CommandRefused:
    return CommandRefused(Reason.INVALID, argument, problem=problem, words=argument)


async def _view(call: Call, contact: str) -> View:
    return await call.desks.front_desk.views.view(call.actor, contact, limit=1)


def _row(_call: Call, view: View) -> Result:
    return shown.conversation(view.row)


def _sent(call: Call, sent: Sent) -> Result:
    if sent.due_at is None:
        return {"id": sent.id, **shown.conversation(sent.view.row)}
    return {"id": sent.id, "dueAt": call.clinic.local(sent.due_at).isoformat(timespec="minutes")}


TAKE_OVER_CONVERSATION = Command(take_over_conversation, _row, _preview_taking_over, repeats=True)
REPLY_TO_CONVERSATION = Command(
    reply_to_conversation,
    _sent,
    _preview_reply,
    repeats=True,
    outside=True,
    hidden=frozenset({"file_id", "options", "list_label"}),
)
HAND_BACK_CONVERSATION = Command(hand_back_conversation, _row, _preview_handing_back, outside=True)
ADD_NOTE = Command(add_note, _row, _preview_note, repeats=True)
ASSIGN_CONVERSATION = Command(assign_conversation, right=Right.WRITE)
LABEL_CONVERSATION = Command(label_conversation, right=Right.WRITE)
CLOSE_CONVERSATION = Command(close_conversation, right=Right.WRITE)
REOPEN_CONVERSATION = Command(reopen_conversation, right=Right.WRITE)
QUEUE_MESSAGE = Command(queue_message, right=Right.WRITE)
UNQUEUE_MESSAGE = Command(unqueue_message, right=Right.WRITE)
ADD_FILE = Command(add_file, right=Right.WRITE)
COMMANDS = (
    Command(list_conversations, whole),
    Command(read_conversation, whole),
    TAKE_OVER_CONVERSATION,
    REPLY_TO_CONVERSATION,
    HAND_BACK_CONVERSATION,
    ADD_NOTE,
    ASSIGN_CONVERSATION,
    LABEL_CONVERSATION,
    CLOSE_CONVERSATION,
    REOPEN_CONVERSATION,
    QUEUE_MESSAGE,
    UNQUEUE_MESSAGE,
    ADD_FILE,
)


def staff_options(offered: Sequence[tuple[str, str]], limit: int) -> tuple[Option, ...]:
    """(title, description) pairs within WhatsApp's limits, all titles different; `limit`: of a title. Their ids mean
    nothing to the bot, which reads the title of what was tapped."""
    titles = distinct_titles((title for title, _ in offered), limit)
    return tuple(
        Option(f"staff-{place}", title, fit(one_line(description), MAX_ROW_DESCRIPTION))
        for place, (title, (_, description)) in enumerate(zip(titles, offered, strict=True), start=1)
    )
