"""What a model hears of arguments that do not fit, and what becomes of calls that it makes again and again."""

import logging
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
from tests.receptionist.front_desk import MARIA, FrontDesk, text
from tests.receptionist.openai_server import Call, OpenAiServer, Say, call, hand_off, last_output

from gendei.datafile import data_dir
from gendei.messages.turns import ToolStatus
from gendei.prompts import load_phrases
from gendei.receptionist.llm.models import ApiModels, ModelLimits, api_models
from gendei.receptionist.tools import CATEGORY_OF
from gendei.receptionist.tools.refusals import ToolRefusal
from gendei.receptionist.tools.registry import all_tools
from gendei.verticals import TERM_FORMS

SERVICE = "profilaxia"
SLOT = {"service_id": SERVICE, "professional_id": "livia", "date": "2026-11-24", "time": "14:00"}
SEARCH = call("get_available_slots", service_id=SERVICE, date="2026-11-24")
CLOSER = hand_off("sales_closer")
WHAT = Say("Qual horário você prefere?")
SECRET = "mancha-no-pulmao"


@pytest.fixture(params=["chat", "responses"])
async def models(server: OpenAiServer, request: pytest.FixtureRequest) -> AsyncIterator[ApiModels]:
    made = api_models("key", server.url, "gpt-4.1-mini", limits=ModelLimits(retries=0), protocol=request.param)
    yield made
    await made.close()


@pytest.fixture
def maria(front_desk: FrontDesk, models: ApiModels) -> Any:
    front_desk.models = models
    return front_desk.visitor("sorriso")


WRONG = {
    "a missing one": ("get_available_slots", {"service_id": SERVICE}, ["`date`: falta.", "quinta de tarde"]),
    "a number for a text": ("get_available_slots", {"service_id": 7, "date": "amanhã"}, ["`service_id`: deve ser um"]),
    "words for a number": ("note_late", {"minutes": SECRET}, ["`minutes`: deve ser um número inteiro."]),
    "words for yes or no": ("get_patient_appointments", {"past": SECRET}, ["`past`: deve ser true ou false."]),
    "one inside of a list": (
        "enviar_lista",
        {"texto": "Qual?", "button_text": "Ver", "secoes": [{"titulo": "A", "itens": [{"descricao": SECRET}]}]},
        ["`secoes[0].itens[0].titulo`: falta."],
    ),
    "no list": ("enviar_opcoes", {"texto": SECRET, "opcoes": SECRET}, ["`opcoes`: deve ser uma lista."]),
    "two at once": ("get_available_slots", {}, ["`service_id`: falta.", "`date`: falta."]),
    "another shape": ("get_available_slots", f'["{SECRET}"]', ["Escreva um objeto JSON", "service_id, date"]),
    "no JSON": ("get_available_slots", '{"service_id": ', ["Escreva um objeto JSON"]),
}


@pytest.mark.parametrize(("tool", "arguments", "told"), WRONG.values(), ids=WRONG)
async def test_wrong_arguments_are_named_and_asked_for_again(
    maria, server: OpenAiServer, caplog: pytest.LogCaptureFixture, tool: str, arguments: Any, told: list[str]
):
    caplog.set_level(logging.DEBUG)
    health = replace(all_tools().health[tool])
    agent = "payment" if tool in {"note_late", "get_patient_appointments"} else "sales_closer"
    server.will(hand_off(agent), Call(((tool, arguments),)), WHAT)
    outcome = await maria.say("quero ver os horários")
    read = last_output(server.requests[-1])
    assert [part in read["error"] for part in [*told, "Corrija e chame de novo."]] == [True] * (len(told) + 1)
    assert (SECRET in read["error"], SECRET in caplog.text, text(outcome), outcome.failure) == (
        False,
        False,
        WHAT.text,
        None,
    )
    assert [(step.status, step.reason) for step in outcome.steps] == [(ToolStatus.FAILED, ToolRefusal.ARGUMENTS)]
    assert all_tools().health[tool] == health


async def test_corrected_arguments_go_through(maria, server: OpenAiServer):
    server.will(CLOSER, call("get_available_slots", service_id=SERVICE), SEARCH, WHAT)
    outcome = await maria.say("limpeza amanhã")
    assert [step.status for step in outcome.steps] == [ToolStatus.FAILED, ToolStatus.COMPLETED]
    assert last_output(server.requests[-1])["data"]["available"] is True


