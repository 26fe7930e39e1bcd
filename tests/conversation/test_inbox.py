import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conversation.cast import BOA_VIDA, MARIA, MARIA_HERE, MARIA_THERE, NOON, SORRISO, World, clinic, column, text

from gendei.clinics.directory import Directory
from gendei.conversation.inbound.inbox import entry_id, read_entry, waiting_entries
from gendei.documents import Query
from gendei.errors import StoreUnavailable
from gendei.messages.keys import INBOX
from gendei.messages.message import Arrival, MessageType, Received
from gendei.store.sqlite import SqliteDocuments


async def test_an_accepted_message_is_in_the_store(world: World) -> None:
    message = text("wamid.1", "quero marcar", button_payload="slot:1", details={"latitude": -23.5})

    await world.accept(message)

    [entry] = await waiting_entries(world.documents, MARIA_HERE)
    assert read_entry(entry) == Arrival("wamid.1", message, NOON, "meta", "1001")


async def test_the_same_webhook_five_times_is_one_entry(world: World) -> None:
    for _ in range(5):
        await world.accept(text("wamid.1"))

    assert column(await world.inbox(), "id") == ["wamid.1"]


async def test_the_same_webhook_five_times_at_once_is_one_entry(world: World) -> None:
    await asyncio.gather(*(world.accept(text("wamid.1"), text("wamid.2")) for _ in range(5)))

    assert column(await world.inbox(), "id") == ["wamid.1", "wamid.2"]


async def test_what_is_new_in_a_repeated_webhook_is_stored(world: World) -> None:
    await world.accept(text("wamid.1"))
    await world.accept(text("wamid.1"), text("wamid.2"))

    assert sorted(column(await world.inbox(), "id")) == ["wamid.1", "wamid.2"]


async def test_a_message_for_a_number_of_no_clinic_changes_nothing(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    await world.messaging.inbox.accept("meta", [Received("9999", (text("wamid.1", "segredo"),))])

    assert await world.inbox() == []
    assert "9999" in caplog.text
    assert "segredo" not in caplog.text


async def test_a_message_is_seen_only_by_the_clinic_it_was_written_to(world: World) -> None:
    await world.accept(text("wamid.1"), clinic_id=BOA_VIDA)

    assert len(await waiting_entries(world.documents, MARIA_HERE)) == 1
    assert await waiting_entries(world.documents, MARIA_THERE) == []


async def test_a_reaction_is_taken_in_without_an_answer(world: World) -> None:
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.idle()
        await world.accept(text("wamid.2", "👍", type=MessageType.REACTION))
        await world.idle()

    assert column(await world.inbox(), "status") == ["done", "done"]
    assert world.receptionist.heard() == [("oi",)]


async def test_a_store_that_cannot_be_written_is_told_to_the_webhook(world: World, documents: SqliteDocuments) -> None:
    await documents.close()

    with pytest.raises(StoreUnavailable):
        await world.accept(text("wamid.1"))


@pytest.mark.parametrize("words", ["\ud800 quebrado", "ok"])
async def test_a_message_that_no_store_takes_is_kept_as_unreadable_beside_the_others(world: World, words: str) -> None:
    broken = text("wamid.1", words, details={"huge": "x" * 1_100_000})

    await world.accept(broken, text("wamid.2"))

    assert [(entry["id"], entry["message"]["type"]) for entry in await world.inbox()] == [
        ("wamid.1", "unsupported"),
        ("wamid.2", "text"),
    ]


async def test_a_webhook_of_a_thousand_messages_is_stored_whole(world: World) -> None:
    await world.accept(*(text(f"wamid.{number}") for number in range(1000)))

    assert len(await world.inbox()) == 1000


def test_the_ids_of_providers_that_count_for_themselves_are_told_apart() -> None:
    assert entry_id("meta", BOA_VIDA, "A1") == "A1"
    assert entry_id("zapi", BOA_VIDA, "A1") != entry_id("zapi", SORRISO, "A1")


deliveries = st.lists(st.lists(st.integers(0, 8), min_size=1, max_size=4), min_size=1, max_size=8)


@settings(max_examples=30, deadline=None)
@given(deliveries)
def test_however_webhooks_repeat_and_mix_each_message_waits_once_in_the_order_it_came(
    webhooks: list[list[int]],
) -> None:
    async def deliver() -> list[str]:
        store = await SqliteDocuments.open(":memory:")
        try:
            directory = Directory(store)
            await directory.import_clinic(clinic(BOA_VIDA))
            world = World(store, directory)
            for webhook in webhooks:
                await world.accept(*(text(f"wamid.{number}") for number in webhook))
            assert len(await store.query(Query(INBOX))) == len({n for webhook in webhooks for n in webhook})
            return [entry.id for entry in await waiting_entries(store, MARIA_HERE)]
        finally:
            await store.close()

    in_order = dict.fromkeys(f"wamid.{number}" for webhook in webhooks for number in webhook)
    assert asyncio.run(deliver()) == list(in_order)


async def test_messages_of_one_webhook_may_be_of_several_numbers(world: World) -> None:
    both = [Received("1001", (text("wamid.1"),)), Received("2002", (text("wamid.2"),))]

    await world.messaging.inbox.accept("meta", both)

    assert column(await world.inbox(), "conversation") == [f"boa-vida/{MARIA}", f"sorriso/{MARIA}"]
