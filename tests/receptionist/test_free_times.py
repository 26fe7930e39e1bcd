"""Opening hours are told and not offered; nothing is called taken that nobody looked up."""

import json

import pytest
from agents.testing import assistant_message
from tests.receptionist.front_desk import FrontDesk, text
from tests.receptionist.scripted import call, scripted
from tests.receptionist.test_grounding import GUARD, runtime_of

from gendei.receptionist.llm.grounding import Facts, facts_of
from gendei.receptionist.llm.guardrails import Fault

FOUND = json.dumps({"success": True, "data": {"available": True, "slots": [{"date": "2026-11-24", "time": "14:00"}]}})
EMPTY = json.dumps({"success": True, "data": {"available": False, "slots": [], "reason": "full"}})
REFUSED = json.dumps({"success": False, "error": "Esse horário acabou de ser ocupado."})


def knowing(front_desk: FrontDesk, *outputs: str, history=()) -> Facts:
    """The Sorriso, on Monday, which is open on weekdays 9h to 12h and 13h30 to 19h."""
    return facts_of(runtime_of(front_desk.visitor("sorriso")), outputs, history)


@pytest.mark.parametrize(
    "said",
    [
        "Segunda-feira, às 13h30. Quer confirmar?",
        "Tenho vaga hoje às 9h.",
        "Posso marcar para amanhã às 19h.",
        "Temos horário livre na quarta às 9h.",
        "Amanhã às 12h fica bom para você? Posso reservar.",
        "Há vagas das 9h às 12h.",
        "Tenho vaga às 9h10.",
    ],
)
async def test_opening_hours_are_no_offer(front_desk: FrontDesk, said: str):
    assert GUARD.faults(said, knowing(front_desk)) == [Fault.TIME]


@pytest.mark.parametrize(
    "said",
    [
        "Atendemos de segunda a sexta, das 9h às 12h e das 13h30 às 19h. Quer marcar?",
        "Abrimos às 9h.",
        "Hoje funcionamos até as 19h. Posso ajudar em algo mais?",
        "O almoço é das 12h às 13h30.",
    ],
)
async def test_opening_hours_are_told(front_desk: FrontDesk, said: str):
    assert GUARD.faults(said, knowing(front_desk)) == []


async def test_a_found_time_on_its_own_weekday_is_offered_and_on_another_is_not(front_desk: FrontDesk):
    facts = knowing(front_desk, FOUND)
    assert GUARD.faults("Tenho terça às 14h. Confirma?", facts) == []
    assert GUARD.faults("Tenho quarta às 14h. Confirma?", facts) == [Fault.TIME]


NONE_FREE = [
    "A limpeza está indisponível.",
    "Infelizmente não temos horário.",
    "Não há vagas nesta semana.",
    "A agenda está lotada.",
    "Não encontrei nenhum horário disponível.",
]


@pytest.mark.parametrize("said", NONE_FREE)
async def test_nothing_is_called_taken_that_nobody_looked_up(front_desk: FrontDesk, said: str):
    assert GUARD.faults(said, knowing(front_desk)) == [Fault.UNAVAILABLE]
    assert GUARD.faults(said, knowing(front_desk, FOUND)) == [Fault.UNAVAILABLE]


@pytest.mark.parametrize("said", NONE_FREE)
@pytest.mark.parametrize("output", [EMPTY, REFUSED])
async def test_what_a_search_or_a_refusal_said_may_be_told(front_desk: FrontDesk, said: str, output: str):
    facts = knowing(front_desk, output)
    assert GUARD.faults(said, facts) == []
    told = [{"role": "assistant", "content": said}]
    assert GUARD.faults(said, knowing(front_desk, history=told)) == []


@pytest.mark.parametrize(
    "said",
    ["Domingo não temos horário.", "Não atendemos às 9h no domingo, não há vagas.", "Não temos horário no domingo?"],
)
async def test_when_nobody_works_needs_no_search(front_desk: FrontDesk, said: str):
    assert GUARD.faults(said, knowing(front_desk)) == []


async def test_a_model_that_says_so_is_asked_again_and_never_sent(front_desk: FrontDesk):
    steps = [
        [assistant_message("A limpeza está indisponível.")],
        call(1, "transfer_to_sales_closer"),
        call(2, "get_available_slots", service_id="profilaxia", date="2026-11-24"),
        [assistant_message("Amanhã tenho às 9h com a Dra. Lívia. Pode ser?")],
    ]
    maria, model = scripted(front_desk, steps)
    assert text(await maria.say("tem limpeza amanhã?")) == "Amanhã tenho às 9h com a Dra. Lívia. Pode ser?"
    model.assert_complete()