async def test_the_same_call_is_answered_with_its_first_result_and_a_word(
    maria, server: OpenAiServer, monkeypatch: pytest.MonkeyPatch
):
    found, find = [], maria.receptionist.desk.find

    async def counted(*args: object, **kwargs: object) -> object:
        found.append(args)
        return await find(*args, **kwargs)

    monkeypatch.setattr(maria.receptionist.desk, "find", counted)
    turned = call("get_available_slots", date="2026-11-24", service_id=SERVICE)
    server.will(CLOSER, SEARCH, turned, WHAT)
    outcome = await maria.say("limpeza amanhã")
    first, second = (last_output(asked) for asked in server.requests[2:])
    assert (len(found), second["data"] == first["data"], "notice" in first) == (1, True, False)
    assert second["notice"].startswith("Você já fez esta mesma chamada")
    assert (text(outcome), outcome.failure) == (WHAT.text, None)


async def test_the_third_same_call_ends_the_turn_and_guided_answers(maria, server: OpenAiServer):
    server.will(CLOSER, *[SEARCH] * 20)
    outcome = await maria.say("limpeza amanhã às 14h")
    assert (len(server.requests), outcome.failure) == (4, "CalledAgain")
    assert text(outcome).startswith("Posso marcar assim?")


async def test_a_booking_is_told_whatever_the_model_repeats_after_it(maria, server: OpenAiServer):
    hold = call("hold_slot", **SLOT, patient_name="Maria Silva")
    server.will(CLOSER, SEARCH, hold)
    await maria.say("limpeza amanhã às 14h")
    book, again = call("create_appointment", **SLOT, patient_name="Maria Silva"), call("get_services")
    server.will(book, again, again, again)
    told = await maria.say("sim, pode marcar. tem estacionamento?")
    assert (text(told).splitlines()[0], len(told.replies), told.failure) == (
        "✅ Sua consulta está confirmada!",
        1,
        "CalledAgain",
    )


async def test_a_tool_that_does_not_exist_is_named_in_the_prompts_language(maria, server: OpenAiServer):
    server.will(call("apagar_agenda", tudo=True), Say("Em que posso ajudar?"))
    outcome = await maria.say("oi")
    items = server.requests[-1].get("messages") or server.requests[-1]["input"]
    assert ("Você não tem essa ferramenta." in str(items[-1]), text(outcome)) == (True, "Em que posso ajudar?")


async def test_agents_that_pass_the_patient_to_and_fro_end_the_turn(maria, server: OpenAiServer):
    server.will(CLOSER, *[hand_off("support"), CLOSER] * 10)
    outcome = await maria.say("limpeza amanhã às 14h")
    assert (len(server.requests), outcome.failure) == (5, "CalledAgain")
    assert text(outcome).startswith("Posso marcar assim?")


async def test_a_call_that_was_refused_may_be_made_again_after_what_it_lacked(maria, server: OpenAiServer):
    book = call("create_appointment", **SLOT, patient_name="Maria Silva")
    server.will(CLOSER, book, SEARCH, book, WHAT)
    await maria.say("limpeza amanhã às 14h")
    errors = [last_output(asked).get("error") for asked in server.requests[2:]]
    assert ("não está entre os que foram oferecidos" in errors[0], errors[1]) == (True, None)
    assert "notice" not in last_output(server.requests[-1])


async def test_what_was_read_may_be_read_again_after_a_change(maria, server: OpenAiServer, front_desk: FrontDesk):
    guided = front_desk.visitor("sorriso")
    guided.receptionist = replace(guided.receptionist, models=None)
    await guided.say("limpeza amanhã às 14h")
    await guided.say("sim")
    look, presence = call("get_patient_appointments"), "confirm_presence"
    [hers] = await front_desk.desk.appointments_of(maria.clinic, MARIA)
    server.will(hand_off("payment"), look, call(presence, appointment_id=hers.id), look, Say("Até lá!"))
    await maria.say("vou sim")
    read = [last_output(asked) for asked in server.requests[2:]]
    assert [row["status"] for answer in (read[0], read[2]) for row in answer["data"]] == [
        "confirmed",
        "confirmed_presence",
    ]


def test_the_refusal_of_an_old_time_which_guided_tells_patients_names_no_tool():
    [said] = load_phrases(data_dir("prompts"), TERM_FORMS).texts["refusal_not_shown"]
    assert [tool for tool in CATEGORY_OF if tool in said] == []
