"""The seats of live calls: how many each clinic has, who gets one, and who has to leave for whom."""

import asyncio
from dataclasses import dataclass, field
from datetime import datetime

from gendei.conversation.stored.conversation import SessionStatus
from gendei.conversation.stored.history import Place
from gendei.messages.keys import ConversationKey
from gendei.voice.live.call import IDLE_SECONDS
from gendei.voice.live.frames import CallOver, Close


@dataclass(frozen=True, slots=True)
class LiveLimits:
    """Of each clinic: `sockets` at once, and `daily_seconds` of sound listened to; half of both at most for strangers,
    who proved no phone, and `per_address` seats for those of one address. Of one contact: `contact_seconds` a day. In
    seconds, `patience`: for a first frame,
    and for a client that takes nothing; `idle`: without a word of either side; `silence`: for a stranger's first."""

    sockets: int = 20
    daily_seconds: float = 36_000
    patience: float = 10.0
    idle: float = IDLE_SECONDS
    silence: float = 30.0
    per_address: int = 4
    contact_seconds: float = 3_600

    @property
    def strangers(self) -> int:
        """Seats of a clinic's for strangers."""
        return max(1, self.sockets // 2)

    @property
    def strangers_seconds(self) -> float:
        """Seconds of a clinic's day for strangers."""
        return self.daily_seconds / 2


@dataclass(slots=True)
class LiveSession:
    """Seed 4's session: ACTIVE with a socket, PAUSED when it was lost, TERMINATED half an hour later or by who called.
    `seen`: the place in the history up to which the client was shown everything. `stranger_from`: the address of a
    caller who proved no phone, else None. `spoke_at`: the last moment at which the caller spoke or wrote, by the loop's
    clock."""

    id: str
    key: ConversationKey
    seen: Place
    active_at: datetime
    stranger_from: str | None = None
    spoke_at: float | None = None
    status: SessionStatus = SessionStatus.ACTIVE
    spoken: asyncio.Event = field(default_factory=asyncio.Event)
    _left: asyncio.Event = field(default_factory=asyncio.Event)
    _why: Close = Close.REPLACED

    def saw(self, place: Place) -> None:
        self.seen = max(self.seen, place)

    def spoke(self) -> None:
        """The caller says something."""
        self.spoke_at = asyncio.get_running_loop().time()
        self.spoken.set()

    def leave(self, why: Close) -> None:
        """Let its socket be closed."""
        self._why = why
        self._left.set()

    async def until_left(self) -> None:
        """Raises CallOver when another has the session or the seat."""
        await self._left.wait()
        raise CallOver(self._why)


class Seats:
    """The sessions that have a socket. Patients come before strangers, and who speaks before who is silent."""

    def __init__(self) -> None:
        self._taken: dict[ConversationKey, LiveSession] = {}

    def make_room(self, key: ConversationKey, stranger_from: str | None, limits: LiveLimits) -> list[LiveSession]:
        """Those who had to leave so that a caller can sit down, the caller's own other socket among them. Raises
        CallOver where nobody has to."""
        leaving = self._leaving_for(key, stranger_from, limits)
        for session in leaving:
            session.leave(Close.BUSY)
        if own := self._taken.get(key):
            own.leave(Close.REPLACED)
            leaving.append(own)
        for session in leaving:
            del self._taken[session.key]
        return leaving

    def take(self, session: LiveSession) -> None:
        """Seat `session`, for which there is room."""
        self._taken[session.key] = session

    def free(self, session: LiveSession) -> bool:
        """Whether the session still had its seat, which is free now."""
        if self._taken.get(session.key) is not session:
            return False
        del self._taken[session.key]
        return True

    def _leaving_for(self, key: ConversationKey, stranger_from: str | None, limits: LiveLimits) -> list[LiveSession]:
        """Nobody, where there is room; else the silent stranger who sat down first, and for a patient also the stranger
        who spoke longest ago."""
        others = [other for other in self._taken.values() if other.key.clinic_id == key.clinic_id and other.key != key]
        strangers = [other for other in others if other.stranger_from is not None]
        may_leave = sorted(strangers, key=lambda other: other.spoke_at or 0.0)
        is_full = len(others) >= limits.sockets
        if stranger_from is not None:
            may_leave = [other for other in strangers if other.spoke_at is None]
            near = [other for other in strangers if other.stranger_from == stranger_from]
            if len(near) >= limits.per_address:
                may_leave, is_full = [other for other in may_leave if other in near], True
            is_full = is_full or len(strangers) >= limits.strangers
        if is_full and not may_leave:
            raise CallOver(Close.BUSY)
        return may_leave[:1] if is_full else []
