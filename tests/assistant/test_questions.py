"""What staff ask in the middle of work, as they type it, and what guided answers at once."""

from tests.assistant.conftest import OLGA, Desk
from tests.assistant.test_errands import scene

Talks = list[tuple[list[str], str]]
"""What was said, and what is answered to the last of it."""
ASKED: Talks = [
    (["o q tenho hj"], ("Hoje, segunda-feira, 23/11:\n• 15:00 Maria Silva, Limpeza com Dra. Paula Lins")),
    (
        ["quem não confirmou (amanhã)?"],
        (
            "Amanhã, terça-feira, 24/11, sem presença confirmada:\n"
            "• 10:00 Ana Lima, Limpeza com Dra. Paula Lins\n"
            "• 11:00 Ana Prado, Limpeza com Dra. Paula Lins"
        ),
    ),
    (
        ["quem falta confirmar"],
        (
            "Hoje, segunda-feira, 23/11, sem presença confirmada:\n"
            "• 15:00 Maria Silva, Limpeza com Dra. Paula Lins\n"
            "Amanhã, terça-feira, 24/11, sem presença confirmada:\n"
            "• 10:00 Ana Lima, Limpeza com Dra. Paula Lins\n"
            "• 11:00 Ana Prado, Limpeza com Dra. Paula Lins"
        ),
    ),
    (["quem já confirmou?"], "Ninguém confirmou presença ainda: de segunda-feira 23/11 a terça-feira 24/11."),
    (["quem cancelou hoje?"], "Ninguém cancelou: hoje, segunda-feira, 23/11."),
    (
        ["quantos faltaram hoje?"],
        ("Hoje, segunda-feira, 23/11: 1 consulta\n• 14:00 Carlos Dias, Limpeza com Dra. Paula Lins (Não compareceu)"),
    ),
    (["quem é o próximo?"], ("Hoje, segunda-feira, 23/11:\n• 15:00 Maria Silva, Limpeza com Dra. Paula Lins")),
    (["quem é o último hoje?"], ("Hoje, segunda-feira, 23/11:\n• 15:00 Maria Silva, Limpeza com Dra. Paula Lins")),
    (["q horas é a ana lima"], ("Amanhã, terça-feira, 24/11:\n• 10:00 Ana Lima, Limpeza com Dra. Paula Lins")),
    (["qual o valor da limpeza?"], "• Limpeza: R$ 180,00"),
    (["quanto tempo demora um canal?"], "• Tratamento de canal: 60 minutos"),
    (["aceita Unimed?"], "Não achei “unimed” entre os convênios. Convênios: Odontoprev."),
    (["vcs atendem odontoprev?"], "Sim, a clínica aceita Odontoprev. Convênios: Odontoprev."),
    (
        ["aceita pix? e odontoprev?"],
        ("Formas de pagamento: Pix, dinheiro.\nSim, a clínica aceita Odontoprev. Convênios: Odontoprev."),
    ),
    (["quais convenios"], "Convênios: Odontoprev."),
    (["qual o endereço da clínica?"], "Endereço: Rua do Sol, 12, Campinas."),
    (["qual o telefone da clinica"], "Telefone da clínica: +55 19 4002-3000."),
    (["tem estacionamento?"], "Isso não está no cadastro da clínica."),
    (["que horas a clínica abre sábado?"], "Clínica Aurora, sábado, 28/11: fechado."),
    (["abre amanha?"], "Clínica Aurora, amanhã, terça-feira, 24/11: 9h às 12h e 14h às 18h."),
    (["abre sexta?"], "Clínica Aurora, sexta-feira, 27/11: fechado."),
    (["o caio atende que dias?"], ("Dr. Caio Prado:\n• terça: 14h às 16h")),
    (["o caio atende quarta?"], "Dr. Caio Prado não atende quarta-feira, 25/11."),
    (["quem faz canal?"], "Tratamento de canal: Dr. Caio Prado."),
    (
        ["quem atende amanha"],
        (
            "Dra. Paula Lins, amanhã, terça-feira, 24/11: 9h às 12h e 14h às 18h.\n"
            "Dr. Caio Prado, amanhã, terça-feira, 24/11: 14h às 16h."
        ),
    ),
    (
        ["tem horario livre amanha de tarde com a paula?"],
        ("Horários livres de Limpeza, Dra. Paula Lins:\n• amanhã, terça-feira, 24/11: 14:00, 15:00, 16:00, 17:00"),
    ),
    (
        ["tem vaga pra limpeza amanha as 10h?"],
        (
            "Nesse horário não há vaga para Limpeza. Horários livres:\n"
            "• amanhã, terça-feira, 24/11: 09:00, 14:00, 15:00, 16:00, 17:00"
        ),
    ),
    (["o que tá bloqueado amanhã?"], "Nada bloqueado: amanhã, terça-feira, 24/11."),
    (["tem alguem esperando?"], "Ninguém está esperando por uma pessoa."),
    (["quem mandou mensagem?"], "Nenhuma mensagem por ler."),
    (["o que a maria escreveu?"], "Não há mensagens na conversa de Maria Silva."),
    (["agenda do caio"], "Nenhuma consulta com Dr. Caio Prado: hoje, segunda-feira, 23/11."),
    (["tarefas do rui"], ("Nenhuma tarefa pendente com “rui”.\n1 tarefa pendente:\n1. Enviar o laudo do Pedro")),
    (["o que falta fazer hoje"], "Nenhuma tarefa pendente com prazo até lá."),
    (["limpa minhas tarefas"], "Não faço isso com tudo de uma vez. Diga qual, uma de cada vez."),
    (["avisa todo mundo que vamos atrasar"], "Não faço isso com tudo de uma vez. Diga qual, uma de cada vez."),
    (
        ["manda pra maria e pra ana: vamos atrasar"],
        "Escrevo para um paciente de cada vez. Diga para quem primeiro, e depois peça a outra.",
    ),
    (
        ["desfaz"],
        (
            "Não sei desfazer. Peça o contrário: por exemplo, “remarca a Ana para hoje às 15h”, “reabre a "
            "tarefa do laudo” ou “devolve a conversa da Ana”."
        ),
    ),
    (
        ["cancela a do carlos"],
        (
            "Não achei consulta que combine com isso.\n"
            "Na agenda há:\n"
            "Hoje, segunda-feira, 23/11:\n"
            "• 14:00 Carlos Dias, Limpeza com Dra. Paula Lins (Não compareceu)"
        ),
    ),
    (
        ["a maria ta brava"],
        (
            "Não entendi “a maria ta brava”.\n"
            "Na agenda há:\n"
            "Hoje, segunda-feira, 23/11:\n"
            "• 15:00 Maria Silva, Limpeza com Dra. Paula Lins\n"
            "Posso remarcar, cancelar, registrar presença ou falta, ou escrever ao paciente."
        ),
    ),
    (["remarca a maria pra ontem"], "Esse horário já passou. Diga outro."),
    (
        ["remarca a maria pra hoje"],
        "A consulta de Maria Silva já está marcada para hoje, segunda-feira, 23/11, às 15h.",
    ),
    (
        ["marca limpeza pra rita e joao terça 15h"],
        "Marco para um paciente de cada vez. Peça a primeira, e depois a outra.",
    ),
    (
        ["cancela a da ana e a da maria"],
        (
            "Sobre “cancela a da ana”: Qual delas?\n"
            "1. amanhã, terça-feira, 24/11, às 10h, Ana Lima, Limpeza\n"
            "2. amanhã, terça-feira, 24/11, às 11h, Ana Prado, Limpeza\n"
            "Responda com o número."
        ),
    ),
    (["cancela a da ana e a da maria", "deixa"], "Certo, não fiz nada."),
    (
        ["cancela a da ana e a da maria", "minhas tarefas"],
        ("1 tarefa pendente:\n1. Enviar o laudo do Pedro\nDo que você pediu antes, não fiz nada."),
    ),
    (
        ["apaga a tarefa do laudo e a das luvas"],
        "Não há tarefa parecida com “luvas”. Veja a lista e escreva o título como está nela.",
    ),
    (
        ["cancela a ana", "não, a outra"],
        (
            "Não entendi “não, a outra”.\n"
            "Qual delas?\n"
            "1. amanhã, terça-feira, 24/11, às 10h, Ana Lima, Limpeza\n"
            "2. amanhã, terça-feira, 24/11, às 11h, Ana Prado, Limpeza\n"
            "Responda com o número."
        ),
    ),
    (["cancela a das 15h", "não, a das 16h"], "Certo, não fiz nada."),
    (
        ["remarca a ana", "passa pra quinta"],
        (
            "Qual delas?\n"
            "1. amanhã, terça-feira, 24/11, às 10h, Ana Lima, Limpeza → quinta-feira, 26/11, às 10h\n"
            "2. amanhã, terça-feira, 24/11, às 11h, Ana Prado, Limpeza → quinta-feira, 26/11, às 11h\n"
            "Responda com o número."
        ),
    ),
    (["remarca a maria pra quinta de manhã"], "A que horas? Livres quinta-feira, 26/11: 09:00, 10:00, 11:00."),
    (
        ["a ana lima faltou"],
        (
            "Não achei consulta que combine com isso.\n"
            "Na agenda há:\n"
            "Amanhã, terça-feira, 24/11:\n"
            "• 10:00 Ana Lima, Limpeza com Dra. Paula Lins"
        ),
    ),
    (
        ["bloqueia minha agenda quinta de manhã"],
        "A agenda de quem? Dra. Paula Lins, Dr. Caio Prado, ou da clínica toda.",
    ),
    (
        ["bloqueia a agenda da paula hoje a tarde"],
        (
            "Há consultas nesse período, e não bloqueei nada:\n"
            "• 23/11 15:00 Maria Silva\n"
            "Remarque ou cancele antes, ou diga “bloqueia mesmo assim”."
        ),
    ),
    (["me lembra disso"], "O que devo anotar na tarefa?"),
    (
        ["Bom diaaa, me diz quem eu tenho hj a tarde com a paula pfv"],
        ("Hoje, segunda-feira, 23/11:\n• 15:00 Maria Silva, Limpeza com Dra. Paula Lins"),
    ),
    (
        ["a maria já confirmou?"],
        "• Maria Silva, hoje, segunda-feira, 23/11, às 15h: Marcada, ainda sem presença confirmada.",
    ),
    (["o carlos faltou?"], "• Carlos Dias, hoje, segunda-feira, 23/11, às 14h: Não compareceu."),
    (["quem tá na recepção?"], "Ninguém chegou ainda hoje."),
    (
        ["me passa o tel da ana prado e da maria"],
        (
            "Sobre “me passa o tel da ana prado”: • Ana Prado: +5511999990004\n"
            "Sobre “da maria”: • Maria Silva: +5511999990001"
        ),
    ),
    (
        ["tem consulta marcada pra ana lima?"],
        ("Amanhã, terça-feira, 24/11:\n• 10:00 Ana Lima, Limpeza com Dra. Paula Lins"),
    ),
    (["cancela tudo e apaga todas as tarefas"], "Não faço isso com tudo de uma vez. Diga qual, uma de cada vez."),
    (
        ["quanto é a limpeza? e quanto tempo demora o canal?"],
        (
            "Sobre “quanto é a limpeza”: • Limpeza: R$ 180,00\n"
            "Sobre “quanto tempo demora o canal?”: • Tratamento de canal: 60 minutos"
        ),
    ),
]


