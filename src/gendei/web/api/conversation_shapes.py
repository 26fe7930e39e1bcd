"""Conversations and their messages as the API gives and takes them."""

from typing import Annotated

from pydantic import AwareDatetime, Field

from gendei.conversation.stored.conversation import SessionStatus
from gendei.staff.inbox.conversation import View
from gendei.staff.inbox.messages_shown import Item, Kind, Who
from gendei.staff.inbox.rows import State
from gendei.web.api.shapes import Shape


class ConversationOut(Shape):
    """`state`: waiting (for a person, and nobody came), person, bot or closed. `windowEndsAt`: until when free text may
    go, where the channel has a service window. `channel`: over which the patient wrote last."""

    contact: Annotated[str, Field(examples=["+5511999998888"])]
    name: str | None
    phone: str | None
    channel: Annotated[str, Field(examples=["meta", "web"])]
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


class SessionOut(Shape):
    """What is said without a pause of half an hour, and of 100 messages at most. `status`: active, paused (a person has
    the conversation) or terminated (it was closed, or the pause came). `messages`: of the patient and the bot."""

    id: str
    status: SessionStatus
    started_at: AwareDatetime
    active_at: AwareDatetime
    messages: int


class ConversationDetail(ConversationOut):
    """`freeText`: whether text may go now; where not, `template`: whether a template of the clinic can carry it.
    `session`: the last one. `summary`: what a language model wrote down of messages that it no longer reads."""

    free_text: bool
    template: bool
    session: SessionOut | None
    summary: str

    @classmethod
    def seen(cls, view: View) -> "ConversationDetail":
        session = SessionOut.of(view.session[0], status=view.session[1]) if view.session else None
        more = {"free_text": view.free_text, "template": view.template, "summary": view.summary}
        return cls.of(view.row, session=session, **more)


class MessageOut(Shape):
    """`kind`: message, event or note; `who`: patient, bot, person or system. `delivery`: pending, sending, sent,
    delivered, read, played, failed, suppressed or queued; `failure`: why it did not arrive. `fileName`: of the file
    that it carries, where that has one."""

    id: str
    kind: Kind
    who: Who
    at: AwareDatetime
    type: str
    text: str
    name: str | None
    options: list[str]
    file_name: str | None
    delivery: str | None
    failure: str | None

    @classmethod
    def shown(cls, item: Item) -> "MessageOut":
        return cls.of(
            item,
            options=[option.title for option in item.options],
            file_name=str(item.details.get("filename") or "") or None,
            delivery=item.delivery.state if item.delivery else None,
            failure=(item.delivery.explanation or None) if item.delivery else None,
        )


class SentOut(Shape):
    """`id`: of the message. `dueAt`: when a template leaves that waits for the end of the quiet hours."""

    id: str
    due_at: AwareDatetime | None = None
