"""M4: a page's socket opens for the session that opened the page, from this site, as a WebSocket, and acts for that
page alone."""

import asyncio
import html
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest
from tests.attacks.target import PATIENCE, Target, target
from tests.journeys.town import AURORA, BROMELIA
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from gendei.clinic import ClinicId
from gendei.staff.access.tokens import TOKENS

TOKENS_PAGE = "/account/tokens"
SOCKETS = "/_nicegui_ws/socket.io/"
_ELEMENTS = re.compile(r"parseElements\(String\.raw`(.*?)`\)", re.DOTALL)
_CLIENT = re.compile(r"""['"]client_id['"]: ['"]([0-9a-f-]{36})['"]""")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    with target(tmp_path_factory.mktemp("site"), GENDEI_LOG_LEVEL="DEBUG") as running:
        yield running


@dataclass(frozen=True)
class OpenPage:
    """A page as a browser got it. `client`: NiceGUI's id of it."""

    client: str
    elements: dict[str, Any]

    def query(self, tab: str = "tab") -> dict[str, str]:
        """Of the socket's address."""
        known = {"client_id": self.client, "document_id": "document", "tab_id": tab, "implicit_handshake": "true"}
        return {**known, "next_message_id": "0", "EIO": "4", "transport": "websocket"}

    def events(self) -> list[str]:
        """What a browser sends whose user names a key and presses "create"."""
        [name] = [key for key, item in self.elements.items() if item.get("props", {}).get("maxlength") == "80"]
        presses = [key for key, item in self.elements.items() if item.get("props", {}).get("label") == "Criar chave"]
        typed = ("update:modelValue", "update:value")
        return [self._event(name, typed, '"a program"'), self._event(presses[0], ("click",), "{}")]

    def _event(self, key: str, kinds: tuple[str, ...], value: str) -> str:
        [listener] = [event["listener_id"] for event in self.elements[key]["events"] if event["type"] in kinds][:1]
        told = {"id": int(key), "client_id": self.client, "listener_id": listener, "args": [value]}
        return "42" + json.dumps(["event", told])


async def open_page(site: Target, clinic_id: ClinicId) -> OpenPage:
    async with httpx.AsyncClient(base_url=site.url, headers=site.cookie(clinic_id)) as browser:
        page = await browser.get(TOKENS_PAGE)
    assert page.status_code == 200
    elements, client = _ELEMENTS.search(page.text), _CLIENT.search(page.text)
    assert elements
    assert client
    return OpenPage(client[1], json.loads(html.unescape(elements[1])))


@asynccontextmanager
async def socket_of(
    site: Target, page: OpenPage, headers: dict[str, str], *, origin: str | None = None, tab: str = "tab", **query: str
) -> AsyncIterator[ClientConnection]:
    address = f"ws://{site.host}{SOCKETS}?{urlencode({**page.query(tab), **query})}"
    async with connect(address, origin=origin, additional_headers=headers, proxy=None, compression=None) as socket:
        yield socket


async def joined(socket: ClientConnection) -> str:
    """What the service answers to Socket.IO's "connect", packets before it left out."""
    async with asyncio.timeout(PATIENCE):
        assert str(await socket.recv()).startswith("0{")
        await socket.send("40")
        while not (packet := str(await socket.recv())).startswith("4"):
            pass
    return packet


async def served(socket: ClientConnection) -> None:
    """Return once the service has handled what came before."""
    async with asyncio.timeout(PATIENCE):
        await socket.send('420["handshake",{"client_id":"","tab_id":"","document_id":""}]')
        while not str(await socket.recv()).startswith("430"):
            pass


async def create_key(socket: ClientConnection, page: OpenPage) -> None:
    """Press the page's button, until the page shows the key."""
    for event in page.events():
        await socket.send(event)
    async with asyncio.timeout(PATIENCE):
        while "gdt_" not in str(await socket.recv()):
            pass


async def refused(site: Target, page: OpenPage, headers: dict[str, str], **how: str) -> bool:
    try:
        async with socket_of(site, page, headers, **how):
            return False
    except InvalidStatus as answer:
        return answer.response.status_code in {400, 403}


async def test_the_session_that_opened_a_page_acts_on_it_by_its_socket(site):
    page = await open_page(site, AURORA)
    before = await site.stored(TOKENS)
    async with socket_of(site, page, site.cookie(AURORA), origin=site.url) as socket:
        assert (await joined(socket)).startswith("40")
        await create_key(socket, page)
    assert await site.stored(TOKENS) == before + 1


async def test_a_socket_without_the_session_of_its_page_is_refused(site):
    page = await open_page(site, AURORA)
    for headers in ({}, site.cookie(BROMELIA), {"Cookie": "gendei=forged"}):
        assert await refused(site, page, headers)
    assert await refused(site, page, site.cookie(AURORA), client_id="0f8c2d6b-e1a9-4f53-a7d0-c7b3e5f21908")
    assert await refused(site, page, site.cookie(AURORA), sid="of-somebody-else")


async def test_a_browser_without_the_pages_session_loads_the_page_anew_and_is_cut_off(site):
    page = await open_page(site, AURORA)
    async with socket_of(site, page, {}, origin=site.url) as socket:
        with pytest.raises(ConnectionClosed):  # noqa: PT012 - until it is closed
            packets = []
            async with asyncio.timeout(PATIENCE):
                while True:
                    packets.append(await socket.recv())
    assert "Implicit handshake failed" in packets[-1]
    assert (len(packets), socket.close_code) == (2, 1008)


async def test_a_page_of_another_site_opens_no_socket_with_the_cookie(site):
    page = await open_page(site, AURORA)
    for origin in ("https://mallory.example", "null", "http://[", f"{site.url}.mallory.example"):
        assert await refused(site, page, site.cookie(AURORA), origin=origin)


async def test_long_polling_is_refused_to_everybody(site):
    page = await open_page(site, AURORA)
    async with httpx.AsyncClient(base_url=site.url) as client:
        for headers in ({}, site.cookie(AURORA), {"Origin": "https://mallory.example"}):
            query = {**page.query(), "transport": "polling"}
            asked = await client.get(SOCKETS, params=query, headers=headers)
            posted = await client.post(SOCKETS, params=query, headers=headers, content="40")
            assert (asked.status_code, posted.status_code) == (400, 400)
    assert await refused(site, page, site.cookie(AURORA), origin=site.url, transport="polling")


async def test_a_socket_acts_for_its_own_page_and_for_no_other(site):
    page, others = await open_page(site, AURORA), await open_page(site, BROMELIA)
    before = await site.stored(TOKENS)
    async with socket_of(site, others, site.cookie(BROMELIA)) as victim:
        assert (await joined(victim)).startswith("40")
        async with socket_of(site, page, site.cookie(AURORA)) as socket:
            assert (await joined(socket)).startswith("40")
            for event in others.events():
                await socket.send(event)
            await served(socket)
        await create_key(victim, others)
    assert await site.stored(TOKENS) == before + 1


async def test_what_stands_in_a_sockets_address_stands_in_no_log(site):
    page = await open_page(site, AURORA)
    async with socket_of(site, page, site.cookie(AURORA)) as socket:
        await joined(socket)
    assert await refused(site, page, {})
    assert [line for line in site.log if page.client in line or site.cookies[AURORA] in line] == []
