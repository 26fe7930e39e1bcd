"""A message of ours as the body that Meta's Cloud API takes, within all of its limits.

Limits: Meta's pages on text, media and templates (2026).
"""

import re
from collections.abc import Sequence
from dataclasses import asdict

from gendei.messages.limits import (
    ELLIPSIS,
    MAX_BUTTON_BODY,
    MAX_BUTTON_TITLE,
    MAX_LIST_BODY,
    MAX_LIST_LABEL,
    MAX_ROW_DESCRIPTION,
    MAX_ROW_TITLE,
    MAX_SECTION_TITLE,
    distinct_titles,
    fit,
    one_line,
    units,
)
from gendei.messages.message import MessageType, OutgoingMedia, OutgoingMessage, OutgoingTemplate
from gendei.messages.replies import Link, Option, Reply
from gendei.providers.json_parts import Json
from gendei.providers.meta_payments import order_of
from gendei.providers.numbered import Unsendable, numbered_text

MAX_CAPTION = 1024
MAX_REFERENCE = 512
MAX_PARAMETER = 1024
MAX_QUICK_REPLIES = 10
_IS_TEMPLATE = re.compile(r"[a-z0-9_]{1,512}").fullmatch


def compose(
    message: OutgoingMessage, *, as_text: bool = False, uploaded: str | None = None, orders: bool = False
) -> Json:
    """The JSON body of POST /{version}/{phone_number_id}/messages. Raises Unsendable.

    as_text: options, links and pins inside the text, for when Meta refused them as something to tap, and the words of a
    file whose content it did not take. uploaded: Meta's id of the file's content. orders: payments go as such.
    """
    if units(message.reference) > MAX_REFERENCE:
        raise Unsendable(f"the reference is longer than {MAX_REFERENCE} characters")
    return {
        "messaging_product": "whatsapp",
        "recipient_type": "individual",
        **_recipient(message),
        **_content(message, as_text=as_text, uploaded=uploaded, orders=orders),
        "biz_opaque_callback_data": message.reference,
    }


def _recipient(message: OutgoingMessage) -> Json:
    """`to` always has "+", without which Meta may prepend the clinic's own country code. A user id goes in
    `recipient`: in `to` it would be accepted and never delivered."""
    digits = re.sub(r"\D", "", message.to_phone or "", flags=re.ASCII)
    if digits:
        return {"to": f"+{digits}"}
    if message.to_user_id:
        return {"recipient": message.to_user_id}
    raise Unsendable("the message has neither a phone nor a user id to go to")


def _content(message: OutgoingMessage, *, as_text: bool, uploaded: str | None, orders: bool) -> Json:
    if message.template:
        return {"type": "template", "template": _template(message.template)}
    if message.media and not (as_text and message.media.content):
        return _media(message.media, message.reply, uploaded)
    if message.reply.pin and not as_text:
        return {"type": "location", "location": asdict(message.reply.pin)}
    order = order_of(message.reply) if orders and not as_text else None
    interactive = None if as_text else order or interactive_of(message.reply)
    if interactive:
        return {"type": "interactive", "interactive": interactive}
    return {"type": "text", "text": {"body": numbered_text(message.reply), "preview_url": False}}


def _media(media: OutgoingMedia, reply: Reply, uploaded: str | None) -> Json:
    """A file by its upload, or by its address, which Meta fetches. Audio takes no caption, so its text is for the
    history alone."""
    if uploaded is None and not media.url.startswith("https://"):
        raise Unsendable("a file is sent by an upload or an https address")
    content: Json = {"id": uploaded} if uploaded else {"link": media.url}
    match media.kind:
        case MessageType.AUDIO:
            return {"type": "audio", "audio": content | ({"voice": True} if media.voice else {})}
        case MessageType.IMAGE | MessageType.VIDEO | MessageType.DOCUMENT:
            if media.captioned:
                content["caption"] = numbered_text(reply, MAX_CAPTION)
            if media.kind is MessageType.DOCUMENT and media.file_name:
                content["filename"] = media.file_name
            return {"type": str(media.kind), str(media.kind): content}
        case _:
            raise Unsendable(f"{media.kind} is no kind of file to send")


