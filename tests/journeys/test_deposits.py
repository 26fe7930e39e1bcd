"""A deposit by PIX, from "quero marcar" to the proof, or to the time being free again: the patient's phone, the
service and the bank's stand-in, over HTTP."""

from datetime import datetime, timedelta

import pytest
from agents.testing import ScriptedModel, assistant_message
from tests.handing import take_over
from tests.journeys.model import call, hand_off, models_of
from tests.journeys.paying_town import CENTS, PayingTown, paying_town
from tests.journeys.phone import Phone
from tests.journeys.town import AURORA

from gendei.booking.appointment import AppointmentStatus
from gendei.clinic_initiatives import WaitingListPolicy
from gendei.payments.br_code import read_code
from gendei.payments.money_ledger import ChargeState, EntryKind
from gendei.providers.stand_in.pix_bank import BankFault
from gendei.staff.actors import terminal
from gendei.waiting.entry import WaitingWish

AT = "2026-11-24T14:00"


@pytest.fixture
async def paying(tmp_path, monkeypatch):
    async with paying_town(tmp_path, monkeypatch) as opened:
        yield opened


@pytest.fixture
def maria(paying) -> Phone:
    return Phone(paying.town, "+5511999990001", "Maria Silva")


@pytest.fixture
def joao(paying) -> Phone:
    return Phone(paying.town, "+5511999990002", "João Pedro")


async def reserved(paying: PayingTown, phone: Phone) -> str:
    """The code of a root canal that waits for its deposit."""
    await phone.say("quero marcar tratamento de canal amanhã às 14h")
    await phone.tap("Confirmar")
    await paying.idle()
    return phone.texts[-2]


async def test_from_the_wish_to_the_proof(paying, maria):
    asked = await maria.say("quero marcar tratamento de canal amanhã às 14h")
    assert all(said in asked for said in ("sinal de R$ 200,00", "30 minutos", "fica livre de novo", "volta inteiro"))
    await maria.tap("Confirmar")
    await paying.idle()
    told, code, picture = maria.messages[-3:]
    assert ("Reservei" in told.text, "até hoje" in told.text, "confirmad" in told.text.lower()) == (True, True, False)
    assert (read_code(code.text).is_dynamic, picture.payload["type"]) == (True, "image")
    charge = await paying.charge()
    assert (charge.agreed, charge.ledger.asked, charge.state) == (asked, CENTS, ChargeState.OPEN)
    assert await paying.town.agenda_of(maria.number) == [("pending", "canal", AT)]

    assert "ainda não apareceu" in await maria.say("já paguei")
    paying.bank.pay(code.text)
    await paying.after(seconds=21)
    proof = maria.last.text
    assert ("está confirmad" in proof, "R$ 200,00" in proof, "não uma nota fiscal" in proof) == (True, True, True)
    assert await paying.town.agenda_of(maria.number) == [("confirmed", "canal", AT)]
    count = len(maria.messages)
    await paying.after(hours=1)
    assert (len(maria.messages), (await paying.charge()).state) == (count, ChargeState.PAID)


async def test_not_paid_in_time_it_is_taken_back_there_first_and_can_be_tried_again(paying, maria, joao):
    code = await reserved(paying, maria)
    assert "já não tenho vaga" in await joao.say("quero marcar tratamento de canal amanhã às 14h")
    await paying.after(minutes=30)
    assert "ficou livre de novo" in maria.last.text
    assert paying.bank.charges[(await paying.charge()).id].removed
    assert await paying.town.agenda_of(maria.number) == [("cancelled", "canal", AT)]
    asked = await maria.tap("Tentar de novo")
    assert ("sinal de R$ 200,00" in asked, "às 14h" in asked) == (True, True)
    await maria.tap("Confirmar")
    await paying.idle()
    first, second = await paying.charges()
    assert (first.state, second.state) == (ChargeState.EXPIRED, ChargeState.OPEN)
    assert code != second.code == maria.texts[-2]
    paying.bank.pay(second.code)
    assert "O pagamento do sinal de R$ 200,00 caiu" in await maria.say("paguei agora") or "confirmad" in maria.last.text
    await paying.idle()
    assert sorted(state for state, *_ in await paying.town.agenda_of(maria.number)) == ["cancelled", "confirmed"]
    assert await paying.town.agenda_of(joao.number) == []


async def paid_late(paying: PayingTown, code: str) -> None:
    """By a code that the bank still takes, after the time was given back."""
    made = next(each for each in paying.bank.charges.values() if each.code == code)
    made.removed, paying.bank.lenient = False, timedelta(days=1)
    paying.bank.pay(code)
    await paying.after(hours=1, seconds=1)


async def test_paid_late_the_time_is_theirs_again_where_it_is_still_free(paying, maria):
    code = await reserved(paying, maria)
    await paying.after(minutes=30)
    await paid_late(paying, code)
    assert ("ainda estava livre" in maria.last.text, "confirmad" in maria.last.text) == (True, True)
    assert sorted(await paying.town.agenda_of(maria.number)) == [("cancelled", "canal", AT), ("confirmed", "canal", AT)]
    assert ((await paying.charge()).state, paying.bank.balance) == (ChargeState.PAID, CENTS)


