"""What a ReceivedCallback of Z-API says, as fields of our IncomingMessage.

Shapes: Z-API's documentation, April 2026.
"""

from collections.abc import Callable

from gendei.messages.message import MessageType
from gendei.providers.json_parts import Json, known, objects, part, string, tapped, unsupported, vcard_card


def read_content(tree: Json) -> Json | None:
    """The IncomingMessage fields that follow from the one content object of the callback; None where there is none.
    Never raises. Content that is not known is UNSUPPORTED, so that no message of a patient gets lost."""
    if notification := string(tree.get("notification")):
        return {"type": MessageType.SYSTEM, "details": {"event": notification.lower()[:60]}}
    kind = next((name for name in _READERS if isinstance(tree.get(name), dict)), None)
    if kind is not None:
        fields = _READERS[kind](tree[kind])
    else:
        unknown = next((name for name, value in tree.items() if isinstance(value, dict) and name not in _BESIDE), None)
        if unknown is None:
            return None
        fields = unsupported(unknown)
    fields.setdefault("details", {})
    fields.setdefault("reply_to", string(tree.get("referenceMessageId")))
    return fields


_BESIDE = frozenset({"externalAdReply", "contextInfo", "profile", "status"})
"""Objects that accompany a message."""


def _text(content: Json) -> Json:
    body = content.get("message")
    return {"type": MessageType.TEXT, "text": body} if isinstance(body, str) else unsupported("text")


def _media(kind: MessageType) -> Callable[[Json], Json]:
    """A file is fetched by its address, which is good for 30 days."""

    def read(content: Json) -> Json:
        details = known(content, "seconds")
        details |= {"filename": name} if (name := string(content.get("fileName"))) else {}
        details |= {"voice": True} if content.get("ptt") is True else {}
        return {
            "type": kind,
            "media_url": string(content.get(f"{kind}Url")),
            "mime_type": string(content.get("mimeType")),
            "caption": string(content.get("caption")),
            "details": details,
        }

    return read


def _location(content: Json) -> Json:
    return {"type": MessageType.LOCATION, "details": known(content, "latitude", "longitude", "name", "address", "url")}


def _contact(content: Json) -> Json:
    card = vcard_card(content.get("displayName"), content.get("vCard"))
    phones = content.get("phones")
    if isinstance(phones, list) and not card["phones"]:
        card["phones"] = [{"phone": phone[:40]} for phone in phones[:10] if isinstance(phone, str)]
    return {"type": MessageType.CONTACTS, "details": {"contacts": [card]}}


def _button(content: Json) -> Json:
    return tapped(content.get("buttonId"), content.get("message"))


def _row(content: Json) -> Json:
    """`message` is the row's description."""
    return tapped(content.get("selectedRowId"), content.get("title"))


def _reaction(content: Json) -> Json:
    target = string(part(content, "referencedMessage").get("messageId"))
    details = {"message_id": target, "emoji": string(content.get("value"))}
    return {"type": MessageType.REACTION, "reply_to": target, "details": details}


def _order(content: Json) -> Json:
    items = [known(item, "name", "quantity", "price", "productId") for item in objects(content.get("products"))]
    details = {**known(content, "orderId", "total", "currency", "itemCount"), "items": items}
    return {"type": MessageType.ORDER, "text": string(content.get("message")), "details": details}


def _poll(_content: Json) -> Json:
    return {"type": MessageType.SYSTEM, "details": {"event": "poll"}}


_READERS: dict[str, Callable[[Json], Json]] = {
    "text": _text,
    "image": _media(MessageType.IMAGE),
    "audio": _media(MessageType.AUDIO),
    "video": _media(MessageType.VIDEO),
    "document": _media(MessageType.DOCUMENT),
    "sticker": _media(MessageType.STICKER),
    "location": _location,
    "contact": _contact,
    "buttonsResponseMessage": _button,
    "listResponseMessage": _row,
    "reaction": _reaction,
    "order": _order,
    "poll": _poll,
    "pollVote": _poll,
}
