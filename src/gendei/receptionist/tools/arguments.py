"""A model's arguments for a tool: read by its schema, or what is wrong with each and what to write."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from agents.function_schema import FuncSchema
from pydantic import ValidationError

from gendei.receptionist.runtime import Declined
from gendei.receptionist.tools.refusals import ToolRefusal

Say = Callable[..., str]
MAX_TOLD = 5
"""So many wrong arguments are told at once."""
_KINDS = ("string", "int", "bool", "list", "missing")
"""How the validator's errors begin, and the phrases end, after "argument_"; anything else should be an object."""


def given(schema: FuncSchema, described: Mapping[str, Any], text: str, say: Say) -> tuple[list[Any], dict[str, Any]]:
    """The arguments that a model wrote as JSON, positional and by name. described: the schema as it read it. say: of
    the Runtime. Raises Declined, which repeats nothing of what was written."""
    wrong = ""
    try:
        values = json.loads(text or "{}")
        if isinstance(values, dict):
            return schema.to_call_args(schema.params_pydantic_model(**values))
    except ValidationError as error:
        wrong = _told(described, error, say)
    except (ValueError, RecursionError):
        pass
    wrong = wrong or say("argument_json", value=", ".join(described["properties"]))
    raise Declined(ToolRefusal.ARGUMENTS, say("tool_arguments", value=wrong))


def _told(schema: Mapping[str, Any], error: ValidationError, say: Say) -> str:
    found = error.errors(include_url=False, include_context=False, include_input=False)
    return " ".join(_line(schema, fault["type"], fault["loc"], say) for fault in found[:MAX_TOLD])


def _line(schema: Mapping[str, Any], fault: str, place: Sequence[int | str], say: Say) -> str:
    """One argument by its place ("secoes[0].titulo"), what is wrong with it, and what the schema says of it."""
    kind = next((kind for kind in _KINDS if fault.startswith(kind)), "object")
    name = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in place).removeprefix(".")
    return f"{say(f'argument_{kind}', name=name)} {_described(schema, place)}".strip()


def _described(schema: Mapping[str, Any], place: Sequence[int | str]) -> str:
    part: Any = schema
    for step in place:
        part = part.get("items", {}) if isinstance(step, int) else part.get("properties", {}).get(step, {})
    return str(part.get("description", ""))
