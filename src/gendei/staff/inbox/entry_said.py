"""Which entry of the clinic's knowledge an answer was."""

import json
import re
from contextlib import suppress
from dataclasses import dataclass

from gendei.messages.turns import Reasons, ToolStep

TOOL = "search_knowledge"
_SAID = re.compile(r'"outcome": ?"answered", ?"line": ?"([^"(]+) \(v(\d+)\)"')
"""In what is recorded of the tool's result, of which a long one is kept in part."""


@dataclass(frozen=True, slots=True)
class SaidEntry:
    """The entry, in the version that was said. question: the patient's, "" where it is not recorded."""

    entry_id: str
    version: int
    question: str


def said_entry(reasons: Reasons) -> SaidEntry | None:
    """The entry that was said in this turn; None where none was."""
    for step in reversed(reasons.steps):
        if step.tool == TOOL and step.error is None and (found := _SAID.search(step.result or "")):
            return SaidEntry(found[1], int(found[2]), _question(step))
    return None


def _question(step: ToolStep) -> str:
    with suppress(ValueError):
        given = json.loads(step.arguments)
        if isinstance(given, dict):
            return str(given.get("question") or "")[:1000]
    return ""
