"""What staff want done, as they type it: several things at once, fragments and corrections. It is shown first."""

from dataclasses import replace

import pytest
from tests.assistant.conftest import BIA, RUI, Desk
from tests.assistant.test_errands import scene

from gendei.documents import put
from gendei.staff.access.users import USER, User, user_path
from gendei.staff.actors import Role

Talks = list[tuple[list[str], str]]
"""What was said, and what is answered to the last of it."""

SHOWN: Talks = [
    (
        ["remarca a maria para quinta e cancela a da ana prado"],
        (
            "Vou fazer isto:\n"
            "• remarcar Maria Silva (Limpeza com Dra. Paula Lins), de hoje, segunda-feira, 23/11, às 15h para "
            "quinta-feira, 26/11, às 15h\n"
            "• cancelar a consulta de Ana Prado (Limpeza com Dra. Paula Lins), amanhã, terça-feira, 24/11, às "
            "11h\n"
            "Confirma?"
        ),
    ),
    (
        ["cancela a da ana prado e a da maria"],
        (
            "Vou fazer isto:\n"
            "• cancelar a consulta de Ana Prado (Limpeza com Dra. Paula Lins), amanhã, terça-feira, 24/11, às "
            "11h\n"
            "• cancelar a consulta de Maria Silva (Limpeza com Dra. Paula Lins), hoje, segunda-feira, 23/11, "
            "às 15h\n"
            "Confirma?"
        ),
    ),
    (
        ["a ana lima e a maria confirmaram"],
        (
            "Vou fazer isto:\n"
            "• registrar a consulta de Ana Lima, amanhã, terça-feira, 24/11, às 10h, como “Presença "
            "confirmada”\n"
            "• registrar a consulta de Maria Silva, hoje, segunda-feira, 23/11, às 15h, como “Presença "
            "confirmada”\n"
            "Confirma?"
        ),
    ),
    (
        ["cancela a da ana e a da maria", "2"],
        (
            "Vou fazer isto:\n"
            "• cancelar a consulta de Ana Prado (Limpeza com Dra. Paula Lins), amanhã, terça-feira, 24/11, às "
            "11h\n"
            "• cancelar a consulta de Maria Silva (Limpeza com Dra. Paula Lins), hoje, segunda-feira, 23/11, "
            "às 15h\n"
            "Confirma?"
        ),
    ),
    (
        ["cancela a da zuleica e a da maria"],
        (
            "Sobre “cancela a da zuleica”: Não achei consulta que combine com isso.\n"
            "Vou cancelar a consulta de Maria Silva (Limpeza com Dra. Paula Lins), hoje, segunda-feira, 23/11, "
            "às 15h. Confirma?"
        ),
    ),
    (
        ["cancela a da maria e remarca pra quinta 10h"],
        (
            "Vou remarcar Maria Silva (Limpeza com Dra. Paula Lins), de hoje, segunda-feira, 23/11, às 15h "
            "para quinta-feira, 26/11, às 10h. Confirma?"
        ),
    ),
    (
        ["remarca a maria e a ana prado pra quinta"],
        (
            "Vou fazer isto:\n"
            "• remarcar Maria Silva (Limpeza com Dra. Paula Lins), de hoje, segunda-feira, 23/11, às 15h para "
            "quinta-feira, 26/11, às 15h\n"
            "• remarcar Ana Prado (Limpeza com Dra. Paula Lins), de amanhã, terça-feira, 24/11, às 11h para "
            "quinta-feira, 26/11, às 11h\n"
            "Confirma?"
        ),
    ),
    (
        ["o que tenho hoje e cancela a da maria"],
        (
            "Sobre “o que tenho hoje”: Hoje, segunda-feira, 23/11:\n"
            "• 15:00 Maria Silva, Limpeza com Dra. Paula Lins\n"
            "Vou cancelar a consulta de Maria Silva (Limpeza com Dra. Paula Lins), hoje, segunda-feira, 23/11, "
            "às 15h. Confirma?"
        ),
    ),
    (
        ["me lembra de ligar pro laboratorio e cancela a da maria"],
        (
            "Vou fazer isto:\n"
            "• criar a tarefa “Ligar pro laboratorio”\n"
            "• cancelar a consulta de Maria Silva (Limpeza com Dra. Paula Lins), hoje, segunda-feira, 23/11, "
            "às 15h\n"
            "Confirma?"
        ),
    ),
    (
        ["cancela a da maria, ela tá doente"],
        (
            "Vou cancelar a consulta de Maria Silva (Limpeza com Dra. Paula Lins), hoje, segunda-feira, 23/11, "
            "às 15h. Confirma?"
        ),
    ),
    (
        ["cancela a ana", "a das 11"],
        (
            "Vou cancelar a consulta de Ana Prado (Limpeza com Dra. Paula Lins), amanhã, terça-feira, 24/11, "
            "às 11h. Confirma?"
        ),
    ),
    (
        ["cancela a ana", "a ultima", "não, a outra"],
        (
            "Vou cancelar a consulta de Ana Lima (Limpeza com Dra. Paula Lins), amanhã, terça-feira, 24/11, às "
            "10h. Confirma?"
        ),
    ),
    (
        ["cancela a da maria", "não, a da ana prado"],
        (
            "Vou cancelar a consulta de Ana Prado (Limpeza com Dra. Paula Lins), amanhã, terça-feira, 24/11, "
            "às 11h. Confirma?"
        ),
    ),
    (
        ["remarca a maria pra quinta", "não, quarta de manhã", "10h"],
        (
            "Vou remarcar Maria Silva (Limpeza com Dra. Paula Lins), de hoje, segunda-feira, 23/11, às 15h "
            "para quarta-feira, 25/11, às 10h. Confirma?"
        ),
    ),
    (
        ["muda pra quinta", "a maria"],
        (
            "Vou remarcar Maria Silva (Limpeza com Dra. Paula Lins), de hoje, segunda-feira, 23/11, às 15h "
            "para quinta-feira, 26/11, às 15h. Confirma?"
        ),
    ),
    (
        ["a maria nao vem mais"],
        (
            "Vou cancelar a consulta de Maria Silva (Limpeza com Dra. Paula Lins), hoje, segunda-feira, 23/11, "
            "às 15h. Confirma?"
        ),
    ),
    (
        ["a ana lima ligou e disse q nao vem"],
        (
            "Vou cancelar a consulta de Ana Lima (Limpeza com Dra. Paula Lins), amanhã, terça-feira, 24/11, às "
            "10h. Confirma?"
        ),
    ),
    (
        ["carlos chegou"],
        ("Vou registrar a consulta de Carlos Dias, hoje, segunda-feira, 23/11, às 14h, como “Marcada”. Confirma?"),
    ),
    (
        ["bloqueia a agenda da paula hoje a tarde", "bloqueia mesmo assim"],
        (
            "Vou bloquear a agenda de Dra. Paula Lins: hoje, segunda-feira, 23/11, à tarde, e a consulta já "
            "marcada fica como está. Confirma?"
        ),
    ),
    (
        ["manda mensagem para a maria dizendo que pode vir às 16h"],
        "Vou enviar a Maria Silva (+5511999990001), pelo WhatsApp: “Pode vir às 16h”. Confirma?",
    ),
    (
        ["avisa a maria que ela pode vir mais cedo", "Pode vir mais cedo, Maria."],
        "Vou enviar a Maria Silva (+5511999990001), pelo WhatsApp: “Pode vir mais cedo, Maria.”. Confirma?",
    ),
    (["responde: já vou", "maria"], "Vou enviar a Maria Silva (+5511999990001), pelo WhatsApp: “já vou”. Confirma?"),
    (
        ["marca limpeza pra Maria de Lourdes da Silva quinta 10h 11 97777-6666"],
        (
            "Vou marcar Limpeza com Dra. Paula Lins para Maria de Lourdes da Silva, 11 97777-6666, "
            "quinta-feira, 26/11, às 10h. Confirma?"
        ),
    ),
    (["anota ai q a maria pagou no pix"], "Vou criar a tarefa “Maria pagou no pix”. Confirma?"),
    (["conclui a do laudo agora"], "Vou concluir a tarefa “Enviar o laudo do Pedro”. Confirma?"),
    (
        ["remarca a maria pra quinta 10h e avisa ela"],
        (
            "Vou remarcar Maria Silva (Limpeza com Dra. Paula Lins), de hoje, segunda-feira, 23/11, às 15h "
            "para quinta-feira, 26/11, às 10h. O paciente também será avisado. Confirma?"
        ),
    ),
    (
        ["cancela a da maria e avisa"],
        (
            "Vou cancelar a consulta de Maria Silva (Limpeza com Dra. Paula Lins), hoje, segunda-feira, 23/11, "
            "às 15h. O paciente também será avisado. Confirma?"
        ),
    ),
    (
        ["passa a maria das 15 pra 16"],
        (
            "Vou remarcar Maria Silva (Limpeza com Dra. Paula Lins), de hoje, segunda-feira, 23/11, às 15h "
            "para hoje, segunda-feira, 23/11, às 16h. Confirma?"
        ),
    ),
    (
        ["pode cancelar a maria sim"],
        (
            "Vou cancelar a consulta de Maria Silva (Limpeza com Dra. Paula Lins), hoje, segunda-feira, 23/11, "
            "às 15h. Confirma?"
        ),
    ),
    (
        ["a maria não vai poder vir hoje, dá pra passar pra quinta no mesmo horário?"],
        (
            "Vou remarcar Maria Silva (Limpeza com Dra. Paula Lins), de hoje, segunda-feira, 23/11, às 15h "
            "para quinta-feira, 26/11, às 15h. Confirma?"
        ),
    ),
    (["apaga a tarefa 1"], "Vou apagar para sempre a tarefa “Enviar o laudo do Pedro”. Confirma?"),
    (
        ["tarefa nova: conferir caixa às 18h"],
        "Vou criar a tarefa “Conferir caixa”, para hoje, segunda-feira, 23/11, às 18h. Confirma?",
    ),
    (["folga do caio terça"], "Vou bloquear a agenda de Dr. Caio Prado: amanhã, terça-feira, 24/11. Confirma?"),
    (
        ["agenda a rita melo pra limpeza dia 30 as 10 com a paula 11 97777 6666"],
        (
            "Vou marcar Limpeza com Dra. Paula Lins para Rita Melo, 11 97777 6666, segunda-feira, 30/11, às "
            "10h. Confirma?"
        ),
    ),
    (
        ["remarca para quinta a ana prado"],
        (
            "Vou remarcar Ana Prado (Limpeza com Dra. Paula Lins), de amanhã, terça-feira, 24/11, às 11h para "
            "quinta-feira, 26/11, às 11h. Confirma?"
        ),
    ),
]

