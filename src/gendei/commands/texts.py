"""What commands are called, and what language models read of refusals, from `prompts/staff_tools.yaml`."""

import re
from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import AfterValidator, Field

from gendei.commands.refusals import Explanation, Reason
from gendei.datafile import StrictModel, Text, refusal
from gendei.texts import read_completed

FILE = "staff_tools.yaml"
E = TypeVar("E", bound=StrEnum)
BRACES = re.compile(r"{(\w+)}")


class Wrong(StrEnum):
    """What is the matter with an argument."""

    MISSING = "missing"
    UNKNOWN = "unknown"
    MISNAMED = "misnamed"
    NO_TEXT = "no_text"
    NOT_TEXT = "not_text"
    TOO_SHORT = "too_short"
    TOO_LONG = "too_long"
    NOT_WHOLE = "not_whole"
    TOO_SMALL = "too_small"
    TOO_LARGE = "too_large"
    NOT_BOOL = "not_bool"
    NOT_ONE_OF = "not_one_of"
    UNFIT = "unfit"


def _complete(kind: type[E], remedy: str) -> Callable[[dict[E, str]], dict[E, str]]:
    def check(texts: dict[E, str]) -> dict[E, str]:
        missing = [name for name in kind if name not in texts]
        if missing:
            raise refusal(f"{missing[0]} is missing.", remedy)
        return texts

    return check


_OfArguments = Annotated[
    dict[Annotated[Wrong, Field(strict=False)], Text],
    AfterValidator(_complete(Wrong, "Write what follows the argument's name.")),
]
Sentences = Annotated[
    dict[Annotated[Reason, Field(strict=False)], Text],
    AfterValidator(_complete(Reason, "Write a sentence that says what to do.")),
]


class ToolTexts(StrictModel):
    """`tools`: each command's title for people; `faults`: what a model reads of a refusal; `arguments`: what it reads
    of one argument, after its name."""

    tools: dict[str, Text]
    arguments: _OfArguments
    faults: Sentences

    def why(self, reason: Reason, **values: str) -> str:
        return filled(self.faults[reason], values)

    def sentence(self, explanation: Explanation) -> str:
        """Why nothing was done, and what to do."""
        return explanation.text or self.why(Reason(explanation.reason), **explanation.values)


def filled(text: str, values: Mapping[str, str]) -> str:
    """`text` with the values in place of their names in braces; a name without a value stays."""
    return BRACES.sub(lambda found: values.get(found[1], found[0]), text)


def load_tool_texts(folder: Path) -> ToolTexts:
    """The texts of `folder`. Raises ConfigurationError for what is unknown or missing."""
    return read_completed(folder / FILE).into(ToolTexts)
