"""A tool's schema as models read it: its texts and limits, and nothing that tells them nothing."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from agents import FunctionTool

from gendei.errors import ConfigurationError
from gendei.receptionist.tools.descriptions import ToolDescription, ToolDescriptions

_SILENT = frozenset({"title", "default", "description", "$defs"})
"""What is left out: titles repeat the name, all arguments are required, and the texts describe them."""
Schema = dict[str, Any]


def plain(schema: Mapping[str, Any]) -> Schema:
    """The schema without titles and descriptions, and with what it refers to in the place of the reference."""
    return _plain(schema, schema.get("$defs", {}))


def _plain(part: Mapping[str, Any], definitions: Mapping[str, Any]) -> Schema:
    if "$ref" in part:
        return _plain(definitions[part["$ref"].rpartition("/")[2]], definitions)
    kept = {name: value for name, value in part.items() if name not in _SILENT}
    if "properties" in kept:
        kept["properties"] = {name: _plain(inner, definitions) for name, inner in kept["properties"].items()}
    if "items" in kept:
        kept["items"] = _plain(kept["items"], definitions)
    if "anyOf" in kept:
        kept["anyOf"] = [_plain(inner, definitions) for inner in kept["anyOf"]]
    return kept


def told(tool: FunctionTool, text: ToolDescription) -> FunctionTool:
    """The tool with its texts, the example at the end of its description: in strict schemas an API refuses both
    examples and limits of characters, so these stand in the texts too. Raises ConfigurationError for a text of an
    argument that the tool does not have, and for an argument without one."""
    known = frozenset(arguments_of(tool.params_json_schema))
    for name in sorted(known ^ text.arguments.keys()):
        where, problem = f"tools.{tool.name}.arguments.{name}", "texts and arguments of the tool differ."
        raise ConfigurationError(ToolDescriptions.file_name, where, problem, "Write one text for each argument.")
    example = json.dumps(text.example, ensure_ascii=False)
    description = f"{text.description}\nExemplo: {example}" if text.example else text.description
    return replace(tool, description=description, params_json_schema=_described(tool.params_json_schema, text, ""))


def arguments_of(schema: Mapping[str, Any], before: str = "") -> Iterator[str]:
    """The arguments of a schema by name, as texts have them."""
    for name, part in schema.get("properties", {}).items():
        yield f"{before}{name}"
        yield from arguments_of(part.get("items", {}), f"{before}{name}.")


def _described(schema: Mapping[str, Any], text: ToolDescription, before: str) -> Schema:
    described = dict(schema)
    if "properties" in schema:
        described["properties"] = {
            name: {**_described(part, text, f"{before}{name}."), **_description(text, f"{before}{name}")}
            for name, part in schema["properties"].items()
        }
    if "items" in schema:
        described["items"] = _described(schema["items"], text, before)
    return described


def _description(text: ToolDescription, name: str) -> dict[str, str]:
    return {"description": text.arguments[name]} if name in text.arguments else {}
