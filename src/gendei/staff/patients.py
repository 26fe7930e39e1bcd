"""The patients of a clinic, as staff look them up and keep them."""

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from rapidfuzz import fuzz

from gendei.booking.appointment import Appointment, Appointments
from gendei.booking.patients import PATIENT, StoredPatient, clean_name, clean_phone
from gendei.booking.personal_data import UNKNOWN, PersonalData
from gendei.booking.slots import BookingRefused
from gendei.clinic import Clinic, ClinicId, Contact
from gendei.clock import Clock
from gendei.conversation.stored.contacts import canonical, home_of
from gendei.conversation.stored.conversation import CONVERSATION
from gendei.conversation.stored.outreach import OUTREACH, outreach_of, outreach_path
from gendei.documents import Data, Documents, Query, Snapshot, Transaction, document_id, transact
from gendei.errors import NotFound
from gendei.messages.channels import Clinics
from gendei.messages.keys import ConversationKey
from gendei.messages.preferences import Preferences
from gendei.staff.actors import Actor, Right, clinic_of
from gendei.staff.audit import Action, audit_write
from gendei.staff.inbox.rows import cursor_behind, fold, place_in

LONGEST = 200


def key_of(actor: Actor, contact: str) -> ConversationKey:
    """The conversation of the actor's clinic that `contact` names, by any address of the patient. Raises NotFound for
    what no contact can be."""
    if not contact or len(contact) > LONGEST or not contact.isprintable():
        raise NotFound
    return ConversationKey(actor.clinic_id, Contact(canonical(contact)))


MOST_SEARCHED = 2000
"""Patients that a search by name or a part of a number looks through, those changed last first. A whole number is
found among all."""
FOUND = 50
MAX_NOTES = 4000
_ALIKE = 85
"""Of 100: how near a misspelt name must come."""
_ID = re.compile("[0-9a-f]{20}")


@dataclass(frozen=True, slots=True)
class PatientRow:
    """`contact`: who writes for the patient; `name`: who comes."""

    id: str
    name: str
    contact: Contact
    phone: str | None
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class PatientPage:
    """`cursor` gives the next page; None: there is none."""

    rows: tuple[PatientRow, ...]
    cursor: str | None


@dataclass(frozen=True, slots=True)
class Consent:
    """`opted_out_at`: wants nothing but answers. `no_marketing_since`: stopped marketing, as WhatsApp says."""

    opted_out_at: datetime | None
    no_marketing_since: datetime | None


