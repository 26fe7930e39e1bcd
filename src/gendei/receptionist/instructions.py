"""The facts of one turn that fill a prompt's placeholders."""

from gendei.booking.appointment import Appointment
from gendei.receptionist.offers.rendering import WEEKDAYS, appointment_line, opening_hours, price
from gendei.receptionist.runtime import Runtime


def facts(runtime: Runtime, appointments: list[Appointment]) -> dict[str, str]:
    """A value for every placeholder that prompts.FACTS names, and the vertical's words below them."""
    clinic, vertical, now = runtime.clinic, runtime.vertical, runtime.now
    unknown = runtime.say("fact_unknown")
    services = [
        f"- {one.name} (service_id {one.id}): {one.duration_minutes} min, {price(one, runtime)}"
        for one in clinic.services
    ]
    professionals = [
        f"- {one.name} (professional_id {one.id})" + (f", {one.specialty}" if one.specialty else "")
        for one in clinic.professionals
    ]
    return {
        **vertical.words(),
        "vertical_name": vertical.name,
        "clinic_name": clinic.name,
        "clinic_address": clinic.address or unknown,
        "services": "\n".join(services),
        "professionals": "\n".join(professionals),
        "operating_hours": opening_hours(clinic.hours),
        "insurance": ", ".join(clinic.insurance) if vertical.convenio and clinic.insurance else unknown,
        "payment_methods": ", ".join(clinic.payment_methods) or unknown,
        "cancellation_policy": clinic.cancellation_policy or unknown,
        "notes": clinic.notes or unknown,
        "now": f"{WEEKDAYS[now.weekday()]}, {now:%Y-%m-%d %H:%M} ({clinic.timezone.key})",
        "patient_name": runtime.user_name or unknown,
        "patient_appointments": "\n".join(f"{appointment_line(one, runtime)} [{one.id}]" for one in appointments)
        or runtime.say("fact_none"),
        "booking_draft": _draft(runtime) or runtime.say("fact_none"),
        "arrive_early": str(vertical.arrive_minutes_early),
        "what_to_bring": ", ".join(vertical.what_to_bring) or unknown,
    }


def _draft(runtime: Runtime) -> str:
    """What is chosen so far, as "field: value", for the model."""
    state = runtime.state
    if not state.in_progress:
        return ""
    fields = {
        "goal": str(state.goal),
        "state": str(state.state),
        "appointment_id": state.appointment_id,
        "service_id": state.selected_service_id,
        "professional_id": state.selected_professional_id,
        "date": state.selected_date,
        "time": state.selected_time,
        "patient_name": state.patient_name,
    }
    return "; ".join(f"{name}: {value}" for name, value in fields.items() if value)
