"""What one message of Meta's webhook says: each of Meta's types as fields of our IncomingMessage."""

from collections.abc import Callable

from gendei.messages.message import MessageType
from gendei.providers.json_parts import Json, known, objects, part, scalar, string


def error_texts(errors: object) -> list[str]:
    """Meta's `errors` array as "code title", or "code title: details" where the details say more."""
    texts = []
    for error in errors if isinstance(errors, list) else []:
        if isinstance(error, dict):
            title = string(error.get("title")) or string(error.get("message")) or "without a title"
            details = string(part(error, "error_data").get("details"))
            text = f"{scalar(error.get('code')) or 0} {title}"
            texts.append(f"{text}: {details}" if details and details != title else text)
    return texts


def read_content(message: Json) -> Json:
    """The IncomingMessage fields that follow from the type; never raises. A type that is not known, or whose
    content is not there, is UNSUPPORTED, so that no message of a patient gets lost."""
    kind = message.get("type")
    reader = _READERS.get(kind) if isinstance(kind, str) else None
    fields = (reader(message) if reader else None) or _unsupported(message)
    details = fields.setdefault("details", {})
    if isinstance(context := message.get("context"), dict):
        fields.setdefault("reply_to", string(context.get("id")))
        details.update(known(context, "forwarded", "frequently_forwarded"))
        if product := known(part(context, "referred_product"), "catalog_id", "product_retailer_id"):
            details["referred_product"] = product
    if isinstance(referral := message.get("referral"), dict):
        details["referral"] = known(
            referral, "source_url", "source_id", "source_type", "headline", "body", "media_type", "ctwa_clid"
        )
    return fields


def _text(message: Json) -> Json | None:
    body = part(message, "text").get("body")
    return {"type": MessageType.TEXT, "text": body} if isinstance(body, str) else None


def _media(kind: MessageType) -> Callable[[Json], Json | None]:
    def read(message: Json) -> Json | None:
        media = part(message, kind.value)
        if not media:
            return None
        return {
            "type": kind,
            "media_id": string(media.get("id")),
            "media_url": string(media.get("url")),
            "mime_type": string(media.get("mime_type")),
            "caption": string(media.get("caption")),
            "details": known(media, "sha256", "voice", "filename", "animated"),
        }

    return read


def _location(message: Json) -> Json | None:
    place = known(part(message, "location"), "latitude", "longitude", "name", "address", "url")
    return {"type": MessageType.LOCATION, "details": place} if "latitude" in place and "longitude" in place else None


def _contacts(message: Json) -> Json | None:
    """Shared cards; `origin` "contact_request" is the sender's own, "other" proves nothing."""
    cards = [
        {
            "name": string(part(card, "name").get("formatted_name")) or "",
            "phones": [known(phone, "phone", "wa_id", "type") for phone in objects(card.get("phones"))],
            **known(card, "origin"),
        }
        for card in objects(message.get("contacts"))
    ]
    return {"type": MessageType.CONTACTS, "details": {"contacts": cards}} if cards else None


def _interactive(message: Json) -> Json | None:
    interactive = part(message, "interactive")
    kind = string(interactive.get("type"))
    if kind in {"button_reply", "list_reply"}:
        tapped = part(interactive, kind)
        if not (payload := string(tapped.get("id"))):
            return None
        return {
            "type": MessageType.INTERACTIVE,
            "button_payload": payload,
            "button_title": string(tapped.get("title")),
            "details": known(tapped, "description"),
        }
    if kind == "nfm_reply" and (form := part(interactive, "nfm_reply")):
        return {
            "type": MessageType.INTERACTIVE,
            "button_title": string(form.get("body")),
            "details": {"interactive": kind, **known(form, "name", "response_json")},
        }
    return None


def _button(message: Json) -> Json | None:
    """The quick reply of a template."""
    button = part(message, "button")
    title, payload = string(button.get("text")), string(button.get("payload"))
    if not (title or payload):
        return None
    return {"type": MessageType.BUTTON, "button_payload": payload, "button_title": title}


def _reaction(message: Json) -> Json:
    """`details["emoji"]` is None when the reaction was taken back: Meta leaves the key out, or sends ""."""
    reaction = part(message, "reaction")
    target = string(reaction.get("message_id"))
    details = {"message_id": target, "emoji": string(reaction.get("emoji"))}
    return {"type": MessageType.REACTION, "reply_to": target, "details": details}


def _order(message: Json) -> Json | None:
    order = part(message, "order")
    items = [
        known(item, "product_retailer_id", "quantity", "item_price", "currency")
        for item in objects(order.get("product_items"))
    ]
    if not items:
        return None
    details = {**known(order, "catalog_id"), "items": items}
    return {"type": MessageType.ORDER, "text": string(order.get("text")), "details": details}


def _system(message: Json) -> Json:
    """A change of number or of user id, or of the identity key; not something that a patient wrote."""
    notice = part(message, "system")
    details = known(notice, "wa_id", "user_id", "previous_user_id", "body")
    return {"type": MessageType.SYSTEM, "details": {"event": string(notice.get("type")) or "system", **details}}


def _edit(message: Json) -> Json:
    """A correction of an earlier message (numbers that are also on a phone only)."""
    edit = part(message, "edit")
    details = {"event": "edit", **known(edit, "original_message_id")}
    if (text := string(part(part(edit, "message"), "text").get("body"))) is not None:
        details["text"] = text
    return {"type": MessageType.SYSTEM, "details": details}


def _revoke(message: Json) -> Json:
    details = {"event": "revoke", **known(part(message, "revoke"), "original_message_id")}
    return {"type": MessageType.SYSTEM, "details": details}


def _welcome(_message: Json) -> Json:
    """ "request_welcome": somebody opened the chat. Meta stopped sending it in March 2026."""
    return {"type": MessageType.SYSTEM, "details": {"event": "request_welcome"}}


def _unsupported(message: Json) -> Json:
    """`unsupported_type` is what Meta calls it; error 131060 means that the sender should send it again."""
    details: Json = {}
    kind = string(part(message, "unsupported").get("type")) or string(message.get("type"))
    if kind:
        details["unsupported_type"] = kind
    codes = [scalar(error.get("code")) for error in objects(message.get("errors"))]
    if codes and codes[0] is not None:
        details["error_code"] = codes[0]
    if texts := error_texts(message.get("errors")):
        details["errors"] = texts
    return {"type": MessageType.UNSUPPORTED, "details": details}


_READERS: dict[str, Callable[[Json], Json | None]] = {
    "text": _text,
    "interactive": _interactive,
    "button": _button,
    "reaction": _reaction,
    "location": _location,
    "contacts": _contacts,
    "order": _order,
    "system": _system,
    "edit": _edit,
    "revoke": _revoke,
    "request_welcome": _welcome,
} | {
    kind.value: _media(kind)
    for kind in (
        MessageType.IMAGE,
        MessageType.AUDIO,
        MessageType.VIDEO,
        MessageType.DOCUMENT,
        MessageType.STICKER,
    )
}
