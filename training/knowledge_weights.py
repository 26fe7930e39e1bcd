"""`python -m training.knowledge_weights`: fit the weights of the search, src/gendei/knowledge/weights.json.

They are fitted on the strangers' exams, whose texts the vectors do not know here. First the order of the entries (a
softmax over them), then whether the nearest answers: right answers against wrong ones, questions that nothing answers,
and questions whose entry is taken away. The bounds come from entries and questions that the weights of their fold do
not know. With `gendei[semantic]` installed, the weights of that search are fitted too; else they stay as they are."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from gendei.knowledge.finding import LEADS, MOST_OFFERED, at_all, evidence, nearest_first
from gendei.knowledge.search import SearchIndex, features_of
from gendei.knowledge.sentences import encoder
from gendei.knowledge.vectors import VectorSpace
from training.knowledge_exam import entries_of, lines_of
from training.knowledge_texts import OWN, STRANGERS, WRITERS, clinics
from training.knowledge_vectors import learned

FILE = Path(__file__).parent.parent / "src/gendei/knowledge/weights.json"
SMALL, SMALL_EVIDENCE = 0.001, 0.001
TAKEN_AWAY, NOT_ANSWERED = 0.2, 3.0
"""How much such an example counts beside a right answer."""
FOLDS = 5
ANSWERED_WRONGLY, OFFERED = 0.0035, 0.6
"""The shares of questions without an answer that may get one, and that may get a list."""
Rows = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Examples:
    """Questions with the place of their entry, and questions without; `fold` of each."""

    rows: Sequence[Rows]
    right: Sequence[int]
    folds: Sequence[int]
    unanswered: Sequence[Rows]
    unanswered_folds: Sequence[int]

    def without(self, fold: int, *, alone: bool = False) -> "Examples":
        """All but those of a fold; `alone`: only those."""
        kept = [number for number, each in enumerate(self.folds) if (each == fold) == alone]
        others = [number for number, each in enumerate(self.unanswered_folds) if (each == fold) == alone]
        return Examples(
            [self.rows[number] for number in kept],
            [self.right[number] for number in kept],
            [self.folds[number] for number in kept],
            [self.unanswered[number] for number in others],
            [self.unanswered_folds[number] for number in others],
        )


def fitted_order(rows: Sequence[Rows], right: Sequence[int]) -> Rows:
    """Weights by which the right entry comes first."""
    every, places = np.array(rows), np.array(right)
    spread = every.reshape(-1, every.shape[-1]).std(axis=0) + 1e-9
    every /= spread
    count = np.arange(len(every))

    def loss(weights: Rows) -> tuple[float, Rows]:
        scores = every @ weights
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        total = -float(np.log(shares[count, places] + 1e-12).mean())
        shares[count, places] -= 1
        slope = np.einsum("ne,nef->f", shares, every) / len(every)
        return total + SMALL * float(weights @ weights) / 2, slope + SMALL * weights

    found: Rows = minimize(loss, np.full(len(spread), 0.1), jac=True, method="L-BFGS-B", options={"maxiter": 200}).x
    return found / spread


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


@dataclass(frozen=True, slots=True)
class Fitted:
    """The three sets of weights."""

    order: Rows
    answers: tuple[Rows, float]
    near: tuple[Rows, float]

    @classmethod
    def to(cls, examples: Examples) -> "Fitted":
        order = fitted_order(examples.rows, examples.right)
        return cls(order, fitted_evidence(*_evidence(examples, order)), fitted_evidence(*_nearness(examples, order)))

    def logits(self, features: Rows) -> tuple[int, float, float]:
        """The first entry, whether it answers, whether one of the nearest does."""
        places, scores = nearest_first(features, self.order)
        told = evidence(features, places.tolist(), scores), at_all(features, places.tolist(), scores)
        (answers, bias), (near, near_bias) = self.answers, self.near
        return int(places[0]), float(told[0] @ answers + bias), float(told[1] @ near + near_bias)


def _evidence(examples: Examples, order: Rows) -> tuple[Rows, Rows, Rows]:
    told: list[tuple[Rows, float, float]] = []
    for features, place in zip(examples.rows, examples.right, strict=True):
        places, scores = nearest_first(features, order)
        told.append((evidence(features, places.tolist(), scores), float(places[0] == place), 1.0))
        without = [other for other in places.tolist() if other != place]
        told.append((evidence(features, without, scores), 0.0, TAKEN_AWAY))
    for features in examples.unanswered:
        places, scores = nearest_first(features, order)
        told.append((evidence(features, places.tolist(), scores), 0.0, NOT_ANSWERED))
    found, answers, counts = zip(*told, strict=True)
    return np.array(found), np.array(answers), np.array(counts)


def _nearness(examples: Examples, order: Rows) -> tuple[Rows, Rows, Rows]:
    told: list[tuple[Rows, float, float]] = []
    for features, place in zip(examples.rows, examples.right, strict=True):
        places, scores = nearest_first(features, order)
        among = place in places[:MOST_OFFERED].tolist()
        told.append((at_all(features, places.tolist(), scores), float(among), 1.0))
    for features in examples.unanswered:
        places, scores = nearest_first(features, order)
        told.append((at_all(features, places.tolist(), scores), 0.0, NOT_ANSWERED))
    found, answers, counts = zip(*told, strict=True)
    return np.array(found), np.array(answers), np.array(counts)


def examples_of(folders: Sequence[Path], space: VectorSpace, *, semantic: bool) -> Examples:
    """The questions of exams as indexes see them by these vectors."""
    parts = [_examples_of(folder, space, semantic=semantic) for folder in folders]
    return Examples(*([each for part in parts for each in getattr(part, of.name)] for of in fields(Examples)))


def _examples_of(folder: Path, space: VectorSpace, *, semantic: bool) -> Examples:
    index = SearchIndex(entries_of(folder), space=space, semantic=semantic)
    places = {entry.id: number for number, entry in enumerate(index.entries)}
    asked, others = lines_of(folder / "paraphrases.jsonl"), lines_of(folder / "unanswerable.jsonl")
    groups = {group: number for number, group in enumerate(dict.fromkeys(row["group"] for row in others))}
    draw = np.random.default_rng(0)
    of_entry, of_group = draw.integers(0, FOLDS, len(places)), draw.integers(0, FOLDS, len(groups))
    found = [(row, *index.nearest(row["q"])) for row in asked]
    kept = [(row, entries, rows) for row, entries, rows in found if places[row["id"]] in entries]
    print(f"  {folder.name}: {len(kept)} of {len(asked)} among those that come near")
    without = [(row, rows) for row in others if len(rows := index.nearest(row["q"])[1])]
    return Examples(
        [rows for _, _, rows in kept],
        [entries.tolist().index(places[row["id"]]) for row, entries, _ in kept],
        [int(of_entry[places[row["id"]]]) for row, _, _ in kept],
        [rows for _, rows in without],
        [int(of_group[groups[row["group"]]]) for row, _ in without],
    )


def bounds(examples: Examples) -> tuple[float, float]:
    """From which evidence on to answer and to offer, by what each fold's weights make of questions they do not know."""
    answers: list[tuple[bool, float, float]] = []
    others: list[tuple[float, float]] = []
    for fold in range(FOLDS):
        fitted, unknown = Fitted.to(examples.without(fold)), examples.without(fold, alone=True)
        for features, place in zip(unknown.rows, unknown.right, strict=True):
            first, sure, near = fitted.logits(features)
            answers.append((first == place, sure, near))
        others += [fitted.logits(features)[1:] for features in unknown.unanswered]
    sure = float(np.quantile([each[0] for each in others], 1 - ANSWERED_WRONGLY))
    likely = float(np.quantile([each[1] for each in others], 1 - OFFERED))
    share = len(answers) / 100
    print(f"  of unknown entries: first {sum(right for right, _, _ in answers) / share:.1f} %")
    print(f"  at once and right {sum(right and each >= sure for right, each, _ in answers) / share:.1f} %, ", end="")
    print(f"wrong {sum(not right and each >= sure for right, each, _ in answers) / share:.1f} %; ", end="")
    print(f"neither said nor offered {sum(near < likely and each < sure for _, each, near in answers) / share:.1f} %")
    return sure, likely


def main() -> None:
    data = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}
    space = learned(clinics([OWN, *WRITERS]))
    for name in ("words", "semantic") if encoder() is not None else ("words",):
        print(name)
        semantic = name == "semantic"
        examples, features = examples_of(STRANGERS, space, semantic=semantic), features_of(semantic=semantic)
        fitted, (sure, likely) = Fitted.to(examples), bounds(examples)
        (answers, bias), (near, near_bias) = fitted.answers, fitted.near
        data[name] = {
            "nearest": dict(zip(features, fitted.order.round(4).tolist(), strict=True)),
            "answers": dict(zip((*features, *LEADS), answers.round(4).tolist(), strict=True)),
            "bias": round(bias, 4),
            "near": dict(zip((*features, LEADS[-1]), near.round(4).tolist(), strict=True)),
            "near_bias": round(near_bias, 4),
            "sure": round(sure, 4),
            "likely": round(likely, 4),
        }
    FILE.write_text(json.dumps(data, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
