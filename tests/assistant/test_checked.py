"""What the assistant proposes can be done: the desk is asked before a person is."""

from dataclasses import replace
from itertools import pairwise

import pytest
from tests.assistant.conftest import BIA, MANAGER, OLGA, Desk
from tests.assistant.test_errands import scene
from tests.journeys.town import NOW

from gendei.staff.actors import Right

DAY = NOW.date()
REFUSED = [
    (["remarca a Maria para sexta às 10h"], "A clínica está fechada nesse dia."),
    (["remarca a Maria para quarta às 10h com o Caio"], "Dr. Caio Prado não faz esse serviço."),
    (["remarca a Maria para amanhã às 10h"], "Dra. Paula Lins já tem um compromisso nesse horário."),
    (
        ["marca canal para João Souza, 11 99999-8888, quarta às 14h"],
        "Dr. Caio Prado não atende nesse período: está bloqueado, de folga ou fora dos dias de trabalho.",
    ),
    (["marca limpeza para João Souza, 11 99999-8888, amanhã às 10h"], "Dra. Paula Lins já tem um compromisso"),
]


@pytest.mark.parametrize(("messages", "why"), REFUSED)
async def test_what_the_desk_would_refuse_is_not_proposed_and_free_times_can_be_tapped(
    desk: Desk, messages: list[str], why: str
) -> None:
    await scene(desk)
    before = (await desk.agenda(), await desk.audited())
    answer = await desk.say(*messages)
    assert (answer.message.startswith(why), answer.pending) == (True, None)
    assert (await desk.agenda(), await desk.audited()) == before
    first = answer.choices[0]
    chosen = await desk.say(first)
    assert (first.partition(", com")[0] in chosen.message, chosen.pending is not None) == (True, True)
    assert (await desk.say("sim")).message.startswith("Pronto: ")


async def test_an_hour_said_instead_is_of_the_day_that_was_offered(desk: Desk) -> None:
    await scene(desk)
    answer = await desk.say("remarca a Maria para sexta às 10h", "10h")
    assert "para quinta-feira, 26/11, às 10h" in answer.message


MOVED = "Vou remarcar Maria Silva (Limpeza com Dra. Paula Lins), de hoje, segunda-feira, 23/11, às 15h para amanhã, "


@pytest.mark.parametrize(
    "messages",
    [["remarca a maria pra terça 14h com o caio"], ["remarca a maria pra terça 14h", "não, com o caio"]],
)
async def test_a_move_goes_to_another_professional_who_does_the_service(desk: Desk, messages: list[str]) -> None:
    await scene(desk)
    await desk.share_work()
    answer = await desk.say(*messages)
    assert answer.message == f"{MOVED}terça-feira, 24/11, às 14h, com Dr. Caio Prado. Confirma?"


async def test_a_check_keeps_nothing_of_what_it_tried(desk: Desk) -> None:
    await scene(desk)
    stored = (await desk.agenda(), await desk.gendei.desks.agenda_desk.agenda.page(OLGA, (DAY, DAY), 9))
    await desk.say("marca limpeza para Rita Melo, 11 97777-6666, amanhã às 15h, com aviso")
    assert (await desk.agenda(), await desk.gendei.desks.agenda_desk.agenda.page(OLGA, (DAY, DAY), 9)) == stored
    assert (await desk.say("telefone da Rita Melo")).message.startswith("Não achei paciente")
    assert ("Bia (via assistente)", "agenda.booked") not in await desk.audited()


TAPPED = [
    (["cancela a Ana"], 1, "Vou cancelar a consulta de Ana Prado"),
    (["remarca a Maria para quinta de manhã"], 0, "Vou remarcar Maria Silva"),
    (["marca"], 0, "Como se chama o paciente?"),
    (["tem vaga amanhã?"], 1, "Horários livres de Tratamento de canal"),
]


@pytest.mark.parametrize(("messages", "place", "told"), TAPPED)
async def test_what_may_be_meant_can_be_tapped(desk: Desk, messages: list[str], place: int, told: str) -> None:
    await scene(desk)
    asked = await desk.say(*messages)
    assert (await desk.say(asked.choices[place])).message.startswith(told)


async def test_what_it_cannot_do_it_says_and_names_the_page(desk: Desk) -> None:
    topics = desk.gendei.assistant.texts.elsewhere
    asked = {example: topic.says for topic in topics.values() for example in topic.examples}
    assert {example: (await desk.say(example, actor=MANAGER)).message for example in asked} == asked


async def test_a_page_is_named_by_its_address_only_to_who_may_open_it(desk: Desk) -> None:
    for asked, closed in (("exporta os pacientes", "/numbers"), ("reseta a senha do Rui", "/account/team")):
        told, to_manager = [(await desk.say(asked, actor=actor)).message for actor in (BIA, MANAGER)]
        assert (closed in told, "página de quem administra" in told, closed in to_manager) == (False, True, True)
    assert "(/account)" in (await desk.say("reseta a senha do Rui")).message


