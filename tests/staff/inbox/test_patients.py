from dataclasses import replace
from datetime import date, timedelta

import pytest
from tests.conversation.cast import BOA_VIDA, JOAO, MARIA, MARIA_HERE, NOON, SORRISO, World, text
from tests.staff.inbox.desk import BIA, CAIO, OLGA, READER, actions_in_audit
from tests.staff.inbox.records import booked, patient

from gendei.booking.appointment import AppointmentStatus
from gendei.booking.patients import PATIENT, patient_id, patients_of
from gendei.booking.personal_data import PersonalData
from gendei.booking.slots import BookingRefused
from gendei.clinic import PersonalDatum
from gendei.conversation.stored.outreach import OutreachBook
from gendei.documents import Query, put
from gendei.errors import NotFound
from gendei.staff.actors import Actor, Forbidden, Right
from gendei.staff.audit import Action, Audit
from gendei.staff.desks import FrontDesk
from gendei.staff.patients import MAX_NOTES, PatientEdit

LONG_AGO, SOON, LATER = NOON - timedelta(days=90), NOON + timedelta(days=1), NOON + timedelta(days=9)


async def names(desk: FrontDesk, search: str = "") -> list[str]:
    return [named.name for named in await desk.patients.search(BIA, search)]


@pytest.mark.parametrize("search", ["JOSÉ", "conceicao", "josé conc", "99999-0002", "0002", "Jsoé da Conceição"])
async def test_a_patient_is_found_by_name_and_phone(world: World, desk: FrontDesk, search: str) -> None:
    await patient(world, "José da Conceição", JOAO)
    await patient(world, "Marta Lima")

    assert await names(desk, search) == ["José da Conceição"]


@pytest.mark.parametrize(
    "number",
    [
        *("(11) 99999-0002", "11 99999 0002", "+55 11 99999-0002", "+55 (011) 99999-0002", "5511999990002"),
        *("011 99999-0002", "0 15 11 99999-0002", "99999-0002", "9999-0002", "(11) 9999-0002", "999990002"),
    ],
)
async def test_a_number_is_found_in_any_writing(world: World, desk: FrontDesk, number: str) -> None:
    await patient(world, "José da Conceição", JOAO)
    await patient(world, "Marta Lima")

    assert await names(desk, number) == ["José da Conceição"]


async def test_of_a_name_with_a_number_both_must_fit(world: World, desk: FrontDesk) -> None:
    await patient(world, "José da Conceição", JOAO)
    await patient(world, "José Lima")

    assert (await names(desk, "jose 0002"), await names(desk, "ana 0002")) == (["José da Conceição"], [])


async def test_a_patient_is_found_by_the_notes_after_those_of_that_name(world: World, desk: FrontDesk) -> None:
    noted, named = await patient(world, "Ana Lima"), await patient(world, "Rita Latex")
    await desk.patients.edit(BIA, noted, PatientEdit(notes="Alergia a látex"))

    assert [row.id for row in await desk.patients.search(BIA, "latex")] == [named, noted]


async def related(desk: FrontDesk, search: str) -> list[tuple[str, str | None]]:
    return [(row.name, row.via) for row in (await desk.patients.page(BIA, search, related=True)).rows]


async def test_who_shares_the_contact_is_found_behind_and_it_is_told_why(world: World, desk: FrontDesk) -> None:
    await patient(world, "Maria Souza")
    await patient(world, "Pedro Souza Filho")
    await patient(world, "Pedro Reis", JOAO)

    assert await related(desk, "pedro") == [
        ("Pedro Reis", None),
        ("Pedro Souza Filho", None),
        ("Maria Souza", "Pedro Souza Filho"),
    ]
    assert await names(desk, "pedro") == ["Pedro Reis", "Pedro Souza Filho"]


async def test_for_whom_somebody_writes_is_found_by_the_writers_own_name(world: World, desk: FrontDesk) -> None:
    async with world.messaging:
        await world.accept(text("wamid.1", "oi", sender_name="Márcia Prado"))
        await world.accept(text("wamid.2", "oi", sender_name="Márcia Lá"), clinic_id=SORRISO)
        await world.idle()
    await patient(world, "Pedro Souza")

    assert await related(desk, "marcia") == [("Pedro Souza", "Márcia Prado")]


async def test_a_whole_number_finds_the_patient_by_whichever_phone_it_is(world: World, desk: FrontDesk) -> None:
    await patient(world, "Rui Reis", JOAO, phone="+5511977776666")

    assert await names(desk, "(11) 97777-6666") == ["Rui Reis"]


async def test_without_a_text_the_latest_come_first(world: World, desk: FrontDesk) -> None:
    await patient(world, "Ana Alves")
    world.clock.advance(60)
    await patient(world, "Bento Barros")

    assert await names(desk) == ["Bento Barros", "Ana Alves"]


