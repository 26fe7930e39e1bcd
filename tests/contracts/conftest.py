"""The engines that the store's contract suite runs on. A further one that processes share is a line of SHARED."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from uuid import uuid4

import pytest

from gendei.documents import Documents
from gendei.store.firestore import FirestoreDocuments
from gendei.store.sqlite import SqliteDocuments


@dataclass(frozen=True, slots=True)
class Engine:
    """One fresh database. `open` gives a store on it; `url` is GENDEI_DATABASE for another process."""

    open: Callable[[], Awaitable[Documents]]
    url: str


def _memory(_: pytest.FixtureRequest) -> Engine:
    return Engine(lambda: SqliteDocuments.open(":memory:"), "")


def _file(request: pytest.FixtureRequest) -> Engine:
    path = request.getfixturevalue("tmp_path") / "gendei.db"
    return Engine(lambda: SqliteDocuments.open(str(path)), f"sqlite:///{path}")


def _firestore(request: pytest.FixtureRequest) -> Engine:
    address = request.getfixturevalue("firestore_emulator")
    request.getfixturevalue("monkeypatch").setenv("FIRESTORE_EMULATOR_HOST", address)
    project = f"contract-{uuid4().hex[:20]}"
    return Engine(partial(FirestoreDocuments.open, project, emulator=address), f"firestore://{project}")


SHARED: dict[str, Callable[[pytest.FixtureRequest], Engine]] = {
    "sqlite-file": _file,
    "firestore": _firestore,
}
"""Those that several processes can use together."""
ENGINES = SHARED | {"sqlite-memory": _memory}


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Engine:
    return ENGINES[request.param](request)


@pytest.fixture(params=SHARED)
def shared_engine(request: pytest.FixtureRequest) -> Engine:
    return SHARED[request.param](request)


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
