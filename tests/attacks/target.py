"""The service as its own process, for tests that attack it over sockets, and somebody signed in at each clinic."""

import asyncio
import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.journeys.forked import start_gendei
from tests.journeys.processes import _RUNNING_ON, environment
from tests.journeys.town import AURORA, BROMELIA, NOW, clinics, settings_for

from gendei.app import open_gendei
from gendei.clinic import ClinicId
from gendei.documents import Query, put
from gendei.staff.access.users import USER, User, user_path
from gendei.staff.actors import Role
from gendei.web.sessions import LOOPBACK_COOKIE

PATIENCE = 120
"""Seconds after which what a test waits for has failed."""
NO_GRAPH = "http://127.0.0.1:9"


@dataclass(frozen=True)
class Target:
    """`cookies`: a gestor's session at each clinic. `log`: the lines of the process's log so far."""

    folder: Path
    address: tuple[str, int]
    pid: int
    cookies: dict[ClinicId, str]
    log: list[str]

    @property
    def host(self) -> str:
        return f"{self.address[0]}:{self.address[1]}"

    @property
    def url(self) -> str:
        return f"http://{self.host}"

    def cookie(self, clinic_id: ClinicId) -> dict[str, str]:
        """The header of a signed-in browser."""
        return {"Cookie": f"{LOOPBACK_COOKIE}={self.cookies[clinic_id]}"}

    async def stored(self, collection: str) -> int:
        """How many documents a collection of the running service has."""
        async with open_gendei(settings_for(self.folder, NO_GRAPH)) as gendei:
            return len(await gendei.documents.query(Query(collection)))


async def _prepare(folder: Path) -> dict[ClinicId, str]:
    cookies = {}
    async with open_gendei(settings_for(folder, NO_GRAPH)) as gendei:
        for clinic in clinics():
            await gendei.directory.import_clinic(clinic)
        for clinic_id in (AURORA, BROMELIA):
            user = User(f"gestor@{clinic_id}.test", "Gestor", Role.GESTOR, clinic_id, NOW, password_hash="")
            _, cookie, write = gendei.staff.sessions.begin(user, "tests")
            await gendei.documents.commit([put(user_path(user.id), USER.write(user)), write])
            cookies[clinic_id] = cookie
    return cookies


@contextmanager
def target(folder: Path, **variables: str) -> Iterator[Target]:
    """`gendei serve` on a store with both clinics, killed on leaving. `variables`: more of its environment."""
    with ThreadPoolExecutor(1) as apart:  # from the loop of whoever tests
        cookies = apart.submit(lambda: asyncio.run(_prepare(folder))).result()
    variables = environment(folder, GENDEI_GRAPH_URL=NO_GRAPH, **variables)
    process = start_gendei(folder, variables, "serve", "--port", "0")
    log: list[str] = []
    listening = threading.Event()

    def read() -> None:
        with os.fdopen(process.output, encoding="utf-8") as errors:
            for line in errors:
                log.append(line)
                if _RUNNING_ON.search(line):
                    listening.set()
        listening.set()

    reader = threading.Thread(target=read)
    reader.start()
    try:
        assert listening.wait(PATIENCE)
        found = _RUNNING_ON.search(log[-1])
        assert found, "".join(log)
        host, _, port = found[1].removeprefix("http://").partition(":")
        yield Target(folder, (host, int(port)), process.pid, cookies, log)
    finally:
        process.kill()
        process.join()
        reader.join()
