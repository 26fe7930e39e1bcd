"""The clinics that a deployment serves: kept in the store, held in the process, followed as they change."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta

from gendei.clinic import Channel, Clinic, ClinicId
from gendei.clinics.stored import CLINIC_HEAD, COLLECTION, ClinicHead, clinic_data, clinic_from, clinic_path, parts_data
from gendei.clock import Clock, system_clock
from gendei.documents import Data, Documents, Query, Snapshot, Transaction, document_id, transact
from gendei.errors import ConfigurationError, StoreError, UnreadableDocument
from gendei.records import Record

MISS_PAUSE = timedelta(seconds=3)
"""How long an unknown clinic or number is believed to be unknown before the store is asked again."""
RETRY_SECONDS = 1.0
_TORN_READS = 5

_log = logging.getLogger(__name__)

Imported = Callable[[Transaction, Clinic, Clinic, int], None]
"""Told in the transaction of a change: the clinic before, after, and its revision."""
Decide = Callable[[Transaction, Clinic | None, int], Awaitable[Clinic | None]]
"""Gives the clinic that is to stand, or None where nothing is to change. It is given what stands, None where there is
nothing that can be read, and the revision that the change will be; it may write more into the commit. Called again
where another writer was first."""


class Directory:
    """Clinics by id and by connected number, from memory.

    Use it as `async with Directory(documents) as directory`, or call `start` and `close`. While it is open it
    follows the store, so that what another process changes is seen within a moment. `imported`: may write more into
    the commit of a change of a clinic that stands.
    """

    def __init__(self, documents: Documents, clock: Clock = system_clock, imported: Imported | None = None) -> None:
        self._documents, self._clock, self._imported = documents, clock, imported
        self._clinics: dict[ClinicId, tuple[int, Clinic]] = {}
        self._numbers: dict[tuple[str, str], ClinicId] = {}
        self._lent: dict[ClinicId, Channel] = {}
        self._loading = asyncio.Lock()
        self._loaded_at = clock()
        self._follower: asyncio.Task[None] | None = None
        self._listeners: list[Callable[[], None]] = []

    async def start(self) -> None:
        """Load every clinic and follow changes. Raises StoreUnavailable when the store cannot be read."""
        await self.refresh()
        self._follower = asyncio.create_task(self._follow(), name="directory")

    async def close(self) -> None:
        """Stop following; what was loaded stays readable."""
        if self._follower is not None:
            self._follower.cancel()
            with suppress(asyncio.CancelledError):
                await self._follower
            self._follower = None

    async def __aenter__(self) -> "Directory":
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def get(self, clinic_id: ClinicId) -> Clinic | None:
        """The clinic, or None when there is none. May raise StoreUnavailable for a clinic not yet known."""
        if clinic_id not in self._clinics:
            await self._look_again()
        return self.known(clinic_id)

    async def by_channel(self, provider: str, external_id: str) -> Clinic | None:
        """The clinic that owns a connected number ("meta", "106540352242922"), or None."""
        if (provider, external_id) not in self._numbers:
            await self._look_again()
        clinic_id = self._numbers.get((provider, external_id))
        return None if clinic_id is None else self._clinics[clinic_id][1]

    def known(self, clinic_id: ClinicId) -> Clinic | None:
        """The clinic as this process has it in memory."""
        _, clinic = self._clinics.get(clinic_id, (0, None))
        return clinic

    def all(self) -> tuple[Clinic, ...]:
        """Every clinic, by id."""
        return tuple(self._clinics[clinic_id][1] for clinic_id in sorted(self._clinics))

    async def import_clinic(self, clinic: Clinic) -> int:
        """Store `clinic` whole, in one commit, in place of what stood under its id; returns its revision (1, 2, ...).

        Professionals and services that it no longer has are deleted; patients and appointments are not touched.
        Raises ConfigurationError when another clinic owns one of its numbers.
        """

        async def decide(_transaction: Transaction, _before: Clinic | None, _revision: int) -> Clinic:
            return clinic

        return await self.change(clinic.id, decide)

    async def change(self, clinic_id: ClinicId, decide: Decide) -> int:
        """Store what `decide` makes of the clinic, in one commit; returns the revision that then stands, 0 where there
        is none. Raises what `decide` does, and ConfigurationError when another clinic owns one of the numbers."""
        await self.refresh()

        async def attempt(transaction: Transaction) -> int:
            path = clinic_path(clinic_id)
            found = await transaction.get(path)
            stored = _head(found) or ClinicHead()
            stood = await transaction.get_many(stored.part_paths(path))
            before = _whole(clinic_id, found.data or {}, stood) if found.exists else None
            clinic = await decide(transaction, before, revision := stored.revision + 1)
            if clinic is None:
                return stored.revision
            _require_own_ids(clinic)
            for claimed in _claimed(clinic.channels):
                require_number(clinic, claimed, self._numbers.get(claimed, clinic.id))
            await claim_numbers(self._documents, transaction, clinic, stored, revision)
            parts = dict(parts_data(clinic, revision))
            for gone in set(stored.part_paths(path)) - parts.keys():
                transaction.delete(gone)
            for part_path, data in parts.items():
                transaction.put(part_path, data)
            transaction.put(path, clinic_data(clinic, revision))
            if self._imported and before is not None:
                self._imported(transaction, before, clinic, revision)
            return revision

        revision = await transact(self._documents, attempt)
        await self.refresh()
        return revision

    async def read(self, clinic_id: ClinicId) -> tuple[int, Clinic] | None:
        """The clinic as it stands in the store now, and its revision, without what was lent to it; None where there is
        none, or it cannot be read."""
        return await self._stored(await self._documents.get(clinic_path(clinic_id)))

    async def lend(self, clinic_id: ClinicId, channel: Channel) -> None:
        """Give a clinic one more channel, which is not stored and which no other process knows."""
        self._lent[clinic_id] = channel
        self._clinics.pop(clinic_id, None)
        await self.refresh()

    async def refresh(self) -> None:
        """Read again every clinic whose revision changed, and forget those that are gone."""
        async with self._loading:
            snapshots = await self._documents.query(Query(COLLECTION))
            self._loaded_at = self._clock()
            clinics: dict[ClinicId, tuple[int, Clinic]] = {}
            for snapshot in snapshots:
                clinic_id = ClinicId(snapshot.id)
                known = self._clinics.get(clinic_id)
                if known is not None and snapshot.data is not None and known[0] == snapshot.data.get("revision"):
                    clinics[clinic_id] = known
                elif (loaded := await self._load(snapshot) or known) is not None:
                    clinics[clinic_id] = loaded
            self._clinics = clinics
            self._numbers = {
                claimed: clinic.id for _, clinic in clinics.values() for claimed in _claimed(clinic.channels)
            }
        for heard in self._listeners:
            heard()

    def on_refresh(self, heard: Callable[[], None]) -> None:
        """Call `heard` each time that the clinics were read again."""
        self._listeners.append(heard)

    def forget(self, heard: Callable[[], None]) -> None:
        """Call it no more."""
        self._listeners.remove(heard)

    async def _load(self, snapshot: Snapshot) -> tuple[int, Clinic] | None:
        """As `_stored`, with what was lent to it."""
        found = await self._stored(snapshot)
        if found is None or found[1].id not in self._lent:
            return found
        revision, clinic = found
        return revision, replace(clinic, channels=(*clinic.channels, self._lent[clinic.id]))

    async def _stored(self, snapshot: Snapshot) -> tuple[int, Clinic] | None:
        """The clinic at one revision, read again while a change is under way; None when it cannot be read."""
        for _ in range(_TORN_READS):
            head = _head(snapshot)
            if head is None:
                return None
            parts = await self._documents.get_many(head.part_paths(snapshot.path))
            if all(part.data is not None and part.data.get("revision") == head.revision for part in parts):
                clinic = _whole(ClinicId(snapshot.id), snapshot.data or {}, parts)
                return None if clinic is None else (head.revision, clinic)
            snapshot = await self._documents.get(snapshot.path)
        _log.error("clinic %s: its professionals and services are of another revision; import it again", snapshot.id)
        return None

    async def _look_again(self) -> None:
        if self._clock() - self._loaded_at >= MISS_PAUSE:
            await self.refresh()

    async def _follow(self) -> None:
        while True:
            try:
                async with self._documents.watch(Query(COLLECTION)) as changes:
                    async for _ in changes:
                        await self.refresh()
            except StoreError as error:
                _log.warning("following the clinics failed (%s); trying again", type(error).__name__)
            except Exception:  # noqa: BLE001  # a follower that ended would leave this process with stale clinics
                _log.exception("following the clinics failed; trying again")
            await asyncio.sleep(RETRY_SECONDS)


Number = tuple[str, str]
"""A provider, and its name for the number."""
_ACCOUNT = "_account"
"""Behind the provider, of an account of several numbers."""


@dataclass(frozen=True, slots=True)
class _Claim:
    """Who owns a number, and the revision of its document that said so."""

    clinic_id: ClinicId
    revision: int


_CLAIM = Record(_Claim, "gendei_numbers/{provider}_{externalId}")


def number_of(channel: Channel) -> Number:
    """The number that a channel connects."""
    return channel.provider, channel.external_id


def account_of(channel: Channel) -> Number | None:
    """The WhatsApp account that a channel's number is of, which one clinic has as a whole: what its webhooks tell of
    templates and restrictions is told of that clinic."""
    account = channel.settings.get("waba_id")
    return (f"{channel.provider}{_ACCOUNT}", account) if account else None


def _claimed(channels: Iterable[Channel]) -> list[Number]:
    """The numbers of these channels, and their accounts."""
    claimed = [name for channel in channels for name in (number_of(channel), account_of(channel)) if name]
    return list(dict.fromkeys(claimed))


class NumberTaken(ConfigurationError):
    """Another clinic owns the number. Use this clinic's own, or take it out of the other clinic first."""

    def __init__(self, source: str, where: str, problem: str, remedy: str, unnamed: str) -> None:
        """`unnamed`: the problem for who may not know which clinic it is."""
        super().__init__(source, where, problem, remedy)
        self._unnamed = unnamed

    def for_clinics(self) -> ConfigurationError:
        """The same without the other clinic's id."""
        return ConfigurationError(self.source, self.where, self._unnamed, self.remedy)


