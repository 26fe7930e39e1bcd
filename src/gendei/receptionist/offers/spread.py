"""Which free times to show when there are more than fit: spread over days and over the day, never a morning only."""

from collections.abc import Sequence
from itertools import groupby

from gendei.booking.slots import Slot
from gendei.clock import instant


def spread(slots: Sequence[Slot], most: int, days: int = 3) -> list[Slot]:
    """At most `most` of `slots` (in order of start): of the first `days` days, each day's share evenly spaced from
    its first to its last time. A time that two professionals share is shown twice only if there is room."""
    if len(slots) <= most:
        return list(slots)
    by_day = [list(group) for _, group in groupby(slots, key=lambda one: one.start.date())][:days]
    shares = _shares([len(group) for group in by_day], most)
    return [one for group, share in zip(by_day, shares, strict=True) for one in _evenly(_distinct(group, share), share)]


def _shares(sizes: Sequence[int], most: int) -> list[int]:
    """Dealt out one by one, earlier days first, until the room or the slots are used up."""
    shares = [0] * len(sizes)
    while sum(shares) < most and any(share < size for share, size in zip(shares, sizes, strict=True)):
        for index, size in enumerate(sizes):
            if shares[index] < size and sum(shares) < most:
                shares[index] += 1
    return shares


def _distinct(group: Sequence[Slot], share: int) -> Sequence[Slot]:
    """One slot a time of day, professionals in turn, unless that leaves fewer than the share."""
    by_time: dict[object, list[Slot]] = {}
    for one in group:
        by_time.setdefault(instant(one.start), []).append(one)
    if len(by_time) < share:
        return group
    return [same[index % len(same)] for index, same in enumerate(by_time.values())]


def _evenly(group: Sequence[Slot], count: int) -> list[Slot]:
    if count >= len(group):
        return list(group)
    if count <= 1:
        return list(group[:count])
    return [group[round(index * (len(group) - 1) / (count - 1))] for index in range(count)]
