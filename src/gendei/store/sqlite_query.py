"""Queries and indexes as SQL over the `documents` table.

A field that an index of the collection is over is `json_extract(indexed, '$.name')`, spelled the same way in queries
and indexes, which is how SQLite matches them; `indexed` holds those fields of `data` once more, so that a write that
changes none of them touches no index. Any other is `json_extract(data, '$.name')`.

Its value alone does not tell true from 1, a list from its text, or null from nothing, so `json_type` is asked beside it
wherever that matters.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from gendei.documents import INDEXES, Index, Ordering, Query
from gendei.store.encoding import MOMENT, scalar

INDEXED: Mapping[str, tuple[str, ...]] = {
    index.collection: tuple(
        dict.fromkeys(
            name
            for other in INDEXES
            for name, _ in other.fields
            if other.collection == index.collection and "." not in name
        )
    )
    for index in INDEXES
}
"""The fields that indexes are over, by the collection's name; no dotted ones."""
_AFTER_MOMENTS = MOMENT[:-1] + chr(ord(MOMENT[-1]) + 1)
_FALSE = "0"
_GROUP_ORDER = "replace(collection || '/' || id, '/', char(1))"
"""The whole path, ordered segment by segment: no character of a path sorts below the separator."""


def select(query: Query, columns: str = "collection, id, version, data") -> tuple[str, list[Any]]:
    """SQL that gives rows of `columns` in the query's order, and its parameters.

    Raises NaiveTime and UnstorableValue for values that no document can have.
    """
    terms = [f"collection_group = '{query.collection_group}'"]
    parameters: list[Any] = []
    if not query.group:
        terms.append("collection = ?")
        parameters.append(query.collection)
    for name, operator, value in query.where:
        term, more = _comparison(_value(query.collection_group, name), name, operator, value)
        terms.append(term)
        parameters += more
    terms += [f"{_type(name)} IS NOT NULL" for name, _ in query.ordering]
    if query.start_after is not None:
        term, more = _behind(query, query.start_after)
        terms.append(term)
        parameters += more
    order = _ordered(query.collection_group, query.ordering)
    order.append(_tie(query) + (" DESC" if query.falling else ""))
    sql = f"SELECT {columns} FROM documents WHERE {' AND '.join(terms)} ORDER BY {', '.join(order)}"  # noqa: S608  names are checked by Query, values are parameters
    if query.limit is not None:
        sql += " LIMIT ?"
        parameters.append(query.limit)
    return sql, parameters


def index_name(index: Index) -> str:
    fields = ", ".join(f"{name} desc" if descending else name for name, descending in index.fields)
    return f"declared {index.collection}: {fields}"


def create_index(index: Index) -> str:
    """The statement that makes `index`, over its own collections only; the id settles ties without a sort."""
    columns = _ordered(index.collection, index.fields)
    columns.append("id DESC" if index.fields[-1][1] else "id")
    return (
        f'CREATE INDEX "{index_name(index)}" ON documents (collection, {", ".join(columns)}) '
        f"WHERE collection_group = '{index.collection}'"
    )


def _ordered(collection: str, fields: Ordering) -> list[str]:
    return [f"{_value(collection, name)}{' DESC' if descending else ''}" for name, descending in fields]


def fill_indexed() -> str:
    """The statement that makes `indexed` of what stands in `data`."""
    made = " ".join(
        f"WHEN '{collection}' THEN json_object("
        + ", ".join(f"'{field}', json_extract(data, '$.{field}')" for field in fields)
        + ")"
        for collection, fields in INDEXED.items()
    )
    return f"UPDATE documents SET indexed = CASE collection_group {made} ELSE '' END"  # noqa: S608  names are our own


def _value(collection: str, name: str) -> str:
    column = "indexed" if name in INDEXED.get(collection, ()) else "data"
    return f"json_extract({column}, '$.{name}')"


def _type(name: str) -> str:
    return f"json_type(data, '$.{name}')"


def _tie(query: Query) -> str:
    return _GROUP_ORDER if query.group else "id"


def _comparison(field: str, name: str, operator: str, value: Any) -> tuple[str, list[Any]]:
    """One term of `where`: the value, which is in `field`, by comparison, its type by a second question."""
    sign = "=" if operator == "==" else operator
    if value is None:
        return f"{field} IS NULL AND {_type(name)} = 'null'", []
    term, parameters = f"{field} {sign} ? AND {_type(name)} IN {_types(value)}", [scalar(value)]
    if sign == "=" or not isinstance(value, str | datetime):
        return term, parameters
    between = "BETWEEN" if isinstance(value, datetime) else "NOT BETWEEN"
    return f"{term} AND {field} {between} ? AND ?", [*parameters, MOMENT, _AFTER_MOMENTS]


def _types(value: object) -> str:
    """What `json_type` may say of values that are of one type with `value`."""
    if isinstance(value, bool):
        return "('true', 'false')"
    return "('integer', 'real')" if isinstance(value, int | float) else "('text')"


def _behind(query: Query, cursor: tuple[Any, ...]) -> tuple[str, list[Any]]:
    """The rows behind the cursor in the query's own order: further in the first field, or level in it and ..."""
    *values, path = cursor
    place = path.replace("/", "\x01") if query.group else path.rpartition("/")[2]
    term, parameters = f"{_tie(query)} {'<' if query.falling else '>'} ?", [place]
    for (name, descending), value in reversed(list(zip(query.ordering, values, strict=True))):
        field, parameter = _value(query.collection_group, name), scalar(value)
        further, more = _further(field, parameter, descending=descending)
        term = f"({further} OR ({field} IS ? AND {term}))"
        parameters = [*more, parameter, *parameters]
    if query.ordering and not query.ordering[0][1] and values[0] is not None:
        # Implied already, but only said like this can the index be entered at the cursor.
        first = _value(query.collection_group, query.ordering[0][0])
        return f"{first} >= ? AND {term}", [scalar(values[0]), *parameters]
    return term, parameters


def _further(field: str, parameter: Any, *, descending: bool) -> tuple[str, list[Any]]:
    """`field` comes strictly later than `parameter`; null is before everything, as in ORDER BY."""
    if parameter is None:
        return (_FALSE if descending else f"{field} IS NOT NULL"), []
    return (f"({field} < ? OR {field} IS NULL)" if descending else f"{field} > ?"), [parameter]
