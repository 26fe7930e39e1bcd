"""Hostile clients on raw sockets of this machine: half-said requests, and WebSockets with messages that never end."""

import asyncio
import base64
import os
import struct
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

GREAT_MESSAGE = 15_000_000
"""Bytes that a frame's header promises."""
PART = b"\x00" * 65_536
OPENING_SECONDS = 20


@dataclass(frozen=True, slots=True)
class Stranger:
    """One open connection. `upgraded`: the server took it for a WebSocket."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    upgraded: bool

    async def pour(self, most: int) -> int:
        """Send the beginning of one great message, until the server closes or `most` bytes have left; how many did."""
        poured = 0
        with suppress(OSError, TimeoutError):
            self.writer.write(struct.pack("!BBQ", 0x82, 0xFF, GREAT_MESSAGE) + b"\x00" * 4)
            while poured < most:
                self.writer.write(PART)
                async with asyncio.timeout(OPENING_SECONDS):
                    await self.writer.drain()
                poured += len(PART)
        return poured

    async def closed(self) -> bool:
        """Wait until the server has closed the connection; False where it does not within OPENING_SECONDS."""
        with suppress(OSError):
            try:
                async with asyncio.timeout(OPENING_SECONDS):
                    while await self.reader.read(65_536):
                        pass
            except TimeoutError:
                return False
        return True

    async def leave(self) -> None:
        self.writer.close()
        with suppress(OSError):
            await self.writer.wait_closed()


async def open_socket(url: str, path: str, origin: str | None = None) -> Stranger:
    """A WebSocket of the server at `url`, or what became of it. Raises OSError where nothing is taken at all."""
    host = urlsplit(url)
    reader, writer = await asyncio.open_connection(host.hostname, host.port)
    key = base64.b64encode(os.urandom(16)).decode()
    lines = [
        f"GET {path} HTTP/1.1",
        f"Host: {host.netloc}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Key: {key}",
        *([f"Origin: {origin}"] if origin else []),
    ]
    writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
    answer = b""
    with suppress(OSError, TimeoutError):
        async with asyncio.timeout(OPENING_SECONDS):
            answer = await reader.readline()
            while (await reader.readline()).strip():
                pass
    return Stranger(reader, writer, b" 101 " in answer)


async def half_said(url: str, beginning: bytes = b"POST /webhooks/meta HTTP/1.1\r\nHost: x\r\nX-Slow: ") -> Stranger:
    """A request whose headers never end."""
    host = urlsplit(url)
    reader, writer = await asyncio.open_connection(host.hostname, host.port)
    writer.write(beginning)
    await writer.drain()
    return Stranger(reader, writer, upgraded=False)
