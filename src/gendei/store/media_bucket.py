"""Patients' files in a bucket of Google Cloud Storage: {prefix}/{clinic}/{conversation}/{message}.

Source: Cloud Storage's JSON API, resumable uploads: an object is there when its last part is, and not before.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any
from urllib.parse import quote

import google.auth
import httpx
from google.auth.exceptions import GoogleAuthError
from google.auth.transport.requests import Request

from gendei.conversation.files.media import MediaName
from gendei.documents import document_id
from gendei.errors import NotFound, StoreError

API = "https://storage.googleapis.com"
SCOPE = "https://www.googleapis.com/auth/devstorage.read_write"
PART_BYTES = 4 * 1024 * 1024
"""Of an upload, so that no file is held whole; a multiple of 256 KiB, as Cloud Storage asks."""
TIMEOUT = httpx.Timeout(60, connect=5)
_GOES_ON = 308
_PLACE = re.compile(r"gs://([a-z0-9][a-z0-9._-]{1,220}[a-z0-9])((?:/[A-Za-z0-9_-][A-Za-z0-9._-]*)*)/?")
Token = Callable[[], Awaitable[str]]


def parse_place(text: str) -> tuple[str, str] | None:
    """(bucket, prefix) of "gs://bucket" or "gs://bucket/a/prefix"; None for anything else."""
    named = _PLACE.fullmatch(text)
    return (named[1], named[2].strip("/")) if named else None


class GoogleToken:
    """The access token of the application's default credentials, renewed off the loop where it ran out."""

    def __init__(self, credentials: Any) -> None:
        self._credentials = credentials
        self._one_at_a_time = asyncio.Lock()

    @classmethod
    def default(cls) -> "GoogleToken":
        """Blocks. Raises StoreError where there are none."""
        try:
            credentials, _ = google.auth.default(scopes=[SCOPE])
        except GoogleAuthError as error:
            raise StoreError(f"there are no credentials for Cloud Storage: {error}") from error
        return cls(credentials)

    async def __call__(self) -> str:
        """Raises OSError."""
        async with self._one_at_a_time:
            if not self._credentials.valid:
                try:
                    await asyncio.to_thread(self._credentials.refresh, Request())
                except GoogleAuthError as error:
                    raise OSError(f"Cloud Storage's token could not be renewed ({type(error).__name__})") from None
            return str(self._credentials.token)


class BucketMedia:
    """Implements `conversation.media.MediaStore`. `api`: where the JSON API is. `token`: None for an emulator, which
    asks for none. No error holds an address: it names a patient's file."""

    def __init__(self, bucket: str, prefix: str = "", *, api: str = API, token: Token | None = None) -> None:
        self._bucket, self._prefix, self._token = bucket, prefix, token
        self._api = api.rstrip("/")
        self._client = httpx.AsyncClient(timeout=TIMEOUT, follow_redirects=False)

    async def close(self) -> None:
        await self._client.aclose()

    @asynccontextmanager
    async def writing(self, name: MediaName) -> AsyncIterator["_Upload"]:
        """The object is there when the last part is; what an upload that broke off holds is never read, and Cloud
        Storage forgets it."""
        upload = _Upload(self._send, await self._begin(name))
        try:
            yield upload
            await upload.finish()
        except BaseException:
            await upload.discard()
            raise

    @asynccontextmanager
    async def reading(self, name: MediaName) -> AsyncIterator[AsyncIterator[bytes]]:
        url = f"{self._api}/storage/v1/b/{self._bucket}/o/{quote(self._object(name), safe='')}"
        headers = {**await self._authorization(), "Accept-Encoding": "identity"}
        response = await self._send("GET", url, params={"alt": "media"}, headers=headers, stream=True)
        try:
            if response.status_code == httpx.codes.NOT_FOUND:
                raise NotFound
            _check(response, "a file")
            yield _chunks(response)
        finally:
            await response.aclose()

    async def remove(self, name: MediaName) -> None:
        url = f"{self._api}/storage/v1/b/{self._bucket}/o/{quote(self._object(name), safe='')}"
        response = await self._send("DELETE", url, headers=await self._authorization())
        if response.status_code != httpx.codes.NOT_FOUND:
            _check(response, "the deletion of a file")

    async def _begin(self, name: MediaName) -> str:
        """The address of a new upload; whoever has it may write this one object, so it needs no token."""
        response = await self._send(
            "POST",
            f"{self._api}/upload/storage/v1/b/{self._bucket}/o",
            params={"uploadType": "resumable", "name": self._object(name)},
            headers={**await self._authorization(), "X-Upload-Content-Type": "application/octet-stream"},
        )
        _check(response, "an upload")
        address = response.headers.get("location", "")
        if not address:
            raise OSError("Cloud Storage gave no address for an upload")
        return str(address)

    async def _authorization(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {await self._token()}"} if self._token else {}

    async def _send(self, method: str, url: str, *, stream: bool = False, **request: Any) -> httpx.Response:
        """`request`: as for httpx's build_request. Raises OSError."""
        try:
            return await self._client.send(self._client.build_request(method, url, **request), stream=stream)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise OSError(f"Cloud Storage cannot be reached ({type(error).__name__})") from None

    def _object(self, name: MediaName) -> str:
        parts = (document_id(part) for part in (name.clinic_id, name.folder, name.file))
        return "/".join([self._prefix, *parts] if self._prefix else parts)


class _Upload:
    """An object that is being written."""

    def __init__(self, send: Callable[..., Awaitable[httpx.Response]], address: str) -> None:
        self._send, self._address = send, address
        self._sent, self._held = 0, bytearray()

    async def write(self, chunk: bytes) -> None:
        self._held += chunk
        while len(self._held) > PART_BYTES:
            part = bytes(self._held[:PART_BYTES])
            response = await self._put(part, "*")
            taken = f"bytes=0-{self._sent + len(part) - 1}"
            if response.status_code != _GOES_ON or response.headers.get("range") != taken:
                raise OSError(f"Cloud Storage did not take a part of a file (HTTP {response.status_code})")
            self._sent += len(part)
            del self._held[:PART_BYTES]

    async def finish(self) -> None:
        total = self._sent + len(self._held)
        _check(await self._put(bytes(self._held), str(total)), "a file")

    async def discard(self) -> None:
        """As far as it can be done: Cloud Storage forgets an upload by itself within a week."""
        with suppress(OSError):
            await self._send("DELETE", self._address)

    async def _put(self, part: bytes, total: str) -> httpx.Response:
        which = f"{self._sent}-{self._sent + len(part) - 1}" if part else "*"
        return await self._send("PUT", self._address, content=part, headers={"Content-Range": f"bytes {which}/{total}"})


async def _chunks(response: httpx.Response) -> AsyncIterator[bytes]:
    try:
        async for chunk in response.aiter_raw():
            yield chunk
    except httpx.HTTPError as error:
        raise OSError(f"a file of Cloud Storage breaks off ({type(error).__name__})") from None


def _check(response: httpx.Response, what: str) -> None:
    if not response.is_success:
        raise OSError(f"Cloud Storage refuses {what} (HTTP {response.status_code})")
