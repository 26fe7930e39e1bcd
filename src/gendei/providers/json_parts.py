"""Reading JSON that others wrote: whatever stands there, these give a value of the wanted kind or nothing."""

import re
from math import isfinite
from typing import Any

from gendei.messages.message import MessageType

Json = dict[str, Any]
MAX_DETAIL = 16_384
"""Characters of one text in `details`: more than any form or card needs, little beside a document's limit."""


def part(parent: Json, *path: str) -> Json:
    """The object under `path`, or an empty one."""
    found: object = parent
    for key in path:
        found = found.get(key) if isinstance(found, dict) else None
    return found if isinstance(found, dict) else {}


def string(value: object) -> str | None:
    """A text that says something: "" counts as missing."""
    return value if isinstance(value, str) and value else None


def scalar(value: object) -> str | int | float | bool | None:
    """A value that every store can hold, or None: no containers, no infinities, no integers beyond 64 bits."""
    if isinstance(value, str):
        return value[:MAX_DETAIL]
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if abs(value) < 2**63 else None
    return value if isinstance(value, float) and isfinite(value) else None


def known(source: Json, *names: str) -> Json:
    """The named fields of `source` that are there."""
    return {name: value for name in names if (value := scalar(source.get(name))) is not None}


def objects(value: object) -> list[Json]:
    """The objects of a list; of anything else none."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def unsupported(kind: str) -> Json:
    """Something that nobody here can read; `kind` is the provider's word for it."""
    return {"type": MessageType.UNSUPPORTED, "details": {"unsupported_type": kind}}


def tapped(payload: object, title: object) -> Json:
    """What was tapped, by its id; a display text may be missing and so may, when the answer was broken, the id."""
    found = string(payload), string(title)
    if not any(found):
        return unsupported("interactive")
    return {"type": MessageType.INTERACTIVE, "button_payload": found[0], "button_title": found[1]}


def vcard_card(name: object, vcard: object) -> Json:
    """A shared contact card: its name, and the phones of its vCard; it proves nothing about the sender."""
    lines = re.findall(r"^(?:\w+\.)?TEL([^:\r\n]*):([^\r\n]*)", string(vcard) or "", re.MULTILINE)
    phones = []
    for parameters, phone in lines[:10]:
        number = re.search(r"waid=([0-9]{5,20})", parameters, re.ASCII)
        phones.append({"phone": phone.strip()[:40], **({"wa_id": number[1]} if number else {})})
    return {"name": (string(name) or "")[:200], "phones": phones, "origin": "other"}
