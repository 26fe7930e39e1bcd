"""Patients, and their conversations."""

from typing import Annotated

from pydantic import Field

from gendei.conversation.outbound.proactive import Declined
from gendei.receptionist.replies import Reply
from gendei.staff.audit import Action
from gendei.staff.inbox.rows import InboxFilter, State
from gendei.staff_tools import shown
from gendei.staff_tools.texts import Fault
from gendei.staff_tools.tool import Asked, Call, Id, Key, Phone, Result, Tool, ToolRefused


class SearchPatients(Asked):
    text: Annotated[str, Field(max_length=100, description="A name or a phone; empty: those that changed last.")] = ""
    limit: Annotated[int, Field(ge=1, le=50)] = 10


class OnePatient(Asked):
    patient_id: Id


class Conversations(Asked):
    state: Annotated[State | None, Field(description="waiting: a patient waits for a person.")] = None
    search: Annotated[str, Field(max_length=200, description="Words of name, phone or the last messages.")] = ""
    unread: bool = False
    limit: Annotated[int, Field(ge=1, le=50)] = 20


class ReadConversation(Asked):
    contact: Phone
    limit: Annotated[int, Field(ge=1, le=50, description="How many of the last messages.")] = 20


class TakeOver(Asked):
    contact: Phone
    reason: Annotated[str, Field(max_length=200)] = ""
    idempotency_key: Key = None


class WriteReply(Asked):
    contact: Phone
    text: Annotated[str, Field(min_length=1, max_length=4096, description="Word for word what the patient reads.")]
    template: Annotated[bool, Field(description="Outside of the 24 hours: by the clinic's approved template.")] = False
    idempotency_key: Key = None


class HandBack(Asked):
    contact: Phone
    note: Annotated[str, Field(max_length=4000, description="What the bot should know from now on.")] = ""
    idempotency_key: Key = None


async def search_patients(call: Call, asked: SearchPatients) -> Result:
    """Patients by name or phone, the best matches first."""
    found = await call.desks.front_desk.patients.search(call.actor, asked.text, asked.limit)
    return {"patients": [shown.patient(one) for one in found]}


async def get_patient(call: Call, asked: OnePatient) -> Result:
    """A patient's card: appointments to come and past, notes, family. That it was read goes into the audit."""
    statuses = call.desks.agenda_desk.agenda.statuses
    return shown.patient_card(
        await call.desks.front_desk.patients.card(call.actor, asked.patient_id), call.now, statuses
    )


async def list_conversations(call: Call, asked: Conversations) -> Result:
    """Conversations, those that wait for a person first. `more`: there are others beyond these."""
    wanted = InboxFilter(state=asked.state, search=asked.search, unread_only=asked.unread)
    page = await call.desks.front_desk.inbox.list(call.actor, wanted, limit=asked.limit)
    return {"conversations": [shown.conversation(one) for one in page.rows], "more": page.cursor is not None}


async def read_conversation(call: Call, asked: ReadConversation) -> Result:
    """The last messages of a conversation, the oldest first. That they were read goes into the audit."""
    view = await call.desks.front_desk.views.view(call.actor, asked.contact, limit=asked.limit)
    await call.desks.audit.record(call.actor, Action.CONVERSATION_READ, view.row.contact)
    return shown.view(view)


async def take_over_conversation(call: Call, asked: TakeOver) -> Result:
    """Take a conversation over: from now on the bot sends nothing there."""
    await call.desks.front_desk.conversations.take_over(call.actor, asked.contact, asked.reason)
    return await _state(call, asked.contact)


async def reply_to_conversation(call: Call, asked: WriteReply) -> Result:
    """Send the patient a WhatsApp message in the name of the person whose token this is. It takes the conversation
    over. It cannot be taken back: show the text and have it confirmed first."""
    conversations = call.desks.front_desk.conversations
    if not asked.template:
        message = await conversations.send(call.actor, asked.contact, Reply(asked.text))
        return {"id": message, **await _state(call, asked.contact)}
    await _state(call, asked.contact)  # who never wrote is not for programs to begin with
    outcome = await conversations.send_template(call.actor, asked.contact, asked.text)
    if isinstance(outcome, Declined):
        raise ToolRefused(Fault.DECLINED, words=str(outcome.reason))
    return {"id": outcome.entry_id, "dueAt": call.clinic.local(outcome.due_at).isoformat(timespec="minutes")}


async def hand_back_conversation(call: Call, asked: HandBack) -> Result:
    """Give a conversation back to the bot, which answers again."""
    await call.desks.front_desk.conversations.hand_back(call.actor, asked.contact, asked.note)
    return await _state(call, asked.contact)


async def _state(call: Call, contact: str) -> Result:
    return shown.conversation((await call.desks.front_desk.views.view(call.actor, contact, limit=1)).row)


TOOLS = (
    Tool("search_patients", SearchPatients, search_patients),
    Tool("get_patient", OnePatient, get_patient),
    Tool("list_conversations", Conversations, list_conversations),
    Tool("read_conversation", ReadConversation, read_conversation),
    Tool("take_over_conversation", TakeOver, take_over_conversation, writes=True, repeats=True),
    Tool("reply_to_conversation", WriteReply, reply_to_conversation, writes=True, repeats=True, outside=True),
    Tool("hand_back_conversation", HandBack, hand_back_conversation, writes=True, outside=True),
)
