"""What a member of the staff and the assistant said to each other, and what waits for a yes: under the user,
gendei_clinics/{clinicId}/assistant/{userId}/talks/{id}, each with its messages. Nothing is deleted."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import sha256
from secrets import token_hex
from typing import Annotated, Any

from pydantic import PlainSerializer

from gendei.assistant.requests import Role, Said
from gendei.assistant.turn import PlannedCommand
from gendei.clock import Clock
from gendei.documents import Documents, Operator, Query, Snapshot, Transaction, document_id, transact
from gendei.errors import GendeiError, NotFound
from gendei.records import NOT_STORED, Moment, Record
from gendei.staff.actors import Actor

IDLE = timedelta(minutes=30)
"""After so long without a word the next one begins another talk."""
TO_ANSWER = timedelta(minutes=10)
"""How long a yes is waited for."""
CONTEXT = 20
"""The last messages that are read again."""
SHOWN = 50
_PREVIEW = 80


@dataclass(frozen=True, slots=True)
class Pending:
    """What was shown and waits for a yes. `decided`: what the person said, None while nothing."""

    id: str
    deeds: tuple[PlannedCommand, ...]
    expires_at: Moment
    decided: bool | None = None


@dataclass(frozen=True, slots=True)
class Talk:
    """`recent`: the last CONTEXT messages. `question`: what guided asked and how it goes on with the answer.
    `preview`: how it began. Moments are aware."""

    id: Annotated[str, NOT_STORED]
    created_at: Moment
    active_at: Moment
    count: int = 0
    preview: str = ""
    recent: tuple[Said, ...] = ()
    pending: Pending | None = None
    question: Annotated[Mapping[str, Any] | None, PlainSerializer(lambda question: question or None)] = None


@dataclass(frozen=True, slots=True)
class Message:
    """`seq`: its place in the talk, from 0."""

    seq: int
    at: Moment
    role: Role
    content: str

    @property
    def said(self) -> Said:
        return Said(self.role, self.content)


TALK = Record(Talk, "gendei_clinics/{clinicId}/assistant/{userId}/talks/{id}")
MESSAGE = Record(Message, "gendei_clinics/{clinicId}/assistant/{userId}/talks/{id}/said/{seq}")


class NotToDecide(GendeiError):
    """There is nothing to say yes or no to: never was, not any more (`expired`), or it was answered (`already`)."""

    def __init__(self, *, expired: bool = False, already: bool = False) -> None:
        self.expired, self.already = expired, already
        super().__init__("nothing waits for an answer")


class Talks:
    """Every call is about the actor's own talks at the clinic: anybody else's are NotFound."""

    def __init__(self, documents: Documents, clock: Clock) -> None:
        self._documents, self._clock = documents, clock

    async def open(self, actor: Actor, talk_id: str | None = None) -> Talk:
        """The named talk, else the last one; a new one, not stored yet, where that has been idle for too long: the
        same for all that open it at one moment, in whatever process. Raises NotFound for a name that is none of the
        actor's."""
        now = self._clock()
        named = None if talk_id is None else await self.get(actor, talk_id)
        if named is not None and now - named.active_at <= IDLE:
            return named
        last = next(iter(await self.latest(actor, limit=1)), None)
        if last is not None and now - last.active_at <= IDLE:
            return last
        return Talk(_id_after(actor, last), now, now)

    async def get(self, actor: Actor, talk_id: str) -> Talk:
        """Raises NotFound."""
        found = await self._documents.get(_path(actor, talk_id))
        if not found.exists:
            raise NotFound
        return _talk(found)

    async def latest(self, actor: Actor, limit: int = SHOWN, before: tuple[datetime, str] | None = None) -> list[Talk]:
        """The last first; `before`: the moment and the id of the last one seen."""
        query = _latest(actor, limit)
        if before is not None:
            query = query.after(Snapshot(_path(actor, before[1]), {"activeAt": before[0]}))
        return [_talk(snapshot) for snapshot in await self._documents.query(query)]

    async def messages(
        self, actor: Actor, talk_id: str, limit: int = SHOWN, *, after: int | None = None, before: int | None = None
    ) -> list[Message]:
        """Of a talk, the oldest first: the first ones behind `after`, or else the last ones, before `before`. Raises
        NotFound."""
        await self.get(actor, talk_id)
        forward = after is not None
        bound: tuple[tuple[str, Operator, int], ...] = (("seq", ">", after),) if after is not None else ()
        bound += (("seq", "<", before),) if before is not None else ()
        order = (("seq", not forward),)
        found = await self._documents.query(Query(f"{_path(actor, talk_id)}/said", bound, order, limit))
        told = [MESSAGE.read(snapshot.data) for snapshot in found]
        return told if forward else told[::-1]

    async def follow(self, actor: Actor) -> AsyncGenerator[tuple[str, list[Message]], None]:
        """The id and the messages of the last talk (at once, also where there is none), and then those that come, also
        in the next."""
        seen, current, begun = -1, "", False
        async with self._documents.watch(_latest(actor, 1)) as states:
            async for state in states:
                news: list[Message] = []
                for talk in map(_talk, state):
                    seen, current = (seen if talk.id == current else -1), talk.id
                    news = await self.messages(actor, talk.id, after=seen)
                if news or not begun:
                    seen, begun = (news[-1].seq if news else -1), True
                    yield current, news

    async def record(
        self,
        actor: Actor,
        talk: Talk,
        said: Sequence[Said],
        deeds: Sequence[PlannedCommand] = (),
        question: Mapping[str, Any] | None = None,
    ) -> Talk:
        """Add `said` to the talk, with what shall wait for a yes now and what guided asked, in place of what waited."""
        now = self._clock()
        pending = Pending(token_hex(10), tuple(deeds), now + TO_ANSWER) if deeds else None

        async def attempt(transaction: Transaction) -> Talk:
            found = await transaction.get(_path(actor, talk.id))
            before = _talk(found) if found.exists else talk
            after = replace(before, active_at=now, pending=pending, question=question)
            return _add(transaction, found.path, before, after, said)

        return await transact(self._documents, attempt)

    async def decide(self, actor: Actor, talk_id: str, pending_id: str, *, yes: bool) -> Pending:
        """Keep the person's answer; the same answer again is as the first. Raises NotFound and NotToDecide."""
        now = self._clock()

        async def attempt(transaction: Transaction) -> Pending:
            found = await transaction.get(_path(actor, talk_id))
            if not found.exists:
                raise NotFound
            talk = _talk(found)
            pending = talk.pending
            if pending is None or pending.id != pending_id:
                raise NotToDecide
            if pending.decided is not None:
                if pending.decided is not yes:
                    raise NotToDecide(already=True)
                return pending
            if now >= pending.expires_at:
                raise NotToDecide(expired=True)
            decided = replace(pending, decided=yes)
            transaction.put(found.path, TALK.write(replace(talk, pending=decided, active_at=now)))
            return decided

        return await transact(self._documents, attempt)

    async def told(
        self, actor: Actor, talk: Talk, said: Sequence[Said], question: Mapping[str, Any] | None = None
    ) -> None:
        """Add `said` to the talk, and leave what was decided as it stands, so that the same answer again finds it.
        question: how guided goes on."""
        now = self._clock()

        async def attempt(transaction: Transaction) -> None:
            found = await transaction.get(_path(actor, talk.id))
            before = _talk(found)
            _add(transaction, found.path, before, replace(before, active_at=now, question=question), said)

        await transact(self._documents, attempt)


