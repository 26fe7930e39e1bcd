"""What is over goes, what is not stays: entries of inbox and outbox, and leases that nobody inherited."""

from datetime import timedelta

from tests.conversation.cast import BOA_VIDA, JOAO, MARIA_HERE, MARIA_THERE, NOON, SORRISO, World, column, text

from gendei.conversation.backlog import Backlog
from gendei.conversation.turns.worker import purge_expired
from gendei.conversation.work.lease import LEASE_TTL, Leases
from gendei.documents import put
from gendei.messages.keys import INBOX, LEASES, ConversationKey

LONG = timedelta(days=400)


async def test_entries_are_removed_when_their_time_is_over_and_the_history_stays(world: World) -> None:
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.idle()

    assert await purge_expired(world.documents, NOON + timedelta(days=8)) == 0
    assert await purge_expired(world.documents, NOON + timedelta(days=40)) == 2
    assert (await world.inbox(), await world.outbox(), len(await world.history())) == ([], [], 2)


async def test_an_answered_message_is_known_for_longer_than_a_week_of_redelivery(world: World) -> None:
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.idle()

    [entry] = await world.inbox()
    assert (entry["status"], (entry["expireAt"] - entry["receivedAt"]).days > 8) == ("done", True)


async def test_what_waits_never_expires_and_is_answered_after_however_long(world: World) -> None:
    await world.accept(text("wamid.1"))
    [waiting] = await world.inbox()
    world.clock.advance(LONG.total_seconds())

    assert ("expireAt" in waiting, await purge_expired(world.documents, world.clock())) == (False, 0)
    async with world.messaging:
        await world.idle()
    assert world.receptionist.heard() == [("oi",)]


async def test_what_is_parked_stays_until_an_operator_drops_it(world: World) -> None:
    await world.accept(text("wamid.1"))
    found = await world.documents.get(f"{INBOX}/wamid.1")
    await world.documents.commit([put(found.path, (found.data or {}) | {"message": {"type": "hologram"}})])
    async with world.messaging:
        await world.idle()
    assert await purge_expired(world.documents, NOON + LONG) == 0
    assert column(await world.inbox(), "status") == ["parked"]

    await Backlog(world.documents, world.clock).drop("wamid.1")
    assert await purge_expired(world.documents, NOON + timedelta(days=10)) == 1
    assert await world.inbox() == []


async def test_a_reply_that_was_not_sent_never_expires(world: World) -> None:
    world.provider.free.clear()
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.sending()
        assert await purge_expired(world.documents, NOON + LONG) == 1  # the answered message
        world.provider.free.set()
        await world.idle()

    assert column(await world.outbox(), "status") == ["sent"]


async def test_a_lease_that_ran_out_keeps_its_deaths_for_an_heir_and_goes_when_none_came(world: World) -> None:
    joao = ConversationKey(BOA_VIDA, JOAO)
    for key in (MARIA_HERE, joao):
        await Leases(world.documents, world.clock).acquire(key)
    world.clock.advance((LEASE_TTL + timedelta(days=8)).total_seconds())
    assert await purge_expired(world.documents, world.clock()) == 0
    heir = await Leases(world.documents, world.clock).acquire(MARIA_HERE)
    world.clock.advance(timedelta(days=2).total_seconds())

    assert (heir.deaths if heir else None, await purge_expired(world.documents, world.clock())) == (1, 1)
    assert column(await world.all(LEASES, "token"), "id") == ["boa-vida%2F+5511999990001"]


async def test_another_clinics_entries_expire_by_their_own_time(world: World) -> None:
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.idle()
        world.clock.advance(timedelta(days=20).total_seconds())
        await world.accept(text("wamid.2", at=world.clock()), clinic_id=SORRISO)
        await world.idle()

    await purge_expired(world.documents, NOON + timedelta(days=25))
    assert column(await world.inbox(), "conversation") == [MARIA_THERE.text]


async def test_more_than_a_page_is_removed(world: World) -> None:
    done = {"status": "done", "receivedAt": NOON, "expireAt": NOON + timedelta(days=9)}
    await world.documents.commit([put(f"{INBOX}/{n}", done) for n in range(450)])

    assert await purge_expired(world.documents, NOON + timedelta(days=10)) == 450
