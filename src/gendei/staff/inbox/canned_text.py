"""Canned replies as values: their placeholders, and filling them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from gendei.staff.inbox.rows import fold

PLACEHOLDERS = (
    "paciente",
    "clínica",
    "endereço",
    "telefone",
    "atendente",
    "serviço",
    "profissional",
    "dia",
    "hora",
)
"""As staff write them, with or without accents. `telefone`: the clinic's; `atendente`: who writes. The last four: of
the patient's next appointment."""
_ONCE = (
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
"""What they were called once, as replies may still hold them."""
_KNOWN = {fold(name): name for name in PLACEHOLDERS} | dict(zip(_ONCE, PLACEHOLDERS, strict=True))
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
    return [name for name in _PLACEHOLDER.findall(text) if fold(name) not in _KNOWN]


def with_present_names(text: str) -> str:
    """`text` with its placeholders called as in PLACEHOLDERS."""
    return _PLACEHOLDER.sub(lambda match: f"{{{_KNOWN.get(fold(match[1]), match[1])}}}", text)


def fill(text: str, values: Mapping[str, str]) -> Filled:
    """`text` with its placeholders replaced by what `values` has for them. Values are never read for placeholders."""
    missing: list[str] = []

    def value(match: re.Match[str]) -> str:
        name = _KNOWN.get(fold(match[1]), match[1])
        known = values.get(name, "")
        if not known:
            missing.append(name)
        return known or match[0]

    return Filled(_PLACEHOLDER.sub(value, text), tuple(dict.fromkeys(missing)))