def _require_own_ids(clinic: Clinic) -> None:
    """Raise ConfigurationError where two services, or two professionals, have one id: one of them would be lost."""
    for group, parts in (("services", clinic.services), ("professionals", clinic.professionals)):
        ids = [part.id for part in parts]
        twice = next((place for place, id_ in enumerate(ids) if id_ in ids[:place]), None)
        if twice is not None:
            where = f"{group}[{twice}].id"
            raise ConfigurationError(f"clinic {clinic.id}", where, "another one has this id.", "Give each its own.")


def require_number(clinic: Clinic, claimed: Number, owner: ClinicId) -> None:
    """Raise ConfigurationError where `owner` is another clinic. claimed: a number, or an account."""
    if owner != clinic.id:
        place = next(at for at, channel in enumerate(clinic.channels) if claimed in _claimed([channel]))
        if claimed[0].endswith(_ACCOUNT):
            problem = f"the WhatsApp account {claimed[1]} belongs to the clinic {owner} already."
            unnamed = f"the WhatsApp account {claimed[1]} belongs to another clinic already."
        else:
            problem = f"the number {claimed[1]} belongs to the clinic {owner} already."
            unnamed = f"the number {claimed[1]} belongs to another clinic already."
        remedy = "Use this clinic's own number, or take it out of the other clinic first."
        raise NumberTaken(f"clinic {clinic.id}", f"channels[{place}]", problem, remedy, unnamed)


