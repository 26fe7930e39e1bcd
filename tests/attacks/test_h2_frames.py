"""H2: what a socket may send at once is little, and less before it is known whose it is; so are sockets of one address.
Memory stays bounded under many that send what they never end."""

import asyncio
from pathlib import Path
from urllib.parse import urlencode

import pytest
from tests.attacks.raw import CONTINUATION, Raw, close_code, frame, many, raw, until_closed, upgrade
from tests.attacks.target import Target, target
from tests.attacks.test_m4_page_sockets import SOCKETS, OpenPage, joined, open_page, served, socket_of
from tests.journeys.town import AURORA
from websockets.exceptions import ConnectionClosed

from gendei.http_server.sockets import LARGEST_MESSAGE, LARGEST_OF_STRANGERS, MOST_FRAMES
from gendei.web.live_calls import MOST_STRANGERS, STRANGERS_PER_NETWORK

SWITCHED = b"HTTP/1.1 101"
TOO_BIG, POLICY_VIOLATION = 1009, 1008
NETWORKS = [f"127.0.1.{number}" for number in range(1, 11)]
MOST_MEMORY = 600 * 1024
"""KiB, of which about half is the service itself."""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    with target(tmp_path_factory.mktemp("site")) as running:
        yield running


async def call(site: Target, one: Raw) -> None:
    """Open /live, and say nothing yet."""
    await one.send(upgrade(site.host, "/live"))
    assert (await one.head()).startswith(SWITCHED)


def message_of(size: int) -> str:
    """A packet of Socket.IO that nobody minds, of so many characters."""
    empty = '42["nothing",""]'
    return empty.replace('""', f'"{"x" * (size - len(empty))}"')


async def code_for(site: Target, *sent: bytes) -> int | None:
    """With which code a stranger's socket is closed that sends this."""
    async with raw(site.address) as one:
        await call(site, one)
        await one.send(*sent)
        return close_code(await one.rest())


async def test_a_stranger_announces_no_large_frame(site):
    assert await code_for(site, frame(LARGEST_OF_STRANGERS + 1)) == TOO_BIG
    assert await code_for(site, frame(2**62)) == TOO_BIG


async def test_a_stranger_puts_no_large_message_together_from_small_frames(site):
    half = LARGEST_OF_STRANGERS // 2
    first = frame(half, fin=False) + b"x" * half
    assert await code_for(site, first, frame(half + 1, opcode=CONTINUATION)) == TOO_BIG


async def test_a_message_of_endless_empty_frames_is_cut_off(site):
    empty = frame(0, opcode=CONTINUATION, fin=False)
    assert await code_for(site, frame(0, fin=False), empty * (MOST_FRAMES + 1)) == POLICY_VIOLATION


async def test_who_has_a_session_sends_larger_messages_and_no_larger_ones_than_that(site):
    page = await open_page(site, AURORA)
    async with socket_of(site, page, site.cookie(AURORA)) as socket:
        assert (await joined(socket)).startswith("40")
        await socket.send(message_of(LARGEST_MESSAGE))
        await served(socket)
        await socket.send(message_of(LARGEST_MESSAGE + 1))
        with pytest.raises(ConnectionClosed):
            await served(socket)


async def test_sixty_strangers_of_one_address_leave_no_more_than_its_share_open(site):
    async with many(site.address, 60) as strangers:
        for stranger in strangers:
            await call(site, stranger)
            await stranger.send(frame(LARGEST_OF_STRANGERS), b"x" * (LARGEST_OF_STRANGERS - 1))
        await until_closed(strangers, 60 - STRANGERS_PER_NETWORK)
        async with raw(site.address, "127.0.0.2") as other:
            await call(site, other)


async def test_strangers_of_many_addresses_leave_no_more_open_than_there_is_room_for(site):
    count = MOST_STRANGERS // len(NETWORKS) + 2
    async with many(site.address, count, NETWORKS) as strangers:
        for stranger in strangers:
            await call(site, stranger)
        await until_closed(strangers, len(strangers) - MOST_STRANGERS)


async def test_an_address_has_so_many_sockets_and_another_has_its_own(tmp_path):
    with target(tmp_path, GENDEI_SOCKETS_PER_ADDRESS="5") as site:
        async with many(site.address, 6) as sockets:
            for socket in sockets[:5]:
                await call(site, socket)
            await sockets[5].send(upgrade(site.host, "/live"))
            assert (await sockets[5].head()).startswith(b"HTTP/1.1 403")
            async with raw(site.address, "127.0.0.2") as other:
                await call(site, other)


@pytest.mark.slow
async def test_memory_is_bounded_under_five_hundred_sockets_that_never_end_what_they_send(site):
    page = await open_page(site, AURORA)
    await asyncio.gather(*(besiege(site, page, network) for network in NETWORKS))
    async with raw(site.address) as one:
        await one.send(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert (await one.head()).startswith(b"HTTP/1.1 200")
    assert peak_memory(site.pid) < MOST_MEMORY


async def besiege(site: Target, page: OpenPage, network: str) -> None:
    """25 strangers and 25 sockets of a signed-in page, each with all that it may send but the last byte; the page too
    with small messages before it, which nobody has taken yet."""
    opening = upgrade(site.host, f"{SOCKETS}?{urlencode(page.query())}", **site.cookie(AURORA))
    async with many(site.address, 50, [network]) as sockets:
        for place, socket in enumerate(sockets):
            if place % 2:
                await call(site, socket)
                await socket.send(frame(LARGEST_OF_STRANGERS), b"x" * (LARGEST_OF_STRANGERS - 1))
            else:
                await socket.send(opening)
                assert (await socket.head()).startswith(SWITCHED)
                small = b"\x81\x82" + b"\0\0\0\0" + b"2x"
                socket.writer.write(small * 40)
                socket.writer.write(frame(LARGEST_MESSAGE) + b"x" * (LARGEST_MESSAGE - 1))
        await asyncio.gather(*(socket.rest() for socket in sockets[1::2]))  # nobody waits for a stranger


def peak_memory(pid: int) -> int:
    """KiB that the process held at most (proc(5))."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM:")))
