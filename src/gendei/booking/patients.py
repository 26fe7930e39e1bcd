"""Who the appointments are for: gendei_clinics/{clinicId}/patients/{patientId}."""

import hashlib
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, NamedTuple

import phonenumbers

from gendei.booking.charges import plan_name
from gendei.booking.personal_data import UNKNOWN, PersonalData
from gendei.booking.slots import BookingRefused, Refusal
from gendei.clinic import Clinic, ClinicId, Contact
from gendei.documents import Documents, Transaction, document_id
from gendei.health_plan import PRIVATE
from gendei.records import ABSENT_WHEN_EMPTY, ABSENT_WHEN_NONE, Moment, Record

MIN_NAME, MAX_NAME = 2, 80
_REGION = "BR"


def clean_name(text: str) -> str:
    """A person's name as it is kept: composed, single-spaced, without control characters, 2 to 80 characters with
    at least one letter. Raises BookingRefused(INVALID_NAME) for anything else."""
    visible = "".join(" " if unicodedata.category(char)[0] in "CZ" else char for char in text)
    name = " ".join(visible.split())
    if len(name) > 4 * MAX_NAME:  # letters and marks, before they are joined: joining many takes time
        raise BookingRefused(Refusal.INVALID_NAME)
    name = unicodedata.normalize("NFC", name)
    if not MIN_NAME <= len(name) <= MAX_NAME or not any(char.isalpha() for char in name):
        raise BookingRefused(Refusal.INVALID_NAME)
    return name


def clean_phone(text: str) -> str:
    """A phone in E.164 ("+5511999998888"). Without "+" it is read as Brazilian and must be a number in use there;
    with "+" (as channels give it) its length must be possible in its country. Raises BookingRefused(INVALID_PHONE).
    """
    try:
        number = phonenumbers.parse(text, _REGION)
    except phonenumbers.NumberParseException:
        raise BookingRefused(Refusal.INVALID_PHONE) from None
    international = text.lstrip().startswith("+")
    known = phonenumbers.is_possible_number if international else phonenumbers.is_valid_number
    if not known(number):
        raise BookingRefused(Refusal.INVALID_PHONE)
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)


def patient_id(contact: Contact, name: str) -> str:
    """The same for one contact however the name is accented or capitalized, so that two turns never make two
    records, and different for each person of a family that shares a phone."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    plain = " ".join("".join(char for char in letters if not unicodedata.combining(char)).split())
    return hashlib.sha256(f"{contact}|{plain}".encode()).hexdigest()[:20]


class PatientDetails(NamedTuple):
    """What is told of somebody beside name and phone. plan: as appointments have it."""

    personal_data: PersonalData = UNKNOWN
    plan: str = ""


_NOTHING = PatientDetails()


@dataclass(frozen=True, slots=True)
class StoredPatient:
    """A person whom the clinic knows: `contact` is who writes, `name` who the appointments are for. `notes`: of staff;
    None where nobody ever wrote any. `personal_data`: None where nobody ever gave any. `plan`: by which health plan
    they came last, as appointments have it.

    Two records of one person are merged by a pointer: `merged_into` of the one that is no card any more is the id of
    the card, whose `merged` has every id that leads there, in one step. Appointments and tasks keep the id that they
    were made with. `names`, `contacts`, `phones`: what the card has of those, beside its own.
    """

    name: str
    contact: Contact
    phone: str | None
    created_at: Moment
    updated_at: Moment
    notes: Annotated[str | None, ABSENT_WHEN_NONE] = None
    personal_data: Annotated[PersonalData | None, ABSENT_WHEN_NONE] = None
    merged_into: Annotated[str | None, ABSENT_WHEN_NONE] = None
    merged: Annotated[tuple[str, ...], ABSENT_WHEN_EMPTY] = ()
    names: Annotated[tuple[str, ...], ABSENT_WHEN_EMPTY] = ()
    contacts: Annotated[tuple[Contact, ...], ABSENT_WHEN_EMPTY] = ()
    phones: Annotated[tuple[str, ...], ABSENT_WHEN_EMPTY] = ()
    plan: Annotated[str, ABSENT_WHEN_EMPTY] = ""

    @property
    def all_contacts(self) -> tuple[Contact, ...]:
        """Everybody who books for this person."""
        return (self.contact, *self.contacts)


PATIENT = Record(StoredPatient, "gendei_clinics/{clinicId}/patients/{patientId}")


def patients_of(clinic_id: ClinicId) -> str:
    """The collection of a clinic's patients."""
    return f"gendei_clinics/{document_id(clinic_id)}/patients"


