"""Patient records, names and phones."""

import asyncio

import pytest
from tests.booking.builders import JOAO, MARIA, Booking

from gendei.booking.patients import Patients, clean_name, clean_phone, patient_id, phone_of
from gendei.booking.slots import BookingRefused, Refusal
from gendei.clinic import ClinicId, Contact
from gendei.documents import put

CLINIC, OTHER_CLINIC = ClinicId("boa-vida"), ClinicId("sorriso")


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
    patients = Patients(booking.documents, booking.clock)
    mother = await patients.ensure(CLINIC, MARIA, "Maria Silva")
    child = await patients.ensure(CLINIC, MARIA, "Bento Silva", "(11) 98888-7777")
    assert await patients.of_contact(CLINIC, MARIA) == [child, mother]
    assert (mother.phone, child.phone) == (MARIA, "+5511988887777")


async def test_many_turns_at_once_make_one_record(booking: Booking):
    patients = Patients(booking.documents, booking.clock)
    made = await asyncio.gather(*(patients.ensure(CLINIC, MARIA, "Maria Silva") for _ in range(20)))
    assert await patients.of_contact(CLINIC, MARIA) == [made[0]]


async def test_a_record_keeps_its_first_spelling_and_takes_the_new_phone(booking: Booking):
    patients = Patients(booking.documents, booking.clock)
    await patients.ensure(CLINIC, MARIA, "João Silva")
    again = await patients.ensure(CLINIC, MARIA, "joao silva", "11 3333-4444")
    assert (again.name, again.phone) == ("João Silva", "+551133334444")


async def test_fields_of_others_on_the_record_are_left_alone(booking: Booking):
    patients = Patients(booking.documents, booking.clock)
    one = await patients.ensure(CLINIC, MARIA, "Maria Silva")
    path = f"gendei_clinics/{CLINIC}/patients/{one.id}"
    document = (await booking.documents.get(path)).data
    await booking.documents.commit([put(path, {**document, "notes": "alérgica a látex"})])
    await patients.ensure(CLINIC, MARIA, "Maria Silva")
    assert (await booking.documents.get(path)).data["notes"] == "alérgica a látex"


async def test_another_clinic_and_another_contact_see_nobody(booking: Booking):
    patients = Patients(booking.documents, booking.clock)
    await patients.ensure(CLINIC, MARIA, "Maria Silva")
    assert await patients.of_contact(OTHER_CLINIC, MARIA) == []
    assert await patients.of_contact(CLINIC, JOAO) == []
