"""What answers a question: in other words than the entry's, by a choice, or not at all."""

from pathlib import Path

import pytest
from training.knowledge_exam import entries_of, in_right_group, lines_of

from gendei.knowledge.finding import SearchOutcome, WhatAnswers, find
from gendei.knowledge.grouping import grouped
from gendei.knowledge.search import SearchIndex
from gendei.knowledge.searchable import Searchable

OWN = Path(__file__).parents[2] / "training" / "knowledge"
INDEX = SearchIndex(entries_of(OWN))


@pytest.mark.parametrize(
    ("question", "entry"),
    [
        ("tem lugar pra deixar o carro?", "estacionamento"),
        ("estasionamento tem?", "estacionamento"),
        ("minha mãe usa cadeira de rodas, consegue entrar?", "rampa"),
        ("posso tomar café antes da coleta?", "jejum_sangue"),
        ("vcs tem acessibilidade", "rampa"),
    ],
)
def test_a_question_in_other_words_finds_its_entry(question: str, entry: str) -> None:
    assert find(INDEX, question).ids[0] == entry


def test_of_questions_that_nothing_answers_hardly_one_gets_an_answer() -> None:
    rows = lines_of(OWN / "unanswerable.jsonl")
    assert sum(find(INDEX, row["q"]).outcome is SearchOutcome.ANSWERED for row in rows) <= 0.01 * len(rows)


def test_most_questions_get_their_entry_at_once_or_to_choose() -> None:
    rows = lines_of(OWN / "paraphrases.jsonl")
    assert sum(row["id"] in find(INDEX, row["q"]).ids for row in rows) >= 0.85 * len(rows)


def test_without_entries_or_words_nothing_is_found() -> None:
    empty = WhatAnswers(SearchOutcome.UNKNOWN)
    assert find(SearchIndex([]), "tem rampa?") == empty
    assert [find(INDEX, text) for text in ("", "?!", "♥", "x" * 100_000)] == [empty] * 4


def test_questions_of_one_meaning_are_one_group() -> None:
    questions = ["fazem transplante capilar?", "tem ótica?", "implante de cabelo vocês fazem?", "têm ótica parceira?"]
    assert grouped(questions) == [[0, 2], [1, 3]]


def test_a_group_counts_where_it_is_mostly_and_mainly_of_its_topic() -> None:
    assert in_right_group([[0, 1], [2], [3]], ["a", "a", "a", "b"]) == 0.75


def test_five_thousand_entries_are_searched() -> None:
    many = [Searchable(f"e{number}", (f"tem sala {number}?",), f"A sala {number} existe.") for number in range(5000)]
    assert find(SearchIndex([*many, *INDEX.entries]), "estacionamento tem?").ids[0] == "estacionamento"
