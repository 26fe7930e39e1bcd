"""The benchmark runs and reports; nothing here is timed."""

import subprocess
import sys
from pathlib import Path

import pytest
from bench.report import Figure, Section, render

CHECKOUT = Path(__file__).parent.parent
QUICK = ("intake", "turns", "statuses", "slots")
"""The parts that start few processes: the others take minutes wherever something else runs."""
FIGURES = [
    "webhooks accepted, ours / bare route",
    "latency of acceptance, p99",
    "processor time of a turn, ours / bare SDK",
    "processor time of a turn, chat API / webhook",
    "processor time of a delivery status, with its client",
    "the same without client and server",
    "slots of 10 professionals, hours of their own",
    "slots of 10 professionals, the clinic's hours",
]


@pytest.mark.slow
def test_a_tiny_run_reports_every_figure_with_its_method_and_leaves_nothing_behind(tmp_path: Path):
    ended = subprocess.run(
        [sys.executable, "-m", "bench", "--tiny", "--only", *QUICK, "--dir", str(tmp_path)],
        cwd=CHECKOUT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    named = [line.split("  ")[0] for line in ended.stdout.splitlines()[3 : 3 + len(FIGURES)]]
    assert (named, ended.stdout.count("  Method: "), list(tmp_path.iterdir())) == (FIGURES, len(QUICK), [])


@pytest.mark.parametrize(
    ("figure", "verdict"),
    [
        (Figure("rate", 0.9, "at least", 0.6), "reached, with 50% to spare"),
        (Figure("rate", 0.3, "at least", 0.6), "short by 50%"),
        (Figure("time", 2.5, "at most", 5, "ms"), "reached, with 50% to spare"),
        (Figure("time", 7.5, "at most", 5, "ms"), "short by 50%"),
        (Figure("time", 5.0, "at most", 5, "ms"), "just reached"),
        (Figure("time", 5.01, "at most", 5, "ms"), "just missed"),
    ],
)
def test_a_verdict_says_how_far_the_goal_is(figure: Figure, verdict: str):
    assert figure.verdict == verdict


def test_a_report_is_a_table_and_then_the_methods():
    section = Section("Slots", (Figure("time", 2.5, "at most", 5, "ms"),), "measured", ("seen",))
    assert render([section]).splitlines() == [
        "figure  goal             reached  verdict",
        "------  ---------------  -------  --------------------------",
        "time    at most 5.00 ms  2.50 ms  reached, with 50% to spare",
        "",
        "Slots",
        "  Method: measured",
        "  seen",
    ]
