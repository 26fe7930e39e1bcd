"""The store is away, flaps, or is slow: nothing is lost, nothing comes twice, and it goes on without a restart."""

import asyncio
from datetime import timedelta

import pytest
from tests.bad_days.conftest import until
from tests.bad_days.weather import Weather
from tests.conversation.cast import JOAO, MARIA_HERE, MARIA_THERE, PATIENCE, SORRISO, World, column, text
from tests.journeys.phone import Phone
from tests.journeys.town import Town

from gendei.clinic import Contact
from gendei.conversation.work.lease import LEASE_TTL, Leases
from gendei.documents import Documents
from gendei.errors import StoreUnavailable
from gendei.web import app as web_app


async def status_of(town: Town, path: str) -> int:
    return (await town.client.get(path)).status_code


async def test_while_it_is_away_webhooks_are_refused_and_afterwards_the_same_process_answers(
    town: Town, weather: Weather
) -> None:
    maria = Phone(town, "+5511999990001", "Maria Silva")
    webhook = town.maker().text(maria.number, "onde fica?", name=maria.name)
    weather.down = True
    away = [await town.post(webhook), await status_of(town, "/readyz"), await status_of(town, "/healthz")]
    weather.down = False
    back = [await town.post(webhook), await status_of(town, "/readyz")]
    await town.idle()

    assert (away, back, maria.texts) == ([503, 503, 200], [200, 200], ["📍 Rua do Sol, 12, Campinas"])


async def test_a_turn_that_it_left_alone_is_done_again_when_it_is_back(world: World, weather: Weather) -> None:
    async with world.messaging:
        world.receptionist.free.clear()
        await world.accept(text("wamid.1"))
        await world.asked()
        weather.down = True
        world.receptionist.free.set()
        async with asyncio.timeout(PATIENCE):
            await weather.refused.wait()
        assert world.provider.texts() == []
        weather.down = False
        await world.sending()
        await world.idle()

    assert (len(world.receptionist.turns), world.provider.texts()) == (2, ["re: oi"])
    assert column(await world.history(), "content") == ["oi", "re: oi"]
    assert await world.history(MARIA_THERE) == []


async def test_a_message_that_was_sent_while_it_went_away_is_not_sent_again(
    world: World, weather: Weather, documents: Documents
) -> None:
    async with world.messaging:
        world.provider.free.clear()
        await world.accept(text("wamid.1"))
        await world.sending()
        weather.down = True
        world.provider.free.set()
        await until(documents, lambda: weather.refusals > 5)  # more than the outbox tries at once
        world.clock.advance(120)
        weather.down = False
        await world.messaging.outbox.sweep()
        await until(documents, lambda: not world.messaging.outbox._unrecorded)
        await world.idle()

    assert (world.provider.texts(), column(await world.outbox(), "status")) == (["re: oi"], ["sent"])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
async def test_while_it_flaps_every_message_is_answered_once(world: World, weather: Weather, seed: int) -> None:
    weather._chance.seed(seed)
    weather.flapping = True
    senders = [Contact(f"+55119999900{n:02}") for n in range(10)]
    delivered_again = 0
    async with world.messaging:
        for n, sender in enumerate(senders):
            while True:
                try:
                    await world.accept(text(f"wamid.{n}", sender=sender))
                    break
                except StoreUnavailable:
                    delivered_again += 1
        for _ in senders:
            await world.sending()
        weather.flapping = False
        await world.idle()

    assert delivered_again > 0
    assert sorted(str(request.to_phone) for request in world.provider.sent) == sorted(senders)


async def test_while_it_is_slow_webhooks_wait_and_the_process_says_that_it_is_not_ready(
    town: Town, weather: Weather, monkeypatch: pytest.MonkeyPatch
) -> None:
    maria = Phone(town, "+5511999990001", "Maria Silva")
    monkeypatch.setattr(web_app, "READY_SECONDS", 0.001)
    weather.calm.clear()
    posting = asyncio.create_task(maria.write("onde fica?"))
    async with asyncio.timeout(PATIENCE):
        await weather.waiting.wait()
    slow = (await status_of(town, "/readyz"), posting.done())
    weather.calm.set()
    accepted = await posting
    await town.idle()

    assert (slow, accepted, maria.texts) == ((503, False), 200, ["📍 Rua do Sol, 12, Campinas"])


async def test_a_turn_on_a_store_that_takes_5_s_a_call_is_not_taken_for_dead(world: World, weather: Weather) -> None:
    """Its lease lasts for as many calls as a turn makes, once the process knows how slow they are."""
    weather.passing = lambda: world.clock.advance(5)
    ours, others = Leases(weather, world.clock), Leases(weather, world.clock)
    first = await ours.acquire(MARIA_THERE)
    assert first is not None
    await first.release()
    lease = await ours.acquire(MARIA_HERE)
    world.clock.advance(20)

    assert lease is not None
    assert await others.acquire(MARIA_HERE) is None
    await lease.confirm()


async def test_a_turn_on_a_fast_store_is_inherited_after_its_ordinary_time(world: World) -> None:
    assert await Leases(world.documents, world.clock).acquire(MARIA_HERE) is not None
    world.clock.advance((LEASE_TTL + timedelta(seconds=1)).total_seconds())

    assert await Leases(world.documents, world.clock).acquire(MARIA_HERE) is not None


async def test_on_a_slow_store_two_processes_answer_once(world: World, weather: Weather) -> None:
    second = world.another()
    weather.passing = lambda: world.clock.advance(5)
    async with world.messaging, second.messaging:
        await world.accept(text("wamid.1"), text("wamid.2", sender=JOAO))
        await second.messaging.worker.sweep()
        for _ in range(3):
            await world.idle()
            await second.idle()
            await world.messaging.worker.sweep()

    sent = world.provider.sent + second.provider.sent
    assert sorted(str(item.to_phone) for item in sent) == [MARIA_HERE.contact, JOAO]
    assert set(column(await world.inbox(), "status")) == {"done"}
    assert await world.all(f"gendei_clinics/{SORRISO}/conversations", "updatedAt") == []
