"""What operators see of messages that are not done, and what they can do with them."""

from collections.abc import Callable

import pytest
from tests.conversation.cast import BOA_VIDA, MARIA_HERE, SORRISO, World, column, said, text

from gendei.clinic import ClinicId
from gendei.conversation.backlog import Backlog, NotPossible, Trouble
from gendei.documents import put
from gendei.errors import NotFound
from gendei.messages.channels import Permanent, Transient, Unknown
from gendei.messages.keys import INBOX
from gendei.messages.message import INCOMING

NO = Permanent("131026 undeliverable")


def backlog(world: World, clinic_id: ClinicId | None = None) -> Backlog:
    return Backlog(world.documents, world.clock, clinic_id)


async def troubled(world: World) -> None:
    """One message failed, one is in doubt, and one waits behind it."""
    world.receptionist.script.append(said("um", "dois", "três"))
    world.provider.outcomes.extend([NO, Unknown("read timeout")])
    await world.accept(text("wamid.1", "segredo"))
    await world.idle()


async def test_all_that_is_not_done_is_shown_oldest_first_without_its_words(world: World) -> None:
    async with world.messaging:
        await troubled(world)
        world.clock.advance(1)
        items = await backlog(world).show()

    shown = sorted((item.trouble, item.attempts, item.reason) for item in items)
    assert shown == [(Trouble.FAILED, 1, NO.reason), (Trouble.IN_DOUBT, 1, "read timeout"), (Trouble.WAITING, 0, "")]
    assert "segredo" not in str(items)


async def test_a_quiet_service_has_no_backlog(world: World) -> None:
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.idle()

    assert await backlog(world).show() == []


async def test_what_failed_goes_again_when_it_is_replayed(world: World) -> None:
    world.provider.outcomes.append(NO)
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.idle()
        [item_id] = [entry.id for entry in await backlog(world).show() if entry.trouble.failed]
        await backlog(world).replay(item_id)
        await world.messaging.outbox.sweep()
        await world.idle()

    assert (world.provider.texts(), column(await world.outbox(), "status")) == (["re: oi"] * 2, ["sent"])
    assert (await world.history())[1]["deliveryState"] == "sent"


async def test_what_is_parked_is_answered_when_it_is_replayed(world: World) -> None:
    async with world.messaging:
        await parked(world)
        [item] = await backlog(world).show()
        await backlog(world).replay(item.id)
        await world.messaging.worker.sweep()
        await world.idle()

    assert (item.trouble, column(await world.inbox(), "status")) == (Trouble.PARKED, ["done"])
    assert world.provider.texts()[-1] == "re: oi"


async def parked(world: World) -> None:
    """A message that an operator must look at."""
    await world.accept(text("wamid.1"))
    await world.idle()
    [entry] = await world.inbox()
    data = {**entry, "status": "parked", "reason": "failing", "message": INCOMING.write(text("wamid.1"))}
    await world.documents.commit([put(f"{INBOX}/{entry['id']}", data)])


async def test_what_is_dropped_is_never_sent(world: World) -> None:
    world.provider.outcomes.append(Transient("busy", retry_after=60))
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.idle()
        [item] = await backlog(world).show()
        await backlog(world).drop(item.id)
        world.clock.advance(120)
        world.messaging.outbox.notify(MARIA_HERE)
        await world.idle()

    assert (len(world.provider.sent), column(await world.outbox(), "status")) == (1, ["suppressed"])


async def test_a_parked_message_that_is_dropped_is_done(world: World) -> None:
    async with world.messaging:
        await parked(world)
        [item] = await backlog(world).show()
        await backlog(world).drop(item.id)

    assert (await backlog(world).show(), column(await world.inbox(), "status")) == ([], ["done"])


async def test_what_is_being_sent_cannot_be_dropped_and_what_was_sent_not_replayed(world: World) -> None:
    world.provider.free.clear()
    async with world.messaging:
        await world.accept(text("wamid.1"))
        reference = (await world.sending()).reference
        with pytest.raises(NotPossible):
            await backlog(world).drop(reference)
        world.provider.free.set()
        await world.idle()
        with pytest.raises(NotPossible):
            await backlog(world).replay(reference)


@pytest.mark.parametrize("act", [Backlog.replay, Backlog.drop])
async def test_another_clinics_messages_are_not_found(world: World, act: Callable[..., object]) -> None:
    async with world.messaging:
        await troubled(world)
        outsider = backlog(world, SORRISO)
        [failed] = [entry.id for entry in await backlog(world, BOA_VIDA).show() if entry.trouble.failed]
        with pytest.raises(NotFound):
            await act(outsider, failed)  # type: ignore[misc]  # a coroutine

        assert await outsider.show() == []


async def test_an_id_that_nobody_has_is_not_found(world: World) -> None:
    with pytest.raises(NotFound):
        await backlog(world).replay("../x")
