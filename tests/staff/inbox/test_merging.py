"""Two cards of one patient: what merging would do, what it does, and what it never does."""

import asyncio
from dataclasses import replace
from datetime import date, timedelta

import pytest
from tests.conversation.cast import BOA_VIDA, JOAO, MARIA, NOON, SORRISO, World, text
from tests.staff.inbox.desk import BIA, OLGA, READER, actions_in_audit
from tests.staff.inbox.records import booked, patient

from gendei.booking.appointment import AppointmentStatus
from gendei.booking.personal_data import PersonalData
from gendei.clinic import PersonalDatum
from gendei.conversation.stored.outreach import OutreachBook
from gendei.errors import NotFound
from gendei.messages.keys import ConversationKey
from gendei.staff.actors import Forbidden
from gendei.staff.desks import FrontDesk
from gendei.staff.patient_merging import MergeFault, MergeRefused
from gendei.staff.patients import MAX_NOTES, PatientEdit

LONG_AGO, SOON, LATER = NOON - timedelta(days=90), NOON + timedelta(days=1), NOON + timedelta(days=9)


async def son(world: World) -> tuple[str, str]:
    """Pedro, as his mother books for him, and as he books for himself."""
    return await patient(world, "Pedro Souza"), await patient(world, "Pedro S.", JOAO)


async def test_everything_of_both_is_found_at_the_card_that_stays(world: World, desk: FrontDesk) -> None:
    async with world.messaging:
        await world.accept(text("wamid.1", "oi", sender=JOAO))
        await world.idle()
    kept, gone = await son(world)
    await booked(world, "Pedro Souza", SOON)
    await booked(world, "Pedro S.", LONG_AGO, AppointmentStatus.NO_SHOW, contact=JOAO)
    await booked(world, "Pedro S.", LATER, contact=JOAO)
    await desk.patients.edit(BIA, kept, PatientEdit(notes="prefere manhã"))
    await desk.patients.edit(BIA, gone, PatientEdit(notes="alergia a látex"))
    await OutreachBook(world.documents, world.clock).opt_out(ConversationKey(BOA_VIDA, JOAO))
    await desk.merging.merge(BIA, kept, gone)

    card = await desk.patients.card(BIA, kept)
    assert [found.start for found in (*card.coming, *card.past)] == [SOON, LATER, LONG_AGO]
    assert [found.contact for found in (*card.coming, *card.past)] == [MARIA, JOAO, JOAO]
    assert (card.visits.missed, card.notes, card.names) == (1, "prefere manhã\n\nalergia a látex", ("Pedro S.",))
    assert [(each.contact, each.written, each.consent.opted_out_at) for each in card.bookers] == [
        (MARIA, False, None),
        (JOAO, True, NOON),
    ]


async def test_the_old_id_leads_to_the_card_for_reading_changing_and_tasks(world: World, desk: FrontDesk) -> None:
    kept, gone = await son(world)
    await desk.merging.merge(BIA, kept, gone)
    await desk.patients.edit(BIA, gone, PatientEdit(notes="vem de cadeira de rodas"))

    card = await desk.patients.card(BIA, gone)
    assert (card.patient.id, card.notes, card.ids) == (kept, "vem de cadeira de rodas", {kept, gone})
    assert (await desk.patients.named(BIA, gone)).id == kept


async def test_mother_and_son_find_each_others_appointments(world: World, desk: FrontDesk) -> None:
    """He has a card of two contacts; what he booked himself stands with her too."""
    mother = await patient(world, "Maria Souza")
    kept, gone = await son(world)
    await booked(world, "Maria Souza", SOON)
    await booked(world, "Pedro Souza", LATER)
    await booked(world, "Pedro S.", LATER + timedelta(hours=1), contact=JOAO)
    await desk.merging.merge(BIA, kept, gone)

    hers, his = await desk.patients.card(BIA, mother), await desk.patients.card(BIA, kept)
    assert ([row.id for row in hers.family], [row.id for row in his.family]) == ([kept], [mother])
    assert [found.start for found in hers.family_coming] == [LATER, LATER + timedelta(hours=1)]
    assert [found.start for found in his.family_coming] == [SOON]


@pytest.mark.parametrize("search", ["Pedro S.", "pedro souza", "99999-0002", "99999-0001"])
async def test_either_name_and_number_finds_the_one_card(world: World, desk: FrontDesk, search: str) -> None:
    kept, gone = await son(world)
    await desk.merging.merge(BIA, kept, gone)

    assert [row.id for row in await desk.patients.search(BIA, search)] == [kept]
    assert [row.id for row in await desk.patients.search(BIA)] == [kept]


async def test_a_merge_stands_in_the_audit_of_both_ids_once_however_often_it_is_asked(
    world: World, desk: FrontDesk
) -> None:
    kept, gone = await son(world)
    for _ in range(2):
        assert (await desk.merging.merge(BIA, kept, gone)).id == kept
    assert (await desk.merging.merge(BIA, gone, kept)).id == kept  # one card already

    assert await actions_in_audit(world, BIA) == sorted(
        [("Bia", "patient.merged", kept), ("Bia", "patient.merged", gone)]
    )


async def test_merged_in_both_directions_at_once_there_is_one_card(world: World, desk: FrontDesk) -> None:
    kept, gone = await son(world)
    rows = await asyncio.gather(desk.merging.merge(BIA, kept, gone), desk.merging.merge(BIA, gone, kept))

    [card] = {row.id for row in rows}
    assert {row.id for row in await desk.patients.search(BIA, "pedro")} == {card}


