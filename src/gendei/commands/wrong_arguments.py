"""What is wrong with a call's arguments, in Portuguese."""

import re
from collections.abc import Collection, Mapping
from difflib import get_close_matches

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from gendei.commands.texts import ToolTexts, Wrong, filled

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
