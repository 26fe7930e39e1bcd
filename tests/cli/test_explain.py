"""`gendei explain`: why a message is answered as it is."""

import pytest
from tests.cli.conftest import AURORA, BROMELIA
from tests.cli.operators_words import LABELS

from gendei.cli.language import worded


@pytest.fixture
def told(gendei):
    gendei("clinics", "import", AURORA, BROMELIA)
    return lambda text, clinic="aurora": gendei("explain", text, "--clinic", clinic)


def lines_of(result) -> dict[str, str]:
    """What stands before the answer, by name."""
    before, _, _ = result.stdout.partition("\n\n")
    return {line[:13].strip(): line[14:] for line in before.splitlines()}


def test_what_is_heard_stands_beside_what_is_answered(told):
    result = told("quero marcar uma limpeza amanhã às 15h")
    lines = lines_of(result)
    assert (result.exit_code, lines["services"], lines["day"], lines["hour"]) == (0, "limpeza", "2026-11-24", "15:00")
    assert "book" in lines["ear believes"]
    assert "Em nome de quem" in result.stdout.partition("\n\n")[2]


def test_danger_is_told_with_how_it_was_judged(told):
    lines = lines_of(told("meu pai caiu no banheiro, não acorda e a boca dele está roxa, o que eu faço"))
    assert lines["danger"].endswith("call")
    assert lines["a person"]


def test_the_rule_that_decided_is_told_of_an_answer_too(gendei, told):
    told("quero marcar uma limpeza")
    before = ("--after", "quero marcar uma limpeza", "--after", "amanhã às 15h", "--after", "Rosa Lima")
    answers = [gendei("explain", text, "--clinic", "aurora", *before) for text in ("só um minutinho", "quanto custa?")]
    assert [lines_of(result)["rule"] for result in answers] == ["needs_a_moment", "question_between"]


def test_who_reads_portuguese_reads_no_english_label(told, monkeypatch):
    monkeypatch.setenv("GENDEI_LANG", "pt")
    lines = lines_of(told("quero marcar uma limpeza amanhã às 15h"))
    english = LABELS - {value for value in LABELS if worded(value) == value}
    assert not english & {*lines, lines["segue"], lines["perigo"].partition(": ")[2]}
    assert lines["regra"] == "book"  # as rules.yaml has it


def test_nothing_is_stored(told, gendei):
    told("quero marcar uma limpeza amanhã às 15h")
    assert gendei("appointments", "--clinic", "aurora").stdout == ""


def test_another_clinics_services_are_not_known(told):
    assert "limpeza" not in lines_of(told("limpeza", "bromelia"))["services"]


def test_a_clinic_that_is_not_there_is_said(told):
    result = told("oi", "nobody")
    assert (result.exit_code, "there is no clinic nobody" in result.stderr) == (1, True)
