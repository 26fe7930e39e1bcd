"""Evolution API's webhook bodies, which nobody signs: `{event, instance, data, ...}`. Pure: no I/O, no clock.

Shapes: Evolution API 2.3.7, read in its source, and older ones that it replaced. `sender` in a body is the clinic's
own number and `apikey` its token: neither is ever read, and a body is never logged.
"""

from datetime import datetime

from gendei.messages.message import DeliveryState, Echo, IncomingMessage, MessageType, Received, StatusUpdate
from gendei.providers.evolution_content import read_content, read_edit
from gendei.providers.json_parts import Json, part, string
from gendei.providers.webhook_body import NotAWebhook, Parsed, decode_object, moment, usable_id
from gendei.providers.whatsapp_ids import Person, is_person, person

_STATES = {
    "ERROR": DeliveryState.FAILED,
    "SERVER_ACK": DeliveryState.SENT,
    "DELIVERY_ACK": DeliveryState.DELIVERED,
    "READ": DeliveryState.READ,
    "PLAYED": DeliveryState.PLAYED,
}
"""PENDING says nothing new, and DELETED is what a vote in a poll looks like."""
_NUMBERED = dict(zip("02345", _STATES, strict=True))
_NOTICES = frozenset({MessageType.REACTION, MessageType.SYSTEM})


def parse(body: bytes, received_at: datetime) -> Parsed:
    """The messages, statuses and echoes of `body`; `received_at` (aware) stands in for a time that cannot be read.

    Groups, broadcasts, the status list and channels are left out, and so is `send.message`, which repeats what was
    sent through the API. Raises NotAWebhook for anything without an event and an instance, and nothing else.
    """
    tree = decode_object(body)
    event, instance = string(tree.get("event")), string(tree.get("instance"))
    if event is None or instance is None:
        raise NotAWebhook
    walk = _Walk(received_at)
    read = {
        "messages.upsert": walk.message,
        "messages.update": walk.status,
        "messages.edited": walk.edit,
        "messages.delete": walk.revoke,
    }.get(event.lower().replace("_", ".").replace("-", "."))
    if read is None:
        return Parsed(())
    data = tree.get("data")
    for item in data if isinstance(data, list) else [data]:
        if isinstance(item, dict):
            read(item)
        else:
            walk.skipped += 1
    found = Received(instance, tuple(walk.messages), tuple(walk.statuses), tuple(walk.echoes))
    something = walk.messages or walk.statuses or walk.echoes
    return Parsed((found,) if something else (), walk.skipped)


class _Walk:
    """One pass over a body, gathering."""

    __slots__ = ("echoes", "messages", "received_at", "skipped", "statuses")

    def __init__(self, received_at: datetime) -> None:
        self.received_at = received_at
        self.messages: list[IncomingMessage] = []
        self.statuses: list[StatusUpdate] = []
        self.echoes: list[Echo] = []
        self.skipped = 0

    def message(self, data: Json) -> None:
        key = part(data, "key")
        chat = self._chat(key)
        fields = read_content(part(data, "message"), chat[0]) if chat else None
        if chat is None or fields is None:
            return  # no chat with a person, nothing that anybody wrote, or content that comes later under the same id
        if replied := string(part(data, "contextInfo").get("stanzaId")):
            fields.setdefault("reply_to", replied)
        sent_at = moment(data.get("messageTimestamp"), self.received_at)
        message = _incoming(chat, sent_at, fields, string(data.get("pushName")))
        if key.get("fromMe") is not True:
            self.messages.append(message)
        elif message.type not in _NOTICES:
            self.echoes.append(Echo(message.id, message.sender, sent_at, message.content))

    def status(self, data: Json) -> None:
        """`keyId` is WhatsApp's id of the message; `messageId` would be Evolution's own. The older shape has a key."""
        key = part(data, "key")
        message_id = usable_id(data.get("keyId")) or usable_id(key.get("id"))
        told = data.get("status", part(data, "update").get("status"))
        from_me = data.get("fromMe", key.get("fromMe", True))
        state = _STATES.get(told if isinstance(told, str) else _NUMBERED.get(str(told), ""))
        if message_id is None:
            self.skipped += 1
        elif state is not None and from_me is True and is_person(_address(data) or _address(key)):
            error = "ERROR the message could not be delivered" if state is DeliveryState.FAILED else None
            self.statuses.append(StatusUpdate(message_id, state, self.received_at, error=error))

    def edit(self, data: Json) -> None:
        protocol = part(data, "protocolMessage") or data
        edited_at = moment(protocol.get("timestampMs"), self.received_at, unit=1000)
        self._notice(part(protocol, "key"), f"edit:{edited_at:%Y%m%d%H%M%S}", edited_at, read_edit(protocol))

    def revoke(self, data: Json) -> None:
        """The data is the key of what was taken back."""
        key = part(data, "key") or data
        details = {"event": "revoke", "original_message_id": string(key.get("id"))}
        self._notice(key, "revoke", self.received_at, {"type": MessageType.SYSTEM, "details": details})

    def _notice(self, key: Json, name: str, at: datetime, fields: Json) -> None:
        """What a patient did to an earlier message: under an id of its own, since the body only has that one's."""
        chat = self._chat(key)
        if chat and key.get("fromMe") is not True:
            self.messages.append(_incoming((f"{chat[0]}:{name}", chat[1]), at, fields, None))

    def _chat(self, key: Json) -> tuple[str, Person] | None:
        """The id and the other side of the chat; None where the chat is none with one person."""
        if not is_person(_address(key)):
            return None
        message_id = usable_id(key.get("id"))
        hints = (key.get("remoteJidAlt"), None if key.get("fromMe") is True else key.get("senderPn"))
        who = person(_address(key), *hints)
        if message_id is None or who is None:
            self.skipped += 1
            return None
        return message_id, who


def _incoming(chat: tuple[str, Person], sent_at: datetime, fields: Json, name: str | None) -> IncomingMessage:
    message_id, who = chat
    return IncomingMessage(
        id=message_id,
        sender=who.contact,
        timestamp=sent_at,
        phone=who.phone,
        user_id=who.user_id,
        aliases=who.aliases,
        sender_name=name,
        **fields,
    )


def _address(key: Json) -> str:
    return string(key.get("remoteJid")) or ""
