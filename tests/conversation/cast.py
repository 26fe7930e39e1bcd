"""The people and machines of these tests: two clinics, a patient of both, a receptionist and a phone network."""

import asyncio
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from gendei.clinic import Channel, Clinic, ClinicId, Contact
from gendei.clinics.directory import Directory
from gendei.conversation.files.media import MediaParts, MediaStore
from gendei.conversation.messaging import Messaging, wire
from gendei.conversation.outbound.failures import Explain, technical
from gendei.conversation.outbound.outbox import Pace
from gendei.conversation.stored.conversation import Conversation
from gendei.conversation.turns.turn import TurnParts
from gendei.conversation.turns.worker import WorkerPace
from gendei.documents import Data, Documents, Query
from gendei.messages.channels import Accepted, Outcome, Provider
from gendei.messages.keys import INBOX, OUTBOX, ConversationKey
from gendei.messages.message import (
    DeliveryState,
    FailureKind,
    IncomingMessage,
    MessageCharge,
    MessageType,
    OutgoingMessage,
    Received,
    StatusUpdate,
)
from gendei.messages.replies import Reply
from gendei.messages.turns import TurnInput, TurnOutcome
from gendei.observing.loop_watch import LoopWatch

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
BOA_VIDA, SORRISO = ClinicId("boa-vida"), ClinicId("sorriso")
NUMBERS = {BOA_VIDA: "1001", SORRISO: "2002"}
MARIA, JOAO = Contact("+5511999990001"), Contact("+5511999990002")
MARIA_HERE, MARIA_THERE = ConversationKey(BOA_VIDA, MARIA), ConversationKey(SORRISO, MARIA)
APOLOGY = "Desculpe, tivemos um problema."
PATIENCE = 60
"""Seconds after which what a test waits for has failed."""
GRACE = 10
"""Seconds that a process has to end its turns."""


class Watchmaker:
    """A clock that stands still until it is advanced."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


def said(*texts: str, **fields: Any) -> TurnOutcome:
    return TurnOutcome(
        tuple(Reply(text) for text in texts), fields.pop("agent", "greeter"), fields.pop("state", {}), **fields
    )


class ScriptedReceptionist:
    """Plays its script (outcomes, or errors to raise), then echoes. While `thinking` is cleared it does not answer."""

    def __init__(self) -> None:
        self.script: deque[TurnOutcome | Exception] = deque()
        self.turns: list[TurnInput] = []
        self.asked: asyncio.Queue[TurnInput] = asyncio.Queue()
        self.free = asyncio.Event()
        self.free.set()

    async def answer(self, turn: TurnInput) -> TurnOutcome:
        self.turns.append(turn)
        self.asked.put_nowait(turn)
        await self.free.wait()
        if not self.script:
            return said("re: " + " | ".join(item.text for item in turn.inputs))
        step = self.script.popleft()
        if isinstance(step, Exception):
            raise step
        return step

    def heard(self) -> list[tuple[str, ...]]:
        """The texts of each turn."""
        return [tuple(item.text for item in turn.inputs) for turn in self.turns]


class RecordingProvider:
    """Answers with `outcomes`, then accepts. `free` cleared holds every send until it is set."""

    def __init__(self) -> None:
        self.outcomes: deque[Outcome] = deque()
        self.sent: list[OutgoingMessage] = []
        self.read: list[tuple[str, bool]] = []
        self.asked: asyncio.Queue[OutgoingMessage] = asyncio.Queue()
        self.free = asyncio.Event()
        self.free.set()

    async def send(self, channel: Channel, message: OutgoingMessage) -> Outcome:
        self.sent.append(message)
        number = len(self.sent)
        self.asked.put_nowait(message)
        await self.free.wait()
        return self.outcomes.popleft() if self.outcomes else Accepted(f"wamid.out{number}")

    async def mark_read(self, channel: Channel, message: IncomingMessage, *, typing: bool) -> None:
        self.read.append((message.id, typing))

    async def close(self) -> None:
        return

    def texts(self) -> list[str]:
        return [message.reply.text for message in self.sent]


def clinic(clinic_id: ClinicId) -> Clinic:
    return Clinic(
        id=clinic_id,
        name=f"Clínica {clinic_id}",
        vertical="med",
        timezone=ZoneInfo("America/Sao_Paulo"),
        hours={},
        services=(),
        professionals=(),
        channels=(Channel("meta", NUMBERS[clinic_id]),),
    )


def text(
    message_id: str, words: str = "oi", *, sender: Contact = MARIA, at: datetime = NOON, **fields: Any
) -> IncomingMessage:
    fields.setdefault("type", MessageType.TEXT)
    return IncomingMessage(id=message_id, sender=sender, timestamp=at, phone=sender, text=words, **fields)


def wordless(message_id: str, kind: MessageType, **fields: Any) -> IncomingMessage:
    """A message of Maria's without a text."""
    return IncomingMessage(id=message_id, sender=MARIA, timestamp=NOON, phone=MARIA, type=kind, **fields)


