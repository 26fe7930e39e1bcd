"""A message of the history as staff see it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from gendei.clinic import ClinicId
from gendei.conversation.files.media import LARGEST, MediaName
from gendei.conversation.stored.conversation import QueuedMessage
from gendei.conversation.stored.history import Author, Event, HistoryMessage, Processing
from gendei.messages.called_for import CalledFor
from gendei.messages.message import MessageType
from gendei.messages.turns import NO_REASONS, Reasons
from gendei.staff.inbox.texts import InboxTexts


class Who(StrEnum):
    PATIENT = "patient"
    BOT = "bot"
    PERSON = "person"
    SYSTEM = "system"


class Kind(StrEnum):
    """A message between patient and clinic, something that happened, or a note for colleagues."""

    MESSAGE = "message"
    EVENT = "event"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class ShownOption:
    """A button, or a row of a list."""

    id: str
    title: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class ShownMedia:
    """A file. `state`: fetching, stored, expired (its term is over) or failed, then with its `reason`, which is
    technical. `file` names it in the media store once it is stored; `size` in bytes."""

    kind: str
    state: str
    mime_type: str | None = None
    size: int | None = None
    file: MediaName | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Delivery:
    """`state`: pending, sending, sent, delivered, read, played, failed, suppressed, or queued (for when the patient
    writes again). `explanation`: why it did not arrive, in Portuguese."""

    state: str
    explanation: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """`name`: the person of the clinic who did it. `text` is the patient's or the clinic's own words and never markup;
    of an event, a sentence in Portuguese. `type`: a MessageType's value. `options` with `list_label` were a list, else
    buttons. `tapped`: the patient answered by tapping. `first_text`: what stood there before the patient changed it.
    `reply_to`: the id of the item that the patient quoted, where it is on the same page. `called_for`: why a person was
    called or came. `case`: the id of the case that staff made of it. `reasons`: what led to it. `details`: what its
    type has beyond these (coordinates, cards, order lines). `waiting`: its turn has not run yet. `session`: the id of
    the session that it belongs to. `processing`: what became of a patient's message."""

    id: str
    kind: Kind
    who: Who
    at: datetime
    text: str
    type: str = str(MessageType.TEXT)
    name: str | None = None
    options: tuple[ShownOption, ...] = ()
    list_label: str | None = None
    link: tuple[str, str] | None = None
    media: ShownMedia | None = None
    template: str | None = None
    tapped: bool = False
    first_text: str | None = None
    deleted_at: datetime | None = None
    reply_to: str | None = None
    reactions: tuple[str, ...] = ()
    delivery: Delivery | None = None
    event: Event | None = None
    called_for: CalledFor | None = None
    case: str | None = None
    reasons: Reasons = NO_REASONS
    details: Mapping[str, Any] = field(default_factory=dict)
    waiting: bool = False
    session: str | None = None
    processing: Processing | None = None


_WHO = {Author.PATIENT: Who.PATIENT, Author.BOT: Who.BOT, Author.STAFF: Who.PERSON, Author.SYSTEM: Who.SYSTEM}


def items_of(
    clinic_id: ClinicId,
    messages: Sequence[HistoryMessage],
    texts: InboxTexts,
    waiting: frozenset[str] = frozenset(),
) -> tuple[Item, ...]:
    """The messages of a history, oldest first. Reactions, and corrections that found their message, are shown on the
    message; `waiting`: ids of what waits for its turn."""
    shown: dict[str, Item] = {}
    at_provider = {message.provider_message_id: message.id for message in messages if message.provider_message_id}
    for message in messages:
        target = at_provider.get(_target(message) or "")
        if target in shown and message.type is MessageType.REACTION:
            emoji = message.details.get("emoji")  # a patient has one reaction to a message, or took it back
            shown[target] = replace(shown[target], reactions=(emoji,) if emoji else ())
        elif target not in shown or message.details.get("event") not in {"edit", "revoke"}:
            item = _item(clinic_id, message, texts)
            quoted = at_provider.get(item.details.get("replyTo", ""))
            waits = message.id in waiting
            became = Processing.PENDING if waits and message.is_of_patient else item.processing
            shown[message.id] = replace(item, waiting=waits, reply_to=quoted, processing=became)
    return tuple(shown.values())


