"""Events reach every follower: at least once, in order for each stream, one follower's failure nobody else's."""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta

import pytest
from tests.conversation.cast import BOA_VIDA, MARIA, NOON, PATIENCE, SORRISO, Watchmaker
from tests.crash.cut_off import CutOff
from tests.followers import Recorder

from gendei.booking.events import AgendaEvent, AgendaPlace, Doer, DoerKind, EventKind, Stream
from gendei.clinic import ClinicId
from gendei.conversation.backlog import Backlog, NotPossible, Trouble
from gendei.conversation.wake_ups import WakeUps
from gendei.conversation.work.following import BACKOFF, EventStatus, Following, FollowingPace
from gendei.documents import Data, Documents, Query, Transaction, transact
from gendei.errors import NotFound, StoreUnavailable
from gendei.messages.keys import EVENTS
from gendei.store.sqlite import SqliteDocuments

KINDS = (EventKind.BOOKED, EventKind.MOVED, EventKind.CANCELLED)
PACE = FollowingPace(look_again=3600, stop=0)
"""Nothing is looked at again unless the test does."""


def event(seq: int, subject: str = "a1", clinic_id: ClinicId = BOA_VIDA) -> AgendaEvent:
    """Of an appointment's life: booked, moved, cancelled."""
    return AgendaEvent(
        kind=KINDS[seq - 1],
        stream=Stream(clinic_id, subject),
        seq=seq,
        at=NOON,
        doer=Doer(DoerKind.PATIENT),
        place=AgendaPlace("ana", NOON, NOON + timedelta(hours=1)),
        appointment_id=subject,
        contact=MARIA,
    )


@dataclass
class Process:
    """One process on the store, with its own follower of every kind."""

    documents: Documents
    clock: Watchmaker
    follower: Recorder = field(default_factory=Recorder)

    def __post_init__(self) -> None:
        self.following = Following(self.documents, self.clock, pace=PACE)
        self.following.register(self.follower)

    async def happens(self, *events: AgendaEvent) -> None:
        """All in one commit."""

        async def attempt(transaction: Transaction) -> None:
            self.following.tell(transaction, events)

        await transact(self.documents, attempt)

    async def asked(self) -> AgendaEvent:
        """Wait until its follower is given an event."""
        async with asyncio.timeout(PATIENCE):
            return await self.follower.asked.get()

    async def idle(self) -> None:
        async with asyncio.timeout(PATIENCE):
            await self.following.idle()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """The first sweep is over: what happens from now on nobody looks for but the test."""
        async with self.following:
            await self.following.sweep()
            await self.idle()
            yield

    async def look(self, *streams: Stream) -> None:
        """As a sweep does once they are due."""
        for stream in streams:
            self.following.notify(stream)
        await self.idle()


@pytest.fixture
async def store() -> AsyncIterator[CutOff]:
    documents = await SqliteDocuments.open(":memory:")
    yield CutOff(documents)
    await documents.close()


@pytest.fixture
def clock() -> Watchmaker:
    return Watchmaker()


@pytest.fixture
def process(store: CutOff, clock: Watchmaker) -> Process:
    return Process(store, clock)


async def stored(store: Documents) -> list[Data]:
    return [snapshot.data or {} for snapshot in await store.query(Query(EVENTS))]


async def test_what_is_committed_is_followed_at_once_and_then_gone(process: Process, store: CutOff) -> None:
    async with process.running():
        await process.happens(event(1), event(2))
        await process.idle()
    assert (process.follower.effects, await stored(store)) == ([event(1), event(2)], [])


async def test_what_is_not_committed_is_not_followed(process: Process, store: CutOff) -> None:
    async def attempt(transaction: Transaction) -> None:
        process.following.tell(transaction, [event(1)])
        store.cut = True

    async with process.running():
        with pytest.raises(StoreUnavailable):
            await transact(store, attempt)
        store.cut = False
        await process.look(event(1).stream)
    assert process.follower.given == []


async def test_what_nobody_wants_is_not_even_written(process: Process, store: CutOff) -> None:
    process.follower.kinds = frozenset({EventKind.CANCELLED})
    async with process.running():
        await process.happens(event(1))
        assert await stored(store) == []
        await process.happens(event(3))
        await process.idle()
    assert process.follower.told == ["cancelled"]


async def test_what_a_process_without_followers_writes_and_nobody_wants_is_cleared_away(
    process: Process, store: CutOff, clock: Watchmaker
) -> None:
    process.follower.kinds = frozenset()

    async def attempt(transaction: Transaction) -> None:
        Following(store, clock, tells_all=True).tell(transaction, [event(1)])

    await transact(store, attempt)
    assert len(await stored(store)) == 1
    async with process.running():
        await process.idle()
    assert (process.follower.given, await stored(store)) == ([], [])


