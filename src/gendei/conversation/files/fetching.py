"""Fetches what patients sent into the media store: after the turn's commit, in the background, again where it fails."""

import asyncio
import logging
from dataclasses import dataclass, replace
from datetime import timedelta
from hashlib import sha256

from gendei.clinic import Channel, Clinic
from gendei.clock import Clock
from gendei.conversation.files.media import FETCH, Fetch, MediaParts, MediaRefused, MediaUnavailable, stored_media
from gendei.conversation.files.quota import MediaQuota
from gendei.conversation.files.screening import HEAD_BYTES, check_hash, content_type
from gendei.conversation.work.lanes import Lanes, LaneWork, Sweeping
from gendei.documents import Data, Documents, Query, Snapshot, Transaction, put, transact
from gendei.errors import Conflict
from gendei.messages.channels import Clinics
from gendei.messages.keys import MEDIA, ConversationKey

log = logging.getLogger(__name__)
PAGE = 50


@dataclass(frozen=True, slots=True)
class FetchPace:
    """Times in seconds. `pauses`: before each further attempt, so that their number is the number of attempts less
    one. `limit`: for one attempt; a claim is believed for that long and a little more."""

    pauses: tuple[float, ...] = (5, 60, 600, 3600)
    limit: float = 120
    sweep: float = 30
    expire: float = 6 * 3600
    at_once: int = 8
    per_clinic: int = 4


class Downloads:
    """Brings files from their providers into the media store. One at a time costs one call of `keep`."""

    def __init__(self, clinics: Clinics, parts: MediaParts, quota: MediaQuota, clock: Clock) -> None:
        self._clinics = clinics
        self._parts = parts
        self._quota = quota
        self._clock = clock

    async def keep(self, fetch: Fetch, copy: bytearray | None = None) -> Data:
        """Store the file, checked and counted; what the history says of it. `copy`: gets its bytes too. Raises
        MediaRefused (OverQuota where there is no room for it), MediaUnavailable and OSError."""
        clinic = await self._clinics.get(fetch.key.clinic_id)
        source, channel = self._parts.sources.get(fetch.provider), _channel(clinic, fetch)
        if clinic is None or source is None or channel is None:
            raise MediaRefused(f"no files can be fetched over this channel ({fetch.provider})")
        await self._quota.require_room(clinic, fetch)
        ref, size, digest, head = fetch.ref, 0, sha256(), b""
        async with source.open(channel, ref) as chunks, self._parts.store.writing(fetch.name) as file:
            async for chunk in chunks:
                size += len(chunk)
                if size > ref.largest:
                    raise MediaRefused(f"the file has more than {ref.largest} bytes")
                digest.update(chunk)
                head += chunk[: HEAD_BYTES - len(head)]
                await file.write(chunk)
                if copy is not None:
                    copy += chunk
            check_hash(ref.sha256, digest.digest())
            kind = content_type(fetch.kind, ref.mime_type, head)
            await self._quota.take(clinic, fetch, size)
        return stored_media(fetch.name, kind, size, self._clock()) | {"sha256": digest.hexdigest()}

    async def expire(self) -> None:
        """Delete the files whose clinic's term is over."""
        for clinic in self._clinics.all():
            try:
                if removed := await self._quota.expire(clinic, self._parts.store):
                    log.info("%d files of clinic %s were kept for their term and are deleted", removed, clinic.id)
            except OSError as error:
                log.warning("files of clinic %s could not be deleted: %s", clinic.id, type(error).__name__)


def _channel(clinic: Clinic | None, fetch: Fetch) -> Channel | None:
    ours = (fetch.provider, fetch.external_id)
    channels = clinic.channels if clinic is not None else ()
    return next((channel for channel in channels if (channel.provider, channel.external_id) == ours), None)


