"""Documents as Firestore's values, and back.

Firestore reserves keys like "__this__", knows no empty key and takes no list directly within a list. Such a key is
stored behind a "~" (and so is one that begins with "~" itself), such a list as the map {"~list": [...]}. Every
document also carries the mark of the commit that wrote it, under "~commit": see `gendei.store.firestore`.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from google.cloud.firestore_v1 import types

from gendei.documents import Data
from gendei.errors import StoreError

Document, Value = types.Document.pb(), types.Value.pb()
_MapValue, _ArrayValue = types.MapValue.pb(), types.ArrayValue.pb()

_MARK, _LIST = "~commit", "~list"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND = timedelta(seconds=1)
_PLAIN = re.compile(r"[A-Za-z_]\w*", re.ASCII)

Version = tuple[int, int]
"""When a document was last changed, as seconds and nanoseconds."""


def document(name: str, data: Data, mark: int) -> Any:
    """A `Document` for the resource `name`; `data` has passed `encoding.encode`."""
    return Document(name=name, fields={**_fields(data), _MARK: Value(integer_value=mark)})


def data_of(stored: Any) -> Data:
    """What `document` made `stored` of. Raises StoreError for a value that Gendei did not write."""
    try:
        return _data(stored.fields)
    except KeyError as unknown:
        raise StoreError(f"a document holds a value of a type that Gendei never writes: {unknown}") from None


def mark_of(stored: Any) -> int | None:
    """The mark of the commit that wrote `stored`; None where it was not written by Gendei."""
    return int(stored.fields[_MARK].integer_value) if _MARK in stored.fields else None


def version_of(stored: Any) -> Version:
    return stored.update_time.seconds, stored.update_time.nanos


def value_of(value: Any) -> Any:
    """A `Value`."""
    if value is None:
        return Value(null_value=0)
    if isinstance(value, bool):
        return Value(boolean_value=value)
    if isinstance(value, str):
        return Value(string_value=str.__str__(value))  # an enum member is its value, whatever its str() says
    if isinstance(value, int):
        return Value(integer_value=int(value))
    if isinstance(value, float):
        return Value(double_value=value)
    if isinstance(value, datetime):
        return Value(timestamp_value=_timestamp(value))
    if isinstance(value, dict):
        return Value(map_value=_MapValue(fields=_fields(value)))
    return _array(_wrapped(item) if isinstance(item, list | tuple) else value_of(item) for item in value)


def field_path(name: str) -> str:
    """A dotted field as Firestore's queries and indexes spell it."""
    keys = (_stored(part) for part in name.split("."))
    return ".".join(key if _PLAIN.fullmatch(key) else f"`{key}`" for key in keys)


def _stored(key: str) -> str:
    return f"~{key}" if not key or key[0] == "~" or key[:2] == "__" else key


def _fields(data: Mapping[str, Any]) -> dict[str, Any]:
    return {_stored(key): value_of(value) for key, value in data.items()}


def _array(values: Iterable[Any]) -> Any:
    return Value(array_value=_ArrayValue(values=values))


def _wrapped(items: Any) -> Any:
    return Value(map_value=_MapValue(fields={_LIST: value_of(items)}))


def _timestamp(moment: datetime) -> dict[str, int]:
    seconds, rest = divmod(moment - _EPOCH, _SECOND)
    return {"seconds": seconds, "nanos": rest.microseconds * 1000}


def _data(fields: Mapping[str, Any]) -> Data:
    return {key.removeprefix("~"): _plain(value) for key, value in fields.items() if key != _MARK}


def _plain(value: Any) -> Any:
    kind = value.WhichOneof("value_type")
    if kind == "map_value":
        entries = value.map_value.fields
        return _plain(entries[_LIST]) if _LIST in entries else _data(entries)
    return _READERS[kind](value)


_READERS: dict[str, Callable[[Any], Any]] = {
    "null_value": lambda _: None,
    "boolean_value": lambda value: value.boolean_value,
    "integer_value": lambda value: value.integer_value,
    "double_value": lambda value: value.double_value,
    "string_value": lambda value: value.string_value,
    "timestamp_value": lambda value: (
        _EPOCH + timedelta(seconds=value.timestamp_value.seconds, microseconds=value.timestamp_value.nanos // 1000)
    ),
    "array_value": lambda value: [_plain(item) for item in value.array_value.values],
}
