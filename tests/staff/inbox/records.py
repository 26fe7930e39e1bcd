"""Patients and appointments as they stand in the store, without a desk."""

from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from tests.conversation.cast import BOA_VIDA, MARIA, World

from gendei.booking.appointment import APPOINTMENT, Appointment, AppointmentStatus
from gendei.booking.patients import clean_name, patient_id, phone_of, record_patient
from gendei.clinic import ClinicId, Contact
from gendei.documents import Transaction, put, transact


async def patient(
    world: World, name: str, contact: Contact = MARIA, clinic_id: ClinicId = BOA_VIDA, phone: str | None = None
) -> str:
    """A patient's id."""

    async def attempt(transaction: Transaction) -> str:
        clean, number = clean_name(name), phone_of(contact, phone)
        return await record_patient(transaction, clinic_id, contact, clean, number, world.clock())

    return await transact(world.documents, attempt)


async def booked(
    world: World,
    name: str,
    start: datetime,
    status: AppointmentStatus = AppointmentStatus.CONFIRMED,
    clinic_id: ClinicId = BOA_VIDA,
    contact: Contact = MARIA,
    **fields: Any,
) -> str:
    """An appointment's id."""
    name_of_it = sha256(f"{clinic_id}{name}{start}".encode()).hexdigest()[:12]
    created = fields.pop("created_at", start - timedelta(days=1))
    known: dict[str, Any] = {"service_name": "Consulta", "channel": "meta"} | fields
    appointment = Appointment(
        id=name_of_it,
        clinic_id=clinic_id,
        service_id=known["service_name"].lower(),
        professional_id="ana",
        professional_name="Dra. Ana",
        patient_id=patient_id(contact, name),
        patient_name=name,
        contact=contact,
        patient_phone=contact,
        start=start,
        end=start + timedelta(minutes=30),
        status=status,
        price_cents=None,
        deposit_cents=0,
        created_at=created,
        updated_at=created,
        **known,
    )
    path = f"gendei_clinics/{clinic_id}/appointments/{appointment.id}"
    await world.documents.commit([put(path, APPOINTMENT.write(appointment))])
    return name_of_it
