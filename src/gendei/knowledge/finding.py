"""What is done with what a search found: one answer, a choice between a few, or none.

The weights are learned (`python -m training.knowledge_weights`): which entry is nearest, and whether it answers."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from gendei.knowledge.search import FEATURES, SearchIndex

SURE = 1.0
"""From which evidence (a logit) on the nearest entry is said."""
LIKELY = -0.8
"""From which evidence on the nearest few are offered."""
MOST_OFFERED = 3
FAR = 2.5
"""Entries further behind the nearest than this are not offered."""
LEADS = ("lead", "lead_two", "lead_capped", "nearness")
"""What tells whether the nearest answers, beside its features."""


class SearchOutcome(StrEnum):
    """What to do with a question."""

    ANSWERED = "answered"
    ASKED = "asked"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class WhatAnswers:
    """`ids`: the entry that answers, or those to choose from; none where nothing answers."""

    outcome: SearchOutcome
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Weights:
    """`nearest`: of FEATURES, for the order. `answers` and `bias`: of FEATURES and LEADS, for whether to say it. `near`
    and `near_bias`: of FEATURES and its nearness, for whether it or one behind it is meant at all."""

    nearest: NDArray[np.float64]
    answers: NDArray[np.float64]
    bias: float
    near: NDArray[np.float64]
    near_bias: float


@cache
def weights() -> Weights:
    """The learned weights, read once."""
    data = json.loads((files("gendei.knowledge") / "weights.json").read_text("utf-8"))
    return Weights(
        np.array([data["nearest"][name] for name in FEATURES]),
        np.array([data["answers"][name] for name in (*FEATURES, *LEADS)]),
        data["bias"],
        np.array([data["near"][name] for name in (*FEATURES, LEADS[-1])]),
        data["near_bias"],
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
    learned = weights()
    features = index.features(question)
    order, scores = nearest_first(features, learned.nearest)
    first = scores[order[0]]
    if first <= 0:
        return WhatAnswers(SearchOutcome.UNKNOWN)
    sureness = float(evidence(features, order.tolist(), scores) @ learned.answers + learned.bias)
    if sureness >= SURE:
        return WhatAnswers(SearchOutcome.ANSWERED, (index.entries[order[0]].id,))
    if float(at_all(features, order.tolist(), scores) @ learned.near + learned.near_bias) < LIKELY:
        return WhatAnswers(SearchOutcome.UNKNOWN)
    near = [place for place in order[:MOST_OFFERED] if scores[place] > max(0.0, first - FAR)]
    return WhatAnswers(SearchOutcome.ASKED, tuple(index.entries[place].id for place in near))
