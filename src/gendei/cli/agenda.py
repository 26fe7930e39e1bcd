"""`gendei appointments`: what stands in a clinic's agenda."""

import json
import sys
from datetime import timedelta
from typing import Annotated

import typer

from gendei.booking.appointment import Appointment
from gendei.booking.desk import BookingDesk
from gendei.cli.running import run
from gendei.clinic import ClinicId
from gendei.clinics.directory import Directory
from gendei.errors import NotFound
from gendei.settings import Settings
from gendei.store.opening import open_documents

PAST_DAYS = 365


def appointments(
    clinic: Annotated[str, typer.Option(help="The clinic's id.")],
    as_json: Annotated[bool, typer.Option("--json", help="An array of objects, for scripts.")] = False,
) -> None:
    """List every appointment of a clinic from a year ago on, cancelled ones too, in order of start."""
    found = run(_appointments(Settings.load(), ClinicId(clinic)))
    if as_json:
        print(json.dumps([_row(appointment) for appointment in found], ensure_ascii=False, indent=2))
        return
    for appointment in found:
        who = f"{appointment.service_name}, {appointment.professional_name}: {appointment.patient_name}"
        print(f"{appointment.start:%Y-%m-%d %H:%M}  {appointment.status:<20} {who} [{appointment.id}]")
    if not found:
        print("The clinic has no appointments.", file=sys.stderr)


async def _appointments(settings: Settings, clinic_id: ClinicId) -> list[Appointment]:
    documents = await open_documents(settings)
    clock = settings.start_clock()
    try:
        async with Directory(documents, clock) as directory:
            clinic = await directory.get(clinic_id)
            if clinic is None:
                raise NotFound(f"there is no clinic {clinic_id}; `gendei clinics list` shows those there are")
            today = clinic.local(clock()).date()
            last = today + timedelta(days=clinic.booking.horizon_days + 1)
            return await BookingDesk(documents, clock).appointments(clinic, today - timedelta(days=PAST_DAYS), last)
    finally:
        await documents.close()


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
