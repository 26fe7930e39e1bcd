"""The version of what stands in a store, and how documents of an earlier version are brought forward.

`gendei_meta/schema` is {version, migrating: {to, after} or None}. A store without it is of version 1, from before there
were versions, or empty. Every page of a migration is one commit with the place that it reached, under the condition
that nobody else has moved it: a migration that was interrupted goes on where it stood, and processes that start
together share the work instead of repeating it.
"""

import asyncio
import logging
import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from gendei.conversation.inbound.inbox import EntryStatus
from gendei.documents import Data, Documents, Query, Snapshot, Write, put
from gendei.errors import Conflict, NewerStore
from gendei.messages.keys import INBOX
from gendei.records import Record
from gendei.store.encoding import encode

log = logging.getLogger(__name__)
SCHEMA = "gendei_meta/schema"
FIRST = 1
PAGE = 100
COMMIT_BYTES = 3 * 1024 * 1024
"""Firestore takes 10 MiB in one commit, its emulator 4 MiB."""


@dataclass(frozen=True, slots=True)
class _Migrating:
    """A migration under way. `after`: the path of the last document that it has looked at; None at its beginning."""

    to: int
    after: str | None


@dataclass(frozen=True, slots=True)
class _Schema:
    version: int = FIRST
    migrating: _Migrating | None = None


_SCHEMA = Record(_Schema, "gendei_meta/{name}")


@dataclass(frozen=True, slots=True)
class Migration:
    """One step forward. `change` is asked for every document of `collection` (of every collection of that name where
    `group`), and returns what it shall be, or None to leave it. It leaves what is of the new version already, since
    processes that are older write during the migration, and newer ones before it."""

    to: int
    collection: str
    change: Callable[[Data], Data | None]
    group: bool = False

    @property
    def query(self) -> Query:
        return Query(self.collection, limit=PAGE, group=self.group)


def keep_what_is_not_done(entry: Data) -> Data | None:
    """Version 2: only what is done expires. Before, what waited or was parked was deleted after nine days, too."""
    if entry["status"] == EntryStatus.DONE or "expireAt" not in entry:
        return None
    return {name: value for name, value in entry.items() if name != "expireAt"}


MIGRATIONS: tuple[Migration, ...] = (Migration(2, INBOX, keep_what_is_not_done),)
"""All that there ever was, oldest first, each to the version after the one before it."""


async def bring_forward(documents: Documents, migrations: tuple[Migration, ...] = MIGRATIONS) -> int:
    """Bring the store to the newest version that `migrations` know, and return that. At the newest already it costs one
    read. Raises NewerStore where the store is beyond it, and StoreUnavailable; called again, it goes on."""
    newest = migrations[-1].to if migrations else FIRST
    while True:
        found = await documents.get(SCHEMA)
        version = _version(found)
        if version > newest:
            raise NewerStore(version, newest)
        if version == newest and found.exists:
            return version
        step = next((migration for migration in migrations if migration.to > version), None)
        try:
            await documents.commit(await _next_page(documents, step, found))
        except Conflict:  # another process migrates too, or somebody changed a document: look again
            await asyncio.sleep(random.uniform(0, 0.01))


async def version_of(documents: Documents) -> int:
    """The version of what stands in the store. Raises StoreUnavailable."""
    return _version(await documents.get(SCHEMA))


def _version(schema: Snapshot) -> int:
    return (_SCHEMA.found(schema) or _Schema()).version


async def _next_page(documents: Documents, step: Migration | None, schema: Snapshot) -> list[Write]:
    """The documents of one page as they shall be, and how far the migration is with them."""
    if step is None:
        return [_at(schema, FIRST)]
    after = _place(schema)
    query = step.query if after is None else replace(step.query, start_after=(after,))
    found = await documents.query(query)
    if after is None and found:
        log.warning("bringing the store to version %d", step.to)
    writes: list[Write] = []
    size = 0
    for snapshot in found:
        changed = step.change(snapshot.data or {})
        if changed is not None:
            size += len(encode(snapshot.path, changed))
            if writes and size > COMMIT_BYTES:
                break
            writes.append(put(snapshot.path, changed, unchanged_since=snapshot))
        after = snapshot.path
    else:
        if len(found) < PAGE:
            return [*writes, _at(schema, step.to)]
    return [*writes, _at(schema, step.to - 1, _Migrating(step.to, after))]


def _place(schema: Snapshot) -> str | None:
    stored = _SCHEMA.found(schema)
    return stored.migrating.after if stored and stored.migrating else None


def _at(schema: Snapshot, version: int, migrating: _Migrating | None = None) -> Write:
    return put(SCHEMA, _SCHEMA.write(_Schema(version, migrating)), unchanged_since=schema)
