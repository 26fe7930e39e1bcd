"""The engines that the store's contract suite runs on. A further one that processes share is a line of SHARED."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from gendei.documents import Documents
from gendei.store.sqlite import SqliteDocuments


@dataclass(frozen=True, slots=True)
class Engine:
    """One fresh database. `open` gives a store on it; `url` is GENDEI_DATABASE for another process."""

    open: Callable[[], Awaitable[Documents]]
    url: str


def _memory(_: Path) -> Engine:
    return Engine(lambda: SqliteDocuments.open(":memory:"), "")


def _file(directory: Path) -> Engine:
    path = directory / "gendei.db"
    return Engine(lambda: SqliteDocuments.open(str(path)), f"sqlite:///{path}")


SHARED: dict[str, Callable[[Path], Engine]] = {
    "sqlite-file": _file,
}
"""Those that several processes can use together."""
ENGINES = SHARED | {"sqlite-memory": _memory}


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Engine:
    return ENGINES[request.param](tmp_path)


@pytest.fixture(params=SHARED)
def shared_engine(request: pytest.FixtureRequest, tmp_path: Path) -> Engine:
    return SHARED[request.param](tmp_path)


@pytest.fixture
async def store(engine: Engine) -> AsyncIterator[Documents]:
    opened = await engine.open()
    yield opened
    await opened.close()


@pytest.fixture
async def shared_store(shared_engine: Engine) -> AsyncIterator[Documents]:
    opened = await shared_engine.open()
    yield opened
    await opened.close()
