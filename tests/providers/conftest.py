import pytest
import respx


@pytest.fixture
def wire():
    """Answers for every HTTP request; one that no route expects is an error."""
    with respx.mock(assert_all_called=False) as router:
        yield router
