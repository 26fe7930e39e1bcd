"""`python -m training.knowledge_weights FOLDER...`: fit the weights of the search, src/gendei/knowledge/weights.json.

Without folders, those of training/knowledge. First the order of the entries (a softmax over them, no weight below 0),
then whether the nearest answers: right answers against wrong ones, questions that nothing answers, and questions whose
entry is taken away."""

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from gendei.knowledge.finding import LEADS, MOST_OFFERED, at_all, evidence, nearest_first
from gendei.knowledge.search import FEATURES, SearchIndex
from training.knowledge_exam import entries_of, lines_of

FILE = Path(__file__).parent.parent / "src/gendei/knowledge/weights.json"
OWN = Path(__file__).parent / "knowledge"
SMALL, SMALL_EVIDENCE = 0.002, 0.01
TAKEN_AWAY, NOT_ANSWERED = 0.4, 1.5
"""How much such an example counts beside a right answer."""
Rows = NDArray[np.float64]


def fitted_order(rows: Sequence[Rows], right: Sequence[int]) -> Rows:
    """Weights by which the right entry comes first."""

    def loss(weights: Rows) -> tuple[float, Rows]:
        total, slope = 0.0, np.zeros_like(weights)
        for features, place in zip(rows, right, strict=True):
            scores = features @ weights
            shares = np.exp(scores - scores.max())
            shares /= shares.sum()
            total -= float(np.log(shares[place] + 1e-12))
            slope += shares @ features - features[place]
        count = len(rows)
        return total / count + SMALL * float(weights @ weights) / 2, slope / count + SMALL * weights

    start = np.full(len(FEATURES), 0.5)
    found: Rows = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=[(0, None)] * len(FEATURES)).x
    return found


def fitted_evidence(rows: Rows, answers: Rows, counts: Rows) -> tuple[Rows, float]:
    """Weights and bias of a logistic regression over standardised rows, for rows as they are."""
    mean, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-9
    standard = np.c_[(rows - mean) / spread, np.ones(len(rows))]

    def loss(weights: Rows) -> tuple[float, Rows]:
        scores = standard @ weights
        bare = np.r_[weights[:-1], 0.0]
        wrong = counts * (1 / (1 + np.exp(-scores)) - answers)
        total = float((counts * (np.logaddexp(0, scores) - answers * scores)).sum() / counts.sum())
        return total + SMALL_EVIDENCE * float(
            bare @ bare
        ) / 2, standard.T @ wrong / counts.sum() + SMALL_EVIDENCE * bare

    found = minimize(loss, np.zeros(standard.shape[1]), jac=True, method="L-BFGS-B").x
    weights: Rows = found[:-1] / spread
    return weights, float(found[-1] - weights @ mean)


def main(folders: Sequence[Path]) -> None:
    rows: list[Rows] = []
    right: list[int] = []
    unanswered: list[Rows] = []
    for folder in folders:
        index = SearchIndex(entries_of(folder))
        places = {entry.id: number for number, entry in enumerate(index.entries)}
        for row in lines_of(folder / "paraphrases.jsonl"):
            rows.append(index.features(row["q"]))
            right.append(places[row["id"]])
        unanswered += [index.features(row["q"]) for row in lines_of(folder / "unanswerable.jsonl")]
    order = fitted_order(rows, right)
    told = _evidence(rows, right, unanswered, lambda features: nearest_first(features, order))
    weights, bias = fitted_evidence(*told)
    near, near_bias = fitted_evidence(
        *_nearness(rows, right, unanswered, lambda features: nearest_first(features, order))
    )
    data = {
        "nearest": dict(zip(FEATURES, order.round(4).tolist(), strict=True)),
        "answers": dict(zip((*FEATURES, *LEADS), weights.round(4).tolist(), strict=True)),
        "bias": round(bias, 4),
        "near": dict(zip((*FEATURES, LEADS[-1]), near.round(4).tolist(), strict=True)),
        "near_bias": round(near_bias, 4),
    }
    FILE.write_text(json.dumps(data, indent=1) + "\n", "utf-8")


Ordering = Callable[[Rows], tuple[NDArray[np.int64], Rows]]


def _evidence(
    rows: Sequence[Rows], right: Sequence[int], unanswered: Sequence[Rows], ordered: Ordering
) -> tuple[Rows, Rows, Rows]:
    told: list[tuple[Rows, float, float]] = []
    for features, place in zip(rows, right, strict=True):
        order, scores = ordered(features)
        told.append((evidence(features, order.tolist(), scores), float(order[0] == place), 1.0))
        without = [other for other in order.tolist() if other != place]
        told.append((evidence(features, without, scores), 0.0, TAKEN_AWAY))
    for features in unanswered:
        order, scores = ordered(features)
        told.append((evidence(features, order.tolist(), scores), 0.0, NOT_ANSWERED))
    found, answers, counts = zip(*told, strict=True)
    return np.array(found), np.array(answers), np.array(counts)


def _nearness(
    rows: Sequence[Rows], right: Sequence[int], unanswered: Sequence[Rows], ordered: Ordering
) -> tuple[Rows, Rows, Rows]:
    told: list[tuple[Rows, float, float]] = []
    for features, place in zip(rows, right, strict=True):
        order, scores = ordered(features)
        among = place in order[:MOST_OFFERED].tolist()
        told.append((at_all(features, order.tolist(), scores), float(among), 1.0))
    for features in unanswered:
        order, scores = ordered(features)
        told.append((at_all(features, order.tolist(), scores), 0.0, NOT_ANSWERED))
    found, answers, counts = zip(*told, strict=True)
    return np.array(found), np.array(answers), np.array(counts)


if __name__ == "__main__":
    main([Path(name) for name in sys.argv[1:]] or [OWN])
