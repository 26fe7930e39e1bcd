"""The bot gets a conversation back, or a patient comes back: what was promised and what was open stays known."""

from datetime import timedelta
from pathlib import Path

import pytest
from agents.testing import ScriptedModel, assistant_message
from tests.journeys.model import call, hand_off, models_of
from tests.journeys.phone import Phone
from tests.journeys.town import AURORA, BROMELIA, NOW, Town, open_town

from gendei.conversation.stored.follow_ups import Occasion
from gendei.messages.replies import Reply
from gendei.staff.actors import terminal

MARIA = "+5511999990001"
HERE = terminal(AURORA)


async def pending(town: Town, clinic_id=AURORA) -> list[tuple[Occasion | None, str]]:
    found = await town.gendei.tasks.list(terminal(clinic_id))
    return [(task.occasion, task.description) for task in found.tasks if task.completed_at is None]


def phone(town: Town, clinic_id=AURORA) -> Phone:
    return Phone(town, MARIA, "Maria Silva", clinic_id)


def reopened(folder: Path, after: timedelta, **others):
    """The town, so much later."""
    return open_town(folder, now=NOW + after, outsiders=False, **others)


async def promised(town: Town) -> None:
    """Maria asks for a certificate, and Rosa takes it up."""
    await phone(town).say("preciso de um atestado")
    await town.gendei.front_desk.conversations.send(HERE, MARIA, Reply("Vou pedir à doutora e te envio amanhã."))
    await town.idle()


async def test_what_a_person_promised_is_a_task_when_the_bot_gets_the_conversation_back_by_time(tmp_path):
    async with open_town(tmp_path) as town:
        await promised(town)
        await phone(town, BROMELIA).say("oi")
        assert await pending(town) == []
    async with reopened(tmp_path, timedelta(hours=12, minutes=1)) as town:
        await town.gendei.messaging.returning.sweep()
        await town.gendei.messaging.returning.sweep()
        reason = "pediu um documento, resultado ou algo que só a equipe pode dar"
        assert (await pending(town), await pending(town, BROMELIA)) == ([(Occasion.PROMISED, reason)], [])
        told = await phone(town).say("oi")
        assert ("assistente virtual" in told, "O que ficou combinado" in told) == (False, True)
        assert "combinado" not in await phone(town, BROMELIA).say("oi")
        [task] = (await town.gendei.tasks.list(HERE)).tasks[:1]
        await town.gendei.tasks.complete(HERE, task.id)
        told = await phone(town).say("oi de novo")
        assert ("assistente virtual" in told, "combinado" in told) == (False, False)


async def test_what_is_handed_back_with_something_to_do_is_a_task_and_the_bot_knows(town, maria):
    await promised(town)
    await town.gendei.front_desk.conversations.hand_back(HERE, MARIA, "avisar quando chegar", "Enviar o atestado")
    assert await pending(town) == [(Occasion.PROMISED, "Enviar o atestado")]
    told = await maria.say("bom dia")
    assert ("assistente virtual" in told, "O que ficou combinado" in told, "hoje até as 18h" in told) == (
        False,
        True,
        True,
    )
    assert "Rua do Sol" in await maria.say("onde fica?")
    await town.gendei.front_desk.conversations.take_over(HERE, MARIA)
    await town.gendei.front_desk.conversations.hand_back(HERE, MARIA)
    assert await pending(town) == []


async def test_what_is_handed_back_with_nothing_to_do_is_no_task_and_greeted_as_known(town, maria, joao):
    await promised(town)
    await town.gendei.front_desk.conversations.hand_back(HERE, MARIA)
    assert await pending(town) == []
    assert ["assistente virtual" in await each.say("oi") for each in (maria, joao)] == [False, True]


async def test_days_later_who_talked_with_the_team_is_greeted_like_anybody(tmp_path):
    async with open_town(tmp_path) as town:
        await promised(town)
        await town.gendei.front_desk.conversations.hand_back(HERE, MARIA)
    async with reopened(tmp_path, timedelta(days=2)) as town:
        assert "assistente virtual" in await phone(town).say("oi")


async def test_a_model_is_told_of_what_the_team_promised(tmp_path):
    model = ScriptedModel(
        [hand_off("greeter"), [assistant_message("Bom dia, Maria! A equipe segue com o seu pedido.")]]
    )
    async with open_town(tmp_path) as town:
        await promised(town)
        await town.gendei.front_desk.conversations.hand_back(HERE, MARIA, "", "Enviar o atestado")
    async with reopened(tmp_path, timedelta(minutes=5), models=models_of(model)) as town:
        await phone(town).say("oi")
        assert "o que combinou ainda está por fazer" in str(model.last_call.system_instructions)
    model.assert_complete()


