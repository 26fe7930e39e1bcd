"""Every media store: a file is there whole or not at all, and for its own clinic alone."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.store.bucket import Bucket

from gendei.clinic import ClinicId, Contact
from gendei.conversation.files.media import MediaName, MediaRefused, MediaStore
from gendei.errors import NotFound
from gendei.providers.stand_in.local_server import serve
from gendei.store.media_bucket import PART_BYTES, BucketMedia
from gendei.store.media_folder import FolderMedia

NAME = MediaName.of(ClinicId("aurora"), Contact("+5511999990001"), "wamid.1")
Kept = Callable[[], list[str]]


@asynccontextmanager
async def folder(path: Path) -> AsyncIterator[tuple[MediaStore, Kept]]:
    def kept() -> list[str]:
        return sorted(str(item.relative_to(path)) for item in path.rglob("*") if item.is_file())

    yield FolderMedia(path), kept


@asynccontextmanager
async def bucket(_path: Path) -> AsyncIterator[tuple[MediaStore, Kept]]:
    stand_in = Bucket()
    async with serve(stand_in.app) as url:
        store = BucketMedia("files", api=url)
        yield store, lambda: sorted([*stand_in.objects, *stand_in.uploads])
        await store.close()


@pytest.fixture(params=[folder, bucket], ids=lambda member: member.__name__)
async def opened(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[tuple[MediaStore, Kept]]:
    async with request.param(tmp_path) as pair:
        yield pair


@pytest.fixture
def store(opened: tuple[MediaStore, Kept]) -> MediaStore:
    return opened[0]


@pytest.fixture
def kept(opened: tuple[MediaStore, Kept]) -> Kept:
    """The names of all that is there."""
    return opened[1]


async def write(store: MediaStore, *chunks: bytes, name: MediaName = NAME) -> None:
    async with store.writing(name) as writer:
        for chunk in chunks:
            await writer.write(chunk)


async def read(store: MediaStore, name: MediaName = NAME) -> bytes:
    async with store.reading(name) as chunks:
        return b"".join([chunk async for chunk in chunks])


@pytest.mark.parametrize("size", [0, 1, PART_BYTES, PART_BYTES + 1, 2 * PART_BYTES, 2 * PART_BYTES + 7])
async def test_what_is_written_is_read(store: MediaStore, size: int) -> None:
    content = bytes(range(256)) * (size // 256) + bytes(size % 256)
    await write(store, content[: size // 3], content[size // 3 :])
    assert await read(store) == content


async def test_a_file_is_named_by_clinic_conversation_and_message(store: MediaStore, kept: Kept) -> None:
    await write(store, b"photo")
    assert kept() == [f"aurora/{NAME.folder}/{NAME.file}"]


async def test_a_file_that_breaks_off_leaves_nothing(store: MediaStore, kept: Kept) -> None:
    async def break_off() -> None:
        async with store.writing(NAME) as writer:
            await writer.write(bytes(PART_BYTES + 1))
            raise MediaRefused("no")

    with pytest.raises(MediaRefused):
        await break_off()
    assert kept() == []


async def test_a_file_is_replaced_whole(store: MediaStore) -> None:
    await write(store, b"the first of them")
    await write(store, b"second")
    assert await read(store) == b"second"


async def test_what_is_not_there_is_not_found(store: MediaStore) -> None:
    with pytest.raises(NotFound):
        await read(store)


async def test_another_clinic_reads_nothing_of_it(store: MediaStore) -> None:
    await write(store, b"photo")
    with pytest.raises(NotFound):
        await read(store, MediaName(ClinicId("bromelia"), NAME.folder, NAME.file))


@pytest.mark.parametrize("clinic_id", ["..", ".", "../aurora", "a/b", "?x=1", "#x", "%2e%2e", "ação"])
async def test_a_strange_name_is_one_step_down_and_its_own(store: MediaStore, kept: Kept, clinic_id: str) -> None:
    name = MediaName(ClinicId(clinic_id), "conversation", "message")
    await write(store, b"photo", name=name)
    assert (await read(store, name), [len(item.split("/")) for item in kept()]) == (b"photo", [3])


async def test_what_is_removed_is_gone_and_may_be_removed_again(store: MediaStore, kept: Kept):
    other = MediaName.of(ClinicId("bromelia"), Contact("+5511999990001"), "wamid.1")
    await write(store, b"a file")
    await write(store, b"another clinic's", name=other)
    await store.remove(NAME)
    await store.remove(NAME)
    assert len(kept()) == 1
    async with store.reading(other) as chunks:
        assert b"".join([chunk async for chunk in chunks]) == b"another clinic's"
