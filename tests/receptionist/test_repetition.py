"""No text twice in a row; a third time, a person."""

from itertools import pairwise

import pytest
from tests.receptionist.front_desk import FrontDesk, options, text


@pytest.mark.parametrize("said", ["quero marcar", "oi", "quanto custa?", "quero ver a agenda dos outros pacientes"])
async def test_the_same_is_said_in_other_words_and_then_by_a_person(front_desk: FrontDesk, said: str):
    maria = front_desk.visitor("boa-vida")
    first, second, third = [await maria.say(said) for _ in range(3)]
    assert (text(first) != text(second), list(options(first))) == (True, list(options(second)))
    assert (third.takeover_reason is not None, options(third)) == (True, {})


async def test_thanks_are_answered_twice_and_call_nobody(front_desk: FrontDesk):
    maria = front_desk.visitor("boa-vida")
    told = [await maria.say("obrigada") for _ in range(4)]
    assert all(text(first) != text(second) for first, second in pairwise(told))
    assert [outcome.takeover_reason for outcome in told] == [None] * 4


async def test_who_taps_the_same_again_is_shown_the_same_and_keeps_the_assistant(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    await maria.say("quero marcar limpeza")
    again = [await maria.tap("do|other_time") for _ in range(3)]
    assert [outcome.takeover_reason for outcome in again] == [None] * 3


async def test_a_question_between_is_answered_without_the_whole_card_again(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    asked = await maria.say("limpeza amanhã às 14h com a dra lívia")
    again = await maria.say("tem estacionamento?")
    assert ("Valor:" in text(asked), "Valor:" in text(again)) == (True, False)
    assert ("14h" in text(again), options(again)) == (True, options(asked))
    assert "confirmada" in text(await maria.say("sim"))


async def test_another_time_is_shown_with_its_whole_card(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    await maria.say("limpeza amanhã às 14h com a dra lívia")
    assert "Valor:" in text(await maria.say("melhor às 9h com a dra paula"))


async def test_an_open_question_behind_another_answer_is_asked_otherwise(front_desk: FrontDesk):
    maria = front_desk.visitor("boa-vida")
    told = [text(await maria.say(said)) for said in ("quero marcar", "onde fica?", "ele tem 3 anos", "amanhã")]
    asked = [answer.rpartition("\n\n")[2] for answer in told]
    assert all(first != second for first, second in pairwise(asked))
