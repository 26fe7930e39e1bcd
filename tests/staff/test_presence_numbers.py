"""Confirmations, no-shows and late cancellations of a month: pure functions on appointments."""

from dataclasses import replace
from datetime import date, timedelta

from tests.booking.builders import at, make_clinic
from tests.staff.test_professional_numbers import visit

from gendei.booking.appointment import BY_PATIENT, Appointment, AppointmentStatus, StatusChange
from gendei.staff.day_numbers import Totals
from gendei.staff.numbers import Numbers
from gendei.staff.presence_numbers import PresenceBy, PresenceNumbers, presence
from gendei.staff.refill_numbers import RefillNumbers
from gendei.web.pages.numbers_tables import as_csv
from gendei.web.pages.numbers_tables import presence as table

NO_SHOW, CANCELLED, PRESENT = (
    AppointmentStatus.NO_SHOW,
    AppointmentStatus.CANCELLED,
    AppointmentStatus.CONFIRMED_PRESENCE,
)
NOW = at(2, "12:00")


def after(appointment: Appointment, status: AppointmentStatus, hours_before: float, *, moved: bool = False):
    """The appointment with one more line of its history, of so long before its start."""
    start = appointment.start
    line = StatusChange(
        status, start - timedelta(hours=hours_before), BY_PATIENT, start - timedelta(days=1) if moved else None
    )
    return replace(appointment, history=(*appointment.history, line))


MONTH = [
    after(visit("08:00", AppointmentStatus.COMPLETED), PRESENT, 20),
    after(visit("09:00", AppointmentStatus.COMPLETED), PRESENT, 0.1),
    after(after(visit("10:00", NO_SHOW, who="bruno"), PRESENT, 30), AppointmentStatus.CONFIRMED, 20, moved=True),
    after(visit("10:30", CANCELLED), CANCELLED, 23),
    after(visit("11:00", CANCELLED), CANCELLED, 25),
    visit("16:00"),
]
"""Confirmed in time; marked as arrived; confirmed before it was moved, and missed; two cancelled; and one ahead."""


def figures(by: PresenceBy) -> dict[str, tuple[int, ...]]:
    return {
        each.name: (each.booked, each.confirmed, each.missed, each.cancelled, each.late)
        for each in presence(make_clinic(), MONTH, NOW)
        if each.by is by
    }


def test_what_began_is_counted_by_each_of_its_sides():
    assert figures(PresenceBy.ALL) == {"": (5, 1, 1, 2, 1)}
    assert figures(PresenceBy.PROFESSIONAL) == {"Dra. Ana Souza": (4, 1, 0, 2, 1), "Dr. Bruno Lima": (1, 0, 1, 0, 0)}
    assert figures(PresenceBy.WEEKDAY) == {"mon": (5, 1, 1, 2, 1)}
    assert figures(PresenceBy.HOUR) == {
        "08": (1, 1, 0, 0, 0),
        "09": (1, 0, 0, 0, 0),
        "10": (2, 0, 1, 1, 1),
        "11": (1, 0, 0, 1, 0),
    }


def test_rates_are_shares_of_those_who_could():
    [whole] = [each for each in presence(make_clinic(), MONTH, NOW) if each.by is PresenceBy.ALL]
    nothing = PresenceNumbers(PresenceBy.ALL, "", 0, 0, 0, 0, 0)
    assert (whole.confirmation, whole.no_show, whole.late_cancel) == (1 / 5, 1 / 3, 1 / 5)
    assert (nothing.confirmation, nothing.no_show, nothing.late_cancel) == (None, None, None)


def test_a_table_has_a_line_for_each_and_reads_as_a_file():
    month = date(2026, 3, 1)
    numbers = Numbers(
        month, None, Totals.of([]), (), (), (), True, RefillNumbers(), presence(make_clinic(), MONTH, NOW)
    )
    assert as_csv(table(numbers, PresenceBy.WEEKDAY)).lstrip("\ufeff").splitlines() == [
        "Dia da semana;Horários;Confirmaram (%);Faltaram (%);Cancelaram tarde (%)",
        "segunda;5;20,0;33,3;20,0",
    ]
