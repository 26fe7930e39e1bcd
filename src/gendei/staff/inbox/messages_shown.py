"""A message of the history as staff see it: pure, from its document."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from gendei.clinic import ClinicId
from gendei.conversation.conversations import QueuedMessage
from gendei.conversation.files.media import LARGEST, MediaName
from gendei.conversation.history import Author, Event, read_steps
from gendei.conversation.messages import MessageType
from gendei.documents import Data
from gendei.receptionist.contract import ToolStep
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
    `reply_to`: the id of the item that the patient quoted, where it is on the same page. `steps`: the tool calls that
    led to it. `details`: what its type has beyond these (coordinates, cards, order lines). `waiting`: its turn has not
    run yet."""

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
    steps: tuple[ToolStep, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    waiting: bool = False


_WHO = {Author.PATIENT: Who.PATIENT, Author.BOT: Who.BOT, Author.STAFF: Who.PERSON, Author.SYSTEM: Who.SYSTEM}


def items_of(
    clinic_id: ClinicId, messages: Sequence[tuple[str, Data]], texts: InboxTexts, waiting: frozenset[str] = frozenset()
) -> tuple[Item, ...]:
    """The (id, document) pairs of a history, oldest first. Reactions, and corrections that found their message, are
    shown on the message; `waiting`: ids of what waits for its turn."""
    shown: dict[str, Item] = {}
    at_provider = {data["providerMessageId"]: key for key, data in messages if data.get("providerMessageId")}
    for key, data in messages:
        target = at_provider.get(_target(data) or "")
        if target in shown and data["type"] == MessageType.REACTION:
            shown[target] = _with_reaction(shown[target], data)
        elif target not in shown or not _is_correction(data):
            item = _item(clinic_id, key, data, texts)
            quoted = at_provider.get(item.details.get("replyTo", ""))
            shown[key] = replace(item, waiting=key in waiting, reply_to=quoted)
    return tuple(shown.values())


def queued_item(queued: QueuedMessage) -> Item:
    """What waits for the patient to write again."""
    return Item(
        queued.id, Kind.MESSAGE, Who.PERSON, queued.at, queued.text, name=queued.name, delivery=Delivery("queued")
    )


def _item(clinic_id: ClinicId, key: str, data: Data, texts: InboxTexts) -> Item:
    who, name = _WHO[Author(data["author"])], data.get("authorName")
    if "event" in data:
        event = Event(data["event"])
        note = event is Event.NOTE
        return Item(
            id=key,
            kind=Kind.NOTE if note else Kind.EVENT,
            who=who,
            at=data["timestamp"],
            text=data["content"] if note else _told(data, event, name, texts),
            type=data["type"],
            name=name,
            event=event,
            steps=_steps(data),
            details={"detail": data["detail"]} if data.get("detail") else {},
        )
    details = data.get("details") or {}
    return Item(
        id=key,
        kind=Kind.MESSAGE,
        who=who,
        at=data["timestamp"],
        text=_text(data, details),
        type=data["type"],
        name=name,
        options=tuple(
            ShownOption(option["id"], option["title"], option.get("description", ""))
            for option in data.get("options", ())
        ),
        list_label=data.get("listLabel"),
        link=(data["link"]["label"], data["link"]["url"]) if "link" in data else None,
        media=media_of(clinic_id, data),
        template=data.get("template"),
        tapped=data.get("tapped") is not None,
        first_text=data["content"] if "edited" in data else None,
        deleted_at=data.get("deletedAt"),
        delivery=_delivery(data, texts),
        steps=_steps(data),
        details=details,
    )


def _told(data: Data, event: Event, name: str | None, texts: InboxTexts) -> str:
    """A take-over without a person is the bot's wish."""
    if name is None and event is Event.TAKEN_OVER:
        return texts.called
    return texts.event(event, name, data.get("detail", ""))


def _text(data: Data, details: Mapping[str, Any]) -> str:
    edited = data.get("edited") or {}
    if edited.get("text"):
        return str(edited["text"])
    if MessageType(data["type"]) in LARGEST and (data["author"] == Author.PATIENT or "filename" in details):
        return str(details.get("caption") or (data.get("note") or {}).get("transcript") or "")
    return str(data["content"]).removeprefix(f"[{data['type']}]").lstrip()


def media_of(clinic_id: ClinicId, data: Data) -> ShownMedia | None:
    """The file of a message of the history: a patient's, one that staff sent, or an answer that was spoken; None where
    it has none."""
    details, media = data.get("details") or {}, data.get("media")
    if MessageType(data["type"]) not in LARGEST or (data["author"] != Author.PATIENT and media is None):
        return None
    if media is None and (data.get("note") or {}).get("live"):
        return None
    if media is None:
        return ShownMedia(data["type"], "fetching", details.get("mimeType"))
    if media["state"] == "expired":
        return ShownMedia(data["type"], "expired", details.get("mimeType"))
    if media["state"] != "stored":
        return ShownMedia(data["type"], "failed", details.get("mimeType"), reason=media.get("reason", ""))
    file = MediaName(clinic_id, media["folder"], media["file"])
    return ShownMedia(data["type"], "stored", media["contentType"], media["bytes"], file)


def _delivery(data: Data, texts: InboxTexts) -> Delivery | None:
    state = data.get("deliveryState")
    if state is None:
        return None
    otherwise = {"failed": texts.failed, "suppressed": texts.suppressed}.get(state, "")
    return Delivery(state, data.get("explanation") or otherwise if otherwise else "")


def _steps(data: Data) -> tuple[ToolStep, ...]:
    return read_steps(data.get("steps", ()))


def _target(data: Data) -> str | None:
    """The provider's id of the message that this one is about."""
    details = data.get("details") or {}
    return details.get("message_id") if data["type"] == MessageType.REACTION else details.get("original_message_id")


def _is_correction(data: Data) -> bool:
    return (data.get("details") or {}).get("event") in {"edit", "revoke"}


def _with_reaction(item: Item, data: Data) -> Item:
    """A patient has one reaction to a message; taking it back leaves none."""
    emoji = (data.get("details") or {}).get("emoji")
    return replace(item, reactions=(emoji,) if emoji else ())
