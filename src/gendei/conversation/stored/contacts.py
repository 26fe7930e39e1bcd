"""One patient, many addresses: whose conversation an address belongs to, and how two become one.

A conversation's contact is the first address that a patient was met under: a phone in its full form (Brazilian mobiles
always with the ninth digit), or a provider's user id. Every other address of the same patient has a link document,
gendei_clinics/{clinicId}/contacts/{address} = {"contact", "linkedAt"}. No link means: its own conversation.

The rules, each exact:

- Addresses that one webhook shows for one sender are one patient's, and so are those that a change notice of a signing
  provider names. Nothing else links: a contact card proves nothing.
- Of two conversations the older one stays. In ONE commit the newer one is marked as folded, its addresses are linked
  to the older one, and what it held is taken over. What was booked under it is moved before that commit, and
  again by whoever finds the link under a turn of its own, so that no booking of a turn in flight is left behind.
- Two conversations that know different user ids of the official channel are two people (a phone number changes hands),
  unless a change notice names one of each. Such a number's messages stay in its own conversation.
"""

import re
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache

import phonenumbers

from gendei.booking.desk import BookingDesk
from gendei.booking.ownership import change_owner
from gendei.channel_kinds import capabilities
from gendei.clinic import Clinic, ClinicId, Contact
from gendei.clock import Clock
from gendei.conversation.stored.conversation import CONVERSATION, WINDOW_MESSAGES, Conversation
from gendei.conversation.stored.outreach import OutreachBook
from gendei.documents import Data, Documents, Snapshot, Transaction, transact
from gendei.messages.keys import ConversationKey
from gendei.messages.message import Arrival, IncomingMessage, MessageType
from gendei.records import Moment, Record

CHANGES = frozenset({"user_changed_number", "user_changed_user_id"})
REMEMBERED = 4096
UNLINKED_FOR = timedelta(minutes=1)
"""How long an address without a link is believed to have none before the store is asked again."""
MAX_HOPS = 5
_SHORT_MOBILE = re.compile(r"\+55[1-9][1-9][6-9]\d{7}", re.ASCII)
_OFFICIAL_ID = re.compile(r"[A-Z]{2}\.[A-Za-z0-9.]+", re.ASCII)


@lru_cache(maxsize=8192)
def canonical(address: str) -> Contact:
    """The one form of an address: a Brazilian mobile as it is dialled today, with the ninth digit that WhatsApp leaves
    out for older accounts ("+55 11 8888-7777" is "+55 11 98888-7777"); anything else unchanged."""
    if not _SHORT_MOBILE.fullmatch(address):
        return Contact(address)
    full = f"{address[:5]}9{address[5:]}"
    return Contact(full if phonenumbers.is_valid_number(phonenumbers.parse(full)) else address)


@dataclass(frozen=True, slots=True)
class Shown:
    """What messages tell about who writes. `renamed`: pairs of an address that a change notice brought in and the
    user ids that the notice names with it."""

    addresses: frozenset[Contact]
    renamed: Mapping[Contact, frozenset[Contact]]

    @classmethod
    def by(cls, arrivals: Sequence[Arrival]) -> "Shown":
        addresses: set[Contact] = set()
        renamed: dict[Contact, frozenset[Contact]] = {}
        for arrival in arrivals:
            addresses |= _of_sender(arrival.message)
            if capabilities(arrival.provider).is_signed:
                ids, brought = _named(arrival.message)
                renamed |= dict.fromkeys(brought, ids)
        return cls(frozenset(addresses | renamed.keys()), renamed)


def _of_sender(message: IncomingMessage) -> set[Contact]:
    """A system message's aliases are what it tells, which is believed of change notices only."""
    also = () if message.type is MessageType.SYSTEM else message.aliases
    told = (message.sender, message.phone, message.user_id, *also)
    return {canonical(address) for address in told if address}


