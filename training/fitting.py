"""How an ear is trained: features, how rare they are, a linear model of them, and the file that it is shipped as."""

import io
import json
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from gendei.ear.features import LETTER_BITS, WORD_BITS, features
from gendei.ear.linear import SMALLEST_SHARE

STRENGTH, STRENGTH_OF_WORTH, TOLERANCE, ROUNDS = 20.0, 0.3, 1e-4, 300
SIZES = (2**WORD_BITS, 2**LETTER_BITS)
STEPS_OF_RARITY = 255
ENOUGH_WRITERS = 3
Matrix = sparse.csr_matrix


@dataclass(frozen=True)
class Examples:
    """The words of texts, of each the number of its kind among `names`, and its writer."""

    names: tuple[str, ...]
    said: Sequence[list[str]]
    kinds: NDArray[np.int64]
    writers: Sequence[str]


@dataclass(frozen=True)
class Trained:
    """`shares`: of each example, by a model that knows nothing of its writer: what a stranger may expect."""

    names: tuple[str, ...]
    shares: NDArray[np.float64]
    _counted: tuple[Matrix, Matrix]
    _kinds: NDArray[np.int64]
    _worth: LogisticRegression

    def packed(self, alarm: float, ask: float, words: Sequence[str] = ()) -> bytes:
        """The file that `gendei.ear.linear.LinearModel.load` reads, of a model that knows every writer. The same bytes
        for the same numbers."""
        rarity = _rarity(self._counted)
        model = _fitted(_weighed(self._counted, rarity), self._kinds)
        scale = float(np.abs(model.coef_).max()) / 127
        facts = {
            "kinds": self.names,
            "scale": scale,
            "rarity_scale": _most_rare(self._counted) / STEPS_OF_RARITY,
            "alarm": round(alarm, 4),
            "ask": round(ask, 4),
        } | ({"words": " ".join(words)} if words else {})
        arrays = {
            "weights": np.round(model.coef_.T / scale).astype(np.int8),
            "bias": np.round(model.intercept_, 6),
            "worth": np.round(np.vstack([self._worth.coef_.T, self._worth.intercept_]), 4),
            "rarity": rarity,
            "facts": np.array(json.dumps(facts)),
        }
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for name, array in arrays.items():
                plain = io.BytesIO()
                np.save(plain, array)
                archive.writestr(zipfile.ZipInfo(f"{name}.npy"), plain.getvalue(), zipfile.ZIP_DEFLATED)
        return packed.getvalue()


def train(examples: Examples, folds: int) -> Trained:
    """`folds`: groups of writers, of which each is heard by a model of the others. Prints how well."""
    counted = _counted(examples.said)
    shares = _by_strangers(examples, counted, folds)
    worth = LogisticRegression(C=STRENGTH_OF_WORTH, max_iter=10 * ROUNDS).fit(_logarithms(shares), examples.kinds)
    worthy = worth.predict_proba(_logarithms(shares))
    return Trained(examples.names, worthy, counted, examples.kinds, worth)


def _counted(said: Sequence[list[str]]) -> tuple[Matrix, Matrix]:
    """Of each message the features that it has: of words, and of letters."""
    found = [features(words) for words in said]
    return _matrix([words for words, _ in found], SIZES[0]), _matrix([letters for _, letters in found], SIZES[1])


def _matrix(rows: Sequence[NDArray[np.int64]], size: int) -> Matrix:
    ends = np.cumsum([0, *map(len, rows)])
    places = np.concatenate(rows)
    return sparse.csr_matrix((np.ones(len(places)), places, ends), shape=(len(rows), size))


def _rarity(counted: Sequence[Matrix]) -> NDArray[np.uint8]:
    """How rare each feature is, in STEPS_OF_RARITY steps up to that of one that nobody uses."""
    rare = [
        np.log((1 + matrix.shape[0]) / (1 + np.bincount(matrix.indices, minlength=matrix.shape[1]))) + 1
        for matrix in counted
    ]
    every = np.concatenate(rare)
    return np.round(every / _most_rare(counted) * STEPS_OF_RARITY).astype(np.uint8)


def _most_rare(counted: Sequence[Matrix]) -> float:
    return float(np.log(1 + counted[0].shape[0]) + 1)


def _weighed(counted: Sequence[Matrix], rarity: NDArray[np.uint8]) -> Matrix:
    """Each message's features by their rarity, words and letters each of length 1."""
    scale = _most_rare(counted) / STEPS_OF_RARITY
    sides = []
    for matrix, start in zip(counted, (0, SIZES[0]), strict=True):
        side = matrix.copy()
        side.data = rarity[start + side.indices] * scale
        lengths = np.sqrt(np.asarray(side.multiply(side).sum(1)).ravel())
        lengths[lengths == 0] = 1
        sides.append(sparse.diags(1 / lengths) @ side)
    return sparse.hstack(sides).tocsr()


def _fitted(weighed: Matrix, kinds: NDArray[np.int64]) -> LogisticRegression:
    return LogisticRegression(C=STRENGTH, tol=TOLERANCE, max_iter=ROUNDS).fit(weighed, kinds)


def _by_strangers(examples: Examples, counted: Sequence[Matrix], folds: int) -> NDArray[np.float64]:
    """The shares of each example, by a model that knows nothing of its writer. Of a kind that fewer than
    ENOUGH_WRITERS have, others of the same writer are known: nobody could tell it otherwise."""
    kinds, named = examples.kinds, np.array(examples.writers)
    lone = [kind for kind in range(len(examples.names)) if len(set(named[kinds == kind])) < ENOUGH_WRITERS]
    writers = np.array(
        [f"{writer}-{n % folds}" if kinds[n] in lone else writer for n, writer in enumerate(examples.writers)]
    )
    shares = np.zeros((len(kinds), len(examples.names)))
    for places, _ in GroupKFold(folds).split(writers, groups=writers):
        known = np.isin(np.arange(len(writers)), places)
        rarity = _rarity([matrix[known] for matrix in counted])
        model = _fitted(_weighed([matrix[known] for matrix in counted], rarity), kinds[known])
        told = model.predict_proba(_weighed([matrix[~known] for matrix in counted], rarity))
        shares[np.ix_(~known, model.classes_)] = told
        right = shares[~known].argmax(1) == kinds[~known]
        print(f"{', '.join(sorted(set(writers[~known])))}: {np.mean(right):.1%} of {len(right)}", flush=True)
    return shares


def _logarithms(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    logarithms: NDArray[np.float64] = np.log(np.maximum(shares, SMALLEST_SHARE))
    return logarithms
