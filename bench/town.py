"""Many clinics behind one `gendei serve`, their patients, and Meta as the bench's own process plays it."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_urlsafe
from time import perf_counter

from bench.children import GENDEI, free_port, output_of, server
from bench.intake import ACCOUNT_ID, CLINIC, PHONE_NUMBER_ID
from gendei.providers.stand_in.graph import GraphSimulator
from gendei.providers.stand_in.local_server import serve
from gendei.providers.stand_in.phone import SignedBody, WebhookMaker
from gendei.secrets import new_key

IMPORT_SECONDS = 120
SERVE = (*GENDEI, "serve", "--port")


class TimedGraph(GraphSimulator):
    """The Graph API's stand-in, which remembers when each patient was first answered (by perf_counter)."""

    def __init__(self) -> None:
        super().__init__()
        self.answered: dict[str, float] = {}
        self._timed = 0

    async def changed(self) -> None:
        now = perf_counter()
        for message in self.sent[self._timed :]:
            self.answered.setdefault(message.to, now)
        self._timed = len(self.sent)
        await super().changed()


@dataclass(frozen=True, slots=True)
class Town:
    """A store with clinics in it; `numbers` are their phone_number_ids, `names` their ids, in one order."""

    database: Path
    numbers: tuple[str, ...]
    names: tuple[str, ...]
    secret: str = field(default_factory=token_urlsafe)
    key: str = field(default_factory=new_key)

    def maker(self, clinic: int) -> WebhookMaker:
        return WebhookMaker(self.secret.encode(), self.numbers[clinic])

    def settings(self, database: Path, graph_url: str, **others: str) -> dict[str, str]:
        """What `gendei serve` is told, on a copy of the store."""
        return {
            "GENDEI_DATABASE": f"sqlite:///{database}",
            "GENDEI_SECRET_KEY": self.key,
            "GENDEI_META_APP_SECRET": self.secret,
            "GENDEI_META_VERIFY_TOKEN": "bench",
            "GENDEI_GRAPH_URL": graph_url,
            "GENDEI_LOG_LEVEL": "ERROR",
            **others,
        }


def found_town(workdir: Path, clinics: int, *, site: str = "") -> Town:
    """So many clinics, alike but for their id, number and account, imported into a new store. `site`: the origin of the
    pages that show their chat."""
    folder = workdir / f"town-{clinics}{'-with-sites' if site else ''}"
    folder.mkdir()
    names = tuple(f"clinica-{number:03d}" for number in range(clinics))
    numbers = tuple(f"2000000000{number:05d}" for number in range(clinics))
    pattern = CLINIC.read_text(encoding="utf-8")
    files = []
    for name, number in zip(names, numbers, strict=True):
        chat = f'site: {name}, origins: "{site}"' if site else f"site: {name}"
        text = pattern.replace("id: boa-vida", f"id: {name}", 1).replace(PHONE_NUMBER_ID, number)
        text = text.replace(ACCOUNT_ID, f"3{number[1:]}")
        text = text.replace("site: boa-vida", chat, 1)
        files.append(folder / f"{name}.yaml")
        files[-1].write_text(text, encoding="utf-8")
    town = Town(folder / "town.db", numbers, names)
    settings = {**town.settings(town.database, "http://127.0.0.1:9"), "META_TOKEN": "bench"}
    output_of((*GENDEI, "clinics", "import", *map(str, files)), folder, settings, IMPORT_SECONDS)
    return town


@asynccontextmanager
async def open_graph() -> AsyncIterator[tuple[TimedGraph, str]]:
    """The stand-in in this process, and its address."""
    graph = TimedGraph()
    async with serve(graph.app) as url:
        yield graph, url


@asynccontextmanager
async def served(command: Sequence[str], settings: Mapping[str, str], workdir: Path) -> AsyncIterator[tuple[int, int]]:
    """`command` and a port to serve on; gives the port and the process id. Its start and end leave this process's
    loop running."""
    port = free_port()
    running = server((*command, str(port)), workdir, settings, port)
    pid = await asyncio.to_thread(running.__enter__)
    try:
        yield port, pid
    finally:
        await asyncio.to_thread(running.__exit__, None, None, None)


def http_request(port: int, signed: SignedBody) -> bytes:
    """A signed webhook as Meta would post it."""
    body, headers = signed
    lines = [
        "POST /webhooks/meta HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        "Accept: */*",
        "User-Agent: facebookexternalua",
        f"Content-Length: {len(body)}",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    return "\r\n".join([*lines, "", ""]).encode() + body


def percentile(values: Sequence[float], share: float) -> float:
    """The value that `share` of them do not exceed; nan of none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else float("nan")
