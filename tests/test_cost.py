"""What a message costs in the store, and a booking at a model's API: a change that reads, writes or sends more fails
here, and `docs/costs.md` tells it."""

from pathlib import Path

import pytest
from bench import prompts
from bench.cost import Operations, measure, measure_chats, render

from gendei.prompts import AGENTS

COSTS = Path(__file__).parents[1] / "docs" / "costs.md"
ORDINARY = "ordinary message"


@pytest.fixture
async def rows(tmp_path: Path) -> dict[str, Operations]:
    return await measure(tmp_path) | await measure_chats(tmp_path)


async def test_the_costs_are_those_that_the_document_tells(rows):
    ordinary = {name.removeprefix(f"{ORDINARY}: "): used for name, used in rows.items() if f"{ORDINARY}: " in name}
    assert ordinary == {
        "webhook": Operations(0, 1, 0),
        "turn": Operations(4, 6, 1),
        "sending": Operations(4, 3, 0),
    }
    assert render(rows) in COSTS.read_text(encoding="utf-8")


async def test_what_models_read_for_a_booking_is_what_the_document_tells_and_within_its_goals(tmp_path: Path):
    measured = await prompts.measure(tmp_path)
    bookings = [booking for found in measured.bookings.values() for booking in (found.first, found.second)]
    calls = {len(booking) for booking in bookings}
    uncached = max(sum(request.uncached for request in booking) for booking in bookings)
    assert (max(calls) <= prompts.MOST_CALLS, uncached <= prompts.MOST_TOKENS) == (True, True)
    assert set(measured.greeted) == set(AGENTS)
    assert prompts.render(measured) in COSTS.read_text(encoding="utf-8")
