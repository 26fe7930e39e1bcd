"""The real service with two clinics that take deposits at one stand-in bank, by each of its faces and by hand."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from secrets import token_hex

import httpx
from tests.journeys.town import AURORA, NOW, SAO_PAULO, SECRET_KEY, clinics, settings_for

from gendei.app import Gendei, open_gendei
from gendei.booking.appointment import APPOINTMENT, Appointment, AppointmentStatus, StatusChange
from gendei.clinic import ClinicId, Contact
from gendei.clinics.deposits import DepositsSection
from gendei.clock import MovableClock, clock_from
from gendei.documents import transact
from gendei.payments.money_ledger import asked_for
from gendei.payments.pix_charge import PixCharge, new_charge_id
from gendei.providers.stand_in.local_server import serve
from gendei.providers.stand_in.pix_bank import PixBank
from gendei.providers.stand_in.pix_faces import (
    ACCESS_TOKEN,
    CLIENT_ID,
    CLIENT_SECRET,
    WEBHOOK_SECRET,
    MercadoPagoFace,
    PixApiFace,
)
from gendei.secrets import SecretBox
from gendei.web.app import app_for

CENTS = 5000
KEY = "pix@clinica.example"
MARIA = Contact("+5511999990001")


@dataclass
class PayingClinics:
    """bank: where all of them are paid. client: asks the service over HTTP, as anybody may."""

    gendei: Gendei
    bank: PixBank
    clock: MovableClock
    client: httpx.AsyncClient

    async def ask(
        self,
        provider: str = "pix_api",
        clinic: ClinicId = AURORA,
        *,
        minutes: int = 30,
        cents: int = CENTS,
        **more: str,
    ) -> PixCharge:
        """A charge that was begun, and that nobody has looked at."""
        now = self.clock()
        charge = PixCharge(
            id=new_charge_id(),
            clinic_id=clinic,
            appointment_id=token_hex(6),
            contact=MARIA,
            patient_id="maria",
            professional_id="paula",
            service_id="limpeza",
            provider=provider,
            created_at=now,
            pay_until=now + timedelta(minutes=minutes),
            refund_until=now + timedelta(days=1),
            agreed="Sinal de R$ 50,00, devolvido até 24 h antes.",
            description="Sinal da consulta",
            entries=asked_for(cents, now, "patient").entries,
        )
        charge = replace(charge, **more)
        appointment = waiting_for(charge, now)

        async def attempt(transaction):
            path = f"gendei_clinics/{clinic}/appointments/{charge.appointment_id}"
            transaction.put(path, APPOINTMENT.write(appointment))
            self.gendei.payments.collector.begin(transaction, charge)

        await transact(self.gendei.documents, attempt)
        return charge

    async def work(self) -> None:
        """All that is due now."""
        await self.gendei.payments.work.sweep()
        await self.gendei.payments.work.idle()

    async def after(self, **time: float) -> None:
        self.clock.move_to(self.clock() + timedelta(**time))
        await self.work()

    async def shown(self, provider: str = "pix_api", clinic: ClinicId = AURORA) -> PixCharge:
        charge = await self.ask(provider, clinic)
        await self.work()
        return await self.stands(charge)

    async def paid(self, provider: str = "pix_api", clinic: ClinicId = AURORA) -> PixCharge:
        charge = await self.shown(provider, clinic)
        self.bank.pay(charge.code)
        await self.after(seconds=20)
        return await self.stands(charge)

    async def stands(self, charge: PixCharge) -> PixCharge:
        return await self.gendei.payments.collector.charge(charge.clinic_id, charge.id)


def waiting_for(charge: PixCharge, now: datetime) -> Appointment:
    """The appointment that waits for the charge."""
    local = now.astimezone(SAO_PAULO)
    start = local + timedelta(days=3)
    return Appointment(
        id=charge.appointment_id,
        clinic_id=charge.clinic_id,
        service_id=charge.service_id,
        service_name="Limpeza",
        professional_id=charge.professional_id,
        professional_name="Dra. Paula Lins",
        patient_id=charge.patient_id,
        patient_name="Maria Silva",
        contact=charge.contact,
        patient_phone=str(charge.contact),
        start=start,
        end=start + timedelta(hours=1),
        status=AppointmentStatus.PENDING,
        price_cents=18000,
        deposit_cents=charge.ledger.asked,
        created_at=local,
        updated_at=local,
        channel="whatsapp",
        history=(StatusChange(AppointmentStatus.PENDING, local, "patient"),),
        charge_id=charge.id,
    )


def sections(bank_url: str) -> Mapping[str, object]:
    """What a clinic's file says that has all kinds of account."""
    return {
        "provider": "pix_api",
        "key": KEY,
        "city": "Campinas",
        "pix_api": {"base_url": bank_url, "client_id": CLIENT_ID, "client_secret": CLIENT_SECRET},
        "mercado_pago": {"access_token": ACCESS_TOKEN, "webhook_secret": WEBHOOK_SECRET, "payer_email": KEY},
    }


@asynccontextmanager
async def paying_clinics(folder: Path, **settings: object) -> AsyncIterator[PayingClinics]:
    clock = MovableClock(clock_from(NOW))
    bank, box = PixBank(clock), SecretBox(SECRET_KEY)
    async with serve(PixApiFace(bank).app) as at_bank, serve(MercadoPagoFace(bank).app) as at_mercado_pago:
        known = settings_for(folder, "http://127.0.0.1:9", mercado_pago_url=at_mercado_pago, **settings)
        known = known.model_copy(update={"database": "sqlite:///:memory:"})
        async with open_gendei(known, clock=clock, seeks=False) as gendei:
            for clinic in clinics():
                rules = DepositsSection.model_validate(sections(at_bank)).rules(clinic.id, box)
                await gendei.directory.import_clinic(replace(clinic, deposits=rules))
            transport = httpx.ASGITransport(app_for(gendei), raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
                yield PayingClinics(gendei, bank, clock, client)
