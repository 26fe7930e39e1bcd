"""What stands first in the inbox, and what is put off, on both engines."""

from collections.abc import AsyncIterator
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from tests.conversation.cast import BOA_VIDA, MARIA, NOON, World, said, text
from tests.staff.inbox.desk import BIA, CAIO, OLGA, READER, actions_in_audit, employ
from tests.staff.inbox.test_inbox import conversation, put_all, titles
from tests.staff.inbox.test_live import until

from gendei.conversation.stored.follow_ups import PENDING
from gendei.documents import Documents
from gendei.errors import NotFound
from gendei.staff.actors import Forbidden
from gendei.staff.desks import FrontDesk
from gendei.staff.inbox.actions import InDanger
from gendei.staff.inbox.inbox import LIVE_CONVERSATIONS
from gendei.staff.inbox.rows import InboxFilter, Row, State
from gendei.store.firestore import FirestoreDocuments
from gendei.store.sqlite import SqliteDocuments

TOMORROW = NOON + timedelta(hours=20)


@pytest.fixture(params=["sqlite", "firestore"])
async def documents(request: pytest.FixtureRequest) -> AsyncIterator[Documents]:
    opening = partial(SqliteDocuments.open, ":memory:")
    if request.param == "firestore":
        address = request.getfixturevalue("firestore_emulator")
        opening = partial(FirestoreDocuments.open, f"inbox-{uuid4().hex[:20]}", emulator=address)
    store = await opening()
    yield store
    await store.close()


async def row(desk: FrontDesk) -> Row:
    return (await desk.views.view(BIA, MARIA)).row


async def alarm(world: World, message: str = "dor no peito", **outcome: Any) -> None:
    """Maria tells of danger, and the bot calls a person."""
    world.receptionist.script.append(
        said("Ligue 192.", takeover_reason="URGENTE: sintomas de emergência", urgent=True, **outcome)
    )
    async with world.messaging:
        await world.accept(text("wamid.alarm", message, sender_name="Maria"))
        await world.idle()


async def test_who_may_be_in_danger_stands_first_until_somebody_takes_it(world: World, desk: FrontDesk) -> None:
    waits = {"is_human_takeover": True, "waiting_for_person": True, "taken_over_at": NOON - timedelta(hours=3)}
    await put_all(world, conversation(1), conversation(2, **waits))
    await alarm(world)

    assert await titles(desk) == ["Maria", "Paciente 2", "Paciente 1"]
    await desk.conversations.open(CAIO, MARIA)
    assert (await titles(desk))[0] == "Maria"
    assert (await row(desk)).danger_since == NOON
    await desk.conversations.take_over(CAIO, MARIA)
    assert await titles(desk) == ["Paciente 2", "Maria", "Paciente 1"]
    assert (await row(desk)).danger_since is None


async def test_danger_in_a_conversation_that_a_person_has_is_told_too(world: World, desk: FrontDesk) -> None:
    async with world.messaging:
        await world.accept(text("wamid.1", "oi", sender_name="Maria"))
        await world.idle()
    await desk.conversations.take_over(BIA, MARIA)
    world.alarms = frozenset({"não consigo respirar"})
    async with world.messaging:
        await world.accept(text("wamid.2", "não consigo respirar"))
        await world.idle()

    assert ((await row(desk)).state, (await row(desk)).danger_since) == (State.PERSON, NOON)
    await desk.conversations.see_to_danger(BIA, MARIA)
    assert (await row(desk)).danger_since is None
    tasks = await world.all(f"gendei_clinics/{BOA_VIDA}/tasks", "createdAt")
    assert [(task["occasion"], task["status"]) for task in tasks] == [("urgency", PENDING)]


async def test_danger_that_nobody_took_stays_when_the_bot_has_the_conversation_again(
    world: World, desk: FrontDesk
) -> None:
    await alarm(world)
    world.clock.advance(13 * 3600)
    await world.messaging.returning.sweep()

    assert ((await row(desk)).taken_over_by, (await row(desk)).danger_since) == (None, NOON)


async def test_who_sees_to_a_danger_stands_in_history_and_audit(world: World, desk: FrontDesk) -> None:
    await alarm(world)
    world.clock.advance(60)
    await desk.conversations.see_to_danger(CAIO, MARIA)
    await desk.conversations.see_to_danger(CAIO, MARIA)

    assert await actions_in_audit(world, CAIO) == [("Caio", "conversation.danger_seen", MARIA)]
    events = [item.text for item in (await desk.views.view(BIA, MARIA)).items if item.kind == "event"]
    assert events[-1] == "Caio está cuidando do alerta de perigo."


async def test_a_conversation_with_danger_is_not_closed_with_others(world: World, desk: FrontDesk) -> None:
    await alarm(world)
    with pytest.raises(InDanger):
        await desk.conversations.close(BIA, MARIA, despite_danger=False)
    assert (await row(desk)).state is State.WAITING
    await desk.conversations.close(BIA, MARIA)
    assert ((await row(desk)).state, (await row(desk)).danger_since) == (State.CLOSED, None)