WALKED: Talks = [
    (
        ["remarca a ana", "a prado", "sim"],
        "Não entendi “sim”.\n"
        "Para que dia e hora devo remarcar Ana Prado? Agora está para amanhã, terça-feira, 24/11, às 11h.",
    ),
    (
        ["a maria confirmou", "sim", "cancela a da maria"],
        (
            "Vou cancelar a consulta de Maria Silva (Limpeza com Dra. Paula Lins), hoje, segunda-feira, 23/11, às 15h. "
            "Confirma?"
        ),
    ),
    (
        ["a maria confirmou", "sim", "tira a presença da maria"],
        ("Vou registrar a consulta de Maria Silva, hoje, segunda-feira, 23/11, às 15h, como “Marcada”. Confirma?"),
    ),
    (
        ["a maria confirmou", "sim", "a maria chegou"],
        "Vou registrar a chegada de Maria Silva, hoje, segunda-feira, 23/11, às 15h: “Chegou”. Confirma?",
    ),
    (
        ["a maria chegou", "sim", "a maria chegou"],
        "A consulta de Maria Silva, hoje, segunda-feira, 23/11, às 15h, já está como “Chegou”.",
    ),
    (
        ["a maria chegou", "sim", "a maria não chegou"],
        "Vou registrar a chegada de Maria Silva, hoje, segunda-feira, 23/11, às 15h: “Ainda não chegou”. Confirma?",
    ),
    (
        ["a maria chegou", "sim", "quem tá na recepção?"],
        "Hoje, segunda-feira, 23/11, na clínica:\n• 15:00 Maria Silva, Limpeza com Dra. Paula Lins (Chegou)",
    ),
    (
        ["a maria chegou", "sim", "a maria foi atendida"],
        "Vou registrar a consulta de Maria Silva, hoje, segunda-feira, 23/11, às 15h, como “Realizada”. Confirma?",
    ),
    (
        ["bloqueia a agenda da paula quinta de manha", "sim", "o que ta bloqueado quinta?"],
        ("Bloqueado:\n• quinta-feira, 26/11, de manhã: a agenda de Dra. Paula Lins"),
    ),
    (
        ["bloqueia a agenda da paula quinta 14h", "16h", "sim", "libera a agenda de quinta"],
        "Vou desbloquear a agenda de Dra. Paula Lins: quinta-feira, 26/11, das 14h às 16h. Confirma?",
    ),
    (
        ["fecha a agenda da clinica toda dia 8 de dezembro", "sim", "abre dia 8 de dezembro?"],
        "Clínica Aurora, terça-feira, 08/12: fechado.",
    ),
]


