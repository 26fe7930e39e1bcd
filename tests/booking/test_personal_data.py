"""Birth date and CPF: checked, kept with the patient alone, and only where the clinic keeps them."""

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.booking.builders import MARIA, Booking, at, everything, make_clinic, request

from gendei.booking.patients import PATIENT
from gendei.booking.personal_data import UNKNOWN, PersonalData, age, clean_cpf, cpf_text
from gendei.booking.slots import BookingRefused, Refusal
from gendei.clinic import Clinic, PersonalDatum

CLINIC = make_clinic(personal_data=(PersonalDatum.BIRTH_DATE, PersonalDatum.CPF))
TODAY = date(2026, 3, 2)
CPF, OTHER_CPF = "52998224725", "11144477735"
"""Two that documents about the check digits use."""


@pytest.mark.parametrize("text", [CPF, "529.982.247-25", " 529.982.247-25 ", "529982247-25"])
def test_a_cpf_is_its_eleven_digits(text: str):
    assert (clean_cpf(text), cpf_text(clean_cpf(text))) == (CPF, "529.982.247-25")


@pytest.mark.parametrize(
    "text", ["", "5299822472", "529982247255", "52998224724", "52998224735", "11111111111", "529 982 247 25", "abc"]
)
def test_what_is_no_cpf_is_refused(text: str):
    with pytest.raises(BookingRefused) as refused:
        clean_cpf(text)
    assert refused.value.reason is Refusal.INVALID_CPF
    assert text not in str(refused.value) or not text


@given(st.sampled_from([CPF, OTHER_CPF]), st.integers(0, 10), st.integers(1, 9))
def test_one_wrong_digit_is_always_seen(cpf: str, place: int, more: int):
    wrong = cpf[:place] + str((int(cpf[place]) + more) % 10) + cpf[place + 1 :]
    with pytest.raises(BookingRefused):
        clean_cpf(wrong)


@pytest.mark.parametrize(
    ("clinic", "data", "reason"),
    [
        (CLINIC, PersonalData(date(2026, 3, 3)), Refusal.INVALID_BIRTH_DATE),
        (CLINIC, PersonalData(date(1895, 1, 1)), Refusal.INVALID_BIRTH_DATE),
        (CLINIC, PersonalData(cpf="52998224724"), Refusal.INVALID_CPF),
        (make_clinic(), PersonalData(date(1990, 1, 1)), Refusal.NOT_KEPT),
        (make_clinic(personal_data=(PersonalDatum.BIRTH_DATE,)), PersonalData(cpf=CPF), Refusal.NOT_KEPT),
    ],
)
def test_what_cannot_be_or_is_not_kept_is_refused(clinic: Clinic, data: PersonalData, reason: Refusal):
    with pytest.raises(BookingRefused) as refused:
        data.checked(clinic, TODAY)
    assert refused.value.reason is reason


def test_a_birthday_counts_on_its_day():
    assert [age(date(1990, 3, day), TODAY) for day in (1, 2, 3)] == [36, 36, 35]


async def test_it_stands_with_the_patient_and_nowhere_else(booking: Booking):
    known = PersonalData(date(1990, 5, 1), "529.982.247-25")
    await booking.desk.book(CLINIC, MARIA, replace(request(at(2, "09:00")), personal_data=known))
    stored = await everything(booking.documents, CLINIC)
    [patient] = [path for path, data in stored.items() if CPF in str(data) or "1990-05-01" in str(data)]
    assert patient.startswith("gendei_clinics/boa-vida/patients/")
    assert PATIENT.read(stored[patient]).personal_data == PersonalData(date(1990, 5, 1), CPF)


async def test_what_is_not_given_again_stays(booking: Booking):
    for day, known in ((2, PersonalData(date(1990, 5, 1), CPF)), (3, PersonalData(cpf=OTHER_CPF)), (4, UNKNOWN)):
        await booking.desk.book(CLINIC, MARIA, replace(request(at(day, "09:00")), personal_data=known))
    [found] = [data for path, data in (await everything(booking.documents, CLINIC)).items() if "/patients/" in path]
    assert PATIENT.read(found).personal_data == PersonalData(date(1990, 5, 1), OTHER_CPF)


async def test_a_booking_with_a_wrong_one_books_nothing(booking: Booking):
    wrong = replace(request(at(2, "09:00")), personal_data=PersonalData(cpf="52998224724"))
    with pytest.raises(BookingRefused):
        await booking.desk.book(CLINIC, MARIA, wrong)
    assert await everything(booking.documents, CLINIC) == {}


def test_nothing_of_it_is_told_where_it_is_printed():
    assert CPF not in repr(replace(request(at(2, "09:00")), personal_data=PersonalData(date(1990, 5, 1), CPF)))