@pytest.mark.parametrize("before", ["cancela a Maria", "cancela a Ana", "marca limpeza", "xpto"])
async def test_it_says_so_too_where_something_else_waits(desk: Desk, before: str) -> None:
    await scene(desk)
    answer = await desk.say(before, "exporta os pacientes", actor=MANAGER)
    assert answer.message == desk.gendei.assistant.texts.elsewhere["exports"].says
    assert answer.pending is None


FACT_AND_PAGE = [
    ("a limpeza agora custa 200 reais", "• Limpeza: R$ 180,00\n", "prices"),
    ("abre às 7 na segunda", "Clínica Aurora, segunda-feira, 30/11: 9h às 12h e 14h às 18h.\n", "hours"),
]


@pytest.mark.parametrize(("said", "fact", "topic"), FACT_AND_PAGE)
async def test_another_fact_that_is_stated_is_not_taken_for_a_question(
    desk: Desk, said: str, fact: str, topic: str
) -> None:
    assert (await desk.say(said)).message == fact + desk.gendei.assistant.texts.elsewhere[topic].says
    assert (await desk.say(f"{said}?")).message == fact.strip()


STILL_ITS_OWN = [
    ("me lembra de mudar o preço da limpeza", "Vou criar a tarefa “Mudar o preço da limpeza”"),
    ("cria tarefa exportar os pacientes", "Vou criar a tarefa “Exportar os pacientes”"),
    ("responde para a Maria: mudamos o preço da limpeza", "Vou enviar a Maria Silva"),
    ("muda o horário da Maria para quarta", "Vou remarcar Maria Silva"),
    ("tira a falta do Carlos", "Vou registrar a consulta de Carlos Dias"),
    ("apaga a tarefa do laudo", "Vou apagar para sempre a tarefa “Enviar o laudo do Pedro”"),
]


@pytest.mark.parametrize(("said", "told"), STILL_ITS_OWN)
async def test_words_of_a_page_in_an_errand_of_its_own_change_nothing_of_it(desk: Desk, said: str, told: str) -> None:
    await scene(desk)
    assert (await desk.say(said)).message.startswith(told)


async def test_a_note_stands_in_the_conversation_and_is_no_task(desk: Desk) -> None:
    await scene(desk)
    before = await desk.tasks()
    shown = await desk.say("anota na conversa da Maria", "prefere ligação, e cancela sempre em cima da hora")
    told = "na conversa de Maria Silva (+5511999990001), só para a equipe: “prefere ligação, e cancela sempre em cima"
    assert told in shown.message
    assert (await desk.say("sim")).message.startswith("Pronto: anotei na conversa de Maria Silva")
    assert await desk.tasks() == before


LOST = [
    ["xpto", "asdf qwerty", "hã?", "fghj", "fghj"],
    ["o que tenho hoje?", "xpto", "xpto", "xpto"],
    ["cancela a Maria", "xpto", "xpto", "xpto"],
    ["cancela a Ana", "xpto", "xpto", "xpto"],
    ["marca limpeza", "12", "12", "12"],
    ["a maria ta brava", "a maria ta presa no trânsito", "a maria quer falar com alguém"],
    ["remarca a Maria para sexta", "xpto", "xpto"],
    ["marca limpeza para Rita Melo", "quarta", "hm", "hm"],
]


@pytest.mark.parametrize("messages", LOST)
async def test_what_was_not_understood_never_gets_the_answer_before(desk: Desk, messages: list[str]) -> None:
    await scene(desk)
    told = [(await desk.say(message)).message for message in messages]
    assert all(now != before for before, now in pairwise(told))


async def test_a_colleague_elsewhere_sees_no_choices_of_it(desk: Desk) -> None:
    await scene(desk)
    await desk.say("cancela a Ana")
    assert (await desk.say("1", actor=OLGA)).choices == ()
    assert (await desk.say("1", actor=BIA)).pending is not None


async def test_who_asks_for_an_encaixe_gets_one_where_there_is_no_room_and_has_the_right(desk: Desk) -> None:
    await scene(desk)
    may = replace(BIA, rights=BIA.rights | {Right.OVERRIDE})
    taken = "encaixa limpeza para Maria Silva amanhã às {}h com a Paula"
    for hour, told in (("10", ", às 10h, como encaixe. Confirma?"), ("14", ", às 14h. Confirma?")):
        assert (await desk.say(taken.format(hour), actor=may)).message.endswith(told)
    moved = await desk.say("remarca a Maria para amanhã às 10h como encaixe", actor=may)
    assert moved.message.endswith("para amanhã, terça-feira, 24/11, às 10h, como encaixe. Confirma?")
    refused = await desk.say(taken.format("10"))
    assert (refused.message, refused.pending) == (
        "Seu acesso não permite isso. Fale com quem administra a clínica.",
        None,
    )
