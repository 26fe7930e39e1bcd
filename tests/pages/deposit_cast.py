"""Who was asked for a deposit, at a clinic that takes them to its own key."""

from dataclasses import replace
from datetime import timedelta

from tests.pages.house import BOA_VIDA, SECRET_KEY, House

from gendei.booking.deposits import DepositTerms
from gendei.booking.visits import BookingRequest
from gendei.clinic import Contact
from gendei.clinics.deposits import DepositsSection
from gendei.payments.pix_charge import PixCharge
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
    agreed = "Sinal de R$ 50,00 por PIX, devolvido a quem cancela até 24 horas antes."
    terms = DepositTerms("manual", 5000, timedelta(minutes=30), timedelta(hours=24), agreed, "Sinal da consulta")
    request = BookingRequest(service.id, who.id, start, name, deposit=terms)
    booked = await gendei.desk.book(clinic, Contact(contact), request)
    await gendei.payments.work.sweep()
    await gendei.payments.work.idle()
    return await gendei.payments.collector.charge(BOA_VIDA, booked.charge_id)
