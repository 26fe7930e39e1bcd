"""Patient records, names and phones."""

import asyncio

import pytest
from tests.booking.builders import JOAO, MARIA, Booking

from gendei.booking.patients import clean_name, clean_phone, patient_id, phone_of, record_patient
from gendei.booking.slots import BookingRefused, Refusal
from gendei.clinic import ClinicId, Contact
from gendei.documents import Query, Transaction, put, transact

CLINIC, OTHER_CLINIC = ClinicId("boa-vida"), ClinicId("sorriso")


async def ensure(booking: Booking, contact: Contact, name: str, phone: str | None = None) -> str:
    """The id of the record, made where there is none."""

    async def attempt(transaction: Transaction) -> str:
        return await record_patient(transaction, CLINIC, contact, name, phone_of(contact, phone), booking.clock())

    return await transact(booking.documents, attempt)


async def of_contact(booking: Booking, clinic: ClinicId, contact: Contact) -> dict[str, tuple[str, str | None]]:
    """Name and phone of everybody that the contact has booked for, by id."""
    path = f"gendei_clinics/{clinic}/patients"
    found = await booking.documents.query(Query(path, where=(("contact", "==", contact),)))
    return {snapshot.id: (snapshot.data["name"], snapshot.data["phone"]) for snapshot in found}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("  Maria   da Silva ", "Maria da Silva"),
        ("Jose\u0301", "José"),
        ("Ana\nClara\u200b", "Ana Clara"),
        ("D'Ávila", "D'Ávila"),
        ("李雷", "李雷"),
        ("x" * 80, "x" * 80),
    ],
)
def test_a_name_is_tidied(text: str, name: str):
    assert clean_name(text) == name


@pytest.mark.parametrize("text", ["", " ", "M", "123 456", "😀😀", "x" * 81, "\u200b\u200b", "..."])
def test_what_is_no_name_is_refused(text: str):
    with pytest.raises(BookingRefused) as refused:
        clean_name(text)
    assert refused.value.reason is Refusal.INVALID_NAME


@pytest.mark.parametrize(
    ("text", "phone"),
    [
        ("(11) 99999-8888", "+5511999998888"),
        ("011 3333-4444", "+551133334444"),
        ("+351 912 345 678", "+351912345678"),
        ("+551188887777", "+551188887777"),
    ],
)
def test_a_phone_is_kept_as_e164(text: str, phone: str):
    assert clean_phone(text) == phone


@pytest.mark.parametrize("text", ["não sei", "123", "11111111111", "+5511", "9" * 400])
def test_what_is_no_phone_is_refused(text: str):
    with pytest.raises(BookingRefused) as refused:
        clean_phone(text)
    assert refused.value.reason is Refusal.INVALID_PHONE


def test_without_a_phone_the_contacts_own_is_meant():
    assert phone_of(MARIA, None) == MARIA
    assert phone_of(MARIA, " ") == MARIA
    assert phone_of(Contact("BR.1349"), None) is None


def test_a_record_is_the_same_however_the_name_is_written():
    assert patient_id(MARIA, "João  da Silva") == patient_id(MARIA, "JOAO DA SILVA")


async def test_a_family_shares_a_phone_and_nobody_shares_a_record(booking: Booking):
    mother = await ensure(booking, MARIA, "Maria Silva")
    child = await ensure(booking, MARIA, "Bento Silva", "(11) 98888-7777")
    assert await of_contact(booking, CLINIC, MARIA) == {
        child: ("Bento Silva", "+5511988887777"),
        mother: ("Maria Silva", MARIA),
    }


async def test_many_turns_at_once_make_one_record(booking: Booking):
    made = await asyncio.gather(*(ensure(booking, MARIA, "Maria Silva") for _ in range(20)))
    assert await of_contact(booking, CLINIC, MARIA) == {made[0]: ("Maria Silva", MARIA)}


async def test_a_record_keeps_its_first_spelling_and_takes_the_new_phone(booking: Booking):
    await ensure(booking, MARIA, "João Silva")
    again = await ensure(booking, MARIA, "joao silva", "11 3333-4444")
    assert await of_contact(booking, CLINIC, MARIA) == {again: ("João Silva", "+551133334444")}


async def test_fields_of_others_on_the_record_are_left_alone(booking: Booking):
    person = await ensure(booking, MARIA, "Maria Silva")
    path = f"gendei_clinics/{CLINIC}/patients/{person}"
    document = (await booking.documents.get(path)).data
    await booking.documents.commit([put(path, {**document, "notes": "alérgica a látex"})])
    await ensure(booking, MARIA, "Maria Silva")
    assert (await booking.documents.get(path)).data["notes"] == "alérgica a látex"


async def test_another_clinic_and_another_contact_see_nobody(booking: Booking):
    await ensure(booking, MARIA, "Maria Silva")
    assert await of_contact(booking, OTHER_CLINIC, MARIA) == {}
    assert await of_contact(booking, CLINIC, JOAO) == {}
