"""The free slots that come closest to what was asked."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from datetime import datetime

from gendei.booking.slots import Slot

MOST = 10
"""No more alternatives than one WhatsApp list shows."""


def nearest(
    free: Mapping[str, Sequence[Slot]], moment: datetime, preferred: str | None, limit: int = MOST
) -> tuple[Slot, ...]:
    """At most `limit` slots, closest to `moment` (aware, in the clinic's zone) first.

    free: professional id to slots in order of start. preferred: whom the patient asked for; half of the places
    are theirs as long as they have slots, the others show who else is free.
    """

    asked = moment.timestamp()

    def distance(slot: Slot) -> tuple[object, ...]:
        start = slot.start.timestamp()
        return abs(start - asked), start, slot.professional_id

    own: list[Slot] = []
    others: list[Slot] = []
    for professional_id, slots in free.items():
        middle = bisect_left(slots, asked, key=lambda slot: slot.start.timestamp())
        around = slots[max(0, middle - limit) : middle + limit]
        (own if professional_id == preferred else others).extend(around)
    own.sort(key=distance)
    others.sort(key=distance)
    of_others = min(len(others), max(limit // 2, limit - len(own)))
    return tuple(sorted(own[: limit - of_others] + others[:of_others], key=distance))
