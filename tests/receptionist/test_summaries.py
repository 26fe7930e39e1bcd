"""A long conversation: the last messages as they are, what came before as a summary."""

from datetime import datetime, timedelta

import pytest
from agents.testing import assistant_message
from tests.receptionist.front_desk import NOW, FrontDesk, text
from tests.receptionist.scripted import scripted

from gendei.receptionist.llm.models import ModelLimits
from gendei.receptionist.llm.summaries import Memory, Summary, due


def messages(count: int, since: datetime = NOW) -> list[dict[str, str]]:
    return [
        {
            "role": "user" if number % 2 == 0 else "assistant",
            "content": f"mensagem {number}",
            "timestamp": (since + timedelta(minutes=number)).isoformat(),
        }
        for number in range(count)
    ]


def numbers(found) -> list[int]:
    return [int(message["content"].split()[1]) for message in found]


@pytest.mark.parametrize(("count", "taken_in"), [(20, []), (21, list(range(11))), (30, list(range(20)))])
def test_a_summary_is_due_when_a_message_would_be_forgotten(count: int, taken_in: list[int]):
    assert numbers(due(messages(count), Summary(), 20)) == taken_in


def test_the_next_one_is_due_half_a_window_later():
    until = messages(30)[10]["timestamp"]
    found = [numbers(due(messages(count), Summary("antes", until), 20)) for count in (31, 32)]
    assert found == [[], list(range(11, 22))]


def test_with_fifty_messages_read_none_of_the_fifty_kept_is_lost():
    assert numbers(due(messages(41), Summary(), 50)) == list(range(16))


def test_an_unreadable_summary_is_none():
    assert Memory.of({"summary": "x", "model": "y"}) == Memory()


async def test_the_model_reads_the_last_messages_and_its_own_summary_of_the_rest(front_desk: FrontDesk):
    steps = [[assistant_message("Quer clareamento para a mãe, de manhã.")], [assistant_message("Certo!")]]
    maria, model = scripted(front_desk, steps, history=messages(24))
    outcome = await maria.say("e aí?")
    model.assert_complete()
    read = [str(message["content"]) for message in model.last_call.input]
    assert (read[0], read[1], len(read), outcome.state["summary"]["until"]) == (
        "Resumo do que conversamos antes: Quer clareamento para a mãe, de manhã.",
        "mensagem 4",
        1 + ModelLimits().messages + 1,
        messages(24)[13]["timestamp"],
    )


async def test_a_guided_turn_keeps_the_summary(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    maria.state = {"summary": {"text": "antes", "until": NOW.isoformat()}}
    outcome = await maria.say("oi")
    assert outcome.state["summary"]["text"] == "antes"


async def test_where_no_summary_can_be_had_the_turn_goes_on_without_one(front_desk: FrontDesk):
    maria, model = scripted(front_desk, [RuntimeError("no"), [assistant_message("Certo!")]], history=messages(24))
    outcome = await maria.say("oi")
    model.assert_complete()
    assert (text(outcome), outcome.failure, "summary" in outcome.state) == ("Certo!", None, False)