async def test_two_followers_of_one_name_are_refused(process: Process) -> None:
    with pytest.raises(ValueError, match="recorder"):
        process.following.register(Recorder())


def by_stream(events: Sequence[AgendaEvent]) -> list[AgendaEvent]:
    """One stream after the other: only within a stream is there an order."""
    return sorted(events, key=lambda told: told.stream.subject)


def failing(times: int, subject: str = "a1", seq: int = 1) -> Recorder:
    """Fails so often on one event."""
    left = [RuntimeError("no word of this in a log")] * times

    def before(given: AgendaEvent) -> None:
        if (given.stream.subject, given.seq) == (subject, seq) and left:
            raise left.pop()

    return Recorder("unlucky", before=before)


async def test_a_follower_that_fails_is_tried_again_in_order_and_holds_nobody_else(
    process: Process, clock: Watchmaker
) -> None:
    unlucky = failing(2)
    process.following.register(unlucky)
    stream = event(1).stream
    async with process.running():
        await process.happens(event(1), event(2))
        await process.happens(event(1, "b2"))
        await process.idle()
        assert by_stream(process.follower.effects) == [event(1), event(2), event(1, "b2")]
        assert unlucky.effects == [event(1, "b2")]
        for _ in range(2):
            clock.advance(3600)
            await process.look(stream)
    assert unlucky.effects == [event(1, "b2"), event(1), event(2)]
    assert by_stream(process.follower.given) == [event(1), event(2), event(1, "b2")]


async def test_it_is_not_tried_again_before_its_time(process: Process) -> None:
    unlucky = failing(2)
    process.following.register(unlucky)
    async with process.running():
        await process.happens(event(1))
        await process.idle()
        await process.look(event(1).stream)
    assert unlucky.given == [event(1)]


async def parked(process: Process, clock: Watchmaker, unlucky: Recorder) -> None:
    process.following.register(unlucky)
    await process.happens(event(1))
    await process.idle()
    for _ in range(BACKOFF.attempts):
        clock.advance(3600)
        await process.look(event(1).stream)


async def test_what_fails_too_often_is_parked_visibly_and_the_stream_goes_on(
    process: Process, store: CutOff, clock: Watchmaker, caplog: pytest.LogCaptureFixture
) -> None:
    unlucky = failing(99)
    async with process.running():
        with caplog.at_level(logging.WARNING):
            await parked(process, clock, unlucky)
        await process.happens(event(2))
        await process.idle()
    assert (len(unlucky.given), unlucky.effects) == (BACKOFF.attempts + 1, [event(2)])
    [left] = await stored(store)
    assert (left["status"], left["failed"]["unlucky"]["attempts"]) == (EventStatus.PARKED, BACKOFF.attempts)
    [item] = await Backlog(store, clock).show()
    assert (item.id, item.trouble, item.reason) == (event(1).id, Trouble.PARKED, "unlucky: RuntimeError")
    assert (item.conversation.clinic_id, item.conversation.contact) == (BOA_VIDA, MARIA)
    assert [record.levelname for record in caplog.records] == ["WARNING"] * (BACKOFF.attempts - 1) + ["ERROR"]
    assert "no word" not in caplog.text
    assert process.following.counts == {
        ("recorder", "followed"): 2,
        ("unlucky", "failed"): BACKOFF.attempts - 1,
        ("unlucky", "parked"): 1,
        ("unlucky", "followed"): 1,
    }


async def test_what_is_parked_is_given_again_when_an_operator_wants_it(
    process: Process, store: CutOff, clock: Watchmaker
) -> None:
    unlucky = failing(BACKOFF.attempts)
    async with process.running():
        await parked(process, clock, unlucky)
        with pytest.raises(NotFound):
            await Backlog(store, clock, SORRISO).replay(event(1).id)
        await Backlog(store, clock).replay(event(1).id)
        await process.following.sweep()
        await process.idle()
    assert (unlucky.effects, process.follower.given) == ([event(1)], [event(1)])
    assert await stored(store) == []


async def test_what_is_parked_is_given_up_when_an_operator_drops_it(
    process: Process, store: CutOff, clock: Watchmaker
) -> None:
    async with process.running():
        await parked(process, clock, failing(99))
    with pytest.raises(NotFound):
        await Backlog(store, clock, SORRISO).drop(event(1).id)
    await Backlog(store, clock, BOA_VIDA).drop(event(1).id)
    assert await stored(store) == []


