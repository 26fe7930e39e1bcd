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
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gendei.ear.features import tokens
from gendei.ear.linear import LONG_WORD
from gendei.ear.model import DANGERS, FILE, KINDS
from training.fitting import Examples, train
from training.messages import EXAMS, FOLDER, Message, read

FOLDS = 7
SEED, SAYS_NUM = 5, 1 / 4
WORDS_OF_A_SENTENCE = 6
"""From so many words on a message is also learned as it would be dictated. In a shorter one the sign is most of what it
says."""
FALSE_ALARMS, FALSE_QUESTIONS = 0.003, 0.03
"""Shares of harmless messages that may be taken for danger, and that may be asked about."""


def main() -> None:
    arguments = argparse.ArgumentParser(prog="python -m training", description=__doc__.partition("\n")[0])
    arguments.add_argument("--check", action="store_true", help="measure, and write nothing")
    only_check = arguments.parse_args().check
    messages = _with_dictated(read([*sorted(FOLDER.glob("*.jsonl")), *sorted(EXAMS.glob("[d-h].jsonl"))]))
    kinds = np.array([KINDS.index(message.kind) for message in messages])
    writers = [message.writer for message in messages]
    said = [tokens(message.text) for message in messages]
    trained = train(Examples(KINDS, said, kinds, writers), FOLDS)
    alarm, ask = _report(messages, kinds, trained.shares)
    if not only_check:
        FILE.write_bytes(trained.packed(alarm, ask, _long_words(said)))
        print(f"{FILE.name}: {FILE.stat().st_size:,} bytes")


def _long_words(texts: Sequence[list[str]]) -> list[str]:
    """Those that stand in more than one text, which is no typing error."""
    counted = Counter(word for said in texts for word in set(said))
    return sorted(word for word, times in counted.items() if times > 1 and word.isalpha() and len(word) >= LONG_WORD)


def _with_dictated(messages: Sequence[Message]) -> list[Message]:
    """And each sentence in small letters without a sign, and its "não" in some mouths "num"."""
    chance, found = random.Random(SEED), list(messages)
    for message in messages:
        said = re.sub(r"[^\w\s:/-]", "", message.text).lower()
        if said != message.text and len(message.text.split()) >= WORDS_OF_A_SENTENCE:
            said = re.sub(r"\bn[ãa]o\b", lambda no: "num" if chance.random() < SAYS_NUM else no[0], said)
            found.append(replace(message, text=said))
    return found


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
