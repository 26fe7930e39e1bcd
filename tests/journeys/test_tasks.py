"""What the service cannot finish becomes a task of the clinic's by itself, once."""

from tests.journeys.town import AURORA, BROMELIA

from gendei.conversation.stored.follow_ups import Occasion
from gendei.documents import Query, put
from gendei.messages.keys import INBOX
from gendei.messages.replies import Reply
from gendei.providers.stand_in.graph import Failure
from gendei.staff.actors import terminal
from gendei.staff.audit import Action
from gendei.staff.tasks.stored import Link


async def tasks(town, clinic_id=AURORA):
    """(title, occasion, contact) of every task."""
    found = await town.gendei.tasks.list(terminal(clinic_id))
    return [(task.title, task.occasion, task.link.contact) for task in found.tasks]


async def test_who_asks_for_a_person_is_a_task(town, maria):
    await maria.say("quero falar com uma pessoa")
    await maria.say("oi?")
    title = "Atender Maria Silva, que espera por uma pessoa"
    assert (await tasks(town), await tasks(town, BROMELIA)) == ([(title, Occasion.TAKE_OVER, maria.number)], [])


async def test_an_urgency_is_a_task_of_its_own_kind(town, maria):
    await maria.say("estou com dor no peito e falta de ar")
    assert await tasks(town) == [("URGENTE: falar com Maria Silva", Occasion.URGENCY, maria.number)]


async def test_an_urgency_in_a_persons_conversation_is_a_task_and_the_bot_stays_silent(town, maria):
    last = await maria.say("quero falar com uma pessoa")
    await town.gendei.front_desk.conversations.take_over(terminal(AURORA), maria.number)
    assert await maria.say("estou com dor no peito e falta de ar") == last
    waits = ("Atender Maria Silva, que espera por uma pessoa", Occasion.TAKE_OVER, maria.number)
    urgent = ("URGENTE: falar com Maria Silva", Occasion.URGENCY, maria.number)
    assert sorted(await tasks(town)) == sorted([waits, urgent])
    assert await tasks(town, BROMELIA) == []


async def test_what_the_service_cannot_read_is_a_task(town, maria):
    await maria.say("oi")
    [entry] = [
        snapshot for snapshot in await town.gendei.documents.query(Query(INBOX)) if snapshot.data["clinicId"] == AURORA
    ]
    unread = {**entry.data, "status": "waiting", "message": {"id": "wamid.broken", "type": "hologram"}}
    await town.gendei.documents.commit([put(f"{INBOX}/wamid.broken", unread)])
    await maria.write("alguém aí?")
    await town.idle()
    title = "Ler o que Maria Silva escreveu, porque a assistente não conseguiu responder"
    assert await tasks(town) == [(title, Occasion.PARKED, maria.number)]


async def test_messages_that_whatsapp_refuses_are_one_task_until_it_is_done(town, maria):
    async def fail():
        town.graph.fail_next(Failure(status=400, code=131026))
        await maria.write("onde fica?")
        await town.idle()

    await fail()
    await fail()
    title = "Avisar Maria Silva por outro meio, porque uma mensagem não chegou"
    assert await tasks(town) == [(title, Occasion.FAILED_SEND, maria.number)]
    [only] = (await town.gendei.tasks.list(terminal(AURORA))).tasks
    await town.gendei.tasks.complete(terminal(AURORA), only.id)
    await fail()
    assert [task.status for task in (await town.gendei.tasks.list(terminal(AURORA))).tasks] == ["pending"]


async def pending(town, clinic_id=AURORA):
    return [
        task.occasion for task in (await town.gendei.tasks.list(terminal(clinic_id))).tasks if not task.completed_at
    ]


async def test_a_wait_is_over_with_the_answer_and_the_audit_says_whose(town, maria, dalva):
    desk, here = town.gendei.front_desk.conversations, terminal(AURORA)
    for patient in (maria, dalva):
        await patient.say("quero falar com uma pessoa")
    await desk.take_over(here, maria.number)
    assert await pending(town) == [Occasion.TAKE_OVER]
    await desk.send(here, maria.number, Reply("Oi, Maria, aqui é a Rosa."))
    assert (await pending(town), await pending(town, BROMELIA)) == ([], [Occasion.TAKE_OVER])
    [done] = (await town.gendei.tasks.list(here)).tasks
    [entry] = await town.gendei.staff.audit.search(here, action=Action.TASK_COMPLETED)
    assert (entry.name, entry.subject, entry.detail) == (here.name, done.id, {"after": "conversation.message_sent"})
    assert done.completed_by == here.name


