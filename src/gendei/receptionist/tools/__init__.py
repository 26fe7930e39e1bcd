"""The receptionist's tools, by name. Nothing of the SDK is imported here, so that files can be checked without it."""

from collections.abc import Mapping, Sequence

CATEGORIES: Mapping[str, Sequence[str]] = {
    "information": ("get_clinic_info", "get_professionals", "get_services", "search_knowledge"),
    "scheduling": (
        "get_available_slots",
        "hold_slot",
        "release_slot",
        "create_appointment",
        "send_appointment_confirmation",
    ),
    "appointments": (
        "get_patient_appointments",
        "cancel_appointment",
        "reschedule_appointment",
        "confirm_presence",
        "note_late",
        "note_health_plan",
        "check_deposit",
    ),
    "waiting": ("join_waiting_list", "get_waiting_list", "leave_waiting_list", "answer_waiting_offer"),
    "messaging": ("send_text_message",),
    "interactive": ("enviar_opcoes", "enviar_lista", "enviar_cta", "enviar_localizacao"),
    "handover": ("enable_human_takeover",),
    "strict": ("tell_about",),
}
"""Category to the names of its tools; a prompt may list a category instead of them. Those of "strict" are listed
nowhere: every agent that speaks has them in strict mode alone."""
CATEGORY_OF: Mapping[str, str] = {name: category for category, names in CATEGORIES.items() for name in names}
CHANGING = frozenset(
    {"hold_slot", "release_slot", "create_appointment", *CATEGORIES["appointments"], *CATEGORIES["waiting"]}
    - {"get_patient_appointments", "get_waiting_list"}
)
"""Tools after which others may answer otherwise than before."""
