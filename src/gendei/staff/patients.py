"""The patients of a clinic, as staff look them up and keep them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from gendei.booking.merging import pointer
from gendei.booking.patients import PATIENT, StoredPatient, card_in, clean_name, clean_phone, patients_of
from gendei.booking.patients import patient_id as id_of
from gendei.booking.personal_data import UNKNOWN, PersonalData
from gendei.clinic import Clinic, Contact, PersonalDatum
from gendei.clock import Clock
from gendei.conversation.stored.contacts import canonical, home_of
from gendei.conversation.stored.conversation import CONVERSATION
from gendei.conversation.stored.outreach import OUTREACH, ConsentWay, Outreach, outreach_of, outreach_path
from gendei.documents import Data, Documents, Transaction, transact
from gendei.errors import NotFound
from gendei.messages.channels import Clinics
from gendei.messages.keys import ConversationKey
from gendei.messages.preferences import Preferences
from gendei.staff.actors import Actor, Right, clinic_of
from gendei.staff.audit import Action, audit_write
from gendei.staff.patient_cards import PatientCards
from gendei.staff.patient_rows import Card, PatientRow, card_of, of_contact, path_of
from gendei.staff.patient_search import FOUND, PatientSearch

LONGEST = 200


def key_of(actor: Actor, contact: str) -> ConversationKey:
    """The conversation of the actor's clinic that `contact` names, by any address of the patient. Raises NotFound for
    what no contact can be."""
    if not contact or len(contact) > LONGEST or not contact.isprintable():
        raise NotFound
    return ConversationKey(actor.clinic_id, Contact(canonical(contact)))


MAX_NOTES = 4000


@dataclass(frozen=True, slots=True)
class PatientEdit:
    """What shall change; None stays. An empty phone removes it; `personal_data` is then all that is kept."""

    name: str | None = None
    phone: str | None = None
    notes: str | None = None
    personal_data: PersonalData | None = None


class PatientRecords:
    """Every call is about the actor's clinic; an id of another one is NotFound. What is read of one patient, and what
    is changed, stands in the audit."""

    def __init__(self, documents: Documents, clinics: Clinics, clock: Clock) -> None:
        self._documents, self._clinics, self._clock = documents, clinics, clock
        self.card, self.page = PatientCards(documents, clinics, clock).card, PatientSearch(documents).page

    async def search(self, actor: Actor, text: str = "", limit: int = FOUND) -> list[PatientRow]:
        """The first of `page`."""
        return list((await self.page(actor, text, limit=limit)).rows)

    async def personal_data(self, actor: Actor, patient_id: str) -> PersonalData:
        """Birth date and CPF, as far as they are known; that they were read goes into the audit. Raises NotFound and
        Forbidden."""
        actor.require(Right.READ)
        actor.require(Right.PERSONAL_DATA)
        card = await card_of(self._documents, actor.clinic_id, patient_id)
        read = audit_write(actor, Action.PATIENT_READ, card.id, self._clock(), what=[str(Right.PERSONAL_DATA)])
        await self._documents.commit([read])
        return card.stored.personal_data or UNKNOWN

    async def named(self, actor: Actor, patient_id: str) -> PatientRow:
        """Who this is, without the card. Raises NotFound and Forbidden."""
        actor.require(Right.READ)
        return (await card_of(self._documents, actor.clinic_id, patient_id)).row

    async def of_contact(self, actor: Actor, contact: str) -> list[PatientRow]:
        """For whom a contact books, by name. Raises NotFound for what is no contact, and Forbidden."""
        actor.require(Right.READ)
        found = await of_contact(self._documents, actor.clinic_id, key_of(actor, contact).contact)
        return [card.row for card in found]

    async def edit(self, actor: Actor, patient_id: str, edit: PatientEdit) -> None:
        """Appointments keep the name that they were booked under. Raises BookingRefused (INVALID_NAME, INVALID_PHONE,
        and those of `PersonalData.checked`), ValueError for notes of more than MAX_NOTES characters, NotFound and
        Forbidden."""
        actor.require(Right.WRITE)
        if edit.personal_data is not None:
            actor.require(Right.PERSONAL_DATA)
        changes, clinic = _changes(edit), await clinic_of(self._clinics, actor)
        path_of(actor.clinic_id, patient_id)
        collection = patients_of(actor.clinic_id)

        async def attempt(transaction: Transaction) -> None:
            card_id, card = await card_in(transaction, collection, patient_id)
            if card is None:
                raise NotFound
            now, found = self._clock(), await transaction.get(f"{collection}/{card_id}")
            more, changed = (
                await _renamed(transaction, collection, Card(card_id, card), changes.get("name", card.name)),
                sorted(changes),
            )
            if edit.personal_data is not None:
                data, names = _personal_data(edit.personal_data, card, clinic, now)
                more, changed = more | data, sorted([*changed, *names])
            transaction.put(found.path, (found.data or {}) | changes | more | {"updatedAt": now})
            entry = audit_write(actor, Action.PATIENT_CHANGED, card_id, now, changed=changed)
            transaction.create(entry.path, entry.data or {})

        await transact(self._documents, attempt)

    async def set_consent(self, actor: Actor, contact: str, *, messages: bool) -> None:
        """Whether the contact wants messages that the clinic begins (reminders and so on); answers go in any case.
        Raises NotFound for whom the clinic knows nothing of, and Forbidden."""
        actor.require(Right.WRITE)
        key = key_of(actor, contact)
        known = await self._documents.get(key.path)
        if not known.exists and not await of_contact(self._documents, actor.clinic_id, key.contact):
            raise NotFound

        async def attempt(transaction: Transaction) -> None:
            found, now = await transaction.get(outreach_path(key)), self._clock()
            transaction.put(found.path, OUTREACH.write(_wishes(outreach_of(found), actor, now, messages=messages)))
            changed = ["opted_in" if messages else "opted_out"]
            entry = audit_write(actor, Action.PATIENT_CHANGED, key.contact, now, changed=changed)
            transaction.create(entry.path, entry.data or {})

        await transact(self._documents, attempt)


def _wishes(known: Outreach, actor: Actor, now: datetime, *, messages: bool) -> Outreach:
    """With what the patient told staff: messages that the clinic begins, or nothing but answers."""
    return known.opted_in() if messages else known.opted_out(now, ConsentWay.STAFF, actor.user_id)


async def _renamed(transaction: Transaction, collection: str, card: Card, name: str) -> Data:
    """What a new name changes beside itself: the old one is still searched for, and who books under the new one finds
    this card, unless there is another of that name."""
    stored, also = card.stored, id_of(card.stored.contact, name)
    if name == stored.name:
        return {}
    named = {"names": [*dict.fromkeys(known for known in (*stored.names, stored.name) if known != name)]}
    if also in card.ids:
        return named
    there = await transaction.get(f"{collection}/{also}")
    alias = PATIENT.write(pointer(replace(stored, name=name), card.id))
    transaction.put(there.path, there.data or alias)
    return named if there.exists else named | {"merged": [*stored.merged, also]}


def _changes(edit: PatientEdit) -> Data:
    changes: Data = {}
    if edit.name is not None:
        changes["name"] = clean_name(edit.name)
    if edit.phone is not None:
        changes["phone"] = clean_phone(edit.phone) if edit.phone.strip() else None
    if edit.notes is not None:
        if len(edit.notes) > MAX_NOTES:
            raise ValueError(f"notes of more than {MAX_NOTES} characters")
        changes["notes"] = edit.notes.strip()
    return changes


def _personal_data(given: PersonalData, stored: StoredPatient, clinic: Clinic, now: datetime) -> tuple[Data, list[str]]:
    """What the document shall hold in place of what is `stored`, and the names of what is another now. What stays is
    not checked again: the clinic may keep less today than then."""
    before = stored.personal_data or UNKNOWN
    names = [datum.value for datum in PersonalDatum if getattr(given, datum) != getattr(before, datum)]
    fresh = PersonalData(**{name: getattr(given, name) for name in names}).checked(clinic, clinic.local(now).date())
    after = PersonalData(given.birth_date, fresh.cpf or given.cpf, fresh.plan_card or given.plan_card)
    return {"personalData": PATIENT.write(replace(stored, personal_data=after))["personalData"]}, names


NOTICES = "notices"


class PatientPreferences:
    """Every call is about the actor's clinic; a contact without a conversation there is NotFound. Any address of the
    patient names the conversation."""

    def __init__(self, documents: Documents, clock: Clock) -> None:
        self._documents, self._clock = documents, clock

    async def of(self, actor: Actor, contact: str) -> tuple[Preferences, bool]:
        """The preferences, and whether the patient takes notices that we start."""
        actor.require(Right.READ)
        key = await home_of(self._documents, key_of(actor, contact))
        found, outreach = await self._documents.get_many([key.path, outreach_path(key)])
        if found.data is None:
            raise NotFound
        wanted = outreach_of(outreach).opted_out_at is None
        return CONVERSATION.read(found.data).preferences, wanted

    async def change(self, actor: Actor, contact: str, changes: Mapping[str, Any]) -> Preferences:
        """Change fields of Preferences, and "notices" (true or false). Raises ValueError for a field or a value that
        there is not: nothing is changed then."""
        actor.require(Right.WRITE)
        key = await home_of(self._documents, key_of(actor, contact))
        notices = changes.get(NOTICES)
        if NOTICES in changes and not isinstance(notices, bool):
            raise ValueError("notices is true or false")
        fields = {name: value for name, value in changes.items() if name != NOTICES}

        async def attempt(transaction: Transaction) -> Preferences:
            found = await transaction.get(key.path)
            if found.data is None:
                raise NotFound
            conversation, now = CONVERSATION.read(found.data), self._clock()
            preferences = conversation.preferences.changed(fields)
            transaction.put(key.path, CONVERSATION.write(replace(conversation, preferences=preferences)))
            if notices is not None:
                outreach = await transaction.get(outreach_path(key))
                after = _wishes(outreach_of(outreach), actor, now, messages=notices)
                transaction.put(outreach.path, OUTREACH.write(after))
            audit = audit_write(actor, Action.PATIENT_CHANGED, key.contact, now, preferences=sorted(changes))
            transaction.create(audit.path, audit.data or {})
            return preferences

        return await transact(self._documents, attempt)
