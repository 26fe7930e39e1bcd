"""What the tools are called, and why one did nothing, from `prompts/staff_tools.yaml`."""

import re
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field

from gendei.datafile import StrictModel, Text, read_yaml, refusal

FILE = "staff_tools.yaml"
BRACES = re.compile(r"{(\w+)}")


class Fault(StrEnum):
    """Why a tool did nothing, where nothing of the clinic's says so."""

    NO_TOKEN = "no_token"  # noqa: S105  # the name of a fault
    FORBIDDEN = "forbidden"
    NOT_FOUND = "not_found"
    INVALID = "invalid"
    DAYS_UNCLEAR = "days_unclear"
    START_UNCLEAR = "start_unclear"
    TOO_MANY_DAYS = "too_many_days"
    NO_OFFSET = "no_offset"
    WHOSE = "whose"
    PAST = "past"
    ILLEGAL_MOVE = "illegal_move"
    WHICH_COLLEAGUE = "which_colleague"
    WINDOW_CLOSED = "window_closed"
    DECLINED = "declined"
    TOO_LONG = "too_long"
    KEY_REUSED = "key_reused"
    IN_PROGRESS = "in_progress"
    UNAVAILABLE = "unavailable"
    FAILED = "failed"


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


def _complete(faults: dict[Fault, str]) -> dict[Fault, str]:
    missing = [one for one in Fault if one not in faults]
    if missing:
        raise refusal(f"{missing[0]} is missing.", "Write a sentence that says what to do.")
    return faults


def _all_told(arguments: dict[Wrong, str]) -> dict[Wrong, str]:
    missing = [one for one in Wrong if one not in arguments]
    if missing:
        raise refusal(f"{missing[0]} is missing.", "Write what follows the argument's name.")
    return arguments


Arguments = Annotated[dict[Annotated[Wrong, Field(strict=False)], Text], AfterValidator(_all_told)]
Faults = Annotated[dict[Annotated[Fault, Field(strict=False)], Text], AfterValidator(_complete)]


class ToolTexts(StrictModel):
    """`tools`: each one's title for people; `faults`: what a model reads; `arguments`: what it reads of one argument,
    after its name."""

    tools: dict[str, Text]
    arguments: Arguments
    faults: Faults

    def fault(self, fault: Fault, **values: str) -> str:
        return filled(self.faults[fault], values)


def filled(text: str, values: Mapping[str, str]) -> str:
    """`text` with the values in place of their names in braces; a name without a value stays."""
    return BRACES.sub(lambda found: values.get(found[1], found[0]), text)


def load_tool_texts(folder: Path) -> ToolTexts:
    """The texts of `folder`. Raises ConfigurationError for what is unknown or missing."""
    return read_yaml(folder / FILE).into(ToolTexts)
