"""Whole journeys with the store on Firestore (Google's emulator). GENDEI_TEST_STORE=firestore runs the others there."""

import json

import pytest
from tests.handing import hand_back, send_as_person
from tests.journeys.phone import Phone
from tests.journeys.processes import run_gendei

pytestmark = pytest.mark.usefixtures("on_firestore")


async def test_a_booking_from_the_first_word_to_what_the_operator_sees(town, maria, joao, tmp_path):
    await maria.say("oi")
    await maria.tap("Marcar horário")
    await maria.tap("Limpeza")
    await maria.tap("ter 24/11 14h")
    told = await maria.tap("Confirmar")
    nothing = await joao.say("quais são os meus horários?")
    listed = await run_gendei(tmp_path, "appointments", "--clinic", "aurora", "--json")
    mine = [item for item in json.loads(listed.out) if item["patientPhone"] == maria.number]
    assert told.splitlines()[:3] == [
        "✅ Sua consulta está confirmada!",
        "*Limpeza* com Dra. Paula Lins",
        "amanhã, terça-feira, 24/11, às 14h",
    ]
    assert [(appointment["status"], appointment["start"]) for appointment in mine] == [
        ("confirmed", "2026-11-24T14:00:00-03:00")
    ]
    assert nothing == "Não encontrei nenhuma consulta no seu número."
    assert await town.conversation("+5592999990003", "bromelia") is None


async def test_an_appointment_is_moved_and_cancelled(town, maria):
    await maria.say("limpeza amanhã às 15h")
    await maria.tap("Confirmar")
    await maria.say("quero remarcar para quarta às 10h")
    await maria.tap("Sim, mudar")
    moved = await town.agenda_of(maria.number)
    await maria.say("não vou poder ir, quero cancelar")
    await maria.tap("Sim, cancelar")
    assert (moved, await town.agenda_of(maria.number)) == (
        [("confirmed", "limpeza", "2026-11-25T10:00")],
        [("cancelled", "limpeza", "2026-11-25T10:00")],
    )


async def test_a_person_takes_over_answers_and_hands_back(town, maria, dalva: Phone):
    called = await maria.say("quero falar com uma pessoa")
    desk = town.gendei.messaging.handover
    await send_as_person(desk, "aurora", maria.number, "Rosa", "Oi, Maria, aqui é a Rosa.")
    await town.idle()
    await maria.say("oi?")
    meanwhile = list(maria.texts)
    await hand_back(desk, "aurora", maria.number, "Rosa")
    told = await maria.say("onde fica?")
    assert (meanwhile, told) == ([called, "Oi, Maria, aqui é a Rosa."], "📍 Rua do Sol, 12, Campinas")
    assert dalva.messages == []
