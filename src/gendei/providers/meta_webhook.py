"""Meta's webhook bodies: is it really Meta's, and what does it hold. Pure: no I/O, no clock.

It runs for every delivery before the 200, so it walks the parsed JSON by hand. Shapes: Meta's pages on the
webhook endpoint, its messages and its statuses, as of October 2026.
"""

import hmac
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from functools import lru_cache

from gendei.clinic import Contact
from gendei.messages.account_notices import Notice
from gendei.messages.message import (
    DeliveryState,
    Echo,
    IncomingMessage,
    MessageCharge,
    MessageType,
    Received,
    StatusUpdate,
)
from gendei.providers.json_parts import Json, part, string
from gendei.providers.meta_account_webhook import read_notice
from gendei.providers.meta_content import error_texts, read_content
from gendei.providers.meta_errors import reported_kind
from gendei.providers.meta_past import names_of, past_of, phone_of
from gendei.providers.webhook_body import NotAWebhook, Parsed, decode_object, moment, usable_id

OBJECT = "whatsapp_business_account"
_PREFIX = "sha256="
_HEADER_LENGTH = len(_PREFIX) + 64
_is_user_id = re.compile(r"[A-Za-z0-9._-]{1,200}").fullmatch
"""Country, dots and up to 128 letters and digits. It becomes a conversation's key, so nothing else may be in it."""
REGULAR, MAX_CATEGORY = "regular", 60
"""Of `pricing.type`: it is charged. The longest category that is kept."""
_STATES = {state.value: state for state in DeliveryState}


def verify_signature(secret: bytes, body: bytes, header: str | None) -> bool:
    """Whether `header` (X-Hub-Signature-256) is "sha256=" and the 64 lower-case hex digits of
    HMAC-SHA256(app secret, raw body). Compared in constant time; an empty secret verifies nothing."""
    if not secret or header is None or len(header) != _HEADER_LENGTH or not header.startswith(_PREFIX):
        return False
    # Not hmac.digest: that gives up the interpreter lock for a few microseconds, and waits long to get it back from the
    # store's writer.
    keyed = _keyed(secret).copy()
    keyed.update(body)
    return hmac.compare_digest(keyed.hexdigest().encode(), header[len(_PREFIX) :].encode("utf-8", "replace"))


@lru_cache(1)
def _keyed(secret: bytes) -> hmac.HMAC:
    return hmac.new(secret, digestmod="sha256")


def parse(body: bytes, received_at: datetime) -> Parsed:
    """Every message and status of `body`; `received_at` (aware) stands in for a timestamp that cannot be read.

    What is told of templates and accounts becomes `notices`. Other fields than these and "history" and
    "smb_app_state_sync" (standby, ...) are ignored: they are never answered.
    Raises NotAWebhook for anything that is not a JSON object of a WhatsApp account, and nothing else.
    """
    walk = _Walk(received_at)
    for entry in walk.items(_decode(body), "entry"):
        for change in walk.items(entry, "changes"):
            if change.get("field") == "messages":
                walk.messages(part(change, "value"))
            elif change.get("field") == "smb_message_echoes":
                walk.echoes(part(change, "value"))
            elif change.get("field") in {"history", "smb_app_state_sync"}:
                walk.past(part(change, "value"))
            else:
                walk.notice(entry, change)
    return Parsed(tuple(walk.numbers.values()), walk.skipped, tuple(walk.errors), tuple(walk.notices))


def _decode(body: bytes) -> Json:
    tree = decode_object(body)
    if tree.get("object") != OBJECT:
        raise NotAWebhook
    return tree


