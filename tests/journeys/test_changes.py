"""A patient moves or cancels what is booked."""

from datetime import timedelta

import pytest
from tests.journeys.phone import Phone
from tests.journeys.town import NOW, open_town


@pytest.fixture
async def booked(town, maria):
    return await town.book(maria.number, maria.name, "2026-11-24T15:00")


async def test_a_reschedule_by_words(town, maria, booked):
    await maria.say("preciso remarcar minha consulta para quarta às 10h")
    told = await maria.say("sim")
    assert (told.splitlines()[:3], await town.agenda_of(maria.number)) == (
        ["🔁 Sua consulta foi remarcada.", "*Limpeza* com Dra. Paula Lins", "Agora: quarta-feira, 25/11, às 10h"],
        [("confirmed", "limpeza", "2026-11-25T10:00")],
    )


@pytest.mark.parametrize(
    "words",
    [
        "preciso mudar para amanhã às 17h",
        "quero remarcar a limpeza de amanhã para as 17h",
        "muda minha consulta de amanhã das 15h para as 17h",
    ],
)
async def test_another_hour_of_the_day_on_which_it_stands_is_what_is_proposed(town, maria, booked, words):
    assert "às 17h" in await maria.say(words)
    await maria.tap("Sim, mudar")
    assert await town.agenda_of(maria.number) == [("confirmed", "limpeza", "2026-11-24T17:00")]


async def test_a_reschedule_by_taps(town, maria, booked):
    await maria.say("oi")
    await maria.tap("Meus horários")
    await maria.tap("Mudar horário")
    await maria.tap("qua 25/11 9h")
    await maria.tap("Sim, mudar")
    assert await town.agenda_of(maria.number) == [("confirmed", "limpeza", "2026-11-25T09:00")]


async def test_the_time_that_was_left_is_free_again(town, maria, joao, booked):
    await maria.say("quero remarcar para quarta às 10h")
    await maria.tap("Sim, mudar")
    await joao.say("limpeza amanhã às 15h")
    await joao.tap("Confirmar")
    assert await town.agenda_of(joao.number) == [("confirmed", "limpeza", "2026-11-24T15:00")]


async def test_nothing_moves_before_the_yes(town, maria, booked):
    await maria.say("quero remarcar para quarta às 10h")
    await maria.tap("Desistir")
    assert await town.agenda_of(maria.number) == [("confirmed", "limpeza", "2026-11-24T15:00")]


async def test_a_cancel(town, maria, booked):
    asked = await maria.say("não vou poder ir, quero cancelar")
    told = await maria.tap("Sim, cancelar")
    assert (asked.splitlines()[0], told, await town.agenda_of(maria.number)) == (
        "Quer mesmo cancelar?",
        "Sua consulta de amanhã, terça-feira, 24/11, às 15h (Limpeza com Dra. Paula Lins), foi cancelada. "
        "Se quiser marcar outro dia, é só me dizer.",
        [("cancelled", "limpeza", "2026-11-24T15:00")],
    )


async def test_nothing_is_cancelled_before_the_yes(town, maria, booked):
    await maria.say("quero cancelar")
    told = await maria.tap("Deixar como está")
    assert (told, await town.agenda_of(maria.number)) == (
        "Certo, fica como está.",
        [("confirmed", "limpeza", "2026-11-24T15:00")],
    )


async def test_of_two_appointments_the_patient_says_which(town, maria, booked):
    await town.book(maria.number, maria.name, "2026-11-26T10:00")
    asked = await maria.say("quero cancelar")
    await maria.tap("qui 26/11 10h")
    await maria.tap("Sim, cancelar")
    assert (asked.splitlines()[0], await town.agenda_of(maria.number)) == (
        "Qual consulta você quer cancelar?",
        [("confirmed", "limpeza", "2026-11-24T15:00"), ("cancelled", "limpeza", "2026-11-26T10:00")],
    )


async def test_a_button_of_a_cancelled_appointment_shows_what_is_left(town, maria, booked):
    other = await town.book(maria.number, maria.name, "2026-11-26T10:00")
    await maria.forge(f"cancel|{booked.id}")
    await maria.tap("Sim, cancelar")
    told = await maria.forge(f"move|{booked.id}")
    assert (told.splitlines()[0], maria.last.options[0]) == (
        "Não encontrei essa consulta entre as próximas do seu número. Pode já ter passado ou ter sido cancelada.",
        (f"move|{other.id}", "Mudar horário"),
    )


async def test_the_patient_is_shown_what_is_booked(maria, booked):
    told = await maria.say("quais são os meus horários?")
    assert told.splitlines()[-1] == ("• Limpeza com Dra. Paula Lins, amanhã, terça-feira, 24/11, às 15h (Maria Silva)")


async def test_past_appointments_are_shown_when_asked_to_their_patient_alone(tmp_path):
    number = "+5511999990001"
    async with open_town(tmp_path) as town:
        await town.book(number, "Maria Silva", "2026-11-24T15:00")
        before = await Phone(town, number, "Maria Silva").say("quais foram minhas últimas consultas?")
    async with open_town(tmp_path, outsiders=False, now=NOW + timedelta(days=2)) as town:
        maria, joao = Phone(town, number, "Maria Silva"), Phone(town, "+5511999990002", "João Pedro")
        coming, past = await maria.say("quais meus horários?"), await maria.say("quando foi minha última consulta?")
        foreign = await joao.say("quando foi minha última consulta?")
    none = "Não encontrei nenhuma consulta anterior no seu número."
    assert (before, coming, foreign) == (none, "Não encontrei nenhuma consulta no seu número.", none)
    line = "• Limpeza com Dra. Paula Lins, ontem, terça-feira, 24/11, às 15h (Maria Silva)"
    assert past == f"Por aqui você já teve:\n\n{line}"
