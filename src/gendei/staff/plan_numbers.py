"""What a month was by health plan: visits, and their value where there is a price."""

from collections.abc import Iterable
from dataclasses import dataclass

from gendei.booking.appointment import Appointment, AppointmentStatus


@dataclass(frozen=True, slots=True)
class PlanNumbers:
    """Of the appointments that begin in the month. `plan`: as appointments have it. Money is centavos: `value_cents` is
    what the patients pay; `without_price` of the appointments have none, such as those that a plan covers."""

    plan: str
    booked: int
    came: int
    missed: int
    cancelled: int
    value_cents: int
    without_price: int


def by_plan(appointments: Iterable[Appointment]) -> tuple[PlanNumbers, ...]:
    """The most booked plan first; nothing where no appointment has one."""
    whose: dict[str, list[Appointment]] = {}
    for appointment in appointments:
        whose.setdefault(appointment.plan, []).append(appointment)
    counted = [_numbers(plan, found) for plan, found in whose.items()] if any(whose) else []
    return tuple(sorted(counted, key=lambda numbers: (-numbers.booked, numbers.plan)))


def _numbers(plan: str, appointments: list[Appointment]) -> PlanNumbers:
    statuses = [appointment.status for appointment in appointments]
    prices = [appointment.price_cents for appointment in appointments if appointment.price_cents is not None]
    return PlanNumbers(
        plan=plan,
        booked=len(appointments),
        came=statuses.count(AppointmentStatus.COMPLETED),
        missed=statuses.count(AppointmentStatus.NO_SHOW),
        cancelled=statuses.count(AppointmentStatus.CANCELLED),
        value_cents=sum(prices),
        without_price=len(appointments) - len(prices),
    )
