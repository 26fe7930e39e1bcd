"""What is done with what a search found: one answer, a choice between a few, or none.

The weights are learned (`python -m training.knowledge_weights`), for a search with `gendei[semantic]` and for one
without: which entry is nearest, and whether it answers."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from gendei.knowledge.outcome import SearchOutcome, WhatAnswers
from gendei.knowledge.search import SearchIndex, features_of

MOST_OFFERED = 3
FAR = 2.5
"""Entries further behind the nearest than this are not offered."""
LEADS = ("lead", "lead_two", "lead_capped", "nearness")
"""What tells whether the nearest answers, beside its features."""


@dataclass(frozen=True, slots=True)
class Weights:
    """`nearest`: of the features, for the order. `answers`, `bias`: of the features and LEADS, for whether to say it.
    `near` and `near_bias`: of the features and its nearness, for whether it or one behind it is meant at all. From the
    evidence `sure` (a logit) on the nearest is said, from `likely` on the nearest few are offered."""

    nearest: NDArray[np.float64]
    answers: NDArray[np.float64]
    bias: float
    near: NDArray[np.float64]
    near_bias: float
    sure: float
    likely: float


@cache
def weights(*, semantic: bool) -> Weights:
    """The learned weights, read once."""
    both = json.loads((files("gendei.knowledge") / "weights.json").read_text("utf-8"))
    data, features = both["semantic" if semantic else "words"], features_of(semantic=semantic)
    return Weights(
        np.array([data["nearest"][name] for name in features]),
        np.array([data["answers"][name] for name in (*features, *LEADS)]),
        data["bias"],
        np.array([data["near"][name] for name in (*features, LEADS[-1])]),
        data["near_bias"],
        data["sure"],
        data["likely"],
    )


def nearest_first(
    features: NDArray[np.float64], order: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The entries' numbers by how near they are, and how near each number is."""
    scores = features @ order
    return np.argsort(-scores, kind="stable"), scores


def evidence(features: NDArray[np.float64], places: Sequence[int], scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """What tells whether the first of `places` answers: its features, and how far it leads."""
    first = scores[places[0]]
    behind = [float(first - scores[place]) for place in places[1:3]] + [float(first)] * (3 - len(places[:3]))
    return np.concatenate([features[places[0]], [behind[0], behind[1], min(behind[0], 1.5), float(first)]])


def at_all(features: NDArray[np.float64], places: Sequence[int], scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """What tells whether one of the nearest answers, however close they are to each other."""
    return np.append(features[places[0]], scores[places[0]])


def find(index: SearchIndex, question: str) -> WhatAnswers:
    """What answers a question, at once or by a choice of the patient's."""
    if not index.entries:
        return WhatAnswers(SearchOutcome.UNKNOWN)
    if len(same := index.asked_so(question)) == 1:
        return WhatAnswers(SearchOutcome.ANSWERED, tuple(same))
    learned = weights(semantic=index.semantic)
    entries, features = index.nearest(question)
    if not features.any():
        return WhatAnswers(SearchOutcome.UNKNOWN)
    order, scores = nearest_first(features, learned.nearest)
    first = scores[order[0]]
    ids = [index.entries[entries[place]].id for place in order[:MOST_OFFERED] if scores[place] > first - FAR]
    sureness = float(evidence(features, order.tolist(), scores) @ learned.answers + learned.bias)
    if sureness >= learned.sure:
        return WhatAnswers(SearchOutcome.ANSWERED, (ids[0],))
    if float(at_all(features, order.tolist(), scores) @ learned.near + learned.near_bias) < learned.likely:
        return WhatAnswers(SearchOutcome.UNKNOWN)
    return WhatAnswers(SearchOutcome.ASKED, tuple(ids))
