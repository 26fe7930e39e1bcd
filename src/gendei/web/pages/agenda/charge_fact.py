"""The deposit on an appointment's sheet."""

from nicegui import ui

from gendei.booking.appointment import Appointment
from gendei.clinic import money
from gendei.payments.pix_charge import PixCharge
from gendei.staff.payments.payment_office import PaymentOffice
from gendei.web.pages.acting import Acting, Problem
from gendei.web.pages.agenda.sheet import fact
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.payments.deeds import state_word

TEXTS = page_texts("payments")


def show_charge(acting: Acting, shown: Appointment) -> None:
    """Tell amount and state, as soon as they are read; nothing where no deposit was asked for by PIX."""
    if acting.clinic.deposits is None and not shown.deposit_cents:
        return
    place = ui.element("div").classes("a-charge")

    async def fill() -> None:
        desks = acting.gendei.desks
        office = PaymentOffice(desks.documents, desks.clinics, desks.collector, desks.clinic_changes)
        found = await acting.attempt(lambda actor: office.of_appointment(actor, shown.id))
        if isinstance(found, Problem) or place.is_deleted:
            return
        with place:
            for charge in found:
                fact(TEXTS["deposit"], _told(acting, charge))

    ui.timer(0, fill, once=True)


def _told(acting: Acting, charge: PixCharge) -> str:
    until = f"{acting.clinic.local(charge.pay_until):%d/%m %H:%M}"
    more = TEXTS("until", at=until) if charge.ledger.is_asking else ""
    return ", ".join(filter(None, (money(charge.ledger.asked), state_word(charge).lower(), more)))