def queued_item(queued: QueuedMessage) -> Item:
    """What waits for the patient to write again."""
    return Item(
        queued.id, Kind.MESSAGE, Who.PERSON, queued.at, queued.text, name=queued.name, delivery=Delivery("queued")
    )


def _item(clinic_id: ClinicId, message: HistoryMessage, texts: InboxTexts) -> Item:
    item = Item(
        id=message.id,
        kind=Kind.MESSAGE,
        who=_WHO[message.author],
        at=message.timestamp,
        text=_text(message),
        type=str(message.type),
        name=message.author_name,
        options=tuple(ShownOption(option.id, option.title, option.description) for option in message.options),
        list_label=message.list_label,
        link=(message.link.label, message.link.url) if message.link else None,
        media=media_of(clinic_id, message),
        template=message.template,
        tapped=message.tapped is not None,
        first_text=message.content if message.edited is not None else None,
        deleted_at=message.deleted_at,
        delivery=_delivery(message, texts),
        event=message.event,
        called_for=message.called_for,
        case=message.case,
        reasons=Reasons(message.steps, message.understood),
        details=message.details,
        session=message.session,
        processing=(message.processing or Processing.COMPLETED) if message.is_of_patient else None,
    )
    if message.event is None:
        return item
    if message.event is Event.NOTE:
        return replace(item, kind=Kind.NOTE, text=message.content, details=_detail(message))
    told = _told(message, message.event, texts)
    return replace(item, kind=Kind.EVENT, text=told, details=_detail(message))


def _detail(message: HistoryMessage) -> Mapping[str, Any]:
    return {"detail": message.detail} if message.detail else {}


def _told(message: HistoryMessage, event: Event, texts: InboxTexts) -> str:
    """A take-over without a person is the bot's wish."""
    if message.author_name is None and event is Event.TAKEN_OVER:
        return texts.called
    return texts.event(event, message.author_name, message.detail)


def _text(message: HistoryMessage) -> str:
    edited, details = message.edited or {}, message.details
    if edited.get("text"):
        return str(edited["text"])
    if message.type in LARGEST and (message.is_of_patient or "filename" in details):
        return str(details.get("caption") or message.note.get("transcript") or "")
    return message.content.removeprefix(f"[{message.type}]").lstrip()


def media_of(clinic_id: ClinicId, message: HistoryMessage) -> ShownMedia | None:
    """The file of a message of the history: a patient's, one that staff sent, or an answer that was spoken; None where
    it has none."""
    kind, media, mime_type = str(message.type), message.media, message.details.get("mimeType")
    if message.type not in LARGEST or (media is None and (not message.is_of_patient or message.note.get("live"))):
        return None
    if media is None:
        return ShownMedia(kind, "fetching", mime_type)
    if media.state == "expired":
        return ShownMedia(kind, "expired", mime_type)
    if media.state != "stored":
        return ShownMedia(kind, "failed", mime_type, reason=media.reason)
    file = MediaName(clinic_id, media.folder, media.file)
    return ShownMedia(kind, "stored", media.content_type, media.size, file)


def _delivery(message: HistoryMessage, texts: InboxTexts) -> Delivery | None:
    state = message.delivery_state
    if state is None:
        return None
    otherwise = {"failed": texts.failed, "suppressed": texts.suppressed}.get(state, "")
    return Delivery(state, message.explanation or otherwise if otherwise else "")


def _target(message: HistoryMessage) -> str | None:
    """The provider's id of the message that this one is about."""
    return message.details.get("message_id" if message.type is MessageType.REACTION else "original_message_id")
