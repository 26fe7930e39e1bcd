"""Clinics brought into the store: by their files, as drafts, and by invitation."""

from dataclasses import replace
from operator import attrgetter
from typing import Annotated

from pydantic import Field, InstanceOf

from gendei.clinic import Clinic
from gendei.commands.definition import Given
from gendei.commands.operation import OperatorCall, OperatorCommand, command_of
from gendei.staff.actors import Right
from gendei.staff.clinic_changes.editing import Edit
from gendei.staff.clinic_changes.file_import import FileComparison, Keep, StaffChanged
from gendei.staff.clinic_changes.history import ClinicChange
from gendei.staff.clinic_drafts.drafts import ClinicDrafts
from gendei.staff.clinic_drafts.invitations import Invitations


class CompareClinics(Given):
    clinics: Annotated[tuple[InstanceOf[Clinic], ...], Field(description="As their files have them.")]


class ImportClinics(CompareClinics):
    keep: Annotated[Keep | None, Field(description="Whose word counts for what staff changed.")] = None


class BeginDraft(Given):
    vertical: str
    name: str


class OfDraft(Given):
    draft_id: str


class FillInDraft(OfDraft):
    edits: tuple[InstanceOf[Edit], ...]


async def compare_clinic_files(call: OperatorCall, given: CompareClinics) -> list[FileComparison]:
    """What importing clinics' files would change, clinic by clinic."""
    return [await call.services.file_imports.compare(clinic) for clinic in given.clinics]


async def import_clinics(call: OperatorCall, given: ImportClinics) -> list[ClinicChange]:
    """Store the clinics of files, in place of what stands; what was changed. Raises StaffChanged where one of the files
    says otherwise than staff and nobody said whose word counts; then no clinic is stored."""
    compared = await compare_clinic_files(call, given)
    disputed = [conflict for comparison in compared for conflict in comparison.disputed]
    if disputed and given.keep is None:
        raise StaffChanged(disputed)
    imports, by = call.services.file_imports, call.actor
    return [await imports.bring(replace(by, clinic_id=clinic.id), clinic, given.keep) for clinic in given.clinics]


_drafts = attrgetter("drafts")
COMPARE_CLINIC_FILES = OperatorCommand(compare_clinic_files, right=Right.OPERATE)
IMPORT_CLINICS = OperatorCommand(import_clinics, right=Right.OPERATE)
BEGIN_DRAFT = command_of(_drafts, ClinicDrafts.begin, BeginDraft, Right.OPERATE)
FILL_IN_DRAFT = command_of(_drafts, ClinicDrafts.fill_in, FillInDraft, Right.MANAGE)
CREATE_CLINIC = command_of(_drafts, ClinicDrafts.create, OfDraft, Right.MANAGE)
DROP_DRAFT = command_of(_drafts, ClinicDrafts.drop, OfDraft, Right.OPERATE, destructive=True)
INVITE_CLINIC = command_of(attrgetter("invitations"), Invitations.invite, Given, Right.OPERATE)
