"""What a clinic asks for once somebody has booked: checked, kept with the patient, and only if they give it."""

from dataclasses import replace

import pytest
from agents.testing import assistant_message
from agents.testing.model import UnconsumedModelSteps
from tests.receptionist.front_desk import MARIA, FrontDesk, Visitor, demo_clinic, text
from tests.receptionist.scripted import scripted

from gendei.booking.personal_data import UNKNOWN, PersonalData
from gendei.clinic import Clinic, PersonalDatum

CPF = "529.982.247-25"


def asking(datum: PersonalDatum | None) -> Clinic:
    clinic = demo_clinic("boa-vida")
    return replace(clinic, personal_data=(), booking=replace(clinic.booking, asks=datum))


async def booked(front_desk: FrontDesk, datum: PersonalDatum | None) -> tuple[Visitor, str]:
    """Maria once she has booked, and what she read."""
    maria = front_desk.visitor()
    maria.clinic = asking(datum)
    for said in ("quero marcar uma consulta geral com a dra ana amanhã às 14h para Maria Silva", "particular"):
        await maria.say(said)
    return maria, text(await maria.say("sim, pode marcar"))


async def known(front_desk: FrontDesk, clinic: Clinic) -> PersonalData:
    [appointment] = await front_desk.desk.appointments_of(clinic, MARIA)
    return await front_desk.desk.known_data(clinic, appointment.patient_id)


async def test_a_cpf_is_asked_for_checked_and_kept(front_desk: FrontDesk):
    maria, told = await booked(front_desk, PersonalDatum.CPF)
    assert "confirmada" in told
    assert "mande por aqui o CPF" in told
    assert "não confere" in text(await maria.say("529.982.247-24"))
    assert text(await maria.say(f"meu cpf é {CPF}")) == "Anotei, obrigada!"
    assert await known(front_desk, maria.clinic) == PersonalData(cpf="52998224725")
    assert "Anotei" not in text(await maria.say(CPF))


async def test_a_birth_date_is_read_as_it_is_said(front_desk: FrontDesk):
    maria, told = await booked(front_desk, PersonalDatum.BIRTH_DATE)
    assert "data de nascimento" in told
    assert "Não consegui ler" in text(await maria.say("31/02/1990"))
    assert text(await maria.say("5 de março de 1985")) == "Anotei, obrigada!"
    kept = await known(front_desk, maria.clinic)
    assert str(kept.birth_date) == "1985-03-05"


async def test_who_does_not_want_to_tell_is_left_alone(front_desk: FrontDesk):
    maria, _ = await booked(front_desk, PersonalDatum.CPF)
    assert "Tudo bem" in text(await maria.say("prefiro não informar"))
    assert await known(front_desk, maria.clinic) == UNKNOWN
    assert maria.state.get("datum_for") is None


async def test_another_question_is_answered_and_the_number_may_come_later(front_desk: FrontDesk):
    maria, _ = await booked(front_desk, PersonalDatum.CPF)
    assert "Rua" in text(await maria.say("qual é o endereço?"))
    assert text(await maria.say(CPF)) == "Anotei, obrigada!"


async def test_a_no_to_something_else_and_a_day_to_come_are_no_answer(front_desk: FrontDesk):
    maria, _ = await booked(front_desk, PersonalDatum.BIRTH_DATE)
    assert "Quer mesmo cancelar?" in text(await maria.say("quero cancelar"))
    assert "fica como está" in text(await maria.say("não"))
    assert "não consegui ler" not in text(await maria.say("quero marcar um retorno dia 26/11/2026")).lower()
    assert maria.state["datum_for"]


async def test_a_clinic_that_wants_nothing_asks_nothing_and_keeps_nothing(front_desk: FrontDesk):
    maria, told = await booked(front_desk, None)
    assert "cadastro" not in told
    await maria.say(CPF)
    assert await known(front_desk, maria.clinic) == UNKNOWN


async def test_no_model_is_asked_to_answer_who_gives_it(front_desk: FrontDesk):
    maria, _ = await booked(front_desk, PersonalDatum.CPF)
    later, model = scripted(front_desk, [[assistant_message("não devia ser lido")]])
    later.clinic, later.state = maria.clinic, maria.state
    assert text(await later.say(CPF)) == "Anotei, obrigada!"
    with pytest.raises(UnconsumedModelSteps):
        model.assert_complete()
