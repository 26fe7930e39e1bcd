"""What a patient may ask for: a copy of all that is kept, and that it is gone. Who stays is not touched."""

import json
import sqlite3
from contextlib import closing

import pytest
from tests.journeys.test_media import photo, send, shelf
from tests.journeys.town import AURORA, BROMELIA

from gendei.booking.appointment import AppointmentStatus
from gendei.errors import NotFound, StoreUnavailable
from gendei.staff.actors import RIGHTS, Actor, Forbidden, Role, terminal
from gendei.staff.audit import Action
from gendei.staff.patient_data import StillComing, Whose
from gendei.staff.patients import PatientEdit
from gendei.staff.tasks.stored import Link

HERE, THERE = terminal(AURORA), terminal(BROMELIA)
WORDS, NOTE, OWN = "tenho pavor de agulha", "prefere sala fria", "falar com a chefe sobre ela"
__all__ = ["shelf"]


@pytest.fixture
async def data(town):
    return town.gendei.front_desk.patient_data


def everything(tmp_path) -> dict[str, str]:
    """Every document of the store, by its path."""
    with closing(sqlite3.connect(next(tmp_path.glob("*.db")))) as store:
        return {
            path: path + data for path, data in store.execute("SELECT collection || '/' || id, data FROM documents")
        }


async def known(town, maria) -> str:
    """Maria wrote, sent a photo and books for herself; there is a note, a task of the clinic's and one of Bia's own."""
    await maria.say(WORDS)
    await send(town, maria, photo())
    booked = await town.book(maria.number, "Maria Silva", "2026-11-24T14:00")
    desk = town.gendei.front_desk
    await desk.patients.edit(HERE, booked.patient_id, PatientEdit(notes=NOTE))
    bia = Actor(AURORA, "bia@aurora.test", "Bia", RIGHTS[Role.ATENDENTE], "bia@aurora.test")
    await town.gendei.staff.accounts.add(HERE, bia.user_id, "Bia", Role.ATENDENTE, "girassol-verde-nuvem")
    await town.gendei.tasks.add(HERE, "Ligar para Maria Silva", link=Link(maria.number))
    await town.gendei.tasks.add(bia, OWN, link=Link(patient_id=booked.patient_id), personal=True)
    return booked.patient_id


async def test_everything_of_a_person_is_handed_out_and_none_of_anybody_elses(town, maria, joao, data, shelf):
    patient_id = await known(town, maria)
    await joao.say("meu segredo é outro")
    found = json.dumps(await data.export(HERE, Whose(patient_id)), default=str, ensure_ascii=False)
    assert [word in found for word in (WORDS, NOTE, "Ligar para Maria Silva", maria.number, "image")] == [True] * 5
    assert [word in found for word in ("meu segredo", joao.number, OWN)] == [False] * 3
    assert json.loads(found) | {"at": ""} == json.loads(
        json.dumps(await data.export(HERE, Whose(contact=maria.number)), default=str)
    ) | {"at": ""}


async def test_nothing_is_erased_while_an_appointment_is_to_come(town, maria, data, tmp_path, shelf):
    patient_id, before = await known(town, maria), everything(tmp_path)
    assert (await data.plan(HERE, Whose(patient_id))).coming == 1
    with pytest.raises(StillComing):
        await data.erase(HERE, Whose(patient_id))
    assert everything(tmp_path) == before


async def test_of_who_is_erased_nothing_is_left_but_ids_in_the_audit_and_an_appointment_of_nobodys(
    town, maria, joao, data, tmp_path, shelf
):
    patient_id = await known(town, maria)
    await joao.say("oi, sou o João")
    [visit] = await town.gendei.desk.appointments_of(await town.clinic(), maria.number, upcoming_only=True)
    await town.gendei.agenda_desk.agenda.set_status(HERE, visit.id, AppointmentStatus.NO_SHOW)
    others = {path: document for path, document in everything(tmp_path).items() if joao.number in document}
    [folder] = [found.parent for found in tmp_path.rglob("*") if found.is_file() and len(found.name) == 32]
    erasure = await data.erase(HERE, Whose(patient_id))
    assert (erasure.names, erasure.contacts, erasure.files, erasure.tasks, erasure.past) == (
        ("Maria Silva",),
        (maria.number,),
        1,
        2,  # the clinic's own, and the one that the photo made
        1,
    )
    left = everything(tmp_path)
    for told in (maria.number, "Maria Silva", WORDS, NOTE, OWN):
        assert (told, [path for path, document in left.items() if told in document and "/audit/" not in path]) == (
            told,
            [],
        )
    audit = [document for path, document in left.items() if "/audit/" in path]
    assert [word in str(audit) for word in ("Maria Silva", WORDS, NOTE, OWN)] == [False] * 4
    assert {path: left[path] for path in others} == others
    assert [found for found in folder.rglob("*") if found.is_file()] == []
    [kept] = [each for each in await town.stored(f"gendei_clinics/{AURORA}/appointments") if each["id"] == visit.id]
    assert (kept["id"], kept["status"], kept["patientName"], kept["contact"], kept["serviceId"]) == (
        visit.id,
        "no_show",
        "—",
        "erased",
        visit.service_id,
    )
    [entry] = await town.gendei.staff.audit.search(HERE, action=Action.PATIENT_ERASED)
    assert (entry.subject, entry.detail["appointments"]) == (patient_id, 1)
    with pytest.raises(NotFound):
        await data.erase(HERE, Whose(patient_id))
    assert "Clínica Aurora" in await maria.say("oi")  # who writes again is somebody new


