"""What this process did with what arrived, counted for operators; never by clinic or patient."""

from collections import Counter
from dataclasses import dataclass, field

from gendei.observing.durations import Durations


@dataclass(slots=True, eq=False)
class Activity:
    """accepted, duplicates: messages that webhooks brought, by provider; a duplicate was known already. turns: from
    the lease to the commit, by result: ok, lease_lost, store_failed, released (at a stop) or failed. apologies: turns
    that gave the patient no better answer. parked: messages that were set aside. blocks: how long the event loop stood
    still, by the kind of work that held it (see LoopWatch)."""

    accepted: Counter[str] = field(default_factory=Counter)
    duplicates: Counter[str] = field(default_factory=Counter)
    turns: Durations = field(default_factory=Durations)
    blocks: Durations = field(default_factory=Durations)
    leases_lost: int = 0
    apologies: int = 0
    parked: int = 0
