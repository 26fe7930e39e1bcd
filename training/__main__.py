"""`python -m training`: train the ear anew and write src/gendei/ear/weights.npz; `--check`: only measure.

Each writer is heard by a model that was trained on all others: those figures are what a stranger may expect, and where
the bounds for alarm and question come from. Needs `pip install --group training` (scikit-learn).
"""

import argparse
import io
import json
import zipfile
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from gendei.ear.features import LETTER_BITS, WORD_BITS, features, tokens
from gendei.ear.model import DANGERS, FILE, KINDS
from training.messages import FOLDER, Message, read

STRENGTH, TOLERANCE, ROUNDS = 20.0, 1e-4, 300
FALSE_ALARMS, FALSE_QUESTIONS = 0.002, 0.025
"""Shares of harmless messages that may be taken for danger, and that may be asked about."""
SIZES = (2**WORD_BITS, 2**LETTER_BITS)
STEPS_OF_RARITY = 255
Matrix = sparse.csr_matrix


def main() -> None:
    arguments = argparse.ArgumentParser(prog="python -m training", description=__doc__.partition("\n")[0])
    arguments.add_argument("--check", action="store_true", help="measure, and write nothing")
    only_check = arguments.parse_args().check
    messages = read(sorted(FOLDER.glob("*.jsonl")))
    counted = _counted(messages)
    kinds = np.array([KINDS.index(message.kind) for message in messages])
    shares = _by_strangers(messages, counted, kinds)
    alarm, ask = _report(messages, kinds, shares)
    if not only_check:
        rarity = _rarity(counted)
        model = _fitted(_weighed(counted, rarity), kinds)
        FILE.write_bytes(_file(model, rarity, _most_rare(counted), (alarm, ask)))
        print(f"{FILE.name}: {FILE.stat().st_size:,} bytes")


def _counted(messages: Sequence[Message]) -> tuple[Matrix, Matrix]:
    """Of each message the features that it has: of words, and of letters."""
    found = [features(tokens(message.text)) for message in messages]
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


def _by_strangers(
    messages: Sequence[Message], counted: Sequence[Matrix], kinds: NDArray[np.int64]
) -> NDArray[np.float64]:
    """The shares of each message, by a model that knows nothing of its writer."""
    writers = np.array([message.writer for message in messages])
    shares = np.zeros((len(messages), len(KINDS)))
    for writer in sorted(set(writers)):
        known = writers != writer
        rarity = _rarity([matrix[known] for matrix in counted])
        model = _fitted(_weighed([matrix[known] for matrix in counted], rarity), kinds[known])
        told = model.predict_proba(_weighed([matrix[~known] for matrix in counted], rarity))
        shares[np.ix_(~known, model.classes_)] = told  # a kind that only this writer has is not known
        print(f"{writer}: {np.mean(shares[~known].argmax(1) == kinds[~known]):.1%} of {np.sum(~known)}", flush=True)
    return shares


def _report(messages: Sequence[Message], kinds: NDArray[np.int64], shares: NDArray[np.float64]) -> tuple[float, float]:
    """Print what strangers may expect; the bounds for an alarm and for a question."""
    danger = shares[:, [KINDS.index(kind) for kind in DANGERS]].sum(1)
    harmless = np.array([not message.is_danger for message in messages])
    harmless &= shares[np.arange(len(kinds)), kinds] > 0  # not what only one writer wrote: nobody could know it
    alarm, ask = (float(np.quantile(danger[harmless], 1 - share)) for share in (FALSE_ALARMS, FALSE_QUESTIONS))
    best = shares.argmax(1)
    for number, kind in enumerate(KINDS):
        of_kind = kinds == number
        print(f"{kind:15} {np.sum(of_kind):5}  told as such {np.mean(best[of_kind] == number):6.1%}", end="")
        print(
            f"  alarm {np.mean(danger[of_kind] >= alarm):6.1%}  asked or alarm {np.mean(danger[of_kind] >= ask):6.1%}"
        )
    print(f"bounds: alarm {alarm:.3f}, question {ask:.3f}")
    return alarm, ask


def _file(model: LogisticRegression, rarity: NDArray[np.uint8], most_rare: float, bounds: tuple[float, float]) -> bytes:
    """The archive that `Ear.load` reads, the same bytes for the same numbers."""
    weights = model.coef_.T
    scale = float(np.abs(weights).max()) / 127
    facts = {
        "kinds": KINDS,
        "scale": scale,
        "rarity_scale": most_rare / STEPS_OF_RARITY,
        "alarm": round(bounds[0], 4),
        "ask": round(bounds[1], 4),
    }
    arrays = {
        "weights": np.round(weights / scale).astype(np.int8),
        "bias": np.round(model.intercept_, 6),
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


if __name__ == "__main__":
    main()
