"""/patients."""

from typing import Annotated

from fastapi import APIRouter, Query

from gendei.commands.patient_shapes import MergeOut, PatientDetail, PatientFileOut, PatientOut
from gendei.commands.patients import MERGE_PATIENTS
from gendei.staff.patient_search import FOUND
from gendei.web.api.access import Reader, Service, Writer
from gendei.web.api.command_routes import offer
from gendei.web.api.problems import READ_ONE, errors
from gendei.web.api.shapes import Cursor, Paged, cursor_of, inner

router = APIRouter(tags=["patients"])


@router.get("/patients", responses=errors())
async def search_patients(
    actor: Reader,
    gendei: Service,
    search: Annotated[str, Query(max_length=100, description="A name, or a phone.", examples=["Maria"])] = "",
    limit: Annotated[int, Query(ge=1, le=FOUND)] = FOUND,
    cursor: Cursor = None,
) -> Paged[PatientOut]:
    """The best matches first, by name, phone or notes; behind them who shares a contact with one of them, or is written
    for by somebody of that name (`via`). Without words all patients, those that changed last first."""
    with inner(cursor) as place:
        page = await gendei.front_desk.patients.page(actor, search, cursor=place, limit=limit, related=True)
    more = None if page.cursor is None else cursor_of(page.cursor)
    return Paged(items=[PatientOut.of(row) for row in page.rows], next=more)


@router.get("/patients/{patient_id}", responses=READ_ONE)
async def get_patient(actor: Reader, gendei: Service, patient_id: str) -> PatientDetail:
    """A patient's card; that of a card which was merged into another is the other. Who read it is in the audit."""
    return PatientDetail.read(await gendei.front_desk.patients.card(actor, patient_id))


@router.get("/patients/{patient_id}/files", responses=READ_ONE)
async def list_patient_files(actor: Reader, gendei: Service, patient_id: str) -> list[PatientFileOut]:
    """Pictures and documents of the conversations with who books for the patient, the latest 50."""
    return [PatientFileOut.read(file) for file in await gendei.front_desk.files.of_patient(actor, patient_id)]


@router.get("/patients/{patient_id}/merge", responses=READ_ONE)
async def preview_merge(
    actor: Writer, gendei: Service, patient_id: str, other_id: Annotated[str, Query(alias="otherId", max_length=200)]
) -> MergeOut:
    """What merging the other card into this one would do. Nothing is changed; that both were read is in the audit."""
    return MergeOut.read(await gendei.front_desk.merging.plan(actor, patient_id, other_id))


offer(router, "POST /patients/{patient_id}/merge", MERGE_PATIENTS, PatientOut.of, "merge_patients", "MergeIn")
