"""How much is measured: enough for a figure, or just enough to see that the benchmark runs."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sizes:
    """rounds: legs of each server. leg_requests, leg_seconds: a leg ends at whichever comes first. warm_requests:
    the first of a leg, which are not measured. blocks: of each kind of turn; turns: in a block. searches: of slots.
    starts: of each command. status_webhooks: of a leg.

    clinics: of the load. mix_rounds, mix_webhooks: legs of each server on the mix, and webhooks in one. first_rate:
    webhooks a second of the first step; steps, step_seconds: of rising load; held_seconds: of the rate that is
    confirmed. waiting: conversations that wait at once, half of them one clinic's; newcomers: patients of the other
    clinics in the midst of it, and before it; model_seconds: what the model takes. bursts: of calls at the same moment
    of each tool; burst_seconds: between them. backlog: conversations that wait for their turns while others open
    pages.

    conversations, pages: of the clinic whose staff look at its inbox; page_webhooks, page_rate: of a leg meanwhile, and
    a second; openings, shown: pages that a browser opens, and messages that it waits for."""

    rounds: int
    leg_requests: int
    leg_seconds: float
    warm_requests: int
    connections: int
    blocks: int
    turns: int
    searches: int
    starts: int
    status_webhooks: int
    clinics: int
    mix_rounds: int
    mix_webhooks: int
    first_rate: float
    steps: int
    step_seconds: float
    held_seconds: float
    waiting: int
    newcomers: int
    model_seconds: float
    bursts: int
    burst_seconds: float
    backlog: int
    conversations: int
    pages: int
    page_webhooks: int
    page_rate: float
    openings: int
    shown: int


FULL = Sizes(
    rounds=3,
    leg_requests=20_000,
    leg_seconds=5,
    warm_requests=2_000,
    connections=64,
    blocks=6,
    turns=25,
    searches=400,
    starts=5,
    status_webhooks=6_000,
    clinics=20,
    mix_rounds=2,
    mix_webhooks=3_300,
    first_rate=100,
    steps=8,
    step_seconds=3,
    held_seconds=12,
    waiting=2_000,
    newcomers=40,
    model_seconds=2,
    bursts=30,
    burst_seconds=0.25,
    backlog=5_000,
    conversations=200,
    pages=50,
    page_webhooks=400,
    page_rate=20,
    openings=5,
    shown=20,
)
TINY = Sizes(
    rounds=1,
    leg_requests=40,
    leg_seconds=6,
    warm_requests=8,
    connections=4,
    blocks=1,
    turns=2,
    searches=3,
    starts=1,
    status_webhooks=12,
    clinics=2,
    mix_rounds=1,
    mix_webhooks=44,
    first_rate=44,
    steps=1,
    step_seconds=0.5,
    held_seconds=0.5,
    waiting=4,
    newcomers=2,
    model_seconds=0.1,
    bursts=2,
    burst_seconds=0.1,
    backlog=8,
    conversations=5,
    pages=2,
    page_webhooks=8,
    page_rate=20,
    openings=1,
    shown=1,
)
