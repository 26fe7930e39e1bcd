"""Meta's webhook bodies: is it really Meta's, and what does it hold. Pure: no I/O, no clock.

It runs for every delivery before the 200, so it walks the parsed JSON by hand. Shapes: Meta's pages on the
webhook endpoint, its messages and its statuses, as of October 2026.
"""

import hmac
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from json import JSONDecoder, dumps

from gendei.clinic import Contact
from gendei.conversation.messages import DeliveryState, IncomingMessage, Received, StatusUpdate
from gendei.errors import GendeiError
from gendei.providers.meta_content import Json, error_texts, part, read_content, string

OBJECT = "whatsapp_business_account"
_PREFIX = "sha256="
_HEADER_LENGTH = len(_PREFIX) + 64
_MAX_ID = 512
"""Characters of a message id. Meta's have under 200; the store's paths are short too."""
_is_user_id = re.compile(r"[A-Za-z0-9._-]{1,200}").fullmatch
"""Country, dots and up to 128 letters and digits. It becomes a conversation's key, so nothing else may be in it."""
_STATES = {state.value: state for state in DeliveryState}
_DECODE = JSONDecoder(parse_constant=lambda _name: None).decode
"""NaN and Infinity, which are no JSON, are read as null so that they never reach the store."""


class NotAWebhook(GendeiError):
    """A correctly signed body is not a WhatsApp webhook. Subscribe only WhatsApp objects to this address."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a body holds for each connected number, in the body's order.

    skipped: malformed or unusable parts that were left out (no id, no sender, a message of a group).
    errors: Meta's own error reports beside the messages, as "code title".
    """

    received: tuple[Received, ...]
    skipped: int = 0
    errors: tuple[str, ...] = ()


def verify_signature(secret: bytes, body: bytes, header: str | None) -> bool:
    """Whether `header` (X-Hub-Signature-256) is "sha256=" and the 64 lower-case hex digits of
    HMAC-SHA256(app secret, raw body). Compared in constant time; an empty secret verifies nothing."""
    if not secret or header is None or len(header) != _HEADER_LENGTH or not header.startswith(_PREFIX):
        return False
    expected = hmac.digest(secret, body, "sha256").hex().encode()
    return hmac.compare_digest(expected, header[len(_PREFIX) :].encode("utf-8", "replace"))


def parse(body: bytes, received_at: datetime) -> Parsed:
    """Every message and status of `body`; `received_at` (aware) stands in for a timestamp that cannot be read.

    Fields other than "messages" (echoes, standby, account events) are ignored: they are never answered.
    Raises NotAWebhook for anything that is not a JSON object of a WhatsApp account, and nothing else.
    """
    walk = _Walk(received_at)
    for entry in walk.items(_decode(body), "entry"):
        for change in walk.items(entry, "changes"):
            if change.get("field") == "messages":
                walk.change(part(change, "value"))
    received = (Received(number, tuple(found[0]), tuple(found[1])) for number, found in walk.numbers.items())
    return Parsed(tuple(received), walk.skipped, tuple(walk.errors))


def _decode(body: bytes) -> Json:
    try:
        tree = _DECODE(body.decode())
        if b"\\ud" in body or b"\\uD" in body:
            # A lone surrogate escape is valid JSON, but no text that a store or Meta would take.
            tree = _DECODE(dumps(tree, ensure_ascii=False).encode("utf-8", "replace").decode())
    except (ValueError, RecursionError):
        raise NotAWebhook from None  # the original carries the body, so the patient's words
    if not isinstance(tree, dict) or tree.get("object") != OBJECT:
        raise NotAWebhook
    return tree


