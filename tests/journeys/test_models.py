"""A model of an API drives the same agents and tools, and cannot make the patient read what is not so."""

import json
import logging

import pytest
from agents.testing import ScriptedModel, assistant_message
from tests.journeys.model import call, hand_off, models_of, then
from tests.journeys.phone import Phone
from tests.journeys.town import open_town

CLAIM = "Consulta confirmada! Esperamos você amanhã às 15h."
SLOT = {"service_id": "limpeza", "professional_id": "paula", "date": "2026-11-24", "time": "15:00"}
BOOKING = call("create_appointment", **SLOT, patient_name="Maria Silva")
SEARCH = {"service_id": "limpeza", "date": "amanhã de tarde", "professional_id": None}
HELD = call("hold_slot", **SLOT)
ASKED = [assistant_message("Posso marcar a limpeza com a Dra. Paula amanhã, terça, 24/11, às 15h?")]
SEARCHED = call("get_available_slots", **SEARCH, time_from=None, time_to=None)


@pytest.fixture
def scripted(tmp_path):
    """Opens the town on a model that takes these steps."""

    def opened(*steps):
        model = ScriptedModel(steps)
        return model, open_town(tmp_path, models=models_of(model))

    return opened


def confirmation_of(booked: str):
    return call("send_appointment_confirmation", appointment_id=json.loads(booked)["data"]["appointment_id"])


async def test_a_model_books_through_a_hand_off_and_the_patient_reads_the_rendered_confirmation(scripted):
    model, opening = scripted(hand_off("sales_closer"), SEARCHED, HELD, ASKED, BOOKING)
    async with opening as town:
        maria = Phone(town, "+5511999990001", "Maria Silva")
        await maria.say("quero uma limpeza amanhã às 15h, pode marcar")
        told = await maria.say("sim, amanhã às 15h")
        seen = await town.conversation(maria.number)
        assert (told.splitlines()[:4], len(maria.messages), seen["currentAgent"]) == (
            [
                "✅ Sua consulta está confirmada!",
                "*Limpeza* com Dra. Paula Lins",
                "amanhã, terça-feira, 24/11, às 15h",
                "Para: Maria Silva",
            ],
            2,
            "sales_closer",
        )
        assert await town.agenda_of(maria.number) == [("confirmed", "limpeza", "2026-11-24T15:00")]
    model.assert_complete()


@pytest.mark.parametrize("after", [[then(confirmation_of), [assistant_message("")]], [[assistant_message("Há, sim.")]]])
async def test_a_booking_is_confirmed_once_whether_the_model_sends_the_confirmation_or_not(scripted, after):
    model, opening = scripted(hand_off("sales_closer"), SEARCHED, HELD, ASKED, BOOKING, *after)
    async with opening as town:
        maria = Phone(town, "+5511999990001", "Maria Silva")
        await maria.say("quero uma limpeza amanhã às 15h, pode marcar")
        await maria.say("sim, pode marcar. tem estacionamento?")
        assert ["✅ Sua consulta está confirmada!" in text for text in maria.texts] == [False, True]
    model.assert_complete()


async def test_a_claim_without_a_booking_never_reaches_the_patient(scripted):
    model, opening = scripted([assistant_message(CLAIM)], [assistant_message(CLAIM)])
    async with opening as town:
        maria = Phone(town, "+5511999990001", "Maria Silva")
        await maria.say("marca uma limpeza para mim amanhã às 15h")
        assert ([text.splitlines()[0] for text in maria.texts], await town.agenda_of(maria.number)) == (
            ["Posso marcar assim?"],
            [],
        )
    model.assert_complete()


async def test_a_model_that_is_corrected_may_say_how_it_is(scripted):
    model, opening = scripted([assistant_message(CLAIM)], [assistant_message("Qual horário prefere amanhã?")])
    async with opening as town:
        maria = Phone(town, "+5511999990001", "Maria Silva")
        assert await maria.say("marca uma limpeza amanhã") == "Qual horário prefere amanhã?"
    model.assert_complete()


async def test_a_slot_that_was_not_offered_is_refused(scripted):
    refused: list[str] = []

    def keep(output: str):
        refused.append(output)
        return [assistant_message("Vou ver os horários livres. Qual período prefere?")]

    model, opening = scripted(hand_off("sales_closer"), BOOKING, then(keep))
    async with opening as town:
        maria = Phone(town, "+5511999990001", "Maria Silva")
        told = await maria.say("marca amanhã às 15h")
        [answer] = refused
        assert (json.loads(answer)["success"], told, await town.agenda_of(maria.number)) == (
            False,
            "Vou ver os horários livres. Qual período prefere?",
            [],
        )
    model.assert_complete()


@pytest.mark.parametrize("tool", ["cancel_appointment", "send_appointment_confirmation"])
async def test_an_appointment_of_another_patient_does_not_exist_for_a_model(scripted, tool):
    outputs: list[str] = []

    def keep(output: str):
        outputs.append(output)
        return [assistant_message("Não achei essa consulta.")]

    model, opening = scripted()
    async with opening as town:
        others = await town.book("+5511999990002", "João Pedro", "2026-11-24T15:00")
        agent = "payment" if tool == "cancel_appointment" else "sales_closer"
        model.extend([hand_off(agent), call(tool, appointment_id=others.id), then(keep)])
        maria = Phone(town, "+5511999990001", "Maria Silva")
        await maria.say(f"sobre a consulta {others.id}")
        assert (json.loads(outputs[0]), await town.agenda_of("+5511999990002"), "João" in str(outputs)) == (
            {"success": False, "error": "Não encontrei essa consulta no seu número."},
            [("confirmed", "limpeza", "2026-11-24T15:00")],
            False,
        )
    model.assert_complete()


async def test_when_the_api_fails_guided_answers_the_turn_and_staff_see_why(scripted, caplog):
    model, opening = scripted(RuntimeError("limpeza de Maria: key sk-123"))
    async with opening as town:
        maria = Phone(town, "+5511999990001", "Maria Silva")
        with caplog.at_level(logging.DEBUG, "gendei"):
            asked = await maria.say("quero marcar uma limpeza amanhã às 15h")
        seen = await town.conversation(maria.number)
        told = await maria.tap("Confirmar")
        assert (asked.splitlines()[0], seen["lastFailure"]["detail"], told.splitlines()[0]) == (
            "Posso marcar assim?",
            "RuntimeError",
            "✅ Sua consulta está confirmada!",
        )
        assert "sk-123" not in caplog.text + str(seen)
    model.assert_complete()


async def test_a_model_offers_times_as_options_and_what_is_tapped_asks_no_model(scripted):
    offered = ["slot|limpeza|paula|2026-11-24T15:00", "slot|limpeza|paula|2026-11-24T16:00"]
    model, opening = scripted(
        hand_off("sales_closer"),
        SEARCHED,
        call("enviar_opcoes", texto="Amanhã à tarde tenho:", opcoes=offered),
    )
    async with opening as town:
        maria = Phone(town, "+5511999990001", "Maria Silva")
        await maria.say("limpeza amanhã de tarde")
        shown = maria.last.options
        asked = await maria.tap("ter 24/11 15h")
        told = await maria.tap("Confirmar")
        assert ([(id_.rpartition("|")[0], title) for id_, title in shown], asked.splitlines()[0]) == (
            [(offered[0], "ter 24/11 15h"), (offered[1], "ter 24/11 16h")],
            "Posso marcar assim?",
        )
        assert told.splitlines()[0] == "✅ Sua consulta está confirmada!"
    model.assert_complete()
