"""What the service cannot finish becomes a task of the clinic's by itself, once."""

from tests.journeys.town import AURORA, BROMELIA

from gendei.conversation.follow_ups import Occasion
from gendei.providers.simulator import Failure
from gendei.staff.actors import terminal


async def tasks(town, clinic_id=AURORA):
    """(title, occasion, contact) of every task."""
    found = await town.gendei.tasks.list(terminal(clinic_id))
    return [(one.title, one.occasion, one.link.contact) for one in found.tasks]


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
    assert await maria.say("estou com dor no peito e falta de ar") == last
    waits = ("Atender Maria Silva, que espera por uma pessoa", Occasion.TAKE_OVER, maria.number)
    urgent = ("URGENTE: falar com Maria Silva", Occasion.URGENCY, maria.number)
    assert sorted(await tasks(town)) == sorted([waits, urgent])
    assert await tasks(town, BROMELIA) == []


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
    assert [one.status for one in (await town.gendei.tasks.list(terminal(AURORA))).tasks] == ["pending"]