async def card_ids(documents: Documents, collection: str, ids: Sequence[str]) -> list[str]:
    """The ids of the cards that `ids` lead to, in their order; of what is not there, the id itself."""
    found = await documents.get_many([f"{collection}/{document_id(patient)}" for patient in ids])
    records = map(PATIENT.found, found)
    return [(record and record.merged_into) or patient for patient, record in zip(ids, records, strict=True)]


async def card_in(transaction: Transaction, collection: str, patient: str) -> tuple[str, StoredPatient | None]:
    """The id of the card that an id leads to, and the card; None where there is none. A pointer on the way is guarded:
    the transaction fails where it becomes another meanwhile. Who writes anything has to write the card."""
    found = PATIENT.found(await transaction.get(f"{collection}/{patient}"))
    if found is None or found.merged_into is None:
        return patient, found
    transaction.put(f"{collection}/{patient}", PATIENT.write(found))
    return found.merged_into, PATIENT.found(await transaction.get(f"{collection}/{found.merged_into}"))


async def record_patient(
    transaction: Transaction,
    clinic_id: ClinicId,
    contact: Contact,
    name: str,
    phone: str | None,
    now: datetime,
    given: PatientDetails = _NOTHING,
) -> str:
    """The id of this person's card, made when there is none, as a part of a larger commit. A new phone replaces the
    old one, unless others book for the person too, and so does what is `given`; the name keeps its first
    spelling. All are clean already."""
    key, known = await card_in(transaction, patients_of(clinic_id), patient_id(contact, name))
    before = known or StoredPatient(name, contact, None, now, now)
    number = before.phone or phone if before.contacts else phone or before.phone
    fresh = replace(before, phone=number, updated_at=now)
    written = PATIENT.write(_with(fresh, given))
    transaction.put(f"{patients_of(clinic_id)}/{key}", written)
    return key


async def record_given(transaction: Transaction, clinic_id: ClinicId, patient: str, given: PatientDetails) -> None:
    """Write what is given to the card that an id leads to, as a part of a larger commit."""
    key, card = await card_in(transaction, patients_of(clinic_id), patient)
    if card is not None:
        transaction.put(f"{patients_of(clinic_id)}/{key}", PATIENT.write(_with(card, given)))


async def known_data(documents: Documents, clinic: Clinic, patient: str) -> PersonalData:
    """What the card that an id leads to has of the patient."""
    collection = patients_of(clinic.id)
    card = PATIENT.found(await documents.get(f"{collection}/{patient}"))
    if card is not None and card.merged_into:
        card = PATIENT.found(await documents.get(f"{collection}/{card.merged_into}"))
    return (card and card.personal_data) or UNKNOWN


async def known_plan(documents: Documents, clinic: Clinic, contact: Contact, name: str) -> str:
    """By which health plan this person, for whom the contact books, came last; "" where that is not known, or the
    clinic does not take it any more."""
    collection, own = patients_of(clinic.id), patient_id(contact, name)
    card = PATIENT.found(await documents.get(f"{collection}/{own}"))
    if card is not None and card.merged_into:
        card = PATIENT.found(await documents.get(f"{collection}/{card.merged_into}"))
    return (card and plan_name(clinic, card.plan)) or ""


def _with(card: StoredPatient, given: PatientDetails) -> StoredPatient:
    """The card with what is given. The number of a plan's card goes with that plan."""
    known = card.personal_data or UNKNOWN
    changed = given.plan not in {"", PRIVATE, card.plan} and card.plan not in {"", PRIVATE}
    data = given.personal_data.over(replace(known, plan_card=None) if changed else known)
    nothing = card.personal_data is None and data == UNKNOWN
    return replace(card, plan=given.plan or card.plan, personal_data=None if nothing else data)


def phone_of(contact: Contact, phone: str | None) -> str | None:
    """The phone that was given, in E.164; else the contact's own, when the contact is a phone."""
    if phone and phone.strip():
        return clean_phone(phone)
    return contact if contact.startswith("+") else None
