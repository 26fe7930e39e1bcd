"""A follower for tests: it notes what it is given, fails when it is told to, and has one effect for each event."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta

from gendei.booking.events import AgendaEvent, EventKind
from gendei.documents import Documents, Query, create
from gendei.errors import Conflict

EVERY_KIND = frozenset(EventKind)


def _nothing(_event: AgendaEvent) -> None:
    return None


@dataclass
class Recorder:
    """`given`: everything, with repetitions; `effects`: what happened once for each event, in order. `before`: may
    raise. `free`: while it is clear, following waits. `asked`: gets everything as it is given."""

    name: str = "recorder"
    delay: timedelta = timedelta(0)
    kinds: frozenset[EventKind] = EVERY_KIND
    before: Callable[[AgendaEvent], None] = _nothing
    given: list[AgendaEvent] = field(default_factory=list)
    effects: list[AgendaEvent] = field(default_factory=list)
    free: asyncio.Event = field(default_factory=asyncio.Event)
    asked: "asyncio.Queue[AgendaEvent]" = field(default_factory=asyncio.Queue)

    def __post_init__(self) -> None:
        self.free.set()

    def wants(self, event: AgendaEvent) -> bool:
        return event.kind in self.kinds

    async def follow(self, event: AgendaEvent) -> None:
        self.given.append(event)
        self.asked.put_nowait(event)
        await self.free.wait()
        self.before(event)
        if event not in self.effects:
            self.effects.append(event)

    @property
    def told(self) -> list[str]:
        """The kinds of the effects."""
        return [str(event.kind) for event in self.effects]


EFFECTS = "effects"


@dataclass
class StoredRecorder:
    """The same across processes: an effect is a document with the event's id, created once. Its `ordinal` is how many
    effects of the stream stood there before."""

    documents: Documents
    name: str = "stored"
    delay: timedelta = timedelta(0)
    given: int = 0

    def wants(self, event: AgendaEvent) -> bool:
        return bool(event.appointment_id)

    async def follow(self, event: AgendaEvent) -> None:
        self.given += 1
        stream = Query(EFFECTS, where=(("stream", "==", event.stream.text),))
        before = await self.documents.query(stream)
        effect = {"stream": event.stream.text, "seq": event.seq, "kind": str(event.kind), "ordinal": len(before)}
        try:
            await self.documents.commit([create(f"{EFFECTS}/{event.id}", effect)])
        except Conflict:
            return
