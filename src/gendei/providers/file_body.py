"""The body of an answer that is a file, as it comes over the wire and never longer than it may be."""

from collections.abc import AsyncIterator

import httpx

from gendei.conversation.files.media import MediaRefused

TIMEOUT = httpx.Timeout(20, connect=5)
"""Seconds, between bytes; how long a whole file may take is the fetcher's to say."""
MAX_REDIRECTS = 3


async def bounded(response: httpx.Response, largest: int) -> AsyncIterator[bytes]:
    """The chunks of the body. Raises MediaRefused where it is packed (packed content could be far larger than its size
    on the wire), announces more than `largest` bytes, or turns out to have them."""
    if response.headers.get("content-encoding", "identity").lower() != "identity":
        raise MediaRefused("the file comes packed, which nobody asked for")
    announced = response.headers.get("content-length", "")
    if announced.isascii() and announced.isdigit() and int(announced[:18]) > largest:
        raise MediaRefused(f"the file has {announced[:18]} bytes, more than the {largest} that are taken")
    size = 0
    async for chunk in response.aiter_raw():
        size += len(chunk)
        if size > largest:
            raise MediaRefused(f"the file has more than {largest} bytes")
        yield chunk


def origin(url: httpx.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port
