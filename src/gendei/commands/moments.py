"""Days and moments: ISO on every surface; where a person or a language model gives them, also in Portuguese."""

import re
from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, date, datetime, timedelta
from typing import Annotated, Any

from pydantic import AfterValidator, AwareDatetime, BeforeValidator, Field, ValidationInfo
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError, PydanticKnownError, core_schema

from gendei.booking.dates import resolve
from gendei.commands.refusals import CommandRefused, Reason

MOST_DAYS = 42
MOST_WORDS = 100
"""Characters of a day or a moment in words."""
FIRST_YEAR, LAST_YEAR = 2000, 2100
_ISO = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_START = "A moment with its offset, 2026-11-24T14:00:00-03:00, or in Portuguese (terça às 14h)."


@dataclass(frozen=True, slots=True)
class Wording:
    """pydantic's validation context where days and moments may be said in Portuguese. now: aware, in the clinic's
    zone."""

    now: datetime

    def days(self, words: str) -> tuple[date, date]:
        """The first and the last day that `words` name, at most MOST_DAYS. Raises CommandRefused."""
        first, slash, last = (part.strip() for part in words.partition("/"))
        if _ISO.fullmatch(first) and (not slash or _ISO.fullmatch(last)):
            try:
                days = date.fromisoformat(first), date.fromisoformat(last if slash else first)
            except ValueError:
                raise CommandRefused(Reason.DAYS_UNCLEAR, words=words) from None
        else:
            found = resolve(words, self.now)
            if found is None or found.impossible or found.date is None:
                raise CommandRefused(Reason.DAYS_UNCLEAR, words=words)
            days = found.date, found.end_date or found.date
        if days[0].year == MINYEAR or days[1].year == MAXYEAR:  # there, other zones have no such days
            raise CommandRefused(Reason.DAYS_UNCLEAR, words=words)
        if not timedelta() <= days[1] - days[0] < timedelta(days=MOST_DAYS):
            raise CommandRefused(Reason.TOO_MANY_DAYS, most=str(MOST_DAYS))
        return days

    def moment(self, words: str) -> datetime:
        """The one moment that `words` name. Raises CommandRefused, also for a moment without an offset."""
        if _ISO.match(words):
            try:
                moment = datetime.fromisoformat(words)
            except ValueError:
                raise CommandRefused(Reason.START_UNCLEAR, words=words) from None
            if moment.tzinfo is None:
                raise CommandRefused(Reason.NO_OFFSET)
            return moment
        found = resolve(words, self.now)
        if found is None or found.impossible or found.date is None or found.time is None or found.end_date:
            raise CommandRefused(Reason.START_UNCLEAR, words=words)
        if len(found.alternatives) > 1 or len(found.time_alternatives) > 1:
            raise CommandRefused(Reason.START_UNCLEAR, words=words)
        return datetime.combine(found.date, found.time, self.now.tzinfo)


def _words(value: object) -> str:
    if not isinstance(value, str):
        raise PydanticKnownError("string_type")
    if not value:
        raise PydanticKnownError("string_too_short", {"min_length": 1})
    if len(value) > MOST_WORDS:
        raise PydanticKnownError("string_too_long", {"max_length": MOST_WORDS})
    return value


def written(value: object, info: ValidationInfo) -> object:
    """A day or a moment as it is written; pydantic would also take seconds since 1970, as a number or as text."""
    if isinstance(info.context, Wording) and not isinstance(value, date):
        return info.context.moment(_words(value))
    if isinstance(value, date) or (isinstance(value, str) and _ISO.match(value)):
        return value
    raise PydanticCustomError("not_iso", "Dates are written 2026-11-24, and moments 2026-11-24T14:00:00-03:00")


def within_reach(moment: date) -> date:
    if not FIRST_YEAR <= moment.year < LAST_YEAR:
        raise PydanticCustomError("out_of_reach", "Dates lie between the years 2000 and 2099")
    return moment


def _moment_within_reach(moment: datetime, info: ValidationInfo) -> datetime:
    if not isinstance(info.context, Wording):
        within_reach(moment)
    return moment


def _days(value: object, info: ValidationInfo) -> object:
    return info.context.days(_words(value)) if isinstance(info.context, Wording) else value


Moment = Annotated[AwareDatetime, BeforeValidator(written), AfterValidator(_moment_within_reach)]
"""A moment with its offset; one without is refused."""
Days = Annotated[
    tuple[date, date],
    BeforeValidator(_days, json_schema_input_type=Annotated[str, Field(min_length=1, max_length=MOST_WORDS)]),
    Field(
        description="Local day or days: 2026-11-24, 2026-11-24/2026-11-30, or in Portuguese (hoje, semana que vem).",
        validate_default=True,
    ),
]
"""The first and the last of some local days."""


class ToolSchema(GenerateJsonSchema):
    """The schema of arguments whose days and moments may be Portuguese words. Examples are left out, whose ids a model
    would take for the clinic's, and so are patterns, which say less to it than a refusal."""

    def generate(self, schema: CoreSchema, mode: JsonSchemaMode = "validation") -> JsonSchemaValue:
        generated: JsonSchemaValue = _plain(super().generate(schema, mode))
        return generated

    def datetime_schema(self, schema: core_schema.DatetimeSchema) -> JsonSchemaValue:
        return {"type": "string", "minLength": 1, "maxLength": MOST_WORDS, "description": _START}


def _plain(node: Any) -> Any:
    if isinstance(node, dict):
        return {name: _plain(value) for name, value in node.items() if name not in {"examples", "pattern"}}
    return [_plain(value) for value in node] if isinstance(node, list) else node
