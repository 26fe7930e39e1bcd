"""Parts of a message that Evolution API and Z-API show alike, as fields of our IncomingMessage."""

import re

from gendei.messages.message import MessageType
from gendei.providers.json_parts import Json, string


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
