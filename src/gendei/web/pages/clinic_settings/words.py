"""What staff read of the clinic's fields: their names, their help, and their values."""

import re
from collections.abc import Mapping
from datetime import date
from typing import Any

from gendei.clinic import money
from gendei.clinics.field_paths import ORDER, Path, parsed
from gendei.clinics.written import PLACEHOLDER
from gendei.web.pages.clinic_settings.described import every_leaf
from gendei.web.pages.page_texts import channel_name, page_texts

TEXTS = page_texts("settings")
_LIKE: Mapping[str, str] = {
    "professionals.hours": "hours",
    "insurance.services": "insurance",
    "reminders.at.template": "templates",
    "voice.synthesis": "voice.transcription",
    "overrides.client": "overrides.appointment",
    "overrides.professional": "overrides.appointment",
    "overrides.reminders": "reminders.at",
}
"""Whose texts a group has where it has none of its own."""
NAMED = frozenset({"services", "professionals", "insurance", "insurance.services", "channels", "mcp_servers"})
KEYED = frozenset({"templates", "mcp_servers.headers", "words.phrases"})
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_SELF_TOLD = frozenset({"name", "provider"})
"""Fields whose values need no name beside them."""
_CHOICES = frozenset(leaf.key for leaf in every_leaf() if leaf.choices)


def text_of(key: str, ending: str = "") -> str:
    """The text of a field, or of the one that it is like; "" where there is none."""
    if found := TEXTS.get(f"{key}{ending}") or page_texts("channels").get(f"{key}{ending}"):
        return found
    for group, other in _LIKE.items():
        if key.startswith(f"{group}."):
            return text_of(f"{other}{key.removeprefix(group)}", ending)
    return ""


def choice_of(value: str) -> str:
    """What may be chosen, for staff."""
    return TEXTS.get(f"choice_{value}", value)


def entry_name(key: str, name: str, value: Any = None) -> str:
    """An entry of the list `key`, for staff."""
    if isinstance(value, Mapping) and isinstance(value.get("name"), str) and key in NAMED:
        return str(value["name"]) or name
    if key == "templates":
        return choice_of(name)
    provider, sign, number = name.partition(":")
    return f"{channel_name(provider)} {number}" if key == "channels" and sign else name


def label_of(field: str) -> str:
    """A field's name for staff, with the entries that it is of; as the change names it where it has none."""
    said: list[str] = []
    key, in_list = "", False
    for step in parsed(field):
        if in_list:
            said[-1] += f": {entry_name(key, step) if step != ORDER else TEXTS['order']}"
            in_list = False
            continue
        key = f"{key}.{step}" if key else step
        said.append(TEXTS.get(f"section_{key}") or text_of(key) or step)
        in_list = key in NAMED | KEYED
    return ", ".join(said)


def shown(value: Any, key: str = "") -> str:
    """A value of the file for staff. `key`: of its field."""
    match value:
        case None | "" | []:
            return TEXTS["empty_value"]
        case bool():
            return TEXTS["yes" if value else "no"]
        case int() if key.endswith("_cents"):
            return money(value)
        case str() if PLACEHOLDER.fullmatch(value):
            return TEXTS["a_secret"]
        case str() if key in _CHOICES:
            return choice_of(value)
        case str() if _DAY.fullmatch(value):
            return f"{date.fromisoformat(value):%d/%m/%Y}"
        case list():
            return ", ".join(shown(part, key) for part in value)
        case dict():
            parts = ", ".join(_part(name, part, key) for name, part in value.items() if name != "id")
            return parts or TEXTS["yes"]
        case _:
            return str(value)


def _part(name: str, value: Any, key: str) -> str:
    label = text_of(f"{key}.{name}") or ("" if name in _SELF_TOLD else name)
    return f"{label}: {shown(value, f'{key}.{name}')}" if label else shown(value, f"{key}.{name}")


def key_of(path: Path) -> str:
    """The key of the texts of a field, without the names of entries."""
    key, in_list = "", False
    for step in path:
        if not in_list:
            key = f"{key}.{step}" if key else step
        in_list = not in_list and key in NAMED | KEYED
    return key
