"""A process is called to what another stored and cannot see to. No sweep helps: each has had its only one."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack

import pytest
from tests.contracts.conftest import SHARED, Engine
from tests.conversation.cast import (
    BOA_VIDA,
    MARIA,
    MARIA_THERE,
    NOON,
    NUMBERS,
    PATIENCE,
    SORRISO,
    World,
    clinic,
    column,
    text,
)
from tests.handing import send_as_person

from gendei.clinic import Contact
from gendei.clinics.directory import Directory
from gendei.documents import Data, Documents, Query
from gendei.messages.keys import INBOX
from gendei.messages.message import Echo, Received

Worlds = Callable[[], Awaitable[World]]


@pytest.fixture(params=SHARED)
def engine(request: pytest.FixtureRequest) -> Engine:
    return SHARED[request.param](request)


@pytest.fixture
async def worlds(engine: Engine) -> AsyncIterator[Worlds]:
    """Makes processes on one store, each with its own connection to it; the first one brings the clinics."""
    async with AsyncExitStack() as stack:

        async def another() -> World:
            documents = await engine.open()
            stack.push_async_callback(documents.close)
            directory = Directory(documents)
            for clinic_id in (BOA_VIDA, SORRISO):
                await directory.import_clinic(clinic(clinic_id))
            return World(documents, directory)

        yield another


async def inbox_until(documents: Documents, wanted: Callable[[list[Data]], bool]) -> list[Data]:
    """The inbox once it is as `wanted`."""
    async with asyncio.timeout(PATIENCE), documents.watch(Query(INBOX)) as results:
        async for found in results:
            entries = [snapshot.data or {} for snapshot in found]
            if wanted(entries):
                return entries
    raise AssertionError("the watch has ended")


async def test_what_a_process_accepts_that_begins_no_turns_is_answered_by_one_that_does(worlds: Worlds) -> None:
    takes_in, answers = await worlds(), await worlds()
    async with answers.messaging:
        await takes_in.accept(text("wamid.1"))
        sent = await answers.sending()
        await answers.idle()

    assert (sent.reply.text, takes_in.provider.sent) == ("re: oi", [])
    assert await answers.history(MARIA_THERE) == []


async def test_messages_that_arrive_elsewhere_during_a_turn_are_in_the_next(worlds: Worlds) -> None:
    takes_in, answers = await worlds(), await worlds()
    answers.receptionist.free.clear()
    async with answers.messaging:
        await takes_in.accept(text("wamid.1", "oi"))
        await answers.asked()
        await takes_in.accept(text("wamid.2", "tudo bem?"))
        answers.receptionist.free.set()
        await answers.sending()
        await answers.sending()
        await answers.idle()

    assert answers.receptionist.heard() == [("oi",), ("tudo bem?",)]


async def test_of_two_that_are_called_one_answers(worlds: Worlds) -> None:
    takes_in, one, two = await worlds(), await worlds(), await worlds()
    async with one.messaging, two.messaging:
        await takes_in.accept(*(text(f"wamid.{number}", sender=Contact(f"+5511{number:09}")) for number in range(8)))
        entries = await inbox_until(takes_in.documents, lambda found: {each["status"] for each in found} == {"done"})
        for world in (one, two):
            await world.idle()

    assert [each for each in entries if "unattended" in each] == []
    assert len(await takes_in.outbox()) == 8
    assert sorted(one.provider.texts() + two.provider.texts()) == ["re: oi"] * 8


async def test_what_staff_write_in_one_process_is_sent_by_another(worlds: Worlds) -> None:
    shows_pages, sends = await worlds(), await worlds()
    async with sends.messaging:
        await shows_pages.accept(text("wamid.1"))
        await sends.sending()
        await sends.idle()
        await send_as_person(shows_pages.messaging.handover, BOA_VIDA, MARIA, "Rosa", "Oi, aqui é a Rosa.")
        sent = await sends.sending()
        await sends.idle()

    assert (sent.reply.text, shows_pages.provider.sent) == ("Oi, aqui é a Rosa.", [])


async def test_what_the_clinics_own_phone_wrote_is_seen_to_elsewhere_too(worlds: Worlds) -> None:
    takes_in, answers = await worlds(), await worlds()
    echo = Echo(message_id="wamid.e", to=MARIA, timestamp=NOON, text="Bom dia, aqui é a Rosa.")
    async with answers.messaging:
        await takes_in.messaging.inbox.accept("meta", [Received(NUMBERS[BOA_VIDA], (), (), (echo,))])
        await inbox_until(takes_in.documents, lambda found: [entry["status"] for entry in found] == ["done"])

    assert "Bom dia, aqui é a Rosa." in column(await answers.history(), "content")


async def test_a_process_that_answers_calls_nobody(worlds: Worlds) -> None:
    answers = await worlds()
    async with answers.messaging:
        await answers.accept(text("wamid.1"))
        [entry] = await answers.inbox()
        await answers.idle()

    assert "unattended" not in entry
