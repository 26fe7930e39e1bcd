"""Why the desk did not do what it was asked, as values that the receptionist turns into sentences."""

from enum import StrEnum

from gendei.booking.slots import Slot
from gendei.errors import GendeiError


class Refusal(StrEnum):
    """The first nine mean what they mean in NoSlots (`taken` is one time what `full` is for a day).

    OUTSIDE_HOURS: that day is worked, but not at that time, or not for long enough. OFF_GRID: patients choose
    among the slots; only staff may book between them. TOO_LATE: the appointment has begun, or the clinic's notice
    for cancelling and moving is over. ILLEGAL_MOVE: its status does not allow the change. TOO_MANY: the contact has
    booked as many appointments ahead as the clinic allows.
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


ABOUT_THE_TIME = frozenset(Refusal) - {
    Refusal.UNKNOWN_SERVICE,
    Refusal.TOO_LATE,
    Refusal.INVALID_NAME,
    Refusal.INVALID_PHONE,
    Refusal.ILLEGAL_MOVE,
    Refusal.TOO_MANY,
}
"""The refusals that another time or another professional would mend: these carry alternatives."""


class BookingRefused(GendeiError):
    """The desk refused and changed nothing. `reason` says why; `alternatives` are the nearest free slots."""

    def __init__(self, reason: Refusal, alternatives: tuple[Slot, ...] = ()) -> None:
        self.reason, self.alternatives = reason, alternatives
        super().__init__(f"booking refused: {reason}")
