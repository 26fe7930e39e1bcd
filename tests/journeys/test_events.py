"""What patients and staff do to the agenda reaches a follower of its events: webhooks and the API in, events out."""

import asyncio
from dataclasses import replace

import httpx
import pytest
from tests.followers import Recorder, StoredRecorder
from tests.journeys.phone import Phone
from tests.journeys.processes import gendei_serve, run_gendei
from tests.journeys.town import AURORA, BROMELIA, CLINICS, Town, open_town
from tests.web.api.conftest import bearer

from gendei.clinic import TimeRange
from gendei.documents import Query
from gendei.messages.keys import EVENTS
from gendei.staff.actors import Right
from gendei.store.sqlite import SqliteDocuments

PATIENCE = 60
TAPS = ("Marcar horário", "Limpeza", "ter 24/11 14h", "Confirmar")


@pytest.fixture
async def follower(town: Town) -> Recorder:
    recorder = Recorder()
    town.gendei.messaging.following.register(recorder)
    return recorder


@pytest.fixture
async def staff(town: Town):
    """The API for a program of Aurora's."""
    headers = await bearer(town.gendei, AURORA, Right.READ, Right.WRITE)
    base = f"{town.client.base_url}/api/v1"
    async with httpx.AsyncClient(base_url=base, headers=headers) as client:
        yield client


async def booked_by(phone: Phone) -> None:
    await phone.say("oi")
    for title in TAPS:
        await phone.tap(title)


async def test_a_booking_by_webhook_is_followed(town, follower, maria):
    await booked_by(maria)
    [event] = follower.effects
    assert (str(event.kind), event.clinic_id, event.contact, str(event.doer.kind)) == (
        "booked",
        AURORA,
        maria.number,
        "patient",
    )
    assert f"{(await town.clinic()).local(event.place.start):%d/%m %Hh}" == "24/11 14h"
    assert await town.stored(EVENTS) == []


async def test_a_move_and_a_cancellation_by_webhook_are_followed_with_the_time_that_they_free(town, follower, maria):
    await booked_by(maria)
    await maria.say("quero remarcar para quarta às 10h")
    await maria.tap("Sim, mudar")
    await maria.say("não vou poder ir, quero cancelar")
    await maria.tap("Sim, cancelar")
    assert follower.told == ["booked", "moved", "time_freed", "cancelled", "time_freed"]
    local = (await town.clinic()).local
    assert [f"{local(effect.place.start):%d/%m %Hh}" for effect in follower.effects] == [
        "24/11 14h",
        "25/11 10h",
        "24/11 14h",
        "25/11 10h",
        "25/11 10h",
    ]


async def test_every_step_of_an_appointments_life_comes_in_order(town, follower, maria, staff):
    await booked_by(maria)
    path = f"/appointments/{follower.effects[0].appointment_id}"
    for status in ("confirmed_presence", "no_show", "confirmed", "confirmed_presence", "completed"):
        await staff.post(f"{path}/status", json={"status": status})
    await town.idle()
    assert follower.told == [
        "booked",
        "presence_confirmed",
        "missed",
        "time_freed",
        "taken_back",
        "presence_confirmed",
        "completed",
    ]
    assert {effect.doer.user_id.partition(":")[0] for effect in follower.effects[1:]} == {"token"}
    seqs = [effect.seq for effect in follower.effects]
    assert seqs == sorted(set(seqs))


async def test_a_block_that_staff_remove_and_hours_that_an_import_adds_free_time(town, follower, staff):
    block = {"start": "2026-11-25T09:00:00-03:00", "end": "2026-11-25T12:00:00-03:00", "professionalId": "paula"}
    made = (await staff.post("/blocks", json=block)).json()
    await staff.delete(f"/blocks/{made['id']}")
    clinic = await town.clinic()
    saturday = {**clinic.hours, 5: (TimeRange.parse("09:00-12:00"),)}
    await town.gendei.directory.import_clinic(replace(clinic, hours=saturday))
    await town.idle()
    assert [(str(effect.kind), effect.place.professional_id, str(effect.doer.kind)) for effect in follower.effects] == [
        ("time_freed", "paula", "staff"),
        ("time_freed", "paula", "operator"),
    ]


async def test_a_follower_that_fails_keeps_nobody_from_booking(town, maria):
    def fail(_event):
        raise RuntimeError

    town.gendei.messaging.following.register(Recorder("broken", before=fail))
    await booked_by(maria)
    assert await town.agenda_of(maria.number) == [("confirmed", "limpeza", "2026-11-24T14:00")]
    figures = (await town.client.get("/metrics")).text
    assert 'gendei_events_total{follower="broken",result="failed"}' in figures


async def test_another_clinic_has_no_part_in_it(town, follower, maria, dalva):
    await booked_by(maria)
    await town.book(dalva.number, dalva.name, "2026-11-25T10:00", BROMELIA)
    await town.idle()
    assert [(effect.clinic_id, effect.contact) for effect in follower.effects] == [
        (AURORA, maria.number),
        (BROMELIA, dalva.number),
    ]
    other = await bearer(town.gendei, BROMELIA, Right.READ, Right.WRITE)
    path = f"/api/v1/appointments/{follower.effects[0].appointment_id}/cancel"
    assert (await town.client.post(path, json={}, headers=other)).status_code == 404
    await town.idle()
    assert len(follower.effects) == 2


async def test_nothing_is_written_for_a_booking_that_nobody_follows(town, maria):
    await town.gendei.messaging.__aexit__(None, None, None)
    await town.book(maria.number, maria.name, "2026-11-24T14:00")
    assert await town.stored(EVENTS) == []


@pytest.mark.usefixtures("on_firestore")
async def test_events_are_followed_on_firestore_too(tmp_path):
    async with open_town(tmp_path) as town:
        follower = StoredRecorder(town.gendei.documents)
        town.gendei.messaging.following.register(follower)
        maria = Phone(town, "+5511999990001", "Maria Silva")
        await booked_by(maria)
        await maria.say("não vou poder ir, quero cancelar")
        await maria.tap("Sim, cancelar")
        effects = sorted(await town.stored("effects"), key=lambda effect: effect["ordinal"])
        assert [effect["kind"] for effect in effects] == ["booked", "cancelled", "time_freed"]
        assert await town.stored(EVENTS) == []


async def test_what_the_command_imports_is_told_to_a_running_service(folder, graph):
    """No follower wants it yet, so that the service clears it away."""
    longer = folder / "aurora.yaml"
    text = (CLINICS / "aurora.yaml").read_text(encoding="utf-8")
    longer.write_text(text.replace("closed:", '  sat: ["09:00-12:00"]\nclosed:'), encoding="utf-8")
    ended = await run_gendei(folder, "clinics", "import", str(longer))
    documents = await SqliteDocuments.open(str(folder / "town.db"))
    [event] = [snapshot.data or {} for snapshot in await documents.query(Query(EVENTS))]
    assert (ended.status, ended.err) == (0, "")
    assert (event["kind"], event["place"]["professionalId"], event["unattended"]) == ("time_freed", "paula", True)
    assert event["doer"] == {"kind": "operator", "userId": ""}
    async with (
        gendei_serve(folder, graph.url, role="worker"),
        asyncio.timeout(PATIENCE),
        documents.watch(Query(EVENTS)) as results,
    ):
        async for found in results:
            if not found:
                break
    await documents.close()
