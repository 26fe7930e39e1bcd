"""What is answered to "Confirma?", in the words in which people answer: only a plain yes does it."""

import pytest
from tests.assistant.conftest import RUI, Desk

from gendei.documents import put
from gendei.staff.access.users import USER, User, user_path
from gendei.staff.actors import Role

ANA, PRADO = "+5511999990003", "+5511999990004"
SHOWN = (
    "Vou cancelar a consulta de Maria Silva (Limpeza com Dra. Paula Lins), hoje, segunda-feira, 23/11, às 15h. "
    "Confirma?"
)
YES = ["sim", "Sim!", "ss", "ok", "👍", "pode", "isso aí", "sim, obrigada", "pode sim por favor", "sim, pode cancelar"]
YES += ["confirmado, valeu", "pode cancelar", "tá bom, cancela", "siiim"]
NO = [
    "não",
    "n",
    "não, obrigada",
    "não cancela",
    "nada disso",
    "deixa assim",
    "errei, deixa quieto",
    "não sim",
]
NO += ["não pode", "desisto", "peraí", "claro que não", "não confirmo"]
NEITHER = ["sim? não sei", "acho que sim", "obrigada", "oi", "hã?", "cancela", "sim, a da Ana", "e se ele vier?"]


ANSWERS = [*((value, "cancelled") for value in YES), *((value, "confirmed") for value in NO)]


@pytest.mark.parametrize(("words", "status"), ANSWERS)
async def test_a_yes_does_it_and_a_no_ends_it(desk: Desk, words: str, status: str) -> None:
    await desk.book("Maria Silva", "15:00")
    answer = await desk.say("cancela a das 15h", words)
    told = "Pronto: cancelei a consulta de Maria" if status == "cancelled" else "Certo, não fiz nada."
    assert (answer.message.startswith(told), answer.pending) == (True, None)
    assert [appointment[2] for appointment in await desk.agenda()] == [status]
    await desk.say("sim")
    assert [appointment[2] for appointment in await desk.agenda()] == [status]


@pytest.mark.parametrize("words", NEITHER)
async def test_what_is_neither_is_shown_again_and_can_still_be_answered(desk: Desk, words: str) -> None:
    await desk.book("Maria Silva", "15:00")
    again = await desk.say("cancela a das 15h", words)
    assert (again.message.endswith(SHOWN), again.message != SHOWN, again.pending is not None) == (True, True, True)
    assert (await desk.say(words)).message != again.message
    assert [appointment[2] for appointment in await desk.agenda()] == ["confirmed"]
    await desk.say("sim")
    assert [appointment[2] for appointment in await desk.agenda()] == ["cancelled"]


async def test_a_verb_of_another_deed_is_no_yes(desk: Desk) -> None:
    await desk.book("Maria Silva", "15:00")
    await desk.book("Ana Lima", "10:00", 24, ANA)
    await desk.say("cancela a das 15h", "pode remarcar a da Ana")
    assert {appointment[2] for appointment in await desk.agenda()} == {"confirmed"}


CORRECTED = [
    ("remarca a das 15h para quinta", "às 16h", "quinta-feira, 26/11, às 16h"),
    ("remarca a das 15h para quinta", "não, para quarta", "quarta-feira, 25/11, às 15h"),
    ("remarca a das 15h para quinta", "na verdade quarta às 10", "quarta-feira, 25/11, às 10h"),
    ("remarca a das 15h para quinta", "sim, mas às 9h", "quinta-feira, 26/11, às 9h"),
    ("remarca a das 15h para quinta", "muda para amanhã", "amanhã, terça-feira, 24/11, às 15h"),
    ("me lembra de ligar para o laboratório quinta às 9h", "melhor quarta", "quarta-feira, 25/11, às 9h"),
]


@pytest.mark.parametrize(("asked", "words", "moment"), CORRECTED)
async def test_another_day_or_hour_is_shown_in_place_of_the_first(
    desk: Desk, asked: str, words: str, moment: str
) -> None:
    await desk.book("Maria Silva", "15:00")
    before = (await desk.agenda(), await desk.tasks())
    answer = await desk.say(asked, words)
    assert (answer.message.endswith(f"para {moment}. Confirma?"), answer.pending is not None) == (True, True)
    assert (await desk.agenda(), await desk.tasks()) == before
    assert moment in (await desk.say("sim")).message


async def test_a_move_of_another_appointment_is_no_correction(desk: Desk) -> None:
    await desk.book("Maria Silva", "15:00")
    await desk.book("Ana Lima", "10:00", 23, ANA)
    answer = await desk.say("remarca a das 15h para quinta", "remarca a das 10h para quarta")
    assert answer.message.startswith("Vou remarcar Ana Lima")


async def test_what_the_desk_refused_can_be_asked_for_another_hour(desk: Desk) -> None:
    await desk.book("Maria Silva", "15:00")
    refused = await desk.say("remarca a das 15h para sexta")
    done = await desk.say("então quinta às 17h", "sim")
    assert "A clínica está fechada nesse dia. Horários livres perto" in refused.message
    assert refused.pending is None
    assert (done.message[:7], await desk.agenda()) == ("Pronto:", [])


async def test_a_task_is_handed_to_a_colleague_by_name(desk: Desk) -> None:
    rui = User(RUI.user_id, RUI.name, Role.ATENDENTE, RUI.clinic_id, desk.clock(), "-")
    await desk.gendei.documents.commit([put(user_path(rui.id), USER.write(rui))])
    unknown = await desk.say("cria tarefa comprar luvas", "sim", "passa a tarefa das luvas para a Zuleica")
    asked = await desk.say("passa a tarefa das luvas para o Rui")
    assert unknown.message == "Não sei quem é “Zuleica”. A equipe: Rui."
    assert asked.message == "Vou mudar a tarefa “Comprar luvas”, com Rui. Confirma?"


async def test_which_is_asked_again_until_one_is_named(desk: Desk) -> None:
    await desk.book("Ana Lima", "10:00", 24, ANA)
    await desk.book("Ana Prado", "11:00", 24, PRADO)
    asked = await desk.say("cancela a da Ana")
    again = [(await desk.say(text)).message for text in ("3", "as duas", "sim")]
    assert [told.endswith(asked.message) for told in again] == [True] * 3
    assert len({asked.message, *again}) == 4
    assert (await desk.say("a Prado")).message.startswith("Vou cancelar a consulta de Ana Prado")
    assert (await desk.say("cancela a da Ana", "nenhuma")).message == "Certo, não fiz nada."


async def test_a_completed_task_is_taken_up_again(desk: Desk) -> None:
    await desk.say("cria tarefa comprar luvas", "sim", "conclui luvas", "sim")
    asked = await desk.say("reabre a tarefa das luvas")
    done = await desk.say("pode reabrir")
    assert asked.message == "Vou reabrir a tarefa “Comprar luvas”. Confirma?"
    assert (done.message, await desk.tasks()) == (
        "Pronto: reabri a tarefa “Comprar luvas”.",
        [("Comprar luvas", "pending")],
    )