async def test_what_waits_is_not_for_operators_to_drop(process: Process, store: CutOff, clock: Watchmaker) -> None:
    await process.happens(event(1))
    assert await Backlog(store, clock).show() == []
    with pytest.raises(NotPossible):
        await Backlog(store, clock).drop(event(1).id)


async def test_what_a_dead_process_claimed_is_another_processs_once_the_claim_is_over(
    process: Process, store: CutOff, clock: Watchmaker
) -> None:
    process.follower.free.clear()
    heir = Process(store, clock)
    async with heir.running():
        async with process.running():
            await process.happens(event(1), event(2))  # its follower hangs until it is cancelled at the stop
        await heir.following.sweep()
        await heir.idle()
        assert heir.follower.given == []
        clock.advance(PACE.claim)
        await heir.look(event(1).stream)
    assert (heir.follower.effects, await stored(store)) == ([event(1), event(2)], [])


async def test_a_new_process_finds_what_was_left(process: Process, store: CutOff, clock: Watchmaker) -> None:
    process.follower.free.clear()
    async with process.running():
        await process.happens(event(1))
    clock.advance(PACE.claim)
    heir = Process(store, clock)
    async with heir.running():
        assert heir.follower.effects == [event(1)]


async def test_an_event_that_ends_every_process_is_parked(store: CutOff, clock: Watchmaker) -> None:
    for number in range(BACKOFF.attempts):
        victim = Process(store, clock)
        victim.follower.free.clear()
        async with victim.following:
            if number == 0:
                await victim.happens(event(1))
            await victim.asked()
        clock.advance(PACE.claim)
    survivor = Process(store, clock)
    async with survivor.running():
        await survivor.happens(event(2))
        await survivor.idle()
    assert survivor.follower.effects == [event(2)]
    assert [entry["status"] for entry in await stored(store)] == [EventStatus.PARKED]


async def test_two_processes_keep_the_order_of_a_stream(process: Process, store: CutOff, clock: Watchmaker) -> None:
    """The first still follows what was booked while the second has moved it."""
    other = Process(store, clock)
    process.follower.free.clear()
    async with process.running(), other.running():
        await process.happens(event(1))
        await other.happens(event(2))
        await other.happens(event(1, "b2"))
        assert await other.asked() == event(1, "b2")
        process.follower.free.set()
        await process.idle()
        await other.look(event(2).stream)
        assert (process.follower.effects, other.follower.effects) == ([event(1)], [event(1, "b2"), event(2)])
    assert await stored(store) == []


async def test_while_the_store_is_away_nothing_is_lost(process: Process, store: CutOff, clock: Watchmaker) -> None:
    process.follower.free.clear()
    async with process.running():
        await process.happens(event(1))
        await process.asked()
        store.cut = True
        process.follower.free.set()
        await process.idle()
        store.cut = False
        await process.look(event(1).stream)
    assert (process.follower.effects, await stored(store)) == ([event(1)], [])


async def test_a_follower_with_a_delay_waits_for_it_and_is_not_needed_where_it_was_settled(
    process: Process, store: CutOff, clock: Watchmaker
) -> None:
    patient = Recorder("patient", delay=timedelta(seconds=30))
    process.following.register(patient)
    process.follower.kinds = frozenset({EventKind.BOOKED})
    async with process.running():
        await process.happens(event(1), event(2))
        await process.idle()
        await process.look(event(1).stream)
        assert (process.follower.effects, patient.given) == ([event(1)], [])
        await process.following.settle(event(1).id, patient.name)
        clock.advance(30)
        await process.look(event(1).stream)
    assert (patient.effects, await stored(store)) == ([event(2)], [])


async def test_settling_one_follower_leaves_the_others_to_follow(process: Process, clock: Watchmaker) -> None:
    process.following.register(Recorder("patient", delay=timedelta(seconds=30)))
    await process.happens(event(1))  # it does not run yet
    await process.following.settle(event(1).id, "patient")
    async with process.running():
        await process.idle()
    assert process.follower.effects == [event(1)]


async def test_a_process_that_does_not_follow_calls_one_that_does(store: CutOff, clock: Watchmaker) -> None:
    shows_pages, follows = Process(store, clock), Process(store, clock)
    followed = asyncio.Event()
    follows.follower.before = lambda _event: followed.set()

    def nobody(_key: object) -> None:
        return None

    called = follows.following.notify
    async with follows.running(), WakeUps(store, waiting=nobody, echoed=nobody, sending=nobody, happened=called):
        await shows_pages.happens(event(1))
        async with asyncio.timeout(PATIENCE):
            await followed.wait()
        await follows.idle()
    assert (shows_pages.follower.given, follows.follower.effects) == ([], [event(1)])
    assert await stored(store) == []
