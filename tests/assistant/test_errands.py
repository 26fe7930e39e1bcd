"""The common errands, in the words of staff, without a language model."""

from datetime import timedelta

from tests.assistant.conftest import MARIA, OLGA, RUI, Desk

from gendei.assistant.turn import MOST_PLANNED

ANA, PRADO, CARLOS = "+5511999990003", "+5511999990004", "+5511999990005"


async def scene(desk: Desk) -> None:
    await desk.converse()
    await desk.book("Maria Silva", "15:00")
    await desk.book("Ana Lima", "10:00", 24, ANA)
    await desk.book("Ana Prado", "11:00", 24, PRADO)
    await desk.missed("Carlos Dias", "14:00", CARLOS)
    await desk.say("cria tarefa enviar o laudo do Pedro", "sim")


async def test_tasks_are_understood_in_english(desk: Desk) -> None:
    asked = await desk.say("add buy groceries")
    assert (asked.message, await desk.tasks()) == ("Vou criar a tarefa “Buy groceries”. Confirma?", [])
    for message in ("yes", "remind me to call mom", "yes", "Create a task to water the plants", "yes"):
        desk.clock.now += timedelta(seconds=1)  # tasks of one moment have no order
        await desk.say(message)
    listed = await desk.say("show my tasks")
    assert listed.message == "3 tarefas pendentes:\n1. Buy groceries\n2. Call mom\n3. Water the plants"
    await desk.say("mark the groceries task as done", "yes", "delete the plants task", "yes")
    assert (await desk.say("what is pending?")).message == "1 tarefa pendente:\n1. Call mom"
    assert (await desk.say("completed tasks")).message == "1 tarefa concluída:\n1. Buy groceries"
    outsider = await desk.say("show my tasks", actor=OLGA)
    assert outsider.message == "Nenhuma tarefa pendente."


async def test_a_personal_task_is_the_askers_alone(desk: Desk) -> None:
    said = {
        "cria uma tarefa só minha: ligar para o contador sexta às 10h": (
            "Vou criar a tarefa “Ligar para o contador”, que só você vê, para sexta-feira, 27/11, às 10h. Confirma?"
        ),
        "add a private task: buy a gift": "Vou criar a tarefa “Buy a gift”, que só você vê. Confirma?",
        "me lembra, só pra mim, de pagar o curso": "Vou criar a tarefa “Pagar o curso”, que só você vê. Confirma?",
        "cria tarefa pessoal rever contrato": "Vou criar a tarefa “Rever contrato”, que só você vê. Confirma?",
        "cria uma tarefa: avisar o pessoal da limpeza": "Vou criar a tarefa “Avisar o pessoal da limpeza”. Confirma?",
    }
    assert {asked: (await desk.say(asked)).message for asked in said} == said
    for asked in (*[*said][:2], "cria tarefa comprar luvas"):
        desk.clock.now += timedelta(seconds=1)  # tasks of one moment have no order
        await desk.say(asked, "sim")
    mine = "1. Ligar para o contador, para sexta-feira, 27/11, às 10h (só você vê)\n2. Buy a gift (só você vê)"
    assert (await desk.say("minhas tarefas pessoais")).message == f"2 tarefas pendentes:\n{mine}"
    assert (await desk.say("minhas tarefas")).message == f"3 tarefas pendentes:\n{mine}\n3. Comprar luvas"
    theirs = [(await desk.say(asked, actor=RUI)).message for asked in ("minhas tarefas", "apaga a tarefa do contador")]
    assert theirs[0] == "1 tarefa pendente:\n1. Comprar luvas"
    assert theirs[1].startswith("Não há tarefa parecida com “contador”.")
    await desk.say("conclui a tarefa do contador", "sim")
    assert (await desk.say("tarefas concluídas", actor=RUI)).message == "Nenhuma tarefa concluída."


