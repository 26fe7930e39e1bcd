from datetime import timedelta
from typing import Any

import pytest
from tests.conversation.cast import BOA_VIDA, JOAO, MARIA, NOON, SORRISO, World, said, text, wordless
from tests.staff.inbox.desk import BIA, NOBODY, OLGA

from gendei.clinic import Contact
from gendei.conversation.stored.conversation import CONVERSATION, Conversation, Failure, FailureReason
from gendei.documents import put
from gendei.messages.message import MessageType
from gendei.staff.actors import Forbidden
from gendei.staff.desks import FrontDesk
from gendei.staff.inbox.rows import InboxFilter, State


async def put_all(world: World, *conversations: Conversation) -> None:
    await world.documents.commit([put(item.key.path, CONVERSATION.write(item)) for item in conversations])


def conversation(number: int, **fields: Any) -> Conversation:
    """Who wrote `number` minutes before noon."""
    at = NOON - timedelta(minutes=number)
    contact = Contact(f"+551188888{number:04d}")
    known: dict[str, Any] = {
        "user_name": f"Paciente {number}",
        "phone": contact,
        "last_message_at": at,
        "provider": "meta",
    } | fields
    return Conversation(BOA_VIDA, contact, at, at, **(known | {"provider": "meta"} | fields))


async def titles(desk: FrontDesk, shown: InboxFilter | None = None) -> list[str]:
    return [row.title for row in (await desk.inbox.list(BIA, shown)).rows]


async def test_who_waits_longest_comes_first_then_the_last_activity_read_or_not(world: World, desk: FrontDesk) -> None:
    waiting = {"is_human_takeover": True, "waiting_for_person": True}
    await put_all(
        world,
        conversation(1),
        conversation(2),
        conversation(3, unread=1),
        conversation(4, **waiting, taken_over_at=NOON - timedelta(minutes=4)),
        conversation(5, **waiting, taken_over_at=NOON - timedelta(minutes=5)),
    )

    assert await titles(desk) == ["Paciente 5", "Paciente 4", "Paciente 1", "Paciente 2", "Paciente 3"]


async def test_a_message_shows_before_its_turn_has_run(world: World, desk: FrontDesk) -> None:
    await world.accept(text("wamid.1", "bom dia", sender_name="Maria"))

    (row,) = (await desk.inbox.list(BIA)).rows
    assert (row.contact, row.title, row.preview, row.unread) == (MARIA, "Maria", "bom dia", 1)
    assert (row.state, row.window_ends_at) == (State.BOT, NOON + timedelta(hours=24))


async def test_what_waits_is_counted_once_its_turn_has_run_too(world: World, desk: FrontDesk) -> None:
    async with world.messaging:
        await world.accept(text("wamid.1", "bom dia"))
        await world.idle()
    await world.accept(text("wamid.2", "alguém aí?"))

    (row,) = (await desk.inbox.list(BIA)).rows
    assert (row.preview, row.unread) == ("alguém aí?", 2)


async def test_a_reaction_makes_no_conversation_unread(world: World, desk: FrontDesk) -> None:
    await world.accept(wordless("wamid.1", MessageType.REACTION, details={"emoji": "👍", "message_id": "wamid.0"}))

    assert (await desk.inbox.list(BIA)).rows == ()


async def test_the_state_tells_whose_turn_it_is(world: World, desk: FrontDesk) -> None:
    await put_all(
        world,
        conversation(1),
        conversation(2, is_human_takeover=True, taken_over_by="Bia"),
        conversation(3, is_human_takeover=True, waiting_for_person=True, taken_over_at=NOON),
        conversation(4, closed_at=NOON),
    )

    shown = {state: await titles(desk, InboxFilter(state=state)) for state in State}
    assert shown == {
        State.BOT: ["Paciente 1"],
        State.PERSON: ["Paciente 2"],
        State.WAITING: ["Paciente 3"],
        State.CLOSED: ["Paciente 4"],
    }
    assert await titles(desk) == ["Paciente 3", "Paciente 1", "Paciente 2"]


