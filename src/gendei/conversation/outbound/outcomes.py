"""What becomes of an outbox entry when a send is over: pure."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from gendei.conversation.conversations import FailureReason
from gendei.conversation.outbound.backoff import BACKOFF
from gendei.conversation.outbound.deliveries import Fate
from gendei.conversation.outbound.gate import Refused
from gendei.conversation.outbound.outbox_entry import OutboxEntry
from gendei.conversation.ports import Accepted, Outcome, Permanent, Transient, Unknown
from gendei.messages.message import FailureKind

_REASONS = {
    FailureKind.WINDOW_CLOSED: FailureReason.WINDOW_CLOSED,
    FailureKind.TEMPLATE: FailureReason.TEMPLATE_UNUSABLE,
}


@dataclass(frozen=True, slots=True)
class Moved:
    """The entry afterwards; `failure` is set where staff must be told. `why`: a FailureKind or FailureReason, for the
    counts."""

    entry: OutboxEntry
    fate: Fate
    why: str = ""
    failure: FailureReason | None = None


@dataclass(frozen=True, slots=True)
class Waiting:
    """`owner` looks again at `until` where the outcome is unknown."""

    owner: str
    until: datetime


def moved(entry: OutboxEntry, outcome: Outcome | Refused, now: datetime, waiting: Waiting) -> Moved:
    """`entry`, which was claimed for this send, after its outcome."""
    match outcome:
        case Accepted(message_id):
            return Moved(entry.accepted(message_id, now), Fate.SENT)
        case Unknown(reason):
            return Moved(entry.unsettled(waiting.owner, waiting.until, reason), Fate.IN_DOUBT)
        case Transient(reason, retry_after, kind):
            plan = BACKOFF[kind]
            if entry.attempts >= plan.attempts:
                return Moved(entry.failed(reason, now), Fate.FAILED, kind, FailureReason.SEND_FAILED)
            pause = timedelta(seconds=plan.pause(entry.attempts, retry_after))
            return Moved(entry.deferred(now + pause, reason), Fate.RETRIED, kind)
        case Permanent():
            return _refused_by_provider(entry, outcome, now)
        case Refused(None, detail):
            return Moved(entry.suppressed(now, detail), Fate.SUPPRESSED)
        case Refused(failure, detail):
            return Moved(entry.failed(detail or str(failure), now), Fate.FAILED, str(failure), failure)


def _refused_by_provider(entry: OutboxEntry, outcome: Permanent, now: datetime) -> Moved:
    kind = outcome.failure_kind
    if kind is FailureKind.WINDOW_CLOSED and entry.can_become_template:
        return Moved(entry.as_template(now), Fate.RETRIED, kind)
    if kind is FailureKind.CHANNEL or (kind is FailureKind.RESTRICTED and entry.initiative):
        return Moved(entry.held(now, outcome.reason), Fate.HELD, kind)
    return Moved(entry.failed(outcome.reason, now), Fate.FAILED, kind, _REASONS.get(kind, FailureReason.SEND_FAILED))
