"""Who the appointments are for: gendei_clinics/{clinicId}/patients/{patientId}."""

import hashlib
import unicodedata
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated

import phonenumbers

from gendei.booking.slots import BookingRefused, Refusal
from gendei.clinic import ClinicId, Contact, Patient
from gendei.clock import Clock, system_clock
from gendei.documents import Documents, Query, Transaction, document_id, transact
from gendei.records import ABSENT_WHEN_NONE, Moment, Record

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


@dataclass(frozen=True, slots=True)
class StoredPatient:
    """What is stored of a patient. `notes`: of staff; None where nobody ever wrote any."""

    name: str
    contact: Contact
    phone: str | None
    created_at: Moment
    updated_at: Moment
    notes: Annotated[str | None, ABSENT_WHEN_NONE] = None


PATIENT = Record(StoredPatient, "gendei_clinics/{clinicId}/patients/{patientId}")


class Patients:
    """The repository of patients; every call is about one clinic."""

    def __init__(self, documents: Documents, clock: Clock = system_clock) -> None:
        self._documents, self._clock = documents, clock

    async def ensure(self, clinic_id: ClinicId, contact: Contact, name: str, phone: str | None = None) -> Patient:
        """The record of this person, made when there is none. A new phone replaces the old one; the name keeps its
        first spelling. Raises BookingRefused (INVALID_NAME, INVALID_PHONE)."""
        name, phone = clean_name(name), phone_of(contact, phone)

        async def attempt(transaction: Transaction) -> Patient:
            return await record(transaction, clinic_id, contact, name, phone, self._clock())

        return await transact(self._documents, attempt)

    async def of_contact(self, clinic_id: ClinicId, contact: Contact) -> list[Patient]:
        """Everybody that this contact has booked for, by name."""
        found = await self._documents.query(Query(_collection(clinic_id), where=(("contact", "==", contact),)))
        return sorted((_patient(snapshot.id, PATIENT.read(snapshot.data)) for snapshot in found), key=_name)


async def record(
    transaction: Transaction, clinic_id: ClinicId, contact: Contact, name: str, phone: str | None, now: datetime
) -> Patient:
    """`Patients.ensure` as a part of a larger commit; `name` and `phone` are clean already."""
    key = patient_id(contact, name)
    path = f"{_collection(clinic_id)}/{key}"
    before = PATIENT.found(await transaction.get(path)) or StoredPatient(name, contact, None, now, now)
    after = replace(before, phone=phone or before.phone, updated_at=now)
    transaction.put(path, PATIENT.write(after))
    return _patient(key, after)


def phone_of(contact: Contact, phone: str | None) -> str | None:
    """The phone that was given, in E.164; else the contact's own, when the contact is a phone."""
    if phone and phone.strip():
        return clean_phone(phone)
    return contact if contact.startswith("+") else None


def _collection(clinic_id: ClinicId) -> str:
    return f"gendei_clinics/{document_id(clinic_id)}/patients"


def _patient(key: str, stored: StoredPatient) -> Patient:
    return Patient(key, stored.name, stored.contact, stored.phone)


def _name(patient: Patient) -> str:
    return patient.name.casefold()
