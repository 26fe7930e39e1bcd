"""Replies with something to tap, in Meta's form and within its limits.

Limits: Meta's pages on reply buttons, lists and link buttons (2026).
"""

from collections.abc import Sequence

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
from gendei.messages.replies import Link, Option, Reply
from gendei.providers.json_parts import Json
from gendei.providers.numbered import Unsendable

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
