"""Questions without an answer, grouped by what they mean."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from gendei.knowledge.vectors import Rows, VectorSpace, own_vectors

NEAR = 0.42
"""From which likeness on a question belongs to a group."""


@lru_cache(maxsize=5_000)
def meaning(question: str, space: VectorSpace | None = None) -> Rows:
    """What a question means, as a vector of length 1: the product of two tells how much they speak of one thing. It
    needs no clinic."""
    return (space or own_vectors()).vector(question)


@dataclass(slots=True)
class QuestionGroup:
    """Numbers of questions, the first that was asked first, and the sum of what they mean."""

    members: list[int]
    total: Rows

    def near(self, other: Rows) -> float:
        """The mean likeness of a question to the group's questions."""
        return float(self.total @ other) / len(self.members)


def grouped(questions: Sequence[str], near: float = NEAR, space: VectorSpace | None = None) -> list[list[int]]:
    """The numbers of questions, in groups of one meaning, as they came in."""
    groups: list[QuestionGroup] = []
    for number, question in enumerate(questions):
        asked = meaning(question, space)
        likes = [group.near(asked) for group in groups]
        best = max(range(len(groups)), key=likes.__getitem__, default=None)
        if best is None or likes[best] < near:
            groups.append(QuestionGroup([number], asked))
        else:
            groups[best].members.append(number)
            groups[best].total = groups[best].total + asked
    return [group.members for group in groups]
