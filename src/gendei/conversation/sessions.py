"""Sittings of a conversation (seed 4's ConversationSession): what a patient writes without a pause of half an hour.

Nothing is kept by session but its beginning and its count: the messages stand in the history, whole and for good, the
last 50 of them in the conversation's window, and what a model no longer reads is in the receptionist's own summary.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import uuid4

from gendei.records import Moment

IDLE = timedelta(minutes=30)
MOST_MESSAGES = 100


class SessionStatus(StrEnum):
    """ACTIVE: the bot answers. PAUSED: a person has the conversation. TERMINATED: staff closed it, or nothing was said
    for IDLE; what the patient writes next begins another session."""

    ACTIVE = "active"
    PAUSED = "paused"
    TERMINATED = "terminated"


@dataclass(frozen=True, slots=True)
class Session:
    """`messages`: of both sides, up to MOST_MESSAGES; the next one begins another session."""

    id: str
    started_at: Moment
    active_at: Moment
    messages: int = 0

    def status(self, now: datetime, *, is_human_takeover: bool, is_closed: bool) -> SessionStatus:
        if is_closed or self.is_over(now):
            return SessionStatus.TERMINATED
        return SessionStatus.PAUSED if is_human_takeover else SessionStatus.ACTIVE

    def is_over(self, now: datetime) -> bool:
        return now - self.active_at >= IDLE or self.messages >= MOST_MESSAGES


def after(session: Session | None, messages: int, now: datetime, *, was_closed: bool = False) -> Session:
    """The session after `messages` more, of both sides; a new one where the last is over."""
    if session is None or was_closed or session.is_over(now):
        return Session(str(uuid4()), now, now, messages)
    return Session(session.id, session.started_at, now, session.messages + messages)
