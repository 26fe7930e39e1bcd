from dataclasses import replace

import pytest
from tests.conversation.cast import (
    BOA_VIDA,
    MARIA_HERE,
    RecordingProvider,
    World,
    clinic,
    column,
    said,
    status,
    text,
)

from gendei.clinic import Channel
from gendei.clinics.directory import Directory
from gendei.conversation.stored.conversation import FailureReason
from gendei.documents import Documents, Query
from gendei.errors import StoreUnavailable
from gendei.messages.channels import Outcome, Permanent, Transient, Unknown
from gendei.messages.keys import OUTBOX
from gendei.messages.message import DeliveryState, OutgoingMessage
from gendei.store.sqlite import SqliteDocuments

GRACE, ABANDONED = 15, 30


async def look_again(world: World, seconds: float = 0) -> None:
    world.clock.advance(seconds)
    world.messaging.outbox.notify(MARIA_HERE)
    await world.idle()


async def test_replies_leave_in_order_and_each_waits_for_the_one_before(world: World) -> None:
    world.receptionist.script.append(said("um", "dois", "três"))
    world.provider.outcomes.append(Transient("busy", retry_after=5))
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.idle()
        tried = world.provider.texts()
        await look_again(world, 10)

    assert tried == ["um"]
    assert world.provider.texts() == ["um", "um", "dois", "três"]
    assert column(await world.outbox(), "status") == ["sent"] * 3


async def test_a_message_is_not_tried_again_before_the_provider_wants_it(world: World) -> None:
    world.provider.outcomes.append(Transient("busy", retry_after=60))
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.idle()
        await look_again(world, 59)
        early = len(world.provider.sent)
        await look_again(world, 20)

    assert (early, len(world.provider.sent)) == (1, 2)


async def test_a_message_that_never_gets_through_fails_after_eight_attempts(world: World) -> None:
    world.provider.outcomes.extend([Transient("busy")] * 20)
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.idle()
        for _ in range(10):
            await look_again(world, 400)

    failure = (await world.conversation()).last_failure
    assert len(world.provider.sent) == 8
    assert column(await world.outbox(), "status") == ["failed"]
    assert failure is not None
    assert (failure.reason, failure.detail) == (FailureReason.SEND_FAILED, "busy")


async def test_a_message_that_can_never_be_sent_fails_at_once_and_the_next_goes(world: World) -> None:
    world.receptionist.script.append(said("um", "dois"))
    world.provider.outcomes.append(Permanent("131026 undeliverable"))
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.idle()

    assert world.provider.texts() == ["um", "dois"]
    assert [(entry["status"], entry["error"]) for entry in await world.outbox()] == [
        ("failed", "131026 undeliverable"),
        ("sent", None),
    ]


async def test_an_unknown_outcome_is_settled_by_a_status_and_not_sent_again(world: World) -> None:
    world.receptionist.script.append(said("um", "dois"))
    world.provider.outcomes.append(Unknown("read timeout"))
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.idle()
        waiting = world.provider.texts()
        reference = world.provider.sent[0].reference
        await world.accept(statuses=[status("wamid.late", DeliveryState.DELIVERED, reference=reference)])
        await world.idle()
        await look_again(world, 3600)

    first = (await world.outbox())[0]
    assert waiting == ["um"]
    assert world.provider.texts() == ["um", "dois"]
    assert (first["status"], first["providerMessageId"], first["deliveryState"]) == ("sent", "wamid.late", "delivered")


async def test_an_unknown_outcome_that_no_status_settles_is_sent_again_after_the_grace(world: World) -> None:
    world.provider.outcomes.append(Unknown("read timeout"))
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.idle()
        await look_again(world, GRACE - 1)
        early = len(world.provider.sent)
        await look_again(world, 2)

    assert (early, len(world.provider.sent)) == (1, 2)
    assert column(await world.outbox(), "status") == ["sent"]


async def test_a_status_that_overtakes_the_answer_of_the_provider_is_kept(world: World) -> None:
    world.provider.free.clear()
    async with world.messaging:
        await world.accept(text("wamid.1"))
        reference = (await world.sending()).reference
        await world.accept(statuses=[status("wamid.out1", DeliveryState.READ, reference=reference)])
        world.provider.free.set()
        await world.idle()

    [entry] = await world.outbox()
    assert (entry["status"], entry["providerMessageId"], entry["deliveryState"]) == ("sent", "wamid.out1", "read")


async def committed_only(world: World) -> World:
    """A process that died after the turn's commit and before anything was sent; the next one."""
    async with world.messaging.worker:
        await world.accept(text("wamid.1"))
        await world.messaging.worker.idle()
    assert column(await world.outbox(), "status") == ["pending"]
    return world.another()


async def test_a_reply_whose_process_died_before_sending_is_sent_once_by_the_next(world: World) -> None:
    second = await committed_only(world)

    async with second.messaging:
        await second.messaging.outbox.sweep()
        await second.idle()

    assert (world.provider.texts(), second.provider.texts()) == ([], ["re: oi"])