@pytest.mark.parametrize("search", ["", "ana"])
async def test_everybody_is_reached_page_by_page_in_the_own_clinic(world: World, desk: FrontDesk, search: str) -> None:
    everybody = sorted(
        [await patient(world, f"Ana {family}") for family in ("Alves", "Brito", "Costa", "Dias", "Elói")]
    )
    await patient(world, "Ana Otero", clinic_id=SORRISO)
    seen: list[str] = []
    page = await desk.patients.page(BIA, search, limit=2)
    while page.cursor:
        seen += [row.id for row in page.rows]
        page = await desk.patients.page(BIA, search, limit=2, cursor=page.cursor)
    seen += [row.id for row in page.rows]
    assert (sorted(seen), len(page.rows)) == (everybody, 1)


@pytest.mark.parametrize("search", ["", "ana"])
async def test_what_is_no_cursor_is_refused(desk: FrontDesk, search: str) -> None:
    with pytest.raises(ValueError, match=r"[Ii]nvalid"):
        await desk.patients.page(BIA, search, cursor="../x")


async def test_the_card_has_appointments_forms_family_and_consent(world: World, desk: FrontDesk) -> None:
    async with world.messaging:
        await world.accept(text("wamid.1", "oi", user_id="BR.77"))
        await world.idle()
    maria, bento = await patient(world, "Maria Silva"), await patient(world, "Bento Silva")
    await booked(world, "Maria Silva", LONG_AGO, AppointmentStatus.COMPLETED)
    await booked(world, "Maria Silva", SOON)
    await booked(world, "Maria Silva", LATER, AppointmentStatus.CANCELLED)
    await booked(world, "Bento Silva", LATER)
    await OutreachBook(world.documents, world.clock).opt_out(MARIA_HERE)

    card = await desk.patients.card(BIA, maria)
    assert ([appointment.start for appointment in card.coming], [appointment.start for appointment in card.past]) == (
        [SOON],
        [LATER, LONG_AGO],
    )
    assert ([entry.id for entry in card.family], card.forms) == ([bento], (MARIA, "BR.77"))
    assert (card.consent.opted_out_at, card.written, card.notes) == (world.clock(), True, "")


async def test_reading_and_changing_stand_in_the_audit(world: World, desk: FrontDesk) -> None:
    maria = await patient(world, "Maria Silva")
    await desk.patients.card(READER, maria)
    await desk.patients.edit(CAIO, maria, PatientEdit(name=" Maria  da Silva ", phone="", notes=" alergia a látex "))

    card = await desk.patients.card(BIA, maria)
    assert (card.patient.name, card.patient.phone, card.notes) == ("Maria da Silva", None, "alergia a látex")
    assert await actions_in_audit(world, BIA) == [
        ("Bia", "patient.read", maria),
        ("Caio", "patient.changed", maria),
        ("Painel", "patient.read", maria),
    ]


async def test_a_renamed_patient_keeps_the_notes_when_booking_again(world: World, desk: FrontDesk) -> None:
    maria = await patient(world, "Maria Silva")
    await desk.patients.edit(BIA, maria, PatientEdit(name="Maria Silva Souza", notes="prefere manhã"))
    again = await patient(world, "Maria Silva")

    assert again == maria == patient_id(MARIA, "Maria Silva")
    assert (await desk.patients.card(BIA, maria)).notes == "prefere manhã"


@pytest.mark.parametrize("edit", [PatientEdit(name="?"), PatientEdit(phone="12"), PatientEdit(name="  ")])
async def test_what_is_no_name_or_phone_is_refused(world: World, desk: FrontDesk, edit: PatientEdit) -> None:
    maria = await patient(world, "Maria Silva")

    with pytest.raises(BookingRefused):
        await desk.patients.edit(BIA, maria, edit)


async def test_notes_have_a_limit(world: World, desk: FrontDesk) -> None:
    maria = await patient(world, "Maria Silva")

    with pytest.raises(ValueError, match="notes"):
        await desk.patients.edit(BIA, maria, PatientEdit(notes="x" * (MAX_NOTES + 1)))


async def test_staff_set_whether_a_patient_wants_messages(world: World, desk: FrontDesk) -> None:
    maria = await patient(world, "Maria Silva")
    await desk.patients.set_consent(BIA, MARIA, messages=False)
    assert (await desk.patients.card(BIA, maria)).consent.opted_out_at == NOON
    await desk.patients.set_consent(BIA, MARIA, messages=True)

    assert (await desk.patients.card(BIA, maria)).consent.opted_out_at is None