async def test_it_is_shown_as_a_whole_before_the_yes_and_changes_nothing(desk: Desk) -> None:
    await scene(desk)
    before = (await desk.agenda(), await desk.tasks(), await desk.audited())
    answers = []
    for messages, _ in SHOWN:
        answer = await desk.say("deixa", *messages)
        answers.append((messages, answer.message))
        assert (messages, answer.pending is not None) == (messages, True)
    assert answers == SHOWN
    assert (await desk.agenda(), await desk.tasks(), await desk.audited()) == before


@pytest.mark.parametrize(("messages", "told"), WALKED)
async def test_after_a_yes_the_next_thing_goes_on_from_there(desk: Desk, messages: list[str], told: str) -> None:
    await scene(desk)
    assert (await desk.say(*messages)).message == told


async def test_a_yes_does_both_of_two_errands(desk: Desk) -> None:
    await scene(desk)
    answer = await desk.say("remarca a maria para quinta e cancela a da ana prado", "sim")
    assert [(tool.tool, tool.success) for tool in answer.tools] == [
        ("move_appointment", True),
        ("cancel_appointment", True),
    ]
    assert await desk.agenda() == [
        ("Carlos Dias", "23 14:00", "no_show"),
        ("Ana Lima", "24 10:00", "confirmed"),
        ("Ana Prado", "24 11:00", "cancelled"),
    ]


