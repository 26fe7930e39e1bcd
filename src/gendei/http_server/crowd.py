"""How many connections one server has, and which of them can go first."""

from asyncio import Transport
from dataclasses import dataclass, field

RESERVE = 64
"""Connections above the limit, which find only whether the service is alive."""


@dataclass(slots=True)
class Crowd:
    """`most`: connections at once. Those that wait for a request, idle or half-sent, make room for new ones, the oldest
    first: a client sends its request right after it connects, and so is served however many others say nothing."""

    most: int
    _waiting: dict[Transport, None] = field(default_factory=dict)

    def waits(self, transport: Transport) -> None:
        """No request of this connection is whole."""
        self._waiting[transport] = None

    def left(self, transport: Transport) -> None:
        """It sent a request, became a socket, or is gone."""
        self._waiting.pop(transport, None)

    def admit(self, connections: int) -> bool:
        """Whether one more connection may stay, of `connections` with it; makes room where it can."""
        if connections <= self.most:
            return True
        if not self._waiting:
            return connections <= self.most + RESERVE
        oldest = next(iter(self._waiting))
        self.left(oldest)
        oldest.abort()
        return True

    def is_full(self, connections: int) -> bool:
        """Whether so many of `connections` are at work that a new request has to be refused."""
        return connections - len(self._waiting) > self.most
