"""`python -m training.answers`: train anew what is a yes to which question, and write src/gendei/ear/answers.npz.
`training.answer_exam` measures what comes of it with all that is looked at beside it."""

import argparse
import json
import re
from itertools import cycle, islice
from pathlib import Path

import numpy as np

from gendei.ear.answers import FILE, NO, OTHER, YES, Asked, answer_tokens
from gendei.ear.model import MessageKind
from training.fitting import Examples, train
from training.messages import FOLDER as MESSAGES
from training.messages import Message, read

FOLDER = Path(__file__).parent / "answers"
KINDS = (YES, NO, OTHER)
FOLDS = 3
_OF_ONE = re.compile(r"cancel|desmarc|mud[ae]|troc|remarc|pass[ae]|tir[ae]|apag|liber|mant", re.IGNORECASE)
"""Answers of which it is not known what they answer, and which only agree to one of the questions."""
LONGEST = 15
"""Words of a message that is given as an example of what is no answer."""
FALSE_YESES = 0.015
"""Share of the answers that are none which the ear alone may take for a yes; words that make one conditional are looked
for beside it."""


def main() -> None:
    argparse.ArgumentParser(prog="python -m training.answers", description=__doc__).parse_args()
    rows = [(file.stem, json.loads(line)) for file in sorted(FOLDER.glob("*.jsonl")) for line in file.open()]
    rows = [(writer, row) for writer, row in rows if "q" in row or _OF_ONE.search(row["t"]) is None]
    begun = [message for message in read(sorted(MESSAGES.glob("*.jsonl"))) if _begins_something(message)]
    questions = [*(Asked(row.get("q", Asked.BOOK)) for _, row in rows), *islice(cycle(Asked), len(begun))]
    texts = [*(row["t"] for _, row in rows), *(message.text for message in begun)]
    kinds = np.array([KINDS.index(row["i"]) for _, row in rows] + [KINDS.index(OTHER)] * len(begun))
    said = [answer_tokens(text, asked) for text, asked in zip(texts, questions, strict=True)]
    writers = [*(writer for writer, _ in rows), *(message.writer for message in begun)]
    trained = train(Examples(KINDS, said, kinds, writers), FOLDS)
    shares = trained.shares[:, KINDS.index(YES)]
    answers = np.arange(len(kinds)) < len(rows)
    bound = float(np.quantile(shares[answers & (kinds != KINDS.index(YES))], 1 - FALSE_YESES))
    for number, kind in enumerate(KINDS):
        of_kind = shares[answers & (kinds == number)]
        print(f"{kind:6} {len(of_kind):4}: taken for a yes {np.mean(of_kind >= bound):.1%}")
    FILE.write_bytes(trained.packed(bound, bound))
    print(f"bound {bound:.3f}; {FILE.name}: {FILE.stat().st_size:,} bytes")


def _begins_something(message: Message) -> bool:
    """What is said before anything was asked is no yes to a question."""
    return message.kind not in {MessageKind.ANSWER, MessageKind.CONFIRM} and len(message.text.split()) <= LONGEST


if __name__ == "__main__":
    main()