def _add(transaction: Transaction, path: str, before: Talk, after: Talk, said: Sequence[Said]) -> Talk:
    """`after`, with `said` behind what `before` holds."""
    whole = replace(
        after,
        count=before.count + len(said),
        preview=before.preview or said[0].content[:_PREVIEW],
        recent=(*before.recent, *said)[-CONTEXT:],
    )
    transaction.put(path, TALK.write(whole))
    for seq, line in enumerate(said, before.count):
        message = Message(seq, whole.active_at, line.role, line.content)
        transaction.create(f"{path}/said/{seq:08d}", MESSAGE.write(message))
    return whole


def _id_after(actor: Actor, last: Talk | None) -> str:
    """The id of the actor's talk that follows `last` as it stands."""
    before = f"{last.id} {last.count} {last.active_at.isoformat()}" if last else ""
    return sha256(f"{_collection(actor)} {before}".encode()).hexdigest()[:20]


def _collection(actor: Actor) -> str:
    return f"gendei_clinics/{document_id(actor.clinic_id)}/assistant/{document_id(actor.user_id)}/talks"


def _path(actor: Actor, talk_id: str) -> str:
    return f"{_collection(actor)}/{document_id(talk_id)}"


def _latest(actor: Actor, limit: int) -> Query:
    return Query(_collection(actor), order_by=(("activeAt", True),), limit=limit)


def _talk(found: Snapshot) -> Talk:
    return TALK.read(found.data, id=found.id)
