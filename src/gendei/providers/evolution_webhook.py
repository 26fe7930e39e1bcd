"""Evolution API's webhook bodies, which nobody signs: `{event, instance, data, ...}`. Pure: no I/O, no clock.

Shapes: Evolution API 2.3.7, read in its source, and older ones that it replaced. `sender` in a body is the clinic's
own number and `apikey` its token: neither is ever read, and a body is never logged.
"""

from collections.abc import Callable
from datetime import datetime

from gendei.messages.message import DeliveryState, Echo, IncomingMessage, MessageType, Received, StatusUpdate
from gendei.providers.json_parts import Json, known, objects, part, string, tapped, unsupported, vcard_card
from gendei.providers.webhook_body import NotAWebhook, Parsed, decode_object, lenient_object, moment, usable_id
from gendei.providers.whatsapp_ids import Person, is_person, person

_STATES = {
    "ERROR": DeliveryState.FAILED,
    "SERVER_ACK": DeliveryState.SENT,
    "DELIVERY_ACK": DeliveryState.DELIVERED,
    "READ": DeliveryState.READ,
    "PLAYED": DeliveryState.PLAYED,
}
"""PENDING says nothing new, and DELETED is what a vote in a poll looks like."""
_NUMBERED = dict(zip("02345", _STATES, strict=True))
_NOTICES = frozenset({MessageType.REACTION, MessageType.SYSTEM})


def parse(body: bytes, received_at: datetime) -> Parsed:
    """The messages, statuses and echoes of `body`; `received_at` (aware) stands in for a time that cannot be read.

    Groups, broadcasts, the status list and channels are left out, and so is `send.message`, which repeats what was
    sent through the API. Raises NotAWebhook for anything without an event and an instance, and nothing else.
    """
    tree = decode_object(body)
    event, instance = string(tree.get("event")), string(tree.get("instance"))
    if event is None or instance is None:
        raise NotAWebhook
    walk = _Walk(received_at)
    read = {
        "messages.upsert": walk.message,
        "messages.update": walk.status,
        "messages.edited": walk.edit,
        "messages.delete": walk.revoke,
    }.get(event.lower().replace("_", ".").replace("-", "."))
    if read is None:
        return Parsed(())
    data = tree.get("data")
    for item in data if isinstance(data, list) else [data]:
        if isinstance(item, dict):
            read(item)
        else:
            walk.skipped += 1
    found = Received(instance, tuple(walk.messages), tuple(walk.statuses), tuple(walk.echoes))
    something = walk.messages or walk.statuses or walk.echoes
    return Parsed((found,) if something else (), walk.skipped)


class _Walk:
    """One pass over a body, gathering."""

    __slots__ = ("echoes", "messages", "received_at", "skipped", "statuses")

    def __init__(self, received_at: datetime) -> None:
        self.received_at = received_at
        self.messages: list[IncomingMessage] = []
        self.statuses: list[StatusUpdate] = []
        self.echoes: list[Echo] = []
        self.skipped = 0

    def message(self, data: Json) -> None:
        key = part(data, "key")
        chat = self._chat(key)
        fields = read_content(part(data, "message"), chat[0]) if chat else None
        if chat is None or fields is None:
            return  # no chat with a person, nothing that anybody wrote, or content that comes later under the same id
        if replied := string(part(data, "contextInfo").get("stanzaId")):
            fields.setdefault("reply_to", replied)
        sent_at = moment(data.get("messageTimestamp"), self.received_at)
        message = _incoming(chat, sent_at, fields, string(data.get("pushName")))
        if key.get("fromMe") is not True:
            self.messages.append(message)
        elif message.type not in _NOTICES:
            self.echoes.append(Echo(message.id, message.sender, sent_at, message.content))

    def status(self, data: Json) -> None:
        """`keyId` is WhatsApp's id of the message; `messageId` would be Evolution's own. The older shape has a key."""
        key = part(data, "key")
        message_id = usable_id(data.get("keyId")) or usable_id(key.get("id"))
        told = data.get("status", part(data, "update").get("status"))
        from_me = data.get("fromMe", key.get("fromMe", True))
        state = _STATES.get(told if isinstance(told, str) else _NUMBERED.get(str(told), ""))
        if message_id is None:
            self.skipped += 1
        elif state is not None and from_me is True and is_person(_address(data) or _address(key)):
            error = "ERROR the message could not be delivered" if state is DeliveryState.FAILED else None
            self.statuses.append(StatusUpdate(message_id, state, self.received_at, error=error))

    def edit(self, data: Json) -> None:
        protocol = part(data, "protocolMessage") or data
        edited_at = moment(protocol.get("timestampMs"), self.received_at, unit=1000)
        self._notice(part(protocol, "key"), f"edit:{edited_at:%Y%m%d%H%M%S}", edited_at, read_edit(protocol))

    def revoke(self, data: Json) -> None:
        """The data is the key of what was taken back."""
        key = part(data, "key") or data
        details = {"event": "revoke", "original_message_id": string(key.get("id"))}
        self._notice(key, "revoke", self.received_at, {"type": MessageType.SYSTEM, "details": details})

    def _notice(self, key: Json, name: str, at: datetime, fields: Json) -> None:
        """What a patient did to an earlier message: under an id of its own, since the body only has that one's."""
        chat = self._chat(key)
        if chat and key.get("fromMe") is not True:
            self.messages.append(_incoming((f"{chat[0]}:{name}", chat[1]), at, fields, None))

    def _chat(self, key: Json) -> tuple[str, Person] | None:
        """The id and the other side of the chat; None where the chat is none with one person."""
        if not is_person(_address(key)):
            return None
        message_id = usable_id(key.get("id"))
        hints = (key.get("remoteJidAlt"), None if key.get("fromMe") is True else key.get("senderPn"))
        who = person(_address(key), *hints)
        if message_id is None or who is None:
            self.skipped += 1
            return None
        return message_id, who


