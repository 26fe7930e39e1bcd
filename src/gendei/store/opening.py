"""The stores that the settings name: documents and patients' files."""

import re
from pathlib import Path

from gendei.conversation.files.media import MediaStore
from gendei.documents import Documents
from gendei.errors import ConfigurationError, StoreError
from gendei.settings import Settings
from gendei.store.media_folder import FolderMedia
from gendei.store.schema import bring_forward
from gendei.store.sqlite import SqliteDocuments

SQLITE = "sqlite:///"
FIRESTORE = re.compile(r"firestore://([^/\s]+)(?:/([^/\s]+))?")


async def open_documents(settings: Settings) -> Documents:
    """The store that GENDEI_DATABASE names: "sqlite:///file.db", "sqlite:////absolute/file.db", "sqlite:///:memory:",
    "firestore://project" or "firestore://project/database"; what stands in it is brought to this version's schema.
    Raises ConfigurationError, or StoreError: NewerStore where it was written by a newer version."""
    documents = await _connect(settings)
    try:
        await bring_forward(documents)
    except BaseException:
        await documents.close()
        raise
    return documents


def sqlite_file(settings: Settings) -> Path | None:
    """The database file that GENDEI_DATABASE names; None where it names none."""
    path = settings.database.removeprefix(SQLITE)
    return None if path in {"", ":memory:", settings.database} else Path(path)


async def _connect(settings: Settings) -> Documents:
    if named := FIRESTORE.fullmatch(settings.database):
        from gendei.store.firestore import FirestoreDocuments  # noqa: PLC0415  half a second that SQLite need not wait

        project, database = named.groups(default="(default)")
        emulator = settings.firestore_emulator_host or None
        return await FirestoreDocuments.open(project, database=database, emulator=emulator)
    if not settings.database.startswith(SQLITE) or len(settings.database) == len(SQLITE):
        raise ConfigurationError(
            "GENDEI_DATABASE",
            "",
            "is no store that this version knows.",
            "Write sqlite:///gendei.db, or firestore://your-project.",
        )
    return await SqliteDocuments.open(settings.database.removeprefix(SQLITE))


def open_media(settings: Settings) -> MediaStore:
    """The media store that GENDEI_MEDIA names: a folder, "gs://bucket" or "gs://bucket/prefix". Blocks while it looks
    for Google's credentials. Raises ConfigurationError for the address of anything else, or where there are none."""
    if "://" not in settings.media:
        return FolderMedia(Path(settings.media))
    from gendei.store.media_bucket import BucketMedia, GoogleToken, parse_place  # noqa: PLC0415  a folder need not wait

    place = parse_place(settings.media)
    if place is None:
        raise ConfigurationError(
            "GENDEI_MEDIA", "", "is no folder and no bucket.", "Write gendei-media, or gs://your-bucket."
        )
    if emulator := settings.storage_emulator_host:
        return BucketMedia(*place, api=emulator if "://" in emulator else f"http://{emulator}")
    try:
        return BucketMedia(*place, token=GoogleToken.default())
    except StoreError as error:
        raise ConfigurationError(
            "GENDEI_MEDIA", "", f"cannot be used: {error}", "Run `gcloud auth application-default login`."
        ) from None
