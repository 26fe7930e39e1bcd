"""The circuit breaker before a language model's API: while it is down, nobody waits for it."""

import logging
import time
from asyncio import CancelledError
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum

from gendei.errors import GendeiError
from gendei.receptionist.llm.api_errors import Kind, Trouble, trouble_of

_log = logging.getLogger(__name__)


class ModelResting(GendeiError):
    """The model's API failed several times in a row and is left alone for a while; guided answers. The log names the
    kind of failure. Look at the API's status page, its quota and OPENAI_API_KEY."""


class BreakerState(StrEnum):
    """`closed`: calls go through. `open`: none does. `half_open`: one goes through, and decides."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"


@dataclass(frozen=True, slots=True)
class BreakerView:
    """How an API is doing. `failures`: in a row. `reason`: of the last one. `retry_in`: seconds until one call is let
    through, 0 while that may happen now."""

    state: BreakerState
    failures: int = 0
    reason: Kind | None = None
    retry_in: float = 0.0


@dataclass(slots=True)
class _Turn:
    """has_failed: since the last success; one patient's retries say no more than the first failure."""

    has_failed: bool = False


_turn: ContextVar[_Turn | None] = ContextVar("turn", default=None)


class Breaker:
    """Opens after `failures` turns in a row found the API in trouble, at once where only an operator can cure it, and
    for as long as the API asks; each time that the one call after the pause fails, the pause is twice as long.

    pause, longest: seconds. clock: monotonic seconds.
    """

    def __init__(
        self,
        failures: int = 3,
        pause: float = 30.0,
        longest: float = 600.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._limit, self._pause, self._longest, self._clock = failures, pause, longest, clock
        self._failures = 0
        self._openings = 0
        self._reason: Kind | None = None
        self._until: float | None = None
        self._probing = False

    @property
    def view(self) -> BreakerView:
        if self._until is None:
            return BreakerView(BreakerState.CLOSED, self._failures, self._reason if self._failures else None)
        left = max(0.0, self._until - self._clock())
        state = BreakerState.OPEN if left else BreakerState.HALF_OPEN
        return BreakerView(state, self._failures, self._reason, left)

    @property
    def lets_through(self) -> bool:
        """Whether a call would be let through now."""
        state = self.view.state
        return state is BreakerState.CLOSED or (state is BreakerState.HALF_OPEN and not self._probing)

    @staticmethod
    def begin_turn() -> None:
        """What this task asks from now on is one turn's. Without it each call counts."""
        _turn.set(_Turn())

    @contextmanager
    def call(self) -> Iterator[None]:
        """One call of the API. Raises ModelResting instead of letting it through. A call that is cancelled tells
        nothing; whoever cancelled it for being slow says so with `failed`."""
        if not self.lets_through:
            raise ModelResting
        probe = self._until is not None
        self._probing = probe
        try:
            yield
        except CancelledError:
            raise
        except Exception as error:
            if (trouble := trouble_of(error)) is not None:
                self.failed(trouble)
            else:
                self.succeeded()
            raise
        else:
            self.succeeded()
        finally:
            if probe:
                self._probing = False

    def succeeded(self) -> None:
        if self._until is not None:
            _log.warning("the model's API answers again")
        self._failures = self._openings = 0
        self._until = None
        if (turn := _turn.get()) is not None:
            turn.has_failed = False

    def failed(self, trouble: Trouble) -> None:
        """Count one failure, but of a turn only the first, and open where it is one too many."""
        turn = _turn.get() or _Turn()
        is_new, turn.has_failed = not turn.has_failed, True
        self._failures += is_new
        self._reason = trouble.kind
        reopened = self._until is not None and self._clock() >= self._until
        asked = trouble.retry_after or 0.0
        if reopened or trouble.kind.lasting or (is_new and self._failures >= self._limit) or asked > self._pause:
            self._open(asked)

    def _open(self, asked: float) -> None:
        if self._until is not None and self._clock() < self._until:
            return  # calls that were under way when it opened say nothing new
        pause = min(self._pause * 2**self._openings, self._longest)
        self._openings = min(self._openings + 1, 32)
        self._until = self._clock() + min(max(pause, asked), self._longest)
        _log.error("the model's API is left alone for %.0f s (%s); guided answers", pause, self._reason)
