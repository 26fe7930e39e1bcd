"""Answers that are none are asked for once more, over either protocol, and then guided answers."""

import pytest
from tests.receptionist.front_desk import ROOT, FrontDesk, Visitor, text
from tests.receptionist.openai_server import OpenAiServer, Say

from gendei.prompts import GuardrailWords
from gendei.receptionist.llm.models import ModelLimits, api_models
from gendei.receptionist.llm.unusable import is_code, is_foreign, repeats, tell_if_cut

WORDS = GuardrailWords.load(ROOT / "prompts")
GOOD = "Sim, aceitamos Unimed pelo particular com reembolso. Quer marcar?"
ASKED = "vocês aceitam Unimed?"
NO_ANSWERS = {
    "cut": Say("Olá, eu posso ajud", cut=True),
    "language": Say("Hello! How can I help you today?"),
    "repeating": Say("Claro, posso ajudar você. " * 300),
    "empty": Say(""),
    "code": Say('```json\n{"resposta": "Olá"}\n```'),
    "off_topic": Say("Qual é o valor do pagamento?"),
}


async def patient(front_desk: FrontDesk, server: OpenAiServer, protocol) -> Visitor:
    limits = ModelLimits(first_pause=0, longest_pause=0)
    front_desk.models = api_models("key", server.url, "gpt-4.1-mini", limits=limits, protocol=protocol)
    return front_desk.visitor("sorriso")


@pytest.mark.parametrize("protocol", ["chat", "responses"])
@pytest.mark.parametrize("fault", NO_ANSWERS)
async def test_no_answer_is_asked_for_again_with_what_was_wrong(front_desk: FrontDesk, server, protocol, fault: str):
    server.will(NO_ANSWERS[fault], Say("Quer marcar uma avaliação?"))
    maria = await patient(front_desk, server, protocol)
    outcome = await maria.say(ASKED)
    await front_desk.models.close()
    told = (server.requests[-1].get("messages") or server.requests[-1]["input"])[-1]
    assert (text(outcome), outcome.failure, len(server.requests)) == ("Quer marcar uma avaliação?", None, 2)
    assert told["content"].startswith("Atenção")
    assert front_desk.models.figures.corrections == {fault: 1}


@pytest.mark.parametrize("protocol", ["chat", "responses"])
@pytest.mark.parametrize("fault", NO_ANSWERS)
async def test_after_a_second_one_guided_answers(front_desk: FrontDesk, server, protocol, fault: str):
    server.will(NO_ANSWERS[fault], NO_ANSWERS[fault])
    maria = await patient(front_desk, server, protocol)
    outcome = await maria.say(ASKED)
    await front_desk.models.close()
    assert outcome.failure == ("SaidNothing" if fault == "empty" else "SaidUntrue")
    assert ("convênio" in text(outcome).lower(), len(server.requests)) == (True, 2)


async def test_who_writes_english_may_be_answered_so(front_desk: FrontDesk, server):
    server.will(Say("Hello! How can I help you today?"))
    maria = await patient(front_desk, server, "chat")
    assert "Hello" in text(await maria.say("hello, do you have an appointment for tomorrow?"))
    await front_desk.models.close()


@pytest.mark.parametrize(
    ("said", "foreign"),
    [
        ("Claro! Para qual dia você prefere?", False),
        ("Ok!", False),
        ("Checkup, R$ 480,00, no dia 24/11.", False),
        ("👍", False),
        ("Tudo certo, te envio o link do WhatsApp.", False),
        ("Sure, I can help you with that.", True),
        ("Hola, ¿en qué puedo ayudarle hoy?", True),
        ("Claro, posso ajudar. 请问您想预约什么时间?", True),
    ],
)
def test_the_language_is_told_by_the_commonest_words(said: str, foreign: bool):
    assert is_foreign(said, WORDS) is foreign


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("\n".join(f"• ter 24/11 às {hour}h com a Dra. Lívia Nogueira" for hour in range(9, 19)), False),
        ("Não, não! Pode vir. Pode vir amanhã.", False),
        ("sim sim sim sim sim sim", True),
        ("Quer marcar? " * 5, True),
        ("posso ajudar você e " * 9, True),
        ("Posso ajudar você.… Posso ajudar você. Posso ajudar você. Posso ajudar você. Posso…", True),
    ],
)
def test_what_is_said_too_often_is_told_from_lists(said: str, found: bool):
    assert repeats(said) is found


def test_code_is_told_from_words():
    assert [is_code(said) for said in ("{nome}", "<tool_call>x", "[1] Confirmar", '{"a": 1}')] == [
        False,
        True,
        False,
        True,
    ]


def test_only_an_answer_that_was_cut_by_length_is_cut():
    assert tell_if_cut({"choices": [{"finish_reason": "length"}]})
    assert not tell_if_cut({"choices": [{"finish_reason": "stop"}]})
    assert not tell_if_cut({"status": "incomplete", "incomplete_details": {"reason": "content_filter"}})