READING = {
    "o que tenho hoje?": "Hoje, segunda-feira, 23/11:\n• 15:00 Maria Silva, Limpeza com Dra. Paula Lins",
    "quem vem amanhã de manhã?": (
        "Amanhã, terça-feira, 24/11:\n• 10:00 Ana Lima, Limpeza com Dra. Paula Lins\n"
        "• 11:00 Ana Prado, Limpeza com Dra. Paula Lins"
    ),
    "quantas consultas tenho hoje?": (
        "Hoje, segunda-feira, 23/11: 1 consulta\n• 15:00 Maria Silva, Limpeza com Dra. Paula Lins"
    ),
    "agenda da semana": (
        "Hoje, segunda-feira, 23/11:\n• 15:00 Maria Silva, Limpeza com Dra. Paula Lins\n"
        "Amanhã, terça-feira, 24/11:\n• 10:00 Ana Lima, Limpeza com Dra. Paula Lins\n"
        "• 11:00 Ana Prado, Limpeza com Dra. Paula Lins"
    ),
    "o que a Zuleica tem na agenda de amanhã?": "Não achei “zuleica” na agenda: amanhã, terça-feira, 24/11.",
    "tarefas atrasadas": "Nenhuma tarefa atrasada.",
    "tarefas concluídas": "Nenhuma tarefa concluída.",
    "bom dia, quem eu atendo hoje?": "Hoje, segunda-feira, 23/11:\n• 15:00 Maria Silva, Limpeza com Dra. Paula Lins",
    "quando é a consulta da Ana Prado?": (
        "Amanhã, terça-feira, 24/11:\n• 11:00 Ana Prado, Limpeza com Dra. Paula Lins"
    ),
    "agenda de quarta": "Nenhuma consulta: quarta-feira, 25/11.",
    "quem faltou hoje?": (
        "Hoje, segunda-feira, 23/11:\n• 14:00 Carlos Dias, Limpeza com Dra. Paula Lins (Não compareceu)"
    ),
    "quem está esperando?": "Ninguém está esperando por uma pessoa.",
    "minhas tarefas": "1 tarefa pendente:\n1. Enviar o laudo do Pedro",
    "telefone da Ana Lima": f"• Ana Lima: {ANA}",
    "apaga tudo": "Não faço isso com tudo de uma vez. Diga qual, uma de cada vez.",
    "limpa a agenda de amanhã": "Não faço isso com tudo de uma vez. Diga qual, uma de cada vez.",
    "cria tarefa " + "x" * 201: "O título pode ter até 200 caracteres. Deixe o resto para a descrição.",
    "cancela todas as consultas de amanhã": "Não faço isso com tudo de uma vez. Diga qual, uma de cada vez.",
    "sim": "Não há nada esperando a sua confirmação. O que você quer fazer?",
    "cancela a da Zuleica": "Não achei consulta que combine com isso.",
    "assume a conversa da Zuleica": "Não achei conversa de “zuleica”.",
}


async def test_what_is_only_asked_is_answered_at_once(desk: Desk) -> None:
    await scene(desk)
    assert {asked: (await desk.say(asked)).message for asked in READING} == READING


SHOWN: list[tuple[list[str], str]] = [
    (
        ["remarca a das 15h para quinta"],
        "Vou remarcar Maria Silva (Limpeza com Dra. Paula Lins), de hoje, segunda-feira, 23/11, às 15h "
        "para quinta-feira, 26/11, às 15h. Confirma?",
    ),
    (
        ["remarca a Maria", "quarta às 9h"],
        "Vou remarcar Maria Silva (Limpeza com Dra. Paula Lins), de hoje, segunda-feira, 23/11, às 15h "
        "para quarta-feira, 25/11, às 9h. Confirma?",
    ),
    (
        ["preciso remarcar a Maria", "quarta", "às 9h"],
        "Vou remarcar Maria Silva (Limpeza com Dra. Paula Lins), de hoje, segunda-feira, 23/11, às 15h "
        "para quarta-feira, 25/11, às 9h. Confirma?",
    ),
    (
        ["desmarca a Maria porque ela viajou"],
        "Vou cancelar a consulta de Maria Silva (Limpeza com Dra. Paula Lins), hoje, segunda-feira, 23/11, às 15h, "
        "com o motivo “ela viajou”. Confirma?",
    ),
    (
        ["avisa a Maria que atrasou", "Vamos atrasar 10 minutos."],
        "Vou enviar a Maria Silva (+5511999990001), pelo WhatsApp: “Vamos atrasar 10 minutos.”. Confirma?",
    ),
    (
        ["cancela a da Ana", "2"],
        "Vou cancelar a consulta de Ana Prado (Limpeza com Dra. Paula Lins), amanhã, terça-feira, 24/11, às 11h. "
        "Confirma?",
    ),
    (
        ["a Maria faltou"],
        "Vou registrar a consulta de Maria Silva, hoje, segunda-feira, 23/11, às 15h, como “Não compareceu”. Confirma?",
    ),
    (
        ["me lembra de ligar para quem faltou hoje"],
        "Vou criar a tarefa “Ligar para Carlos Dias, que faltou em 23/11”, ligada ao paciente Carlos Dias. Confirma?",
    ),
    (
        ["cria tarefa ligar para João segunda", "2"],
        "Vou criar a tarefa “Ligar para João”, para segunda-feira, 30/11. Confirma?",
    ),
    (
        ["renomeia a tarefa do laudo", "Laudo do Pedro para a sala 2"],
        "Vou mudar a tarefa “Enviar o laudo do Pedro”, com o título “Laudo do Pedro para a sala 2”. Confirma?",
    ),
    (
        ["a Ana Lima confirmou presença"],
        "Vou registrar a consulta de Ana Lima, amanhã, terça-feira, 24/11, às 10h, como “Presença confirmada”. "
        "Confirma?",
    ),
    (
        ["a Maria chegou"],
        "Vou registrar a chegada de Maria Silva, hoje, segunda-feira, 23/11, às 15h: “Chegou”. Confirma?",
    ),
    (
        ["a Maria está em atendimento"],
        "Vou registrar a chegada de Maria Silva, hoje, segunda-feira, 23/11, às 15h: “Na sala”. Confirma?",
    ),
    (
        ["me lembra amanhã de levar o exame"],
        "Vou criar a tarefa “Levar o exame”, para amanhã, terça-feira, 24/11. Confirma?",
    ),
    (["conclui a tarefa do laudo"], "Vou concluir a tarefa “Enviar o laudo do Pedro”. Confirma?"),
    (["apaga a tarefa do laudo"], "Vou apagar para sempre a tarefa “Enviar o laudo do Pedro”. Confirma?"),
    (
        ["adia a tarefa do laudo para sexta às 10h"],
        "Vou mudar a tarefa “Enviar o laudo do Pedro”, para sexta-feira, 27/11, às 10h. Confirma?",
    ),
    (
        ["assume a conversa", "da Maria"],
        "Vou assumir a conversa de Maria Silva (+5511999990001): a assistente para de responder. Confirma?",
    ),
    (
        ["responde para a Maria: pode vir às 15h"],
        "Vou enviar a Maria Silva (+5511999990001), pelo WhatsApp: “pode vir às 15h”. Confirma?",
    ),
    (
        ["bloqueia a agenda da paula quinta 14h", "16"],
        "Vou bloquear a agenda de Dra. Paula Lins: quinta-feira, 26/11, das 14h às 16h. Confirma?",
    ),
    (
        ["marca limpeza para Rita Melo quinta", "10", "11 97777-6666"],
        "Vou marcar Limpeza com Dra. Paula Lins para Rita Melo, 11 97777-6666, quinta-feira, 26/11, às 10h. Confirma?",
    ),
    (
        ["marca limpeza para Rita Melo semana que vem às 10h, 11 97777-6666", "terça"],
        "Vou marcar Limpeza com Dra. Paula Lins para Rita Melo, 11 97777-6666, terça-feira, 01/12, às 10h. Confirma?",
    ),
    (
        ["muda o prazo do laudo", "sexta às 10h"],
        "Vou mudar a tarefa “Enviar o laudo do Pedro”, para sexta-feira, 27/11, às 10h. Confirma?",
    ),
    (
        ["responde", "maria", "Cancela se não puder vir."],
        "Vou enviar a Maria Silva (+5511999990001), pelo WhatsApp: “Cancela se não puder vir.”. Confirma?",
    ),
    (
        ["marca limpeza para Antônia Melo com a Paula", "quarta às 9h", "11 97777-6666"],
        "Vou marcar Limpeza com Dra. Paula Lins para Antônia Melo, 11 97777-6666, quarta-feira, 25/11, às 9h. "
        "Confirma?",
    ),
]


