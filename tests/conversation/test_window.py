from datetime import datetime, timedelta

import pytest
from tests.conversation.cast import NOON, World, text

from gendei.messages.channels import window_end, window_is_open


@pytest.mark.parametrize(
    ("provider", "written_at", "from_ad", "is_open"),
    [
        ("meta", NOON - timedelta(hours=23, minutes=59), False, True),
        ("meta", NOON - timedelta(hours=24), False, False),
        ("meta", NOON - timedelta(hours=71, minutes=59), True, True),
        ("meta", NOON - timedelta(hours=72), True, False),
        ("evolution", NOON - timedelta(days=30), False, True),
    ],
)
def test_the_service_window_is_a_day_and_three_from_an_advertisement_on_the_official_channel(
    provider: str, written_at: datetime, from_ad: bool, is_open: bool
) -> None:
    assert window_is_open(provider, window_end(written_at, from_ad=from_ad), NOON) == is_open


def test_who_never_wrote_has_no_window() -> None:
    assert not window_is_open("meta", None, NOON)


async def test_the_end_of_the_window_stands_with_the_conversation_and_never_moves_back(world: World) -> None:
    ad = text("wamid.1", at=NOON - timedelta(hours=1), details={"referral": {"source_type": "ad"}})
    async with world.messaging:
        await world.accept(ad)
        await world.idle()
        first = (await world.conversation()).window_ends_at
        await world.accept(text("wamid.2", at=NOON))
        await world.idle()

    assert (first, (await world.conversation()).window_ends_at) == (NOON + timedelta(hours=71),) * 2


async def test_a_message_that_was_delivered_late_opens_the_window_when_it_was_written(world: World) -> None:
    async with world.messaging:
        await world.accept(text("wamid.1", at=NOON - timedelta(hours=20)))
        await world.idle()

    assert (await world.conversation()).window_ends_at == NOON + timedelta(hours=4)
