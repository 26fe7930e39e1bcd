"""The fields of the clinic file as a page shows them: what kind each is of, and its value as it is typed."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from enum import Enum, StrEnum
from types import NoneType
from typing import Any, get_args

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from gendei.clinic import TimeRange
from gendei.clinics.field_paths import Path


class Kind(StrEnum):
    TEXT = "text"
    NUMBER = "number"
    MONEY = "money"
    FLAG = "flag"
    CHOICE = "choice"
    CHOICES = "choices"
    LINES = "lines"
    DAYS = "days"
    HOURS = "hours"
    AWAY = "away"


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """`path`: as a change names it. `key`: of its label in texts/settings.yaml, without the entry's name. `default`:
    as the file has it. `choices`: what it may be."""

    path: Path
    key: str
    kind: Kind
    default: Any = None
    choices: tuple[str, ...] = ()


def specs_of(model: type[BaseModel], name: str, above: Path = (), key: str = "") -> Iterator[FieldSpec]:
    """The fields that the file's field `name` consists of, in the order of the file; of a list of entries none."""
    field = model.model_fields[name]
    path, key = (*above, name), f"{key}.{name}" if key else name
    parts = list(_parts(field.annotation))
    inner = next((part for part in parts if _is(part, BaseModel)), None)
    if inner is not None and list not in parts:
        for part in inner.model_fields:
            yield from specs_of(inner, part, path, key)
    else:
        yield FieldSpec(path, key, _kind(name, field), _default(field), _choices(field))


def entry_model(model: type[BaseModel], name: str) -> type[BaseModel]:
    """Of what the entries of a list are made."""
    found: type[BaseModel] = next(part for part in _parts(model.model_fields[name].annotation) if _is(part, BaseModel))
    return found


def typed(kind: Kind, value: Any) -> Any:
    """A value of the file as the page's control holds it."""
    match kind:
        case Kind.MONEY if isinstance(value, int):
            return f"{value // 100},{value % 100:02d}"
        case Kind.LINES:
            return "\n".join(value or ())
        case Kind.DAYS:
            return "\n".join(f"{date.fromisoformat(day):%d/%m/%Y}" for day in value or ())
        case Kind.HOURS:
            return ", ".join(value or ())
        case Kind.AWAY:
            return "\n".join(_away_line(absence) for absence in value or ())
        case Kind.FLAG:
            return bool(value)
        case Kind.CHOICES:
            return list(value or ())
        case _:
            return "" if value is None else str(value)


def said(kind: Kind, value: Any) -> Any:
    """What is typed as the file has it; what is not understood stays as it is, and the check tells of it. None where
    nothing is said."""
    match kind:
        case Kind.FLAG:
            return bool(value)
        case Kind.CHOICES:
            return list(value or ()) or None
    text = str(value or "").strip()
    if not text:
        return None
    match kind:
        case Kind.MONEY:
            amount = re.fullmatch(r"(?:R\$ ?)?(\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d{2}))?", text)
            return int(amount[1].replace(".", "")) * 100 + int(amount[2] or 0) if amount else text
        case Kind.NUMBER:
            number = re.fullmatch(r"-?\d+(?:[.,](\d+))?", text)
            return (float(text.replace(",", ".")) if number[1] else int(text)) if number else text
        case Kind.LINES:
            return [line.strip() for line in text.splitlines() if line.strip()]
        case Kind.DAYS:
            return sorted(_iso(part) for part in re.split(r"[\s,;]+", text))
        case Kind.HOURS:
            return [_range(part) for part in re.split(r"\s*(?:,|;| e )\s*", text)]
        case Kind.AWAY:
            return [_absence(line) for line in text.splitlines() if line.strip()]
        case _:
            return text


def _iso(text: str) -> str:
    """dd/mm/yyyy, perhaps with a time, as the file has it; anything else as it is."""
    for written, iso in (("%d/%m/%Y", "%Y-%m-%d"), ("%d/%m/%Y %H:%M", "%Y-%m-%d %H:%M")):
        try:
            return datetime.strptime(text.strip(), written).strftime(iso)  # noqa: DTZ007  # a local time
        except ValueError:
            continue
    return text.strip()


def _shown(moment: str) -> str:
    day, _, clock = moment.partition(" ")
    return f"{date.fromisoformat(day):%d/%m/%Y}{' ' * bool(clock)}{clock}"


def _range(text: str) -> str:
    """ "8-12", "8h às 12h30" and "08:00-12:00" as the file has them."""
    found = re.fullmatch(r"(\d{1,2})(?:[:h](\d{2})?)?\s*(?:-|às|as|a|até)\s*(\d{1,2})(?:[:h](\d{2})?)?", text.strip())
    if found is None:
        return text.strip()
    start, end = ((int(found[part]), int(found[part + 1] or 0)) for part in (1, 3))
    return "-".join(f"{hour:02d}:{minute:02d}" for hour, minute in (start, end))


def _away_line(absence: dict[str, str]) -> str:
    reason = absence.get("reason", "")
    return f"{_shown(absence['start'])} a {_shown(absence['end'])}{f': {reason}' if reason else ''}"


def _absence(line: str) -> dict[str, str]:
    """ "21/12/2026 a 08/01/2027: Férias"; one day alone begins and ends it."""
    when, _, reason = line.partition(": ")
    first, sign, last = (part.strip() for part in when.partition(" a "))
    start, end = _iso(first), _iso(last if sign else first)
    return {"start": start, "end": end, **({"reason": reason.strip()} if reason.strip() else {})}


def _kind(name: str, field: FieldInfo) -> Kind:
    parts = list(_parts(field.annotation))
    if name in {"closed", "time_off"}:
        return Kind.DAYS if name == "closed" else Kind.AWAY
    if TimeRange in parts:
        return Kind.HOURS
    if any(_is(part, Enum) for part in parts):
        return Kind.CHOICES if list in parts else Kind.CHOICE
    if list in parts:
        return Kind.CHOICES if name == "services" else Kind.LINES
    if bool in parts:
        return Kind.FLAG
    if (int in parts or float in parts) and tuple not in parts:
        return Kind.NUMBER if not name.endswith("_cents") else Kind.MONEY
    return Kind.CHOICE if name == "vertical" else Kind.TEXT


def _default(field: FieldInfo) -> Any:
    found = field.get_default(call_default_factory=False)
    return found.value if isinstance(found, Enum) else found if isinstance(found, bool | int | float | str) else None


def _choices(field: FieldInfo) -> tuple[str, ...]:
    enums = (part for part in _parts(field.annotation) if _is(part, Enum))
    return tuple(dict.fromkeys(str(member.value) for kind in enums for member in kind))


def _is(part: Any, kind: type) -> bool:
    return isinstance(part, type) and issubclass(part, kind)


def _parts(annotation: Any) -> Iterator[Any]:
    """The types of which an annotation consists."""
    if isinstance(annotation, type) and annotation is not NoneType:
        yield getattr(annotation, "__origin__", annotation)
    elif origin := getattr(annotation, "__origin__", None):
        yield origin
    for part in get_args(annotation):
        yield from _parts(part)
