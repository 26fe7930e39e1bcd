"""Records: what stands in the store as frozen dataclasses, read and written by pydantic.

    BLOCKS = Record(TimeBlock, "gendei_clinics/{clinicId}/blocks/{id}")
    transaction.create(path, BLOCKS.write(block))
    block = BLOCKS.read(snapshot.data, id=snapshot.id)

A field stands in the document under its camelCase name, in the order of declaration. What is otherwise is declared on
the field, with pydantic's own means:

    size: Annotated[int, Field(alias="bytes")]                     another name in the document
    id: Annotated[str, NOT_STORED]                                 in the path, or of this process; given to `read`
    trace: Annotated[str, ABSENT_WHEN_EMPTY] = ""                  left out when it holds nothing
    at: Moment                                                     aware, in UTC as the store gives it
    start: Local                                                   aware, moved into the zone that `read` is given
    scopes: Annotated[frozenset[Right], SORTED]                    a list in the store

A field with a default may be missing in documents from before it. Fields that a document has beyond these are not read;
who rewrites a document and keeps them writes `data | RECORD.write(record)`. Dataclasses within a record follow the same
rules and need no record of their own.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime
from functools import cached_property, partial
from operator import is_, not_
from typing import Annotated, Any, Generic, TypeVar
from zoneinfo import ZoneInfo

from pydantic import (
    AfterValidator,
    AwareDatetime,
    ConfigDict,
    Field,
    PlainSerializer,
    TypeAdapter,
    ValidationError,
    ValidationInfo,
    WrapSerializer,
)
from pydantic.alias_generators import to_camel

from gendei.documents import Data, Snapshot
from gendei.errors import NaiveTime, UnreadableDocument

T = TypeVar("T")
_CONFIG = ConfigDict(alias_generator=to_camel, hide_input_in_errors=True)


def _in_zone(moment: datetime, info: ValidationInfo) -> datetime:
    if info.context is None:
        raise TypeError("a record with Local moments is read with a zone")
    return moment.astimezone(info.context)


Moment = AwareDatetime
"""A moment as the store gives it."""
Local = Annotated[AwareDatetime, AfterValidator(_in_zone)]
"""A moment in the zone that `Record.read` is given."""
Day = Annotated[date, PlainSerializer(date.isoformat)]
"""A calendar day, as "2026-03-02" in the document."""
NOT_STORED = Field(exclude=True)
ABSENT_WHEN_EMPTY = Field(exclude_if=not_)
ABSENT_WHEN_NONE = Field(exclude_if=partial(is_, None))
SORTED = WrapSerializer(lambda values, plain: sorted(plain(values)))
AS_IT_IS = PlainSerializer(lambda value: value)
"""Of plain values that no record describes: not copied on writing."""


class Record(Generic[T]):
    """How instances of a dataclass stand in documents.

    kind: the dataclass. paths: where such documents stand, as docs/architecture.md names them; none of a record that
    stands within others' documents. derived: fields that the document has for queries, made of the record and not read.
    beside: fields that are of the document rather than of the record; who writes it adds them.
    """

    def __init__(
        self,
        kind: type[T],
        *paths: str,
        derived: Mapping[str, Callable[[T], Any]] | None = None,
        beside: Sequence[str] = (),
    ) -> None:
        self.kind, self.paths, self._derived, self._beside = kind, paths, dict(derived or {}), beside
        if "__pydantic_config__" not in vars(kind):
            kind.__pydantic_config__ = _CONFIG  # type: ignore[attr-defined]  # what pydantic's `with_config` sets
        _registered.extend([self] if paths else [])

    def write(self, record: T) -> Data:
        """The document of `record`."""
        document: Data = self._adapter.dump_python(record, by_alias=True, warnings=False)
        for name, value_of in self._derived.items():
            document[name] = value_of(record)
        return document

    def read(self, data: Mapping[str, Any] | None, *, zone: ZoneInfo | None = None, **not_stored: Any) -> T:
        """The record of a document. `zone`: for its `Local` moments; not_stored: its NOT_STORED fields. Raises
        UnreadableDocument for a document that `write` did not make, also for none, and NaiveTime."""
        if not_stored:
            data = {**(data or {}), **{to_camel(name): value for name, value in not_stored.items()}}
        try:
            return self._adapter.validate_python(data, context=zone)
        except ValidationError as error:
            problems = error.errors(include_url=False, include_context=False, include_input=False)
        if any(problem["type"] == "timezone_aware" for problem in problems):
            raise NaiveTime
        raise UnreadableDocument(self.kind.__name__, [(_field(each["loc"]), each["type"]) for each in problems])

    def found(self, snapshot: Snapshot, *, zone: ZoneInfo | None = None, **not_stored: Any) -> T | None:
        """As `read`, of what the store gave; None where there is no document."""
        return self.read(snapshot.data, zone=zone, **not_stored) if snapshot.exists else None

    @property
    def fields(self) -> dict[str, Any]:
        """The names of the document's fields, each with those of the records in it (an empty map where it is none)."""
        schema = self._adapter.json_schema(mode="serialization", by_alias=True)
        definitions = schema.get("$defs", {})
        return {name: {} for name in self._beside} | _names(schema, definitions) | {name: {} for name in self._derived}

    @cached_property
    def _adapter(self) -> TypeAdapter[T]:
        """Made when it is needed first: a command does not pay for records that it does not use."""
        return TypeAdapter(self.kind)


_registered: list[Record[Any]] = []


def registered() -> tuple[Record[Any], ...]:
    """Every record with a path, of the modules that are imported."""
    return tuple(_registered)


def _field(place: Iterable[int | str]) -> str:
    """The field of the document at fault; below it a place may hold a contact."""
    return str(next(iter(place), ""))


def _names(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a JSON schema, with those of the one object that stands in each: in lists, in maps, beside null."""
    if "$ref" in schema:
        return _names(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    for inner in (*schema.get("anyOf", ()), schema.get("items"), schema.get("additionalProperties")):
        if isinstance(inner, dict) and (found := _names(inner, definitions)):
            return found
    return {name: _names(each, definitions) for name, each in schema.get("properties", {}).items()}
