"""What guided takes over from a model whose API fails, and that nobody is told that nothing is booked while it is."""

import pytest
from agents.testing import assistant_message
from tests.receptionist.front_desk import MARIA, FrontDesk, options, text
from tests.receptionist.scripted import call, scripted

from gendei.receptionist.llm.guardrails import denies_booking
from gendei.receptionist.offers.choices import Kind

SLOT = {"service_id": "profilaxia", "professional_id": "livia", "date": "2026-11-24", "time": "14:00"}
GONE = RuntimeError("gone")
NOTHING = "não marquei nada"


async def booked_by_a_model(front_desk: FrontDesk, *then: object):
    """Maria, whose model booked for her and then does `then`."""
    steps = [
        call(1, "transfer_to_sales_closer"),
        [assistant_message("Claro! Para qual dia?")],
        call(2, "create_appointment", **SLOT, patient_name="Maria Silva"),
        [assistant_message("Até amanhã!")],
        *then,
    ]
    maria, model = scripted(front_desk, steps)
    await maria.say("quero marcar uma limpeza amanhã às 14h")
    maria.was_asked(Kind.BOOK, "profilaxia", "livia", "2026-11-24T14:00")
    assert "Sua consulta está confirmada" in text(await maria.say("sim, pode marcar pra Maria Silva"))
    return maria, model


@pytest.mark.parametrize(
    "words", ["preciso cancelar", "quero desmarcar", "não vou poder ir, cancela por favor", "cancela a limpeza"]
)
async def test_who_cancels_after_a_model_booked_is_asked_about_what_stands(front_desk: FrontDesk, words: str):
    maria, _ = await booked_by_a_model(front_desk, GONE, GONE)
    asked = await maria.say(words)
    assert (asked.failure, "24/11" in text(asked), NOTHING in text(asked)) == ("RuntimeError", True, False)
    assert any(id_.startswith("cancel_now|") for id_ in options(asked).values())
    await maria.tap(next(id_ for id_ in options(asked).values() if id_.startswith("cancel_now|")))
    assert [found.status for found in await front_desk.desk.appointments_of(maria.clinic, MARIA)] == []


@pytest.mark.parametrize("words", ["preciso remarcar", "quando é minha consulta?", "deixa pra lá", "não"])
async def test_no_other_wish_after_a_booking_brings_the_booking_back(front_desk: FrontDesk, words: str):
    maria, _ = await booked_by_a_model(front_desk, GONE, GONE)
    told = await maria.say(words)
    assert (NOTHING in text(told), "Posso marcar" in text(told)) == (False, False)
    assert len(await front_desk.desk.appointments_of(maria.clinic, MARIA)) == 1


async def test_what_a_model_was_told_after_the_booking_is_recalled(front_desk: FrontDesk):
    maria, _ = await booked_by_a_model(front_desk, [assistant_message("Para qual dia?")], GONE, GONE)
    await maria.say("quero marcar também um clareamento")
    asked = await maria.say("quinta às 15h")
    assert (maria.state["selected_service_id"], "26/11" in text(asked)) == ("clareamento", True)


async def test_a_service_that_was_only_asked_about_is_not_booked(front_desk: FrontDesk):
    steps = [call(1, "transfer_to_product_info"), [assistant_message("A limpeza custa R$ 180,00.")], GONE, GONE]
    maria, _ = scripted(front_desk, steps)
    await maria.say("quanto custa a limpeza?")
    told = await maria.say("e vocês abrem no sábado?")
    assert maria.state.get("selected_service_id") is None
    assert "Profilaxia" not in text(told)


async def test_who_gives_up_a_move_or_a_second_booking_reads_what_stands(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    await maria.say("limpeza amanhã às 14h")
    await maria.say("sim")
    for words in ("quero remarcar", "quero marcar um clareamento quinta às 15h"):
        await maria.say(words)
        told = await maria.say("deixa quieto")
        assert (NOTHING in text(told), "24/11" in text(told), "14h" in text(told)) == (False, True, True)


async def test_a_model_that_denies_what_stands_is_corrected(front_desk: FrontDesk):
    said = ("Tudo bem, não marquei nada.", "Posso ajudar em algo mais?")
    maria, model = await booked_by_a_model(front_desk, *([assistant_message(words)] for words in said))
    assert text(await maria.say("tá bom então")) == "Posso ajudar em algo mais?"
    assert "24/11" in str(model.last_call.input[-1]["content"])
    model.assert_complete()


@pytest.mark.parametrize(
    ("said", "denies"),
    [
        ("Ainda não marquei nada.", True),
        ("Nada foi marcado para você.", True),
        ("Você não tem nenhuma consulta.", True),
        ("Não encontrei nenhum agendamento no seu nome.", True),
        ("Não há consulta sua amanhã.", False),
        ("Não marquei nada ainda?", False),
        ("Não encontrei horário livre.", False),
    ],
)
def test_what_denies_a_booking(said: str, denies: bool):
    assert denies_booking(said) is denies