async def test_labels_and_assignments_filter(world: World, desk: FrontDesk) -> None:
    await put_all(
        world, conversation(1, labels=("orçamento",)), conversation(2, assigned_to=BIA.user_id), conversation(3)
    )

    assert await titles(desk, InboxFilter(label="orçamento")) == ["Paciente 1"]
    assert await titles(desk, InboxFilter(assigned_to=BIA.user_id)) == ["Paciente 2"]


@pytest.mark.parametrize("search", ["joao", "JOÃO", "clareamento", "joão clare", "8888-0007", "  "])
async def test_a_search_finds_name_phone_and_words_without_regard_to_accents(
    world: World, desk: FrontDesk, search: str
) -> None:
    spoken = {"role": "user", "content": "Quanto custa o Clareamênto?", "timestamp": NOON.isoformat()}
    await put_all(world, conversation(7, user_name="João Ávila", messages=(spoken,)))

    assert await titles(desk, InboxFilter(search=search)) == ["João Ávila"]
    assert await titles(desk, InboxFilter(search="canal")) == []


async def test_a_search_finds_what_is_closed_too(world: World, desk: FrontDesk) -> None:
    await put_all(world, conversation(7, closed_at=NOON))

    assert await titles(desk, InboxFilter(search="paciente 7")) == ["Paciente 7"]


async def test_pages_go_back_in_time_and_show_everybody_once(world: World, desk: FrontDesk) -> None:
    waiting = {"is_human_takeover": True, "waiting_for_person": True, "taken_over_at": NOON}
    await put_all(world, *(conversation(number) for number in range(1, 8)), conversation(9, **waiting))

    seen: list[list[str]] = []
    cursor = None
    while not seen or cursor:
        page = await desk.inbox.list(BIA, cursor=cursor, limit=3)
        seen.append([row.title.removeprefix("Paciente ") for row in page.rows])
        cursor = page.cursor
    assert seen == [["9", "1", "2", "3"], ["4", "5", "6"], ["7"]]


@pytest.mark.parametrize("cursor", ["", "yesterday", "2026-03-02T12:00:00 +55", "2026-03-02T12:00:00+00:00 a/b"])
async def test_a_cursor_that_is_none_of_ours_is_refused(desk: FrontDesk, cursor: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        await desk.inbox.list(BIA, cursor=cursor)


async def test_what_became_a_part_of_another_conversation_is_not_listed(world: World, desk: FrontDesk) -> None:
    await put_all(world, conversation(1), conversation(2, folded_into=conversation(1).contact))

    assert await titles(desk) == ["Paciente 1"]


async def test_the_last_failure_stands_there_in_portuguese(world: World, desk: FrontDesk) -> None:
    failure = Failure(FailureReason.SEND_FAILED, "131026 undeliverable", NOON)
    await put_all(world, conversation(1, last_failure=failure))

    (row,) = (await desk.inbox.list(BIA)).rows
    assert row.failure is not None
    assert row.failure.startswith("O WhatsApp não conseguiu entregar.")


async def test_the_other_clinic_sees_nothing_of_it(world: World, desk: FrontDesk) -> None:
    await put_all(world, conversation(1, waiting_for_person=True))
    await world.accept(text("wamid.1"), clinic_id=BOA_VIDA)

    assert (await desk.inbox.list(OLGA)).rows == ()
    await world.accept(text("wamid.2", sender=JOAO), clinic_id=SORRISO)
    assert [row.contact for row in (await desk.inbox.list(OLGA)).rows] == [JOAO]


async def test_who_may_not_read_gets_nothing(desk: FrontDesk) -> None:
    with pytest.raises(Forbidden):
        await desk.inbox.list(NOBODY)


async def test_the_wish_for_a_person_is_seen_with_its_reason(world: World, desk: FrontDesk) -> None:
    world.receptionist.script.append(said("Já chamo.", takeover_reason="pediu um atendente"))
    async with world.messaging:
        await world.accept(text("wamid.1", "quero uma pessoa"))
        await world.idle()

    (row,) = (await desk.inbox.list(BIA)).rows
    assert (row.state, row.takeover_reason, row.waiting_since) == (State.WAITING, "pediu um atendente", NOON)