class _Walk:
    """One pass over a body, gathering per number."""

    __slots__ = ("errors", "notices", "numbers", "received_at", "skipped")

    def __init__(self, received_at: datetime) -> None:
        self.received_at = received_at
        self.numbers: dict[str, Received] = {}
        self.errors: list[str] = []
        self.notices: list[Notice] = []
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

    def messages(self, value: Json) -> None:
        self.errors += error_texts(value.get("errors"))
        messages, statuses = [], [self.status(status) for status in self.items(value, "statuses")]
        if value.get("messages") is not None:
            people = _people(self.items(value, "contacts"))
            messages = [self.message(message, people) for message in self.items(value, "messages")]
        self.keep(
            value,
            messages=tuple(filter(None, messages)),
            statuses=tuple(filter(None, statuses)),
            unusable=messages.count(None) + statuses.count(None),
        )

    def echoes(self, value: Json) -> None:
        """What staff wrote on the phone of a number that is also in the WhatsApp Business app."""
        echoes = [self.echo(echo) for echo in self.items(value, "message_echoes")]
        self.keep(value, echoes=tuple(echo for echo in echoes if echo), unusable=echoes.count(None))

    def past(self, value: Json) -> None:
        """What a number that stays in the WhatsApp Business app had before it was connected."""
        number = string(part(value, "metadata").get("phone_number_id"))
        if number is not None:
            found = self.numbers.get(number) or Received(number)
            past, names = tuple(past_of(value, self.received_at)), tuple(names_of(value))
            self.numbers[number] = replace(found, past=found.past + past, names=found.names + names)

    def notice(self, entry: Json, change: Json) -> None:
        at = moment(entry.get("time"), self.received_at)
        account, field = string(entry.get("id")) or "", string(change.get("field")) or ""
        if notice := read_notice(account, field, part(change, "value"), at):
            self.notices.append(notice)

    def keep(
        self,
        value: Json,
        messages: tuple[IncomingMessage, ...] = (),
        statuses: tuple[StatusUpdate, ...] = (),
        echoes: tuple[Echo, ...] = (),
        unusable: int = 0,
    ) -> None:
        """Add what was read of `value` to what its number has."""
        number = string(part(value, "metadata").get("phone_number_id"))
        self.skipped += unusable
        if number is None:
            self.skipped += len(messages) + len(statuses) + len(echoes)
        elif messages or statuses or echoes:
            found = self.numbers.get(number)
            self.numbers[number] = (
                Received(number, messages, statuses, echoes)
                if found is None
                else replace(
                    found,
                    messages=found.messages + messages,
                    statuses=found.statuses + statuses,
                    echoes=found.echoes + echoes,
                )
            )

    def message(self, message: Json, people: dict[str, Json]) -> IncomingMessage | None:
        identity = _identity(message, people)
        message_id = usable_id(message.get("id"))
        if identity is None or message_id is None or "group_id" in message:
            return None  # a group is no conversation with a patient
        return IncomingMessage(
            id=message_id,
            timestamp=moment(message.get("timestamp"), self.received_at),
            **identity,
            **read_content(message),
        )

    def status(self, status: Json) -> StatusUpdate | None:
        message_id = usable_id(status.get("id"))
        state = _STATES.get(string(status.get("status")) or "")
        if message_id is None or state is None:
            return None
        at, reference = (
            moment(status.get("timestamp"), self.received_at),
            string(status.get("biz_opaque_callback_data")),
        )
        charge, errors = _charge(part(status, "pricing")), status.get("errors")
        if errors is None:
            return StatusUpdate(message_id, state, at, reference, charge=charge)
        error = "; ".join(error_texts(errors)) or None
        return StatusUpdate(message_id, state, at, reference, error, reported_kind(errors), charge)

    def echo(self, echo: Json) -> Echo | None:
        """Reactions and system notices are no words of staff."""
        message_id, to = usable_id(echo.get("id")), phone_of(string(echo.get("to"))) or _user_id(echo.get("to_user_id"))
        if message_id is None or to is None or "group_id" in echo:
            return None
        sent_at = moment(echo.get("timestamp"), self.received_at)
        as_message = IncomingMessage(message_id, Contact(to), sent_at, **read_content(echo))
        if as_message.type in {MessageType.REACTION, MessageType.SYSTEM}:
            return None
        return Echo(message_id, Contact(to), sent_at, as_message.content)


def _charge(pricing: Json) -> MessageCharge | None:
    """`billable` is to go; what `type` says stands in its place, where there is one."""
    category, kind = string(pricing.get("category")), string(pricing.get("type"))
    if category is None:
        return None
    charged = kind == REGULAR if kind is not None else pricing.get("billable") is True
    return MessageCharge(category[:MAX_CATEGORY], charged, (string(pricing.get("pricing_model")) or "")[:MAX_CATEGORY])


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
    phone = phone_of(number) or phone_of(string(contact.get("wa_id")))
    if phone is None and user_id is None and message.get("type") == "system":
        notice = part(message, "system")  # a change of identity often has no sender of its own
        user_id = _user_id(notice.get("previous_user_id")) or _user_id(notice.get("user_id"))
        phone = None if user_id else phone_of(string(notice.get("wa_id")))
    sender = phone or user_id
    if sender is None:
        return None
    profile = part(contact, "profile")
    name = string(profile.get("name")) or string(profile.get("username"))
    return {
        "sender": Contact(sender),
        "phone": phone,
        "user_id": user_id,
        "sender_name": name,
        "aliases": _aliases(sender, phone, user_id, part(message, "system")),
    }


def _aliases(sender: str, phone: str | None, user_id: str | None, notice: Json) -> tuple[str, ...]:
    """What else the message says that the sender is reached by: also, of a change of identity, before and after."""
    if not notice and (phone is None or user_id is None):
        return ()  # the ordinary message, which names its sender once
    changed = (notice.get("user_id"), notice.get("previous_user_id"))
    others = (phone, user_id, phone_of(string(notice.get("wa_id"))), *map(_user_id, changed))
    return tuple(dict.fromkeys(other for other in others if other and other != sender))


def _user_id(value: object) -> str | None:
    return value if isinstance(value, str) and _is_user_id(value) else None
