"""What a message costs in the store: a change that reads or writes more fails here, and `docs/costs.md` tells it."""

from pathlib import Path

import pytest
from bench.cost import Operations, measure, measure_chats, render

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
