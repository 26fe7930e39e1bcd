"""Open staff pages without a browser, in a process of their own: each loads the page, follows its socket as the page's
script would, and throws away what it is told.

`python -m bench.page_clients` reads `Pages` as JSON on its command line, prints "ready" once all are open, and at the
end of its standard input what they were told, as JSON.
"""

import asyncio
import json
import re
import sys
from dataclasses import dataclass
from time import process_time
from urllib.parse import urlencode
from uuid import uuid4

import httpx
import socketio  # type: ignore[import-untyped]  # published without types

from bench.loop import run

_CLIENT = re.compile(r"""query: \{["']client_id["']: ["']([^"']+)["'], ["']next_message_id["']: (\d+)""")
SOCKET = "/_nicegui_ws/socket.io"


@dataclass(frozen=True, slots=True)
class Pages:
    """`cookies`: of the people who look, by turns; `paths`: the pages, each opened once."""

    url: str
    cookies: list[str]
    paths: list[str]


class Told:
    """What all pages were told."""

    def __init__(self) -> None:
        self.messages = 0

    async def hear(self, _event: str, _data: object) -> None:
        self.messages += 1


async def open_page(pages: Pages, number: int, told: Told) -> socketio.AsyncClient:
    cookie = pages.cookies[number % len(pages.cookies)]
    async with httpx.AsyncClient(base_url=pages.url, headers={"Cookie": cookie}, timeout=60) as client:
        answer = await client.get(pages.paths[number])
    found = _CLIENT.search(answer.text)
    if found is None:
        raise SystemExit(f"{pages.paths[number]} is no staff page (HTTP {answer.status_code})")
    client_id, next_message = found.groups()
    query = {
        "client_id": client_id,
        "next_message_id": next_message,
        "implicit_handshake": "true",
        "tab_id": str(uuid4()),
        "old_tab_id": "",
        "document_id": str(uuid4()),
    }
    socket = socketio.AsyncClient(reconnection=False)
    socket.on("*", told.hear)
    headers = {"Cookie": cookie, "Origin": pages.url}
    address = f"{pages.url}?{urlencode(query)}"
    await socket.connect(address, socketio_path=SOCKET, transports=["websocket"], headers=headers, wait_timeout=60)
    return socket


async def follow(pages: Pages) -> None:
    told = Told()
    sockets = [await open_page(pages, number, told) for number in range(len(pages.paths))]
    print("ready", flush=True)
    cpu = process_time()
    await asyncio.to_thread(sys.stdin.read)
    lost = sum(not socket.connected for socket in sockets)
    print(json.dumps({"messages": told.messages, "processor": process_time() - cpu, "lost": lost}), flush=True)
    for socket in sockets:
        await socket.disconnect()


if __name__ == "__main__":
    run(follow(Pages(**json.loads(sys.argv[1]))))