async def test_what_changes_something_is_shown_first_and_changes_nothing(desk: Desk) -> None:
    await scene(desk)
    before = (await desk.agenda(), await desk.tasks(), await desk.audited())
    assert [(messages, (await desk.say(*messages)).message) for messages, _ in SHOWN] == SHOWN
    assert (await desk.agenda(), await desk.tasks(), await desk.audited()) == before


async def test_a_yes_does_what_was_shown_and_the_audit_says_through_whom(desk: Desk) -> None:
    await scene(desk)
    await desk.say("remarca a das 15h para quarta às 9h", "pode")
    await desk.say("cancela a da Ana Prado", "isso mesmo")
    await desk.say("assume a conversa da Maria", "sim")
    await desk.say("conclui a tarefa do laudo", "ok")
    said = await desk.say("apaga a tarefa do laudo", "confirmo")
    assert said.message == "Pronto: apaguei a tarefa “Enviar o laudo do Pedro”."
    assert await desk.agenda() == [
        ("Carlos Dias", "23 14:00", "no_show"),
        ("Ana Lima", "24 10:00", "confirmed"),
        ("Ana Prado", "24 11:00", "cancelled"),
        ("Maria Silva", "25 09:00", "confirmed"),
    ]
    actions = ["task.deleted", "task.completed", "conversation.taken_over", "appointment.cancelled"]
    actions += ["appointment.moved", "task.added"]
    assert sorted(await desk.audited()) == sorted(("Bia (via assistente)", action) for action in actions)
    assert await desk.tasks() == []


async def test_a_no_does_nothing(desk: Desk) -> None:
    await desk.book("Maria Silva", "15:00", phone=MARIA)
    before = await desk.agenda()
    answer = await desk.say("cancela a das 15h", "não")
    assert (answer.message, answer.pending, await desk.agenda()) == ("Certo, não fiz nada.", None, before)


async def test_who_missed_this_week_is_looked_for_behind_and_more_than_ten_are_said_to_be_more(desk: Desk) -> None:
    hours = [(day, hour) for day in (23, 24) for hour in (10, 11, 14, 15, 16, 17)][:11]
    for day, hour in hours:
        await desk.missed(f"Paciente {day} {hour}", f"{hour}:00", f"+55119888{day}{hour}0", day)
    desk.clock.now += timedelta(days=3)
    listed = await desk.say("quem faltou essa semana?")
    shown = await desk.say("me lembra de ligar para quem faltou essa semana")
    assert listed.message.count("(Não compareceu)") == len(hours)
    assert shown.message.startswith("Não cabe tudo de uma vez.")
    assert shown.pending is not None
    assert len(shown.pending.deeds) == MOST_PLANNED
