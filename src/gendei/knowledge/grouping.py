"""Questions without an answer, grouped by what they mean."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gendei.knowledge.everyday_words import analysed, telling_stems
from gendei.knowledge.search import norm, slots_of, wide_vector
from gendei.knowledge.sentences import encoder, sentence_vectors
from gendei.knowledge.topics import Vector, own_topics

NEAR, NEAR_BY_SENTENCES = 0.17, 0.2
"""From which likeness on a question belongs to a group: without and with `gendei[semantic]`."""
BY_GROUPS, BY_STEMS, BY_TOPICS = 0.5, 0.3, 0.2
"""How much of the likeness of two questions comes from groups of words, from their rarer stems, from topics."""
BY_SENTENCES = 0.4
"""How much of it comes from what the sentence means, where that can be told; the rest is the others'."""


@dataclass(frozen=True, slots=True, eq=False)
class QuestionMeaning:
    """What a question speaks of; each part is a vector of length 1 or less."""

    groups: Mapping[str, float]
    stems: Mapping[str, float]
    topics: Vector
    sentence: Vector | None


def nearness_bound() -> float:
    """From which likeness on a question belongs to a group here."""
    return NEAR if encoder() is None else NEAR_BY_SENTENCES


def meaning(question: str) -> QuestionMeaning:
    """What a question speaks of; it needs no clinic."""
    topics = own_topics()
    wide = wide_vector(slots_of(analysed(question)), lambda key: 0.15 if key[0] == "~" else 1.0)
    stems = {stem: topics.rarity_of(stem) for stem in telling_stems(question)}
    sentence = None if encoder() is None else sentence_vectors([question])[0]
    return QuestionMeaning(_unit(wide), _unit(stems), topics.vector(question), sentence)


def _unit(vector: Mapping[str, float]) -> Mapping[str, float]:
    length = norm(vector) or 1.0
    return {key: value / length for key, value in vector.items()}


def likeness(one: QuestionMeaning, other: QuestionMeaning) -> float:
    """How much two questions speak of one thing: 0 to 1."""
    by_words = (
        BY_GROUPS * _product(one.groups, other.groups)
        + BY_STEMS * _product(one.stems, other.stems)
        + BY_TOPICS * float(one.topics @ other.topics)
    )
    if one.sentence is None or other.sentence is None:
        return by_words
    return BY_SENTENCES * float(one.sentence @ other.sentence) + (1 - BY_SENTENCES) * by_words


def _product(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    small, large = sorted((one, other), key=len)
    return sum(value * large.get(key, 0.0) for key, value in small.items())


@dataclass(slots=True)
class QuestionGroup:
    """Numbers of questions, the first that was asked first."""

    members: list[int]
    meanings: list[QuestionMeaning] = field(repr=False)

    def near(self, other: QuestionMeaning) -> float:
        """The mean likeness of a question to the group's questions."""
        return sum(likeness(other, member) for member in self.meanings) / len(self.meanings)


def grouped(questions: Sequence[str], near: float | None = None) -> list[list[int]]:
    """The numbers of questions, in groups of one meaning, as they came in."""
    bound = nearness_bound() if near is None else near
    groups: list[QuestionGroup] = []
    for number, question in enumerate(questions):
        of_question = meaning(question)
        likes = [group.near(of_question) for group in groups]
        best = max(range(len(groups)), key=likes.__getitem__, default=None)
        if best is None or likes[best] < bound:
            groups.append(QuestionGroup([number], [of_question]))
        else:
            groups[best].members.append(number)
            groups[best].meanings.append(of_question)
    return [group.members for group in groups]
