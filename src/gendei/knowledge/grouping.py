"""Questions without an answer, grouped by what they mean."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from gendei.knowledge.vectors import Rows, VectorSpace, own_vectors

NEAR = 0.05
"""From which likeness on groups are joined."""
NEIGHBOURS, CROWDING, ALONE = 5, 0.8, 0.3
"""A question has a crowd of so many neighbours. How near those are is taken off what it is like, in part: "vacina da
dengue" and "vacina da gripe" are near in words that many share. ALONE: how near a neighbour is taken to be that is
missing, where there are few questions."""
SAME = 0.6
"""From which likeness on two questions are kept as one for good."""


@lru_cache(maxsize=5_000)
def meaning(question: str, space: VectorSpace | None = None) -> Rows:
    """What a question means, as a vector of length 1: the product of two tells how much they speak of one thing. It
    needs no clinic."""
    return (space or own_vectors()).vector(question)


def grouped(questions: Sequence[str], near: float = NEAR, space: VectorSpace | None = None) -> list[list[int]]:
    """The numbers of questions, in groups of one meaning: the two groups that are most alike in the mean are joined
    first."""
    if not questions:
        return []
    likes = _likes(np.array([meaning(question, space) for question in questions]))
    members = [[number] for number in range(len(questions))]
    while True:
        one, other = divmod(int(likes.argmax()), len(likes))
        if likes[one, other] < near:
            return sorted(group for group in members if group)
        sizes = len(members[one]), len(members[other])
        joined = (sizes[0] * likes[one] + sizes[1] * likes[other]) / sum(sizes)
        likes[one], likes[:, one] = joined, joined
        likes[other], likes[:, other] = -np.inf, -np.inf
        members[one], members[other] = sorted(members[one] + members[other]), []


def _likes(meanings: Rows) -> Rows:
    """How much each two are alike, beside how near their neighbours are; nothing is like itself."""
    near: Rows = meanings @ meanings.T
    np.fill_diagonal(near, -np.inf)
    padded = np.pad(near, ((0, 0), (0, NEIGHBOURS)), constant_values=ALONE)
    crowd = np.sort(padded, axis=1)[:, -NEIGHBOURS:].mean(axis=1)
    likes: Rows = 2 * near - CROWDING * (crowd[:, None] + crowd[None])
    return likes
