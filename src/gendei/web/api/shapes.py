"""What every shape of the API has in common. Names are camelCase; moments carry an offset."""

import re
from datetime import date, datetime
from typing import Annotated, Generic, TypeVar

from fastapi import Path, Query
from pydantic import AfterValidator, AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError

T = TypeVar("T")
_ISO = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
FIRST_YEAR, LAST_YEAR = 2000, 2100


def _written(value: object) -> object:
    """pydantic would also take seconds since 1970, as a number or as text."""
    if isinstance(value, date) or (isinstance(value, str) and _ISO.match(value)):
        return value
    raise PydanticCustomError("not_iso", "Dates are written 2026-11-24, and moments 2026-11-24T14:00:00-03:00")


def _within_reach(moment: date) -> date:
    if not FIRST_YEAR <= moment.year < LAST_YEAR:
        raise PydanticCustomError("out_of_reach", "Dates lie between the years 2000 and 2099")
    return moment


def _moment_within_reach(moment: datetime) -> datetime:
    _within_reach(moment)
    return moment


Day = Annotated[date, BeforeValidator(_written), AfterValidator(_within_reach)]
"""A day of the clinic's calendar."""
Moment = Annotated[AwareDatetime, BeforeValidator(_written), AfterValidator(_moment_within_reach)]
"""A moment with its offset; one without is refused."""
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


class Shape(BaseModel):
    """What the API answers."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, frozen=True)


class Asked(Shape):
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
