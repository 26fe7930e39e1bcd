"""Documents and queries as Firestore's messages, and documents back.

What is sent is given as the dicts that the generated messages are made from, what comes is read from the messages.

Firestore reserves keys like "__this__", knows no empty key and takes no list directly within a list. Such a key is
stored behind a "~" (and so is one that begins with "~" itself), such a list as the map {"~list": [...]}. Every
document also carries the mark of the commit that wrote it, under "~commit": see `gendei.store.firestore`.
"""

import re
from datetime import UTC, datetime
from typing import Any, NamedTuple

from gendei.documents import Data, Query, Snapshot
from gendei.errors import StoreError
from gendei.store.encoding import scalar

Fields = dict[str, Any]
"""Those of a message."""

_MARK, _LIST = "~commit", "~list"
_KINDS = ((str, "string"), (bool, "boolean"), (int, "integer"), (float, "double"), (datetime, "timestamp"))
"""The first that fits counts: a bool is an int too."""
_SIGNS = {
    "==": "EQUAL",
    "<": "LESS_THAN",
    "<=": "LESS_THAN_OR_EQUAL",
    ">": "GREATER_THAN",
    ">=": "GREATER_THAN_OR_EQUAL",
}
_PLAIN = re.compile(r"[A-Za-z_]\w*", re.ASCII)


class Version(NamedTuple):
    """When a document was last changed, and the mark of the commit that did it (0 where that was not Gendei's)."""

    seconds: int
    nanos: int
    mark: int


def document_of(name: str, data: Data, mark: int) -> Fields:
    """A `Document` for the resource `name`; `data` has passed `encoding.encode`."""
    return {"name": name, "fields": {**_fields(data), _MARK: {"integer_value": mark}}}


def snapshot_of(document: Any) -> Snapshot:
    """What a `Document` holds. Raises StoreError for a value that Gendei did not write."""
    changed, mark = document.update_time, document.fields[_MARK].integer_value  # a missing field reads as 0
    return Snapshot(path_of(document.name), _data(document.fields), Version(changed.seconds, changed.nanos, mark))


def path_of(name: str) -> str:
    """The path in a resource's name, "projects/P/databases/D/documents/PATH"."""
    return name.split("/", 5)[5]


def target_of(query: Query, root: str) -> Fields:
    """What `RunQuery` and `Listen` are asked, where `root` is the resource of all documents. Raises NaiveTime and
    UnstorableValue for values that no document can have."""
    *values, last = query.start_after or (None,)
    filters = [_filter(*term) for term in query.where]
    ordering = [(field_path(name), descending) for name, descending in query.ordering]
    asked = {
        "from_": [{"collection_id": query.collection_group, "all_descendants": query.group}],
        "where": {"composite_filter": {"op": "AND", "filters": filters}} if filters else None,
        "order_by": [_order(*order) for order in (*ordering, ("__name__", query.falling))],
        "start_at": {"values": [*map(value_of, values), {"reference_value": f"{root}/{last}"}]} if last else None,
        "limit": {"value": query.limit} if query.limit else None,
    }
    return {"parent": f"{root}/{query.collection}".rpartition("/")[0], "structured_query": asked}


def value_of(value: Any) -> Fields:
    """A `Value`."""
    if value is None:
        return {"null_value": 0}
    if isinstance(value, dict):
        return {"map_value": {"fields": _fields(value)}}
    if isinstance(value, list | tuple):
        return {"array_value": {"values": [_item(item) for item in value]}}
    kind = next(kind for own, kind in _KINDS if isinstance(value, own))
    return {f"{kind}_value": value}


def field_path(name: str) -> str:
    """A dotted field as Firestore's queries and indexes spell it."""
    keys = (_stored(part) for part in name.split("."))
    return ".".join(key if _PLAIN.fullmatch(key) else f"`{key}`" for key in keys)


def _order(path: str, descending: bool) -> Fields:
    return {"field": {"field_path": path}, "direction": "DESCENDING" if descending else "ASCENDING"}


def _filter(name: str, operator: str, value: Any) -> Fields:
    scalar(value)
    field = {"field_path": field_path(name)}
    if value is None:
        return {"unary_filter": {"field": field, "op": "IS_NULL"}}
    return {"field_filter": {"field": field, "op": _SIGNS[operator], "value": value_of(value)}}


def _stored(key: str) -> str:
    return f"~{key}" if not key or key[0] == "~" or key[:2] == "__" else key


def _fields(data: Data) -> Fields:
    return {_stored(key): value_of(value) for key, value in data.items()}


def _item(value: Any) -> Fields:
    made = value_of(value)
    return {"map_value": {"fields": {_LIST: made}}} if "array_value" in made else made


def _data(fields: Any) -> Data:
    return {key.removeprefix("~"): _plain(value) for key, value in fields.items() if key != _MARK}


def _plain(value: Any) -> Any:
    match value.WhichOneof("value_type"):
        case "string_value" | "boolean_value" | "integer_value" | "double_value" as kind:
            return getattr(value, kind)
        case "null_value":
            return None
        case "timestamp_value":
            return value.timestamp_value.ToDatetime(UTC)
        case "map_value":
            fields = value.map_value.fields
            return _plain(fields[_LIST]) if _LIST in fields else _data(fields)
        case "array_value":
            return [_plain(item) for item in value.array_value.values]
        case unknown:
            raise StoreError(f"a document holds a value of a type that Gendei never writes: {unknown}")
