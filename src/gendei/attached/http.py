"""HTTP to a server that a clinic names: to checked addresses only, never elsewhere, and never too much of it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from ipaddress import ip_address
from socket import SOCK_STREAM, getaddrinfo
from typing import cast

import httpx2

from gendei.addresses import Address, Networks, literal, may_reach

MAX_BYTES = 1024 * 1024
"""Of one answer, as it is on the wire."""
CONNECTIONS = httpx2.Limits(max_connections=10, max_keepalive_connections=4)
Resolve = Callable[[str, int], Awaitable[tuple[Address, ...]]]
"""The addresses of a host and port; OSError where there are none."""
_LOOKUPS = ThreadPoolExecutor(16, thread_name_prefix="clinic-names")
"""Apart from the loop's own threads: a name server that does not answer holds its thread for long."""


class AddressRefused(httpx2.ConnectError):
    """The address is private, and the operator does not allow it (GENDEI_MCP_PRIVATE_NETWORKS)."""


class Redirected(httpx2.RequestError):
    """The server sends its callers elsewhere. Redirects are not followed: write the right address."""


class TooMuch(httpx2.RequestError):
    """The answer is larger than MAX_BYTES, or compressed although nobody asked for that."""


async def system_resolve(host: str, port: int) -> tuple[Address, ...]:
    """By the system's resolver."""
    loop = asyncio.get_running_loop()
    found = await loop.run_in_executor(_LOOKUPS, lambda: getaddrinfo(host, port, type=SOCK_STREAM))
    return tuple(dict.fromkeys(ip_address(str(known[4][0]).partition("%")[0]) for known in found))


class CheckedTransport(httpx2.AsyncBaseTransport):
    """Looks a name up, checks every address, and connects to one of those that it checked: what the name stands for a
    moment later changes nothing. The certificate and the Host header stay the name's."""

    def __init__(self, private: Networks, resolve: Resolve, inner: httpx2.AsyncBaseTransport | None = None) -> None:
        self._private, self._resolve = private, resolve
        self._inner = inner or httpx2.AsyncHTTPTransport(limits=CONNECTIONS, trust_env=False)
        self._lookup: asyncio.Future[tuple[Address, ...]] | None = None

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Raises AddressRefused, Redirected, TooMuch, and whatever HTTP itself fails with."""
        addresses = await self._checked(request)
        for place, address in enumerate(addresses, start=1):
            try:
                return self._bounded(request, await self._inner.handle_async_request(_to(request, address)))
            except (httpx2.ConnectError, httpx2.ConnectTimeout):
                if place == len(addresses):
                    raise
        raise httpx2.ConnectError("the name has no address", request=request)

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def _checked(self, request: httpx2.Request) -> tuple[Address, ...]:
        written = literal(request.url.host)
        addresses = (written,) if written is not None else await self._looked_up(request)
        plain = request.url.scheme != "https"
        if not all(may_reach(address, self._private, plain=plain) for address in addresses):
            raise AddressRefused("the address is not allowed", request=request)
        return addresses

    async def _looked_up(self, request: httpx2.Request) -> tuple[Address, ...]:
        """One question at a time: callers that give up leave it to the next ones."""
        if self._lookup is None or self._lookup.done():
            port = request.url.port or (443 if request.url.scheme == "https" else 80)
            self._lookup = asyncio.ensure_future(self._resolve(request.url.host, port))
            self._lookup.add_done_callback(_looked_at)
        try:
            return await asyncio.shield(self._lookup)
        except (OSError, UnicodeError) as error:
            raise httpx2.ConnectError("the name is not known", request=request) from error

    def _bounded(self, request: httpx2.Request, response: httpx2.Response) -> httpx2.Response:
        if "location" in response.headers and 300 <= response.status_code < 400:
            raise Redirected("redirects are not followed", request=request)
        if response.headers.get("content-encoding", "identity") != "identity":
            raise TooMuch("compressed", request=request)
        response.stream = _Bounded(cast("httpx2.AsyncByteStream", response.stream), request)
        return response


class _Bounded(httpx2.AsyncByteStream):
    def __init__(self, inner: httpx2.AsyncByteStream, request: httpx2.Request) -> None:
        self._inner, self._request = inner, request

    async def __aiter__(self) -> AsyncIterator[bytes]:
        read = 0
        async for part in self._inner:
            read += len(part)
            if read > MAX_BYTES:
                raise TooMuch("the answer is too large", request=self._request)
            yield part

    async def aclose(self) -> None:
        await self._inner.aclose()


def _to(request: httpx2.Request, address: Address) -> httpx2.Request:
    """`request` for `address`, with the name where TLS and HTTP want it."""
    host = request.url.host
    return httpx2.Request(
        request.method,
        request.url.copy_with(host=str(address)),
        headers=request.headers,
        stream=request.stream,
        extensions={**request.extensions, "sni_hostname": host},
    )


def _looked_at(lookup: asyncio.Future[tuple[Address, ...]]) -> None:
    """Nobody may be left to hear of a failure."""
    if not lookup.cancelled():
        lookup.exception()
