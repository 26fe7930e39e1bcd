"""Who is in a live call: sessions that outlive a lost socket, one socket a session, and each clinic's sound. All of it
counts in this process."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import date
from uuid import uuid4

from gendei.clinic import Clinic
from gendei.clock import Clock
from gendei.conversation.messaging import Messaging
from gendei.conversation.site.live_line import Caller, LiveLine
from gendei.conversation.stored.conversation import IDLE, SessionStatus
from gendei.conversation.stored.history import Place
from gendei.messages.channels import Clinics
from gendei.messages.keys import ConversationKey
from gendei.voice.clinic_speech import ClinicSpeech
from gendei.voice.live.activity import RATE, SAMPLE_BYTES
from gendei.voice.live.call import Echo
from gendei.voice.live.frames import CallOver, Close, Start
from gendei.voice.live.seats import DailySeconds, LiveLimits, LiveSession, Seats, Speaker
from gendei.voice.live.texts import LiveTexts

BURST_SECONDS = 10.0
"""Of sound that may come at once, after a network that stood still."""
COMMANDS_A_SECOND, COMMANDS_AT_ONCE = 1.0, 20.0
MOST_SESSIONS = 10_000
"""That are remembered without a socket."""


@dataclass(slots=True)
class Allowance:
    """So much a second, and `at_once` after a pause."""

    a_second: float
    at_once: float
    _left: float = field(init=False)
    _at: float | None = None

    def __post_init__(self) -> None:
        self._left = self.at_once

    def spend(self, amount: float, now: float) -> None:
        """Raises CallOver beyond it."""
        since = 0.0 if self._at is None else max(0.0, now - self._at)
        self._left, self._at = min(self.at_once, self._left + since * self.a_second) - amount, now
        if self._left < 0:
            raise CallOver(Close.FLOOD)


@dataclass(frozen=True, slots=True)
class Seat:
    """A socket's place at the desk. `resumed`: its session goes on."""

    session: LiveSession
    clinic: Clinic
    line: LiveLine
    started: Place
    resumed: bool
    count: Callable[[int], None]
    """Told the bytes of sound that came. Raises CallOver."""


Known = Callable[[str], Awaitable[tuple[Caller, Echo] | None]]
"""Who a token lets speak, and where else their words show; None for a token that is nobody's."""


class LiveDesk:
    """Opens calls. `known`: how callers are known by their tokens, asked in order."""

    def __init__(
        self,
        clinics: Clinics,
        messaging: Messaging,
        speech: ClinicSpeech,
        texts: LiveTexts,
        clock: Clock,
        limits: LiveLimits | None = None,
    ) -> None:
        self.speech, self.texts = speech, texts
        self.known: list[Known] = []
        self.limits = limits or LiveLimits()
        self._clinics, self._messaging, self._clock = clinics, messaging, clock
        self._seats = Seats()
        self._paused: dict[ConversationKey, LiveSession] = {}
        self._seconds = DailySeconds(self._today)

    def speaks_for(self, clinic: Clinic) -> bool:
        """Whether its patients can speak live."""
        has_speech = self.speech.listens_for(clinic) and self.speech.speaks_for(clinic)
        return has_speech and self.limits.daily_seconds > 0

    async def clinic_of(self, caller: Caller) -> Clinic | None:
        """The clinic that a caller speaks with."""
        return await self._clinics.get(caller.visitor.clinic_id)

    @asynccontextmanager
    async def seat(self, caller: Caller, start: Start, address: str = "") -> AsyncIterator[Seat]:
        """A place for one socket from `address`, in its session until that is left; who sat there has to go. Raises
        CallOver."""
        clinic = await self.clinic_of(caller)
        if clinic is None or not self.speaks_for(clinic):
            raise CallOver(Close.SPEECH_OFF)
        key = caller.visitor.key
        who = Speaker(clinic, key.contact, is_stranger=caller.visitor.phone is None)
        if self._seconds.left(who, self.limits) <= 0:
            raise CallOver(Close.BUSY)
        stranger_from = address if who.is_stranger else None
        for leaving in self._seats.make_room(key, stranger_from, self.limits):
            self._leave(leaving)
        session, resumed = self._session(key, start, stranger_from)
        self._seats.take(session)
        count = self._counter(who)
        try:
            yield Seat(session, clinic, self._line(caller), (self._clock(), ""), resumed, count)
        finally:
            if self._seats.free(session):
                self._leave(session)

    def end(self, session: LiveSession) -> None:
        """The caller wants no more of it."""
        session.status = SessionStatus.TERMINATED

    def _session(self, key: ConversationKey, start: Start, stranger_from: str | None) -> tuple[LiveSession, bool]:
        now, before = self._clock(), self._paused.pop(key, None)
        if before is None or before.id != start.session or now - before.active_at >= IDLE:
            return LiveSession(str(uuid4()), key, (now, ""), now, stranger_from), False
        return LiveSession(before.id, key, before.seen, now, stranger_from, before.spoke_at, spoken=before.spoken), True

    def _leave(self, session: LiveSession) -> None:
        if session.status is SessionStatus.TERMINATED:
            return
        session.status, session.active_at = SessionStatus.PAUSED, self._clock()
        self._paused[session.key] = session
        if len(self._paused) > MOST_SESSIONS:
            del self._paused[next(iter(self._paused))]

    def _line(self, caller: Caller) -> LiveLine:
        messaging = self._messaging
        return LiveLine(caller, messaging.inbox, messaging.web, messaging.worker.notify_whole, self._clock)

    def _today(self, clinic: Clinic) -> date:
        return clinic.local(self._clock()).date()

    def _counter(self, who: Speaker) -> Callable[[int], None]:
        """Of one socket: what comes faster than sound is a flood, and what is beyond the day's budget is too much."""
        second = RATE * SAMPLE_BYTES
        allowance, now = Allowance(1.25 * second, BURST_SECONDS * second), asyncio.get_running_loop().time

        def count(size: int) -> None:
            allowance.spend(size, now())
            if self._seconds.left(who, self.limits) <= 0:
                raise CallOver(Close.BUSY)
            self._seconds.spend(who, size / second)

        return count


def commands_allowed() -> Allowance:
    """Of one socket's JSON frames."""
    return Allowance(COMMANDS_A_SECOND, COMMANDS_AT_ONCE)
