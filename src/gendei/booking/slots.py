"""Free times, and the reasons why there are none or the desk refused; the receptionist turns these into sentences."""

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import NamedTuple

from gendei.errors import GendeiError


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


class Refusal(StrEnum):
    """The first nine mean what they mean in NoSlots (`taken` is one time what `full` is for a day).

    OUTSIDE_HOURS: that day is worked, but not at that time, or not for long enough. OFF_GRID: patients choose
    among the slots; only staff may book between them. TOO_LATE: the appointment has begun, or the clinic's notice
    for cancelling and moving is over. ILLEGAL_MOVE: its status does not allow the change. TOO_MANY: the contact has
    booked as many appointments ahead as the clinic allows. NOT_YET: who comes is there on the appointment's day, not
    before. INVALID_BIRTH_DATE, INVALID_CPF, NOT_KEPT: of personal data, which the clinic keeps or does not keep.
    """

    TAKEN = "taken"
    CLOSED = "closed"
    PROFESSIONAL_OFF = "professional_off"
    PAST = "past"
    TOO_SOON = "too_soon"
    TOO_FAR = "too_far"
    NOT_OFFERED = "not_offered"
    UNKNOWN_SERVICE = "unknown_service"
    UNKNOWN_PROFESSIONAL = "unknown_professional"
    OUTSIDE_HOURS = "outside_hours"
    OFF_GRID = "off_grid"
    TOO_LATE = "too_late"
    INVALID_NAME = "invalid_name"
    INVALID_PHONE = "invalid_phone"
    ILLEGAL_MOVE = "illegal_move"
    TOO_MANY = "too_many"
    NOT_YET = "not_yet"
    INVALID_BIRTH_DATE = "invalid_birth_date"
    INVALID_CPF = "invalid_cpf"
    NOT_KEPT = "not_kept"


ABOUT_THE_TIME = frozenset(Refusal) - {
    Refusal.UNKNOWN_SERVICE,
    Refusal.TOO_LATE,
    Refusal.INVALID_NAME,
    Refusal.INVALID_PHONE,
    Refusal.ILLEGAL_MOVE,
    Refusal.TOO_MANY,
    Refusal.NOT_YET,
    Refusal.INVALID_BIRTH_DATE,
    Refusal.INVALID_CPF,
    Refusal.NOT_KEPT,
}
"""The refusals that another time or another professional would mend: these carry alternatives."""
OVERRIDABLE = frozenset({Refusal.TAKEN, Refusal.CLOSED, Refusal.PROFESSIONAL_OFF, Refusal.OUTSIDE_HOURS})
"""The refusals that staff may override: the time is taken or outside of the hours."""


class BookingRefused(GendeiError):
    """The desk refused and changed nothing. `reason` says why; `alternatives` are the nearest free slots."""

    def __init__(self, reason: Refusal, alternatives: tuple[Slot, ...] = ()) -> None:
        self.reason, self.alternatives = reason, alternatives
        super().__init__(f"booking refused: {reason}")
