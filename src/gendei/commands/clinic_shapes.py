"""What commands answer of a clinic's data and its changes, as programs read it."""

from typing import Annotated, Any

from pydantic import AwareDatetime, Field

from gendei.commands.shapes import Shape
from gendei.staff.clinic_changes.texts import EffectKind

_Field = Annotated[str, Field(description="As its file has it.", examples=["services[limpeza].price_cents"])]
_Value = Annotated[Any, Field(description="As its file has it; null where nothing is said.")]


class FieldChangeOut(Shape):
    """Of a `secret` only its placeholder is told."""

    field: _Field
    old: _Value
    new: _Value
    secret: bool


class ClinicProblemOut(Shape):
    """What is wrong with a field, and what to write, in the words of the clinic file's check."""

    field: _Field
    problem: str
    remedy: str
    text: Annotated[str, Field(description="Both in Portuguese.")]


class FieldConflictOut(Shape):
    """A field that somebody else changed: what stands now, what was to stand, and who changed it last, where that is
    known."""

    field: _Field
    now: _Value
    mine: _Value
    secret: bool
    name: str
    at: AwareDatetime | None
    revision: int | None


class EffectOut(Shape):
    """What a change means for what stands. Nothing of it is changed."""

    kind: EffectKind
    count: int
    text: str
    examples: list[str]


class ClinicDataOut(Shape):
    """`content`: as docs/clinics.md has it, with a placeholder for each secret."""

    version: int
    kept_in_file: Annotated[bool, Field(description="Only its file changes it.")]
    content: dict[str, Any]


class ClinicChangeOut(Shape):
    """`revision`: the version that the change made. `kept`: of a file, what staff had changed and stayed so."""

    revision: int
    at: AwareDatetime
    user_id: str
    name: str
    source: Annotated[str, Field(description="Where it was made: `staff` (the pages), `api`, `terminal` or `file`.")]
    reason: str
    undoes: int | None
    first: bool
    fields: list[FieldChangeOut]
    kept: list[FieldChangeOut]


class ClinicChangedOut(Shape):
    """`version`: the clinic's now. `change`: null where nothing differed."""

    version: int
    change: ClinicChangeOut | None


class ClinicPreviewOut(Shape):
    """With `problems` or `conflicts` the change would be refused; `warnings`: amounts that hardly anybody means."""

    version: int
    fields: list[FieldChangeOut]
    problems: list[ClinicProblemOut]
    conflicts: list[FieldConflictOut]
    warnings: list[ClinicProblemOut]
    effects: list[EffectOut]


class ClinicHistoryOut(Shape):
    """The newest first."""

    items: list[ClinicChangeOut]
