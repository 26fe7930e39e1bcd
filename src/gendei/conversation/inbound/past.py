"""What was said on the clinic's number before it was connected, and the names in its phone: kept, and nothing else. No
turn begins, no service window opens, and nobody is told.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from gendei.clinic import ClinicId, Contact
from gendei.conversation.inbound.inbox import entry_id
from gendei.conversation.stored.contacts import Contacts
from gendei.conversation.stored.conversation import CONVERSATION, Conversation
from gendei.conversation.stored.history import echoed, said_before
from gendei.documents import Documents, Transaction, Write, create, document_id, put, transact
from gendei.errors import Conflict
from gendei.messages.keys import ConversationKey
from gendei.messages.message import Echo, KnownName, PastMessage, Received
from gendei.records import Record

WRITES_PER_COMMIT = 200
MOST_NAME = 200


@dataclass(frozen=True, slots=True)
class BookEntry:
    """A name in the address book of the clinic's phone."""

    name: str


BOOK_ENTRY = Record(BookEntry, "gendei_clinics/{clinicId}/address_book/{contact}")


class Past:
    def __init__(self, documents: Documents, contacts: Contacts) -> None:
        self._documents, self._contacts = documents, contacts

    async def take_in(self, provider: str, clinic_id: ClinicId, received: Received) -> None:
        """Keep what is not kept yet. What was taken in twice stands once."""
        names = received.names
        for start in range(0, len(names), WRITES_PER_COMMIT):
            some = names[start : start + WRITES_PER_COMMIT]
            await self._documents.commit([_booked(clinic_id, each) for each in some])
        by_contact = sorted(received.past, key=lambda message: message.contact)
        for address, messages in groupby(by_contact, key=lambda message: message.contact):
            contact = await self._contacts.at_the_door(clinic_id, address)
            home = await self._contacts.home(ConversationKey(clinic_id, contact))
            told = list(messages)
            await self._keep(provider, home, told)
            await self._begun(home, address, told)
        by_path = {ConversationKey(clinic_id, known.contact).path: known.name for known in names}
        for found in await self._documents.get_many(list(by_path)) if by_path else ():
            if found.data is not None and not found.data.get("userName"):
                await self._name(found.path, by_path[found.path])

    async def _keep(self, provider: str, home: ConversationKey, messages: Iterable[PastMessage]) -> None:
        places = {home.message_path(entry_id(provider, home.clinic_id, each.id)): each for each in messages}
        stood = await self._documents.get_many(list(places))
        missing = [found.path for found in stood if not found.exists]
        for start in range(0, len(missing), WRITES_PER_COMMIT):
            some = missing[start : start + WRITES_PER_COMMIT]
            try:
                await self._documents.commit([create(path, _written(places[path])) for path in some])
            except Conflict:  # the same came twice at once: what stands is the same
                for path in some:
                    await self._documents.commit([put(path, _written(places[path]))])

    async def _begun(self, home: ConversationKey, address: Contact, messages: Sequence[PastMessage]) -> None:
        """A conversation of then is closed, until the patient writes; one that stands stays as it is."""
        first = min(message.timestamp for message in messages)
        last = max(message.timestamp for message in messages)

        async def attempt(transaction: Transaction) -> None:
            found = await transaction.get(home.path)
            if found.exists:
                return
            book = BOOK_ENTRY.found(await self._documents.get(_book_path(home.clinic_id, address)))
            begun = Conversation(home.clinic_id, home.contact, first, last, phone=address, last_message_at=last)
            begun = replace(begun, user_name=book.name if book else None, closed_at=last)
            transaction.put(home.path, CONVERSATION.write(begun))

        await transact(self._documents, attempt)

    async def _name(self, path: str, name: str) -> None:
        async def attempt(transaction: Transaction) -> None:
            found = await transaction.get(path)
            if found.data is not None and not found.data.get("userName"):
                transaction.put(path, found.data | {"userName": name[:MOST_NAME]})

        await transact(self._documents, attempt)


def _written(message: PastMessage) -> dict[str, object]:
    if message.from_patient:
        return said_before(message)
    return echoed(Echo(message.id, message.contact, message.timestamp, message.text), message.timestamp)


def _booked(clinic_id: ClinicId, known: KnownName) -> Write:
    return put(_book_path(clinic_id, known.contact), BOOK_ENTRY.write(BookEntry(known.name[:MOST_NAME])))


def _book_path(clinic_id: ClinicId, contact: Contact) -> str:
    return f"gendei_clinics/{document_id(clinic_id)}/address_book/{document_id(contact)}"
