"""A line to the Firestore emulator that fails when a test wants it to."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import grpc

AfterCommit = Callable[[], Awaitable[None]]


async def nothing() -> None:
    return


class Line(grpc.GenericRpcHandler):
    """Passes every call on, byte for byte. `down`: every call fails before it arrives, and sets `refused`.
    `mute`: a live query is taken and never answered.
    `lost_requests` and `lost_answers`: how many commits fail before they arrive, and after they were applied;
    `after_commit` runs once a commit was applied, or lost, and before its answer."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self.address = ""
        self.down = False
        self.mute = False
        self.refused = asyncio.Event()
        self.lost_requests = 0
        self.lost_answers = 0
        self.after_commit: AfterCommit = nothing
        self.commits = 0
        self._channel = channel
        self._cut = asyncio.Event()

    def cut_streams(self) -> None:
        """End every live query's stream."""
        self._cut.set()
        self._cut = asyncio.Event()

    def service(self, handler_call_details: Any) -> Any:
        method = handler_call_details.method
        if method.endswith("/Commit"):
            return grpc.unary_unary_rpc_method_handler(self._on_commit(method))
        if method.endswith("/Listen"):
            return grpc.stream_stream_rpc_method_handler(self._on_listen(method))
        return grpc.unary_stream_rpc_method_handler(self._on_read(method))

    def _on_commit(self, method: str) -> Any:
        async def commit(request: bytes, context: Any) -> bytes:
            await self._require_up(context)
            self.commits += 1
            if self.lost_requests:
                self.lost_requests -= 1
            else:
                try:
                    answer: bytes = await self._channel.unary_unary(method)(request)
                except grpc.aio.AioRpcError as error:
                    await context.abort(error.code(), error.details())
                if not self.lost_answers:
                    return answer
                self.lost_answers -= 1
            await self.after_commit()
            await context.abort(grpc.StatusCode.UNAVAILABLE, "lost")
            raise AssertionError

        return commit

    def _on_read(self, method: str) -> Any:
        async def read(request: bytes, context: Any) -> AsyncIterator[bytes]:
            await self._require_up(context)
            async for answer in self._channel.unary_stream(method)(request):
                yield answer

        return read

    def _on_listen(self, method: str) -> Any:
        async def listen(requests: AsyncIterator[bytes], context: Any) -> AsyncIterator[bytes]:
            await self._require_up(context)
            if self.mute:
                await asyncio.Event().wait()
            prefix = [item for item in context.invocation_metadata() if item[0] == "google-cloud-resource-prefix"]
            call = self._channel.stream_stream(method)(metadata=prefix)
            passing_on = asyncio.create_task(_pass_on(requests, call))
            cut = asyncio.create_task(self._cut.wait())
            try:
                while True:
                    reading = asyncio.create_task(call.read())
                    await asyncio.wait([reading, cut], return_when=asyncio.FIRST_COMPLETED)
                    if not reading.done():
                        await context.abort(grpc.StatusCode.UNAVAILABLE, "cut")
                    if reading.result() is grpc.aio.EOF:
                        return
                    yield reading.result()
            finally:
                call.cancel()
                for task in (passing_on, cut, reading):
                    task.cancel()

        return listen

    async def _require_up(self, context: Any) -> None:
        if self.down:
            self.refused.set()
            await context.abort(grpc.StatusCode.UNAVAILABLE, "down")


async def _pass_on(requests: AsyncIterator[bytes], call: Any) -> None:
    async for request in requests:
        await call.write(request)
    await call.done_writing()


@asynccontextmanager
async def unreliable_line(emulator: str) -> AsyncIterator[Line]:
    async with grpc.aio.insecure_channel(emulator) as channel:
        line = Line(channel)
        server = grpc.aio.server(handlers=[line])
        line.address = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
        await server.start()
        yield line
        await server.stop(None)
