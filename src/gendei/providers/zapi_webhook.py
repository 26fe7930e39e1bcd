"""Z-API's webhook bodies, which nobody signs: one callback each, named by `type`. Pure: no I/O, no clock.

Shapes: Z-API's documentation, April 2026. `momment` (their spelling) counts milliseconds.
"""

from collections.abc import Callable
from datetime import datetime

from gendei.messages.message import DeliveryState, Echo, IncomingMessage, MessageType, Received, StatusUpdate
from gendei.providers.json_parts import Json, known, objects, part, string, tapped, unsupported, vcard_card
from gendei.providers.webhook_body import NotAWebhook, Parsed, decode_object, moment, usable_id
from gendei.providers.whatsapp_ids import Person, is_person, person

_STATES = {
    "SENT": DeliveryState.SENT,
    "RECEIVED": DeliveryState.DELIVERED,
    "READ": DeliveryState.READ,
    "PLAYED": DeliveryState.PLAYED,
}
"""READ_BY_ME is about a message of the patient."""
_NOTICES = frozenset({MessageType.REACTION, MessageType.SYSTEM})


def parse(body: bytes, received_at: datetime) -> Parsed:
    """The message, the statuses or the echo of `body`; `received_at` (aware) stands in for a time that cannot be read.

    Groups, broadcasts, channels, messages whose content has yet to come (they come again under the same id) and what
    was sent through the API are left out. Raises NotAWebhook for anything without a type and an instance, and nothing
    else.
    """
    tree = decode_object(body)
    kind, instance = string(tree.get("type")), string(tree.get("instanceId"))
    if kind is None or instance is None:
        raise NotAWebhook
    match kind:
        case "ReceivedCallback":
            return _message(tree, instance, received_at)
        case "MessageStatusCallback":
            return _statuses(tree, instance, received_at)
        case "DeliveryCallback":
            return _left_the_queue(tree, instance, received_at)
        case _:
            return Parsed(())


def _message(tree: Json, instance: str, received_at: datetime) -> Parsed:
    elsewhere = any(tree.get(name) is True for name in ("isGroup", "isNewsletter", "broadcast", "waitingMessage"))
    from_me, fields = tree.get("fromMe") is True, read_content(tree)
    ours = from_me and tree.get("fromApi") is True
    if elsewhere or ours or fields is None or not is_person(string(tree.get("phone")) or ""):
        return Parsed(())
    message_id, who = usable_id(tree.get("messageId")), _other_side(tree, from_me=from_me)
    if message_id is None or who is None:
        return Parsed((), skipped=1)
    sent_at = moment(tree.get("momment"), received_at, unit=1000)
    if tree.get("isEdit") is True:
        fields, message_id = _edit(fields, message_id), f"{message_id}:edit:{sent_at:%Y%m%d%H%M%S}"
    message = IncomingMessage(
        id=message_id,
        sender=who.contact,
        timestamp=sent_at,
        phone=who.phone,
        user_id=who.user_id,
        aliases=who.aliases,
        sender_name=string(tree.get("senderName")) or string(tree.get("chatName")),
        **fields,
    )
    if not from_me:
        return Parsed((Received(instance, messages=(message,)),))
    if message.type in _NOTICES:
        return Parsed(())
    return Parsed((Received(instance, echoes=(Echo(message.id, message.sender, sent_at, message.content),)),))


def _other_side(tree: Json, *, from_me: bool) -> Person | None:
    """Whom the chat is with. In what staff wrote, `senderLid` is the clinic's own."""
    return person(tree.get("phone"), tree.get("chatLid"), None if from_me else tree.get("senderLid"))


def _edit(fields: Json, original: str) -> Json:
    """A corrected message comes whole, under the id of the first: a notice about that one."""
    details = {"event": "edit", "original_message_id": original}
    if text := fields.get("text") or fields.get("caption"):
        details["text"] = text
    return {"type": MessageType.SYSTEM, "details": details}


def _statuses(tree: Json, instance: str, received_at: datetime) -> Parsed:
    state, ids = _STATES.get(string(tree.get("status")) or ""), tree.get("ids")
    if state is None or tree.get("isGroup") is True or not is_person(string(tree.get("phone")) or ""):
        return Parsed(())
    listed = ids if isinstance(ids, list) else []
    at = moment(tree.get("momment"), received_at, unit=1000)
    updates = tuple(StatusUpdate(found, state, at) for message_id in listed if (found := usable_id(message_id)))
    skipped = len(listed) - len(updates) if listed else 1
    return Parsed((Received(instance, statuses=updates),) if updates else (), skipped)


def _left_the_queue(tree: Json, instance: str, received_at: datetime) -> Parsed:
    """Sent on or, with an `error`, failed."""
    message_id = usable_id(tree.get("messageId"))
    if message_id is None:
        return Parsed((), skipped=1)
    at = moment(tree.get("momment"), received_at, unit=1000)
    if tree.get("error"):
        update = StatusUpdate(message_id, DeliveryState.FAILED, at, error="ERROR the message could not be delivered")
    else:
        update = StatusUpdate(message_id, DeliveryState.SENT, at)
    return Parsed((Received(instance, statuses=(update,)),))


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