def _named(message: IncomingMessage) -> tuple[frozenset[Contact], frozenset[Contact]]:
    """The user ids of a change notice, and every address of it; nothing for any other message."""
    if message.type is not MessageType.SYSTEM or message.details.get("event") not in CHANGES:
        return frozenset(), frozenset()
    ids = frozenset(
        Contact(value)
        for name in ("user_id", "previous_user_id")
        if isinstance(value := message.details.get(name), str) and _OFFICIAL_ID.fullmatch(value)
    )
    number = str(message.details.get("wa_id") or "").removeprefix("+")
    phones = {canonical(f"+{number}")} if number.isascii() and number.isdigit() else set()
    return ids, ids | phones


@dataclass(frozen=True, slots=True)
class Joined:
    """`home`: where the patient's messages belong. `aliases`: the addresses that are linked to it."""

    home: ConversationKey
    aliases: tuple[Contact, ...] = ()


class Contacts:
    """Links of addresses. What this process has seen is remembered; a turn asks the store itself."""

    def __init__(self, documents: Documents, clock: Clock) -> None:
        self._documents = documents
        self._desk = BookingDesk(documents, clock)
        self._outreach = OutreachBook(documents, clock)
        self._clock = clock
        self._links: OrderedDict[tuple[ClinicId, Contact], Contact] = OrderedDict()
        self._unlinked: OrderedDict[tuple[ClinicId, Contact], datetime] = OrderedDict()

    async def at_the_door(self, clinic_id: ClinicId, address: str) -> Contact:
        """Where a message that just arrived shall wait. Nothing is read for a phone; an address of another form costs
        one read, then none for a minute. The turn asks again, so that being out of date here costs no more than a
        detour. May raise StoreUnavailable."""
        contact = canonical(address)
        place = (clinic_id, contact)
        if (linked := self._links.get(place)) is not None:
            self._links.move_to_end(place)
            return linked
        if contact.startswith("+") or self._unlinked.get(place, self._clock()) > self._clock():
            return contact
        found = linked_contact(await self._documents.get(ConversationKey(clinic_id, contact).link_path))
        self._remember(clinic_id, contact, found)
        return found or contact

    async def home(self, key: ConversationKey) -> ConversationKey:
        """As `home_of`, and remembered for what arrives next."""
        home = await home_of(self._documents, key)
        if home != key:
            self._remember(key.clinic_id, key.contact, home.contact)
        return home

    async def move_in(self, clinic: Clinic, old: Contact, new: Contact) -> None:
        """Bring what was booked under `old` to `new`, and the wish to be left alone."""
        await change_owner(self._desk, self._documents, clinic, old, new)
        left, kept = ConversationKey(clinic.id, old), ConversationKey(clinic.id, new)
        said = await self._outreach.of(left)
        if said.opted_out_at is not None:
            await self._outreach.opt_out(kept)
        if said.no_marketing_since is not None:
            await self._outreach.stop_marketing(kept)

    async def join(self, clinic: Clinic, key: ConversationKey, shown: Shown) -> Joined:
        """Make every address of `shown` lead to one conversation; which one, is in the result. It costs a commit
        when an address is new, and is then known to the conversation."""

        async def attempt(transaction: Transaction) -> Joined:
            return await self._join(transaction, clinic, key, shown)

        joined = await transact(self._documents, attempt)
        for address in {*joined.aliases, key.contact} - {joined.home.contact}:
            self._remember(key.clinic_id, address, joined.home.contact)
        return joined

    async def _join(self, transaction: Transaction, clinic: Clinic, key: ConversationKey, shown: Shown) -> Joined:
        links = await _roots(transaction, key, {key.contact, *shown.addresses})
        home = links.of(key.contact)
        if home != key.contact:
            return Joined(key.of(home))
        found = await transaction.get_many([key.of(contact).path for contact in links.roots])
        known = {
            contact: CONVERSATION.read(snapshot.data)
            for contact, snapshot in zip(links.roots, found, strict=True)
            if snapshot.data is not None
        }
        ours = [
            address
            for address in shown.addresses
            if _same_person(known.get(home), known.get(links.of(address)), address, shown)
        ]
        parties = {home, *(links.of(address) for address in ours)}
        kept = min(parties & known.keys(), key=lambda contact: (known[contact].created_at, contact), default=home)
        aliases = tuple(sorted({*ours, *parties} - {kept}))
        joined = Joined(key.of(kept), aliases)
        if all(links.of(alias) == kept for alias in aliases):
            return joined
        for gone in sorted(parties - {kept}):
            if gone in known or gone.startswith("+"):
                await self.move_in(clinic, gone, kept)
        changes = _changes(joined, [known[contact] for contact in sorted(parties & known.keys())], self._clock())
        for snapshot in (*links.read, *found):  # nothing that this rests on may have changed meanwhile
            if snapshot.path not in changes:
                changes[snapshot.path] = snapshot.data
        for path, data in changes.items():
            transaction.delete(path) if data is None else transaction.put(path, data)
        return joined

    def _remember(self, clinic_id: ClinicId, address: Contact, contact: Contact | None) -> None:
        place = (clinic_id, address)
        if contact is None:
            self._unlinked[place] = self._clock() + UNLINKED_FOR
        else:
            self._links[place] = contact
            self._unlinked.pop(place, None)
        for remembered in (self._links, self._unlinked):
            while len(remembered) > REMEMBERED:
                remembered.popitem(last=False)