def _incoming(chat: tuple[str, Person], sent_at: datetime, fields: Json, name: str | None) -> IncomingMessage:
    message_id, who = chat
    return IncomingMessage(
        id=message_id,
        sender=who.contact,
        timestamp=sent_at,
        phone=who.phone,
        user_id=who.user_id,
        aliases=who.aliases,
        sender_name=name,
        **fields,
    )


def _address(key: Json) -> str:
    return string(key.get("remoteJid")) or ""


_WRAPPERS = (
    "ephemeralMessage",
    "viewOnceMessage",
    "viewOnceMessageV2",
    "viewOnceMessageV2Extension",
    "documentWithCaptionMessage",
    "deviceSentMessage",
    "editedMessage",
)
_BESIDE = frozenset(
    {"messageContextInfo", "senderKeyDistributionMessage", "fastRatchetKeySenderKeyDistributionMessage"}
    | {"base64", "mediaUrl", "reportingTokenInfo"}
)
"""Keys that stand beside the content, or alone where there is none for us."""
_ABOUT_EARLIER = {"pinInChatMessage": "pin", "keepInChatMessage": "keep_in_chat", "pollUpdateMessage": "poll_update"}
_REVOKE = frozenset({0, "REVOKE"})
_EDIT = frozenset({14, "MESSAGE_EDIT"})
"""Types of a protocolMessage, as number or name."""
_DEEPEST = 5


def read_content(message: Json, message_id: str) -> Json | None:
    """The IncomingMessage fields that follow from `message`, the content of the message `message_id`; None where it
    holds nothing that anybody wrote (keys, settings, or content that has yet to come). Never raises. Content that is
    not known is UNSUPPORTED, so that no message of a patient gets lost."""
    media_url = message.get("mediaUrl")
    for _ in range(_DEEPEST):
        inner = next((found for name in _WRAPPERS if (found := part(message, name, "message"))), None)
        if inner is None:
            break
        message = inner
    kind = next((name for name in message if name in _READERS), None)
    if kind is None:
        kind = next((name for name, value in message.items() if name not in _BESIDE and value), None)
        if kind is None:
            return None
        about = _ABOUT_EARLIER.get(kind) or kind.removesuffix("Message")
        return unsupported(about)
    content = message[kind] if isinstance(message[kind], dict) else {"text": message[kind]}
    fields = _READERS[kind](content)
    if fields is None:
        return None
    fields.setdefault("details", {})
    if replied := string(part(content, "contextInfo").get("stanzaId")):
        fields.setdefault("reply_to", replied)
    if fields["type"] in _MEDIA.values():
        # Evolution API fetches a file by its message; an address is there only where it keeps files in a bucket.
        fields["media_id"] = message_id
        fields["media_url"] = string(media_url) or string(message.get("mediaUrl"))
    return fields


def read_edit(protocol: Json) -> Json:
    """A correction: {key, editedMessage}, as a notice about the earlier message."""
    edited = read_content(part(protocol, "editedMessage"), "") or {}
    details = {"event": "edit", **_original(protocol)}
    if text := edited.get("text") or edited.get("caption"):
        details["text"] = text
    return {"type": MessageType.SYSTEM, "details": details}


