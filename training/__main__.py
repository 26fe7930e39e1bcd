"""`python -m training`: train the ear anew and write src/gendei/ear/weights.npz; `--check`: only measure.

Each writer is heard by a model that was trained on others alone: those figures are what a stranger may expect, and
where the bounds for alarm and question come from, and what the shares of a text are worth. Needs `pip install --group
training` (scikit-learn).
"""

import argparse
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gendei.ear.features import tokens
from gendei.ear.model import DANGERS, FILE, KINDS
from training.fitting import Examples, train
from training.messages import FOLDER, Message, read

FOLDS = 7
FALSE_ALARMS, FALSE_QUESTIONS = 0.003, 0.025
"""Shares of harmless messages that may be taken for danger, and that may be asked about."""


def main() -> None:
    arguments = argparse.ArgumentParser(prog="python -m training", description=__doc__.partition("\n")[0])
    arguments.add_argument("--check", action="store_true", help="measure, and write nothing")
    only_check = arguments.parse_args().check
    messages = read(sorted(FOLDER.glob("*.jsonl")))
    kinds = np.array([KINDS.index(message.kind) for message in messages])
    said, writers = [tokens(message.text) for message in messages], [message.writer for message in messages]
    trained = train(Examples(KINDS, said, kinds, writers), FOLDS)
    alarm, ask = _report(messages, kinds, trained.shares)
    if not only_check:
        FILE.write_bytes(trained.packed(alarm, ask))
        print(f"{FILE.name}: {FILE.stat().st_size:,} bytes")


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
