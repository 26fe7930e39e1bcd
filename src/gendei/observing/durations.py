"""How long something took, counted by result in fixed classes, as Prometheus wants its histograms."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from types import MappingProxyType

BOUNDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 30.0, 45.0, 60.0)
"""Upper ends of the classes in seconds; one class without an end follows."""

NO_NAMES: Mapping[type[BaseException], str] = MappingProxyType({})


@dataclass(slots=True)
class Histogram:
    """`classes` holds one count for each of BOUNDS, and one for what took longer. `total` is in seconds."""

    classes: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS) + 1))
    total: float = 0.0

    def observe(self, seconds: float) -> None:
        self.classes[bisect_left(BOUNDS, seconds)] += 1
        self.total += seconds

    @property
    def count(self) -> int:
        return sum(self.classes)


@dataclass(frozen=True, slots=True, eq=False)
class Durations:
    """A histogram for each result. Results come from code, so there are few of them."""

    by_result: dict[str, Histogram] = field(default_factory=dict)

    def observe(self, result: str, seconds: float) -> None:
        self.by_result.setdefault(result, Histogram()).observe(seconds)

    @contextmanager
    def measured(self, failures: Mapping[type[BaseException], str] = NO_NAMES) -> Iterator[None]:
        """Observe the body: as "ok", or as what `failures` call the error that left it, "failed" for any other."""
        started, result = perf_counter(), "ok"
        try:
            yield
        except BaseException as error:
            result = next((name for kind, name in failures.items() if isinstance(error, kind)), "failed")
            raise
        finally:
            self.observe(result, perf_counter() - started)
