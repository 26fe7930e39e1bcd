"""Conversations and their messages as the API gives and takes them."""

from typing import Annotated

from pydantic import AwareDatetime, Field, StringConstraints

from gendei.conversation.proactive import Queued
from gendei.staff.conversation_view import View
from gendei.staff.inbox_rows import Row, State
from gendei.staff.messages_shown import Item, Kind, Who
from gendei.web.api.shapes import Asked, Shape, Words


class ConversationOut(Shape):
    """`state`: waiting (for a person, and nobody came), person, bot or closed. `windowEndsAt`: until when free text may
    go, where the channel has a service window."""

    contact: Annotated[str, Field(examples=["+5511999998888"])]
    name: str | None
    phone: str | None
    state: State
    preview: str
    unread: int
    last_message_at: AwareDatetime
    updated_at: AwareDatetime
    waiting_since: AwareDatetime | None
    taken_over_by: str | None
    assigned_name: str | None
    labels: list[str]
    window_ends_at: AwareDatetime | None
    failure: str | None

    @classmethod
    def of(cls, row: Row) -> "ConversationOut":
        return cls(
            contact=row.contact,
            name=row.name,
            phone=row.phone,
            state=row.state,
            preview=row.preview,
            unread=row.unread,
            last_message_at=row.last_message_at,
            updated_at=row.updated_at,
            waiting_since=row.waiting_since,
            taken_over_by=row.taken_over_by,
            assigned_name=row.assigned_name,
            labels=list(row.labels),
            window_ends_at=row.window_ends_at,
            failure=row.failure,
        )


class ConversationDetail(ConversationOut):
    """`freeText`: whether text may go now; where not, `template`: whether a template of the clinic can carry it."""

    free_text: bool
    template: bool

    @classmethod
    def seen(cls, view: View) -> "ConversationDetail":
        row = ConversationOut.of(view.row).model_dump()
        return cls(**row, free_text=view.free_text, template=view.template)


class MessageOut(Shape):
    """`kind`: message, event or note; `who`: patient, bot, person or system. `delivery`: pending, sending, sent,
    delivered, read, played, failed, suppressed or queued; `failure`: why it did not arrive."""

    id: str
    kind: Kind
    who: Who
    at: AwareDatetime
    type: str
    text: str
    name: str | None
    options: list[str]
    delivery: str | None
    failure: str | None

    @classmethod
    def of(cls, item: Item) -> "MessageOut":
        return cls(
            id=item.id,
            kind=item.kind,
            who=item.who,
            at=item.at,
            type=item.type,
            text=item.text,
            name=item.name,
            options=[one.title for one in item.options],
            delivery=item.delivery.state if item.delivery else None,
            failure=(item.delivery.explanation or None) if item.delivery else None,
        )


class Send(Asked):
    """`template`: outside of the service window, as the clinic's template for messages of staff."""

    text: Annotated[Words, Field(examples=["Bom dia! O resultado chegou."])]
    template: bool = False


class SentOut(Shape):
    """`id`: of the message. `dueAt`: when a template leaves that waits for the end of the quiet hours."""

    id: str
    due_at: AwareDatetime | None = None

    @classmethod
    def of(cls, outcome: Queued) -> "SentOut":
        return cls(id=outcome.entry_id, due_at=outcome.due_at)


class TakeOver(Asked):
    reason: Annotated[str, StringConstraints(max_length=200)] = ""


class HandBack(Asked):
    note: Annotated[str, StringConstraints(max_length=4000), Field(description="The bot knows it from then on.")] = ""


class Note(Asked):
    text: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=4000)]
