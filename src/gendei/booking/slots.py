"""Free times, and the reasons why there are none."""

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import NamedTuple


class Slot(NamedTuple):
    """A free time of one professional, [start, end), aware in the clinic's zone."""

    professional_id: str
    start: datetime
    end: datetime


class NoSlots(StrEnum):
    """Why a day has no slot for what was asked. With several professionals, the reason that is nearest to a yes.

    CLOSED: the clinic does not open that day. PROFESSIONAL_OFF: it does, but nobody who was asked for attends
    (weekly hours, time off, or no range long enough for the service). FULL: everything is booked or held.
    PAST: the day, or what was left of today, is over. TOO_SOON: something is free, but only within the lead time.
    TOO_FAR: beyond the horizon. NOT_OFFERED: the professional, or everybody, does not do the service.
    """

    CLOSED = "closed"
    PROFESSIONAL_OFF = "professional_off"
    FULL = "full"
    PAST = "past"
    TOO_SOON = "too_soon"
    TOO_FAR = "too_far"
    NOT_OFFERED = "not_offered"
    UNKNOWN_SERVICE = "unknown_service"
    UNKNOWN_PROFESSIONAL = "unknown_professional"


@dataclass(frozen=True, slots=True)
class DaySearch:
    """The answer for one day. `slots` in order of start; `reason` only when there are none. `nearest`: what comes
    closest to what was asked when that itself is not free, closest first, at most 10, other days and other
    professionals included."""

    day: date
    slots: tuple[Slot, ...]
    reason: NoSlots | None = None
    nearest: tuple[Slot, ...] = ()
