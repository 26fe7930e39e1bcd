"""A write that is asked for twice is done once: gendei_answers/{sha256 of clinic, who and key} keeps its answer.

The first call with a key creates the document, which is the claim, and writes its answer there; the same again gets
that answer. After a failure the claim is given up, so that it can be tried again.
"""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from hashlib import sha256

from gendei.clock import Clock
from gendei.documents import Data, Documents, Query, Snapshot, delete, put
from gendei.errors import Conflict, GendeiError
from gendei.records import Moment, Record
from gendei.staff.actors import Actor

ANSWERS = "gendei_answers"
KEPT_FOR = timedelta(hours=24)
GIVEN_UP_AFTER = timedelta(seconds=60)
"""How long a call may run before another one with its key counts it as dead."""
_PURGED_AT_ONCE = 20


class InProgress(GendeiError):
    """The same call still runs. Wait a moment and ask again."""


class KeyReused(GendeiError):
    """The key was used for another call. Use a new key for each thing that is to be done."""


@dataclass(frozen=True, slots=True)
class Answered:
    """`answer`: None where there was nothing to keep. `again`: it was done before."""

    answer: Data | None
    again: bool


@dataclass(frozen=True, slots=True)
class _Call:
    """A call under a key; `answer`: None while it runs."""

    fingerprint: str
    started_at: Moment
    expire_at: Moment
    answer: Data | None = None


_CALLS = Record(_Call, "gendei_answers/{sha256}")


class Once:
    def __init__(self, documents: Documents, clock: Clock) -> None:
        self._documents, self._clock = documents, clock

    async def do(
        self,
        actor: Actor,
        key: str,
        asked: bytes,
        act: Callable[[], Awaitable[Data | None]],
        *,
        kept_for: timedelta = KEPT_FOR,
    ) -> Answered:
        """What `act` gives, or gave when `actor` did the same under `key`. asked: tells this call from others. An act
        that gives None, or raises, may be tried again. Raises InProgress, KeyReused, and what `act` raises."""
        path, fingerprint = _path(actor, key), sha256(asked).hexdigest()
        before = await self._documents.get(path)
        if (known := self._known(before, fingerprint)) is not None:
            return Answered(known, again=True)
        now = self._clock()
        running = _Call(fingerprint, now, now + kept_for)
        try:
            await self._documents.commit([put(path, _CALLS.write(running), unchanged_since=before)])
        except Conflict:
            raise InProgress from None
        try:
            answer = await act()
        except Exception:
            await self._documents.commit([delete(path)])
            raise
        if answer is None:
            await self._documents.commit([delete(path)])
            return Answered(None, again=False)
        await self._documents.commit([put(path, _CALLS.write(replace(running, answer=answer)))])
        await self._purge()
        return Answered(answer, again=False)

    def _known(self, before: Snapshot, fingerprint: str) -> Data | None:
        """The answer where the key is known; None where the call is to be done."""
        call, now = _CALLS.found(before), self._clock()
        if call is None or call.expire_at <= now:
            return None
        if call.fingerprint != fingerprint:
            raise KeyReused
        if call.answer is None and call.started_at + GIVEN_UP_AFTER > now:
            raise InProgress
        return call.answer

    async def _purge(self) -> None:
        """Remove what has expired, a few at a time (Firestore also does it by a TTL policy on `expireAt`)."""
        query = Query(ANSWERS, (("expireAt", "<", self._clock()),), (("expireAt", False),), limit=_PURGED_AT_ONCE)
        if expired := await self._documents.query(query):
            await self._documents.commit([delete(snapshot.path) for snapshot in expired])


def _path(actor: Actor, key: str) -> str:
    whose = json.dumps([actor.clinic_id, actor.user_id, key])
    return f"{ANSWERS}/{sha256(whose.encode()).hexdigest()}"