class _Walk:
    """One pass over a body, gathering per number."""

    __slots__ = ("errors", "numbers", "received_at", "skipped")

    def __init__(self, received_at: datetime) -> None:
        self.received_at = received_at
        self.numbers: dict[str, tuple[list[IncomingMessage], list[StatusUpdate]]] = {}
        self.errors: list[str] = []
        self.skipped = 0

    def items(self, parent: Json, key: str) -> Iterator[Json]:
        """The objects of a list that may be missing; what is not an object is skipped."""
        found = parent.get(key)
        if found is None:
            return
        if not isinstance(found, list):
            self.skipped += 1
            return
        for item in found:
            if isinstance(item, dict):
                yield item
            else:
                self.skipped += 1

    def change(self, value: Json) -> None:
        self.errors += error_texts(value.get("errors"))
        number = string(part(value, "metadata").get("phone_number_id"))
        people = _people(self.items(value, "contacts"))
        messages = [self.message(message, people) for message in self.items(value, "messages")]
        statuses = [self.status(status) for status in self.items(value, "statuses")]
        readable = [message for message in messages if message], [status for status in statuses if status]
        if number is None:
            self.skipped += len(messages) + len(statuses)
            return
        self.skipped += messages.count(None) + statuses.count(None)
        if readable[0] or readable[1]:
            known = self.numbers.setdefault(number, ([], []))
            known[0].extend(readable[0])
            known[1].extend(readable[1])

    def message(self, message: Json, people: dict[str, Json]) -> IncomingMessage | None:
        identity = _identity(message, people)
        message_id = _message_id(message.get("id"))
        if identity is None or message_id is None or "group_id" in message:
            return None  # a group is no conversation with a patient
        return IncomingMessage(
            id=message_id, timestamp=self.moment(message.get("timestamp")), **identity, **read_content(message)
        )

    def status(self, status: Json) -> StatusUpdate | None:
        message_id = _message_id(status.get("id"))
        state = _STATES.get(string(status.get("status")) or "")
        if message_id is None or state is None:
            return None
        return StatusUpdate(
            message_id=message_id,
            state=state,
            timestamp=self.moment(status.get("timestamp")),
            reference=string(status.get("biz_opaque_callback_data")),
            error="; ".join(error_texts(status.get("errors"))) or None,
        )

    def moment(self, seconds: object) -> datetime:
        """A timestamp, which Meta writes as a string of seconds since 1970."""
        try:
            return datetime.fromtimestamp(int(seconds), UTC)  # type: ignore[call-overload]  # the except is the check
        except (TypeError, ValueError, OverflowError, OSError):
            return self.received_at


def _people(contacts: Iterator[Json]) -> dict[str, Json]:
    """Contacts by wa_id and by user_id: they are never paired with messages by position."""
    people: dict[str, Json] = {}
    for contact in contacts:
        for key in (string(contact.get("wa_id")), string(contact.get("user_id"))):
            if key:
                people[key] = contact
    return people


def _identity(message: Json, people: dict[str, Json]) -> Json | None:
    """Who wrote, as IncomingMessage fields; None when the body does not say.

    A user with a username may show no phone: Meta leaves `from` out (an early preview sent ""). The message's
    own `from` wins over the contact's wa_id.
    """
    number, user_id = string(message.get("from")), _user_id(message.get("from_user_id"))
    contact = people.get(number or "") or people.get(user_id or "") or {}
    user_id = user_id or _user_id(contact.get("user_id"))
    phone = _phone(number) or _phone(string(contact.get("wa_id")))
    if phone is None and user_id is None and message.get("type") == "system":
        notice = part(message, "system")  # a change of identity often has no sender of its own
        user_id = _user_id(notice.get("previous_user_id")) or _user_id(notice.get("user_id"))
        phone = None if user_id else _phone(string(notice.get("wa_id")))
    sender = phone or user_id
    if sender is None:
        return None
    profile = part(contact, "profile")
    name = string(profile.get("name")) or string(profile.get("username"))
    return {"sender": Contact(sender), "phone": phone, "user_id": user_id, "sender_name": name}


def _message_id(value: object) -> str | None:
    return value if isinstance(value, str) and 0 < len(value) <= _MAX_ID else None


def _user_id(value: object) -> str | None:
    return value if isinstance(value, str) and _is_user_id(value) else None


def _phone(wa_id: str | None) -> str | None:
    """Meta's wa_id, digits only, as "+" and digits; never otherwise "corrected" (Brazil's ninth digit)."""
    digits = (wa_id or "").removeprefix("+")
    return f"+{digits}" if digits.isascii() and digits.isdigit() and len(digits) <= 20 else None