async def home_of(documents: Documents, key: ConversationKey) -> ConversationKey:
    """The conversation that `key`'s messages belong to, by the store."""
    for _ in range(MAX_HOPS):
        linked = linked_contact(await documents.get(key.link_path))
        if linked is None:
            break
        key = key.of(linked)
    return key


@dataclass(frozen=True, slots=True)
class _Link:
    """What stands under an address that leads to another contact."""

    contact: Contact
    linked_at: Moment


_LINK = Record(_Link, "gendei_clinics/{clinicId}/contacts/{address}")


@dataclass(frozen=True, slots=True)
class _Links:
    """What a transaction read of links: the documents, and where each of the addresses leads."""

    read: list[Snapshot]
    ends: Mapping[Contact, Contact]

    @property
    def roots(self) -> list[Contact]:
        return sorted(set(self.ends.values()))

    def of(self, address: Contact) -> Contact:
        return self.ends.get(address, address)


async def _roots(transaction: Transaction, key: ConversationKey, addresses: Iterable[Contact]) -> _Links:
    """Follow the links of `addresses` to their ends, in one read unless one of them is linked."""
    ends = {address: address for address in addresses}
    read: dict[Contact, Snapshot] = {}
    for _ in range(MAX_HOPS):
        pending = sorted(set(ends.values()) - read.keys())
        if not pending:
            break
        found = await transaction.get_many([key.of(contact).link_path for contact in pending])
        read |= zip(pending, found, strict=True)
        for address, end in ends.items():
            ends[address] = linked_contact(read[end]) or end
    return _Links(list(read.values()), ends)


def _same_person(ours: Conversation | None, theirs: Conversation | None, address: Contact, shown: Shown) -> bool:
    """Whether `address`, which leads to `theirs`, may become an address of `ours`; see the rules above."""
    if theirs is None or (ours is not None and ours.contact == theirs.contact):
        return True
    if address in shown.renamed:
        return not shown.renamed[address].isdisjoint((theirs.contact, *theirs.aliases))
    ids, other_ids = _official_ids(ours), _official_ids(theirs)
    return not ids or not other_ids or not ids.isdisjoint(other_ids)


def _official_ids(conversation: Conversation | None) -> set[str]:
    told = () if conversation is None else (conversation.contact, *conversation.aliases)
    return {address for address in told if _OFFICIAL_ID.fullmatch(address)}


