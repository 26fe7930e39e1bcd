"""A message of ours as the body that Meta's Cloud API takes, within all of its limits.

Limits: Meta's pages on text, reply buttons and lists (2026). The unit of a "character" is stated nowhere, so
UTF-16 units are counted: never fewer than any other reading.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from gendei.conversation.messages import OutgoingMessage
from gendei.receptionist.limits import (
    ELLIPSIS,
    MAX_BUTTON_BODY,
    MAX_BUTTON_TITLE,
    MAX_LIST_BODY,
    MAX_LIST_LABEL,
    MAX_ROW_DESCRIPTION,
    MAX_ROW_TITLE,
    MAX_SECTION_TITLE,
    MAX_TEXT,
    fit,
    units,
)
from gendei.receptionist.replies import MAX_BUTTONS, Option, Reply

MAX_BUTTON_ID = 256
MAX_ROW_ID = 200
MAX_REFERENCE = 512

Json = dict[str, Any]


class Unsendable(ValueError):
    """This message cannot be put in a form that Meta takes; the text says which part, without its content."""


def compose(message: OutgoingMessage) -> Json:
    """The JSON body of POST /{version}/{phone_number_id}/messages. Raises Unsendable."""
    if message.media or message.template:
        raise Unsendable("media and templates cannot be sent on this channel")
    if units(message.reference) > MAX_REFERENCE:
        raise Unsendable(f"the reference is longer than {MAX_REFERENCE} characters")
    return {
        "messaging_product": "whatsapp",
        "recipient_type": "individual",
        **_recipient(message),
        **_content(message.reply),
        "biz_opaque_callback_data": message.reference,
    }


def _cut(text: str, limit: int) -> str:
    """`text` within `limit` UTF-16 units, cut wherever that falls."""
    if units(text) <= limit:
        return fit(text, limit)
    kept = text.encode("utf-16-le", "surrogatepass")[: 2 * (limit - 1)].decode("utf-16-le", "ignore")
    return kept.rstrip("\u200d \t\n") + ELLIPSIS


def _recipient(message: OutgoingMessage) -> Json:
    """`to` always has "+", without which Meta may prepend the clinic's own country code. A user id goes in
    `recipient`: in `to` it would be accepted and never delivered."""
    digits = re.sub(r"\D", "", message.to_phone or "", flags=re.ASCII)
    if digits:
        return {"to": f"+{digits}"}
    if message.to_user_id:
        return {"recipient": message.to_user_id}
    raise Unsendable("the message has neither a phone nor a user id to go to")


def _content(reply: Reply) -> Json:
    if not reply.options:
        return {"type": "text", "text": {"body": fit(reply.text, MAX_TEXT), "preview_url": False}}
    as_buttons = len(reply.options) <= MAX_BUTTONS and units(reply.text) <= MAX_BUTTON_BODY
    return {"type": "interactive", "interactive": _buttons(reply) if as_buttons else _list(reply)}


def _buttons(reply: Reply) -> Json:
    _require_ids(reply.options, MAX_BUTTON_ID)
    titles = _titles((option.title for option in reply.options), MAX_BUTTON_TITLE)
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
    titles = _titles((option.title for option in reply.options), MAX_ROW_TITLE)
    for option, title in zip(reply.options, titles, strict=True):
        sections.setdefault(_line(option.section), []).append(_row(option, title))
    label = fit(_line(reply.list_label), MAX_LIST_LABEL) or ELLIPSIS
    named = _titles((name or label for name in sections), MAX_SECTION_TITLE)
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
    whole = _line(option.title)
    description = _line(option.description) or (whole if units(whole) > MAX_ROW_TITLE else "")
    row = {"id": option.id, "title": title}
    return {**row, "description": fit(description, MAX_ROW_DESCRIPTION)} if description else row


def _titles(texts: Iterable[str], limit: int) -> list[str]:
    """The texts as titles: one line each, within `limit`, never empty and all different, also after the cut."""
    lines = [_line(text) or str(position) for position, text in enumerate(texts, start=1)]
    at_word = Counter(fit(line, limit) for line in lines)
    titles: list[str] = []
    for line in lines:
        title, copy = fit(line, limit), 1
        if at_word[title] > 1:
            title = _cut(line, limit)  # inside a word, where what tells them apart would be lost
        while title in titles:
            copy += 1
            suffix = f" {copy}"
            title = fit(line, limit - len(suffix)) + suffix
        titles.append(title)
    return titles


def _line(text: str) -> str:
    return " ".join(text.split())


def _require_ids(options: Sequence[Option], limit: int) -> None:
    """An id carries the choice, so it is never cut."""
    for option in options:
        if not option.id.strip() or units(option.id) > limit:
            raise Unsendable(f"an option's id must have 1 to {limit} characters")
