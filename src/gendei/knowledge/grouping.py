"""Questions without an answer, grouped by what they mean."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from gendei.knowledge.vectors import Rows, VectorSpace, own_vectors

NEAR = 0.39
"""From which likeness on a question belongs to a group."""
LEAST = 0.7
"""What the question of a group that is least like it counts, beside the mean of all: one neighbour is no reason to join
questions about something else."""


@lru_cache(maxsize=5_000)
def meaning(question: str, space: VectorSpace | None = None) -> Rows:
    """What a question means, as a vector of length 1: the product of two tells how much they speak of one thing. It
    needs no clinic."""
    return (space or own_vectors()).vector(question)


def likeness(question: Rows, group: Sequence[Rows]) -> float:
    """How much a question is like the questions of a group, by what they mean."""
    likes = np.asarray(group) @ question
    return float(LEAST * likes.min() + (1 - LEAST) * likes.mean())


def grouped(questions: Sequence[str], near: float = NEAR, space: VectorSpace | None = None) -> list[list[int]]:
    """The numbers of questions, in groups of one meaning, as they came in."""
    meanings = [meaning(question, space) for question in questions]
    groups: list[list[int]] = []
    for number, asked in enumerate(meanings):
        likes = [likeness(asked, [meanings[member] for member in group]) for group in groups]
        best = max(range(len(groups)), key=likes.__getitem__, default=None)
        if best is None or likes[best] < near:
            groups.append([number])
        else:
            groups[best].append(number)
    return groups
