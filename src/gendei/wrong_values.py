"""What is wrong with a value of a data file or a setting, in words that say what to write."""

import re
from collections.abc import Mapping
from typing import Any

_SENTENCES = {
    "missing": ("is missing.", "Add it."),
    "int_type": ("must be a whole number.", "Write digits only, without quotes."),
    "int_parsing": ("must be a whole number.", "Write digits only."),
    "int_from_float": ("must be a whole number.", "Write digits only."),
    "float_type": ("must be a number.", "Write it without quotes."),
    "float_parsing": ("must be a number.", "Write digits, and a point before decimals."),
    "finite_number": ("must be a number.", "Write digits, and a point before decimals."),
    "string_type": ("must be text.", "Put it in quotes."),
    "string_too_short": ("must not be empty.", "Write a value or leave the field out."),
    "string_too_long": ("must have at most {max_length} characters.", "Shorten it."),
    "string_pattern_mismatch": ("is not in the form that it must have.", ""),
    "bool_type": ("must be true or false.", "Write true or false, without quotes."),
    "bool_parsing": ("must be true or false.", "Write true or false."),
    "list_type": ("must be a list.", 'Write it as ["...", "..."].'),
    "dict_type": ("must be a group of fields.", "Write it as {{field: value}}."),
    "model_type": ("must be a group of fields.", "Write it as {{field: value}}."),
    "greater_than_equal": ("must not be less than {ge}.", "Write {ge} or more."),
    "greater_than": ("must be more than {gt}.", "Write a number above {gt}."),
    "less_than_equal": ("must not be more than {le}.", "Write {le} or less."),
    "less_than": ("must be less than {lt}.", "Write a number below {lt}."),
    "too_short": ("has {actual_length} entries, and must have {min_length} or more.", "Add what is missing."),
    "too_long": ("has more than {max_length} entries.", "Keep {max_length} at most."),
    "literal_error": ("is none of the values that it may have.", "Write one of: {expected}."),
    "enum": ("is none of the values that it may have.", "Write one of: {expected}."),
    "timezone_aware": ("has no zone.", 'Write its distance from UTC too, as in "2026-12-25T09:00:00-03:00".'),
    "datetime_from_date_parsing": ("must be a date and a time.", 'Write it as "2026-12-25T09:00:00-03:00".'),
    "datetime_parsing": ("must be a date and a time.", 'Write it as "2026-12-25T09:00:00-03:00".'),
    "refusal": ("{problem}", "{remedy}"),
}
"""By pydantic's type of error: (problem, remedy), filled with the error's context."""
_SHAPES: Mapping[type, str] = {list: "a list", dict: "a group of fields"}


def in_words(kind: str, message: str, context: Mapping[str, Any], value: object = None) -> tuple[str, str]:
    """The problem and the remedy of one of pydantic's errors, which is of `kind`; its own `message` and no remedy where
    the kind has no words of ours. Of `value`, what was written, only the shape is looked at."""
    if kind == "string_type" and type(value) in _SHAPES:
        return f"must be text, not {_SHAPES[type(value)]}.", "Write one text in quotes, without brackets."
    problem, remedy = _SENTENCES.get(kind, ("{message}.", ""))
    words = {name: _plain(name, part) for name, part in context.items()} | {"message": message}
    return problem.format_map(words), remedy.format_map(words)


def _plain(name: str, value: object) -> str:
    """A part of the context as it is written in a file: 5 for pydantic's 5.0, and "a, b" for its "'a' or 'b'"."""
    if name == "expected":
        return ", ".join(filter(None, re.findall(r"'([^']*)'", str(value))))
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
