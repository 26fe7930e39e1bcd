"""The files that patients send are fetched after the turn: checked, bounded, again where it fails, and kept apart."""

import base64
import os
import stat
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conversation.cast import (
    APOLOGY,
    BOA_VIDA,
    MARIA_HERE,
    SORRISO,
    RecordingProvider,
    ScriptedReceptionist,
    Watchmaker,
    World,
    wordless,
)

from gendei.clinic import Channel, ClinicId, Contact
from gendei.clinics.directory import Directory
from gendei.conversation.files.media import (
    LARGEST,
    MediaName,
    MediaParts,
    MediaRef,
    MediaUnavailable,
)
from gendei.conversation.messaging import Messaging, wire
from gendei.conversation.outbound.outbox import Pace
from gendei.conversation.turns.turn import TurnParts
from gendei.conversation.turns.worker import WorkerPace
from gendei.documents import Data
from gendei.errors import NotFound
from gendei.messages.keys import MEDIA
from gendei.messages.message import IncomingMessage, MessageType
from gendei.store.media_folder import FolderMedia
from gendei.store.sqlite import SqliteDocuments

PHOTO = b"\xff\xd8\xff\xe0" + bytes(range(256)) * 8
VOICE = b"OggS" + b"\x00" * 60
PDF = b"%PDF-1.7 laudo"


class Files:
    """A provider's files by media id. `failures` are raised first; `asked` are the references in order."""

    def __init__(self) -> None:
        self.content = {"photo": PHOTO, "voice": VOICE, "pdf": PDF}
        self.failures: deque[Exception] = deque()
        self.asked: list[tuple[str, MediaRef]] = []

    @asynccontextmanager
    async def open(self, channel: Channel, ref: MediaRef) -> AsyncIterator[AsyncIterator[bytes]]:
        self.asked.append((channel.external_id, ref))
        if self.failures:
            raise self.failures.popleft()
        yield self._chunks(self.content[ref.media_id or ""])

    async def _chunks(self, content: bytes) -> AsyncIterator[bytes]:
        for start in range(0, len(content), 1000):
            yield content[start : start + 1000]


class Studio:
    """One process with a media store."""

    def __init__(self, documents: SqliteDocuments, directory: Directory, folder: Path) -> None:
        self.documents, self.folder = documents, folder
        self.clock, self.receptionist, self.files = Watchmaker(), ScriptedReceptionist(), Files()
        self.store, self.sources = FolderMedia(folder), {"meta": self.files}
        parts = TurnParts(
            documents, directory, self.receptionist, {"meta": RecordingProvider()}, lambda _: APOLOGY, self.clock
        )
        self.messaging: Messaging = wire(
            parts,
            worker_pace=WorkerPace(quiet=0, sweep=3600),
            outbox_pace=Pace(sweep=3600),
            media=MediaParts(self.store, self.sources),
        )
        assert self.messaging.fetcher is not None
        self.fetcher = self.messaging.fetcher
        self.world = World(documents, directory, self.clock)

    async def send(self, *messages: IncomingMessage, clinic_id: ClinicId = BOA_VIDA) -> None:
        self.world.messaging = self.messaging
        await self.world.accept(*messages, clinic_id=clinic_id)
        await self.world.idle()

    async def media(self, message_id: str = "wamid.1") -> Data | None:
        """What the history says of the file of a message."""
        found = (await self.documents.get(MARIA_HERE.message_path(message_id))).data or {}
        return found.get("media")

    async def stored(self, media: Data) -> bytes:
        name = MediaName(BOA_VIDA, media["folder"], media["file"])
        async with self.store.reading(name) as chunks:
            return b"".join([chunk async for chunk in chunks])

    def kept(self) -> list[Path]:
        return files_in(self.folder)


