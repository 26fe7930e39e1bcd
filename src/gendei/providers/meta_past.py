"""What Meta sends once of a number that stays in the WhatsApp Business app: its history and its contacts. Pure.

Shapes: Meta's pages on the webhook fields `history` and `smb_app_state_sync`. A history comes in chunks, each with
threads; a thread is named by the patient's number, and what is not from that number is the clinic's.
"""

from collections.abc import Iterator
from datetime import datetime

from gendei.clinic import Contact
from gendei.messages.message import IncomingMessage, KnownName, MessageType, PastMessage
from gendei.providers.json_parts import Json, objects, part, string
from gendei.providers.meta_content import read_content
from gendei.providers.webhook_body import moment, usable_id

NO_WORDS = frozenset({MessageType.REACTION, MessageType.SYSTEM})


def past_of(value: Json, received_at: datetime) -> Iterator[PastMessage]:
    """The messages of a chunk, without reactions and notices; none where the clinic did not share its history."""
    for chunk in objects(value.get("history")):
        for thread in objects(chunk.get("threads")):
            contact = phone_of(string(thread.get("id")))
            for message in objects(thread.get("messages")):
                found = _message(message, Contact(contact), received_at) if contact else None
                if found is not None and found.type not in NO_WORDS:
                    yield found


def _message(message: Json, contact: Contact, received_at: datetime) -> PastMessage | None:
    message_id = usable_id(message.get("id"))
    if message_id is None:
        return None
    sent_at = min(moment(message.get("timestamp"), received_at), received_at)
    as_message = IncomingMessage(message_id, contact, sent_at, **read_content(message))
    is_patients = phone_of(string(message.get("from"))) == contact
    return PastMessage(message_id, contact, sent_at, is_patients, as_message.type, as_message.content)


def names_of(value: Json) -> Iterator[KnownName]:
    """The contacts of the phone's address book, without those that were taken out of it."""
    for each in objects(value.get("state_sync")):
        contact = part(each, "contact")
        phone = phone_of(string(contact.get("phone_number")))
        name = string(contact.get("full_name")) or string(contact.get("first_name"))
        if phone and name and each.get("action") != "remove":
            yield KnownName(Contact(phone), name)


def phone_of(wa_id: str | None) -> str | None:
    """Meta's wa_id, digits only, as "+" and digits; never otherwise "corrected" (Brazil's ninth digit)."""
    digits = (wa_id or "").removeprefix("+")
    return f"+{digits}" if digits.isascii() and digits.isdigit() and len(digits) <= 20 else None