async def test_who_may_only_read_and_the_other_clinic_see_to_no_danger(world: World, desk: FrontDesk) -> None:
    await alarm(world)
    with pytest.raises(Forbidden):
        await desk.conversations.see_to_danger(READER, MARIA)
    with pytest.raises(NotFound):
        await desk.conversations.see_to_danger(OLGA, MARIA)
    assert (await desk.inbox.list(OLGA)).rows == ()
    assert (await row(desk)).danger_since == NOON


async def test_what_is_put_off_is_out_of_the_list_and_comes_back_by_itself(world: World, desk: FrontDesk) -> None:
    await put_all(world, conversation(1), conversation(2))
    two = conversation(2).contact
    await desk.conversations.snooze(BIA, two, TOMORROW)

    assert await titles(desk) == ["Paciente 1"]
    assert await titles(desk, InboxFilter(snoozed=True)) == ["Paciente 2"]
    assert await titles(desk, InboxFilter(search="paciente 2")) == ["Paciente 2"]
    world.clock.advance(20 * 3600)
    assert await titles(desk, InboxFilter(snoozed=True)) == []
    assert await titles(desk) == ["Paciente 2", "Paciente 1"]
    await desk.conversations.open(BIA, two)
    assert await titles(desk) == ["Paciente 2", "Paciente 1"]


async def test_what_is_put_off_comes_back_when_the_patient_writes(world: World, desk: FrontDesk) -> None:
    async with world.messaging:
        await world.accept(text("wamid.1", "oi", sender_name="Maria"))
        await world.idle()
    await desk.conversations.snooze(BIA, MARIA, TOMORROW)
    assert await titles(desk) == []
    await world.accept(text("wamid.2", "alguém aí?"))
    assert await titles(desk) == ["Maria"]
    async with world.messaging:
        await world.idle()
    assert (await row(desk)).snoozed_until is None


async def test_danger_is_never_put_off(world: World, desk: FrontDesk) -> None:
    await alarm(world)
    await desk.conversations.snooze(BIA, MARIA, TOMORROW)
    assert await titles(desk) == ["Maria"]


async def test_who_waits_and_is_put_off_waits_again_when_the_time_has_come(world: World, desk: FrontDesk) -> None:
    waits = {"is_human_takeover": True, "waiting_for_person": True, "taken_over_at": NOON}
    await put_all(world, conversation(1), conversation(2, **waits))
    await desk.conversations.snooze(BIA, conversation(2).contact, TOMORROW)
    assert await titles(desk) == ["Paciente 1"]
    world.clock.advance(20 * 3600)
    assert await titles(desk) == ["Paciente 2", "Paciente 1"]


async def test_putting_off_is_undone_and_stands_in_history_and_audit(world: World, desk: FrontDesk) -> None:
    await put_all(world, conversation(1))
    contact = conversation(1).contact
    await desk.conversations.snooze(BIA, contact, TOMORROW)
    await desk.conversations.snooze(BIA, contact, None)

    assert await titles(desk) == ["Paciente 1"]
    assert [action for _, action, _ in await actions_in_audit(world, BIA)] == ["conversation.snoozed"] * 2
    told = [item.text for item in (await desk.views.view(BIA, contact)).items]
    assert sorted(told) == ["Bia adiou a conversa até 03/03/2026 05:00.", "Bia trouxe a conversa de volta."]


async def test_nothing_is_put_off_to_what_is_over_nor_by_an_outsider(world: World, desk: FrontDesk) -> None:
    await put_all(world, conversation(1))
    contact = conversation(1).contact
    with pytest.raises(ValueError, match="to come"):
        await desk.conversations.snooze(BIA, contact, NOON)
    with pytest.raises(NotFound):
        await desk.conversations.snooze(OLGA, contact, TOMORROW)
    assert await titles(desk) == ["Paciente 1"]


async def test_what_stands_first_or_is_put_off_is_listed_wherever_it_is_in_time(world: World, desk: FrontDesk) -> None:
    await put_all(
        world,
        *(conversation(number) for number in range(1, LIVE_CONVERSATIONS + 1)),
        conversation(9000, danger_at=NOON - timedelta(days=6)),
        conversation(9001, snoozed_until=NOON - timedelta(minutes=4.5), snoozed_by="Bia"),
    )
    async with desk.live.inbox(BIA) as states:
        state = await until(states, lambda state: bool(state.rows))
    assert len(state.rows) == LIVE_CONVERSATIONS + 2
    assert [found.title for found in state.rows[:6]] == [
        "Paciente 9000",
        *(f"Paciente {number}" for number in range(1, 5)),
        "Paciente 9001",
    ]


async def test_assigning_reading_and_labelling_move_nothing(world: World, desk: FrontDesk) -> None:
    await employ(world, BIA, CAIO)
    await put_all(world, *(conversation(number, unread=1) for number in (1, 2, 3)))
    before = await titles(desk)
    last = conversation(3).contact
    await desk.conversations.assign(BIA, last, CAIO.user_id)
    await desk.conversations.set_labels(BIA, last, ["orçamento"])
    await desk.conversations.open(BIA, conversation(2).contact)
    assert await titles(desk) == before == ["Paciente 1", "Paciente 2", "Paciente 3"]
