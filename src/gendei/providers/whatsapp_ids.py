"""WhatsApp's own addresses (JIDs), as Evolution API and Z-API show them: who is behind one, and how to write to it."""

import re
from dataclasses import dataclass

from gendei.clinic import Contact
from gendei.messages.message import OutgoingMessage
from gendei.providers.numbered import Unsendable

_PERSON = re.compile(r"([0-9]{5,20})(?:[_:][0-9]{1,5})*@(s\.whatsapp\.net|c\.us|lid)", re.ASCII)
"""Digits, perhaps with the agent or the device behind them, at the server of phones or of hidden numbers."""
NOT_A_PERSON = ("@g.us", "-group", "@broadcast", "-broadcast", "@newsletter")
MAX_PHONE = 15
"""Digits (E.164). Evolution API takes 18 and more for a group."""


@dataclass(frozen=True, slots=True)
class Person:
    """phone: "+" and digits, None where only the hidden address is known. lid: "123@lid", None where it is not.
    hidden: the chat itself goes by the lid, so that what is done to its messages must name that."""

    phone: str | None
    lid: str | None
    hidden: bool = False

    @property
    def user_id(self) -> str | None:
        """The lid, where the chat goes by it."""
        return self.lid if self.hidden else None

    @property
    def contact(self) -> Contact:
        """The conversation's key: the phone where there is one."""
        return Contact(self.phone or self.lid or "")

    @property
    def aliases(self) -> tuple[str, ...]:
        return (self.lid,) if self.phone and self.lid else ()


def is_person(address: str) -> bool:
    """Not a group, a broadcast list, the status list or a channel."""
    return not address.endswith(NOT_A_PERSON)


def person(*addresses: object) -> Person | None:
    """Who all of these addresses name, the chat's own first: JIDs, "123@lid", or a phone's digits; None where none can
    be read. The first of a kind wins."""
    phone = lid = None
    hidden = isinstance(addresses[0], str) and addresses[0].endswith("@lid")
    for address in addresses:
        found = _PERSON.fullmatch(address) if isinstance(address, str) else None
        if found and found[2] == "lid":
            lid = lid or f"{found[1]}@lid"
        elif found:
            phone = phone or f"+{found[1]}"
        elif isinstance(address, str) and re.fullmatch(r"\+?[0-9]{5,20}", address, re.ASCII):
            phone = phone or f"+{address.removeprefix('+')}"
    return Person(phone, lid, hidden) if phone or lid else None


def recipient(message: OutgoingMessage) -> str:
    """Where a message goes: a phone's digits without "+", or "123@lid". Raises Unsendable."""
    digits = re.sub(r"\D", "", message.to_phone or "", flags=re.ASCII)
    if digits:
        if len(digits) > MAX_PHONE:
            raise Unsendable("the phone has too many digits")
        return digits
    if message.to_user_id and message.to_user_id.endswith("@lid"):
        return message.to_user_id
    raise Unsendable("the message has neither a phone nor an @lid address to go to")