async def test_an_urgency_is_over_once_a_person_has_done_with_the_conversation(town, maria):
    desk, here = town.gendei.front_desk.conversations, terminal(AURORA)
    await maria.say("estou com dor no peito e falta de ar")
    await desk.send(here, maria.number, Reply("Oi, Maria, aqui é a Rosa."))
    assert await pending(town) == [Occasion.URGENCY]
    await desk.hand_back(here, maria.number, "já está no hospital")
    assert await pending(town) == []


async def test_what_is_closed_unanswered_waits_no_more_and_asks_anew(town, maria):
    desk, here = town.gendei.front_desk.conversations, terminal(AURORA)
    await maria.say("quero falar com uma pessoa")
    await desk.close(here, maria.number)
    assert await pending(town) == []
    await maria.say("quero falar com uma pessoa")
    assert await pending(town) == [Occasion.TAKE_OVER]


async def test_a_failed_send_and_what_staff_wrote_down_are_not_done_by_an_answer(town, maria):
    here = terminal(AURORA)
    await maria.say("oi")
    await town.gendei.tasks.add(here, "Ligar para Maria", link=Link(maria.number))
    town.graph.fail_next(Failure(status=400, code=131026))
    await maria.write("onde fica?")
    await town.idle()
    await town.gendei.front_desk.conversations.close(here, maria.number)
    assert sorted(map(str, await pending(town))) == ["None", "failed_send"]


async def test_who_booked_and_read_of_a_deposit_is_a_task_and_who_moves_reads_no_more_of_it(town, maria):
    await maria.say("quero marcar canal amanhã às 14h")
    assert await pending(town) == []
    assert "A equipe envia como pagar" in await maria.tap("Confirmar")
    [task] = (await town.gendei.tasks.list(terminal(AURORA))).tasks
    assert (task.occasion, task.title, task.description) == (
        Occasion.DEPOSIT,
        "Enviar a Maria Silva como pagar o sinal",
        "Tratamento de canal com Dr. Caio Prado, terça-feira, 24/11, às 14h (Maria Silva) · sinal de R$ 200,00",
    )
    await maria.say("preciso mudar")
    await maria.tap("ter 24/11 15h")
    assert "sinal" not in await maria.tap("Sim, mudar")
    assert (await pending(town), await tasks(town, BROMELIA)) == ([Occasion.DEPOSIT], [])


async def test_a_deposit_is_owed_no_more_once_the_appointment_is_cancelled(town, maria):
    await maria.say("quero marcar canal amanhã às 14h")
    await maria.tap("Confirmar")
    await town.gendei.tasks.add(terminal(AURORA), "Ligar para Maria", link=Link(maria.number))
    await maria.say("quero cancelar")
    await maria.tap("Sim, cancelar")
    assert await pending(town) == [None]
    done = [task for task in (await town.gendei.tasks.list(terminal(AURORA))).tasks if task.completed_at]
    assert [(task.occasion, task.completed_by) for task in done] == [(Occasion.DEPOSIT, None)]


async def test_a_booking_without_a_deposit_is_no_task(town, maria):
    await maria.say("quero marcar uma limpeza amanhã às 14h")
    await maria.tap("Confirmar")
    assert await tasks(town) == []


async def test_a_document_is_a_task_until_a_person_has_done_with_the_conversation(town, maria):
    document = {"type": "document", "document": {"id": "555", "mime_type": "application/pdf", "filename": "guia.pdf"}}
    assert await town.post(town.maker().message(maria.number, document, name=maria.name)) == 200
    await town.idle()
    assert "a equipe vai ver" in maria.last.text
    assert await tasks(town) == [("Ver o arquivo que Maria Silva enviou", Occasion.FILE, maria.number)]
    await town.gendei.front_desk.conversations.send(terminal(AURORA), maria.number, Reply("Oi, Maria."))
    assert await pending(town) == [Occasion.FILE]
    await town.gendei.front_desk.conversations.hand_back(terminal(AURORA), maria.number)
    assert (await pending(town), await tasks(town, BROMELIA)) == ([], [])
