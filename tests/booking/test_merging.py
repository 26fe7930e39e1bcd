"""Two records of one person: what becomes of them, for who books later and for contacts that turn out to be one."""

from dataclasses import dataclass, replace

import pytest
from tests.booking.builders import JOAO, MARIA, MONDAY, Booking, at, make_clinic, request

from gendei.booking.appointment import Appointments
from gendei.booking.merging import contradictions, merge, together
from gendei.booking.ownership import change_owner
from gendei.booking.patients import PATIENT, StoredPatient, card_in, patient_id, patients_of, record_patient
from gendei.booking.personal_data import PersonalData
from gendei.clinic import ClinicId, Contact
from gendei.documents import Transaction, put, transact

CLINIC = ClinicId("boa-vida")
PATIENTS = patients_of(CLINIC)
USER = Contact("BR.1349")
PEDRO, PETER = patient_id(MARIA, "Pedro Souza"), patient_id(JOAO, "Pedro")
"""The son, as his mother books for him, and as he books for himself."""


@dataclass(frozen=True, slots=True)
class Personal:
    cpf: str | None = None
    born: str | None = None


@dataclass(frozen=True, slots=True)
class Identified(StoredPatient):
    """A patient of whom the clinic knows more."""

    card_number: str | None = None
    personal: Personal | None = None


def record(name: str, card_number: str | None = None, personal: Personal | None = None, **fields: object) -> Identified:
    known = Identified(name, MARIA, None, MONDAY, MONDAY, card_number=card_number, personal=personal)
    return replace(known, **fields)


async def book_for(booking: Booking, contact: Contact, name: str, phone: str | None = None) -> str:
    async def attempt(transaction: Transaction) -> str:
        return await record_patient(transaction, CLINIC, contact, name, phone, booking.clock())

    return await transact(booking.documents, attempt)


async def merged(booking: Booking, kept: str, gone: str) -> None:
    async def attempt(transaction: Transaction) -> None:
        cards = [await card_in(transaction, PATIENTS, each) for each in (kept, gone)]
        (kept_id, card), (gone_id, other) = cards
        assert card is not None
        assert other is not None
        await merge(transaction, PATIENTS, (kept_id, card), (gone_id, other))

    await transact(booking.documents, attempt)


async def family(booking: Booking) -> None:
    """Mother and son book for him, each from the own phone."""
    assert await book_for(booking, MARIA, "Pedro Souza", MARIA) == PEDRO
    assert await book_for(booking, JOAO, "Pedro", JOAO) == PETER
    await merged(booking, PEDRO, PETER)


async def stored(booking: Booking, patient: str) -> StoredPatient:
    return PATIENT.read((await booking.documents.get(f"{PATIENTS}/{patient}")).data)


@pytest.mark.parametrize(
    ("ours", "theirs", "differ"),
    [
        (("1",), ("2",), ("card_number",)),
        (("1",), (), ()),
        ((), ("2",), ()),
        (("1",), ("1",), ()),
        ((None, Personal("529.982.247-25")), (None, Personal("111.444.777-35", "1990-01-02")), ("cpf",)),
        ((None, Personal("529.982.247-25")), (None, Personal(None, "1990-01-02")), ()),
    ],
)
def test_two_persons_are_told_by_what_both_records_say(ours: tuple, theirs: tuple, differ: tuple[str, ...]):
    assert contradictions(record("Ana", *ours), record("Ana", *theirs)) == differ


def test_what_one_record_does_not_say_the_other_does():
    older = record("Ana M. Lima", "1", Personal(born="1990-01-02"), phone="+551133334444", contact=JOAO)
    known = record("Ana Lima", None, Personal(cpf="529.982.247-25"), notes="de manhã", names=("Aninha",))
    both = together(known, replace(older, notes="alergia", merged=("c",)), "b")
    assert both == record(
        "Ana Lima",
        "1",
        Personal("529.982.247-25", "1990-01-02"),
        phone="+551133334444",
        notes="de manhã\n\nalergia",
        merged=("b", "c"),
        names=("Aninha", "Ana M. Lima"),
        contacts=(JOAO,),
    )


