"""Conversations and their messages as the API gives and takes them."""

from typing import Annotated

from pydantic import AwareDatetime, Field, StringConstraints

from gendei.conversation.outbound.proactive import Queued
from gendei.conversation.sessions import Session, SessionStatus
from gendei.receptionist.limits import MAX_BUTTON_TITLE, MAX_ROW_TITLE
from gendei.receptionist.replies import LIST_LABEL, MAX_BUTTONS, MAX_OPTIONS, Reply
from gendei.staff.inbox.conversation import View
from gendei.staff.inbox.messages_shown import Item, Kind, Who
from gendei.staff.inbox.offered import staff_options
from gendei.staff.inbox.rows import Row, State
from gendei.web.api.shapes import Asked, Shape


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

    @classmethod
    def of(cls, row: Row) -> "ConversationOut":
        return cls(
            contact=row.contact,
            name=row.name,
            phone=row.phone,
            channel=row.channel,
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
        row = ConversationOut.of(view.row).model_dump()
        return cls(
            **row,
            free_text=view.free_text,
            template=view.template,
            session=_session(*view.session) if view.session else None,
            summary=view.summary,
        )


def _session(session: Session, status: SessionStatus) -> SessionOut:
    return SessionOut(
        id=session.id,
        status=status,
        started_at=session.started_at,
        active_at=session.active_at,
        messages=session.messages,
    )


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
            file_name=str(item.details.get("filename") or "") or None,
            delivery=item.delivery.state if item.delivery else None,
            failure=(item.delivery.explanation or None) if item.delivery else None,
        )


class OptionIn(Asked):
    """A button (20 characters), or a row of a list (24), which may have a description."""

    title: Annotated[
        str, StringConstraints(strip_whitespace=True, min_length=1, max_length=24), Field(examples=["Sim"])
    ]
    description: Annotated[str, StringConstraints(max_length=72)] = ""


class Send(Asked):
    """`text` is needed where there is no `fileId`; with one it is the caption (1024 characters), and after a recording
    it follows as a message of its own. `options`: up to 3 go as buttons, more, or with `listLabel`, as a list; as
    numbered text where the channel has neither. `template`: outside of the service window, the text as the clinic's
    template for messages of staff."""

    text: Annotated[str, StringConstraints(strip_whitespace=True), Field(examples=["Bom dia! O resultado chegou."])] = (
        ""
    )
    file_id: Annotated[
        str | None,
        Field(max_length=100, description="Of `POST /files`.", examples=["0f8c2d6be1a94f53a7d0c7b3e5f21908"]),
    ] = None
    options: Annotated[tuple[OptionIn, ...], Field(max_length=MAX_OPTIONS)] = ()
    list_label: Annotated[str, StringConstraints(max_length=20), Field(examples=["Ver horários"])] = ""
    template: bool = False

    @property
    def reply(self) -> Reply:
        """Raises ValueError without a text."""
        as_list = bool(self.list_label) or len(self.options) > MAX_BUTTONS
        limit = MAX_ROW_TITLE if as_list else MAX_BUTTON_TITLE
        options = staff_options([(one.title, one.description) for one in self.options], limit)
        return Reply(self.text, options, self.list_label or LIST_LABEL, as_list=as_list)


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
