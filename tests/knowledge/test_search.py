"""What answers a question: in other words than the entry's, by a choice, or not at all."""

from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from training.knowledge_exam import entries_of, in_right_group, lines_of
from training.knowledge_topics import OWN, STRANGERS, WRITERS, topics

from gendei.knowledge import sentences
from gendei.knowledge.finding import find
from gendei.knowledge.grouping import grouped
from gendei.knowledge.outcome import SearchOutcome, WhatAnswers
from gendei.knowledge.search import SearchIndex
from gendei.knowledge.searchable import Searchable
from gendei.knowledge.topics import TopicSpace, own_topics

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


def test_texts_without_a_common_word_are_of_one_topic() -> None:
    urine, yoga = (own_topics().vector(text) for text in ("onde deixo o potinho de xixi?", "tem aula de yoga?"))
    assert urine @ own_topics().vector("Entregue a urina no frasco") > 0.3 > yoga @ urine


def test_the_topics_that_are_shipped_are_those_of_the_training_texts() -> None:
    made = TopicSpace.learned(topics([OWN, *WRITERS, *STRANGERS]))
    assert (list(made.words), made.count) == (list(own_topics().words), own_topics().count)


class EncoderOfOneSubject:
    """Stands for the extra: hears one subject, under words that no list holds."""

    def encode(self, texts: Sequence[str]) -> sentences.Vectors:
        rows = np.full((len(texts), sentences.NUMBERS), 1e-3, dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[0 if "rebimboca" in text or "parafuseta" in text else 1] = 1.0
        return rows


@pytest.fixture
def one_subject(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    sentences._encoded.cache_clear()
    for module in ("sentences", "search", "grouping"):
        monkeypatch.setattr(f"gendei.knowledge.{module}.encoder", EncoderOfOneSubject)
    yield
    sentences._encoded.cache_clear()


@pytest.mark.usefixtures("one_subject")
def test_with_the_extra_an_entry_is_found_by_what_the_sentence_means() -> None:
    entries = [Searchable("a", ("tem rebimboca?",), "Temos."), Searchable("b", ("tem piscina?",), "Temos.")]
    index = SearchIndex(entries)
    near = index.features("procuro parafuseta")[:, -3]
    assert index.semantic
    assert near[0] > near[1]
    assert grouped(["quero rebimboca", "quero tobogã", "quero parafuseta"], near=0.3) == [[0, 2], [1]]