async def claim_numbers(
    documents: Documents, transaction: Transaction, clinic: Clinic, stored: ClinicHead, revision: int
) -> None:
    """Claim the numbers of `clinic`, and release those that only `stored`, its document until now, has. Raises
    ConfigurationError where another clinic has one of them. A claim is part of the commit that stores its clinic, so
    that of two clinics that are imported at once only one gets a number. A clinic that was stored before there were
    claims has none until its next import: what its document says counts."""
    for claimed in _claimed(clinic.channels):
        claim = await transaction.get(_path(claimed))
        standing = _CLAIM.found(claim)
        owner = standing.clinic_id if standing else clinic.id
        if owner != clinic.id and await _has(documents, owner, claimed):
            require_number(clinic, claimed, owner)
        # the revision makes it another document each time: Firestore counts a write without a change as none, and
        # the owner's import has to collide with that of a clinic that found the claim to be left over
        transaction.put(claim.path, _CLAIM.write(_Claim(clinic.id, revision)))
    for number in _numbers(stored) - set(_claimed(clinic.channels)):
        claim = await transaction.get(_path(number))
        standing = _CLAIM.found(claim)
        if standing is None or standing.clinic_id == clinic.id:
            transaction.delete(claim.path)
        else:
            transaction.put(claim.path, _CLAIM.write(standing))


async def _has(documents: Documents, clinic_id: ClinicId, number: Number) -> bool:
    """Whether the clinic still stands with this number; what was removed by hand leaves its claim behind."""
    return number in _numbers(_head(await documents.get(clinic_path(clinic_id))) or ClinicHead())


def _head(found: Snapshot) -> ClinicHead | None:
    """None where there is no document, or it cannot be read."""
    try:
        return CLINIC_HEAD.found(found)
    except UnreadableDocument:
        _log.error("clinic %s: its document cannot be read; import it again", found.id)
        return None


def _whole(clinic_id: ClinicId, data: Data, parts: list[Snapshot]) -> Clinic | None:
    """None for documents that we did not write."""
    try:
        return clinic_from(clinic_id, data, [part.data or {} for part in parts])
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        _log.error("clinic %s: its document cannot be read (%s); import it again", clinic_id, type(error).__name__)
        return None


def _numbers(stored: ClinicHead) -> set[Number]:
    return set(_claimed(stored.channels))


def _path(number: Number) -> str:
    return f"gendei_numbers/{document_id('_'.join(number))}"
