"""The seats of live calls: how many each clinic has, who gets one, and who has to leave for whom; and who may use how
much of a clinic's day. A part is kept from strangers, who can be as many as they like, and no contact uses up what
others need. All of it counts in this process."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime

from gendei.clinic import Clinic, ClinicId, Contact
from gendei.conversation.stored.conversation import SessionStatus
from gendei.conversation.stored.history import Place
from gendei.messages.keys import ConversationKey
from gendei.voice.live.call import IDLE_SECONDS
from gendei.voice.live.frames import CallOver, Close


@dataclass(frozen=True, slots=True)
class LiveLimits:
    """Of each clinic: `sockets` at once, and `daily_seconds` of sound listened to; half of both at most for strangers,
    who proved no phone, and `per_address` seats for those of one address. Of one contact: `contact_seconds` a day. In
    seconds, `patience`: for a first frame, and for a client that takes nothing; `idle`: without a word of either side;
    `silence`: for a stranger's first."""

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
    """A session: ACTIVE with a socket, PAUSED when it was lost, TERMINATED half an hour later, or by its caller.
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


@dataclass(slots=True)
class _Day:
    day: date
    total: float = 0.0
    strangers: float = 0.0
    contacts: dict[Contact, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Speaker:
    """Whose seconds are counted. `is_stranger`: they proved no phone."""

    clinic: Clinic
    contact: Contact
    is_stranger: bool


class DailySeconds:
    """The seconds that were listened to on each clinic's local day. today: of a clinic."""

    def __init__(self, today: Callable[[Clinic], date]) -> None:
        self._today = today
        self._days: dict[ClinicId, _Day] = {}

    def spend(self, who: Speaker, seconds: float) -> None:
        """Count what was heard of somebody."""
        day = self._of(who.clinic)
        day.total += seconds
        day.strangers += seconds if who.is_stranger else 0.0
        day.contacts[who.contact] = day.contacts.get(who.contact, 0.0) + seconds

    def left(self, who: Speaker, limits: LiveLimits) -> float:
        """How many seconds somebody may still be heard today; 0 or less: none."""
        day = self._of(who.clinic)
        left = min(limits.daily_seconds - day.total, limits.contact_seconds - day.contacts.get(who.contact, 0.0))
        return min(left, limits.strangers_seconds - day.strangers) if who.is_stranger else left

    def _of(self, clinic: Clinic) -> _Day:
        today, known = self._today(clinic), self._days.get(clinic.id)
        if known is None or known.day != today:
            known = self._days[clinic.id] = _Day(today)
        return known
