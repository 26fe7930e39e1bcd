"""How often something may be asked for, and how much of it may go on at once, counted in this process: what several
take in together is their sum."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from gendei.clock import Clock

MOST_REMEMBERED = 50_000


@dataclass(slots=True)
class Throttle:
    """`burst` at once, then one in `interval` seconds, for each name by itself."""

    clock: Clock
    burst: int
    interval: float
    _full_at: dict[str, float] = field(default_factory=dict)

    def wait(self, name: str) -> float:
        """0.0: go, which counts. Otherwise the seconds to wait, and asking was free."""
        now = self.clock().timestamp()
        full_at = max(self._full_at.get(name, now), now)
        late = full_at - now + self.interval * (1 - self.burst)
        if late > 0:
            return late
        if len(self._full_at) >= MOST_REMEMBERED:
            self._full_at = {known: moment for known, moment in self._full_at.items() if moment > now}
        self._full_at[name] = full_at + self.interval
        return 0.0


@dataclass(slots=True)
class Places:
    """At most so many at once for each name."""

    most: int
    _taken: Counter[str] = field(default_factory=Counter)

    @contextmanager
    def taken(self, name: str) -> Iterator[bool]:
        """Whether there was a place, which is taken inside."""
        if self._taken.get(name, 0) >= self.most:
            yield False
            return
        self._taken[name] += 1
        try:
            yield True
        finally:
            self._taken[name] -= 1
            if not self._taken[name]:
                del self._taken[name]
