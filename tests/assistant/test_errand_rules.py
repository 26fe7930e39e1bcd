"""The ranked rules of errands: each one's examples choose it, and every errand of them has a dialogue."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest
from tests.receptionist.front_desk import NOW, ROOT, demo_clinic

from gendei.assistant.guided.dialogue import DIALOGUES
from gendei.assistant.guided.errand_rules import ErrandRule, errand_rules
from gendei.assistant.guided.guide import Guide, Order
from gendei.assistant.texts import AssistantTexts
from gendei.verticals import load_verticals

RULES = errand_rules().rules


@cache
def _texts() -> AssistantTexts:
    return AssistantTexts.load(ROOT / "prompts")


def _rule_of(text: str) -> ErrandRule | None:
    clinic = demo_clinic("sorriso")
    turn: Any = SimpleNamespace(texts=_texts())
    vertical = load_verticals(ROOT / "verticals")[clinic.vertical]
    return Guide(turn, clinic, vertical, clinic.local(NOW), Order(text)).rule


def test_each_example_is_decided_by_its_rule() -> None:
    decided = {(rule.rule, example): _rule_of(example) for rule in RULES for example in rule.examples}
    assert {of: found.rule if found else None for of, found in decided.items()} == {of: of[0] for of in decided}


def test_every_errand_of_the_rules_has_a_dialogue_and_the_other_way_round() -> None:
    assert {rule.means for rule in RULES} == DIALOGUES.keys()


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        ("agenda limpeza para a Ana Lima, terça às 10h, tel 11 99999-8888", "book"),
        ("cria uma tarefa: abrir uma conversa com a Ana", "add_task"),
        ("apaga a consulta da Ana", "cancel"),
    ],
)
def test_words_of_another_errand_beside_it_do_not_decide(said: str, rule: str) -> None:
    found = _rule_of(said)
    assert found is not None
    assert found.rule == rule