def _original(protocol: Json) -> Json:
    original = string(part(protocol, "key").get("id"))
    return {"original_message_id": original} if original else {}


def _text(content: Json) -> Json | None:
    body = content.get("text")
    return {"type": MessageType.TEXT, "text": body} if isinstance(body, str) else None


_MEDIA = {
    "imageMessage": MessageType.IMAGE,
    "videoMessage": MessageType.VIDEO,
    "ptvMessage": MessageType.VIDEO,
    "audioMessage": MessageType.AUDIO,
    "documentMessage": MessageType.DOCUMENT,
    "stickerMessage": MessageType.STICKER,
}


def _media(kind: MessageType) -> Callable[[Json], Json]:
    def read(content: Json) -> Json:
        details = known(content, "seconds") if kind in {MessageType.AUDIO, MessageType.VIDEO} else {}
        details |= {"filename": name} if (name := string(content.get("fileName"))) else {}
        details |= {"sha256": digest} if (digest := string(content.get("fileSha256"))) else {}
        details |= {"voice": True} if content.get("ptt") is True else {}
        return {
            "type": kind,
            "mime_type": string(content.get("mimetype")),
            "caption": string(content.get("caption")),
            "details": details,
        }

    return read


def _location(content: Json) -> Json:
    place = known(content, "name", "address", "url")
    for ours, theirs in (("latitude", "degreesLatitude"), ("longitude", "degreesLongitude")):
        place |= {ours: content[theirs]} if known(content, theirs) else {}
    return {"type": MessageType.LOCATION, "details": place}


def _contact(content: Json) -> Json:
    cards = [vcard_card(content.get("displayName"), content.get("vcard"))]
    return {"type": MessageType.CONTACTS, "details": {"contacts": cards}}


def _contacts(content: Json) -> Json:
    cards = [vcard_card(card.get("displayName"), card.get("vcard")) for card in objects(content.get("contacts"))]
    return {"type": MessageType.CONTACTS, "details": {"contacts": cards}}


def _button(content: Json) -> Json:
    return tapped(content.get("selectedButtonId"), content.get("selectedDisplayText"))


def _template_button(content: Json) -> Json:
    return tapped(content.get("selectedId"), content.get("selectedDisplayText"))


def _row(content: Json) -> Json:
    return tapped(part(content, "singleSelectReply").get("selectedRowId"), content.get("title"))


def _native_flow(content: Json) -> Json:
    """`paramsJson` is JSON in a text, and may be broken."""
    answer = lenient_object(part(content, "nativeFlowResponseMessage").get("paramsJson"))
    return tapped(answer.get("id"), answer.get("display_text") or part(content, "body").get("text"))


def _reaction(content: Json) -> Json:
    target = string(part(content, "key").get("id"))
    details = {"message_id": target, "emoji": string(content.get("text"))}
    return {"type": MessageType.REACTION, "reply_to": target, "details": details}


def _order(content: Json) -> Json:
    details = known(content, "orderId", "itemCount", "totalAmount1000", "totalCurrencyCode")
    return {"type": MessageType.ORDER, "text": string(content.get("message")), "details": details}


def _poll(_content: Json) -> Json:
    return {"type": MessageType.SYSTEM, "details": {"event": "poll"}}


def _protocol(content: Json) -> Json | None:
    kind = content.get("type")
    if isinstance(kind, str | int) and kind in _EDIT:
        return read_edit(content)
    if isinstance(kind, str | int) and (kind in _REVOKE and _original(content)):
        return {"type": MessageType.SYSTEM, "details": {"event": "revoke", **_original(content)}}
    return None


_READERS: dict[str, Callable[[Json], Json | None]] = {
    "conversation": _text,
    "extendedTextMessage": _text,
    "locationMessage": _location,
    "liveLocationMessage": _location,
    "contactMessage": _contact,
    "contactsArrayMessage": _contacts,
    "buttonsResponseMessage": _button,
    "templateButtonReplyMessage": _template_button,
    "listResponseMessage": _row,
    "interactiveResponseMessage": _native_flow,
    "reactionMessage": _reaction,
    "orderMessage": _order,
    "pollCreationMessage": _poll,
    "pollCreationMessageV2": _poll,
    "pollCreationMessageV3": _poll,
    "protocolMessage": _protocol,
    **{name: _media(kind) for name, kind in _MEDIA.items()},
}