async def test_who_books_under_either_contact_finds_the_one_card(booking: Booking):
    await family(booking)
    assert await book_for(booking, JOAO, "PEDRO") == PEDRO
    assert await book_for(booking, MARIA, "Pedro Souza") == PEDRO


async def test_the_card_keeps_its_phone_whoever_books(booking: Booking):
    await family(booking)
    await book_for(booking, JOAO, "Pedro", JOAO)
    card = await stored(booking, PEDRO)
    assert (card.phone, card.phones, card.all_contacts) == (MARIA, (JOAO,), (MARIA, JOAO))


async def test_a_record_that_was_merged_says_nothing_but_where(booking: Booking):
    await family(booking)
    gone = await stored(booking, PETER)
    assert gone == StoredPatient("Pedro", JOAO, None, gone.created_at, gone.updated_at, merged_into=PEDRO)


async def test_cards_that_were_merged_one_after_the_other_lead_to_the_last_in_one_step(booking: Booking):
    await family(booking)
    third = await book_for(booking, JOAO, "Pedro de Souza")
    await merged(booking, third, PEDRO)
    card = await stored(booking, third)
    assert {(await stored(booking, gone)).merged_into for gone in (PEDRO, PETER)} == {third}
    assert (set(card.merged), card.all_contacts) == ({PEDRO, PETER}, (JOAO, MARIA))


@pytest.mark.parametrize("contact", [MARIA, JOAO])
async def test_a_contact_that_turns_out_to_be_another_still_books_for_the_card(booking: Booking, contact: Contact):
    await family(booking)
    for _ in range(2):  # its steps may be repeated
        await change_owner(booking.desk, booking.documents, make_clinic(), contact, USER)
    name = {MARIA: "Pedro Souza", JOAO: "Pedro"}[contact]
    card_id = await book_for(booking, USER, name)
    card = await stored(booking, card_id)
    assert set(card.all_contacts) == {MARIA, JOAO} - {contact} | {USER}
    assert {PEDRO, PETER, patient_id(USER, name)} <= {card_id, *card.merged}
    for gone in card.merged:
        assert ((await stored(booking, gone)).merged_into, gone) == (card_id, gone)


async def test_visits_stay_with_the_card_although_the_contact_has_another_card_of_that_name(booking: Booking):
    clinic = make_clinic()
    visit = await booking.desk.book(clinic, JOAO, request(at(3, "09:00"), "Pedro"))
    await family(booking)
    other = await book_for(booking, USER, "Pedro")
    await change_owner(booking.desk, booking.documents, clinic, JOAO, USER)
    moved = await booking.desk.appointment(clinic, USER, visit.id)
    card = await stored(booking, PEDRO)
    assert (moved.patient_id in {PEDRO, *card.merged}, other in {PEDRO, *card.merged}) == (True, False)


async def test_two_of_one_name_who_contradict_each_other_stay_two_although_the_contact_is_one(booking: Booking):
    """Father and son: each has his own CPF and his own visits."""
    clinic, cpfs = make_clinic(), ("52998224725", "11144477735")
    for contact, cpf, hour in ((JOAO, cpfs[0], "09:00"), (USER, cpfs[1], "10:00")):
        await booking.desk.book(clinic, contact, request(at(3, hour), "Pedro"))
        path = f"{PATIENTS}/{patient_id(contact, 'Pedro')}"
        before = await stored(booking, patient_id(contact, "Pedro"))
        await booking.documents.commit([put(path, PATIENT.write(replace(before, personal_data=PersonalData(cpf=cpf))))])
    for _ in range(2):
        await change_owner(booking.desk, booking.documents, clinic, JOAO, USER)
    father, child = [await stored(booking, patient_id(contact, "Pedro")) for contact in (JOAO, USER)]
    assert [(each.contact, each.personal_data) for each in (father, child)] == [
        (USER, PersonalData(cpf=cpf)) for cpf in cpfs
    ]
    visits = await Appointments(booking.documents, booking.clock).of_contact(clinic, USER)
    assert [visit.patient_id for visit in visits] == [patient_id(contact, "Pedro") for contact in (JOAO, USER)]
