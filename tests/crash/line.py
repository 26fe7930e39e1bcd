"""A line to the store that can be cut."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Self


class Line:
    """A TCP relay in front of one server, with an `address` ("host:port") of its own. Cut, it ends every connection
    and takes none, until it is mended: who is behind it cannot tell that from a server that is gone."""

    def __init__(self, target: str) -> None:
        self.address = ""
        self._target = target
        self._whole = True
        self._writers: set[asyncio.StreamWriter] = set()

    @classmethod
    @asynccontextmanager
    async def to(cls, target: str) -> AsyncIterator[Self]:
        line = cls(target)
        server = await asyncio.start_server(line._relay, "127.0.0.1", 0)
        host, port = server.sockets[0].getsockname()
        line.address = f"{host}:{port}"
        try:
            yield line
        finally:
            server.close()
            line.cut()

    def cut(self) -> None:
        self._whole = False
        for writer in self._writers:
            writer.transport.abort()

    def mend(self) -> None:
        self._whole = True

    async def _relay(self, near_end: asyncio.StreamReader, near: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            if not self._whole:
                near.transport.abort()
                return
            far_end, far = await asyncio.open_connection(*self._target.split(":"))
            self._writers |= {near, far}
            await asyncio.gather(_pour(near_end, far), _pour(far_end, near))
            self._writers -= {near, far}


async def _pour(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    """Everything until either end is gone."""
    with suppress(OSError):
        while part := await source.read(65536):
            sink.write(part)
            await sink.drain()
    sink.close()
