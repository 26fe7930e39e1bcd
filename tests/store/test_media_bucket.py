"""The bucket's own: its token, its refusals and its prefix."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from google.auth.exceptions import RefreshError
from tests.store.bucket import Bucket

from gendei.clinic import ClinicId
from gendei.conversation.files.media import MediaName
from gendei.providers.stand_in.local_server import serve
from gendei.store.media_bucket import PART_BYTES, BucketMedia, GoogleToken

NAME = MediaName(ClinicId("aurora"), "conversation", "message")


class Credentials:
    """In the shape of google-auth's. `failing`: the refresh is refused."""

    def __init__(self, *, failing: bool = False) -> None:
        self.token, self.valid, self.refreshed = "", False, 0
        self._failing = failing

    def refresh(self, _request: object) -> None:
        if self._failing:
            raise RefreshError("account gone")
        self.refreshed += 1
        self.token, self.valid = f"ya29.{self.refreshed}", True


@pytest.fixture
def stand_in() -> Bucket:
    return Bucket(token="ya29.1")


@pytest.fixture
def credentials() -> Credentials:
    return Credentials()


@pytest.fixture
async def store(stand_in: Bucket, credentials: Credentials) -> AsyncIterator[BucketMedia]:
    async with serve(stand_in.app) as url:
        made = BucketMedia("files", "clinics/photos", api=url, token=GoogleToken(credentials))
        yield made
        await made.close()


async def write(store: BucketMedia, content: bytes = b"photo") -> None:
    async with store.writing(NAME) as writer:
        await writer.write(content)


async def read(store: BucketMedia) -> bytes:
    async with store.reading(NAME) as chunks:
        return b"".join([chunk async for chunk in chunks])


async def test_the_prefix_stands_before_the_name(store: BucketMedia, stand_in: Bucket) -> None:
    await write(store)
    assert stand_in.objects == {"clinics/photos/aurora/conversation/message": b"photo"}


async def test_one_token_serves_until_it_runs_out(
    store: BucketMedia, stand_in: Bucket, credentials: Credentials
) -> None:
    await asyncio.gather(write(store), write(store))
    assert (await read(store), credentials.refreshed) == (b"photo", 1)
    assert set(stand_in.tokens) == {"Bearer ya29.1"}


@pytest.mark.parametrize("status", [401, 403, 404, 429, 500, 503])
async def test_a_refusal_is_an_error_of_the_store(store: BucketMedia, stand_in: Bucket, status: int) -> None:
    stand_in.fail = [status]
    with pytest.raises(OSError, match=rf"refuses an upload \(HTTP {status}\)"):
        await write(store)
    assert stand_in.objects == {}


async def test_an_upload_without_an_address_is_no_upload(store: BucketMedia, stand_in: Bucket) -> None:
    stand_in.fail = [200]
    with pytest.raises(OSError, match="no address"):
        await write(store)


@pytest.mark.parametrize(
    ("size", "reason"),
    [(5, r"refuses a file \(HTTP 503\)"), (PART_BYTES + 1, r"did not take a part of a file \(HTTP 503\)")],
)
async def test_a_part_that_is_not_taken_is_no_file(
    store: BucketMedia, stand_in: Bucket, size: int, reason: str
) -> None:
    async def broken() -> None:
        async with store.writing(NAME) as writer:
            stand_in.fail = [503]
            await writer.write(bytes(size))

    with pytest.raises(OSError, match=reason):
        await broken()
    assert (stand_in.objects, stand_in.uploads) == ({}, {})


async def test_a_refused_read_is_an_error_of_the_store(store: BucketMedia, stand_in: Bucket) -> None:
    await write(store)
    stand_in.fail = [503]
    with pytest.raises(OSError, match=r"refuses a file \(HTTP 503\)"):
        await read(store)


async def test_a_bucket_that_cannot_be_reached_is_an_error_of_the_store() -> None:
    store = BucketMedia("files", api="http://127.0.0.1:9")
    with pytest.raises(OSError, match="cannot be reached") as failed:
        await read(store)
    await store.close()
    assert "conversation" not in str(failed.value)


async def test_credentials_that_are_refused_are_an_error_of_the_store() -> None:
    with pytest.raises(OSError, match=r"could not be renewed \(RefreshError\)"):
        await GoogleToken(Credentials(failing=True))()
