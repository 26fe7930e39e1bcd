"""Documents as JSON text, and back.

JSON has no datetimes, and SQLite's JSON functions end a string at a NUL. One marker, U+0001, carries both: a datetime
is the marker, "t", and its fixed-width UTC text, so that text order is time order; inside strings NUL becomes marker +
U+0001 and the marker itself marker + U+0002, which keeps their order too and never looks like a datetime.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime
from math import isfinite
from typing import Any

from pydantic_core import PydanticSerializationError, from_json, to_json

from gendei.clock import require_aware
from gendei.documents import MAX_DOCUMENT_BYTES, Data
from gendei.errors import DocumentTooLarge, UnstorableValue

MARKER = "\x01"
MOMENT = f"{MARKER}t"
"""What the text of every datetime begins with."""

_WRITTEN = MOMENT + "%04d-%02d-%02dT%02d:%02d:%02d.%06d+00:00"
_NUL, _ESCAPED_NUL, _ESCAPED_MARKER = "\x00", "\x01\x01", "\x01\x02"
_MARKER_IN_JSON = "\\u0001"
_MAX_DEPTH = 20
"""Firestore's limit for maps and arrays within each other."""
_INT64 = 2**63


def encode(path: str, data: Data) -> str:
    """`data` as compact JSON text. Raises UnstorableValue, NaiveTime, and DocumentTooLarge, naming `path`."""
    return encode_with(path, data, ())[0]


def encode_with(path: str, data: Data, fields: Collection[str]) -> tuple[str, str]:
    """As `encode`, and beside it the text of these fields alone; "" of no fields."""
    try:
        plain = _mapping(data, 1)
        encoded = to_json(plain)
    except _RefusedError as refused:
        raise UnstorableValue(f"{path}: {refused}") from None
    except PydanticSerializationError:
        raise UnstorableValue(f"{path}: text with a lone surrogate cannot be stored") from None
    if len(encoded) > MAX_DOCUMENT_BYTES:
        raise DocumentTooLarge(f"{path}: {len(encoded)} bytes, of {MAX_DOCUMENT_BYTES} that a document may have")
    return encoded.decode(), to_json({name: plain.get(name) for name in fields}).decode() if fields else ""


def decode(text: str) -> Data:
    """The document that `encode` made `text` of; a new one at every call."""
    data: Data = from_json(text, cache_strings="keys")
    if _MARKER_IN_JSON in text:
        _restore_mapping(data)
    return data


def scalar(value: Any) -> Any:
    """One value of a query as SQLite compares it with the encoded ones. Raises as `encode` does."""
    try:
        plain = _single(value)
        if isinstance(plain, str):
            plain.encode()
        return plain
    except _RefusedError as refused:
        raise UnstorableValue(f"a query's value: {refused}") from None
    except UnicodeEncodeError:
        raise UnstorableValue("a query's value: text with a lone surrogate") from None


class _RefusedError(Exception):
    pass


def _mapping(data: Mapping[str, Any], depth: int) -> Data:
    """A copy of `data` in JSON's own types. The commonest are told here by exact type: that is most of the cost."""
    if depth > _MAX_DEPTH:
        raise _RefusedError(f"nested deeper than {_MAX_DEPTH} levels")
    out: Data = {}
    for key, value in data.items():
        if type(key) is not str:
            raise _RefusedError(f"a key is no text but {type(key).__name__}")
        kind = type(value)
        if kind is str:
            out[key] = value if _NUL not in value and MARKER not in value else _escape(value)
        elif value is None or kind is bool:
            out[key] = value
        elif kind is datetime:
            out[key] = _moment(value)
        elif kind is dict:
            out[key] = _mapping(value, depth + 1)
        elif kind is list:
            out[key] = _sequence(value, depth + 1)
        elif kind is int and -_INT64 <= value < _INT64:
            out[key] = value
        else:
            out[key] = _plain(value, depth)
    return out


def _sequence(items: Iterable[Any], depth: int) -> list[Any]:
    if depth > _MAX_DEPTH:
        raise _RefusedError(f"nested deeper than {_MAX_DEPTH} levels")
    return [_mapping(item, depth + 1) if type(item) is dict else _plain(item, depth) for item in items]


def _plain(value: Any, depth: int) -> Any:
    if isinstance(value, (str, int, float)):  # a union would take longer
        return _single(value)
    if isinstance(value, dict):
        return _mapping(value, depth + 1)
    if isinstance(value, list | tuple):
        return _sequence(value, depth + 1)
    return _single(value)


def _single(value: Any) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _escape(str.__str__(value))  # an enum member is its value, whatever its str() says
    if isinstance(value, datetime):
        return _moment(value)
    if isinstance(value, int) and -_INT64 <= value < _INT64:
        return int(value)
    if isinstance(value, float) and isfinite(value):
        return float(value)
    problem = "an int beyond 64 bits or a float that is no number" if isinstance(value, int | float) else "a value"
    raise _RefusedError(f"{problem} of type {type(value).__name__}")


def _escape(text: str) -> str:
    if MARKER in text or _NUL in text:
        return text.replace(MARKER, _ESCAPED_MARKER).replace(_NUL, _ESCAPED_NUL)
    return text


def _moment(value: datetime) -> str:
    if value.tzinfo is not UTC:
        try:
            value = require_aware(value).astimezone(UTC)
        except OverflowError:
            raise _RefusedError("a datetime outside of the years 1 to 9999 in UTC") from None
    day, hour = (value.year, value.month, value.day), (value.hour, value.minute, value.second, value.microsecond)
    return _WRITTEN % (*day, *hour)  # as isoformat, in half of its time


def _restore_mapping(data: Data) -> None:
    for key, value in data.items():
        kind = type(value)
        if kind is str:
            if MARKER in value:
                data[key] = _restore_text(value)
        elif kind is dict:
            _restore_mapping(value)
        elif kind is list:
            _restore_list(value)


def _restore_list(items: list[Any]) -> None:
    for position, value in enumerate(items):
        if isinstance(value, dict):
            _restore_mapping(value)
        elif isinstance(value, list):
            _restore_list(value)
        elif isinstance(value, str) and MARKER in value:
            items[position] = _restore_text(value)


def _restore_text(text: str) -> str | datetime:
    if text.startswith(MOMENT):
        return datetime.fromisoformat(text[len(MOMENT) :])
    return text.replace(_ESCAPED_NUL, _NUL).replace(_ESCAPED_MARKER, MARKER)
