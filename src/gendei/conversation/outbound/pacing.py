"""How fast may be sent: to one patient and through one number. In this process; what several send together beyond it
comes back as the provider's own refusal and is slowed by backoff.

Source: Meta's pages on throughput (September 2026): one message in 6 seconds to the same user, of which up to 45 may
be borrowed from the future; 80 messages a second through a number.
"""

from dataclasses import dataclass, field

from gendei.clinic import Channel
from gendei.clock import Clock
from gendei.messages.keys import ConversationKey

PAIR_SECONDS = 6.0
PAIR_BURST = 45
MESSAGES_PER_SECOND = 80.0
MOST_REMEMBERED = 10_000

Number = tuple[str, str]
"""A connected number: (provider, external id)."""


@dataclass(slots=True)
class Bucket:
    """A token bucket as the moment at which it will be full again. Who finds it empty gets a moment of their own, so
    that those who wait do not all come back at once. Moments are seconds since 1970."""

    interval: float
    burst: float
    full_at: float = 0.0
    asked_at: float = 0.0

    def take(self, now: float) -> float:
        """Take one token; the moment from which it may be used. A clock that steps back takes the bucket with it."""
        self.full_at -= max(0.0, self.asked_at - now)
        self.asked_at = now
        self.full_at = max(self.full_at, now) + self.interval
        return max(now, self.full_at - self.interval * self.burst)


@dataclass(slots=True)
class Pacing:
    """The buckets of every recipient and number that was written to lately."""

    clock: Clock
    _pairs: dict[ConversationKey, Bucket] = field(default_factory=dict)
    _numbers: dict[Number, Bucket] = field(default_factory=dict)
    _held: dict[Number, float] = field(default_factory=dict)
    _promised: dict[str, float] = field(default_factory=dict)

    def wait(self, message_id: str, key: ConversationKey, channel: Channel) -> float:
        """Seconds until this message may leave, 0 for now. Asking again for the same message takes nothing more."""
        now = self.clock().timestamp()
        held = self._held.get((channel.provider, channel.external_id), 0.0) - now
        if held > 0:
            return held
        at = self._promised.pop(message_id, None)
        if at is None:
            at = max(self._pair(key).take(now), self._number(channel).take(now))
        if at <= now:
            return 0.0
        self._promised[message_id] = at
        return at - now

    def hold(self, number: Number, seconds: float) -> None:
        """Send nothing through this number for so long."""
        self._held[number] = max(self._held.get(number, 0.0), self.clock().timestamp() + seconds)

    def _pair(self, key: ConversationKey) -> Bucket:
        if key not in self._pairs:
            if len(self._pairs) >= MOST_REMEMBERED:
                self._forget()
            self._pairs[key] = Bucket(PAIR_SECONDS, PAIR_BURST)
        return self._pairs[key]

    def _number(self, channel: Channel) -> Bucket:
        number = (channel.provider, channel.external_id)
        rate = float(channel.settings.get("messages_per_second") or MESSAGES_PER_SECOND)
        bucket = self._numbers.get(number)
        if bucket is None or bucket.burst != rate:
            bucket = self._numbers[number] = Bucket(1 / rate, rate)
        return bucket

    def _forget(self) -> None:
        """Drop the buckets that are full, and promises that nobody came for."""
        now = self.clock().timestamp()
        self._pairs = {key: bucket for key, bucket in self._pairs.items() if bucket.full_at > now}
        self._promised = {pair: at for pair, at in self._promised.items() if at > now - PAIR_SECONDS * PAIR_BURST}
