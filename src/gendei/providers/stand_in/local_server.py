"""An ASGI application on 127.0.0.1, inside the running loop: for the demo and the journeys."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import uvicorn
from starlette.types import ASGIApp

from gendei.http_server.config import bounded_config


class _Server(uvicorn.Server):
    """Leaves signals to the process it runs in, and tells when it listens or has failed to."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.decided = asyncio.Event()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        try:
            await super().startup(sockets)
        except SystemExit:  # how uvicorn gives up when the lifespan fails; it would end the whole process
            self.should_exit = True
        finally:
            self.decided.set()


@asynccontextmanager
async def serve(app: ASGIApp, *, port: int = 0) -> AsyncIterator[str]:
    """Serve `app` with its lifespan; yields its base URL, without a final slash. Port 0 takes a free one.

    Raises RuntimeError when the application does not start, and OSError when the port is taken.
    """
    listener = socket.create_server(("127.0.0.1", port))
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # asyncio does it for no socket that it was given
    server = _Server(bounded_config(app, lifespan="on", proxy_headers=False, timeout_graceful_shutdown=3))
    running = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        await server.decided.wait()
        if not server.started:
            raise RuntimeError("the application did not start; its log says why")
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        await running
        listener.close()
