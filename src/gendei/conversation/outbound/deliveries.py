"""What became of messages, counted for operators; never by clinic or patient."""

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum


class Fate(StrEnum):
    """RETRIED and IN_DOUBT may still become another; DELIVERY_FAILED was SENT before."""

    SENT = "sent"
    RETRIED = "retried"
    IN_DOUBT = "in_doubt"
    HELD = "held"
    FAILED = "failed"
    DELIVERY_FAILED = "delivery_failed"
    SUPPRESSED = "suppressed"


@dataclass(frozen=True, slots=True, eq=False)
class Deliveries:
    """Counts of this process by (provider, fate, why); `why` is a FailureKind, a FailureReason or "". stopped: the
    numbers that send nothing until somebody acts."""

    counts: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    stopped: set[tuple[str, str]] = field(default_factory=set)

    def count(self, provider: str, fate: Fate, why: str = "") -> None:
        self.counts[provider, str(fate), why] += 1