@dataclass(frozen=True, slots=True)
class PatientCard:
    """`forms`: every address of the contact that is known (phones, WhatsApp ids). `coming`, `past`: the patient's own
    appointments in the clinic's zone, the next and the latest first. `family`: for whom else the same contact books.
    `written`: whether there is a conversation with the contact. `personal_data`: None for who may not see it."""

    patient: PatientRow
    notes: str
    created_at: datetime
    forms: tuple[str, ...]
    coming: tuple[Appointment, ...]
    past: tuple[Appointment, ...]
    family: tuple[PatientRow, ...]
    consent: Consent
    written: bool
    personal_data: PersonalData | None = None


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
        self._appointments = Appointments(documents, clock)

    async def search(self, actor: Actor, text: str = "", limit: int = FOUND) -> list[PatientRow]:
        """The first of `page`."""
        return list((await self.page(actor, text, limit=limit)).rows)

    async def page(self, actor: Actor, text: str = "", *, cursor: str | None = None, limit: int = FOUND) -> PatientPage:
        """Patients by name (without regard to accents, capitals and a slip) or phone, the best first; without a text,
        all there are, those changed last first: who changes between two pages is at the head again. Raises Forbidden,
        and ValueError for a cursor that is none of ours."""
        actor.require(Right.READ)
        limit = max(1, min(limit, FOUND))
        newest = Query(_collection(actor.clinic_id), order_by=(("updatedAt", True),), limit=MOST_SEARCHED)
        if not text.strip():
            query = replace(newest, limit=limit + 1)
            found = await self._documents.query(
                query if cursor is None else query.after(place_in(query.collection, cursor))
            )
            more = cursor_behind(found[limit - 1]) if len(found) > limit else None
            return PatientPage(tuple(map(_row, found[:limit])), more)
        first = 0 if cursor is None else int(cursor)
        ranked = (await self._ranked(actor, text, newest))[max(0, first) :]
        return PatientPage(tuple(ranked[:limit]), str(first + limit) if len(ranked) > limit else None)

    async def _ranked(self, actor: Actor, text: str, newest: Query) -> list[PatientRow]:
        """Everybody that `text` may mean, the best first."""
        wanted, digits = fold(text).split(), _digits(text)
        by_number = self._by_number(actor, text) if len(digits) >= 8 else _nothing()
        exact, scanned = await asyncio.gather(by_number, self._documents.query(newest))
        ranked = {row.id: (100.0, row) for row in exact}
        for row in map(_row, scanned):
            if row.id not in ranked and (score := _score(row, wanted, digits)):
                ranked[row.id] = (score, row)
        best = sorted(ranked.values(), key=lambda row: (-row[0], fold(row[1].name), row[1].id))
        return [row for _, row in best]

    async def card(self, actor: Actor, patient_id: str) -> PatientCard:
        """Everything about one patient; that it was read goes into the audit. Raises NotFound and Forbidden."""
        actor.require(Right.READ)
        clinic, found = await clinic_of(self._clinics, actor), await self._documents.get(_path(actor, patient_id))
        stored = PATIENT.found(found)
        if stored is None:
            raise NotFound
        row = _row(found)
        key = ConversationKey(actor.clinic_id, row.contact)
        (conversation, consent), booked, family = await asyncio.gather(
            self._documents.get_many([key.path, outreach_path(key)]),
            self._appointments.of_contact(clinic, row.contact, upcoming_only=False),
            self._of_contact(actor.clinic_id, row.contact),
        )
        own = [appointment for appointment in booked if appointment.patient_id == patient_id]
        now, outreach = self._clock(), outreach_of(consent)
        entry = audit_write(actor, Action.PATIENT_READ, patient_id, now)
        await self._documents.commit([entry])
        return PatientCard(
            patient=row,
            notes=stored.notes or "",
            created_at=stored.created_at,
            forms=_forms(row, conversation.data),
            coming=tuple(appointment for appointment in own if appointment.start > now and appointment.status.live),
            past=tuple(
                appointment for appointment in reversed(own) if appointment.start <= now or not appointment.status.live
            ),
            family=tuple(row for row in family if row.id != patient_id),
            consent=Consent(outreach.opted_out_at, outreach.no_marketing_since),
            written=conversation.data is not None,
            personal_data=(stored.personal_data or UNKNOWN) if actor.may(Right.PERSONAL_DATA) else None,
        )

    async def personal_data(self, actor: Actor, patient_id: str) -> PersonalData:
        """Birth date and CPF, as far as they are known; that they were read goes into the audit. Raises NotFound and
        Forbidden."""
        actor.require(Right.READ)
        actor.require(Right.PERSONAL_DATA)
        stored = PATIENT.found(await self._documents.get(_path(actor, patient_id)))
        if stored is None:
            raise NotFound
        read = audit_write(actor, Action.PATIENT_READ, patient_id, self._clock(), what=[str(Right.PERSONAL_DATA)])
        await self._documents.commit([read])
        return stored.personal_data or UNKNOWN

    async def named(self, actor: Actor, patient_id: str) -> PatientRow:
        """Who this is, without the card. Raises NotFound and Forbidden."""
        actor.require(Right.READ)
        found = await self._documents.get(_path(actor, patient_id))
        if found.data is None:
            raise NotFound
        return _row(found)

    async def of_contact(self, actor: Actor, contact: str) -> list[PatientRow]:
        """For whom a contact books, by name. Raises NotFound for what is no contact, and Forbidden."""
        actor.require(Right.READ)
        return await self._of_contact(actor.clinic_id, key_of(actor, contact).contact)

    async def edit(self, actor: Actor, patient_id: str, edit: PatientEdit) -> None:
        """Appointments keep the name that they were booked under. Raises BookingRefused (INVALID_NAME, INVALID_PHONE,
        and those of `PersonalData.checked`), ValueError for notes of more than MAX_NOTES characters, NotFound and
        Forbidden."""
        actor.require(Right.WRITE)
        if edit.personal_data is not None:
            actor.require(Right.PERSONAL_DATA)
        changes, clinic = _changes(edit), await clinic_of(self._clinics, actor)

        async def attempt(transaction: Transaction) -> None:
            found = await transaction.get(_path(actor, patient_id))
            if found.data is None:
                raise NotFound
            now, changed = self._clock(), sorted(changes)
            kept = found.data | changes
            if edit.personal_data is not None:
                data, names = _personal_data(edit.personal_data, PATIENT.read(found.data), clinic, now)
                kept, changed = kept | data, sorted([*changed, *names])
            transaction.put(found.path, kept | {"updatedAt": now})
            entry = audit_write(actor, Action.PATIENT_CHANGED, patient_id, now, changed=changed)
            transaction.create(entry.path, entry.data or {})

        await transact(self._documents, attempt)

    async def set_consent(self, actor: Actor, contact: str, *, messages: bool) -> None:
        """Whether the contact wants messages that the clinic begins (reminders and so on); answers go in any case.
        Raises NotFound for whom the clinic knows nothing of, and Forbidden."""
        actor.require(Right.WRITE)
        key = key_of(actor, contact)
        known = await self._documents.get(key.path)
        if not known.exists and not await self._of_contact(actor.clinic_id, key.contact):
            raise NotFound

        async def attempt(transaction: Transaction) -> None:
            found, now = await transaction.get(outreach_path(key)), self._clock()
            before = outreach_of(found)
            after = replace(before, opted_out_at=None if messages else before.opted_out_at or now)
            transaction.put(found.path, OUTREACH.write(after))
            changed = ["opted_in" if messages else "opted_out"]
            entry = audit_write(actor, Action.PATIENT_CHANGED, key.contact, now, changed=changed)
            transaction.create(entry.path, entry.data or {})

        await transact(self._documents, attempt)

    async def _by_number(self, actor: Actor, text: str) -> list[PatientRow]:
        """Whose number is `text`, however long ago they came."""
        try:
            number = clean_phone(text)
        except BookingRefused:
            return []
        queries = (
            Query(_collection(actor.clinic_id), where=((name, "==", number),), limit=FOUND)
            for name in ("contact", "phone")
        )
        found = await asyncio.gather(*(self._documents.query(query) for query in queries))
        return [_row(snapshot) for page in found for snapshot in page]

    async def _of_contact(self, clinic_id: ClinicId, contact: Contact) -> list[PatientRow]:
        query = Query(_collection(clinic_id), where=(("contact", "==", contact),), limit=FOUND)
        return sorted(map(_row, await self._documents.query(query)), key=lambda row: (fold(row.name), row.id))


