"""Edits and deletions by the patient, marked on the earlier message of the history that they are about."""

from collections.abc import Iterable

from gendei.clinic import Contact
from gendei.conversation.conversations import Arrival, Conversation
from gendei.conversation.history import correction
from gendei.conversation.inbound.inbox import entry_id
from gendei.documents import Documents, Transaction, transact


async def mark_earlier(documents: Documents, conversation: Conversation, arrivals: Iterable[Arrival]) -> None:
    """Mark what is in the history already; a message that is not there (or not there yet) is left alone. Repeating it
    changes nothing."""
    for one in arrivals:
        if (target := one.message.earlier_message) is None:
            continue
        message_id = entry_id(one.provider, conversation.clinic_id, target)
        places = (conversation.key.of(Contact(contact)) for contact in (conversation.contact, *conversation.folded))
        for path in [place.message_path(message_id) for place in places]:
            if await _mark(documents, path, one):
                break


async def _mark(documents: Documents, path: str, arrival: Arrival) -> bool:
    async def attempt(transaction: Transaction) -> bool:
        found = await transaction.get(path)
        if found.data is None or found.data["author"] != "patient":
            return False
        transaction.put(path, found.data | correction(arrival.message))
        return True

    return await transact(documents, attempt)
