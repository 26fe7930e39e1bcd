"""How long a message waits before it is tried again, by the kind of failure."""

import random
from collections.abc import Mapping
from dataclasses import dataclass

from gendei.messages.message import FailureKind


@dataclass(frozen=True, slots=True)
class Backoff:
    """The pause before attempt n + 1 is `first * factor ** (n - 1)` seconds, at most `longest`, and up to a quarter
    more with `jitter`. After `attempts` the message fails. `whole_number`: every message of the number pauses."""

    first: float
    factor: float
    longest: float
    attempts: int
    jitter: bool = True
    whole_number: bool = False

    def pause(self, attempts: int, retry_after: float) -> float:
        """Seconds after `attempts` tries, and never less than the provider asks for."""
        planned: float = min(self.first * self.factor ** max(0, attempts - 1), self.longest)
        waited = max(planned, retry_after)
        return waited * random.uniform(1, 1.25) if self.jitter else waited


BACKOFF: Mapping[FailureKind, Backoff] = {
    FailureKind.UNREACHABLE: Backoff(1, 2, 300, attempts=8),
    FailureKind.TEMPORARY: Backoff(2, 2, 60, attempts=5),
    FailureKind.THROUGHPUT: Backoff(1, 2, 300, attempts=8),
    FailureKind.PAIR_RATE: Backoff(1, 4, 4096, attempts=7, jitter=False),
    FailureKind.MAINTENANCE: Backoff(60, 1, 60, attempts=8, whole_number=True),
    FailureKind.CALL_RATE: Backoff(120, 2, 1800, attempts=6, whole_number=True),
}
"""Meta: 4^X seconds for the pair rate, backoff with jitter for throughput, a minute for maintenance, minutes for the
rate of calls, few retries for its own problems."""
MOST_ATTEMPTS = max(plan.attempts for plan in BACKOFF.values())
