"""A tap, and a plain yes or no to the question that stands, ask no model; what says more does."""

import pytest
from agents.testing import assistant_message
from tests.receptionist.front_desk import MARIA, FrontDesk, Visitor, options, text
from tests.receptionist.scripted import call, scripted

from gendei.messages.turns import Hearing, PatientInput

SLOT = {"service_id": "profilaxia", "professional_id": "livia", "date": "2026-11-24", "time": "14:00"}
OFFERED = "slot|profilaxia|livia|2026-11-24T14:00"
YES = "book|profilaxia|livia|2026-11-24T14:00"
SEARCH = call(2, "get_available_slots", service_id="profilaxia", date="2026-11-24")
HOLD = call(3, "hold_slot", **SLOT)
ASK = [assistant_message("Posso marcar terça, 24/11, às 14h, com a Dra. Lívia?")]
MODELS_TURN = [assistant_message("Em nome de quem?")]
"""What the model says where it is asked."""


def patient(front_desk: FrontDesk, *steps, **who) -> Visitor:
    return scripted(front_desk, [call(1, "transfer_to_sales_closer"), *steps], **who)[0]


async def starts(front_desk: FrontDesk, maria: Visitor) -> list[str]:
    found = await front_desk.desk.appointments_of(maria.clinic, MARIA)
    return [f"{maria.clinic.local(booked.start):%d/%m %H:%M}" for booked in found if booked.status.live]


async def asked(front_desk: FrontDesk, *after, says: str = "limpeza amanhã às 14h com a dra lívia") -> Visitor:
    """A patient whom a model asked whether to book."""
    maria = patient(front_desk, SEARCH, HOLD, ASK, *after)
    await maria.say(says)
    return maria


@pytest.mark.parametrize("words", ["sim", "isso, pode marcar", "ok, combinado 👍", "uhum"])
async def test_a_plain_yes_to_what_a_model_asked_books_without_asking_it(front_desk: FrontDesk, words: str):
    maria = await asked(front_desk)
    told = await maria.say(words)
    assert ("Sua consulta está confirmada" in text(told), told.failure) == (True, None)
    assert await starts(front_desk, maria) == ["24/11 14:00"]


async def test_a_plain_no_asks_what_to_change_without_asking_the_model(front_desk: FrontDesk):
    maria = await asked(front_desk)
    told = await maria.say("não")
    assert (told.failure, await starts(front_desk, maria)) == (None, [])
    assert list(options(told)) == ["Outro horário", "Outro dia", "Desistir"]


@pytest.mark.parametrize(
    "words", ["sim, e tem estacionamento?", "pode ser às 15h?", "sim, amanhã às 14h", "hmm, não sei", "quanto custa?"]
)
async def test_what_says_more_than_yes_or_no_is_the_models(front_desk: FrontDesk, words: str):
    maria = await asked(front_desk, MODELS_TURN)
    assert text(await maria.say(words)) == "Em nome de quem?"


@pytest.mark.parametrize(
    "says",
    [
        "limpeza amanhã às 14h pra minha mãe",
        "marca pra Beatriz uma limpeza amanhã às 14h",
        "é para o meu filho, limpeza",
    ],
)
async def test_a_yes_to_a_booking_that_may_be_somebody_elses_is_the_models(front_desk: FrontDesk, says: str):
    maria = await asked(front_desk, MODELS_TURN, says=says)
    assert text(await maria.say("sim")) == "Em nome de quem?"
    assert await starts(front_desk, maria) == []


async def test_a_bare_name_before_the_question_leaves_the_yes_to_the_model(front_desk: FrontDesk):
    maria = patient(front_desk, SEARCH, [assistant_message("Qual o nome completo?")], HOLD, ASK, MODELS_TURN)
    await maria.say("limpeza amanhã às 14h com a dra lívia")
    await maria.say("beatriz silva")
    assert text(await maria.say("sim")) == "Em nome de quem?"


async def test_who_has_no_name_yet_is_the_models(front_desk: FrontDesk):
    maria = patient(front_desk, SEARCH, HOLD, ASK, MODELS_TURN, name=None)
    await maria.say("limpeza amanhã às 14h com a dra lívia")
    assert text(await maria.say("sim")) == "Em nome de quem?"


