"""Who was asked for a deposit, at a clinic that takes them to its own key."""

from dataclasses import replace
from datetime import timedelta

from tests.pages.house import BOA_VIDA, SECRET_KEY, House

from gendei.booking.visits import BookingRequest
from gendei.clinic import Contact
from gendei.clinics.deposits import DepositsSection
from gendei.documents import transact
from gendei.payments.money_ledger import asked_for
from gendei.payments.pix_charge import PixCharge, new_charge_id
from gendei.secrets import SecretBox

RULES = {"provider": "manual", "key": "pix@boavida.example", "city": "São Paulo"}


async def asked(house: House, name: str, hour: int, contact: str, days: int = 1) -> PixCharge:
    """An appointment of tomorrow, or in so many days, with a deposit that is to be paid to the clinic's own key."""
    gendei = house.gendei
    clinic = await gendei.directory.get(BOA_VIDA)
    rules = DepositsSection.model_validate(RULES).rules(BOA_VIDA, SecretBox(SECRET_KEY))
    await gendei.directory.import_clinic(replace(clinic, deposits=rules))
    now, service = gendei.clock(), clinic.services[0]
    who = clinic.professionals_for(service.id)[0]
    start = clinic.local(now).replace(hour=hour, minute=0, second=0, microsecond=0) + timedelta(days=days)
    booked = await gendei.desk.book(clinic, Contact(contact), BookingRequest(service.id, who.id, start, name))
    charge = PixCharge(
        id=new_charge_id(),
        clinic_id=BOA_VIDA,
        appointment_id=booked.id,
        contact=booked.contact,
        patient_id=booked.patient_id,
        professional_id=who.id,
        service_id=service.id,
        provider="manual",
        created_at=now,
        pay_until=now + timedelta(minutes=30),
        refund_until=booked.start - timedelta(hours=24),
        agreed="Sinal de R$ 50,00 por PIX, devolvido a quem cancela até 24 horas antes.",
        description="Sinal da consulta",
        entries=asked_for(5000, now, "patient").entries,
    )

    async def attempt(transaction):
        gendei.payments.collector.begin(transaction, charge)

    await transact(gendei.documents, attempt)
    await gendei.payments.work.sweep()
    await gendei.payments.work.idle()
    return charge
