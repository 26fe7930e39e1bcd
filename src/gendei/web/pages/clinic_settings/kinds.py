"""The values of the clinic file as they are typed on a page, by the kind of control that holds them."""

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from enum import StrEnum
from typing import Any


class Kind(StrEnum):
    TEXT = "text"
    LONG = "long"
    NUMBER = "number"
    MONEY = "money"
    FLAG = "flag"
    MAYBE = "maybe"
    """Yes, no, or nothing said."""
    SECRET = "secret"  # noqa: S105  # a kind of control
    CHOICE = "choice"
    CHOICES = "choices"
    LINES = "lines"
    PAIRS = "pairs"
    """Values by names, one a line."""
    WORD_LISTS = "word_lists"
    """Several words by names, one name a line."""
    DAYS = "days"
    HOURS = "hours"
    AWAY = "away"


YES, NO = "yes", "no"


def typed(kind: Kind, value: Any) -> Any:
    """A value of the file as the page's control holds it."""
    match kind:
        case Kind.FLAG:
            return value in {True, "true"}
        case Kind.CHOICES:
            return list(value or ())
        case _:
            return _TYPED.get(kind, str)(value) if value is not None else ""


def said(kind: Kind, value: Any) -> Any:
    """What is typed as the file has it; what is not understood stays as it is, and the check tells of it. None where
    nothing is said."""
    match kind:
        case Kind.FLAG:
            return bool(value)
        case Kind.CHOICES:
            return list(value or ()) or None
        case _:
            text = str(value or "").strip()
            return _SAID.get(kind, str)(text) if text else None


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _cents(text: str) -> int | str:
    amount = re.fullmatch(r"(?:R\$ ?)?(\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d{2}))?", text)
    return int(amount[1].replace(".", "")) * 100 + int(amount[2] or 0) if amount else text


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


def _number(text: str) -> int | float | str:
    number = re.fullmatch(r"-?\d+(?:[.,](\d+))?", text)
    return (float(text.replace(",", ".")) if number[1] else int(text)) if number else text


def _pair_value(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _pair(line: str, kind: Kind) -> tuple[str, Any]:
    name, _, value = (part.strip() for part in line.partition(":"))
    if kind is Kind.PAIRS:
        return name, _number(value)
    return name, [word.strip() for word in value.split(",") if word.strip()]


_TYPED: Mapping[Kind, Callable[[Any], str]] = {
    Kind.MAYBE: lambda value: YES if value else NO,
    Kind.MONEY: lambda value: f"{value // 100},{value % 100:02d}" if isinstance(value, int) else str(value),
    Kind.NUMBER: lambda value: str(value).removesuffix(".0"),
    Kind.SECRET: lambda _: "",
    Kind.LINES: "\n".join,
    Kind.PAIRS: lambda value: "\n".join(f"{name}: {_pair_value(part)}" for name, part in value.items()),
    Kind.WORD_LISTS: lambda value: "\n".join(f"{name}: {_pair_value(part)}" for name, part in value.items()),
    Kind.DAYS: lambda value: "\n".join(f"{date.fromisoformat(day):%d/%m/%Y}" for day in value),
    Kind.HOURS: ", ".join,
    Kind.AWAY: lambda value: "\n".join(map(_away_line, value)),
}
_SAID: Mapping[Kind, Callable[[str], Any]] = {
    Kind.MAYBE: {YES: True, NO: False}.get,
    Kind.MONEY: _cents,
    Kind.NUMBER: _number,
    Kind.LINES: _lines,
    Kind.PAIRS: lambda text: dict(_pair(line, Kind.PAIRS) for line in _lines(text)),
    Kind.WORD_LISTS: lambda text: dict(_pair(line, Kind.WORD_LISTS) for line in _lines(text)),
    Kind.DAYS: lambda text: sorted(_iso(part) for part in re.split(r"[\s,;]+", text)),
    Kind.HOURS: lambda text: [_range(part) for part in re.split(r"\s*(?:,|;| e )\s*", text)],
    Kind.AWAY: lambda text: [_absence(line) for line in _lines(text)],
}
