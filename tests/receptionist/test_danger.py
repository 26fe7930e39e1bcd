"""Danger that no rule knows: the ear calls somebody, or asks first."""

import pytest
from tests.receptionist.front_desk import FrontDesk, options, text

from gendei.ear.kinds import MessageKind
from gendei.ear.model import Belief

SURE = "hoje o céu está esquisito por aqui, e ninguém sabe dizer por quê"
DOUBTFUL = "não sei se eu chego lá"
DOUBT = f"quero limpeza amanhã às 14h, {DOUBTFUL}"


class Ear:
    """Hears danger of the share that a text is given; nothing in any other."""

    def __init__(self, **danger: float) -> None:
        self.danger = {SURE: 0.99, DOUBTFUL: 0.5}

    def hear(self, said: str) -> Belief:
        share = max((share for words, share in self.danger.items() if words in said), default=0.0)
        shares = {MessageKind.DANGER_DESPAIR: share, MessageKind.BOOK: 1 - share}
        return Belief(dict.fromkeys(MessageKind, 0.0) | shares, share, alarms=share > 0.7, asks=share > 0.4)


@pytest.fixture(autouse=True)
def ear(monkeypatch):
    for module in ("guided.danger", "understanding.one_wish"):
        monkeypatch.setattr(f"gendei.receptionist.{module}.own_ear", Ear)


async def test_danger_that_is_heard_for_sure_calls_a_person_at_once(front_desk: FrontDesk):
    outcome = await front_desk.visitor("sorriso").say(SURE)
    assert ("188" in text(outcome), outcome.urgent, bool(outcome.takeover_reason)) == (True, True, True)


async def test_in_doubt_it_is_asked_with_two_buttons(front_desk: FrontDesk):
    outcome = await front_desk.visitor("sorriso").say(DOUBT)
    assert (list(options(outcome)), outcome.urgent) == (["Sim, é urgente", "Não, está tudo bem"], False)


@pytest.mark.parametrize("answer", ["Sim, é urgente", "sim"])
async def test_a_yes_to_the_question_calls_a_person(front_desk: FrontDesk, answer: str):
    maria = front_desk.visitor("sorriso")
    await maria.say(DOUBT)
    outcome = await maria.say(answer)
    assert ("188" in text(outcome), outcome.urgent) == (True, True)


@pytest.mark.parametrize("answer", ["Não, está tudo bem", "não"])
async def test_a_no_goes_on_with_what_was_wished(front_desk: FrontDesk, answer: str):
    maria = front_desk.visitor("sorriso")
    await maria.say(DOUBT)
    outcome = await maria.say(answer)
    assert "Posso marcar assim?" in text(outcome)


async def test_who_gives_no_answer_and_is_in_doubt_again_gets_a_person(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    await maria.say(DOUBT)
    assert (await maria.say(f"hoje por aqui está tudo esquisito, e eu {DOUBTFUL}")).urgent


async def test_who_goes_on_without_an_answer_is_no_alarm_and_keeps_what_was_told(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    asked = await maria.say(f"quero limpeza pra minha sogra Rosa Lima, {DOUBTFUL}")
    goes_on = await maria.say(f"amanhã às 14h eu acho que dá, mas {DOUBTFUL}")
    assert ("Sim, é urgente" in options(asked), goes_on.urgent) == (True, False)
    assert ("Rosa Lima" in text(goes_on), "14h" in text(goes_on)) == (True, True)
    assert "está confirmada" in text(await maria.say("sim"))


async def test_the_question_is_of_one_message_only(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    await maria.say(DOUBT)
    await maria.say("limpeza amanhã às 14h")
    assert "está confirmada" in text(await maria.say("sim"))


@pytest.mark.parametrize(
    "words", ["minha pressão tá 18 por 9, quero marcar", "quero marcar, tô com 18 por 9 de pressão"]
)
async def test_the_order_in_which_danger_is_told_decides_nothing(front_desk: FrontDesk, words: str):
    assert "Sim, é urgente" in options(await front_desk.visitor("sorriso").say(words))


@pytest.mark.parametrize(
    "words",
    [
        "queria ficar com a pele mais bonita",
        "eu queria ficar mais bonita pro casamento da minha filha",
        "queria estar com os dentes mais branquinhos",
        "queria ficar mais leve",
    ],
)
async def test_a_wish_for_ones_looks_is_no_danger(front_desk: FrontDesk, words: str):
    answer = await front_desk.visitor("sorriso").say(words)
    assert (answer.urgent, "Sim, é urgente" in options(answer)) == (False, False)
