"""/clinic, /services, /professionals, /slots, /settings."""

from typing import Annotated, Any

from fastapi import APIRouter, Query

from gendei.commands.settings import SETTINGS, change_of, shape_of
from gendei.commands.shapes import ClinicOut, ProfessionalOut, ServiceOut, Shape, SlotDay
from gendei.staff.settings import Setting
from gendei.web.api.access import Reader
from gendei.web.api.access import Service as Gendei
from gendei.web.api.command_routes import offer
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


def _serve(setting: Setting[Any]) -> None:
    """GET and PUT of /settings/{name}."""
    shape, path = shape_of(setting), f"/settings/{setting.name}"

    async def read(actor: Reader, gendei: Gendei) -> Shape:
        return shape.of(await gendei.front_desk.settings.read(actor, setting))

    name, told = f"get_{setting.name}", shape.__doc__
    router.add_api_route(path, read, responses=errors(404), name=name, description=told, response_model=shape)
    offer(router, f"PUT {path}", change_of(setting), shape.of, f"set_{setting.name}")


for declared in SETTINGS:
    _serve(declared)
