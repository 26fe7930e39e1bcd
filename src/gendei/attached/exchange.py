"""One conversation with a server by the official SDK: what tools it has, or one call of one of them.

Each runs in a task of its own, which the caller leaves behind when the time is over: however a server behaves, and
whatever the SDK does to end its session, nobody waits longer than they said.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar, cast

import httpx2
from mcp.client import Client
from mcp.client.session import ClientSession
from mcp.client.streamable_http import streamable_http_client
from mcp.types import (
    CallToolRequest,
    CallToolRequestParams,
    CallToolResult,
    DiscoverResult,
    Implementation,
    ListToolsRequest,
    ListToolsResult,
    PaginatedRequestParams,
    RequestParamsMeta,
    Tool,
)
from pydantic import ValidationError

from gendei.attached.http import AddressRefused, CheckedTransport, Redirected, TooMuch
from gendei.receptionist.tools.attached import AttachedFailed
from gendei.receptionist.tools.refusals import Why
from mcp import MCPError

T = TypeVar("T")
MOST_PAGES = 5
"""Of one server's listing."""
CONNECT_SECONDS = 3.0
HTTP_SECONDS = 10.0
LEFT_BEHIND_SECONDS = 5.0
"""How long the end of a conversation may take that nobody waits for any more."""
REASONS: tuple[tuple[tuple[type[BaseException], ...], Why], ...] = (
    ((TimeoutError, httpx2.TimeoutException), Why.TIMED_OUT),
    ((AddressRefused,), Why.ADDRESS),
    ((Redirected,), Why.REDIRECTED),
    ((TooMuch,), Why.TOO_MUCH),
    ((httpx2.RequestError, OSError), Why.UNREACHABLE),
    ((MCPError,), Why.REFUSED),
    ((ValidationError,), Why.NONSENSE),
)
"""The first that fits."""
US = Implementation(name="gendei", version="1")


class Exchange:
    """Conversations with the server at `url`; `headers` go with each request."""

    def __init__(self, url: str, headers: Mapping[str, str], transport: CheckedTransport) -> None:
        self._url = url
        self._http = httpx2.AsyncClient(
            transport=transport,
            headers={**headers, "accept-encoding": "identity"},
            timeout=httpx2.Timeout(HTTP_SECONDS, connect=CONNECT_SECONDS),
            trust_env=False,
        )
        self._mode = "auto"
        self._discovered: DiscoverResult | None = None
        self._running: set[asyncio.Task[None]] = set()

    async def tools(self, seconds: float) -> list[Tool]:
        """What the server lists, as it lists it. Raises AttachedFailed."""
        return await self._within(seconds, _listing)

    async def call(self, tool: str, arguments: Mapping[str, Any], meta: Mapping[str, str]) -> CallToolResult:
        """One call, whose time is the caller's affair. The SDK's own check of the answer is left out: it would ask for
        the listing once more, and believe its schema. Raises AttachedFailed."""
        told = cast("RequestParamsMeta", dict(meta)) if meta else None
        params = CallToolRequestParams(name=tool, arguments=dict(arguments), _meta=told)

        async def work(session: ClientSession) -> CallToolResult:
            return await session.send_request(CallToolRequest(params=params), CallToolResult)

        return await self._within(HTTP_SECONDS, work)

    async def close(self) -> None:
        """End what runs; calls that wait for it hear that the server is gone."""
        running = list(self._running)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await self._http.aclose()

    async def _within(self, seconds: float, work: Callable[[ClientSession], Awaitable[T]]) -> T:
        answer: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        task = asyncio.create_task(self._converse(work, answer, seconds))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        try:
            async with asyncio.timeout(seconds):
                return await answer
        except TimeoutError:
            raise AttachedFailed(Why.TIMED_OUT) from None
        finally:
            if answer.cancelled():
                task.cancel()

    async def _converse(
        self, work: Callable[[ClientSession], Awaitable[T]], answer: asyncio.Future[T], seconds: float
    ) -> None:
        transport = streamable_http_client(self._url, http_client=self._http)
        client = Client(transport, mode=self._mode, prior_discover=self._discovered, client_info=US, cache=None)
        why = Why.UNREACHABLE
        try:
            async with asyncio.timeout(seconds + LEFT_BEHIND_SECONDS), client:
                self._remember(client.session)
                result = await work(client.session)
                if not answer.done():
                    answer.set_result(result)
        except Exception as error:  # noqa: BLE001  # whatever a foreign server provokes costs this call alone
            self._mode, self._discovered = "auto", None
            why = _why(error)
        finally:
            if not answer.done():
                answer.set_exception(AttachedFailed(why))

    def _remember(self, session: ClientSession) -> None:
        """How this server is talked to, which saves the next conversation the question."""
        self._discovered = session.discover_result
        self._mode = str(session.protocol_version) if self._discovered else "legacy"


async def _listing(session: ClientSession) -> list[Tool]:
    found: list[Tool] = []
    cursor: str | None = None
    for _ in range(MOST_PAGES):
        request = ListToolsRequest(params=PaginatedRequestParams(cursor=cursor))
        page = await session.send_request(request, ListToolsResult)
        found += page.tools
        cursor = page.next_cursor
        if cursor is None:
            break
    return found


def _why(error: BaseException) -> Why:
    """The reason behind what the SDK's task groups raise: the most telling of them."""
    leaves = _leaves(error)
    return next((why for kinds, why in REASONS if any(isinstance(leave, kinds) for leave in leaves)), Why.NONSENSE)


def _leaves(error: BaseException) -> list[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        return [leaf for exception in error.exceptions for leaf in _leaves(exception)]
    return [error]
