"""Patients' files in a folder: {folder}/{clinic}/{conversation}/{message}, readable by the service's user alone."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from io import BufferedWriter
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO

from gendei.conversation.files.media import MediaName
from gendei.documents import document_id
from gendei.errors import NotFound

CHUNK_BYTES = 256 * 1024
FOLDER_MODE, FILE_MODE = 0o700, 0o600


class FolderMedia:
    """Implements `conversation.media.MediaStore`. Folders are made when they are needed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def close(self) -> None:
        """Nothing is held between two files."""

    @asynccontextmanager
    async def writing(self, name: MediaName) -> AsyncIterator["_Part"]:
        """The file gets its name when it is whole and on disk; a part that is left by a crash is never read."""
        path = self._path(name)
        part = await asyncio.to_thread(_Part.begin, path)
        try:
            yield part
            await asyncio.to_thread(part.finish)
        finally:
            await asyncio.to_thread(part.discard)

    @asynccontextmanager
    async def reading(self, name: MediaName) -> AsyncIterator[AsyncIterator[bytes]]:
        try:
            file = await asyncio.to_thread(self._path(name).open, "rb")
        except FileNotFoundError:
            raise NotFound from None
        try:
            yield _chunks(file)
        finally:
            await asyncio.to_thread(file.close)

    async def remove(self, name: MediaName) -> None:
        await asyncio.to_thread(self._path(name).unlink, missing_ok=True)

    def _path(self, name: MediaName) -> Path:
        """Escaped, each part is one step down and nothing else."""
        return self._folder.joinpath(*(document_id(part) for part in (name.clinic_id, name.folder, name.file)))


class _Part:
    """A file that is being written."""

    def __init__(self, path: Path, part: Path, file: BufferedWriter) -> None:
        self._path, self._part, self._file = path, part, file

    @classmethod
    def begin(cls, path: Path) -> "_Part":
        for folder in reversed(path.parents):  # each by itself: `parents=True` would leave the upper ones open to all
            if not folder.is_dir():
                folder.mkdir(mode=FOLDER_MODE, exist_ok=True)
        part = path.with_name(f".{path.name}.{token_hex(8)}.part")
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), FILE_MODE)
        return cls(path, part, os.fdopen(descriptor, "wb"))

    async def write(self, chunk: bytes) -> None:
        await asyncio.to_thread(self._file.write, chunk)

    def finish(self) -> None:
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        self._part.replace(self._path)
        folder = os.open(self._path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def discard(self) -> None:
        """Nothing, once it is finished."""
        self._file.close()
        with suppress(FileNotFoundError):
            self._part.unlink()


async def _chunks(file: BinaryIO) -> AsyncIterator[bytes]:
    while chunk := await asyncio.to_thread(file.read, CHUNK_BYTES):
        yield chunk
