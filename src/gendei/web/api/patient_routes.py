"""/patients."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import AwareDatetime, Field

from gendei.staff.patients import FOUND, PatientCard
from gendei.web.api.access import Reader, Service
from gendei.web.api.appointment_shapes import AppointmentOut
from gendei.web.api.cursors import cursor_of, values_of
from gendei.web.api.problems import READ_ONE, Unfit, errors
from gendei.web.api.shapes import Cursor, Paged, Shape

router = APIRouter(tags=["patients"])


class PatientOut(Shape):
    """`contact` is who writes for the patient; `name` is who comes."""

    id: Annotated[str, Field(examples=["1f0c5b9f21d08e6a7c44"])]
    name: Annotated[str, Field(examples=["Maria Silva"])]
    contact: Annotated[str, Field(examples=["+5511999998888"])]
    phone: str | None
    updated_at: AwareDatetime


class PatientDetail(Shape):
    """`addresses`: all that is known of the contact; `coming`, `past`: the next and the latest appointment first;
    `family`: for whom else the contact books; `optedOutAt`: since when they want nothing but answers."""

    patient: PatientOut
    notes: str
    created_at: AwareDatetime
    addresses: list[str]
    coming: list[AppointmentOut]
    past: list[AppointmentOut]
    family: list[PatientOut]
    opted_out_at: AwareDatetime | None
    no_marketing_since: AwareDatetime | None

    @classmethod
    def read(cls, card: PatientCard) -> "PatientDetail":
        consent = card.consent
        since = {"opted_out_at": consent.opted_out_at, "no_marketing_since": consent.no_marketing_since}
        return cls.of(card, addresses=card.forms, **since)


@router.get("/patients", responses=errors())
async def search_patients(
    actor: Reader,
    gendei: Service,
    search: Annotated[str, Query(max_length=100, description="A name, or a phone.", examples=["Maria"])] = "",
    limit: Annotated[int, Query(ge=1, le=FOUND)] = FOUND,
    cursor: Cursor = None,
) -> Paged[PatientOut]:
    """The best matches first; without words all patients, those that changed last first."""
    inner = None if cursor is None else values_of(cursor, 1)[0]
    try:
        page = await gendei.front_desk.patients.page(actor, search, cursor=inner, limit=limit)
    except ValueError as error:
        raise Unfit("query.cursor", "a cursor is the `next` of a page") from error
    more = None if page.cursor is None else cursor_of(page.cursor)
    return Paged(items=[PatientOut.of(row) for row in page.rows], next=more)


@router.get("/patients/{patient_id}", responses=READ_ONE)
async def get_patient(actor: Reader, gendei: Service, patient_id: str) -> PatientDetail:
    """A patient's card. Who read it is in the audit."""
    return PatientDetail.read(await gendei.front_desk.patients.card(actor, patient_id))