def status(
    message_id: str,
    state: DeliveryState,
    *,
    reference: str | None = None,
    error: str | None = None,
    kind: FailureKind = FailureKind.REFUSED,
    charge: MessageCharge | None = None,
) -> StatusUpdate:
    return StatusUpdate(message_id, state, NOON, reference=reference, error=error, kind=kind, charge=charge)


@dataclass
class World:
    """One process on a store; `another` is a second one on the same store."""

    documents: Documents
    directory: Directory
    clock: Watchmaker = field(default_factory=Watchmaker)
    receptionist: ScriptedReceptionist = field(default_factory=ScriptedReceptionist)
    provider: RecordingProvider = field(default_factory=RecordingProvider)
    quiet: float = 0
    limit_seconds: float = 30
    apology: Callable[[Clinic], str] = field(default=lambda _: APOLOGY)
    explain: Explain = technical
    allow: tuple[str, ...] = ()
    left_note: str = ""
    providers: dict[str, Provider] = field(default_factory=dict)
    media: MediaStore | None = None
    watch: LoopWatch = field(default_factory=LoopWatch)
    alarms: frozenset[str] = frozenset()
    """Texts that tell of danger."""

    def __post_init__(self) -> None:
        self.providers["meta"] = self.provider
        parts = TurnParts(
            documents=self.documents,
            clinics=self.directory,
            receptionist=self.receptionist,
            providers=self.providers,
            apology=self.apology,
            clock=self.clock,
            limit_seconds=self.limit_seconds,
            watch=self.watch,
            alarming=lambda texts: not self.alarms.isdisjoint(texts),
        )
        # after the one at the start, sweeps are called by hand, so that a test knows what found a message
        self.messaging: Messaging = wire(
            parts,
            worker_pace=WorkerPace(quiet=self.quiet, sweep=3600, grace=GRACE),
            outbox_pace=Pace(sweep=3600, record_pauses=(0, 0)),
            explain=self.explain,
            allow=self.allow,
            left_note=self.left_note,
            media=MediaParts(self.media, {}) if self.media else None,
        )

    def another(self) -> "World":
        return World(self.documents, self.directory, self.clock, explain=self.explain, media=self.media)

    async def accept(
        self,
        *messages: IncomingMessage,
        clinic_id: ClinicId = BOA_VIDA,
        statuses: Sequence[StatusUpdate] = (),
    ) -> None:
        received = Received(NUMBERS[clinic_id], tuple(messages), tuple(statuses))
        await self.messaging.inbox.accept("meta", [received])

    async def idle(self) -> None:
        async with asyncio.timeout(PATIENCE):
            await self.messaging.idle()

    async def asked(self) -> TurnInput:
        """Wait until the receptionist is asked."""
        async with asyncio.timeout(PATIENCE):
            return await self.receptionist.asked.get()

    async def sending(self) -> OutgoingMessage:
        """Wait until a message is on its way."""
        async with asyncio.timeout(PATIENCE):
            return await self.provider.asked.get()

    async def conversation(self, key: ConversationKey = MARIA_HERE) -> Conversation:
        return Conversation.read(await self.documents.get(key.path), key, self.clock())

    async def history(self, key: ConversationKey = MARIA_HERE) -> list[Data]:
        return await self.all(f"{key.path}/messages", "timestamp")

    async def inbox(self) -> list[Data]:
        return await self.all(INBOX, "receivedAt")

    async def outbox(self) -> list[Data]:
        return await self.all(OUTBOX, "seq")

    async def all(self, collection: str, order: str) -> list[Data]:
        found = await self.documents.query(Query(collection, order_by=((order, False),)))
        return [{"id": snapshot.id, **(snapshot.data or {})} for snapshot in found]


def column(rows: Sequence[Mapping[str, Any]], name: str) -> list[Any]:
    return [row[name] for row in rows]
