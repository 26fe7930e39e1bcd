"""Queries as Firestore's structured queries, and their order for results that are put together here."""

from collections.abc import Iterable
from datetime import datetime
from functools import partial
from typing import Any

from google.cloud.firestore_v1 import types

from gendei.documents import Query, Snapshot, field_of
from gendei.store.encoding import scalar
from gendei.store.firestore_values import Value, field_path, value_of

_Query = types.StructuredQuery.pb()
_Cursor = types.Cursor.pb()
_Filter = _Query.Filter
_ASCENDING, _DESCENDING = _Query.ASCENDING, _Query.DESCENDING
_SIGNS = {
    "==": _Query.FieldFilter.EQUAL,
    "<": _Query.FieldFilter.LESS_THAN,
    "<=": _Query.FieldFilter.LESS_THAN_OR_EQUAL,
    ">": _Query.FieldFilter.GREATER_THAN,
    ">=": _Query.FieldFilter.GREATER_THAN_OR_EQUAL,
}
_NAME = "__name__"


def parent_of(query: Query, root: str) -> str:
    """The resource below which the query looks; `root` is the one of all documents."""
    owner = query.collection.rpartition("/")[0]
    return f"{root}/{owner}" if owner else root


def structured(query: Query, root: str) -> Any | None:
    """A `StructuredQuery`; None where nothing can match. Raises NaiveTime and UnstorableValue for values that no
    document can have."""
    for _, operator, value in query.where:
        scalar(value)
        if value is None and "=" not in operator:  # nothing lies strictly before or behind None
            return None
    falling = bool(query.ordering) and query.ordering[-1][1]
    made = _Query(
        from_=[_Query.CollectionSelector(collection_id=query.collection_group, all_descendants=query.group)],
        order_by=[
            _Query.Order(field=_field(name), direction=_DESCENDING if descending else _ASCENDING)
            for name, descending in (*((field_path(name), down) for name, down in query.ordering), (_NAME, falling))
        ],
        limit=None if query.limit is None else {"value": query.limit},
    )
    if query.where:
        terms = [_term(name, operator, value) for name, operator, value in query.where]
        made.where.composite_filter.CopyFrom(_Query.CompositeFilter(op=_Query.CompositeFilter.AND, filters=terms))
    if query.start_after is not None:
        *values, path = query.start_after
        last = Value(reference_value=f"{root}/{path}")
        made.start_at.CopyFrom(_Cursor(values=[*map(value_of, values), last], before=False))
    return made


def in_order(query: Query, found: Iterable[Snapshot]) -> list[Snapshot]:
    """`found` as the query would give it."""
    falling = bool(query.ordering) and query.ordering[-1][1]
    ordered = sorted(found, key=lambda one: one.path.split("/"), reverse=falling)
    for name, descending in reversed(query.ordering):
        ordered.sort(key=partial(_rank_in, name), reverse=descending)
    return ordered


def _field(path: str) -> Any:
    return _Query.FieldReference(field_path=path)


def _term(name: str, operator: str, value: Any) -> Any:
    field = _field(field_path(name))
    if value is None:
        return _Filter(unary_filter=_Query.UnaryFilter(field=field, op=_Query.UnaryFilter.IS_NULL))
    return _Filter(field_filter=_Query.FieldFilter(field=field, op=_SIGNS[operator], value=value_of(value)))


def _rank_in(name: str, found: Snapshot) -> tuple[int, Any]:
    return _rank(field_of(found.data or {}, name))


def _rank(value: Any) -> tuple[int, Any]:
    """Sorts as Firestore does: by type, then by value."""
    if value is None:
        return 0, 0
    if isinstance(value, bool):
        return 1, value
    if isinstance(value, int | float):
        return 2, value
    if isinstance(value, datetime):
        return 3, value
    if isinstance(value, str):
        return 4, value
    if isinstance(value, list):
        return 5, [_rank(item) for item in value]
    return 6, [(key, _rank(item)) for key, item in sorted(value.items())]
