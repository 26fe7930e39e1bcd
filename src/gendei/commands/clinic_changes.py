"""The clinic's data, by its fields: read, changed with a preview, and undone from the history."""

from typing import Annotated, Any

from pydantic import Field

from gendei.commands.command import Arguments, Call, Command
from gendei.staff.actors import Right
from gendei.staff.clinic_changes.changes import PAGE, ClinicChanged, ClinicData, ClinicPreview
from gendei.staff.clinic_changes.editing import Edit
from gendei.staff.clinic_changes.history import ClinicChange

Version = Annotated[int, Field(ge=0, description="The clinic's version that was read.", examples=[12])]
Reason = Annotated[str, Field(max_length=500, description="Why; it stands in the history.")]


class FieldValue(Arguments):
    """A field of the clinic's data, and what is to stand there, as its file has it; null says nothing of it. A secret
    stays where its placeholder is given."""

    field: Annotated[str, Field(min_length=1, max_length=300, examples=["services[limpeza].price_cents"])]
    value: Annotated[Any, Field(examples=[18000])] = None


class ClinicEdits(Arguments):
    version: Version
    fields: Annotated[list[FieldValue], Field(min_length=1, max_length=500)]


class PreviewClinicChange(ClinicEdits):
    effects: Annotated[bool, Field(description="Also look what it means for what stands.")] = True


class ChangeClinic(ClinicEdits):
    reason: Reason = ""


class UndoClinicChange(Arguments):
    revision: Annotated[int, Field(ge=1, description="The version that the change made.")]
    anyway: Annotated[bool, Field(description="Also where a field was changed again since.")] = False
    reason: Reason = ""


class ClinicHistory(Arguments):
    before: Annotated[int | None, Field(ge=1, description="Only changes before this version.")] = None
    limit: Annotated[int, Field(ge=1, le=200)] = PAGE


class WholeClinic(Arguments):
    """No arguments."""


async def get_clinic_data(call: Call, given: WholeClinic) -> ClinicData:
    """All of the clinic's data as its file has them, with the version that goes with a change."""
    return await call.desks.clinic_changes.read(call.actor)


async def list_clinic_changes(call: Call, given: ClinicHistory) -> list[ClinicChange]:
    """What was changed of the clinic's data, by whom and when, the newest first."""
    return list(await call.desks.clinic_changes.history(call.actor, given.before, given.limit))


async def preview_clinic_change(call: Call, given: PreviewClinicChange) -> ClinicPreview:
    """What a change of the clinic's data would do: what would differ, what is wrong with it, who changed the same
    meanwhile, and what it means for appointments and messages that stand. Nothing is changed."""
    changes = call.desks.clinic_changes
    return await changes.preview(call.actor, given.version, _edits(given), with_effects=given.effects)


async def change_clinic(call: Call, given: ChangeClinic) -> ClinicChanged:
    """Change fields of the clinic's data, checked as its file is. What others changed since `version` stays; where they
    changed the same, nothing is changed. What is booked is not touched."""
    changes = call.desks.clinic_changes
    return await changes.save(call.actor, given.version, _edits(given), source=call.channel, reason=given.reason)


async def undo_clinic_change(call: Call, given: UndoClinicChange) -> ClinicChanged:
    """Take back a change of the clinic's data, by another change."""
    changes = call.desks.clinic_changes
    how = {"source": call.channel, "reason": given.reason}
    return await changes.undo(call.actor, given.revision, anyway=given.anyway, **how)


def _edits(given: ClinicEdits) -> list[Edit]:
    return [Edit(each.field, each.value) for each in given.fields]


GET_CLINIC_DATA = Command(get_clinic_data, right=Right.MANAGE)
LIST_CLINIC_CHANGES = Command(list_clinic_changes, right=Right.MANAGE)
PREVIEW_CLINIC_CHANGE = Command(preview_clinic_change, right=Right.MANAGE)
CHANGE_CLINIC = Command(change_clinic, right=Right.MANAGE)
UNDO_CLINIC_CHANGE = Command(undo_clinic_change, right=Right.MANAGE)