class Fetcher(LaneWork[ConversationKey]):
    """Fetches the files of each conversation, in the background, and deletes those whose term is over. What becomes of
    a file stands in `media` of its message in the history: {"state": "stored", "folder", "file", "contentType",
    "bytes", "sha256", "at"}, later the same with "expired", or {"state": "failed", "reason", "at"}; as long as none of
    them is there, it is still tried."""

    def __init__(self, documents: Documents, downloads: Downloads, clock: Clock, pace: FetchPace | None = None) -> None:
        self._documents = documents
        self._downloads = downloads
        self._clock = clock
        self._pace = pace or FetchPace()
        lanes = Lanes(self._work, at_once=self._pace.at_once, per_clinic=self._pace.per_clinic)
        sweeping = Sweeping(self.sweep, self._pace.sweep, log, "files to fetch could not be looked for: %s")
        expiring = Sweeping(downloads.expire, self._pace.expire, log, "files to delete could not be looked for: %s")
        super().__init__(lanes, sweeping, expiring, grace=0)  # a file that is half there is fetched again

    async def sweep(self) -> None:
        """Take up what is due in the store and unknown here."""
        due = Query(MEDIA, where=(("dueAt", "<=", self._clock()),), order_by=(("dueAt", False),), limit=PAGE)
        for snapshot in await self._documents.query(due):
            key = ConversationKey.parse((snapshot.data or {})["conversation"])
            if not self._lanes.knows(key):
                self._lanes.plan(key)

    async def _work(self, key: ConversationKey) -> float | None:
        """Fetch what is due for `key`; the seconds until more is, None when nothing is left."""
        of_key = Query(MEDIA, where=(("conversation", "==", key.text),), order_by=(("dueAt", False),), limit=PAGE)
        for snapshot in await self._documents.query(of_key):
            fetch = FETCH.read(snapshot.data or {})
            pause = (fetch.due_at - self._clock()).total_seconds()
            if pause > 0:
                return pause
            await self._advance(snapshot, fetch)
        for snapshot in await self._documents.query(replace(of_key, limit=1)):
            next_one = FETCH.read(snapshot.data or {})
            return max(0.0, (next_one.due_at - self._clock()).total_seconds())
        return None

    async def _advance(self, snapshot: Snapshot, fetch: Fetch) -> None:
        """One attempt, claimed first, so that no other process makes it too."""
        until = self._clock() + timedelta(seconds=self._pace.limit * 1.5)
        claimed = replace(fetch, attempts=fetch.attempts + 1, due_at=until)
        try:
            await self._documents.commit([put(fetch.path, FETCH.write(claimed), unchanged_since=snapshot)])
        except Conflict:
            return
        try:
            async with asyncio.timeout(self._pace.limit):
                media = await self._downloads.keep(claimed)
        except MediaRefused as refused:
            await self._finish(claimed, {"state": "failed", "reason": str(refused), "at": self._clock()})
        except (MediaUnavailable, TimeoutError, OSError) as error:
            await self._again(claimed, str(error) if isinstance(error, MediaUnavailable) else type(error).__name__)
        except Exception as error:  # noqa: BLE001 - whatever a source does, it costs this file at most
            await self._again(claimed, type(error).__name__)
        else:
            await self._finish(claimed, media)

    async def _again(self, fetch: Fetch, reason: str) -> None:
        if fetch.attempts > len(self._pace.pauses):
            await self._finish(fetch, {"state": "failed", "reason": reason, "at": self._clock()})
            return
        due_at = self._clock() + timedelta(seconds=self._pace.pauses[fetch.attempts - 1])
        log.info("a file of clinic %s could not be fetched and is tried again: %s", fetch.key.clinic_id, reason)
        await self._documents.commit([put(fetch.path, FETCH.write(replace(fetch, due_at=due_at)))])

    async def _finish(self, fetch: Fetch, media: Data) -> None:
        if media["state"] == "failed":
            log.warning("a file of clinic %s is not fetched: %s", fetch.key.clinic_id, media["reason"])

        async def attempt(transaction: Transaction) -> None:
            message = await transaction.get(fetch.message_path)
            if message.data is None:
                transaction.delete(fetch.message_path)
            else:
                transaction.put(fetch.message_path, message.data | {"media": media})
            transaction.delete(fetch.path)

        await transact(self._documents, attempt)
