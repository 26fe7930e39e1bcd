"""What one message of Evolution API says: WhatsApp's own message objects as fields of our IncomingMessage.

Shapes: Evolution API 2.3.7 and its Baileys channel, read in its source. Exactly one key of `message` is the content;
wrappers (disappearing messages, view once, captions of documents) hold another `message`.
"""

from collections.abc import Callable

from gendei.messages.message import MessageType
from gendei.providers.json_parts import Json, known, objects, part, string, tapped, unsupported, vcard_card
from gendei.providers.webhook_body import lenient_object

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
