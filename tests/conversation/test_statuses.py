import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conversation.cast import BOA_VIDA, MARIA, NOON, SORRISO, World, column, status, text

from gendei.clinic import Contact
from gendei.clinics.directory import Directory
from gendei.conversation.outbound.failures import FailureTexts
from gendei.conversation.outbound.outbox_entry import OUTBOX_ENTRY, Initiative, OutboxEntry, enqueue
from gendei.conversation.stored.conversation import Conversation, FailureReason
from gendei.conversation.stored.history import Author
from gendei.datafile import data_dir
from gendei.documents import Documents, Query, Write, put
from gendei.errors import UnreadableDocument
from gendei.messages.keys import OUTBOX
from gendei.messages.message import DeliveryState
from gendei.messages.replies import Link, Pin, Reply
from gendei.store.sqlite import SqliteDocuments

STARTED = Initiative("reminder", {"time": "14h"}, NOON, ("a1", "confirmed", NOON), True, ("lembrete", "pt_BR"))


async def sent_once(world: World) -> str:
    """The outbox id of a message that was sent as "wamid.out1"."""
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.idle()
    return world.provider.sent[0].reference


async def test_a_status_moves_the_message_in_outbox_and_history(world: World) -> None:
    reference = await sent_once(world)

    await world.accept(statuses=[status("wamid.out1", DeliveryState.DELIVERED, reference=reference)])

    assert column(await world.outbox(), "deliveryState") == ["delivered"]
    assert (await world.history())[1]["deliveryState"] == "delivered"


async def test_a_status_without_our_reference_is_found_by_the_id_of_the_provider(world: World) -> None:
    await sent_once(world)

    await world.accept(statuses=[status("wamid.out1", DeliveryState.READ)])

    assert column(await world.outbox(), "deliveryState") == ["read"]


async def test_a_status_of_another_clinics_number_changes_nothing(world: World) -> None:
    reference = await sent_once(world)

    stolen = [
        status("wamid.out1", DeliveryState.READ, reference=reference),
        status("wamid.out1", DeliveryState.READ),
    ]
    await world.accept(clinic_id=SORRISO, statuses=stolen)

    assert column(await world.outbox(), "deliveryState") == ["sent"]


async def test_a_status_of_a_message_that_we_do_not_know_is_ignored(world: World) -> None:
    await world.accept(
        statuses=[status("wamid.other", DeliveryState.READ, reference="a/b"), status("", DeliveryState.SENT)]
    )

    assert await world.outbox() == []


async def test_a_failed_delivery_is_told_to_staff(world: World) -> None:
    reference = await sent_once(world)

    failed = status("wamid.out1", DeliveryState.FAILED, reference=reference, error="131026 Message undeliverable")
    await world.accept(statuses=[failed])

    failure = (await world.conversation()).last_failure
    assert failure is not None
    assert (failure.reason, failure.detail) == (FailureReason.DELIVERY_FAILED, "131026 Message undeliverable")
    assert column(await world.outbox(), "status") == ["failed"]


async def test_staff_read_the_reason_of_a_failed_delivery_in_portuguese(
    documents: SqliteDocuments, directory: Directory
) -> None:
    texts = FailureTexts.load(data_dir("prompts"))
    world = World(documents, directory, explain=texts.explain)
    reference = await sent_once(world)

    await world.accept(
        statuses=[status("wamid.out1", DeliveryState.FAILED, reference=reference, error="131026 Message undeliverable")]
    )

    failure, told = (await world.conversation()).last_failure, (await world.history())[1]
    assert failure is not None
    assert failure.explanation == told["explanation"] == texts.codes["131026"]
    assert told["error"] == "131026 Message undeliverable"


async def test_a_failure_that_comes_after_the_delivery_changes_nothing(world: World) -> None:
    reference = await sent_once(world)

    for state in (DeliveryState.DELIVERED, DeliveryState.FAILED):
        await world.accept(statuses=[status("wamid.out1", state, reference=reference, error="131026 no")])

    assert column(await world.outbox(), "deliveryState") == ["delivered"]
    assert (await world.conversation()).last_failure is None


async def test_a_failed_delivery_is_counted_once_however_often_it_is_told(world: World) -> None:
    reference = await sent_once(world)

    for _ in range(2):
        failed = status("wamid.out1", DeliveryState.FAILED, reference=reference, error="131026 no")
        await world.accept(statuses=[failed])

    assert world.messaging.deliveries.counts["meta", "delivery_failed", "refused"] == 1


async def test_the_statuses_of_one_webhook_are_applied_together(world: World) -> None:
    reference = await sent_once(world)

    states = (DeliveryState.READ, DeliveryState.SENT, DeliveryState.DELIVERED)
    await world.accept(statuses=[status("wamid.out1", state, reference=reference) for state in states])

    assert column(await world.outbox(), "deliveryState") == ["read"]


