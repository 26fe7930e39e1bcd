"""pass^k, the file, and two files compared."""

import math
from dataclasses import replace
from pathlib import Path

import pytest

from gendei.evaluation.report import Evaluation, NoEvaluation, comparison, pass_hat, summary, table
from gendei.evaluation.trials import Trial

GOOD = Trial(
    case="dental/a",
    goal="book",
    taps=True,
    seed=1,
    wrong=(),
    turns=3,
    messages=4,
    seconds=(0.1, 0.2),
    false_claims=0,
    double_bookings=0,
)
BAD = replace(GOOD, wrong=("booked canal",), seed=2, false_claims=1)
OTHER = replace(GOOD, case="psi/b", taps=False, turns=6)


@pytest.mark.parametrize(
    ("trials", "k", "chance"),
    [
        ([GOOD, GOOD], 2, 1.0),
        ([GOOD, BAD], 1, 0.5),
        ([GOOD, BAD], 2, 0.0),
        ([GOOD, GOOD, GOOD, BAD], 2, 0.5),
        ([GOOD, GOOD, OTHER, replace(OTHER, wrong=("x",))], 2, 0.5),
    ],
)
def test_pass_hat_is_the_chance_of_k_passes_out_of_k(trials: list[Trial], k: int, chance: float) -> None:
    assert pass_hat(trials, k) == pytest.approx(chance)


def test_pass_hat_of_more_playings_than_there_were_is_unknown() -> None:
    assert math.isnan(pass_hat([GOOD], 4))


def test_the_summary_counts_what_must_never_be_and_the_turns_of_bookings_that_passed() -> None:
    figures = summary(Evaluation("guided", 1, (GOOD, BAD, OTHER)))

    assert (figures["tasks"], figures["trials"], figures["false_claims"]) == (2, 3, 1)
    assert (figures["turns_of_a_booking_by_taps"], figures["turns_of_a_booking_by_text"]) == (3, 6)


def test_the_summary_tells_what_models_cost_in_all_and_a_booking() -> None:
    trials = (replace(GOOD, cost_usd=0.002), replace(OTHER, cost_usd=0.004), replace(GOOD, goal="ask", cost_usd=0.001))
    figures = summary(Evaluation("api", 1, trials))

    assert (figures["usd"], figures["usd_of_a_booking"]) == (0.007, 0.003)


def test_the_table_names_each_task_that_failed_and_why() -> None:
    assert "dental/a (seed 2): booked canal" in table(Evaluation("guided", 2, (GOOD, BAD)))


def test_a_task_that_was_played_once_has_one_share_and_what_nobody_did_has_no_figure(tmp_path: Path) -> None:
    once = Evaluation("guided", 1, (replace(GOOD, seconds=()),))
    once.save(tmp_path / "a.json")

    assert (table(once).splitlines()[2].split(), "nan" in table(once)) == (
        ["clinic", "tasks", "pass^1", "turns"],
        False,
    )
    assert "NaN" not in (tmp_path / "a.json").read_text()


def test_a_comparison_shows_a_figure_that_one_of_them_lacks() -> None:
    lines = comparison(Evaluation("guided", 1, (OTHER,)), Evaluation("guided", 2, (GOOD, GOOD))).splitlines()

    assert [line.split() for line in lines if "pass^2" in line or "by_text" in line] == [
        ["turns_of_a_booking_by_text", "6", "-"],
        ["pass^2", "-", "1"],
    ]


def test_a_kept_result_comes_back_as_it_was(tmp_path: Path) -> None:
    evaluation = Evaluation("guided", 2, (GOOD, BAD))
    evaluation.save(tmp_path / "a.json")

    assert Evaluation.load(tmp_path / "a.json") == evaluation


@pytest.mark.parametrize(
    "text", ["", "{}", '{"format": 99}', '{"format": 1, "model": "x", "times": 1, "trials": [{}]}']
)
def test_another_file_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.json").write_text(text)

    with pytest.raises(NoEvaluation, match=r"a\.json: The file is not what"):
        Evaluation.load(tmp_path / "a.json")


def test_a_file_that_there_is_not_is_named(tmp_path: Path) -> None:
    with pytest.raises(NoEvaluation, match=r"b\.json: there is no such file"):
        Evaluation.load(tmp_path / "b.json")


def test_a_comparison_shows_what_became_better_and_worse() -> None:
    shown = comparison(Evaluation("guided", 1, (GOOD, OTHER)), Evaluation("api", 1, (BAD, OTHER)))

    assert "dental/a: 100% -> 0%" in shown
    assert "psi/b" not in shown
