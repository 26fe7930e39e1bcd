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
    """Why there is no slot for what was asked: a day, or hours of it. With several professionals or days, the reason
    that is nearest to a yes, which the first ten are in order of.

    TOO_SOON: something is free, but only within the lead time. FULL: everything is booked or held. OFF_GRID: that time
    is worked, but no slot begins then. TOO_SHORT: it is worked, but not for as long as the service takes.
    PROFESSIONAL_OFF_THEN: the clinic is open at those hours, and who was asked for attends that day, but not then
    (weekly hours, or time off). CLOSED_THEN: the clinic is not open at those hours of the day. PROFESSIONAL_OFF: it
    opens that day, but nobody who was asked for attends (weekly hours, time off, or no range long enough for the
    service). CLOSED: the clinic does not open that day. TOO_FAR: beyond the horizon. PAST: the day, the hours or what
    was left of today are over. NOT_OFFERED: the professional, or everybody, does not do the service.
    """

    TOO_SOON = "too_soon"
    FULL = "full"
    OFF_GRID = "off_grid"
    TOO_SHORT = "too_short"
    PROFESSIONAL_OFF_THEN = "professional_off_then"
    CLOSED_THEN = "closed_then"
    PROFESSIONAL_OFF = "professional_off"
    CLOSED = "closed"
    TOO_FAR = "too_far"
    PAST = "past"
    NOT_OFFERED = "not_offered"


@dataclass(frozen=True, slots=True)
class DaySearch:
    """The answer for one day. `slots` in order of start; `reason` only when there are none."""

    day: date
    slots: tuple[Slot, ...]
    reason: NoSlots | None = None


class GivesWay(StrEnum):
    """What of a wish has to give way to an alternative.

    HOURS: the same day, at other hours (another hour of any day, where no day was asked for). DAY: those hours on
    another day (another day, where no hours were asked for). PROFESSIONAL: just as asked, with somebody else.
    DAY_AND_HOURS: another day, at any hour. ALL: whatever there is, with anybody.
    """

    HOURS = "hours"
    DAY = "day"
    PROFESSIONAL = "professional"
    DAY_AND_HOURS = "day_and_hours"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Alternative:
    """Free slots that fit a wish but for what gives way: in order of start, of HOURS the nearest first."""

    gives_way: GivesWay
    slots: tuple[Slot, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """The answer to a wish. `slots` in order of start. Only when there are none: `reason`; `says_all`, whether it is
    that of every day which was asked for and worked; and `alternatives`, what is nearest to the wish first."""

    slots: tuple[Slot, ...]
    reason: NoSlots | None = None
    says_all: bool = True
    alternatives: tuple[Alternative, ...] = ()


class Refusal(StrEnum):
    """The first nine mean what they mean in NoSlots (`taken` is one time what `full` is for a day), and OFF_GRID too.

    OUTSIDE_HOURS: that day is worked, but not at that time, or not for long enough. OFF_GRID: patients choose
    among the slots; only staff may book between them. TOO_LATE: the appointment has begun, or the clinic's notice
    for cancelling and moving is over. ILLEGAL_MOVE: its status does not allow the change. TOO_MANY: the contact has
    booked as many appointments ahead as the clinic allows. NOT_YET: who comes is there on the appointment's day, not
    before. INVALID_BIRTH_DATE, INVALID_CPF, INVALID_PLAN_CARD, NOT_KEPT: of personal data, which the clinic keeps
    or does not keep.
    PLAN_NOT_TAKEN: the health plan, by the clinic or for this service with this professional.
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
    INVALID_PLAN_CARD = "invalid_plan_card"
    PLAN_NOT_TAKEN = "plan_not_taken"


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
    Refusal.INVALID_PLAN_CARD,
    Refusal.PLAN_NOT_TAKEN,
}
"""The refusals that another time or another professional would mend: these carry alternatives."""
OVERRIDABLE = frozenset({Refusal.TAKEN, Refusal.CLOSED, Refusal.PROFESSIONAL_OFF, Refusal.OUTSIDE_HOURS})
"""The refusals that staff may override: the time is taken or outside of the hours."""


class BookingRefused(GendeiError):
    """The desk refused and changed nothing. `reason` says why; `alternatives` are the nearest free slots."""

    def __init__(self, reason: Refusal, alternatives: tuple[Slot, ...] = ()) -> None:
        self.reason, self.alternatives = reason, alternatives
        super().__init__(f"booking refused: {reason}")
