"""No two people get one time: raced in several processes, and with a death before and after each commit."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from itertools import count

import pytest
from tests.booking.builders import JOAO, MARIA, at
from tests.contracts.conftest import Engine
from tests.waiting.line import ANNA, HERE, RITA, TUESDAY, Line, name_in, together, wish

from gendei.booking.slots import BookingRefused
from gendei.clinic import Contact
from gendei.documents import Documents, Query, Write
from gendei.errors import NotFound, StoreUnavailable
from gendei.store.sqlite import SqliteDocuments
from gendei.waiting.refill import OfferState
from gendei.waiting.waiting_list import OfferName, OfferOver

ONLY_ANA = wish(professional_id="ana")
MANY = [Contact(f"+55119888877{number:02}") for number in range(6)]


class Dying:
    """Fails once, at its commit number `at`: before it is made, or after that and before anybody knows."""

    def __init__(self, documents: Documents, commit: int, *, made: bool) -> None:
        self._documents, self._left, self._made = documents, commit, made
        self.died = False

    def __getattr__(self, name: str) -> object:
        return getattr(self._documents, name)

    async def commit(self, writes: Sequence[Write]) -> None:
        if self.died:
            raise StoreUnavailable("dead")
        self._left -= 1
        self.died = self._left < 0
        if self.died and not self._made:
            raise StoreUnavailable("dead")
        await self._documents.commit(writes)
        if self.died:
            raise StoreUnavailable("dead")


async def held(documents: Documents) -> list[str]:
    pages = await documents.query(Query(f"gendei_clinics/{HERE.id}/agenda"))
    return [who for page in pages for who in (page.data or {})["holds"] if who.startswith("waiting:")]


async def standing(line: Line) -> list[tuple[Contact, object]]:
    """Whose appointment each is, at that time."""
    found = await line.desk.appointments(HERE, TUESDAY.date(), TUESDAY.date())
    return [(each.contact, each.start) for each in found if each.status.takes_time]


async def answer(line: Line, who: Contact, name: OfferName) -> bool:
    with suppress(OfferOver, BookingRefused, NotFound):
        await line.waiting.take(together(at_once=len(MANY)), who, name)
        return True
    return False


async def test_of_many_who_say_yes_at_once_in_two_processes_one_has_the_time(shared_engine: Engine) -> None:
    first, second = await shared_engine.open(), await shared_engine.open()
    async with Line(first) as line, Line(second, line.clock, line.clinics) as other:
        line.clinics.now_is(together(at_once=len(MANY)))
        appointment = await line.fill()
        for who in MANY:
            await line.join(who, ONLY_ANA)
        await line.desk.cancel(HERE, None, appointment.id)
        await asyncio.gather(line.work(), other.work())
        await asyncio.gather(line.work(), other.work())
        names = {entry.contact: name for entry in await line.entries() if (name := name_in(entry, HERE))}

        won = await asyncio.gather(
            *(answer((line, other)[place % 2], who, names[who]) for place, who in enumerate(MANY))
        )
        await asyncio.gather(line.work(), other.work())

        assert (len(await line.entries()), len(names)) == (2 * len(MANY) - 1, len(MANY))
        assert sum(won) == 1
        assert await standing(line) == [(MANY[won.index(True)], TUESDAY)]
        assert len(await line.waiting.all(HERE)) == len(MANY) - 1
        assert await held(first) == []
    await asyncio.gather(first.close(), second.close())


async def died_at(commit: int, *, made: bool) -> bool:
    """Play an offer that nobody answers, one that is declined and one that is taken, where the process dies at that
    commit; whether it did. Another goes on in its place."""
    store = await SqliteDocuments.open(":memory:")
    dying = Dying(store, commit, made=made)
    async with Line(store) as sound, Line(dying, sound.clock, sound.clinics) as doomed:  # type: ignore[arg-type]
        appointment = await sound.fill(at(4, "10:00"))
        for who in (MARIA, JOAO, ANNA):
            await sound.join(who, ONLY_ANA)
        await sound.desk.cancel(HERE, None, appointment.id)

        async def both() -> None:
            with suppress(StoreUnavailable):
                await doomed.work()
            sound.clock.forward(minutes=2)  # what the dead one had claimed is free again
            await sound.work()

        await both()
        sound.clock.forward(minutes=30)
        await both()
        await said(doomed, sound, JOAO, yes=False)
        await both()
        await said(doomed, sound, ANNA, yes=True)
        await both()

        sent = [entry.contact for entry in await sound.entries() if name_in(entry, HERE)]
        [refill] = await sound.refills()
        assert sorted(sent) == sorted({MARIA, JOAO, ANNA}), commit
        assert [offer.state for offer in refill.offers] == [OfferState.EXPIRED, OfferState.PASSED, OfferState.TAKEN]
        booked = await sound.desk.appointments(HERE, at(4, "10:00").date(), at(4, "10:00").date())
        assert [each.contact for each in booked if each.status.takes_time] == [ANNA]
        assert [entry.contact for entry in await sound.waiting.all(HERE)] == [MARIA, JOAO]
        assert (await held(store), refill.due_at) == ([], None)
    await store.close()
    return dying.died


async def said(doomed: Line, sound: Line, who: Contact, *, yes: bool) -> None:
    """In the process that dies, and again in the next, as a turn is."""
    names = [name for entry in await sound.entries() if entry.contact == who and (name := name_in(entry, HERE))]
    for line in (doomed, sound):
        with suppress(StoreUnavailable):
            await (line.waiting.take(HERE, who, names[-1]) if yes else line.waiting.decline(HERE, who, names[-1]))
            return


@pytest.mark.parametrize("made", [False, True])
async def test_wherever_a_process_dies_each_is_offered_once_and_one_has_it(made: bool) -> None:
    for commit in count():
        if not await died_at(commit, made=made):
            break
    assert commit > 12


async def test_a_time_that_is_booked_by_another_way_meanwhile_is_offered_to_nobody(line: Line) -> None:
    appointment = await line.fill()
    await line.join(MARIA, ONLY_ANA)
    await line.desk.cancel(HERE, None, appointment.id)
    await line.fill(who=RITA)

    await line.work()

    assert await line.offered() == []
