"""Facts about the clinic."""

from agents import RunContextWrapper

from gendei.receptionist.offers.rendering import opening_hours, price
from gendei.receptionist.runtime import Runtime, ToolResult

Context = RunContextWrapper[Runtime]


async def get_clinic_info(context: Context) -> ToolResult:
    """Fetch clinic details: name, address, phone, opening hours, insurance, payment and cancellation policy."""
    clinic = context.context.clinic
    return ToolResult(
        True,
        {
            "name": clinic.name,
            "vertical": context.context.vertical.name,
            "address": clinic.address,
            "phone": clinic.phone,
            "hours": opening_hours(clinic.hours),
            "closed_dates": sorted(day.isoformat() for day in clinic.closed if day >= context.context.now.date()),
            "insurance": list(clinic.insurance) if context.context.vertical.convenio else [],
            "payment_methods": list(clinic.payment_methods),
            "cancellation_policy": clinic.cancellation_policy,
            "notes": clinic.notes,
        },
    )


async def get_professionals(context: Context) -> ToolResult:
    """List the professionals of the clinic with their ids, what they do and when they attend."""
    clinic = context.context.clinic
    return ToolResult(
        True,
        [
            {
                "professional_id": one.id,
                "name": one.name,
                "specialty": one.specialty,
                "council": one.council_number,
                "service_ids": list(one.service_ids),
                "hours": opening_hours(clinic.hours_of(one)),
            }
            for one in clinic.professionals
        ],
    )


async def get_services(context: Context) -> ToolResult:
    """List the services of the clinic with their ids, prices, durations and preparation."""
    return ToolResult(
        True,
        [
            {
                "service_id": one.id,
                "name": one.name,
                "price": price(one, context.context),
                "price_cents": one.price_cents,
                "duration_minutes": one.duration_minutes,
                "description": one.description,
                "preparation": one.preparation,
                "telemedicine": one.telemedicine and context.context.vertical.telemedicine,
            }
            for one in context.context.clinic.services
        ],
    )


TOOLS = (get_clinic_info, get_professionals, get_services)