async def test_a_conversation_that_is_also_somebody_elses_stays(town, maria, data, shelf):
    patient_id = await known(town, maria)
    child = await town.book(maria.number, "Pedro Silva", "2026-11-24T15:00")
    for visit in await town.gendei.desk.appointments_of(await town.clinic(), maria.number, upcoming_only=True):
        if visit.patient_id == patient_id:
            await town.gendei.agenda_desk.agenda.set_status(HERE, visit.id, AppointmentStatus.NO_SHOW)
    erasure = await data.erase(HERE, Whose(patient_id))
    assert (erasure.contacts, erasure.shared) == ((), {maria.number: ("Pedro Silva",)})
    assert (await town.conversation(maria.number)) is not None
    assert (await town.gendei.front_desk.patients.card(HERE, child.patient_id)).coming[0].id == child.id


async def test_only_who_manages_and_nobody_of_another_clinic(town, maria, data, shelf):
    patient_id = await known(town, maria)
    bia = Actor(AURORA, "bia", "Bia", RIGHTS[Role.ATENDENTE], "bia")
    for call in (data.export, data.plan, data.erase):
        with pytest.raises(Forbidden):
            await call(bia, Whose(patient_id))
        for whose in (Whose(patient_id), Whose(contact=maria.number)):
            with pytest.raises(NotFound):
                await call(THERE, whose)


async def test_by_the_contact_all_go_whom_it_books_for(town, maria, joao, data, tmp_path, shelf):
    await maria.say(WORDS)
    await joao.say("oi")
    for name, clock in (("Maria Silva", "14:00"), ("Pedro Silva", "15:00")):
        visit = await town.book(maria.number, name, f"2026-11-24T{clock}")
        await town.gendei.agenda_desk.agenda.set_status(HERE, visit.id, AppointmentStatus.NO_SHOW)
    erasure = await data.erase(HERE, Whose(contact=maria.number))
    assert (sorted(erasure.names), erasure.contacts, erasure.past) == (
        ["Maria Silva", "Pedro Silva"],
        (maria.number,),
        2,
    )
    left = {path: document for path, document in everything(tmp_path).items() if "/audit/" not in path}
    assert [path for path, document in left.items() if maria.number in document or "Pedro Silva" in document] == []
    assert await town.conversation(joao.number) is not None


async def test_what_a_process_left_when_it_died_on_the_way_goes_with_the_next_call(
    town, maria, data, tmp_path, shelf, monkeypatch
):
    patient_id = await known(town, maria)
    [visit] = await town.gendei.desk.appointments_of(await town.clinic(), maria.number, upcoming_only=True)
    await town.gendei.agenda_desk.agenda.set_status(HERE, visit.id, AppointmentStatus.NO_SHOW)
    monkeypatch.setattr("gendei.staff.patient_data.AT_ONCE", 2)
    commit, commits = town.gendei.documents.commit, []

    async def dies(writes):
        commits.append(writes)
        if len(commits) == 4:
            raise StoreUnavailable("killed")
        await commit(writes)

    monkeypatch.setattr(town.gendei.documents, "commit", dies)
    with pytest.raises(StoreUnavailable):
        await data.erase(HERE, Whose(patient_id))
    monkeypatch.setattr(town.gendei.documents, "commit", commit)
    await data.erase(HERE, Whose(patient_id))
    left = {path: document for path, document in everything(tmp_path).items() if "/audit/" not in path}
    assert [path for path, document in left.items() if maria.number in document or WORDS in document] == []
