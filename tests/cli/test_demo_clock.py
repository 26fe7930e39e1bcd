"""The demo's clock, put forward: a reminder, a refill and a survey come at their time, on the patients' own phones."""

from datetime import datetime, timedelta
from pathlib import Path

from tests.cli.test_demo_day import settings_in

from gendei.booking.visits import BookingRequest
from gendei.cli.data import read_clinics, store_clinics
from gendei.cli.demo_bank import beside_bank
from gendei.cli.stand_in import beside_stand_in
from gendei.clinic import Contact
from gendei.clock import MovableClock, clock_from
from gendei.datafile import data_dir
from gendei.staff.actors import terminal
from gendei.waiting.entry import WaitingWish
from gendei.web.app import app_for
from gendei.web.pages.demo import PATIENTS, open_demo

TUESDAY = datetime.fromisoformat("2026-11-24T09:00:00-03:00")


async def test_a_reminder_a_refill_and_a_survey_come_as_the_clock_is_put_forward(tmp_path: Path) -> None:
    settings = settings_in(tmp_path, TUESDAY).model_copy(update={"quiet_seconds": 0})
    files = [data_dir("clinics") / "boa-vida.yaml"]
    [clinic] = read_clinics(settings, files, {"META_TOKEN": "token"})
    await store_clinics(settings, (clinic,))
    clock = MovableClock(clock_from(TUESDAY))
    async with beside_stand_in(settings, clock) as (graph, gendei), open_demo(gendei, graph, clock) as demo:
        demo.post_to = app_for(gendei)
        maria, joao = (demo.handset(clinic, patient) for patient in PATIENTS[:2])
        for phone in (maria, joao):
            await phone.write("oi")
        await gendei.messaging.idle()
        visit = BookingRequest("consulta", "ana", TUESDAY + timedelta(hours=2, minutes=30), PATIENTS[0].name)
        later = BookingRequest("consulta", "ana", TUESDAY + timedelta(days=1, hours=6), PATIENTS[0].name)
        booked = [await gendei.desk.book(clinic, Contact(maria.phone), request) for request in (visit, later)]
        day = later.start.date()
        wish = WaitingWish("consulta", day, day)
        await gendei.agenda_desk.waiting.add(terminal(clinic.id), wish, PATIENTS[1].name, joao.phone)

        assert await demo.put_forward(TUESDAY + timedelta(hours=6, minutes=5))
        await gendei.messaging.idle()
        read = [sent.text for sent in maria.messages]
        await gendei.desk.cancel(clinic, None, booked[1].id)
        assert await demo.put_forward(TUESDAY + timedelta(hours=6, minutes=20))
        await gendei.messaging.idle()

        assert any("Lembrete" in text or "Aqui é da" in text for text in read)
        assert any("Como foi o seu atendimento" in text for text in read)
        assert any("Surgiu um horário" in sent.text for sent in joao.messages)
        assert not await demo.put_forward(TUESDAY)


async def test_a_deposit_is_paid_on_the_phone_and_the_bank_is_known_again_after_a_restart(tmp_path: Path) -> None:
    settings = settings_in(tmp_path, TUESDAY).model_copy(update={"quiet_seconds": 0})
    [clinic] = read_clinics(settings, [data_dir("clinics") / "sorriso.yaml"], {"META_TOKEN": "token"})
    await store_clinics(settings, (clinic,))
    clock = MovableClock(clock_from(TUESDAY))
    async with (
        beside_stand_in(settings, clock) as (graph, gendei),
        beside_bank(gendei, clock) as bank,
        open_demo(gendei, graph, clock, bank=bank) as demo,
    ):
        demo.post_to = app_for(gendei)
        maria = demo.handset(demo.clinic("sorriso"), PATIENTS[0])
        await maria.write("quero marcar restauração amanhã de manhã")
        await gendei.messaging.idle()
        await maria.tap(*maria.messages[-1].options[0], in_list=False)
        await gendei.messaging.idle()
        await maria.tap(*maria.messages[-1].options[0], in_list=False)
        await gendei.messaging.idle()
        await gendei.payments.work.idle()
        await gendei.messaging.idle()
        [code] = [sent.text for sent in maria.messages if demo.payable(sent.text)]
        assert await demo.pay(clinic, code)
        await gendei.payments.work.idle()
        await gendei.messaging.idle()
        assert (demo.payable(code), "recebido por PIX" in maria.messages[-1].text) == (0, True)
        assert not await demo.pay(clinic, code)
    await store_clinics(settings, (clinic,))
    async with beside_stand_in(settings, clock) as (_, gendei), beside_bank(gendei, clock) as known:
        assert (known.balance, [made.code for made in known.charges.values()]) == (bank.balance, [code])
