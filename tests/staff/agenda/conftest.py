from collections.abc import AsyncIterator

import pytest
from tests.staff.agenda.office import Office, open_office


@pytest.fixture
async def office() -> AsyncIterator[Office]:
    async with open_office() as opened:
        yield opened
