"""`gendei serve` as a process of its own, with two clinics and their staff, spoken to over sockets byte by byte."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

from tests.journeys.processes import Server, gendei_serve
from tests.journeys.town import AURORA, BROMELIA, SECRET_KEY, clinics

from gendei.clinics.directory import Directory
from gendei.clock import system_clock
from gendei.documents import Documents
from gendei.secrets import SecretBox
from gendei.staff.actors import Role, terminal
from gendei.staff.staff import Staff, open_staff
from gendei.store.sqlite import SqliteDocuments

GIL, RITA, OTAVIO = "gil@aurora.test", "rita@aurora.test", "otavio@bromelia.test"
"""The gestor and an atendente of Aurora, and the gestor of Bromélia, who is the outsider."""
PASSWORD, WRONG = "girassol na janela", "girassol na varanda"
PATIENCE = 20.0
"""Seconds after which a test no longer waits: nothing here takes as long."""
GRAPH_AWAY = "http://127.0.0.1:9"


async def furnish(folder: Path) -> None:
    """Put both clinics and their staff into the store that `gendei_serve(folder)` uses."""
    documents = await SqliteDocuments.open(str(folder / "town.db"))
    try:
        async with Directory(documents) as directory:
            for clinic in clinics():
                await directory.import_clinic(clinic)
        add = staff_on(documents).accounts.add
        await add(terminal(AURORA), GIL, "Gil", Role.GESTOR, PASSWORD)
        await add(terminal(AURORA), RITA, "Rita", Role.ATENDENTE, PASSWORD)
        await add(terminal(BROMELIA), OTAVIO, "Otávio", Role.GESTOR, PASSWORD)
    finally:
        await documents.close()


def staff_on(documents: Documents) -> Staff:
    """The staff as another process sees them."""
    return open_staff(documents, SecretBox(SECRET_KEY), system_clock)


@asynccontextmanager
async def serving(folder: Path, role: str = "all", **variables: str) -> AsyncIterator[Server]:
    """The service on the store in `folder`, furnished; at most PATIENCE for all that happens inside."""
    if not (folder / "town.db").exists():
        await furnish(folder)
    started = gendei_serve(folder, GRAPH_AWAY, role=role, cheap=True, **variables)
    async with asyncio.timeout(6 * PATIENCE), started as server:
        yield server


@dataclass(frozen=True)
class Answer:
    """One HTTP answer. `cookies`: names and values that it sets."""

    status: int
    headers: dict[str, str]
    cookies: dict[str, str]
    body: bytes


async def ask(
    server: Server,
    target: str,
    *headers: str,
    method: str = "GET",
    body: bytes = b"",
    peer: str = "127.0.0.1",
    host: str | None = None,
) -> Answer:
    """Send one request as it is written, from the local address `peer`, and read the answer. `host` None: the right
    Host; "": none. Raises ConnectionError where the connection ends without an answer."""
    url = server.client.base_url
    told = [f"Host: {url.host}:{url.port}"] if host is None else [f"Host: {host}"] if host else []
    lines = [f"{method} {target} HTTP/1.1", *told, *headers, f"Content-Length: {len(body)}", "Connection: close"]
    if any(line.lower().startswith("upgrade:") for line in headers):
        lines = lines[:-2]
    async with asyncio.timeout(PATIENCE):
        reader, writer = await asyncio.open_connection(url.host, url.port, local_addr=(peer, 0))
        try:
            writer.write("\r\n".join([*lines, "", ""]).encode("latin-1") + body)
            await writer.drain()
            try:
                head = await reader.readuntil(b"\r\n\r\n")
            except asyncio.IncompleteReadError as error:
                raise ConnectionError("no answer") from error
            status, pairs = _parsed(head)
            rest = b"" if status == 101 else await reader.read()
        finally:
            writer.close()
    cookies = [value.partition(";")[0].partition("=") for name, value in pairs if name == "set-cookie"]
    return Answer(status, dict(pairs), {name: value for name, _, value in cookies}, rest)


async def sign_in(
    server: Server, email: str, password: str, *headers: str, code: str = "", peer: str = "127.0.0.1"
) -> Answer:
    """What the form of the sign-in page posts."""
    url = server.client.base_url
    form = urlencode({"email": email, "password": password, "code": code, "next": ""}).encode()
    own = (f"Origin: http://{url.host}:{url.port}", "Content-Type: application/x-www-form-urlencoded")
    return await ask(server, "/session", *own, *headers, method="POST", body=form, peer=peer)


def socket_headers(*more: str) -> tuple[str, ...]:
    """What a browser sends to open a WebSocket."""
    return (
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        *more,
    )


async def logged(server: Server, text: str) -> str:
    """The first line of the log that holds `text`, once it is there."""
    async with asyncio.timeout(PATIENCE):
        while True:
            found = next((line for line in server.log if text in line), None)
            if found is not None:
                return found
            await asyncio.sleep(0.01)


def _parsed(head: bytes) -> tuple[int, list[tuple[str, str]]]:
    first, *lines = head.decode("latin-1").split("\r\n")
    pairs = [line.partition(":") for line in lines if line]
    return int(first.split()[1]), [(name.lower(), value.strip()) for name, _, value in pairs]
