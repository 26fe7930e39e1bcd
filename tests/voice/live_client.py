"""A browser's end of a live call: a microphone that plays made sound, and ears that take down what comes."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import numpy as np
from tests.voice.studio import RATE, tone
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

CHUNK = 4096
PATIENCE = 20.0
"""Seconds after which a test that waits has failed."""


def pcm(samples: np.ndarray) -> bytes:
    return (samples * 32767).astype("<i2").tobytes()


SILENCE = pcm(np.zeros(RATE, np.float32))
SPEECH = pcm(tone(0.6))


class LiveClient:
    """`frames`: what came as JSON; `sound`: what came to be heard since `stop`; `closed`: code and reason."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.frames: list[dict[str, Any]] = []
        self.sound = b""
        self.closed: tuple[int, str] | None = None
        self._changed = asyncio.Condition()

    async def listen(self) -> None:
        """Until the socket is closed."""
        try:
            async for message in self.socket:
                async with self._changed:
                    if isinstance(message, bytes):
                        self.sound += message
                    else:
                        frame = json.loads(message)
                        self.frames.append(frame)
                        self.sound = b"" if frame["type"] == "stop" else self.sound
                    self._changed.notify_all()
        except ConnectionClosed:
            pass
        async with self._changed:
            self.closed = (self.socket.close_code, self.socket.close_reason)
            self._changed.notify_all()

    async def until(self, reached: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE), self._changed:
            await self._changed.wait_for(reached)

    async def send(self, **frame: Any) -> None:
        await self.socket.send(json.dumps(frame))

    async def play(self, sound: bytes) -> None:
        """Into the microphone, in whole chunks."""
        for start in range(0, len(sound) - CHUNK + 1, CHUNK):
            await self.socket.send(sound[start : start + CHUNK])

    async def say(self, sound: bytes = SPEECH) -> None:
        """Speak, and fall silent."""
        await self.play(sound + SILENCE)

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [frame for frame in self.frames if frame["type"] == kind]

    @property
    def texts(self) -> list[str]:
        """What the clinic said, as it is shown."""
        return [message["text"] for message in self.of("message")]

    @property
    def notices(self) -> list[str]:
        return [item["code"] for item in self.of("notice")]

    @property
    def states(self) -> list[str]:
        return [item["state"] for item in self.of("state")]

    async def told(self, count: int = 1) -> dict[str, Any]:
        """The message of that number, once it came."""
        await self.until(lambda: len(self.of("message")) >= count)
        return self.of("message")[count - 1]

    async def until_closed(self) -> tuple[int, str]:
        await self.until(lambda: self.closed is not None)
        assert self.closed is not None
        return self.closed


@asynccontextmanager
async def calling(url: str, token: str | None, *, origin: str | None = None, **start: str) -> AsyncIterator[LiveClient]:
    """A live call; ready when this is entered, or closed. `token` None: nothing is said first. `origin`: of the page
    that calls."""
    address = f"{url.replace('http', 'ws', 1)}/live"
    async with connect(address, origin=origin, compression=None, proxy=None) as socket:
        client = LiveClient(socket)
        listening = asyncio.create_task(client.listen())
        if token is not None:
            await client.send(type="start", token=token, **start)
            await client.until(lambda: bool(client.frames) or client.closed is not None)
        yield client
        await socket.close()
        await listening