async def died_while_sending(world: World) -> World:
    world.provider.free.clear()
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.sending()
        await world.messaging.outbox.stop(grace=0)
    assert column(await world.outbox(), "status") == ["sending"]
    return world.another()


async def test_a_reply_whose_process_died_while_sending_waits_for_a_status(world: World) -> None:
    second = await died_while_sending(world)
    async with second.messaging:
        await look_again(second)
        await look_again(second, ABANDONED + 1)
        reference = world.provider.sent[0].reference
        await second.accept(statuses=[status("wamid.out1", DeliveryState.SENT, reference=reference)])
        await look_again(second, GRACE + 1)

    assert second.provider.texts() == []
    assert column(await second.outbox(), "status") == ["sent"]


async def test_a_reply_whose_process_died_while_sending_is_sent_again_when_no_status_comes(world: World) -> None:
    second = await died_while_sending(world)
    async with second.messaging:
        await look_again(second, ABANDONED + 1)
        early = second.provider.texts()
        await look_again(second, GRACE + 1)

    assert (early, second.provider.texts()) == ([], ["re: oi"])


async def test_two_processes_send_a_reply_once(world: World) -> None:
    second = await committed_only(world)
    third = world.another()

    async with second.messaging, third.messaging:
        await second.messaging.outbox.sweep()
        await third.messaging.outbox.sweep()
        await second.idle()
        await third.idle()

    assert second.provider.texts() + third.provider.texts() == ["re: oi"]


async def test_nothing_leaves_when_the_service_window_has_closed(world: World) -> None:
    second = await committed_only(world)
    second.clock.advance(24 * 3600)
    async with second.messaging:
        await look_again(second)

    failure = (await second.conversation()).last_failure
    assert second.provider.sent == []
    assert failure is not None
    assert failure.reason is FailureReason.WINDOW_CLOSED
    assert (await second.history())[1]["error"] == "window_closed"


async def test_a_reply_through_a_number_that_the_clinic_no_longer_has_fails_with_a_reason(
    documents: SqliteDocuments, directory: Directory
) -> None:
    world = World(documents, directory)
    second = await committed_only(world)
    await directory.import_clinic(replace(clinic(BOA_VIDA), channels=(Channel("meta", "3003"),)))
    async with second.messaging:
        await look_again(second)

    failure = (await second.conversation()).last_failure
    assert second.provider.sent == []
    assert failure is not None
    assert failure.reason is FailureReason.CHANNEL_MISSING


class ShakyStore:
    """A store whose next `failures` commits fail."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self.failures = 0

    def __getattr__(self, name: str) -> object:
        return getattr(self._documents, name)

    async def commit(self, writes: object) -> None:
        if self.failures:
            self.failures -= 1
            raise StoreUnavailable
        await self._documents.commit(writes)  # type: ignore[arg-type]  # passed on


class BreaksStore(RecordingProvider):
    """Accepts the message, after which the store fails twice."""

    def __init__(self, store: ShakyStore) -> None:
        super().__init__()
        self._store = store

    async def send(self, channel: Channel, message: OutgoingMessage) -> Outcome:
        self._store.failures = 2
        return await super().send(channel, message)


async def test_an_accepted_message_is_recorded_though_the_store_fails_for_a_moment(
    documents: SqliteDocuments, directory: Directory
) -> None:
    store = ShakyStore(documents)
    world = World(store, directory, provider=BreaksStore(store))  # type: ignore[arg-type]  # passes everything on
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.idle()

    assert len(world.provider.sent) == 1
    assert column(await world.outbox(), "status") == ["sent"]


async def test_a_turn_that_the_store_cannot_record_is_done_again(
    documents: SqliteDocuments, directory: Directory
) -> None:
    store = ShakyStore(documents)
    world = World(store, directory)  # type: ignore[arg-type]  # passes everything on
    async with world.messaging:
        world.receptionist.free.clear()
        await world.accept(text("wamid.1"))
        await world.asked()
        store.failures = 2
        world.receptionist.free.set()
        await world.sending()
        await world.idle()

    assert (len(world.receptionist.turns), world.provider.texts()) == (2, ["re: oi"])


async def test_a_provider_that_raises_leaves_the_outcome_unknown(world: World) -> None:
    class Broken(RecordingProvider):
        async def send(self, channel: Channel, message: OutgoingMessage) -> Outcome:
            await super().send(channel, message)
            raise RuntimeError("socket")

    broken = World(world.documents, world.directory, provider=Broken())
    async with broken.messaging:
        await broken.accept(text("wamid.1"))
        await broken.idle()

    [entry] = await broken.outbox()
    assert (entry["status"], entry["error"]) == ("sending", "RuntimeError")


@pytest.mark.parametrize("collection", [OUTBOX])
async def test_ids_in_the_outbox_do_not_rise(world: World, collection: str) -> None:
    world.receptionist.script.append(said(*"abcdef"))
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.idle()

    ids = [snapshot.id for snapshot in await world.documents.query(Query(collection, order_by=(("seq", False),)))]
    assert ids != sorted(ids)
