"""Files that patients sent over Z-API: a plain address in the webhook, good for 30 days, that needs no token.

Whoever knows the webhook's secret could write any address into it, so only public names over https are asked, at the
addresses that they were found to have; never anything inside the network that we run in.

Source: Z-API's documentation, April 2026. It names no hosts of its files, so none can be listed.
"""

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from ipaddress import ip_address

import httpx

from gendei import addresses
from gendei.clinic import Channel
from gendei.conversation.files.media import MediaRef, MediaRefused, MediaUnavailable
from gendei.providers.exchange import MAX_REDIRECTS, TIMEOUT, bounded, origin

Resolve = Callable[[str], Awaitable[list[str]]]
"""The IP addresses of a name. Raises OSError."""
MOST_TRIED = 3
"""Of a name's addresses, where one cannot be reached."""


async def resolve_name(name: str) -> list[str]:
    found = await asyncio.get_running_loop().getaddrinfo(name, 443, type=socket.SOCK_STREAM)
    return [str(address[0]) for *_, address in found]


class ZapiMedia:
    """Implements `conversation.media.MediaSource`. Beside public names, the origin of the channel's own `base_url` is
    asked, which the operator chose. No reason or log line holds an address."""

    def __init__(self, client: httpx.AsyncClient, resolve: Resolve = resolve_name) -> None:
        self._client = client
        self._resolve = resolve

    @asynccontextmanager
    async def open(self, channel: Channel, ref: MediaRef) -> AsyncIterator[AsyncIterator[bytes]]:
        if not ref.url:
            raise MediaRefused("the message names no file")
        try:
            response = await self._answer(ref.url, channel.settings.get("base_url", ""))
            try:
                if response.status_code != httpx.codes.OK:
                    raise _failed(response.status_code)
                yield bounded(response, ref.largest)
            finally:
                await response.aclose()
        except (httpx.HTTPError, httpx.InvalidURL) as error:  # the latter where a redirect names no address
            raise MediaUnavailable(f"the file's host did not give it ({type(error).__name__})") from None

    async def _answer(self, address: str, base_url: str) -> httpx.Response:
        """The answer at the end of all redirects, each checked like the first; its body is not read yet."""
        url = _url(address)
        own = origin(_url(base_url)) if base_url else None
        for _ in range(1 + MAX_REDIRECTS):
            response = await self._get(url, own)
            if not response.is_redirect:
                return response
            await response.aclose()
            url = _url(response.headers.get("location", ""), url)
        raise MediaUnavailable("the file's host redirects without end")

    async def _get(self, url: httpx.URL, own: tuple[str, str, int | None] | None) -> httpx.Response:
        if url.userinfo:
            raise MediaRefused("the file's address holds a password")
        if origin(url) == own:
            return await self._send(url, url.host)
        if url.scheme != "https" or url.port not in {None, 443}:
            raise MediaRefused("the file's address is no https address of a public host")
        public = await self._public(url.host)
        for number, found in enumerate(public, 1):
            try:
                return await self._send(url, found)
            except (httpx.ConnectError, httpx.ConnectTimeout):
                if number == len(public):
                    raise
        raise MediaUnavailable("the file's host has no address")

    async def _public(self, name: str) -> list[str]:
        """Some of the addresses of `name`; refused where any of them is not public."""
        try:
            found = await self._resolve(name)
        except (OSError, UnicodeError):
            raise MediaUnavailable("the file's host is not known") from None
        if _is_address(name) or not all(map(is_public, found)):
            raise MediaRefused("the file's address is no https address of a public host")
        return list(dict.fromkeys(found))[:MOST_TRIED]

    async def _send(self, url: httpx.URL, host: str) -> httpx.Response:
        """Asked at `host`, so that a name cannot mean another address by then; its certificate must be the name's.
        The connection is not kept: another name may share the address."""
        request = self._client.build_request(
            "GET",
            url.copy_with(host=host),
            headers={"Host": url.netloc.decode("ascii"), "Accept-Encoding": "identity", "Connection": "close"},
            extensions={"sni_hostname": url.raw_host.decode("ascii")},
            timeout=TIMEOUT,
        )
        return await self._client.send(request, stream=True, follow_redirects=False)


def is_public(address: str) -> bool:
    """Whether an IP address, as a resolver gives it, is one of the public internet."""
    try:
        return "%" not in address and addresses.is_public(ip_address(address))  # with a zone: link-local
    except ValueError:
        return False


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _url(address: str, base: httpx.URL | None = None) -> httpx.URL:
    try:
        return base.join(address) if base is not None else httpx.URL(address)
    except (httpx.InvalidURL, ValueError):
        raise MediaRefused("the file's address is no address") from None


def _failed(status: int) -> MediaUnavailable | MediaRefused:
    if status in {404, 410}:
        return MediaRefused(f"the file's host does not have it any more (HTTP {status})")
    return MediaUnavailable(f"the file's host refuses it (HTTP {status})")
