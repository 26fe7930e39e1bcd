"""GET /clinic, /services, /professionals, /slots."""

from typing import Annotated

from fastapi import APIRouter, Query

from gendei.commands.shapes import ClinicOut, ProfessionalOut, ServiceOut, SlotDay
from gendei.web.api.access import Reader
from gendei.web.api.access import Service as Gendei
from gendei.web.api.problems import errors
from gendei.web.api.shapes import Day, Id, Listed

router = APIRouter(tags=["clinic"])


@router.get("/clinic", responses=errors(404))
async def clinic(actor: Reader, gendei: Gendei) -> ClinicOut:
    """The clinic that the token is for."""
    return ClinicOut.of_clinic(await gendei.agenda_desk.agenda.clinic(actor))


@router.get("/services", responses=errors(404))
async def services(actor: Reader, gendei: Gendei) -> Listed[ServiceOut]:
    """What can be booked."""
    found = await gendei.agenda_desk.agenda.clinic(actor)
    return Listed(items=[ServiceOut.of(service) for service in found.services])


@router.get("/professionals", responses=errors(404))
async def professionals(actor: Reader, gendei: Gendei) -> Listed[ProfessionalOut]:
    """Who can be booked."""
    found = await gendei.agenda_desk.agenda.clinic(actor)
    return Listed(items=[ProfessionalOut.at(found, who) for who in found.professionals])


@router.get("/slots", responses=errors(404, 409))
async def slots(
    actor: Reader,
    gendei: Gendei,
    service_id: Annotated[Id, Query(alias="serviceId", examples=["consulta"])],
    first: Annotated[Day, Query(alias="from", description="The first local day.", examples=["2026-11-24"])],
    days: Annotated[int, Query(ge=1, le=62)] = 7,
    professional_id: Annotated[Id | None, Query(alias="professionalId")] = None,
) -> Listed[SlotDay]:
    """The free slots of some days, as the bot would offer them."""
    found = await gendei.agenda_desk.agenda.slots(actor, service_id, first, days, professional_id=professional_id)
    return Listed(items=[SlotDay.of(day) for day in found])
