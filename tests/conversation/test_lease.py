import asyncio

import pytest
from tests.conversation.cast import MARIA_HERE, MARIA_THERE, PATIENCE, Watchmaker

from gendei.conversation.work.lease import DEATHS_IN_COMPANY, LeaseLost, Leases, MustRunAlone
from gendei.documents import Query
from gendei.errors import Conflict
from gendei.messages.keys import LEASES
from gendei.store.sqlite import SqliteDocuments


@pytest.fixture
def clock() -> Watchmaker:
    return Watchmaker()


async def test_a_held_lease_is_not_given_to_another(documents: SqliteDocuments, clock: Watchmaker) -> None:
    assert await Leases(documents, clock).acquire(MARIA_HERE) is not None

    assert await Leases(documents, clock).acquire(MARIA_HERE) is None
    assert await Leases(documents, clock).acquire(MARIA_THERE) is not None


async def test_a_released_lease_is_free(documents: SqliteDocuments, clock: Watchmaker) -> None:
    lease = await Leases(documents, clock).acquire(MARIA_HERE)
    assert lease is not None
    await lease.release()

    assert await Leases(documents, clock).acquire(MARIA_HERE) is not None


async def test_a_lease_that_ran_out_goes_to_another_with_a_higher_token(
    documents: SqliteDocuments, clock: Watchmaker
) -> None:
    first = await Leases(documents, clock).acquire(MARIA_HERE)
    clock.advance(10)
    second = await Leases(documents, clock).acquire(MARIA_HERE)

    assert first is not None
    assert second is not None
    assert second.token > first.token
    assert (first.deaths, second.deaths) == (0, 1)


async def test_only_deaths_alone_speak_against_a_message(documents: SqliteDocuments, clock: Watchmaker) -> None:
    for _ in range(DEATHS_IN_COMPANY):
        assert await Leases(documents, clock).acquire(MARIA_HERE) is not None
        clock.advance(10)
    with pytest.raises(MustRunAlone):
        await Leases(documents, clock).acquire(MARIA_HERE)
    counted = []
    for _ in range(2):
        lease = await Leases(documents, clock).acquire(MARIA_HERE, alone=True)
        assert lease is not None
        counted.append((lease.deaths, lease.deaths_alone))
        clock.advance(10)

    assert counted == [(2, 0), (3, 1)]
    assert await Leases(documents, clock).acquire(MARIA_THERE) is not None


async def test_a_renewed_lease_lasts(documents: SqliteDocuments, clock: Watchmaker) -> None:
    lease = await Leases(documents, clock).acquire(MARIA_HERE)
    assert lease is not None
    clock.advance(8)
    await lease.renew()
    clock.advance(8)

    assert await Leases(documents, clock).acquire(MARIA_HERE) is None
    await documents.commit([lease.release_write()])


async def test_a_lease_is_renewed_while_its_turn_runs(documents: SqliteDocuments, clock: Watchmaker) -> None:
    lease = await Leases(documents, clock, renew_seconds=0).acquire(MARIA_HERE)
    assert lease is not None
    [first] = await documents.query(Query(LEASES))
    clock.advance(8)

    async with asyncio.timeout(PATIENCE), documents.watch(Query(LEASES)) as changes, lease.kept_alive():
        async for [renewed] in changes:
            if (renewed.data or {})["expiresAt"] > (first.data or {})["expiresAt"]:
                break


async def test_a_stale_owner_can_neither_confirm_nor_renew_nor_commit(
    documents: SqliteDocuments, clock: Watchmaker
) -> None:
    stale = await Leases(documents, clock).acquire(MARIA_HERE)
    assert stale is not None
    await stale.confirm()
    clock.advance(10)
    assert await Leases(documents, clock).acquire(MARIA_HERE) is not None

    with pytest.raises(Conflict):
        await documents.commit([stale.release_write()])
    with pytest.raises(LeaseLost):
        await stale.confirm()
    with pytest.raises(LeaseLost):
        await stale.renew()


async def test_a_stale_owner_cannot_commit_after_its_successor_gave_the_lease_back_and_took_it_anew(
    documents: SqliteDocuments, clock: Watchmaker
) -> None:
    leases = Leases(documents, clock)
    stale = await leases.acquire(MARIA_HERE)
    assert stale is not None
    await stale.confirm()
    clock.advance(10)
    successor = await leases.acquire(MARIA_HERE)
    assert successor is not None
    await successor.release()
    assert await leases.acquire(MARIA_HERE) is not None

    with pytest.raises(Conflict):
        await documents.commit([stale.release_write()])
