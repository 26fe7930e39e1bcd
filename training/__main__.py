"""`python -m training`: train the ear anew and write src/gendei/ear/weights.npz; `--check`: only measure.

Each writer is heard by a model that was trained on others alone: those figures are what a stranger may expect, and
where the bounds for alarm and question come from, and what the shares of a text are worth. Needs `pip install --group
training` (scikit-learn).
"""

import argparse
import random
import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gendei.ear.features import tokens
from gendei.ear.linear import LONG_WORD
from gendei.ear.model import DANGERS, FILE, KINDS
from training.fitting import Examples, train
from training.messages import FOLDER, Message, read

FOLDS = 7
SEED, SAYS_NUM = 5, 1 / 4
DICTATED, WORDS_OF_A_SENTENCE = 1 / 3, 6
"""The share of messages of so many words that are learned as they would be dictated. Shorter ones stay as they are: the
sign is most of what they say."""
FALSE_ALARMS, FALSE_QUESTIONS = 0.003, 0.03
"""Shares of harmless messages that may be taken for danger, and that may be asked about."""


def main() -> None:
    arguments = argparse.ArgumentParser(prog="python -m training", description=__doc__.partition("\n")[0])
    arguments.add_argument("--check", action="store_true", help="measure, and write nothing")
    only_check = arguments.parse_args().check
    messages = read(sorted(FOLDER.glob("*.jsonl")))
    kinds = np.array([KINDS.index(message.kind) for message in messages])
    chance, writers = random.Random(SEED), [message.writer for message in messages]
    said = [tokens(_perhaps_dictated(message.text, chance)) for message in messages]
    trained = train(Examples(KINDS, said, kinds, writers), FOLDS)
    alarm, ask = _report(messages, kinds, trained.shares)
    if not only_check:
        FILE.write_bytes(trained.packed(alarm, ask, _long_words(said)))
        print(f"{FILE.name}: {FILE.stat().st_size:,} bytes")


def _long_words(texts: Sequence[list[str]]) -> list[str]:
    """Those that stand in more than one text, which is no typing error."""
    counted = Counter(word for said in texts for word in set(said))
    return sorted(word for word, times in counted.items() if times > 1 and word.isalpha() and len(word) >= LONG_WORD)


def _perhaps_dictated(text: str, chance: random.Random) -> str:
    """Some sentences in small letters without a sign, and their "não" in some mouths "num"."""
    if len(text.split()) < WORDS_OF_A_SENTENCE or chance.random() >= DICTATED:
        return text
    said = re.sub(r"[^\w\s:/-]", "", text).lower()
    return re.sub(r"\bn[ãa]o\b", lambda no: "num" if chance.random() < SAYS_NUM else no[0], said)


def _report(messages: Sequence[Message], kinds: NDArray[np.int64], shares: NDArray[np.float64]) -> tuple[float, float]:
    """Print what strangers may expect; the bounds for an alarm and for a question."""
    danger = shares[:, [KINDS.index(kind) for kind in DANGERS]].sum(1)
    harmless = np.array([not message.is_danger for message in messages])
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


if __name__ == "__main__":
    main()
