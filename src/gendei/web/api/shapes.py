"""What every shape of the API has in common. Names are camelCase; moments carry an offset."""

import base64
import binascii
import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, date, datetime
from typing import Annotated, Generic, TypeVar

from fastapi import Path, Query
from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, StringConstraints
from pydantic.alias_generators import to_camel

from gendei.commands.moments import within_reach, written
from gendei.commands.shapes import Shape
from gendei.web.api.problems import Unfit

T = TypeVar("T")
Day = Annotated[date, BeforeValidator(written), AfterValidator(within_reach)]
"""A day of the clinic's calendar."""
Id = Annotated[str, StringConstraints(min_length=1, max_length=100)]
ContactPath = Annotated[
    str,
    Path(
        pattern=r"^[A-Za-z0-9+.:@_-]{1,128}$",
        description="Any address of the patient: a phone with +, or a provider's user id.",
        examples=["+5511999998888"],
    ),
]
Limit = Annotated[int, Query(ge=1, le=100, description="How many items a page holds at most.")]
Cursor = Annotated[str | None, Query(max_length=300, description="`next` of the page before.")]


class RequestBody(Shape):
    """What the API is given: no unknown fields."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, frozen=True, extra="forbid", str_max_length=4096
    )


class Listed(Shape, Generic[T]):
    """Everything there is."""

    items: list[T]


class Paged(Shape, Generic[T]):
    """A page of a list."""

    items: list[T]
    next: Annotated[str | None, Field(description="The cursor of the next page; null where this is the last.")] = None


class NotACursor(Unfit):
    def __init__(self) -> None:
        super().__init__("query.cursor", "a cursor is the `next` of a page")


@contextmanager
def inner(cursor: str | None) -> Iterator[str | None]:
    """The cursor of a service, which `cursor_of` was given. Inside, a ValueError of the service becomes NotACursor."""
    try:
        yield None if cursor is None else values_of(cursor, 1)[0]
    except ValueError as error:
        raise NotACursor from error


def cursor_of(*values: str) -> str:
    return base64.urlsafe_b64encode(json.dumps(values).encode()).decode()


def values_of(cursor: str, count: int) -> list[str]:
    """What `cursor_of` was given. Raises Unfit for anything else."""
    try:
        values = json.loads(base64.b64decode(cursor.encode(), altchars=b"-_", validate=True))
    except (ValueError, binascii.Error, RecursionError):
        values = None
    if not isinstance(values, list) or len(values) != count or not all(map(_is_text, values)):
        raise NotACursor
    return values


def _is_text(value: object) -> bool:
    """JSON can name halves of characters, which no store takes."""
    with suppress(UnicodeEncodeError):
        return isinstance(value, str) and value.encode() is not None
    return False


def place_of(cursor: str | None) -> tuple[datetime, str] | None:
    """A moment and an id."""
    if cursor is None:
        return None
    moment, name = values_of(cursor, 2)
    with suppress(ValueError, OverflowError):
        if (at := datetime.fromisoformat(moment)).tzinfo is not None:
            return at.astimezone(UTC), name
    raise NotACursor
