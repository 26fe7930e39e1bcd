"""What becomes one turn, in which order, and how often a message is answered: once."""

import asyncio

from agents.testing import ScriptedModel, assistant_message
from agents.testing.model import ModelStep
from tests.journeys.model import models_of
from tests.journeys.phone import Phone
from tests.journeys.town import open_town

QUIET = 0.15
"""Seconds: long enough for three webhooks to arrive in it."""


async def test_three_quick_messages_are_answered_as_one(tmp_path):
    async with open_town(tmp_path, quiet=QUIET) as town:
        maria, joao = Phone(town, "+5511999990001", "Maria Silva"), Phone(town, "+5511999990002", "João Pedro")
        for text in ("oi, bom dia", "queria uma limpeza", "amanhã às 15h"):
            await maria.write(text)
        await joao.write("onde fica?")
        await town.graph.wait_sent(1, to=maria.number)
        await town.graph.wait_sent(1, to=joao.number)
        await town.idle()
        assert ([item.splitlines()[2] for item in maria.texts], joao.texts) == (
            ["amanhã, terça-feira, 24/11, às 15h"],
            ["📍 Rua do Sol, 12, Campinas"],
        )


async def test_messages_that_arrive_during_a_turn_are_in_the_next(tmp_path):
    thinking, done = asyncio.Event(), asyncio.Event()

    async def think(_call):
        thinking.set()
        await done.wait()
        return [assistant_message("Bom dia!")]

    model = ScriptedModel([ModelStep.respond(think), [assistant_message("Temos limpeza, sim.")]])
    async with open_town(tmp_path, models=models_of(model)) as town:
        maria = Phone(town, "+5511999990001", "Maria Silva")
        await maria.write("oi")
        await thinking.wait()
        await maria.write("vocês fazem limpeza?")
        await maria.write("e clareamento?")
        done.set()
        await town.graph.wait_sent(2, to=maria.number)
        await town.idle()
        second = [message["content"] for message in model.last_call.input]
        assert (maria.texts, second) == (
            ["Bom dia!", "Temos limpeza, sim."],
            ["oi", "Bom dia!", "vocês fazem limpeza?", "e clareamento?"],
        )


async def test_the_same_webhook_five_times_is_answered_once(town, maria):
    webhook = town.maker().text(maria.number, "quanto custa a limpeza?", name=maria.name)
    statuses = [await town.post(webhook) for _ in range(5)]
    await town.idle()
    assert (statuses, maria.texts) == ([200] * 5, ["Valores:\n• Limpeza: R$ 180,00"])


async def test_the_same_webhook_five_times_at_once_is_answered_once(town, maria):
    webhook = town.maker().text(maria.number, "quanto custa a limpeza?", name=maria.name)
    statuses = await asyncio.gather(*(town.post(webhook) for _ in range(5)))
    await town.idle()
    assert (statuses, maria.texts) == ([200] * 5, ["Valores:\n• Limpeza: R$ 180,00"])


async def test_a_webhook_that_comes_again_after_its_answer_changes_nothing(town, maria):
    await maria.say("limpeza amanhã às 15h")
    yes = town.maker().tap(maria.number, *maria.last.options[0], name=maria.name)
    for _ in range(2):
        await town.post(yes)
        await town.idle()
    assert (len(maria.messages), await town.agenda_of(maria.number)) == (
        2,
        [("confirmed", "limpeza", "2026-11-24T15:00")],
    )


async def test_one_body_with_messages_of_two_patients_answers_each(town, maria, joao):
    texts = [(maria, "onde fica?"), (joao, "aceita convênio?")]
    value = {
        "contacts": [{"profile": {"name": who.name}, "wa_id": who.number[1:]} for who, _ in texts],
        "messages": [
            {"from": who.number[1:], "id": f"wamid.{who.name}", "timestamp": "1795435200", "type": "text"}
            | {"text": {"body": text}}
            for who, text in texts
        ],
    }
    maker = town.maker()
    await town.post(maker.signed(maker.body(value)))
    await town.idle()
    assert (maria.texts, joao.texts) == (
        ["📍 Rua do Sol, 12, Campinas"],
        ["Convênios que aceitamos: Odontoprev."],
    )
