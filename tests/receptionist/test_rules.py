"""The ranked rules: each one's examples choose it, every meaning has a dialogue, and every rule can be reached."""

from datetime import datetime
from functools import cache
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from tests.receptionist.front_desk import FrontDesk

from gendei.clinic import Clinic, Contact
from gendei.clinics.file import load_clinics
from gendei.messages.turns import TurnInput
from gendei.prompts import load_intents
from gendei.receptionist.guided import answer_mentions, answers
from gendei.receptionist.guided.guided_turn import GuidedTurn
from gendei.receptionist.guided.mentions import MENTIONS, mentions_of
from gendei.receptionist.guided.policy import POLICY
from gendei.receptionist.guided.rules import Meaning, WishRule, rules
from gendei.receptionist.understanding.language import Vocabulary
from gendei.receptionist.understanding.one_wish import hear
from gendei.receptionist.understanding.ranked_rules import first_of
from gendei.secrets import SecretBox, new_key
from gendei.verticals import Vertical, load_verticals

ROOT = Path(__file__).parents[2]
NOW = datetime(2026, 3, 2, 10, tzinfo=ZoneInfo("America/Sao_Paulo"))
CLINIC = "dental"


@cache
def place() -> tuple[Clinic, Vertical, Vocabulary]:
    verticals = load_verticals(ROOT / "verticals")
    [clinic] = load_clinics([ROOT / "evals" / "clinics" / f"{CLINIC}.yaml"], {}, verticals, SecretBox(new_key()))
    vertical = verticals[clinic.vertical].for_clinic(clinic)
    return clinic, vertical, Vocabulary.of(load_intents(ROOT / "prompts")).joined(vertical.intents)


EXAMPLES = [(rule, example) for rule in rules() for example in rule.examples]


@pytest.fixture
async def turn(front_desk: FrontDesk) -> GuidedTurn:
    """Of a patient who has said nothing yet."""
    clinic, _, vocabulary = place()
    maria = Contact("+5511999990001")
    first = TurnInput(
        clinic=clinic,
        contact=maria,
        phone=maria,
        user_name=None,
        inputs=(),
        history=(),
        agent="triage",
        state={},
        now=NOW,
        channel="meta",
    )
    return GuidedTurn(front_desk.visitor().receptionist.begun(first), vocabulary, {}, "triage")


@pytest.mark.parametrize(("rule", "example"), EXAMPLES, ids=[f"{rule.rule}: {example}" for rule, example in EXAMPLES])
def test_its_example_chooses_it(turn: GuidedTurn, rule: WishRule, example: str):
    clinic, vertical, vocabulary = place()
    heard = hear(example, clinic=clinic, vocabulary=vocabulary, vertical=vertical, now=NOW)
    chosen = first_of(rules(), mentions_of(turn, heard, example) | rule.where)
    assert chosen is not None
    assert chosen.rule == rule.rule


def test_what_answers_is_chosen_by_the_examples_of_its_rule(turn: GuidedTurn):
    clinic, vertical, vocabulary = place()
    decided = {}
    for rule in answers.rules():
        for example in rule.examples:
            heard = hear(example, clinic=clinic, vocabulary=vocabulary, vertical=vertical, now=NOW, open_service="")
            mentions = answer_mentions.mentions_of(turn, heard, example) - {"booking"} | rule.where
            found = first_of(answers.rules(), mentions)
            decided[rule.rule, example] = found.rule if found else None
    assert decided == {of: of[0] for of in decided}


def test_something_is_done_about_every_answer():
    assert {*answers.ANSWERS, answers.NEW_WISH} == {rule.means for rule in answers.rules()}


def test_no_two_rules_have_a_name():
    names = [rule.rule for rule in (*rules(), *answers.rules())]
    assert len(set(names)) == len(names)


def test_every_mention_is_asked_about():
    asked = frozenset[str]().union(*(rule.all | rule.any | rule.none for rule in rules()))
    assert [mention for mention in MENTIONS if mention not in asked] == []
    asked = frozenset[str]().union(*(rule.all | rule.any | rule.none for rule in answers.rules()))
    assert [mention for mention in answer_mentions.MENTIONS if mention not in asked] == []


def test_something_is_done_about_every_meaning_and_every_meaning_has_a_rule():
    assert set(POLICY) == {*Meaning} == {rule.means for rule in rules()}
