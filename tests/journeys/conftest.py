"""One town and its people for each journey."""

import pytest
from tests.journeys.phone import Phone
from tests.journeys.town import BROMELIA, open_town


@pytest.fixture
async def town(tmp_path):
    async with open_town(tmp_path) as opened:
        yield opened


@pytest.fixture
def maria(town) -> Phone:
    return Phone(town, "+5511999990001", "Maria Silva")


@pytest.fixture
def joao(town) -> Phone:
    return Phone(town, "+5511999990002", "João Pedro")


@pytest.fixture
def dalva(town) -> Phone:
    """A patient of the other clinic."""
    return Phone(town, "+5592999990003", "Dalva Nunes", BROMELIA)