async def test_where_one_of_two_is_refused_the_other_is_done_and_both_are_told(desk: Desk) -> None:
    await scene(desk)
    await desk.say("remarca a maria para quarta às 10h e cancela a da ana prado")
    await desk.book("João Souza", "10:00", 25, "+5511999990002")
    answer = await desk.say("sim")
    done, refused = answer.message.split("\n", 1)
    assert done.startswith("Pronto: cancelei a consulta de Ana Prado")
    assert refused.startswith("Não consegui remarcar Maria Silva")
    assert "Dra. Paula Lins já tem um compromisso nesse horário." in refused


async def test_blocked_time_is_audited_and_given_back(desk: Desk) -> None:
    await desk.say("bloqueia a agenda da paula quinta de manhã porque ela viaja", "pode")
    shown = await desk.say("o que tá bloqueado quinta?")
    await desk.say("desbloqueia quinta", "sim")
    assert shown.message == "Bloqueado:\n• quinta-feira, 26/11, de manhã: a agenda de Dra. Paula Lins (ela viaja)"
    assert (await desk.say("o que tá bloqueado quinta?")).message == "Nada bloqueado: quinta-feira, 26/11."
    assert sorted(await desk.audited()) == [
        ("Bia (via assistente)", "agenda.blocked"),
        ("Bia (via assistente)", "agenda.freed"),
    ]


async def test_whose_agenda_it_is_follows_from_who_asks(desk: Desk) -> None:
    answer = await desk.say("bloqueia minha agenda quinta de manhã", actor=replace(BIA, name="Paula Lins"))
    assert answer.message == "Vou bloquear a agenda de Dra. Paula Lins: quinta-feira, 26/11, de manhã. Confirma?"


async def test_what_was_booked_meanwhile_is_shown_before_time_is_blocked_despite_it(desk: Desk) -> None:
    await scene(desk)
    await desk.say("bloqueia a agenda da paula hoje a tarde", "bloqueia mesmo assim")
    await desk.book("Rita Melo", "16:00", phone="+5511999990009")
    told = await desk.say("sim")
    assert "as 2 consultas já marcadas ficam como estão" in told.message
    assert (told.pending is not None, await desk.audited()) == (True, [("Bia (via assistente)", "task.added")])


async def test_a_task_is_for_a_colleague_who_is_named_before_it(desk: Desk) -> None:
    rui = User(RUI.user_id, RUI.name, Role.ATENDENTE, RUI.clinic_id, desk.clock(), "-")
    await desk.gendei.documents.commit([put(user_path(rui.id), USER.write(rui))])
    his = await desk.say("cria uma tarefa pro rui: comprar café")
    nobodys = await desk.say("lembrete para a Ana: levar o exame")
    assert his.message == "Vou criar a tarefa “Comprar café”, com Rui. Confirma?"
    assert nobodys.message == "Vou criar a tarefa “Ana: levar o exame”. Confirma?"


async def test_what_became_of_telling_the_patient_is_told_and_not_what_was_hoped(desk: Desk) -> None:
    await scene(desk)
    shown = await desk.say("cancela a da ana prado e avisa")
    done = await desk.say("sim")
    assert shown.message.endswith("às 11h. O paciente também será avisado. Confirma?")
    assert done.message.endswith(
        "às 11h. Não avisado: o paciente não escreve há mais de 24 horas, e não há modelo aprovado para este aviso."
    )