def _changes(joined: Joined, parties: Sequence[Conversation], now: datetime) -> dict[str, Data | None]:
    """The link and conversation documents that make `parties` one."""
    home = joined.home
    kept = next((party for party in parties if party.contact == home.contact), None)
    gone = [party for party in parties if party.contact != home.contact]
    linked = {*joined.aliases, *(alias for conversation in gone for alias in conversation.aliases)} - {home.contact}
    changes: dict[str, Data | None] = {
        home.of(Contact(address)).link_path: _LINK.write(_Link(home.contact, now)) for address in sorted(linked)
    }
    for conversation in gone:
        changes[conversation.key.path] = CONVERSATION.write(replace(conversation, folded_into=home.contact))
        kept = folded_together(kept, conversation) if kept else None
    if kept is not None:
        changes[home.path] = CONVERSATION.write(kept.known_as(linked))
    return changes


def linked_contact(link: Snapshot) -> Contact | None:
    """Whose address this is, by its link document; None where it has none."""
    found = _LINK.found(link)
    return None if found is None else found.contact


def folded_together(kept: Conversation, gone: Conversation) -> Conversation:
    """`kept` with everything of `gone`: the newest messages of both, whatever was going on in the one that was used
    last, and a take-over of either. The full history of `gone` stays where it is and is read from there."""
    older, newer = sorted((kept, gone), key=_last_used)
    messages = sorted((*older.messages, *newer.messages), key=_when)[-WINDOW_MESSAGES:]
    together = replace(
        kept,
        updated_at=max(kept.updated_at, gone.updated_at),
        phone=newer.phone or older.phone,
        user_id=newer.user_id,
        user_name=newer.user_name or older.user_name,
        provider=newer.provider,
        external_id=newer.external_id,
        messages=tuple(messages),
        current_agent=newer.current_agent,
        agent_state=newer.agent_state,
        thread_id=newer.thread_id,
        last_message_at=_later(kept.last_message_at, gone.last_message_at),
        last_inbound_at=_later(kept.last_inbound_at, gone.last_inbound_at),
        window_ends_at=_later(kept.window_ends_at, gone.window_ends_at),
        unread=kept.unread + gone.unread,
        returned=newer.returned or older.returned,
        last_failure=newer.last_failure,
        addresses={**older.addresses, **newer.addresses},
        folded=(*kept.folded, gone.contact, *gone.folded),
        assigned_to=newer.assigned_to or older.assigned_to,
        assigned_name=newer.assigned_name if newer.assigned_to else older.assigned_name,
        labels=tuple(dict.fromkeys((*kept.labels, *gone.labels))),
        closed_at=newer.closed_at,
        queued=(*older.queued, *newer.queued),
        danger_at=min(filter(None, (kept.danger_at, gone.danger_at)), default=None),
        snoozed_until=newer.snoozed_until,
        snoozed_by=newer.snoozed_by,
    )
    return _owned_as(together, kept, gone)


def _owned_as(together: Conversation, kept: Conversation, gone: Conversation) -> Conversation:
    """Whoever of the clinic's people has one of the two has both; else who waits for a person in either waits on."""
    owned = min(kept, gone, key=lambda each: (not each.has_person, not each.waiting_for_person))
    promised = [each.answer_by for each in (kept, gone) if each.answer_by and not owned.has_person]
    return replace(
        together,
        is_human_takeover=owned.is_human_takeover,
        taken_over_at=owned.taken_over_at,
        taken_over_by=owned.taken_over_by,
        takeover_reason=owned.takeover_reason,
        called_for=owned.called_for,
        waiting_for_person=owned.waiting_for_person,
        answer_by=min(promised, default=None),
        escalated_at=owned.escalated_at,
        person_at=owned.person_at,
    )


def _last_used(conversation: Conversation) -> datetime:
    return conversation.last_message_at or conversation.created_at


def _when(message: Data) -> datetime:
    return datetime.fromisoformat(message["timestamp"])


def _later(one: datetime | None, other: datetime | None) -> datetime | None:
    return max((moment for moment in (one, other) if moment is not None), default=None)
