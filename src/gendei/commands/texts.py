"""What commands are called, and what language models read of refusals, from `prompts/staff_tools.yaml`."""

import re
from collections.abc import Callable, Collection, Mapping
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import AfterValidator, Field, ValidationError
from pydantic_core import ErrorDetails

from gendei.commands.refusals import Explanation, Reason
from gendei.datafile import StrictModel, Text, read_yaml, refusal

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
    return read_yaml(folder / FILE).into(ToolTexts)


NEAR = 0.6
"""How alike two names are, from 0 to 1, of which one is taken for the other's slip: service and service_id are."""
MOST_SHOWN = 60
"""Characters of a name that a model made up."""
_KINDS: Mapping[str, Wrong] = {
    "missing": Wrong.MISSING,
    "extra_forbidden": Wrong.UNKNOWN,
    "no_text": Wrong.NO_TEXT,
    "string_type": Wrong.NOT_TEXT,
    "string_too_short": Wrong.TOO_SHORT,
    "string_too_long": Wrong.TOO_LONG,
    "int_type": Wrong.NOT_WHOLE,
    "int_parsing": Wrong.NOT_WHOLE,
    "int_from_float": Wrong.NOT_WHOLE,
    "greater_than_equal": Wrong.TOO_SMALL,
    "less_than_equal": Wrong.TOO_LARGE,
    "bool_type": Wrong.NOT_BOOL,
    "bool_parsing": Wrong.NOT_BOOL,
    "enum": Wrong.NOT_ONE_OF,
    "literal_error": Wrong.NOT_ONE_OF,
}
"""By pydantic's type of error."""


def what_is_wrong(error: ValidationError, names: Collection[str], texts: ToolTexts) -> str:
    """Each argument that was refused, with what to mend; never a value. `names`: of those there are."""
    return "; ".join(
        f"{'.'.join(map(str, wrong['loc']))[:MOST_SHOWN]}: {_of_one(wrong, names, texts)}"
        for wrong in error.errors(include_input=False, include_url=False)
    )


def _of_one(error: ErrorDetails, names: Collection[str], texts: ToolTexts) -> str:
    kind = _KINDS.get(error["type"], Wrong.UNFIT)
    values = {name: str(value) for name, value in error.get("ctx", {}).items()}
    if "expected" in values:
        values["expected"] = ", ".join(re.findall(r"'([^']+)'", values["expected"]))
    if kind is Wrong.UNKNOWN:
        near = get_close_matches(str(error["loc"][-1])[:MOST_SHOWN], names, 1, NEAR)
        if near:
            return filled(texts.arguments[Wrong.MISNAMED], {"near": near[0]})
    return filled(texts.arguments[kind], values)