class Commits:
    """A store that counts its commits, and is told of another writer before some of them."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self.count = 0
        self.others: list[Write] = []

    async def commit(self, writes: Sequence[Write]) -> None:
        self.count += 1
        if self.others:
            await self._documents.commit([self.others.pop()])
        await self._documents.commit(writes)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._documents, name)


async def sent_to_many(world: World, patients: int) -> list[str]:
    """The outbox ids of as many messages, each to another patient."""
    async with world.messaging:
        for number in range(patients):
            await world.accept(text(f"wamid.{number}", sender=Contact(f"+55119999900{number:02}")))
        await world.idle()
    return [message.reference for message in world.provider.sent]


async def told_at_once(world: World, references: Sequence[str], state: DeliveryState) -> list[BaseException | None]:
    """What came of as many webhooks at the same moment, each with one status."""
    updates = (status(f"w.{reference}", state, reference=reference) for reference in references)
    webhooks = (world.accept(statuses=[update]) for update in updates)
    return await asyncio.gather(*webhooks, return_exceptions=True)


@pytest.fixture
async def counted(documents: SqliteDocuments, directory: Directory) -> tuple[World, Commits]:
    commits = Commits(documents)
    return World(cast("Documents", commits), directory), commits


async def test_what_comes_at_the_same_moment_shares_commits(counted: tuple[World, Commits]) -> None:
    world, commits = counted
    references = await sent_to_many(world, 20)
    before = commits.count

    assert await told_at_once(world, references, DeliveryState.DELIVERED) == [None] * 20

    assert commits.count - before <= 2  # the first may go alone
    assert column(await world.outbox(), "deliveryState") == ["delivered"] * 20
    shown = [await world.documents.get(found.history_path) for found in await entries(world)]
    assert [(snapshot.data or {})["deliveryState"] for snapshot in shown] == ["delivered"] * 20


async def test_where_another_writer_comes_between_all_are_applied_all_the_same(counted: tuple[World, Commits]) -> None:
    world, commits = counted
    references = await sent_to_many(world, 5)
    [changed] = [found for found in await entries(world) if found.id == references[3]]
    read = changed.reported(status("w", DeliveryState.READ), NOON)
    commits.others = [put(read.path, OUTBOX_ENTRY.write(read))]

    await told_at_once(world, references, DeliveryState.DELIVERED)

    states = {found.id: found.delivery_state for found in await entries(world)}
    assert [states[reference] for reference in references] == ["delivered"] * 3 + ["read", "delivered"]


async def test_one_that_cannot_be_applied_fails_alone_and_failures_are_told_among_others(world: World) -> None:
    references = await sent_to_many(world, 6)
    path = f"{OUTBOX}/{references[2]}"
    await world.documents.commit([put(path, {"provider": "meta", "externalId": "no entry"})])

    broken, *others = [references[2], *references[:2], *references[3:5]]
    failed = world.accept(statuses=[status("w", DeliveryState.FAILED, reference=references[5], error="131026 no")])
    outcome = await asyncio.gather(failed, told_at_once(world, [broken, *others], DeliveryState.READ))

    assert [type(error) for error in outcome[1]] == [UnreadableDocument, *[type(None)] * 4]
    told = [found for found in await world.documents.query(Query(OUTBOX)) if found.path != path]
    assert sorted((found.data or {})["deliveryState"] for found in told) == ["failed", *["read"] * 4]
    assert world.messaging.deliveries.counts["meta", "delivery_failed", "refused"] == 1


async def entries(world: World) -> list[OutboxEntry]:
    return [OUTBOX_ENTRY.read(found.data or {}, id=found.id) for found in await world.documents.query(Query(OUTBOX))]


def entry() -> OutboxEntry:
    conversation = Conversation(BOA_VIDA, MARIA, NOON, NOON)
    _, writes = enqueue(conversation, [Reply("oi")], author=Author.BOT, now=NOON)
    return OUTBOX_ENTRY.read(writes[0].data or {}, id="e1")


PROGRESS = (DeliveryState.SENT, DeliveryState.DELIVERED, DeliveryState.READ, DeliveryState.PLAYED)


@given(st.lists(st.sampled_from(DeliveryState), min_size=1))
def test_in_whatever_order_statuses_come_the_furthest_stands(states: list[DeliveryState]) -> None:
    moved = entry().claimed("us", NOON).accepted("wamid.1", NOON)
    for state in states:
        moved = moved.reported(status("wamid.1", state), NOON + timedelta(seconds=1))

    furthest = max((DeliveryState.SENT, *(value for value in states if value in PROGRESS)), key=PROGRESS.index)
    failed = furthest is DeliveryState.SENT and DeliveryState.FAILED in states
    assert moved.delivery_state == (DeliveryState.FAILED if failed else furthest)


def test_an_entry_comes_back_from_the_store_as_it_went() -> None:
    claimed = entry().claimed("us", NOON)
    linked = replace(claimed, reply=Reply("mapa", link=Link("Abrir", "https://maps.example/1")))
    placed = replace(claimed, reply=Reply("aqui", pin=Pin(-23.5614, -46.6559, "Boa Vida", "Rua das Flores, 100")))
    started = replace(
        claimed,
        initiative=STARTED,
    )

    for value in (claimed, linked, placed, started):
        assert OUTBOX_ENTRY.read(OUTBOX_ENTRY.write(value), id="e1") == value


def test_an_entry_that_was_stored_before_there_were_templates_can_be_read() -> None:
    stored = OUTBOX_ENTRY.write(entry())
    old = {name: value for name, value in stored.items() if name not in {"replacedId", "initiative"}}

    assert OUTBOX_ENTRY.read(old, id="e1") == entry()
