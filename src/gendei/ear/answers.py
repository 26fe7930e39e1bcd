"""What a patient answers to a question that waits for a yes, in words that no list has."""

from enum import StrEnum
from functools import cache
from pathlib import Path

from gendei.ear.features import tokens
from gendei.ear.linear import LinearModel

FILE = Path(__file__).with_name("answers.npz")
YES, NO, OTHER = "yes", "no", "other"


class Asked(StrEnum):
    """What the question is about: an appointment is to be booked, moved to another time, or cancelled."""

    BOOK = "book"
    MOVE = "move"
    CANCEL = "cancel"


@cache
def model_of_answers() -> LinearModel:
    """The one that is shipped, loaded once."""
    return LinearModel.load(FILE)


def share_of_yes(text: str, asked: Asked) -> float:
    """How likely `text` agrees to what was asked, without a condition and without a change."""
    model = model_of_answers()
    return float(model.shares(answer_tokens(text, asked))[model.kinds.index(YES)])


def sure_yes() -> float:
    """The share from which on nothing else is needed for a yes."""
    return model_of_answers().alarm


def answer_tokens(text: str, asked: Asked) -> list[str]:
    """The words of the answer, and again each of them as an answer to this question: "cancela" agrees to one alone."""
    said = tokens(text)
    return [*said, *(f"{asked}{word}" for word in said if word.isalnum())]