async def test_paid_late_for_a_time_that_is_somebody_elses_the_money_goes_back_and_other_times_are_told(
    paying, maria, joao
):
    code = await reserved(paying, maria)
    await paying.after(minutes=30)
    await paid(paying, joao)
    await paid_late(paying, code)
    late, back = maria.texts[-2:]
    assert ("não está livre" in late, "vai voltar inteiro" in late, "Horários livres" in late) == (True, True, True)
    assert "foi devolvido" in back
    assert [state for state, *_ in await paying.town.agenda_of(maria.number)] == ["cancelled"]
    assert [state for state, *_ in await paying.town.agenda_of(joao.number)] == ["confirmed"]
    assert ((await paying.charges())[0].state, paying.bank.balance) == (ChargeState.REFUNDED, CENTS)
    assert maria.name.split()[0] not in " ".join(joao.texts)


async def paid(paying: PayingTown, phone: Phone) -> None:
    paying.bank.pay(await reserved(paying, phone))
    await paying.after(seconds=21)


async def test_cancelled_in_time_it_goes_back_as_was_said_before_the_yes(paying, maria):
    await paid(paying, maria)
    assert "volta inteiro para a conta que pagou" in await maria.say("quero cancelar")
    assert "vai voltar para a conta que pagou" in await maria.tap("Sim, cancelar")
    await paying.after(seconds=1)
    assert "foi devolvido" in maria.last.text
    assert ((await paying.charge()).state, paying.bank.balance) == (ChargeState.REFUNDED, 0)


async def test_cancelled_too_late_it_stays_as_was_said_before_the_yes(paying, maria):
    await paid(paying, maria)
    await paying.after(hours=6)
    asked = await maria.say("quero cancelar")
    assert ("prazo para desmarcar com devolução" in asked, "fica com a clínica" in asked) == (True, True)
    assert "fica com a clínica" in await maria.tap("Sim, cancelar")
    await paying.after(seconds=1)
    charge = await paying.charge()
    assert (charge.state, charge.ledger.kept, paying.bank.balance) == (ChargeState.KEPT, CENTS, CENTS)
    assert charge.entries[-1].cause == "patient"


async def test_who_gives_up_before_paying_owes_nothing_and_what_they_pay_all_the_same_goes_back(paying, maria):
    code = await reserved(paying, maria)
    await maria.say("não quero mais, cancela")
    await maria.tap("Sim, cancelar")
    paying.bank.pay(code)
    await paying.after(seconds=1)
    await paying.after(seconds=1)
    assert ((await paying.charge()).state, paying.bank.balance) == (ChargeState.REFUNDED, 0)
    assert await paying.town.agenda_of(maria.number) == [("cancelled", "canal", AT)]


async def test_while_the_bank_is_down_the_patient_reads_that_the_code_comes(paying, maria):
    paying.bank.faults.extend([BankFault.DOWN] * 3)
    await maria.say("quero marcar tratamento de canal amanhã às 14h")
    assert "O código PIX vai na próxima mensagem" in await maria.tap("Confirmar")
    await paying.idle()
    assert "ainda está sendo gerado" in await maria.say("qual o código pix?")
    paying.bank.faults.clear()
    await paying.after(minutes=1)
    assert read_code(maria.texts[-2]).is_dynamic


async def test_a_screenshot_is_no_proof_and_the_code_can_be_had_again(paying, maria):
    code = await reserved(paying, maria)
    picture = {"type": "image", "image": {"id": paying.town.graph.share(b"\xff\xd8\xff", "image/jpeg")}}
    assert await paying.town.post(paying.town.maker().message(maria.number, picture)) == 200
    await paying.idle()
    assert "Um comprovante não basta" in maria.last.text
    assert await paying.town.agenda_of(maria.number) == [("pending", "canal", AT)]
    await maria.tap("Ver código PIX")
    assert maria.last.text == code
    assert "até hoje" in await maria.say("quanto tempo tenho pra pagar?")


async def test_an_outsider_can_neither_look_at_nor_pay_off_a_deposit_of_another(paying, maria, joao):
    await reserved(paying, maria)
    charge = await paying.charge()
    for tap in (f"deposit_look|{charge.id}", f"deposit_code|{charge.id}", f"deposit_again|{charge.appointment_id}"):
        told = await joao.forge(tap)
        assert not any(secret in told for secret in (charge.code, "R$ 200,00", "Maria"))
    assert "nenhum sinal" in await joao.forge(f"deposit_look|{charge.id}")
    assert [entry.kind for entry in (await paying.charge()).entries] == [EntryKind.ASKED]


