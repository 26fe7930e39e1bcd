"""Files that patients sent over Evolution API: POST {base_url}/chat/getBase64FromMediaMessage/{instance} with the id of
the message. The answer is a JSON object that holds the whole file in base64, so it is decoded while it comes.

Shapes: Evolution API 2.3.7, read in its source.
"""

import base64
import binascii
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from urllib.parse import quote

import httpx

from gendei.clinic import Channel
from gendei.conversation.files.media import MediaRef, MediaRefused, MediaUnavailable
from gendei.errors import SecretUnreadable
from gendei.providers.exchange import TIMEOUT, bounded, json_request

MAX_BESIDE_BYTES = 262_144
"""Of the answer, beside the file: its name, its caption (1024 characters) and its size stand before it."""
_START = re.compile(rb'"base64"\s*:\s*"')
"""Inside any JSON text the quotes would be escaped, so no name or caption can pass for it."""


class EvolutionMedia:
    """Implements `conversation.media.MediaSource`. The arguments are those of EvolutionProvider. No reason or log line
    holds an address or the key."""

    def __init__(self, client: httpx.AsyncClient, credential: Callable[[Channel, str], str]) -> None:
        self._client = client
        self._credential = credential

    @asynccontextmanager
    async def open(self, channel: Channel, ref: MediaRef) -> AsyncIterator[AsyncIterator[bytes]]:
        request = self._request(channel, ref)
        try:
            response = await self._client.send(request, stream=True, follow_redirects=False)
            try:
                if not response.is_success:
                    raise _failed(response)
                yield _decoded(bounded(response, MAX_BESIDE_BYTES + ref.largest * 4 // 3))
            finally:
                await response.aclose()
        except (httpx.HTTPError, httpx.InvalidURL) as error:  # the latter where a redirect names no address
            raise MediaUnavailable(f"Evolution API did not give the file ({type(error).__name__})") from None

    def _request(self, channel: Channel, ref: MediaRef) -> httpx.Request:
        if ref.media_id is None:
            raise MediaRefused("the message names no file")
        base, instance = channel.settings.get("base_url", "").rstrip("/"), quote(channel.external_id, safe="")
        try:
            key = self._credential(channel, "api_key")
            request = json_request(
                self._client,
                f"{base}/chat/getBase64FromMediaMessage/{instance}",
                {"message": {"key": {"id": ref.media_id}}},
                {"apikey": key, "Accept-Encoding": "identity"},
            )
        except SecretUnreadable as error:
            raise MediaRefused(str(error)) from None
        except (httpx.InvalidURL, ValueError) as error:
            raise MediaRefused(f"the request cannot be made ({type(error).__name__})") from None
        request.extensions["timeout"] = TIMEOUT.as_dict()
        return request


async def _decoded(body: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The file that stands in base64 in the JSON object `body`; what follows it is not read."""
    carry = b""
    async for chunk in _encoded(body):
        carry += chunk
        whole = len(carry) // 4 * 4
        yield _bytes(carry[:whole])
        carry = carry[whole:]
    if carry:
        raise MediaUnavailable("Evolution API's answer holds no base64")


async def _encoded(body: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The base64 text, without the backslashes that JSON allows before a slash."""
    before, inside, cut = b"", False, b""
    async for chunk in body:
        text = chunk
        if not inside:
            before += chunk
            start = _START.search(before)
            if start is None:
                if len(before) > MAX_BESIDE_BYTES:
                    break
                continue
            text, inside = before[start.end() :], True
        text, quotation, _ = (cut + text).partition(b'"')
        cut = b"\\" if text.endswith(b"\\") and not quotation else b""
        yield text[: len(text) - len(cut)].replace(b"\\/", b"/")
        if quotation:
            return
    raise MediaUnavailable(f"Evolution API's answer {'breaks off' if inside else 'holds no file'}")


def _bytes(text: bytes) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error:
        raise MediaUnavailable("Evolution API's answer holds no base64") from None


def _failed(response: httpx.Response) -> MediaUnavailable:
    """Evolution API answers 400 both for a message that it does not have and for a download that failed."""
    if response.is_redirect:
        return MediaUnavailable("Evolution API redirects, which is never followed; check the base_url")
    return MediaUnavailable(f"Evolution API refuses the file (HTTP {response.status_code})")
