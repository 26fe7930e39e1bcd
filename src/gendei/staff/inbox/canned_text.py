"""Canned replies as values: their placeholders, and filling them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

PLACEHOLDERS = (
    "patient",
    "clinic_name",
    "address",
    "clinic_phone",
    "attendant",
    "service",
    "professional",
    "weekday_date",
    "time",
)
"""`attendant`: who writes. The last four: of the patient's next appointment."""
_PLACEHOLDER = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Canned:
    """A text that staff send often. `id`: stable, for the page; `title`: under which staff find it."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Filled:
    """`missing`: placeholders that nothing is known for; they stand in the text as they were, for the person to see."""

    text: str
    missing: tuple[str, ...]


def unknown_placeholders(text: str) -> list[str]:
    return [name for name in _PLACEHOLDER.findall(text) if name not in PLACEHOLDERS]


def fill(text: str, values: Mapping[str, str]) -> Filled:
    """`text` with its placeholders replaced by what `values` has for them. Values are never read for placeholders."""
    missing: list[str] = []

    def value(match: re.Match[str]) -> str:
        known = values.get(match[1], "")
        if not known:
            missing.append(match[1])
        return known or match[0]

    return Filled(_PLACEHOLDER.sub(value, text), tuple(dict.fromkeys(missing)))
