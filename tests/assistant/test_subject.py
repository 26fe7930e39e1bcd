"""The subject is kept: what was asked is asked again of another day, hour or person, in few words."""

import pytest
from tests.assistant.conftest import BIA, OLGA, Desk
from tests.assistant.test_errands import ANA, PRADO, scene

TOMORROW = "Amanhã, terça-feira, 24/11:"
FREE = "Horários livres de {}:\n• {}"
PAULA, CAIO = "Limpeza, Dra. Paula Lins", "Tratamento de canal, Dr. Caio Prado"
FOLLOWED = {
    "free times": [
        ("quais horários livres da Dra. Paula amanhã?", FREE.format(PAULA, "amanhã, terça-feira, 24/11: 09:00, 14:00")),
        ("e quinta?", FREE.format(PAULA, "quinta-feira, 26/11: 09:00, 10:00, 11:00, 14:00, 15:00, 16:00, 17:00")),
        ("e à tarde?", FREE.format(PAULA, "quinta-feira, 26/11: 14:00, 15:00, 16:00, 17:00")),
        ("sexta", f"Nenhum horário livre de {PAULA}: sexta-feira, 27/11."),
        ("e do Dr. Caio?", f"Nenhum horário livre de {CAIO}: sexta-feira, 27/11."),
        ("tem vaga com o Caio na semana que vem?", FREE.format(CAIO, "terça-feira, 01/12: 14:00, 15:00")),
    ],
    "agenda": [
        ("o que tenho hoje?", "Hoje, segunda-feira, 23/11:\n• 15:00 Maria Silva"),
        ("e amanhã?", f"{TOMORROW}\n• 10:00 Ana Lima, Limpeza com Dra. Paula Lins\n• 11:00 Ana Prado"),
        ("e a Ana Prado?", f"{TOMORROW}\n• 11:00 Ana Prado, Limpeza com Dra. Paula Lins"),
        ("e hoje?", "Não achei “ana prado” na agenda: hoje, segunda-feira, 23/11."),
    ],
    "phones": [
        ("telefone da Ana Lima", f"• Ana Lima: {ANA}"),
        ("e da Ana Prado?", f"• Ana Prado: {PRADO}"),
        ("e quem faltou hoje?", "Hoje, segunda-feira, 23/11:\n• 14:00 Carlos Dias"),
    ],
    "statuses": [
        ("a Maria chegou?", "• Maria Silva, hoje, segunda-feira, 23/11, às 15h: Marcada"),
        ("e a Ana Lima", "• Ana Lima, amanhã, terça-feira, 24/11, às 10h: Marcada"),
    ],
    "tasks": [
        ("minhas tarefas", "1 tarefa pendente:\n1. Enviar o laudo do Pedro"),
        ("e de quinta?", "Nenhuma tarefa pendente com prazo até lá."),
    ],
}


@pytest.mark.parametrize("about", FOLLOWED)
async def test_the_same_is_asked_of_another_day_or_person_in_few_words(desk: Desk, about: str) -> None:
    await scene(desk)
    for asked, told in FOLLOWED[about]:
        answer = await desk.say(asked)
        assert (asked, answer.message[: len(told)], answer.pending) == (asked, told, None)


async def test_the_subject_is_the_askers_own_and_ends_with_another_errand(desk: Desk) -> None:
    await scene(desk)
    await desk.say("quais horários livres da Dra. Paula amanhã?")
    assert (await desk.say("e quinta?", actor=OLGA)).message == "Nenhuma consulta: quinta-feira, 26/11."
    await desk.say("cancela a Maria", "não", actor=BIA)
    assert (await desk.say("quinta")).message == "Nenhuma consulta: quinta-feira, 26/11."


SLOTS = "quais horários livres da Dra. Paula amanhã?"
BOOKED = (
    "Vou marcar Limpeza com Dra. Paula Lins para João Souza, 11 99999-8888,"
    " amanhã, terça-feira, 24/11, às {}. Confirma?"
)


@pytest.mark.parametrize(
    ("asked", "told", "hour"),
    [
        ((SLOTS,), "marca João Souza, 11 99999-8888, às 14h", "14h"),
        ((SLOTS, "e à tarde?"), "marca João Souza, 11 99999-8888, às 14h", "14h"),
        ((SLOTS,), "então marca limpeza para João Souza, 11 99999-8888, às 9h", "9h"),
    ],
)
async def test_who_is_booked_after_free_times_is_booked_there(
    desk: Desk, asked: tuple[str, ...], told: str, hour: str
) -> None:
    await scene(desk)
    assert (await desk.say(*asked, told)).message == BOOKED.format(hour)


async def test_another_day_or_person_that_is_said_counts_and_free_times_of_a_week_give_no_day(desk: Desk) -> None:
    await scene(desk)
    other = await desk.say(SLOTS, "marca canal para João Souza, 11 99999-8888, com o Caio, dia 01/12 às 14h")
    assert "Tratamento de canal com Dr. Caio Prado para João Souza, 11 99999-8888, terça-feira, 01/12" in other.message
    week = await desk.say(
        "quais horários livres da Dra. Paula na semana que vem?", "marca João Souza, 11 99999-8888, às 14h"
    )
    assert week.message == "Para que dia?"
