"""GET /clinic, /services, /professionals, /slots."""

from datetime import date
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import AwareDatetime, Field

from gendei.clinic import WEEKDAYS, Clinic, WeeklyHours
from gendei.web.api.access import Reader
from gendei.web.api.access import Service as Gendei
from gendei.web.api.problems import errors
from gendei.web.api.shapes import Day, Id, Listed, Shape

router = APIRouter(tags=["clinic"])
Hours = Annotated[
    dict[str, list[str]],
    Field(
        description="Weekday (mon to sun) to its hours; one left out is closed.", examples=[{"mon": ["08:00-12:00"]}]
    ),
]


class ClinicOut(Shape):
    id: Annotated[str, Field(examples=["boa-vida"])]
    name: str
    timezone: Annotated[str, Field(examples=["America/Sao_Paulo"])]
    address: str
    phone: str
    hours: Hours
    closed: list[date]
    lead_minutes: int
    horizon_days: int
    buffer_minutes: int

    @classmethod
    def told(cls, clinic: Clinic) -> "ClinicOut":
        rules = {name: getattr(clinic.booking, name) for name in ("lead_minutes", "horizon_days", "buffer_minutes")}
        hours, closed = _hours(clinic.hours), sorted(clinic.closed)
        return cls.of(clinic, timezone=clinic.timezone.key, hours=hours, closed=closed, **rules)


class ServiceOut(Shape):
    id: Annotated[str, Field(examples=["consulta"])]
    name: str
    duration_minutes: int
    price_cents: Annotated[int | None, Field(description="Centavos; null: on request.", examples=[25000])]
    deposit_cents: int
    description: str
    preparation: str
    telemedicine: bool


class ProfessionalOut(Shape):
    id: Annotated[str, Field(examples=["ana"])]
    name: str
    specialty: str
    council_number: str
    service_ids: list[str]
    hours: Hours


class SlotOut(Shape):
    professional_id: str
    start: AwareDatetime
    end: AwareDatetime


class SlotDay(Shape):
    """`reason`: why there is none, where there is none."""

    day: date
    slots: list[SlotOut]
    reason: Annotated[str | None, Field(examples=["full"])] = None


@router.get("/clinic", responses=errors(404))
async def clinic(actor: Reader, gendei: Gendei) -> ClinicOut:
    """The clinic that the token is for."""
    return ClinicOut.told(await gendei.agenda_desk.agenda.clinic(actor))


@router.get("/services", responses=errors(404))
async def services(actor: Reader, gendei: Gendei) -> Listed[ServiceOut]:
    """What can be booked."""
    found = await gendei.agenda_desk.agenda.clinic(actor)
    return Listed(items=[ServiceOut.of(service) for service in found.services])


@router.get("/professionals", responses=errors(404))
async def professionals(actor: Reader, gendei: Gendei) -> Listed[ProfessionalOut]:
    """Who can be booked."""
    found = await gendei.agenda_desk.agenda.clinic(actor)
    return Listed(items=[ProfessionalOut.of(who, hours=_hours(found.hours_of(who))) for who in found.professionals])


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


def _hours(hours: WeeklyHours) -> dict[str, list[str]]:
    return {WEEKDAYS[day]: [str(period) for period in ranges] for day, ranges in sorted(hours.items())}