async def test_a_booking_made_meanwhile_is_found_at_the_card(world: World, desk: FrontDesk) -> None:
    kept, gone = await son(world)
    _, again = await asyncio.gather(desk.merging.merge(BIA, kept, gone), patient(world, "Pedro S.", JOAO))

    assert again in {kept, gone}
    assert (await desk.patients.named(BIA, again)).id == kept


async def test_a_plan_says_what_would_be_and_changes_nothing(world: World, desk: FrontDesk) -> None:
    kept, gone = await patient(world, "Pedro Souza"), await patient(world, "Ana Lima", JOAO)
    plan = await desk.merging.plan(BIA, kept, gone)

    assert (plan.kept.patient.id, plan.gone.patient.id) == (kept, gone)
    assert (plan.phone, plan.names_differ, plan.refused) == (MARIA, True, None)
    assert {row.id for row in await desk.patients.search(BIA)} == {kept, gone}


async def test_one_card_is_not_merged_with_itself(world: World, desk: FrontDesk) -> None:
    kept, _ = await son(world)

    with pytest.raises(MergeRefused, match=MergeFault.SAME):
        await desk.merging.merge(BIA, kept, kept)


async def test_notes_that_are_too_long_together_are_refused_and_nothing_is_changed(
    world: World, desk: FrontDesk
) -> None:
    kept, gone = await son(world)
    for patient_id, letter in ((kept, "a"), (gone, "b")):
        await desk.patients.edit(BIA, patient_id, PatientEdit(notes=letter * (MAX_NOTES // 2)))
    assert (await desk.merging.plan(BIA, kept, gone)).refused is not None

    with pytest.raises(MergeRefused, match=MergeFault.NOTES_TOO_LONG):
        await desk.merging.merge(BIA, kept, gone)
    assert {row.id for row in await desk.patients.search(BIA)} == {kept, gone}


async def test_cards_of_two_clinics_never_meet(world: World, desk: FrontDesk) -> None:
    kept, gone = await son(world)
    theirs = await patient(world, "Pedro Souza", JOAO, clinic_id=SORRISO)

    for actor, pair in ((BIA, (kept, theirs)), (BIA, (theirs, kept)), (OLGA, (kept, gone)), (OLGA, (theirs, gone))):
        for attempt in (desk.merging.merge(actor, *pair), desk.merging.plan(actor, *pair)):
            with pytest.raises(NotFound):
                await attempt
    assert {row.id for row in await desk.patients.search(BIA)} == {kept, gone}


async def test_who_may_only_read_merges_nothing(world: World, desk: FrontDesk) -> None:
    for attempt in (desk.merging.merge(READER, *await son(world)), desk.merging.plan(READER, *await son(world))):
        with pytest.raises(Forbidden):
            await attempt


async def test_who_books_under_a_new_name_finds_the_renamed_card(world: World, desk: FrontDesk) -> None:
    maria = await patient(world, "Maria Silva")
    await desk.patients.edit(BIA, maria, PatientEdit(name="Maria Silva Prado"))

    assert await patient(world, "maria silva prado") == maria
    assert [row.name for row in await desk.patients.search(BIA, "maria silva")] == ["Maria Silva Prado"]
    assert (await desk.patients.card(BIA, maria)).names == ("Maria Silva",)


async def test_a_name_that_another_card_of_the_contact_has_stays_with_that_card(world: World, desk: FrontDesk) -> None:
    maria, pedro = await patient(world, "Maria Silva"), await patient(world, "Pedro")
    await desk.patients.edit(BIA, maria, PatientEdit(name="Pedro"))

    assert await patient(world, "Pedro") == pedro
    assert (await desk.patients.card(BIA, pedro)).ids == {pedro}


CPF, ANOTHER = "52998224725", "11144477735"


async def keep_personal_data(world: World) -> None:
    clinic = await world.directory.get(BOA_VIDA)
    assert clinic is not None
    await world.directory.import_clinic(replace(clinic, personal_data=tuple(PersonalDatum)))


async def test_what_one_card_lacks_of_birth_date_and_cpf_the_other_gives(world: World, desk: FrontDesk) -> None:
    await keep_personal_data(world)
    kept, gone = await son(world)
    await desk.patients.edit(BIA, kept, PatientEdit(personal_data=PersonalData(date(1990, 5, 1))))
    await desk.patients.edit(BIA, gone, PatientEdit(personal_data=PersonalData(cpf=CPF)))
    await desk.merging.merge(BIA, kept, gone)
    assert await desk.patients.personal_data(BIA, gone) == PersonalData(date(1990, 5, 1), CPF)
    record = await world.documents.get(f"gendei_clinics/{BOA_VIDA}/patients/{gone}")
    assert CPF not in str(record.data)


async def test_cards_with_different_cpfs_stay_two(world: World, desk: FrontDesk) -> None:
    await keep_personal_data(world)
    kept, gone = await son(world)
    for each, cpf in ((kept, CPF), (gone, ANOTHER)):
        await desk.patients.edit(BIA, each, PatientEdit(personal_data=PersonalData(cpf=cpf)))
    refused = (await desk.merging.plan(BIA, kept, gone)).refused
    assert refused is not None
    assert (refused.fault, refused.fields) == (MergeFault.CONTRADICTING, ("cpf",))
    with pytest.raises(MergeRefused):
        await desk.merging.merge(BIA, kept, gone)
    assert (await desk.patients.personal_data(BIA, gone)).cpf == ANOTHER
