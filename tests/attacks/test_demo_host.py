"""The demo signs its visitors in without a password, so it answers nobody whose name was bound to this machine."""

import asyncio
import os
import re
from contextlib import asynccontextmanager

import httpx
import pytest
from tests.attacks.edges import PATIENCE, ask, socket_headers
from tests.journeys.forked import start_gendei
from tests.journeys.processes import Server, reading

SOCKET = "/_nicegui_ws/socket.io/?EIO=4&transport=websocket"


@asynccontextmanager
async def the_demo(folder):
    """`gendei demo` with its pages, on a free port."""
    command = ("demo", "--pages", "--no-open", "--port", "0")
    process = await asyncio.to_thread(start_gendei, folder, os.environ, *command, stream=1)
    async with reading(process.output) as said:
        try:
            async with asyncio.timeout(3 * PATIENCE):
                address = re.search(rb"http://[\d.:]+", await said.readline())
            assert address is not None
            async with httpx.AsyncClient(base_url=address[0].decode()) as client:
                yield Server(process, client, [])
        finally:
            process.terminate()
            await process.wait()


@pytest.fixture
async def demo(tmp_path):
    async with the_demo(tmp_path) as server:
        yield server


@pytest.mark.slow
async def test_only_the_machines_own_names_with_the_port_are_answered(demo):
    port = demo.client.base_url.port
    own = [f"127.0.0.1:{port}", f"localhost:{port}", f"LOCALHOST:{port}", f"[::1]:{port}"]
    foreign = [f"evil.test:{port}", "evil.test", "127.0.0.1", "localhost:1", f"127.0.0.1.evil.test:{port}", "", "["]
    entered = {host: (await ask(demo, "/demo?clinic=boa-vida", host=host)).status for host in own}
    refused = [await ask(demo, "/demo?clinic=boa-vida", host=host) for host in foreign]
    posted = [await ask(demo, "/webhooks/meta", method="POST", host=host) for host in foreign]
    assert ({*entered.values()}, {entry.status for entry in refused + posted} - {400}) == ({303}, {421})
    assert [item.cookies for item in refused] == [{}] * len(foreign)


@pytest.mark.slow
async def test_sockets_of_other_names_stay_shut(demo):
    port = demo.client.base_url.port
    host = f"evil.test:{port}"
    refused = [
        (await ask(demo, target, *socket_headers(f"Origin: http://{host}"), host=host)).status
        for target in (SOCKET, "/live")
    ]
    own = await ask(demo, "/live", *socket_headers(f"Origin: http://127.0.0.1:{port}"))
    assert (refused, own.status) == ([421, 421], 101)
