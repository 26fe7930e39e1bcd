"""How much of patients' files is kept: quotas of a contact's and of a clinic's day, and of all that a clinic keeps.

gendei_clinics/{clinicId}/kept_media/{message id} is one file with its size and place; beside it, media_use has a
document for each local day, and "kept" for all files. The three are written in one commit before a file gets its
name, so that many files at once cannot pass a quota together; the same file again is not counted again.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from gendei.clinic import Clinic, ClinicId
from gendei.clock import Clock
from gendei.conversation.files.media import MIB, Fetch, MediaName, MediaRefused, MediaStore
from gendei.documents import Data, Documents, Query, Snapshot, Transaction, document_id, transact
from gendei.records import Moment, Record

CONTACT, CLINIC, KEPT = "quota_contact", "quota_clinic", "quota_kept"
"""Why a file is not kept: the contact's day, the clinic's day, or all that the clinic keeps, is used up."""
PAGE = 100


class OverQuota(MediaRefused):
    """The message is kept without its file."""


@dataclass(frozen=True, slots=True)
class _Use:
    files: int = 0
    bytes: int = 0

    def plus(self, size: int) -> "_Use":
        return _Use(self.files + 1, self.bytes + size)


@dataclass(frozen=True, slots=True)
class _Day(_Use):
    """What came on a local day. contacts: of each, by the folder of its files."""

    contacts: Mapping[str, _Use] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Kept:
    """A file that is kept, and where it stands."""

    message_path: str
    folder: str
    file: str
    bytes: int
    at: Moment


_DAYS = Record(_Day, "gendei_clinics/{clinicId}/media_use/{yyyy-mm-dd}")
_ALL = Record(_Use, "gendei_clinics/{clinicId}/media_use/kept")
_FILES = Record(_Kept, "gendei_clinics/{clinicId}/kept_media/{message id}")


class MediaQuota:
    """Counts what patients send; what staff send is not counted."""

    def __init__(self, documents: Documents, clock: Clock) -> None:
        self._documents, self._clock = documents, clock

    async def require_room(self, clinic: Clinic, fetch: Fetch) -> None:
        """Raise OverQuota where not even an empty file has room, so that nothing is fetched in vain."""
        record, day, kept = await self._documents.get_many(self._paths(clinic, fetch))
        if not record.exists:
            _counted(clinic, fetch, day, kept, 0)

    async def take(self, clinic: Clinic, fetch: Fetch, size: int) -> None:
        """Count a file of `size` bytes that is about to be kept. Raises OverQuota."""
        paths = self._paths(clinic, fetch)

        async def attempt(transaction: Transaction) -> None:
            record, day, kept = await transaction.get_many(paths)
            if record.exists:
                return  # what was read is not written, and nothing else is: it was counted before
            for path, data in zip(paths[1:], _counted(clinic, fetch, day, kept, size), strict=True):
                transaction.put(path, data)
            file = _Kept(fetch.message_path, fetch.name.folder, fetch.name.file, size, self._clock())
            transaction.put(record.path, _FILES.write(file))

        await transact(self._documents, attempt)

    async def expire(self, clinic: Clinic, store: MediaStore) -> int:
        """Delete the files that the clinic has kept for its term, and say so in the history; how many there were.
        Raises OSError and StoreError."""
        if not clinic.media.keep_days:
            return 0
        now, removed = self._clock(), 0
        until = now - timedelta(days=clinic.media.keep_days)
        due = Query(
            f"{_base(clinic.id)}/kept_media", where=(("at", "<", until),), order_by=(("at", False),), limit=PAGE
        )
        while found := await self._documents.query(due):
            for record in found:
                file = _FILES.read(record.data)
                await store.remove(MediaName(clinic.id, file.folder, file.file))
                await self._forget(clinic.id, record, now)
            removed += len(found)
        return removed

    async def forget(self, clinic_id: ClinicId, message_id: str) -> None:
        """The file of this message is kept no more; nothing happens where none was counted."""
        record = await self._documents.get(f"{_base(clinic_id)}/kept_media/{document_id(message_id)}")
        if record.exists:
            await self._forget(clinic_id, record, self._clock())

    async def _forget(self, clinic_id: ClinicId, record: Snapshot, now: datetime) -> None:
        async def attempt(transaction: Transaction) -> None:
            known = _FILES.found(await transaction.get(record.path))
            if known is None:
                return
            message = await transaction.get(known.message_path)
            if message.data is None:
                transaction.delete(message.path)
            else:
                gone = {"state": "expired", "at": now}
                transaction.put(message.path, message.data | {"media": (message.data.get("media") or {}) | gone})
            kept = await transaction.get(f"{_base(clinic_id)}/media_use/kept")
            use = _ALL.found(kept) or _Use()
            left = _Use(max(0, use.files - 1), max(0, use.bytes - known.bytes))
            transaction.put(kept.path, _ALL.write(left))
            transaction.delete(record.path)

        await transact(self._documents, attempt)

    def _paths(self, clinic: Clinic, fetch: Fetch) -> list[str]:
        base, today = _base(clinic.id), clinic.local(self._clock()).date().isoformat()
        record = f"{base}/kept_media/{document_id(fetch.message_id)}"
        return [record, f"{base}/media_use/{today}", f"{base}/media_use/kept"]


def _counted(clinic: Clinic, fetch: Fetch, day: Snapshot, kept: Snapshot, size: int) -> tuple[Data, Data]:
    """The documents of the day and of all files with one more of `size` bytes. Raises OverQuota."""
    limits, whose = clinic.media, fetch.name.folder
    today = _DAYS.found(day) or _Day()
    of_contact, of_clinic = today.contacts.get(whose, _Use()).plus(size), today.plus(size)
    of_all = (_ALL.found(kept) or _Use()).plus(size)
    if of_contact.files > limits.contact_files_per_day or of_contact.bytes > limits.contact_mb_per_day * MIB:
        raise OverQuota(CONTACT)
    if of_clinic.files > limits.clinic_files_per_day or of_clinic.bytes > limits.clinic_mb_per_day * MIB:
        raise OverQuota(CLINIC)
    if of_all.bytes > limits.kept_mb * MIB:
        raise OverQuota(KEPT)
    of_day = _Day(of_clinic.files, of_clinic.bytes, {**today.contacts, whose: of_contact})
    return _DAYS.write(of_day), _ALL.write(of_all)


def _base(clinic_id: ClinicId) -> str:
    return f"gendei_clinics/{document_id(clinic_id)}"
