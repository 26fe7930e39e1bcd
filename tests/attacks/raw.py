"""Connections that send what no library would."""

import asyncio
import struct
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager

from tests.attacks.target import PATIENCE

TEXT, CONTINUATION = 1, 0
MASK = b"\0\0\0\0"
"""Under which everything stays as it is."""


class Raw:
    """One connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def send(self, *parts: bytes) -> None:
        """Send, where the other end still takes it."""
        try:
            self.writer.write(b"".join(parts))
            await self.writer.drain()
        except ConnectionError:
            pass

    async def head(self) -> bytes:
        """The head of an answer; b"" where the connection was closed without one."""
        try:
            async with asyncio.timeout(PATIENCE):
                return await self.reader.readuntil(b"\r\n\r\n")
        except (asyncio.IncompleteReadError, ConnectionError):
            return b""

    async def rest(self) -> bytes:
        """All that comes until the other end closes."""
        found = b""
        try:
            async with asyncio.timeout(PATIENCE):
                while chunk := await self.reader.read(65536):
                    found += chunk
        except ConnectionError:
            pass
        return found

    def is_closed(self) -> bool:
        """Whether the other end has closed, as far as that came through."""
        return self.reader.at_eof() or self.reader.exception() is not None


@asynccontextmanager
async def raw(address: tuple[str, int], source: str = "127.0.0.1") -> AsyncIterator[Raw]:
    """A connection from `source`, which is any address of 127.0.0.0/8."""
    reader, writer = await asyncio.open_connection(*address, local_addr=(source, 0))
    try:
        yield Raw(reader, writer)
    finally:
        writer.transport.abort()


@asynccontextmanager
async def many(
    address: tuple[str, int], count: int, sources: Iterable[str] = ("127.0.0.1",)
) -> AsyncIterator[list[Raw]]:
    """`count` connections from each of `sources`."""
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(raw(address, source)) for source in sources for _ in range(count)]


def upgrade(host: str, path: str, **headers: str) -> bytes:
    """A request for a WebSocket."""
    fixed = {
        "Host": host,
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in {**fixed, **headers}.items())
    return f"GET {path} HTTP/1.1\r\n{lines}\r\n".encode()


def frame(size: int, *, opcode: int = TEXT, fin: bool = True) -> bytes:
    """The beginning of a frame of `size` bytes."""
    return struct.pack("!BBQ", opcode | (0x80 if fin else 0), 0x80 | 127, size) + MASK


def close_code(frames: bytes) -> int | None:
    """The code of the close frame at the end of what a server sent."""
    start = frames.rfind(b"\x88")
    return struct.unpack("!H", frames[start + 2 : start + 4])[0] if start >= 0 else None


async def until_closed(connections: list[Raw], count: int) -> None:
    """Return when so many of these were closed by the other end."""

    async def watch(one: Raw) -> None:
        await one.rest()

    watching = {asyncio.create_task(watch(connection)) for connection in connections}
    closed = 0
    try:
        async with asyncio.timeout(PATIENCE):
            while closed < count:
                done, watching = await asyncio.wait(watching, return_when=asyncio.FIRST_COMPLETED)
                closed += len(done)
    finally:
        for task in watching:
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)
