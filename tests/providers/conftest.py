import pytest
import respx
from tests.providers.lines import open_line


@pytest.fixture
def wire():
    """Answers for every HTTP request; one that no route expects is an error."""
    with respx.mock(assert_all_called=False) as router:
        yield router


@pytest.fixture(params=["meta", "evolution", "zapi"])
async def line(request):
    """Each provider in turn, before its stand-in."""
    async with open_line(request.param) as opened:
        yield opened