def _template(template: OutgoingTemplate) -> Json:
    if not _IS_TEMPLATE(template.name) or not template.language.strip():
        raise Unsendable("a template needs a name of a-z, 0-9 and _, and a language")
    if len(template.button_payloads) > MAX_QUICK_REPLIES or not all(template.button_payloads):
        raise Unsendable(f"a template takes up to {MAX_QUICK_REPLIES} quick replies, each with a payload")
    components: list[Json] = []
    if template.parameters:
        components.append(
            {"type": "body", "parameters": [_parameter(*parameter) for parameter in enumerate(template.parameters)]}
        )
    components += [
        {
            "type": "button",
            "sub_type": "quick_reply",
            "index": str(index),
            "parameters": [{"type": "payload", "payload": payload}],
        }
        for index, payload in enumerate(template.button_payloads)
    ]
    body: Json = {"name": template.name, "language": {"code": template.language}}
    return body | ({"components": components} if components else {})


def _parameter(index: int, value: str) -> Json:
    """Meta refuses line breaks, tabs, more than four spaces in a row (132018) and empty values."""
    text = fit(one_line(value), MAX_PARAMETER)
    if not text:
        raise Unsendable(f"parameter {index + 1} of the template is empty")
    return {"type": "text", "text": text}


MAX_BUTTON_ID = 256
MAX_ROW_ID = 200


def interactive_of(reply: Reply) -> Json | None:
    """The `interactive` object of a reply with options or a link; None where there is nothing to tap, or where a
    link's text is too long for a button below it. Raises Unsendable."""
    if reply.link:
        return _link(reply.text, reply.link) if units(reply.text) <= MAX_BUTTON_BODY else None
    if not reply.options:
        return None
    as_buttons = not reply.is_list and units(reply.text) <= MAX_BUTTON_BODY
    return _buttons(reply) if as_buttons else _list(reply)


def _link(text: str, link: Link) -> Json:
    label = fit(one_line(link.label), MAX_BUTTON_TITLE)
    return {
        "type": "cta_url",
        "body": {"text": fit(text, MAX_BUTTON_BODY)},
        "action": {"name": "cta_url", "parameters": {"display_text": label, "url": link.url}},
    }


def _buttons(reply: Reply) -> Json:
    _require_ids(reply.options, MAX_BUTTON_ID)
    titles = distinct_titles((option.title for option in reply.options), MAX_BUTTON_TITLE)
    return {
        "type": "button",
        "body": {"text": fit(reply.text, MAX_BUTTON_BODY)},
        "action": {
            "buttons": [
                {"type": "reply", "reply": {"id": option.id, "title": title}}
                for option, title in zip(reply.options, titles, strict=True)
            ]
        },
    }


def _list(reply: Reply) -> Json:
    """Rows by section in first-seen order. A body too long for buttons also comes here: a list takes 4096."""
    _require_ids(reply.options, MAX_ROW_ID)
    sections: dict[str, list[Json]] = {}
    titles = distinct_titles((option.title for option in reply.options), MAX_ROW_TITLE)
    for option, title in zip(reply.options, titles, strict=True):
        sections.setdefault(one_line(option.section), []).append(_row(option, title))
    label = fit(one_line(reply.list_label), MAX_LIST_LABEL) or ELLIPSIS
    named = distinct_titles((name or label for name in sections), MAX_SECTION_TITLE)
    return {
        "type": "list",
        "body": {"text": fit(reply.text, MAX_LIST_BODY)},
        "action": {
            "button": label,
            "sections": [
                {"title": title, "rows": rows} if name or len(sections) > 1 else {"rows": rows}
                for title, (name, rows) in zip(named, sections.items(), strict=True)
            ],
        },
    }


def _row(option: Option, title: str) -> Json:
    """A title that had to be cut is repeated whole below itself, unless something else stands there."""
    whole = one_line(option.title)
    description = one_line(option.description) or (whole if units(whole) > MAX_ROW_TITLE else "")
    row = {"id": option.id, "title": title}
    return {**row, "description": fit(description, MAX_ROW_DESCRIPTION)} if description else row


def _require_ids(options: Sequence[Option], limit: int) -> None:
    """An id carries the choice, so it is never cut."""
    for option in options:
        if not option.id.strip() or units(option.id) > limit:
            raise Unsendable(f"an option's id must have 1 to {limit} characters")
