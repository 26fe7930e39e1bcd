"""Facts about the clinic."""

from gendei.receptionist.offers.costs import list_price, plan_facts, prices_by_plan
from gendei.receptionist.offers.rendering import opening_hours
from gendei.receptionist.runtime import Context, ToolResult


async def get_clinic_info(context: Context) -> ToolResult:
    """Fetch clinic details: name, address, phone, opening hours, services, insurance, payment, cancellation policy."""
    clinic = context.context.clinic
    services = [
        {"service_id": service.id, "name": service.name, "price": list_price(service, context.context)}
        for service in clinic.services
    ]
    return ToolResult(
        True,
        {
            "name": clinic.name,
            "vertical": context.context.vertical.name,
            "address": clinic.address,
            "phone": clinic.phone,
            "hours": opening_hours(clinic.hours),
            "closed_dates": sorted(day.isoformat() for day in clinic.closed if day >= context.context.now.date()),
            "services": services,
            "insurance": list(clinic.insurance) if context.context.vertical.convenio else [],
            **({"plans": told} if (told := plan_facts(context.context)) else {}),
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
                "professional_id": professional.id,
                "name": professional.name,
                "specialty": professional.specialty,
                "council": professional.council_number,
                "service_ids": list(professional.service_ids),
                "hours": opening_hours(clinic.hours_of(professional)),
            }
            for professional in clinic.professionals
        ],
    )


async def get_services(context: Context) -> ToolResult:
    """List the services of the clinic with their ids, prices, durations and preparation."""
    return ToolResult(
        True,
        [
            {
                "service_id": service.id,
                "name": service.name,
                "price": list_price(service, context.context),
                "price_cents": service.price_cents,
                **({"by_plan": told} if (told := prices_by_plan(service, context.context)) else {}),
                "duration_minutes": service.duration_minutes,
                "description": service.description,
                "preparation": service.preparation,
                "telemedicine": service.telemedicine and context.context.vertical.telemedicine,
            }
            for service in context.context.clinic.services
        ],
    )


TOOLS = (get_clinic_info, get_professionals, get_services)
