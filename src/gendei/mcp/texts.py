"""What assistants and the people behind them read, from `prompts/mcp.yaml`."""

import re
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field

from gendei.datafile import StrictModel, Text, read_yaml, refusal

FILE = "mcp.yaml"
_BRACES = re.compile(r"{(\w+)}")


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
    WHICH_COLLEAGUE = "which_colleague"
    WINDOW_CLOSED = "window_closed"
    DECLINED = "declined"
    TOO_LONG = "too_long"
    KEY_REUSED = "key_reused"
    IN_PROGRESS = "in_progress"
    UNAVAILABLE = "unavailable"
    FAILED = "failed"


class _Argument(StrictModel):
    name: Annotated[str, Field(pattern=r"^[a-z_]+$")]
    description: Text
    required: bool = True


class Errand(StrictModel):
    """A prompt that a person picks: `text` with the arguments in braces, those that were not given left empty."""

    name: Annotated[str, Field(pattern=r"^[a-z_]+$")]
    title: Text
    description: Text
    arguments: list[_Argument] = Field(default_factory=list)
    text: Text

    def filled(self, given: Mapping[str, str]) -> str:
        return _BRACES.sub(lambda found: given.get(found[1], ""), self.text).strip()


def _known_arguments(errands: list[Errand]) -> list[Errand]:
    for one in errands:
        unknown = set(_BRACES.findall(one.text)) - {argument.name for argument in one.arguments}
        if unknown:
            raise refusal(f"{one.name}: {{{sorted(unknown)[0]}}} is no argument.", "Add it to the arguments.")
    return errands


def _complete(faults: dict[Fault, str]) -> dict[Fault, str]:
    missing = [one for one in Fault if one not in faults]
    if missing:
        raise refusal(f"{missing[0]} is missing.", "Write a sentence that says what to do.")
    return faults


class Resources(StrictModel):
    agenda_title: Text
    agenda_description: Text


class McpTexts(StrictModel):
    """`instructions`: what every assistant is told; `tools`: each one's title for people."""

    instructions: Text
    tools: dict[str, Text]
    resources: Resources
    errands: Annotated[list[Errand], AfterValidator(_known_arguments)]
    faults: Annotated[dict[Annotated[Fault, Field(strict=False)], Text], AfterValidator(_complete)]

    def fault(self, fault: Fault, **values: str) -> str:
        return _BRACES.sub(lambda found: values.get(found[1], found[0]), self.faults[fault])


def load_mcp_texts(folder: Path) -> McpTexts:
    """The texts of `folder`. Raises ConfigurationError for what is unknown or missing."""
    return read_yaml(folder / FILE).into(McpTexts)
