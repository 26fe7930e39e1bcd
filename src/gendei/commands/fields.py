"""Types of the arguments that many commands have, and what their schemas tell."""

import re
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any

from pydantic import Field, GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationInfo
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticKnownError, core_schema


class Held(Enum):
    """pydantic's validation context of the API: programs are held to everything that the schema tells."""

    TO_SCHEMA = "to_schema"


@dataclass(frozen=True, slots=True)
class Told:
    """Limits of a text that the schema tells. Programs are held to them; for all others the desks are, whose refusals
    say what to do."""

    least: int = 0
    most: int | None = None
    pattern: str | None = None

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.with_info_after_validator_function(self._checked, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        rules = {"minLength": self.least or None, "maxLength": self.most, "pattern": self.pattern}
        return handler(schema) | {name: rule for name, rule in rules.items() if rule is not None}

    def _checked(self, value: str, info: ValidationInfo) -> str:
        if info.context is not Held.TO_SCHEMA:
            return value
        if len(value) < self.least:
            raise PydanticKnownError("string_too_short", {"min_length": self.least})
        if self.most is not None and len(value) > self.most:
            raise PydanticKnownError("string_too_long", {"max_length": self.most})
        if self.pattern is not None and not re.fullmatch(self.pattern, value):
            raise PydanticKnownError("string_pattern_mismatch", {"pattern": self.pattern})
        return value


Id = Annotated[str, Field(min_length=1, max_length=100)]
Address = Annotated[
    str,
    Field(min_length=1, max_length=128, description="The `contact` of a conversation or patient."),
    Told(pattern=r"^[A-Za-z0-9+.:@_-]{1,128}$"),
]