async def _nothing() -> list[PatientRow]:
    return []


def _score(row: PatientRow, wanted: list[str], digits: str) -> float:
    """How well a patient fits, of 100; 0 for not."""
    if len(digits) >= 3 and digits in _digits(f"{row.phone or ''} {row.contact}"):
        return 99
    name = fold(row.name)
    if all(word in name for word in wanted):
        return 98 if name.startswith(wanted[0]) else 95
    spoken = " ".join(wanted)
    alike = fuzz.token_set_ratio(spoken, name, score_cutoff=_ALIKE) if len(spoken) > 3 else 0
    return min(alike, 90)


def _forms(row: PatientRow, conversation: Data | None) -> tuple[str, ...]:
    known = [row.contact, row.phone]
    if conversation is not None:
        known_conversation = CONVERSATION.read(conversation)
        known += [known_conversation.phone, known_conversation.user_id, *known_conversation.aliases]
        known += [address[name] for address in known_conversation.addresses.values() for name in ("phone", "userId")]
    return tuple(dict.fromkeys(form for form in known if form))


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
    names = [name for name in ("birth_date", "cpf") if getattr(given, name) != getattr(before, name)]
    fresh = PersonalData(**{name: getattr(given, name) for name in names}).checked(clinic, clinic.local(now).date())
    after = PersonalData(given.birth_date, fresh.cpf or given.cpf)
    return {"personalData": PATIENT.write(replace(stored, personal_data=after))["personalData"]}, names


def _row(found: Snapshot) -> PatientRow:
    stored = PATIENT.read(found.data)
    return PatientRow(found.id, stored.name, stored.contact, stored.phone, stored.updated_at)


def _digits(text: str) -> str:
    return "".join(char for char in text if char.isdecimal())


def _collection(clinic_id: ClinicId) -> str:
    return f"gendei_clinics/{document_id(clinic_id)}/patients"


def _path(actor: Actor, patient_id: str) -> str:
    if not _ID.fullmatch(patient_id):
        raise NotFound
    return f"{_collection(actor.clinic_id)}/{patient_id}"


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
                after = replace(outreach_of(outreach), opted_out_at=None if notices else now)
                transaction.put(outreach.path, OUTREACH.write(after))
            audit = audit_write(actor, Action.PATIENT_CHANGED, key.contact, now, preferences=sorted(changes))
            transaction.create(audit.path, audit.data or {})
            return preferences

        return await transact(self._documents, attempt)
