"""What every shape of the API has in common. Names are camelCase; moments carry an offset."""

from datetime import date
from typing import Annotated, Any, Generic, Self, TypeVar

from fastapi import Path, Query
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints
from pydantic.alias_generators import to_camel

from gendei.commands.moments import within_reach, written

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


class Shape(BaseModel):
    """What the API answers."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, frozen=True, from_attributes=True)

    @classmethod
    def of(cls, value: Any, **more: Any) -> Self:
        """The shape of a value of the domain: its attributes by the names of the fields, but for those in `more`."""
        return cls.model_validate({name: getattr(value, name) for name in cls.model_fields if name not in more} | more)


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
