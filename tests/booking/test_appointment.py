"""The states of an appointment and the moves between them."""

from datetime import UTC, datetime
from itertools import product

import pytest
from tests.booking.builders import MARIA, MONDAY, SAO_PAULO, at

from gendei.booking.appointment import APPOINTMENT, Appointment, AppointmentStatus, IllegalMove, StatusChange
from gendei.booking.slots import Refusal
from gendei.clinic import ClinicId
from gendei.errors import NaiveTime

S = AppointmentStatus
LEGAL = {
    (S.PENDING, S.AWAITING_CONFIRMATION),
    (S.PENDING, S.CONFIRMED),
    (S.PENDING, S.CANCELLED),
    (S.AWAITING_CONFIRMATION, S.CONFIRMED),
    (S.AWAITING_CONFIRMATION, S.CANCELLED),
    (S.AWAITING_CONFIRMATION, S.NO_SHOW),
    (S.CONFIRMED, S.CONFIRMED_PRESENCE),
    (S.CONFIRMED, S.CANCELLED),
    (S.CONFIRMED, S.NO_SHOW),
    (S.CONFIRMED_PRESENCE, S.COMPLETED),
    (S.CONFIRMED_PRESENCE, S.NO_SHOW),
}


def appointment(status: AppointmentStatus = S.PENDING, start: datetime | None = None) -> Appointment:
    return Appointment(
        id="0123456789ab",
        clinic_id=ClinicId("boa-vida"),
        service_id="consulta",
        service_name="Consulta Geral",
        professional_id="ana",
        professional_name="Dra. Ana Souza",
        patient_id="p1",
        patient_name="Maria Silva",
        contact=MARIA,
        patient_phone=MARIA,
        start=start or at(2, "09:00"),
        end=at(2, "09:30"),
        status=status,
        price_cents=25000,
        deposit_cents=5000,
        created_at=MONDAY,
        updated_at=MONDAY,
        channel="whatsapp",
    )


@pytest.mark.parametrize(("before", "after"), sorted(LEGAL))
def test_a_legal_move_is_made_and_remembered(before: AppointmentStatus, after: AppointmentStatus):
    moved = appointment(before).with_status(after, MONDAY, "patient")
    assert (moved.status, moved.history) == (after, (StatusChange(after, MONDAY, "patient"),))


@pytest.mark.parametrize(("before", "after"), sorted(set(product(S, S)) - LEGAL))
def test_any_other_move_is_illegal(before: AppointmentStatus, after: AppointmentStatus):
    with pytest.raises(IllegalMove) as refused:
        appointment(before).with_status(after, MONDAY, "staff")
    assert (refused.value.before, refused.value.after, refused.value.reason) == (before, after, Refusal.ILLEGAL_MOVE)


@pytest.mark.parametrize("before", [S.CONFIRMED_PRESENCE, S.COMPLETED, S.NO_SHOW])
def test_what_staff_marked_by_mistake_becomes_confirmed_again(before: AppointmentStatus):
    corrected = appointment(before).with_status(S.CONFIRMED, MONDAY, "Bia", correcting=True)
    assert (corrected.status, corrected.history) == (S.CONFIRMED, (StatusChange(S.CONFIRMED, MONDAY, "Bia"),))


CORRECTED = {(S.CONFIRMED_PRESENCE, S.CONFIRMED), (S.COMPLETED, S.CONFIRMED), (S.NO_SHOW, S.CONFIRMED)}


@pytest.mark.parametrize(("before", "after"), sorted(set(product(S, S)) - LEGAL - CORRECTED))
def test_a_correction_makes_no_other_move_legal(before: AppointmentStatus, after: AppointmentStatus):
    with pytest.raises(IllegalMove):
        appointment(before).with_status(after, MONDAY, "Bia", correcting=True)


def test_only_cancelling_and_not_showing_up_give_the_time_back():
    assert {status for status in S if not status.takes_time} == {S.CANCELLED, S.NO_SHOW}


def test_final_states_are_not_live():
    assert {status for status in S if not status.live} == {S.COMPLETED, S.CANCELLED, S.NO_SHOW}


def test_an_appointment_comes_back_from_its_document_in_the_clinics_zone():
    kept = appointment().with_status(S.CONFIRMED, MONDAY, "patient").with_status(S.CANCELLED, MONDAY, "staff", "gripe")
    document = {
        key: value.astimezone(UTC) if isinstance(value, datetime) else value
        for key, value in APPOINTMENT.write(kept).items()
    }
    loaded = APPOINTMENT.read(document, zone=SAO_PAULO)
    assert (loaded, loaded.start.tzinfo) == (kept, SAO_PAULO)


def test_an_appointment_without_a_zone_is_never_born():
    with pytest.raises(NaiveTime):
        appointment(start=at(2, "09:00").replace(tzinfo=None))


def test_an_appointment_begins_before_it_ends():
    with pytest.raises(ValueError, match="must begin before it ends"):
        appointment(start=at(2, "09:30"))