async def test_the_other_clinic_finds_nobody(world: World, desk: FrontDesk) -> None:
    maria = await patient(world, "Maria Silva")
    theirs = await patient(world, "Maria Silva Lá", clinic_id=SORRISO)

    assert await desk.patients.search(OLGA, MARIA) == await desk.patients.of_contact(OLGA, MARIA)
    assert [entry.id for entry in await desk.patients.search(OLGA, "maria")] == [theirs]
    for attempt in (
        desk.patients.card(OLGA, maria),
        desk.patients.edit(OLGA, maria, PatientEdit(notes="x")),
        desk.patients.set_consent(OLGA, JOAO, messages=False),
        desk.patients.card(BIA, "../patients/x"),
    ):
        with pytest.raises(NotFound):
            await attempt


async def test_who_may_only_read_changes_nothing(world: World, desk: FrontDesk) -> None:
    maria = await patient(world, "Maria Silva")

    with pytest.raises(Forbidden):
        await desk.patients.edit(READER, maria, PatientEdit(notes="x"))
    with pytest.raises(Forbidden):
        await desk.patients.set_consent(READER, MARIA, messages=False)


CPF = "52998224725"
KEPT = (PersonalDatum.BIRTH_DATE, PersonalDatum.CPF)
NO_RIGHT = replace(BIA, rights=BIA.rights - {Right.PERSONAL_DATA})


async def keep(world: World, *data: PersonalDatum) -> None:
    clinic = await world.directory.get(BOA_VIDA)
    assert clinic is not None
    await world.directory.import_clinic(replace(clinic, personal_data=data))


async def test_personal_data_is_seen_with_the_right_alone_and_what_is_done_with_it_is_in_the_audit(
    world: World, desk: FrontDesk
) -> None:
    await keep(world, *KEPT)
    maria, known = await patient(world, "Maria Silva"), PersonalData(date(1990, 5, 1), CPF)
    await desk.patients.edit(BIA, maria, PatientEdit(personal_data=PersonalData(date(1990, 5, 1), "529.982.247-25")))

    assert await desk.patients.personal_data(CAIO, maria) == known
    assert (await desk.patients.card(BIA, maria)).personal_data == known
    assert (await desk.patients.card(NO_RIGHT, maria)).personal_data is None
    for actor, error in ((NO_RIGHT, Forbidden), (OLGA, NotFound)):
        with pytest.raises(error):
            await desk.patients.personal_data(actor, maria)
        with pytest.raises(error):
            await desk.patients.edit(actor, maria, PatientEdit(personal_data=PersonalData()))
    entries = await Audit(world.documents, world.clock).search(CAIO, subject=maria)
    assert sorted((entry.action, entry.detail) for entry in entries if entry.detail) == [
        (Action.PATIENT_CHANGED, {"changed": ["birth_date", "cpf"]}),
        (Action.PATIENT_READ, {"what": ["personal_data"]}),
    ]
    assert CPF not in str(entries)


async def test_a_patient_is_found_by_the_cpf_by_who_may_see_it_and_by_the_health_plan(
    world: World, desk: FrontDesk
) -> None:
    await keep(world, *KEPT)
    maria, ana = await patient(world, "Maria Silva"), await patient(world, "Ana Lima", JOAO)
    await desk.patients.edit(BIA, maria, PatientEdit(personal_data=PersonalData(cpf=CPF)))
    path = f"{patients_of(BOA_VIDA)}/{ana}"
    stored = PATIENT.read((await world.documents.get(path)).data)
    await world.documents.commit([put(path, PATIENT.write(replace(stored, plan="Bradesco Saúde")))])

    async def ids(actor: Actor, search: str) -> list[str]:
        return [row.id for row in await desk.patients.search(actor, search)]

    assert [await ids(BIA, written) for written in (CPF, "529.982.247-25", CPF[:6])] == [[maria], [maria], []]
    assert (await ids(NO_RIGHT, CPF), await ids(OLGA, CPF), await ids(OLGA, "bradesco")) == ([], [], [])
    assert (await ids(BIA, "bradesco saude"), await ids(BIA, "unimed")) == ([ana], [])


async def test_personal_data_is_removed_and_what_the_clinic_keeps_no_more_may_stay(
    world: World, desk: FrontDesk
) -> None:
    await keep(world, *KEPT)
    maria, known = await patient(world, "Maria Silva"), PersonalData(date(1990, 5, 1), CPF)
    await desk.patients.edit(BIA, maria, PatientEdit(personal_data=known))
    await keep(world, PersonalDatum.BIRTH_DATE)
    later = replace(known, birth_date=date(1991, 5, 1))
    await desk.patients.edit(BIA, maria, PatientEdit(personal_data=later))
    assert await desk.patients.personal_data(BIA, maria) == later
    with pytest.raises(BookingRefused):
        await desk.patients.edit(BIA, maria, PatientEdit(personal_data=replace(later, cpf="11144477735")))
    await desk.patients.edit(BIA, maria, PatientEdit(personal_data=PersonalData()))
    assert await desk.patients.personal_data(BIA, maria) == PersonalData()
    [stored] = await world.documents.query(Query(f"gendei_clinics/{BOA_VIDA}/patients"))
    assert CPF not in str(stored.data)
