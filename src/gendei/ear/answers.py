"""What a patient answers to a question that waits for a yes, in words that no list has."""

from functools import cache
from pathlib import Path

from gendei.ear.features import tokens
from gendei.ear.linear import LinearModel

FILE = Path(__file__).with_name("answers.npz")
YES, NO, OTHER = "yes", "no", "other"


@cache
def model_of_answers() -> LinearModel:
    """The one that is shipped, loaded once."""
    return LinearModel.load(FILE)


def agrees(text: str) -> bool:
    """Whether `text` agrees, for sure, to what was asked, without a condition and without a change."""
    model = model_of_answers()
    return float(model.shares(tokens(text))[model.kinds.index(YES)]) >= model.alarm
