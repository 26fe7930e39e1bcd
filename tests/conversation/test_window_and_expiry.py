from datetime import datetime, timedelta

import pytest
from tests.conversation.cast import NOON, World, text

from gendei.conversation.expiry import purge_expired
from gendei.conversation.window import window_is_open


@pytest.mark.parametrize(
    ("provider", "last_inbound_at", "is_open"),
    [
        ("meta", NOON - timedelta(hours=23, minutes=59), True),
        ("meta", NOON - timedelta(hours=24), False),
        ("meta", None, False),
        ("evolution", NOON - timedelta(days=30), True),
    ],
)
def test_the_service_window_is_a_day_on_the_official_channel(
    provider: str, last_inbound_at: datetime | None, is_open: bool
) -> None:
    assert window_is_open(provider, last_inbound_at, NOON) == is_open


async def test_entries_are_removed_when_their_time_is_over_and_the_history_stays(world: World) -> None:
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.idle()

    assert await purge_expired(world.documents, NOON + timedelta(days=8)) == 0
    assert await purge_expired(world.documents, NOON + timedelta(days=40)) == 2
    assert (await world.inbox(), await world.outbox(), len(await world.history())) == ([], [], 2)