async def test_a_yes_that_was_not_heard_surely_is_not_plain(front_desk: FrontDesk):
    maria = await asked(front_desk, MODELS_TURN)
    assert text(await maria.turn((PatientInput("sim", kind="audio", hearing=Hearing.UNSURE),))) == "Em nome de quem?"
    assert await starts(front_desk, maria) == []


async def test_a_tapped_time_is_shown_whole_and_booked_by_the_next_tap_without_the_model(front_desk: FrontDesk):
    maria = patient(front_desk, SEARCH, call(3, "enviar_opcoes", texto="Qual?", opcoes=[OFFERED, "Outro dia"]))
    shown = await maria.say("limpeza amanhã")
    summary = await maria.tap(options(shown)["ter 24/11 14h"])
    assert [word in text(summary) for word in ("Dra. Lívia", "14h", "Maria Silva", "R$ 180,00")] == [True] * 4
    assert await starts(front_desk, maria) == []
    await maria.tap(options(summary)["Confirmar"])
    assert await starts(front_desk, maria) == ["24/11 14:00"]


async def test_an_option_in_the_models_own_words_is_the_models(front_desk: FrontDesk):
    steps = [SEARCH, call(3, "enviar_opcoes", texto="Qual?", opcoes=[OFFERED, "Outro dia"]), MODELS_TURN]
    maria = patient(front_desk, *steps)
    shown = await maria.say("limpeza amanhã")
    assert text(await maria.tap(options(shown)["Outro dia"])) == "Em nome de quem?"


async def test_moving_and_cancelling_that_a_model_asked_about_are_done_by_a_plain_yes(front_desk: FrontDesk):
    guided = front_desk.visitor("sorriso")
    await guided.say("limpeza amanhã às 14h com a dra lívia")
    await guided.say("sim")
    [hers] = await front_desk.desk.appointments_of(guided.clinic, MARIA)
    to = {"new_date": "2026-11-24", "new_time": "14:50", "professional_id": "livia"}
    maria = scripted(
        front_desk,
        [
            call(1, "transfer_to_payment"),
            SEARCH,
            call(3, "reschedule_appointment", appointment_id=hers.id, **to),
            [assistant_message("Posso mudar a limpeza com a Dra. Lívia para terça, 24/11, às 14h50?")],
            call(4, "cancel_appointment", appointment_id=hers.id),
            [assistant_message("Posso cancelar a limpeza com a Dra. Lívia de terça, 24/11, às 14h50?")],
            call(5, "cancel_appointment", appointment_id=hers.id),
            [assistant_message("Posso cancelar a limpeza com a Dra. Lívia de terça, 24/11, às 14h50?")],
        ],
    )[0]
    await maria.say("preciso remarcar para as 14h50")
    await maria.say("sim")
    assert await starts(front_desk, maria) == ["24/11 14:50"]
    await maria.say("melhor cancelar")
    assert text(await maria.say("não")) == "Certo, fica como está."
    assert await starts(front_desk, maria) == ["24/11 14:50"]
    await maria.say("cancela mesmo, por favor")
    await maria.say("sim")
    assert await starts(front_desk, maria) == []


async def test_a_model_that_thanks_for_a_yes_and_does_nothing_is_told_to_do_it(front_desk: FrontDesk):
    thanks = [assistant_message("Obrigada! Até lá.")]
    book = call(9, "create_appointment", **SLOT, patient_name="Beatriz")
    maria = await asked(front_desk, thanks, book, [assistant_message("")], says="limpeza pra Beatriz amanhã às 14h")
    assert "Para: Beatriz" in text(await maria.say("sim"))
    assert front_desk.models.figures.corrections == {"undone": 1}
    assert await starts(front_desk, maria) == ["24/11 14:00"]


async def test_where_the_api_fails_at_the_yes_guided_asks_who_comes_before_it_books(front_desk: FrontDesk):
    gone = RuntimeError("gone")
    maria = await asked(front_desk, gone, gone, says="limpeza amanhã às 14h pra minha mãe")
    told = await maria.say("sim")
    assert ("nome" in text(told).lower(), await starts(front_desk, maria)) == (True, [])
    await maria.say("Ana Prado Silva")
    done = await maria.say("sim")
    assert "Para: Ana Prado Silva" in text(done)