def files_in(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


@pytest.fixture
async def studio(documents: SqliteDocuments, directory: Directory, tmp_path: Path) -> AsyncIterator[Studio]:
    made = Studio(documents, directory, tmp_path / "media")
    async with made.messaging:
        yield made


def file(media_id: str = "photo", kind: MessageType = MessageType.IMAGE, **fields: Any) -> IncomingMessage:
    fields.setdefault("mime_type", "image/jpeg")
    return wordless(fields.pop("message_id", "wamid.1"), kind, media_id=media_id, **fields)


async def test_a_photo_is_in_the_store_after_its_turn(studio: Studio) -> None:
    await studio.send(file(details={"sha256": base64.b64encode(sha256(PHOTO).digest()).decode()}))

    media = await studio.media()
    assert media is not None
    assert (media["state"], media["contentType"], media["bytes"]) == ("stored", "image/jpeg", len(PHOTO))
    assert await studio.stored(media) == PHOTO
    assert studio.files.asked[0] == ("1001", MediaRef("photo", None, "image/jpeg", _base64(PHOTO), 16 * 1024 * 1024))


def _base64(content: bytes) -> str:
    return base64.b64encode(sha256(content).digest()).decode()


async def test_a_voice_message_is_kept_too(studio: Studio) -> None:
    await studio.send(file("voice", MessageType.AUDIO, mime_type="audio/ogg; codecs=opus"))

    media = await studio.media()
    assert media is not None
    assert (media["contentType"], await studio.stored(media)) == ("audio/ogg", VOICE)


async def test_the_answer_does_not_wait_for_the_file(studio: Studio) -> None:
    studio.files.failures.append(MediaUnavailable("later"))
    await studio.send(file(caption="é este exame?"))

    assert studio.receptionist.heard() == [("é este exame?",)]
    assert await studio.media() is None


async def test_what_fails_is_tried_again_later(studio: Studio) -> None:
    studio.files.failures += [MediaUnavailable("HTTP 503"), OSError("disk full")]
    await studio.send(file())
    for pause in (5, 60):
        studio.clock.advance(pause)
        studio.fetcher.notify(MARIA_HERE)
        await studio.world.idle()

    media = await studio.media()
    assert media is not None
    assert (media["state"], len(studio.files.asked)) == ("stored", 3)


async def test_what_keeps_failing_is_given_up_and_staff_see_why(studio: Studio) -> None:
    studio.files.failures += [MediaUnavailable("Meta refuses the media id (HTTP 401)")] * 9
    await studio.send(file())
    for _ in range(8):
        studio.clock.advance(4000)
        studio.fetcher.notify(MARIA_HERE)
        await studio.world.idle()

    media = await studio.media()
    assert media is not None
    assert (media["state"], media["reason"]) == ("failed", "Meta refuses the media id (HTTP 401)")
    assert len(studio.files.asked) == 5
    assert await studio.world.all(MEDIA, "dueAt") == []


async def test_another_process_fetches_what_a_dead_one_left(studio: Studio, tmp_path: Path) -> None:
    studio.files.failures.append(MediaUnavailable("later"))
    await studio.send(file())
    studio.clock.advance(5)
    other = Studio(studio.documents, studio.world.directory, tmp_path / "media")
    other.clock.now = studio.clock.now
    async with other.messaging:
        await other.fetcher.sweep()
        await other.world.idle()
        await other.messaging.idle()

    media = await other.media()
    assert media is not None
    assert media["state"] == "stored"


@pytest.mark.parametrize(
    ("content", "fields", "reason"),
    [
        (b"<html>oi</html>", {}, "the file is no image: it looks like nothing known"),
        (PDF, {}, "the file is no image: it looks like application/pdf"),
        (PHOTO, {"details": {"sha256": "00" * 32}}, "the file is not the one that was announced: its SHA-256 differs"),
        (PHOTO, {"details": {"sha256": "no hash"}}, "the file is not the one that was announced: its SHA-256 differs"),
        (b"\xff\xd8\xff" + bytes(LARGEST[MessageType.IMAGE]), {}, "the file has more than 16777216 bytes"),
        (b"", {}, "the file is no image: it looks like nothing known"),
    ],
)
async def test_what_is_not_what_it_claims_is_not_kept(
    studio: Studio, content: bytes, fields: dict[str, Any], reason: str
) -> None:
    studio.files.content["photo"] = content
    await studio.send(file(**fields))

    media = await studio.media()
    assert media is not None
    assert (media["state"], media["reason"]) == ("failed", reason)
    assert studio.kept() == []
    assert len(studio.files.asked) == 1


async def test_a_channel_without_a_source_of_files_is_told_so(studio: Studio) -> None:
    studio.sources.clear()
    await studio.send(file())

    media = await studio.media()
    assert media is not None
    assert media["reason"] == "no files can be fetched over this channel (meta)"


async def test_files_are_kept_by_clinic_and_read_by_nobody_else(studio: Studio) -> None:
    await studio.send(file())
    await studio.send(file(message_id="wamid.2"), clinic_id=SORRISO)

    media = await studio.media()
    assert media is not None
    assert [path.relative_to(studio.folder).parts[0] for path in studio.kept()] == ["boa-vida", "sorriso"]
    with pytest.raises(NotFound):
        async with studio.store.reading(MediaName(SORRISO, media["folder"], media["file"])):
            pass


async def test_files_and_folders_are_private(studio: Studio) -> None:
    await studio.send(file())

    [path] = studio.kept()
    modes = [stat.S_IMODE(item.stat().st_mode) for item in (path, path.parent, path.parent.parent, studio.folder)]
    assert modes == [0o600, 0o700, 0o700, 0o700]


names = st.text(min_size=1, max_size=40).filter(lambda value: "\x00" not in value) | st.sampled_from(
    ["..", ".", "../..", "/etc/passwd", "a/b", "...", "~", "C:\\x", "."]
)


@given(names, names, names)
def test_no_name_leads_out_of_the_folder(clinic_id: str, folder: str, name: str) -> None:
    root = Path("/srv/media")
    try:
        path = FolderMedia(root)._path(MediaName(ClinicId(clinic_id), folder, name))
    except UnicodeEncodeError:
        return  # a lone surrogate is no name

    assert Path(os.path.normpath(path)).relative_to(root).parts == path.relative_to(root).parts
    assert len(path.relative_to(root).parts) == 3


def test_names_of_files_say_nothing_about_patients() -> None:
    name = MediaName.of(BOA_VIDA, Contact("+5511999990001"), "wamid.HBgNNTUx")

    assert "99999" not in name.folder + name.file
    assert name != MediaName.of(BOA_VIDA, Contact("+5511999990002"), "wamid.HBgNNTUx")
