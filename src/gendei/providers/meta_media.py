"""Files that patients sent over Meta: the address from the webhook or, when that is missing or too old, a fresh one for
the media id; then the file itself. Both with the access token, which goes to Meta's hosts and nowhere else. And the
upload of files of ours.

Source: Meta's pages on media, October 2026. An address lives 5 minutes, an id from a webhook 7 days.
"""

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import httpx

from gendei.clinic import Channel
from gendei.conversation.files.media import MediaRef, MediaRefused, MediaUnavailable
from gendei.errors import SecretUnreadable
from gendei.messages.channels import Permanent, Transient, Unknown
from gendei.messages.message import OutgoingMedia
from gendei.providers.exchange import MAX_REDIRECTS, TIMEOUT, answer_object, asked_wait, bounded, exchange, origin
from gendei.providers.meta_errors import refusal

logger = logging.getLogger(__name__)
MEDIA_HOSTS = frozenset({"lookaside.fbsbx.com", "graph.facebook.com"})
MAX_ANSWER_BYTES = 65_536


class MetaMedia:
    """Implements `conversation.media.MediaSource`. The arguments are those of MetaProvider; the host of `graph_url`
    is trusted beside Meta's own. No reason or log line holds an address or the token."""

    def __init__(
        self, client: httpx.AsyncClient, graph_url: str, graph_version: str, credential: Callable[[Channel, str], str]
    ) -> None:
        self._client = client
        self._base = f"{graph_url.rstrip('/')}/{graph_version}"
        self._own = origin(httpx.URL(graph_url))
        self._credential = credential

    @asynccontextmanager
    async def open(self, channel: Channel, ref: MediaRef) -> AsyncIterator[AsyncIterator[bytes]]:
        try:
            token = self._credential(channel, "access_token")
        except SecretUnreadable as error:
            raise MediaRefused(str(error)) from None
        try:
            response = await self._answer(channel, ref, token)
            try:
                yield bounded(response, ref.largest)
            finally:
                await response.aclose()
        except (httpx.HTTPError, httpx.InvalidURL) as error:  # the latter where a redirect names no address
            raise MediaUnavailable(f"Meta did not give the file ({type(error).__name__})") from None

    async def _answer(self, channel: Channel, ref: MediaRef, token: str) -> httpx.Response:
        """The answer that carries the file, its body not read yet."""
        url = _url(ref.url) if ref.url else None
        if url is not None and self._may_see_token(url):
            response = await self._get(url, token)
            if response.status_code == httpx.codes.OK:
                return response
            await response.aclose()
        response = await self._get(self._trusted(await self._look_up(channel, ref, token)), token)
        if response.status_code != httpx.codes.OK:
            await response.aclose()
            raise _failed(response.status_code, "the file")
        return response

    async def _look_up(self, channel: Channel, ref: MediaRef, token: str) -> str:
        """A fresh address for the media id."""
        if ref.media_id is None:
            raise MediaRefused("the message names no file")
        address = httpx.URL(self._base).copy_with(path=f"{httpx.URL(self._base).path}/{_segment(ref.media_id)}")
        response = await self._get(address.copy_add_param("phone_number_id", channel.external_id), token)
        try:
            if response.status_code != httpx.codes.OK:
                raise _failed(response.status_code, "the media id")
            answer = answer_object(httpx.Response(200, content=await _small(response)))
        finally:
            await response.aclose()
        url, size = answer.get("url"), str(answer.get("file_size", ""))
        if not isinstance(url, str) or not url:
            raise MediaUnavailable("Meta's answer on the media id holds no address")
        if size.isascii() and size.isdigit() and int(size[:18]) > ref.largest:
            raise MediaRefused(f"the file has {size[:18]} bytes, more than the {ref.largest} that are taken")
        return url

    async def _get(self, url: httpx.URL, token: str) -> httpx.Response:
        """GET with the token, along redirects that stay with Meta."""
        for _ in range(1 + MAX_REDIRECTS):
            request = self._client.build_request(
                "GET",
                url,
                headers={"Authorization": f"Bearer {token}", "Accept-Encoding": "identity"},
                timeout=TIMEOUT,
            )
            response = await self._client.send(request, stream=True, follow_redirects=False)
            if not response.is_redirect:
                return response
            await response.aclose()
            url = self._trusted(response.headers.get("location", ""), base=url)
        raise MediaUnavailable("Meta redirects without end")

    def _trusted(self, address: str, base: httpx.URL | None = None) -> httpx.URL:
        """`address`, if the token may be shown to its host."""
        url = _url(address, base)
        if url is None or not self._may_see_token(url):
            raise MediaRefused("the file is not at Meta: its address names another host")
        return url

    def _may_see_token(self, url: httpx.URL) -> bool:
        at_meta = url.scheme == "https" and url.host in MEDIA_HOSTS and url.port in {None, 443}
        return not url.userinfo and (at_meta or origin(url) == self._own)


def _url(address: str, base: httpx.URL | None = None) -> httpx.URL | None:
    """None where it is no address."""
    try:
        return base.join(address) if base is not None else httpx.URL(address)
    except (httpx.InvalidURL, ValueError):
        return None


def _segment(media_id: str) -> str:
    """Meta's ids are digits; nothing else becomes a part of a path."""
    if not (media_id.isascii() and media_id.isalnum() and len(media_id) <= 128):
        raise MediaRefused("the media id is no id of Meta's")
    return media_id


def _failed(status: int, what: str) -> MediaUnavailable | MediaRefused:
    """Meta's refusal of `what`. A token may be renewed and a host come back; what is not there will not be."""
    if status in {404, 410}:
        return MediaRefused(f"Meta does not have {what} any more (HTTP {status})")
    return MediaUnavailable(f"Meta refuses {what} (HTTP {status})")


async def _small(response: httpx.Response) -> bytes:
    body = b""
    async for chunk in response.aiter_raw():
        body += chunk
        if len(body) > MAX_ANSWER_BYTES:
            raise MediaUnavailable("Meta's answer on the media id is no small object")
    return body


async def upload(
    client: httpx.AsyncClient, base: str, channel: Channel, media: OutgoingMedia, token: Callable[[], str]
) -> str | Transient | Permanent:
    """Meta's id of the file, good for 30 days: POST {base}/{phone_number_id}/media. `token` may raise
    SecretUnreadable. No outcome is Unknown: an upload that nobody uses is seen by nobody."""

    def prepare() -> httpx.Request:
        return client.build_request(
            "POST",
            f"{base}/{channel.external_id}/media",
            headers={"Authorization": f"Bearer {token()}"},
            data={"messaging_product": "whatsapp", "type": media.mime_type},
            files={"file": (media.file_name or "voice.ogg", media.content, media.mime_type)},
            timeout=TIMEOUT,
        )

    response = await exchange(client, "Meta", prepare)
    if isinstance(response, Unknown):
        return Transient(response.reason)
    if not isinstance(response, httpx.Response):
        return response
    answer = answer_object(response)
    media_id = answer.get("id")
    if response.is_success and isinstance(media_id, str) and media_id:
        return media_id
    error = answer.get("error")
    code = error.get("code") if isinstance(error, dict) else None
    return refusal(response.status_code, code if isinstance(code, int) else None, asked_wait(response))
