"""What became of a conversation, where a language model answered: it may look nothing up, and words things as it likes.
What guided does is played in tests/journeys/test_numbers.py."""

from collections.abc import Sequence
from datetime import timedelta

import pytest
from tests.conversation.cast import NOON
from tests.staff.inbox.desk import PHRASES

from gendei.conversation.stored.history import Author, Event, HistoryMessage
from gendei.messages.message import MessageType
from gendei.messages.turns import ToolStatus, ToolStep
from gendei.staff import outcomes
from gendei.staff.outcomes import Outcome, Signs

SIGNS = Signs(PHRASES)
Line = tuple[str, str] | tuple[str, str, ToolStep]


def step(tool: str, result: str = "{}", status: ToolStatus = ToolStatus.COMPLETED) -> ToolStep:
    return ToolStep(tool, "{}", status=status, result=result)


def talk(*lines: Line) -> list[HistoryMessage]:
    """Lines of "patient" and "bot", each with its words and perhaps a tool call."""
    return [
        HistoryMessage(
            id=str(number),
            author=Author(who),
            type=MessageType.TEXT,
            content=words,
            timestamp=NOON + timedelta(minutes=number),
            steps=tuple(steps),
        )
        for number, (who, words, *steps) in enumerate(lines)
    ]


NO_ROOM, ROOM = '{"success": true, "data": {"available": false', '{"success": true, "data": {"available": true'


@pytest.mark.parametrize(
    ("lines", "outcome"),
    [
        ([("patient", "vocês atendem sábado?"), ("bot", "Sim, das 8h às 12h.")], Outcome.ANSWERED),
        ([("patient", "quero saber o endereço"), ("bot", "Rua A, 1", step("get_clinic_info"))], Outcome.ANSWERED),
        ([("patient", "já tem laudo?"), ("bot", "Sim.", step("prontuario_ver_exame"))], Outcome.ANSWERED),
        ([("patient", "oi"), ("bot", "Olá! Tudo bem?")], Outcome.NOTHING_ASKED),
        ([("patient", "tudo bem?"), ("bot", PHRASES.say("agreed"))], Outcome.NOTHING_ASKED),
        (
            [("patient", "marca às 15h"), ("bot", "Marcado!", step("create_appointment", status=ToolStatus.FAILED))],
            Outcome.NOTHING_ASKED,
        ),
        ([("patient", "sim"), ("bot", "Pronto", step("create_appointment"))], Outcome.BOOKED),
        ([("patient", "tem hoje?"), ("bot", "Não.", step("get_available_slots", NO_ROOM))], Outcome.NO_TIME),
        ([("patient", "tem hoje?"), ("bot", "Sim: 15h.", step("get_available_slots", ROOM))], Outcome.STOPPED),
        (
            [
                ("patient", "tem hoje?"),
                ("bot", "Não.", step("get_available_slots", NO_ROOM)),
                ("patient", "e amanhã?"),
                ("bot", "Sim: 15h.", step("get_available_slots", ROOM)),
            ],
            Outcome.STOPPED,
        ),
        ([("patient", "quanto custa?")], Outcome.UNANSWERED),
        ([("patient", "quanto custa?"), ("bot", "R$ 100."), ("patient", "e o canal?")], Outcome.UNANSWERED),
        (
            [
                ("patient", "aceita meu convênio, o Bradesco?"),
                ("bot", "Aceitamos convênios.", step("get_clinic_info")),
                ("patient", "Aceita o meu convênio, o bradesco??"),
                ("bot", "Sim, o Bradesco.", step("get_clinic_info")),
            ],
            Outcome.ASKED_AGAIN,
        ),
        (
            [
                ("patient", "aceita meu convênio, o Bradesco?"),
                ("patient", "aceita meu convênio, o Bradesco?"),
                ("bot", "Sim, o Bradesco.", step("get_clinic_info")),
            ],
            Outcome.ANSWERED,
        ),
    ],
)
def test_what_a_model_answered_counts_by_what_is_to_be_seen(lines: Sequence[Line], outcome: Outcome) -> None:
    assert SIGNS.outcome(talk(*lines)) is outcome


@pytest.mark.parametrize(
    ("event", "outcome"),
    [
        (Event.TAKEN_OVER, Outcome.PERSON),
        (Event.TURN_FAILED, Outcome.FAILED),
        (Event.MESSAGES_PARKED, Outcome.FAILED),
        (Event.ASSIGNED, Outcome.ANSWERED),
    ],
)
def test_what_happened_between_the_messages_counts(event: Event, outcome: Outcome) -> None:
    happened = HistoryMessage(
        id="e", author=Author.SYSTEM, type=MessageType.SYSTEM, content="", timestamp=NOON, event=event
    )
    messages = [*talk(("patient", "abre sábado?"), ("bot", "Sim.", step("get_clinic_info"))), happened]
    assert SIGNS.outcome(messages) is outcome


@pytest.mark.parametrize("group", ["NOT_UNDERSTOOD", "UNKNOWN", "BEGUN", "TALK"])
def test_each_phrase_that_is_a_sign_is_one_that_the_bot_says(group: str) -> None:
    assert set(getattr(outcomes, group)) - PHRASES.texts.keys() == set()


def test_a_phrase_is_known_whatever_its_placeholders_hold() -> None:
    said = PHRASES.say("not_understood", an_appointment="uma sessão (de 50 min)")
    assert SIGNS.outcome(talk(("patient", "xyz?"), ("bot", f"Oi!\n\n{said}"))) is Outcome.NOT_UNDERSTOOD