@pytest.mark.parametrize("word", ["sim", "Continuar"])
async def test_after_its_end_a_session_begins_anew_with_what_was_open(tmp_path, word):
    async with open_town(tmp_path) as town:
        await phone(town).say("limpeza amanhã às 15h")
        old = phone(town).last.options[0][0]
    async with reopened(tmp_path, timedelta(minutes=40)) as town:
        maria, stranger = phone(town), phone(town, BROMELIA)
        told = await maria.say("oi")
        seen = await town.conversation(MARIA)
        assert ("Da última vez ficou em aberto" in told, "Limpeza" in told, "às 15h" in told) == (True, True, True)
        assert (maria.options[0], seen["currentAgent"]) == ("Continuar", "greeter")
        kept = [seen["agentState"].get(name) for name in ("available_slots", "offers", "question")]
        assert (kept, await town.agenda_of(MARIA)) == ([None] * 3, [])
        assert "Limpeza" in (await town.gendei.front_desk.views.view(HERE, MARIA)).summary
        asked = await (maria.say(word) if word == "sim" else maria.tap(word))
        assert ("Posso marcar assim?" in asked, await town.agenda_of(MARIA)) == (True, [])
        assert maria.last.options[0][0] != old
        await maria.tap("Confirmar")
        assert await town.agenda_of(MARIA) == [("confirmed", "limpeza", "2026-11-24T15:00")]
        assert "aberto" not in await stranger.say("oi")


async def test_who_comes_back_with_something_else_hears_nothing_of_what_was_open(tmp_path):
    async with open_town(tmp_path) as town:
        await phone(town).say("limpeza amanhã de tarde")
    async with reopened(tmp_path, timedelta(hours=2)) as town:
        told = await phone(town).say("vocês aceitam pix?")
        assert ("Pix" in told, "Limpeza" in told, "Qual" in told) == (True, False, False)


async def test_who_comes_back_and_names_a_day_goes_on_with_what_was_open(tmp_path):
    async with open_town(tmp_path) as town:
        await phone(town).say("limpeza amanhã de tarde")
    async with reopened(tmp_path, timedelta(hours=2)) as town:
        maria = phone(town)
        told = await maria.say("pode ser quarta às 10h?")
        assert ("Limpeza" in told, "quarta-feira, 25/11, às 10h" in told) == (True, True)
        await maria.tap("Confirmar")
        assert await town.agenda_of(MARIA) == [("confirmed", "limpeza", "2026-11-25T10:00")]


async def test_a_tap_on_a_time_of_hours_ago_is_for_whom_it_was_asked(tmp_path):
    async with open_town(tmp_path) as town:
        await phone(town).say("quero limpeza amanhã de tarde para João da Silva, meu filho")
        old = phone(town).last.options[1][0]
    async with reopened(tmp_path, timedelta(hours=1)) as town:
        told = await phone(town).forge(old)
        assert ("lista anterior" in told, "Para: João da Silva" in told) == (True, True)


async def test_a_number_typed_for_a_list_of_hours_ago_chooses_nothing(tmp_path):
    async with open_town(tmp_path) as town:
        await phone(town).say("limpeza amanhã de tarde")
    async with reopened(tmp_path, timedelta(hours=2)) as town:
        told = await phone(town).say("2")
        assert ("Posso marcar assim?" in told, await town.agenda_of(MARIA)) == (False, [])


async def test_a_reminder_of_a_session_that_ended_is_still_answered(tmp_path):
    async with open_town(tmp_path) as town:
        await phone(town).say("limpeza hoje às 15h")
        await phone(town).tap("Confirmar")
    async with reopened(tmp_path, timedelta(hours=2)) as town:
        maria = phone(town)
        await maria.say("quais são os meus horários?")
    async with reopened(tmp_path, timedelta(hours=3)) as town:
        maria = phone(town)
        told = await maria.say("quero cancelar")
        assert "Quer mesmo cancelar?" in told
        await maria.say("sim")
        assert [status for status, *_ in await town.agenda_of(MARIA)] == ["cancelled"]


async def test_a_model_begins_a_new_session_at_triage_with_what_was_open(tmp_path):
    model = ScriptedModel(
        [
            hand_off("sales_closer"),
            call(
                "get_available_slots",
                service_id="limpeza",
                date="amanhã",
                professional_id=None,
                time_from=None,
                time_to=None,
            ),
            [assistant_message("Tenho amanhã de manhã ou de tarde, qual prefere?")],
            hand_off("greeter"),
            [assistant_message("Olá de novo!")],
        ]
    )
    async with open_town(tmp_path, models=models_of(model)) as town:
        await phone(town).say("quero marcar uma limpeza amanhã")
    async with reopened(tmp_path, timedelta(hours=1), models=models_of(model)) as town:
        await phone(town).say("oi")
        read = str(model.last_call.system_instructions)
        assert ("A sessão anterior terminou" in read, "Marcar: Limpeza" in read) == (True, True)
        seen = await town.conversation(MARIA)
        assert (seen["currentAgent"], seen["agentState"].get("available_slots")) == ("greeter", None)
    model.assert_complete()