async def test_where_the_account_may_the_chat_shows_a_payment_and_then_that_it_was_paid(tmp_path, monkeypatch):
    async with paying_town(tmp_path, monkeypatch, takes_orders=True) as paying:
        maria = Phone(paying.town, "+5511999990001", "Maria Silva")
        await reserved(paying, maria)
        shown = next(each.order for each in maria.messages if each.order)
        code = shown["payment_settings"][0]["pix_dynamic_code"]["code"]
        assert (shown["total_amount"], read_code(code).is_dynamic) == ({"value": CENTS, "offset": 100}, True)
        paying.bank.pay(code)
        await paying.after(seconds=21)
        status = maria.last.order
        assert status is not None
        assert (status["reference_id"], status["order"]) == (shown["reference_id"], {"status": "completed"})

        paying.town.graph.takes_orders = False
        joao = Phone(paying.town, "+5511999990002", "João Pedro")
        await joao.say("quero marcar tratamento de canal amanhã às 15h")
        await joao.tap("Confirmar")
        await paying.idle()
        assert (read_code(joao.texts[-2]).is_dynamic, [each for each in joao.messages if each.order]) == (True, [])


async def test_while_a_person_has_the_conversation_the_money_counts_and_staff_are_asked_to_tell(paying, maria):
    code = await reserved(paying, maria)
    await take_over(paying.town.gendei.messaging.handover, AURORA, maria.number, "Rosa", "")
    count = len(maria.messages)
    paying.bank.pay(code)
    await paying.after(seconds=21)
    assert (await paying.town.agenda_of(maria.number), len(maria.messages)) == ([("confirmed", "canal", AT)], count)
    told = [task["description"] for task in await paying.town.stored(f"gendei_clinics/{AURORA}/tasks")]
    assert [text for text in told if "avisar que o sinal caiu" in text] != []


async def test_a_model_books_only_with_the_terms_read_and_cannot_say_that_money_came(tmp_path, monkeypatch):
    slot = {"service_id": "canal", "professional_id": "caio", "date": "2026-11-24", "time": "14:00"}
    search = call("get_available_slots", service_id="canal", date="amanhã", professional_id=None)
    asked = [assistant_message("Posso marcar o canal com o Dr. Caio amanhã, terça, 24/11, às 14h?")]
    booking = call("create_appointment", **slot, patient_name="Maria Silva")
    lies = [assistant_message("Pagamento recebido! Sua consulta está confirmada.")]
    model = ScriptedModel([hand_off("sales_closer"), search, call("hold_slot", **slot), asked, booking, lies])
    async with paying_town(tmp_path, monkeypatch, models=models_of(model)) as paying:
        maria = Phone(paying.town, "+5511999990001", "Maria Silva")
        read = await maria.say("quero um canal amanhã às 14h com o Caio, pode marcar")
        assert ("Posso marcar o canal" in read, "sinal de R$ 200,00" in read) == (True, True)
        await maria.say("sim, amanhã às 14h")
        await paying.idle()
        assert ((await paying.charge()).agreed, maria.texts[-3][:10]) == (read, "⏳ Reservei")
        await maria.say("mandei a grana pra vocês agorinha, tudo certo?")
        await paying.idle()
        assert not any("recebid" in text or "confirmad" in text for text in maria.texts if "Reservei" not in text), (
            maria.texts
        )
        assert await paying.town.agenda_of(maria.number) == [("pending", "canal", AT)]


async def test_who_did_not_come_is_asked_for_a_deposit_where_the_service_has_none(tmp_path, monkeypatch):
    rules = {"after_no_shows": 1, "no_show_deposit_cents": 3000}
    async with paying_town(tmp_path, monkeypatch, rules=rules) as paying:
        maria = Phone(paying.town, "+5511999990001", "Maria Silva")
        joao = Phone(paying.town, "+5511999990002", "João Pedro")
        missed = await paying.town.book(maria.number, maria.name, "2026-11-23T14:00")
        desk, clinic = paying.town.gendei.desk, await paying.town.clinic()
        await desk.set_status(clinic, missed.id, AppointmentStatus.NO_SHOW)
        assert "sinal de R$ 30,00" in await maria.say("quero marcar limpeza amanhã às 15h")
        await maria.tap("Confirmar")
        await paying.idle()
        assert (await paying.charge()).ledger.asked == 3000
        assert "sinal" not in await joao.say("quero marcar limpeza amanhã às 16h")


async def test_a_time_that_the_waiting_list_offered_is_reserved_with_its_terms(tmp_path, monkeypatch):
    async with paying_town(tmp_path, monkeypatch, waiting_list=WaitingListPolicy()) as paying:
        maria = Phone(paying.town, "+5511999990001", "Maria Silva")
        joao = Phone(paying.town, "+5511999990002", "João Pedro")
        await maria.say("oi")
        await reserved(paying, joao)
        day = datetime.fromisoformat(AT).date()
        wish, whom = WaitingWish("canal", day, day), terminal(AURORA)
        await paying.town.gendei.agenda_desk.waiting.add(whom, wish, "Maria Silva", maria.number)
        await paying.after(minutes=30)
        await paying.town.gendei.refilling.sweep()
        await paying.town.gendei.refilling.idle()
        await paying.idle()
        await maria.tap("Sim, quero esse")
        await paying.idle()
        told = next(text for text in maria.texts if "Reservei" in text)
        assert ("sinal de R$ 200,00" in told, "volta inteiro" in told) == (True, True)
        assert await paying.town.agenda_of(maria.number) == [("pending", "canal", AT)]
        assert (await paying.charge()).agreed in told
