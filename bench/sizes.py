"""How much is measured: enough for a figure, or just enough to see that the benchmark runs."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sizes:
    """rounds: legs of each server. leg_requests, leg_seconds: a leg ends at whichever comes first. warm_requests:
    the first of a leg, which are not measured. blocks: of each kind of turn; turns: in a block. searches: of slots."""

    rounds: int
    leg_requests: int
    leg_seconds: float
    warm_requests: int
    connections: int
    blocks: int
    turns: int
    searches: int


FULL = Sizes(
    rounds=4, leg_requests=20_000, leg_seconds=6, warm_requests=2_000, connections=64, blocks=8, turns=25, searches=400
)
TINY = Sizes(rounds=1, leg_requests=40, leg_seconds=6, warm_requests=8, connections=4, blocks=1, turns=2, searches=3)
