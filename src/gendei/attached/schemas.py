"""What of a listed tool is taken: a name that models can write, a description, and a schema of the plain kind.

A foreign schema is data like any other. It is written anew from the keywords that are known here, its references put
in their place, within bounds: nothing in it is fetched, no pattern of it is run, and none grows without end.
"""

import json
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from jsonschema import Draft202012Validator, SchemaError
from mcp.types import CallToolResult, TextContent, Tool

from gendei.clinic_services import McpServer
from gendei.receptionist.tools.attached import Answer, Arguments, AttachedFailed
from gendei.receptionist.tools.refusals import Why

MAX_DESCRIPTION = 600
MAX_HINT = 200
"""Characters of a description inside a schema."""
MAX_SCHEMA = 8_000
MAX_RESULT = 8_000
"""Characters, as JSON."""
MAX_NODES, MAX_DEPTH = 200, 12
MAX_NAME = 64
"""OpenAI's limit of a function's name."""
ELLIPSIS = "…"
_PLAIN = frozenset(
    {"format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength"}
    | {"minItems", "maxItems", "const", "enum"}
)
_TYPES = frozenset({"object", "array", "string", "number", "integer", "boolean", "null"})
_PROPERTY = re.compile(r"[\w.-]{1,64}")
_UNSAFE = re.compile(r"[^A-Za-z0-9_-]")
_QUOTES = str.maketrans("«»", '""')


class Unfit(StrEnum):
    """Why a tool that the clinic file names is not offered."""

    NOT_LISTED = "not_listed"
    TWICE = "listed_twice"
    NAME_TAKEN = "name_taken"
    NAME_LONG = "name_too_long"
    SCHEMA = "schema_not_understood"
    SCHEMA_LARGE = "schema_too_large"
    SCHEMA_ELSEWHERE = "schema_refers_elsewhere"
    SCHEMA_HIDES = "schema_hides_characters"
    NOT_FILLED = "lacks_filled_argument"


class Unusable(Exception):
    """A tool cannot be offered."""

    def __init__(self, why: Unfit) -> None:
        self.why = why
        super().__init__(why)


