"""`python -m training.answers`: train anew what is a yes to a question, and write src/gendei/ear/answers.npz; with
files: only measure what the shipped one makes of them."""

import argparse
import json
from pathlib import Path

import numpy as np

from gendei.ear.answers import FILE, NO, OTHER, YES, agrees
from gendei.ear.model import MessageKind
from training.fitting import Examples, train
from training.messages import FOLDER as MESSAGES
from training.messages import Message, read

FOLDER = Path(__file__).parent / "answers"
KINDS = (YES, NO, OTHER)
FOLDS = 3
LONGEST = 15
"""Words of a message that is given as an example of what is no answer."""
FALSE_YESES = 0.015
"""Share of the answers that are none which the ear alone may take for a yes; words that make one conditional are looked
for beside it."""


def main() -> None:
    arguments = argparse.ArgumentParser(prog="python -m training.answers", description=__doc__)
    arguments.add_argument("files", nargs="*", type=Path)
    files = arguments.parse_args().files
    found = [(file.stem, json.loads(line)) for file in files or sorted(FOLDER.glob("*.jsonl")) for line in file.open()]
    texts, kinds = [row["t"] for _, row in found], np.array([KINDS.index(row["i"]) for _, row in found])
    if files:
        _tell(kinds, np.array([agrees(text) for text in texts]))
        return
    begun = [message for message in read(sorted(MESSAGES.glob("*.jsonl"))) if _begins_something(message)]
    texts += [message.text for message in begun]
    kinds = np.concatenate([kinds, np.full(len(begun), KINDS.index(OTHER))])
    found += [(message.writer, "") for message in begun]
    trained = train(Examples(KINDS, texts, kinds, [writer for writer, _ in found]), FOLDS)
    shares = trained.shares[:, KINDS.index(YES)]
    answers = np.arange(len(kinds)) < len(kinds) - len(begun)
    bound = float(np.quantile(shares[answers & (kinds != KINDS.index(YES))], 1 - FALSE_YESES))
    _tell(kinds[answers], shares[answers] >= bound)
    FILE.write_bytes(trained.packed(bound, bound))
    print(f"bound {bound:.3f}; {FILE.name}: {FILE.stat().st_size:,} bytes")


def _begins_something(message: Message) -> bool:
    """What is said before anything was asked is no yes to a question."""
    return message.kind not in {MessageKind.ANSWER, MessageKind.CONFIRM} and len(message.text.split()) <= LONGEST


def _tell(kinds: np.ndarray, taken: np.ndarray) -> None:
    for number, kind in enumerate(KINDS):
        print(f"{kind:6} {np.sum(kinds == number):4}: taken for a yes {np.mean(taken[kinds == number]):.1%}")


if __name__ == "__main__":
    main()
