"""Spans of what the service does. Off until `traced_by` is entered, and then a call costs one comparison."""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Protocol

Attributes = Mapping[str, str | int]


class Tracer(Protocol):
    """Who records spans; the one of OpenTelemetry is in gendei.observing.otlp."""

    def span(self, name: str, parent: str, attributes: Attributes) -> AbstractContextManager[None]:
        """Record the body as `name`, below the span that `parent` carries, or below the running one where it is "".
        What the body raises is recorded by its type alone."""
        ...

    def note(self, attributes: Attributes) -> None:
        """Add to the running span."""
        ...

    def carried(self) -> str:
        """The running span as a W3C traceparent, "" where none runs."""
        ...


_NOTHING = nullcontext()
_tracers: list[Tracer] = []
"""At most the one of the process, as with its loggers."""


@contextmanager
def traced_by(tracer: Tracer) -> Iterator[None]:
    """Inside, spans of this process go to `tracer`."""
    _tracers.insert(0, tracer)
    try:
        yield
    finally:
        _tracers.remove(tracer)


def span(name: str, parent: str = "", **attributes: str | int) -> AbstractContextManager[None]:
    """The body as a span: webhook, turn, model, tool or send. `parent`: from `carried`, of another task or process.
    Attributes name kinds and results, never a patient or what was said; the subject's clinic and hash come with it."""
    return _tracers[0].span(name, parent, attributes) if _tracers else _NOTHING


def note(**attributes: str | int) -> None:
    """Tell more of the running span, such as its result."""
    if _tracers:
        _tracers[0].note(attributes)


def carried() -> str:
    """What continues the running span elsewhere, "" while nothing is traced."""
    return _tracers[0].carried() if _tracers else ""
