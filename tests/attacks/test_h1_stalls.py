"""Row H1 of the attack: what one sender writes may not keep the event loop from everybody else."""

import asyncio
import logging
from collections.abc import AsyncIterator
from time import perf_counter

import pytest
from tests.conversation.cast import (
    APOLOGY,
    BOA_VIDA,
    JOAO,
    MARIA_HERE,
    PATIENCE,
    SORRISO,
    ScriptedReceptionist,
    World,
    clinic,
    column,
    text,
)

from gendei import off_loop
from gendei.clinics.directory import Directory
from gendei.conversation.turns import turn as turns
from gendei.conversation.work.lease import STALLS_KEPT_FOR
from gendei.documents import Query, put
from gendei.messages.keys import LEASES
from gendei.messages.turns import TurnInput, TurnOutcome
from gendei.observing import loop_watch
from gendei.observing.loop_watch import LoopWatch
from gendei.store.sqlite import SqliteDocuments

POISON = "veneno"


@pytest.fixture(autouse=True)
def short_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in the service, but in hundredths of a second."""
    monkeypatch.setattr(loop_watch, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr(loop_watch, "BLOCKED_SECONDS", 0.02)
    monkeypatch.setattr(loop_watch, "LOGGED_SECONDS", 0.02)
    monkeypatch.setattr(turns, "STALL_SECONDS", 0.05)


class StallingReceptionist(ScriptedReceptionist):
    """Holds the event loop over what is poisonous, until the watch has seen it."""

    def __init__(self, watch: LoopWatch) -> None:
        super().__init__()
        self.watch = watch
        self.stalled = 0
        self.patience = PATIENCE

    async def answer(self, turn: TurnInput) -> TurnOutcome:
        if any(message.text == POISON for message in turn.inputs):
            self.stalled += 1
            hold(self.watch, turns.STALL_SECONDS)
        return await super().answer(turn)


def hold(watch: LoopWatch, seconds: float) -> None:
    """Keep the loop busy until the watch says for how long."""
    task, began = asyncio.current_task(), perf_counter()
    while watch.longest_of(task) < seconds:
        assert perf_counter() - began < PATIENCE


@pytest.fixture
async def documents() -> AsyncIterator[SqliteDocuments]:
    store = await SqliteDocuments.open(":memory:")
    yield store
    await store.close()


@pytest.fixture
async def watch() -> AsyncIterator[LoopWatch]:
    async with LoopWatch() as watching:
        yield watching


@pytest.fixture
async def world(documents: SqliteDocuments, watch: LoopWatch) -> World:
    directory = Directory(documents)
    for clinic_id in (BOA_VIDA, SORRISO):
        await directory.import_clinic(clinic(clinic_id))
    return World(documents, directory, receptionist=StallingReceptionist(watch), watch=watch)


async def test_who_stalls_the_loop_twice_in_a_row_is_parked_unread_and_everybody_else_is_served(world: World) -> None:
    receptionist = world.receptionist
    assert isinstance(receptionist, StallingReceptionist)
    async with world.messaging:
        for number in range(4):
            await world.accept(text(f"wamid.{number}", POISON))
            await world.idle()
        await world.accept(text("wamid.joao", "quero marcar", sender=JOAO))
        await world.idle()

    answered = f"re: {POISON}"
    assert receptionist.stalled == turns.MAX_STALLS
    assert world.provider.texts() == [answered, answered, APOLOGY, APOLOGY, "re: quero marcar"]
    assert sorted(column(await world.inbox(), "status")) == ["done", "done", "done", "parked", "parked"]
    assert column(await world.history(), "content").count(POISON) == 4


async def test_a_stall_is_forgiven_by_a_turn_without_one(world: World) -> None:
    async with world.messaging:
        for number, words in enumerate((POISON, "oi", POISON, "tudo bem?")):
            await world.accept(text(f"wamid.{number}", words))
            await world.idle()

    assert world.provider.texts() == [f"re: {words}" for words in (POISON, "oi", POISON, "tudo bem?")]
    assert await world.documents.query(Query(LEASES)) == []


async def test_two_stalls_are_forgiven_after_an_hour(world: World) -> None:
    async with world.messaging:
        for number in range(turns.MAX_STALLS):
            await world.accept(text(f"wamid.{number}", POISON))
            await world.idle()
        world.clock.advance(STALLS_KEPT_FOR.total_seconds())
        await world.accept(text("wamid.later", "oi"))
        await world.idle()

    assert world.provider.texts()[-1] == "re: oi"


async def test_a_turn_that_stalled_until_another_process_took_it_counts_against_its_messages(world: World) -> None:
    """Two processes stand still over the same message: whoever looks at it next parks it."""
    receptionist = world.receptionist
    assert isinstance(receptionist, StallingReceptionist)

    async def robbed(turn: TurnInput) -> TurnOutcome:
        outcome = await StallingReceptionist.answer(receptionist, turn)
        [lease] = await world.documents.query(Query(LEASES))
        await world.documents.commit([put(lease.path, (lease.data or {}) | {"owner": "another process"})])
        return outcome

    receptionist.answer = robbed  # type: ignore[method-assign]
    async with world.messaging:
        await world.accept(text("wamid.1", POISON))
        await world.asked()
        await world.idle()

    assert (column(await world.inbox(), "attempts"), world.provider.texts()) == ([turns.MAX_ATTEMPTS - 1], [])


async def test_what_held_the_loop_is_told_in_log_and_figures_without_a_word_of_the_patient(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING):
        async with LoopWatch() as watch:
            hold(watch, 0.05)

    [line] = [message for message in caplog.messages if "stood still" in message]
    assert "gendei.observing.loop_watch.longest_of" in line
    assert set(watch.blocks.by_result) == {"observing"}


@pytest.fixture
def no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(off_loop, "DEADLINE_SECONDS", 0.0)


async def test_work_on_little_text_is_done_at_once_and_on_much_in_a_thread() -> None:
    async def holds_the_loop(characters: int) -> bool:
        """Whether nothing else ran meanwhile."""
        ran: list[int] = []
        asyncio.get_running_loop().call_soon(ran.append, 1)
        await off_loop.off_loop(characters, lambda: None)
        return not ran

    assert await holds_the_loop(off_loop.INLINE_CHARACTERS)
    assert not await holds_the_loop(off_loop.INLINE_CHARACTERS + 1)


@pytest.mark.usefixtures("no_time")
async def test_work_on_text_has_a_deadline() -> None:
    with pytest.raises(off_loop.TextTookTooLong):
        await off_loop.off_loop(off_loop.INLINE_CHARACTERS + 1, perf_counter)


async def test_the_turn_is_what_stalls_and_no_other_task(watch: LoopWatch) -> None:
    async def innocent(release: asyncio.Event) -> float:
        await release.wait()
        return watch.longest_of(asyncio.current_task())

    async def guilty() -> float:
        hold(watch, 0.05)
        return watch.longest_of(asyncio.current_task())

    release = asyncio.Event()
    waiting = asyncio.create_task(innocent(release))
    stalled = await asyncio.create_task(guilty())
    release.set()

    assert (stalled >= 0.05, await waiting) == (True, 0.0)
    assert watch.longest_of(None) == 0.0


async def test_the_lease_of_a_stalled_turn_tells_the_next_owner(world: World) -> None:
    async with world.messaging:
        await world.accept(text("wamid.1", POISON))
        await world.idle()
    [lease] = await world.documents.query(Query(LEASES))

    assert lease.path == MARIA_HERE.lease_path
    assert ((lease.data or {})["stalls"], (lease.data or {})["deaths"]) == (1, 0)
