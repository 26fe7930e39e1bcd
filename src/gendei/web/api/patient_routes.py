"""/patients."""

from typing import Annotated

from fastapi import APIRouter, Query

from gendei.commands.shapes import PatientDetail, PatientOut
from gendei.staff.patients import FOUND
from gendei.web.api.access import Reader, Service
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
    """The best matches first; without words all patients, those that changed last first."""
    with inner(cursor) as place:
        page = await gendei.front_desk.patients.page(actor, search, cursor=place, limit=limit)
    more = None if page.cursor is None else cursor_of(page.cursor)
    return Paged(items=[PatientOut.of(row) for row in page.rows], next=more)


@router.get("/patients/{patient_id}", responses=READ_ONE)
async def get_patient(actor: Reader, gendei: Service, patient_id: str) -> PatientDetail:
    """A patient's card. Who read it is in the audit."""
    return PatientDetail.read(await gendei.front_desk.patients.card(actor, patient_id))
