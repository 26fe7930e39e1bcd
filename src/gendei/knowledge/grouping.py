"""Questions without an answer, grouped by what they mean."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gendei.knowledge.everyday_words import analysed
from gendei.knowledge.search import norm, slots_of, wide_vector

Vector = Mapping[str, float]
NEAR = 0.36
"""From which likeness on a question belongs to a group."""


def meaning(question: str) -> Vector:
    """What a question speaks of, as a vector of length 1 that needs no clinic."""
    vector = wide_vector(slots_of(analysed(question)), lambda key: 0.15 if key[0] == "~" else 1.0)
    length = norm(vector) or 1.0
    return {key: value / length for key, value in vector.items()}


def likeness(one: Vector, other: Vector) -> float:
    """How much two questions speak of one thing: 0 to 1."""
    small, large = sorted((one, other), key=len)
    return sum(value * large.get(key, 0.0) for key, value in small.items())


@dataclass(slots=True)
class QuestionGroup:
    """Numbers of questions, the first that was asked first."""

    members: list[int]
    vectors: list[Vector] = field(repr=False)

    def near(self, vector: Vector) -> float:
        """The likeness of a question to the group: between the nearest of its questions and their mean."""
        each = sorted((likeness(vector, member) for member in self.vectors), reverse=True)[:8]
        return 0.7 * each[0] + 0.3 * sum(each) / len(each)


def grouped(questions: Sequence[str], near: float = NEAR) -> list[list[int]]:
    """The numbers of questions, in groups of one meaning, as they came in."""
    groups: list[QuestionGroup] = []
    for number, question in enumerate(questions):
        vector = meaning(question)
        likes = [group.near(vector) for group in groups]
        best = max(range(len(groups)), key=likes.__getitem__, default=None)
        if best is None or likes[best] < near:
            groups.append(QuestionGroup([number], [vector]))
        else:
            groups[best].members.append(number)
            groups[best].vectors.append(vector)
    return [group.members for group in groups]
