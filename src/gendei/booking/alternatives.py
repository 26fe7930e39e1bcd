"""What is nearest to a wish for which nothing is free: what of it gives way, and the slots that fit the rest."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from itertools import chain

from gendei.booking.slots import Alternative, GivesWay, Slot
from gendei.booking.time_wish import TimeWish

NEAR = 180
"""Minutes from the asked hour within which another hour is of the same part of the day."""
BESIDE = 60
"""Minutes from the asked hour within which another hour with somebody else is nearly what was asked for."""
MOST = 10
"""No more slots at other hours than one list of WhatsApp shows."""
FEW = 4
"""So many are offered however far their hours are."""
DAYS_AT_AN_HOUR, DAYS_WITH_MORE = 4, 2
"""On how many days the same hour is looked for, and on how many several hours."""
DAYS_EARLIER = 3
"""How much earlier than the days that were asked for may be offered in their place."""
A_WEEK = timedelta(days=7)


def alternatives_to(
    wish: TimeWish, free: Mapping[str, Sequence[Slot]], preferred: str | None
) -> tuple[Alternative, ...]:
    """The alternatives to a wish that nothing in `free` fits, nearest first: the same part of the day, then the same
    day, another professional, another day.

    free: professional id to slots. preferred: whom the patient asked for; None for anybody.
    """
    everybody = sorted(
        (slot for slot in chain.from_iterable(free.values()) if slot.start.date() not in wish.excluded),
        key=lambda slot: (slot.start.timestamp(), slot.professional_id),
    )
    own = [slot for slot in everybody if preferred in {None, slot.professional_id}]
    others = [slot for slot in everybody if preferred not in {None, slot.professional_id}]
    at_these_hours = [slot for slot in own if wish.fits_hours(slot.start)]
    fits_but_for = {
        GivesWay.HOURS: _nearest_hours(wish, own),
        GivesWay.DAY: _on_other_days(wish, at_these_hours, DAYS_AT_AN_HOUR if wish.at else DAYS_WITH_MORE),
        GivesWay.PROFESSIONAL: _with_others(wish, others),
    }
    found = [Alternative(part, tuple(fits_but_for[part])) for part in _order(wish, own) if fits_but_for[part]]
    if own and {alternative.gives_way for alternative in found} <= {GivesWay.PROFESSIONAL}:
        near = [slot for slot in own if wish.minutes_off(slot.start) <= NEAR]
        found.append(Alternative(GivesWay.DAY_AND_HOURS, tuple(_on_other_days(wish, near or own, DAYS_WITH_MORE))))
    elif everybody and not found:
        found.append(Alternative(GivesWay.ALL, tuple(_on_other_days(wish, everybody, DAYS_WITH_MORE))))
    return tuple(found)


def _order(wish: TimeWish, own: Iterable[Slot]) -> tuple[GivesWay, ...]:
    """Near an exact hour the same day keeps the part of the day too."""
    if not wish.has_hours:
        return GivesWay.PROFESSIONAL, GivesWay.DAY
    near = any(0 < wish.minutes_off(slot.start) <= NEAR for slot in own if wish.days_off(slot.start.date()) == 0)
    if wish.at is not None and near:
        return GivesWay.HOURS, GivesWay.DAY, GivesWay.PROFESSIONAL
    return GivesWay.DAY, GivesWay.HOURS, GivesWay.PROFESSIONAL


def _nearest_hours(wish: TimeWish, slots: Iterable[Slot]) -> list[Slot]:
    """Of the days that were asked for, the slots that are nearest to the hours, nearest first: of one day a few, and of
    several days of a week one each."""
    others = [slot for slot in slots if wish.days_off(slot.start.date()) == 0 and not wish.fits_hours(slot.start)]
    others.sort(key=lambda slot: wish.minutes_off(slot.start))
    enough = others[: FEW if wish.days == 1 else 1]
    near = max(NEAR, *(wish.minutes_off(slot.start) for slot in enough), 0)
    others = [slot for slot in others if wish.minutes_off(slot.start) <= near]
    if wish.days == 1:
        return others[:MOST]
    best = {slot.start.date(): slot for slot in reversed(others)}
    return _of_a_week([best[day] for day in sorted(best)])[:DAYS_AT_AN_HOUR]


def _with_others(wish: TimeWish, slots: Sequence[Slot]) -> list[Slot]:
    """As it was asked for; at an hour that nobody has, right before and after it."""
    asked = [slot for slot in slots if wish.days_off(slot.start.date()) == 0]
    exact = _of_a_week([slot for slot in asked if wish.fits_hours(slot.start)])
    if exact or wish.at is None or wish.any_day:
        return exact
    return [slot for slot in asked if wish.minutes_off(slot.start) <= BESIDE]


def _of_a_week(slots: Sequence[Slot]) -> list[Slot]:
    """Of slots in order of start those of the first week."""
    return [slot for slot in slots if slot.start.date() < slots[0].start.date() + A_WEEK]


def _on_other_days(wish: TimeWish, slots: Sequence[Slot], most: int) -> list[Slot]:
    """All slots of at most so many days that are nearest to those that were asked for, before and after them. Who asks
    for a week or more asks for what comes from its beginning on."""
    days = sorted({day for slot in slots if wish.days_off(day := slot.start.date()) > 0 or wish.any_day})
    after = [day for day in days if day >= wish.first]
    earliest = wish.first - timedelta(days=0 if wish.days >= A_WEEK.days else DAYS_EARLIER)
    before = [day for day in days if day < wish.first and (day >= earliest or not after)]
    shown = {*before[-max(most // 2, most - len(after)) :], *after[: most - min(len(before), most // 2)]}
    return [slot for slot in slots if slot.start.date() in shown]
