"""A process that cannot reach the store any more: what it began is another's, and it says nothing."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
from tests.contracts.conftest import SHARED, Engine
from tests.conversation.cast import BOA_VIDA, MARIA_THERE, SORRISO, World, clinic, column, status, text
from tests.crash.cut_off import CutOff

from gendei.clinics.directory import Directory
from gendei.messages.message import DeliveryState

LEASE_OVER, CLAIM_OVER = 11, 31


@dataclass
class Pair:
    """Two processes on one store and one clock; `line` is the first one's connection to it."""

    line: CutOff
    first: World
    second: World


@pytest.fixture(params=SHARED)
def engine(request: pytest.FixtureRequest) -> Engine:
    return SHARED[request.param](request)


@pytest.fixture
async def pair(engine: Engine) -> AsyncIterator[Pair]:
    line, other = CutOff(await engine.open()), await engine.open()
    directories = [Directory(documents) for documents in (line, other)]
    for directory in directories:
        for clinic_id in (BOA_VIDA, SORRISO):
            await directory.import_clinic(clinic(clinic_id))
    first = World(line, directories[0])
    yield Pair(line, first, World(other, directories[1], first.clock))
    for documents in (line, other):
        await documents.close()


async def test_a_turn_of_a_process_that_was_cut_off_is_another_processs(pair: Pair) -> None:
    first, second = pair.first, pair.second
    first.receptionist.free.clear()
    async with first.messaging:
        await first.accept(text("wamid.1"))
        await first.asked()
        pair.line.cut = True
        first.clock.advance(LEASE_OVER)
        async with second.messaging:
            await second.sending()
            await second.idle()
        first.receptionist.free.set()
        await first.idle()
        pair.line.cut = False
        await first.messaging.worker.sweep()
        await first.idle()

    assert (first.provider.texts(), second.provider.texts()) == ([], ["re: oi"])
    assert column(await second.history(), "content") == ["oi", "re: oi"]
    assert await second.history(MARIA_THERE) == []


async def test_a_reply_whose_sender_was_cut_off_while_sending_goes_out_once(pair: Pair) -> None:
    """The provider took it, and the sender could not write that down: a status tells the others."""
    first, second = pair.first, pair.second
    first.provider.free.clear()
    async with first.messaging:
        await first.accept(text("wamid.1"))
        sent = await first.sending()
        pair.line.cut = True
        first.provider.free.set()
        await first.idle()
        first.clock.advance(CLAIM_OVER)
        async with second.messaging:
            await second.idle()
            reported = status("wamid.out1", DeliveryState.DELIVERED, reference=sent.reference)
            await second.accept(statuses=[reported])
            await second.idle()
        pair.line.cut = False
        await first.messaging.outbox.sweep()
        await first.idle()

    assert (first.provider.texts(), second.provider.texts()) == (["re: oi"], [])
    assert column(await second.outbox(), "status") == ["sent"]