async def test_a_question_is_answered_and_nothing_waits_for_a_yes(desk: Desk) -> None:
    await scene(desk)
    before = (await desk.agenda(), await desk.tasks(), await desk.audited())
    answers = []
    for messages, _ in ASKED:
        answer = await desk.say("deixa", *messages)
        answers.append((messages, answer.message))
        assert (messages, answer.pending) == (messages, None)
    assert answers == ASKED
    now = (await desk.agenda(), await desk.tasks())
    assert (*now, [entry for entry in await desk.audited() if entry[1] != "conversation.read"]) == before


OUTSIDE = [
    "quem falta confirmar",
    "quem é o próximo?",
    "tel da ana prado",
    "o que a maria escreveu?",
    "a maria ta brava",
]
OUTSIDE += [
    "quem faltou hoje?",
    "minhas tarefas",
    "quem mandou mensagem?",
    "o que tá bloqueado quinta?",
    "agenda da semana",
]


async def test_somebody_of_another_clinic_is_told_nothing_of_it(desk: Desk) -> None:
    await scene(desk)
    await desk.say("bloqueia a agenda da paula quinta de manhã", "sim")
    told = [(await desk.say(value, actor=OLGA)).message for value in OUTSIDE]
    names = ("Maria Silva", "Ana", "Carlos", "99999", "laudo", "Paula")
    assert [(value, name) for value in told for name in names if name in value and "“" not in value] == []
