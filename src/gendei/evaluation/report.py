"""The result of an evaluation: a table to read, a file to keep, and two files compared."""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from inspect import getdoc
from math import comb, isnan
from operator import attrgetter
from pathlib import Path
from statistics import median, quantiles

from pydantic import TypeAdapter

from gendei.errors import GendeiError
from gendei.evaluation.trials import Trial

FORMAT = 1
_TRIALS = TypeAdapter(tuple[Trial, ...])


class NoEvaluation(GendeiError):
    """The file is not what `gendei eval --json FILE` writes, or of another version. Make it anew."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path}: {getdoc(type(self))}" if path.is_file() else f"{path}: there is no such file.")


@dataclass(frozen=True, slots=True)
class Evaluation:
    """`model`: what answered. `times`: how often each task was played."""

    model: str
    times: int
    trials: tuple[Trial, ...]

    def save(self, path: Path) -> None:
        whole = {"format": FORMAT, "model": self.model, "times": self.times, "summary": summary(self)}
        path.write_text(json.dumps(whole | {"trials": [asdict(trial) for trial in self.trials]}, ensure_ascii=False))

    @classmethod
    def load(cls, path: Path) -> "Evaluation":
        """Raises NoEvaluation."""
        try:
            whole = json.loads(path.read_text())
            if whole["format"] != FORMAT:
                raise NoEvaluation(path)
            return cls(whole["model"], whole["times"], _TRIALS.validate_python(whole["trials"]))
        except (OSError, ValueError, KeyError, TypeError):
            raise NoEvaluation(path) from None


def pass_hat(trials: Sequence[Trial], k: int) -> float:
    """The chance that a task is done k times out of k (tau-bench's pass^k), 0 to 1; NaN where it was played less."""
    by_case: dict[str, list[bool]] = defaultdict(list)
    for trial in trials:
        by_case[trial.case].append(trial.passed)
    chances = [comb(sum(passed), k) / comb(len(passed), k) for passed in by_case.values() if len(passed) >= k]
    return sum(chances) / len(chances) if chances else float("nan")


def summary(evaluation: Evaluation) -> dict[str, float]:
    """The figures that goals are set for, without those that no trial gave."""
    trials = evaluation.trials
    seconds = [second for trial in trials for second in trial.seconds]
    figures: dict[str, float] = {"tasks": len({trial.case for trial in trials}), "trials": len(trials)}
    figures |= {f"pass^{k}": pass_hat(trials, k) for k in sorted({1, evaluation.times})}
    figures |= {
        "false_claims": sum(trial.false_claims for trial in trials),
        "double_bookings": sum(trial.double_bookings for trial in trials),
        "turns_of_a_booking_by_text": _median(
            trial.turns for trial in trials if trial.goal == "book" and trial.passed and not trial.taps
        ),
        "turns_of_a_booking_by_taps": _median(
            trial.turns for trial in trials if trial.goal == "book" and trial.passed and trial.taps
        ),
        "messages_of_a_booking": _median(trial.messages for trial in trials if trial.goal == "book" and trial.passed),
        "usd": sum(trial.cost_usd for trial in trials),
        "usd_of_a_booking": _median(trial.cost_usd for trial in trials if trial.goal == "book" and trial.passed),
        "seconds_median": _median(seconds),
        "seconds_p95": quantiles(seconds, n=20)[-1] if len(seconds) > 1 else float("nan"),
    }
    return {
        name: round(value, 6 if name.startswith("usd") else 4) for name, value in figures.items() if not isnan(value)
    }


def _median(values: Iterable[float]) -> float:
    listed = list(values)
    return float(median(listed)) if listed else float("nan")


def table(evaluation: Evaluation) -> str:
    """For people: by clinic and by goal, then the figures, then what went wrong."""
    lines, hats = [f"model: {evaluation.model}, each task {evaluation.times}x", ""], sorted({1, evaluation.times})
    for title, key in (("clinic", attrgetter("clinic")), ("goal", attrgetter("goal"))):
        groups: dict[str, list[Trial]] = defaultdict(list)
        for trial in evaluation.trials:
            groups[key(trial)].append(trial)
        lines += [" ".join([f"{title:<10} {'tasks':>6}", *(f"{f'pass^{k}':>7}" for k in hats), f"{'turns':>6}"])]
        for name, trials in sorted(groups.items()):
            count, turns = len({trial.case for trial in trials}), _median(trial.turns for trial in trials)
            shares = [f"{pass_hat(trials, k):7.1%}" for k in hats]
            lines.append(" ".join([f"{name:<10} {count:>6}", *shares, f"{turns:>6.1f}"]))
        lines.append("")
    lines += [f"{name:<28} {value:g}" for name, value in summary(evaluation).items()]
    failed = [trial for trial in evaluation.trials if not trial.passed]
    lines += (
        ["", *(f"{trial.case} (seed {trial.seed}): {'; '.join(trial.wrong)}" for trial in failed)] if failed else []
    )
    return "\n".join(lines)


def comparison(before: Evaluation, after: Evaluation) -> str:
    """The figures side by side, and the tasks whose share of passes changed."""
    first, second = summary(before), summary(after)
    lines = [f"{'':<28} {before.model:>14} {after.model:>14}"]
    for name in dict.fromkeys([*first, *second]):
        shown = [f"{figures[name]:g}" if name in figures else "-" for figures in (first, second)]
        lines.append(f"{name:<28} {shown[0]:>14} {shown[1]:>14}")
    rates = [_rates(evaluation) for evaluation in (before, after)]
    changed = sorted(case for case in rates[0].keys() & rates[1].keys() if rates[0][case] != rates[1][case])
    lines += ["", *(f"{case}: {rates[0][case]:.0%} -> {rates[1][case]:.0%}" for case in changed)] if changed else []
    return "\n".join(lines)


def _rates(evaluation: Evaluation) -> dict[str, float]:
    by_case: dict[str, list[bool]] = defaultdict(list)
    for trial in evaluation.trials:
        by_case[trial.case].append(trial.passed)
    return {case: sum(passed) / len(passed) for case, passed in by_case.items()}
