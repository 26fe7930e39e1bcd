"""What answers a question: in other words than the entry's, by a choice, or not at all."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from training.knowledge_exam import entries_of, in_right_group, lines_of
from training.knowledge_texts import OWN, STRANGERS, WRITERS, clinics, counted_parts, texts_of

from gendei.knowledge import sentences
from gendei.knowledge.finding import find
from gendei.knowledge.grouping import grouped
from gendei.knowledge.outcome import SearchOutcome, WhatAnswers
from gendei.knowledge.search import SearchIndex
from gendei.knowledge.searchable import Searchable
from gendei.knowledge.vectors import VectorSpace, own_vectors

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


def test_texts_without_a_common_word_are_near_each_other() -> None:
    space = own_vectors()
    urine, yoga = (space.vector(text) for text in ("onde deixo o potinho de xixi?", "tem aula de yoga?"))
    assert urine @ space.vector("Entregue a urina no frasco") > 0.3 > yoga @ urine


def test_a_text_of_unknown_words_has_no_vector() -> None:
    assert not own_vectors().vector("♥ ?!").any()


def test_a_space_is_kept_as_it_is(tmp_path: Path) -> None:
    space = VectorSpace.of(["carro", "vaga"], np.array([[1, 0.5], [0.25, -1]], dtype=np.float32))
    space.save(tmp_path / "vectors.npz")
    kept = VectorSpace.load(tmp_path / "vectors.npz")
    assert kept.summed((("carro", 2.0), ("vaga", 1.0), ("unknown", 1.0))) == pytest.approx([2.25, 0], abs=0.02)
    assert np.array_equal(kept.vector("carro"), space.vector("carro"))


@pytest.mark.slow
def test_the_vectors_that_are_shipped_are_of_the_training_texts() -> None:
    _, learned = counted_parts(texts_of(clinics([OWN, *WRITERS, *STRANGERS])))
    assert list(learned) == list(own_vectors().places)


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
    for module in ("sentences", "search"):
        monkeypatch.setattr(f"gendei.knowledge.{module}.encoder", EncoderOfOneSubject)
    yield
    sentences._encoded.cache_clear()


@pytest.mark.usefixtures("one_subject")
def test_with_the_extra_an_entry_is_found_by_what_the_sentence_means() -> None:
    entries = [Searchable("a", ("tem rebimboca?",), "Temos."), Searchable("b", ("tem piscina?",), "Temos.")]
    index = SearchIndex(entries)
    near = index.nearest("procuro parafuseta")[1][:, -2]
    assert index.semantic
    assert near[0] > near[1]
