"""`python -m training.knowledge_vectors`: learn what each part of a text adds to its vector.

It writes src/gendei/knowledge/vectors.npz.

A topic is an entry with the questions that it answers, or a group of questions that mean the same. For each topic of a
clinic a question and another text of it are drawn; each of the two has to find the other among all that were drawn (a
softmax over their nearness). Some parts of every text are left out at each step, so that none is relied on alone. With
`gendei[semantic]`, the centre of the sentences' vectors is written too."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from gendei.knowledge.sentences import CENTRE, encoder
from gendei.knowledge.vectors import NO_LENGTH, Rows, VectorSpace
from training.knowledge_texts import OWN, STRANGERS, WRITERS, Topic, TopicsOfClinic, clinics, counted_parts, texts_of

NUMBERS = 160
ROUNDS = 20
LEFT_OUT = 0.4
"""The share of parts that is left out of a text at a step."""
STEP, LAST_STEP = 0.01, 0.0001
SHARPNESS = 16.0
"""What nearness is multiplied by in the softmax."""
BACK = 0.5
"""What finding the question by the other text counts beside finding the other text by the question."""
MOST_ENTRIES, MOST_GROUPS = 200, 60
"""Topics of one clinic in one step."""
FORM, ANSWER = 0.3, 0.35
"""How often the other text is a question form, or the answer; else it is another question."""


@dataclass(slots=True)
class Training:
    """`rows`: every text by its parts; `vectors`: of each part; `mean` and `square` of its slopes (Adam's)."""

    parts: list[str]
    rows: csr_array
    place: dict[str, int]
    vectors: Rows
    draw: np.random.Generator
    mean: Rows = field(init=False)
    square: Rows = field(init=False)

    def __post_init__(self) -> None:
        self.mean, self.square = np.zeros((2, *self.vectors.shape), dtype=np.float32)

    @classmethod
    def begun(cls, texts: Sequence[str], seed: int = 0) -> "Training":
        """With vectors that tell nothing yet; rarer parts are longer."""
        counted, held = counted_parts(texts)
        parts = list(held)
        place = {part: number for number, part in enumerate(parts)}
        cells = [
            (row, place[part], count)
            for row, of_text in enumerate(counted)
            for part, count in of_text.items()
            if part in place
        ]
        at, columns, counts = (np.array(each) for each in zip(*cells, strict=True))
        rows = csr_array((counts.astype(np.float32), (at, columns)), shape=(len(texts), len(parts)))
        rarity = np.log(1 + len(texts) / np.array([held[part] for part in parts]))
        draw = np.random.default_rng(seed)
        vectors = draw.standard_normal((len(parts), NUMBERS)) * (rarity / rarity.max() / NUMBERS**0.5)[:, None]
        return cls(parts, rows, {text: row for row, text in enumerate(texts)}, vectors.astype(np.float32), draw)

    def without_some(self, texts: Sequence[str]) -> csr_array:
        """The rows of these texts, with some parts left out."""
        rows = self.rows[[self.place[text] for text in texts]]
        rows.data = rows.data * (self.draw.random(len(rows.data)) >= LEFT_OUT)
        rows.eliminate_zeros()
        return rows

    def step(self, asked: csr_array, told: csr_array, size: float) -> None:
        """Bring what belongs together nearer, and the rest apart."""
        (one, one_length), (other, other_length) = self._long(asked), self._long(told)
        nearness = SHARPNESS * (one @ other.T)
        slopes = _shares(nearness, axis=1) + BACK * _shares(nearness, axis=0)
        slopes[np.diag_indices(len(slopes))] -= 1 + BACK
        slopes *= SHARPNESS / len(slopes)
        of_one, of_other = slopes @ other, slopes.T @ one
        of_one = (of_one - one * (of_one * one).sum(axis=1, keepdims=True)) / one_length
        of_other = (of_other - other * (of_other * other).sum(axis=1, keepdims=True)) / other_length
        used = np.unique(np.concatenate([asked.indices, told.indices]))
        slope = asked[:, used].T @ of_one + told[:, used].T @ of_other
        mean = self.mean[used] = 0.9 * self.mean[used] + 0.1 * slope
        square = self.square[used] = 0.99 * self.square[used] + 0.01 * slope**2
        self.vectors[used] -= size * mean / (np.sqrt(square) + 1e-4)

    def _long(self, rows: csr_array) -> tuple[Rows, Rows]:
        summed = rows @ self.vectors
        lengths = np.linalg.norm(summed, axis=1, keepdims=True) + NO_LENGTH
        return summed / lengths, lengths

    def drawn(self, topics: Sequence[Topic], most: int) -> list[tuple[str, str]]:
        """Of each of some topics: a question, and another text."""
        chosen = self.draw.permutation(len(topics))[:most]
        return [self._drawn(topics[number]) for number in chosen]

    def _drawn(self, topic: Topic) -> tuple[str, str]:
        asked, kind = str(self.draw.choice(topic.asked)), self.draw.random()
        if topic.answer and kind < FORM:
            told = str(self.draw.choice(topic.forms))
        elif topic.answer and kind < FORM + ANSWER:
            told = topic.answer
        else:
            told = str(self.draw.choice(topic.asked))
        if told == asked:
            told = topic.answer or str(self.draw.choice([text for text in topic.asked if text != asked] or [asked]))
        return asked, told


def _shares(nearness: Rows, axis: int) -> Rows:
    shares: Rows = np.exp(nearness - nearness.max(axis=axis, keepdims=True))
    shares /= shares.sum(axis=axis, keepdims=True)
    return shares


def learned(topics: Sequence[TopicsOfClinic], rounds: int = ROUNDS) -> VectorSpace:
    """The vectors of what these clinics' patients ask; the same for the same topics."""
    training = Training.begun(texts_of(topics))
    sizes = [sum(len(topic.asked) for topic in clinic.entries) for clinic in topics]
    order = [clinic for clinic, size in zip(topics, sizes, strict=True) for _ in range(max(1, size // 160))]
    plan: list[NDArray[np.int64]] = [training.draw.permutation(len(order)) for _ in range(rounds)]
    for number, place in enumerate(np.concatenate(plan)):
        clinic, done = order[place], number / (rounds * len(order))
        pairs = training.drawn(clinic.entries, MOST_ENTRIES) + training.drawn(clinic.groups, MOST_GROUPS)
        asked, told = zip(*pairs, strict=True)
        training.step(training.without_some(asked), training.without_some(told), STEP * (1 - done) + LAST_STEP)
    return VectorSpace.of(training.parts, training.vectors)


def main() -> None:
    topics = clinics([OWN, *WRITERS, *STRANGERS])
    learned(topics).save()
    if (sentences := encoder()) is not None:
        texts = [text for text in texts_of(topics) if len(text) < 400]
        np.save(CENTRE, sentences.encode(texts).mean(axis=0).astype(np.float16))


if __name__ == "__main__":
    main()
