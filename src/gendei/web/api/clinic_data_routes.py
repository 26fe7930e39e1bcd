"""/clinic/data: all that a clinic's file says, read and changed by its fields."""

from typing import Annotated

from fastapi import APIRouter, Query

from gendei.commands.clinic_changes import (
    CHANGE_CLINIC,
    GET_CLINIC_DATA,
    LIST_CLINIC_CHANGES,
    PREVIEW_CLINIC_CHANGE,
    UNDO_CLINIC_CHANGE,
    ClinicHistory,
    WholeClinic,
)
from gendei.commands.clinic_shapes import (
    ClinicChangedOut,
    ClinicChangeOut,
    ClinicDataOut,
    ClinicHistoryOut,
    ClinicPreviewOut,
)
from gendei.web.api.access import Reader
from gendei.web.api.access import Service as Gendei
from gendei.web.api.command_routes import CHANNEL, offer
from gendei.web.api.problems import READ_ONE

router = APIRouter(prefix="/clinic/data", tags=["clinic"])


@router.get("", responses=READ_ONE, description=GET_CLINIC_DATA.description)
async def get_clinic_data(actor: Reader, gendei: Gendei) -> ClinicDataOut:
    call = await gendei.desks.call(actor, CHANNEL)
    return ClinicDataOut.of(await GET_CLINIC_DATA.do(call, WholeClinic()))


@router.get("/changes", responses=READ_ONE, description=LIST_CLINIC_CHANGES.description)
async def list_clinic_changes(
    actor: Reader,
    gendei: Gendei,
    before: Annotated[int | None, Query(ge=1, description="Only changes before this version.")] = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> ClinicHistoryOut:
    call = await gendei.desks.call(actor, CHANNEL)
    found = await LIST_CLINIC_CHANGES.do(call, ClinicHistory(before=before, limit=limit))
    return ClinicHistoryOut(items=[ClinicChangeOut.of(change) for change in found])


offer(router, "POST /changes", CHANGE_CLINIC, ClinicChangedOut.of, "change_clinic")
offer(router, "POST /preview", PREVIEW_CLINIC_CHANGE, ClinicPreviewOut.of, "preview_clinic_change")
offer(router, "POST /undo", UNDO_CLINIC_CHANGE, ClinicChangedOut.of, "undo_clinic_change")
