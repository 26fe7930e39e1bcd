"""Every tool, every reason and everything that can be understood has its sentence."""

from dataclasses import replace
from datetime import date

import pytest
from tests.conversation.cast import BOA_VIDA, NOON, clinic
from tests.staff.inbox.desk import TEXTS

from gendei.ear.kinds import MessageKind
from gendei.messages.turns import Danger, Reasons, ToolStatus, ToolStep, Unclear, Understood
from gendei.prompts import INTENTS
from gendei.receptionist.tools import CATEGORY_OF
from gendei.receptionist.tools.refusals import REASONS
from gendei.staff.inbox.why import CHOICES, LOOKS_UP, SAYS_NOTHING, Account, WhyPart

HERE = clinic(BOA_VIDA)
AT = HERE.local(NOON)
NOTHING_LOOKED_UP = {WhyPart.UNDERSTOOD, WhyPart.DECIDED}


def told(*steps: ToolStep, understood: Understood | None = None) -> Account:
    return TEXTS.why.account(Reasons(steps, understood), HERE, AT)


def lines(account: Account) -> str:
    return "\n".join(line for part in account.values() for line in part)


@pytest.mark.parametrize("tool", [*CATEGORY_OF, "laboratorio_resultado"])
def test_every_tool_is_told_when_it_worked_and_when_it_was_refused(tool):
    step = ToolStep(tool, "{}", found=2)
    refused = replace(step, error="x", status=ToolStatus.FAILED, reason="taken")
    part = WhyPart.LOOKED_UP if tool in LOOKS_UP or tool not in CATEGORY_OF else WhyPart.DECIDED
    assert told(step)[part]
    assert "o horário acabou de ser ocupado" in lines(told(refused))
    for account in (told(step), told(refused)):
        assert not {"{", "}"} & set(lines(account))


@pytest.mark.parametrize("reason", sorted(REASONS))
def test_every_reason_is_told(reason):
    found_nothing = told(ToolStep("get_available_slots", "{}", reason=reason, found=0))
    refused = told(ToolStep("create_appointment", "{}", error="x", reason=reason))
    assert TEXTS.why.reasons[reason] in found_nothing[WhyPart.LOOKED_UP][0]
    assert TEXTS.why.reasons[reason] in refused[WhyPart.REFUSED][0]


@pytest.mark.parametrize("wish", sorted(INTENTS - SAYS_NOTHING))
def test_every_wish_is_told(wish):
    [first, *_] = told(understood=Understood(wishes=(wish,)))[WhyPart.UNDERSTOOD]
    assert TEXTS.why.wishes[wish] in first


@pytest.mark.parametrize("chosen", CHOICES)
def test_every_choice_is_told(chosen):
    assert TEXTS.why.choices[chosen] in lines(told(understood=Understood(tapped=chosen)))


@pytest.mark.parametrize("danger", list(Danger))
def test_how_danger_was_judged_is_always_told(danger):
    assert TEXTS.why.danger[danger] in lines(told(understood=Understood(danger=danger)))


@pytest.mark.parametrize("kind", list(MessageKind))
def test_what_the_ear_believes_is_told_with_how_sure_it_is(kind):
    for sure, sentence in ((True, TEXTS.why.sure), (False, TEXTS.why.unsure)):
        begins = sentence.partition("{")[0]
        assert begins in lines(told(understood=Understood(kind=kind, share=74, sure=sure)))


def test_what_was_not_clear_is_told():
    unclear = told(understood=Understood(unclear=tuple(Unclear)))[WhyPart.UNDERSTOOD]
    assert set(TEXTS.why.unclear.values()) <= set(unclear)


def test_a_day_and_hours_are_told_in_words():
    said = Understood(day=date(2026, 3, 3), hour_from="12:00", hour_to="18:00")
    assert "amanhã, terça-feira, 03/03, à tarde" in lines(told(understood=said))


def test_what_nobody_recorded_is_not_told():
    assert told() == {}


def test_a_step_of_before_there_were_reasons_is_told_by_its_result():
    result = '{"success": false, "error": "x", "data": {"reason": "full", "nearest": []}}'
    assert "já não há vaga" in lines(told(ToolStep("hold_slot", "{}", error="x", result=result)))


@pytest.mark.parametrize("recorded", ["", "…", "[1]", '{"date": 7, "time": "late", "service_id": [1]}'])
def test_arguments_that_no_tool_takes_are_told_all_the_same(recorded):
    assert told(ToolStep("create_appointment", recorded))[WhyPart.DECIDED]
