"""A score of a visit in a patient's words: what is clear counts, what is half clear is asked again, and all else is
something else."""

import pytest

from gendei.receptionist.understanding.scores import ReadScore, score_in


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("5", 5), ("cinco", 5), ("nota 4", 4), ("Nota 10!", 5), ("dez", 5), ("0", 1), ("dou 3", 3), ("4 estrelas", 4),
        ("⭐⭐⭐⭐⭐", 5), ("foi ótimo", 5), ("Muito bom, obrigada!", 5), ("adorei", 5), ("foi bom", 4), ("péssimo", 1),
        ("muito ruim", 1), ("ruim", 2), ("mais ou menos", 3), ("não gostei", 2), ("um", 1),
    ],
)  # fmt: skip
def test_a_clear_answer_is_its_score(text: str, score: int) -> None:
    assert score_in(text) == ReadScore(score)


@pytest.mark.parametrize("text", ["7", "foi bom mas demorou", "ótimo, só a espera foi ruim", "não foi ótimo"])
def test_what_is_half_clear_is_no_score_and_is_asked_again(text: str) -> None:
    assert score_in(text) == ReadScore(None)


def test_what_is_said_beside_the_score_is_kept() -> None:
    assert score_in("2, esperei uma hora na recepção") == ReadScore(2, "esperei uma hora na recepção")
    assert score_in("nota 1 porque ninguém me atendeu") == ReadScore(1, "porque ninguém me atendeu")


@pytest.mark.parametrize(
    "text",
    [
        "2 horas de espera", "quero marcar para segunda", "um absurdo o que fizeram", "oi", "obrigada", "dia 5 às 14h",
        "pode ser na quarta", "tem horário bom na sexta para o meu filho de manhã?", "quanto custa?", "",
    ],
)  # fmt: skip
def test_anything_else_is_no_answer(text: str) -> None:
    assert score_in(text) is None
