"""`gendei appointments`: what stands in a clinic's agenda."""

from datetime import timedelta

from gendei.booking.appointment import Appointment
from gendei.booking.desk import BookingDesk
from gendei.cli.stored import AsJson, ClinicOption, Stored, in_store, print_list

PAST_DAYS = 365


def appointments(clinic: ClinicOption, as_json: AsJson = False) -> None:
    """List every appointment of a clinic from a year ago on, cancelled ones too, in order of start."""
    row = _row if as_json else None
    print_list(_appointments(clinic), _line, "The clinic has no appointments.", aside=True, row=row)


def _line(appointment: Appointment) -> str:
    who = f"{appointment.service_name}, {appointment.professional_name}: {appointment.patient_name}"
    return f"{appointment.start:%Y-%m-%d %H:%M}  {appointment.status:<20} {who} [{appointment.id}]"


@in_store
async def _appointments(stored: Stored, clinic_id: str) -> list[Appointment]:
    clinic = await stored.clinic(clinic_id)
    today = clinic.local(stored.clock()).date()
    last = today + timedelta(days=clinic.booking.horizon_days + 1)
    desk = BookingDesk(stored.documents, stored.clock)
    return await desk.appointments(clinic, today - timedelta(days=PAST_DAYS), last)


def _row(appointment: Appointment) -> dict[str, str | None]:
    return {
        "id": appointment.id,
        "status": str(appointment.status),
        "serviceId": appointment.service_id,
        "professionalId": appointment.professional_id,
        "patientPhone": appointment.patient_phone,
        "patientName": appointment.patient_name,
        "start": appointment.start.isoformat(),
        "end": appointment.end.isoformat(),
    }