@dataclass(frozen=True, slots=True)
class Shape:
    """A tool as it can be offered. accepts: what is wrong with arguments, or None. reads: an answer within bounds."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    read_only: bool
    accepts: Callable[[Arguments], str | None]
    reads: Callable[[CallToolResult], Answer]


def shape_of(tool: Tool, server: McpServer) -> Shape:
    """Raises Unusable."""
    parameters = _Schemas(tool.input_schema).whole()
    if parameters.get("type") != "object":
        raise Unusable(Unfit.SCHEMA)
    properties = parameters.setdefault("properties", {})
    for name in server.fills:
        if properties.pop(name, None) is None:
            raise Unusable(Unfit.NOT_FILLED)
    parameters["required"] = [name for name in parameters.get("required", []) if name in properties]
    parameters["additionalProperties"] = False
    return Shape(
        name=public_name(server.name, tool.name),
        description=clean(tool.description or tool.title or "", MAX_DESCRIPTION),
        parameters=parameters,
        read_only=tool.annotations is not None and tool.annotations.read_only_hint is True,
        accepts=_checking(parameters),
        reads=_reading(tool.output_schema),
    )


def public_name(server: str, tool: str) -> str:
    """What models call it by. Raises Unusable where that would be too long."""
    name = f"{server}_{_UNSAFE.sub('_', tool)}"
    if len(name) > MAX_NAME:
        raise Unusable(Unfit.NAME_LONG)
    return name


def clean(text: str, limit: int) -> str:
    """Without characters that nobody sees, in single blanks, cut to `limit`."""
    seen = "".join(character if unicodedata.category(character)[0] != "C" else " " for character in text[: 4 * limit])
    line = " ".join(seen.translate(_QUOTES).split())
    return line if len(line) <= limit else line[: limit - 1] + ELLIPSIS


def _checking(schema: Mapping[str, Any]) -> Callable[[Arguments], str | None]:
    validator = Draft202012Validator(schema)

    def wrong(arguments: Arguments) -> str | None:
        error = next(validator.iter_errors(arguments), None)
        return None if error is None else clean(f"{'.'.join(map(str, error.path))} {error.message}", MAX_HINT)

    return wrong


def _reading(output_schema: Mapping[str, Any] | None) -> Callable[[CallToolResult], Answer]:
    try:
        promised = Draft202012Validator(_Schemas(output_schema, choices=False).whole()) if output_schema else None
    except Unusable:
        promised = None

    def read(result: CallToolResult) -> Answer:
        told = result.structured_content
        if promised is not None and told is None and not result.is_error:
            raise AttachedFailed(Why.NONSENSE)
        if told is None:
            texts = [
                content.text if isinstance(content, TextContent) else f"[{content.type}]" for content in result.content
            ]
            return Answer(clean_text("\n".join(texts), MAX_RESULT), result.is_error)
        cleaned = _without_hidden(told)
        text = json.dumps(cleaned, ensure_ascii=False)
        if len(text) > MAX_RESULT:
            return Answer(text[: MAX_RESULT - 1] + ELLIPSIS, result.is_error)
        if promised is not None and not result.is_error and not promised.is_valid(told):
            raise AttachedFailed(Why.NONSENSE)
        return Answer(cleaned, result.is_error)

    return read


def _without_hidden(value: Any) -> Any:
    if isinstance(value, str):
        return clean_text(value, MAX_RESULT)
    if isinstance(value, dict):
        return {clean_text(str(name), MAX_NAME): _without_hidden(item) for name, item in value.items()}
    return [_without_hidden(item) for item in value] if isinstance(value, list) else value


def clean_text(text: str, limit: int) -> str:
    """Like `clean`, line by line."""
    lines = "\n".join(clean(line, limit) for line in text[: 4 * limit].splitlines())
    return lines if len(lines) <= limit else lines[: limit - 1] + ELLIPSIS


class _Schemas:
    """One foreign schema, written anew. choices: with its alternatives; without them each value is looked at once, so
    that however much a server answers, the look at it does not take long."""

    def __init__(self, root: Any, *, choices: bool = True) -> None:
        self._root, self._choices, self._nodes = root, choices, 0

    def whole(self) -> dict[str, Any]:
        """Raises Unusable."""
        try:
            made = self._node(self._root, 0)
            Draft202012Validator.check_schema(made)
            size = len(json.dumps(made, ensure_ascii=False))
        except (SchemaError, TypeError, ValueError, LookupError, RecursionError):
            raise Unusable(Unfit.SCHEMA) from None
        if size > MAX_SCHEMA:
            raise Unusable(Unfit.SCHEMA_LARGE)
        return made

    def _node(self, given: Any, depth: int) -> dict[str, Any]:
        self._nodes += 1
        if self._nodes > MAX_NODES or depth > MAX_DEPTH:
            raise Unusable(Unfit.SCHEMA_LARGE)
        if given is True:
            return {}
        if not isinstance(given, dict):
            raise Unusable(Unfit.SCHEMA)
        if "$ref" in given:
            return self._node(self._referred(given["$ref"]), depth + 1)
        if "allOf" in given:
            return self._node(_joined(given), depth + 1)
        made = {name: given[name] for name in given.keys() & _PLAIN}
        if isinstance(text := given.get("description"), str):
            made["description"] = clean(text, MAX_HINT)
        if "type" in given:
            made["type"] = _types(given["type"])
        _check_shown([*(made.get("enum") or ()), made.get("const")])
        self._parts(given, made, depth + 1)
        return made

    def _parts(self, given: Mapping[str, Any], made: dict[str, Any], depth: int) -> None:
        if isinstance(properties := given.get("properties"), dict):
            if not all(_PROPERTY.fullmatch(name) for name in properties):
                raise Unusable(Unfit.SCHEMA)
            made["properties"] = {name: self._node(alternative, depth) for name, alternative in properties.items()}
            required = given.get("required") or []
            made["required"] = [name for name in required if isinstance(name, str) and name in properties]
        if "items" in given:
            made["items"] = self._node(given["items"], depth)
        if isinstance(more := given.get("additionalProperties"), bool):
            made["additionalProperties"] = more
        elif isinstance(more, dict):
            made["additionalProperties"] = self._node(more, depth)
        either = given.get("anyOf") or given.get("oneOf")
        if self._choices and isinstance(either, list):
            made["anyOf"] = [self._node(alternative, depth) for alternative in either]

    def _referred(self, reference: Any) -> Any:
        if not isinstance(reference, str) or not reference.startswith("#/"):
            raise Unusable(Unfit.SCHEMA_ELSEWHERE)
        found = self._root
        for part in reference[2:].split("/"):
            found = found.get(part.replace("~1", "/").replace("~0", "~")) if isinstance(found, dict) else None
        return found


def _joined(given: Mapping[str, Any]) -> dict[str, Any]:
    """A schema with the one that it builds on."""
    [base] = given["allOf"]
    return {**{name: value for name, value in given.items() if name != "allOf"}, **base}


def _types(given: Any) -> Any:
    named = given if isinstance(given, list) else [given]
    if not named or not all(isinstance(kind, str) and kind in _TYPES for kind in named):
        raise Unusable(Unfit.SCHEMA)
    return given


def _check_shown(values: list[Any]) -> None:
    if any(isinstance(value, str) and clean(value, MAX_HINT) != value for value in values):
        raise Unusable(Unfit.SCHEMA_HIDES)
