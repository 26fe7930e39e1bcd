"""What the session before left open, in words."""

from gendei.booking.dates import describe
from gendei.receptionist.offers.choices import day_from, start_from
from gendei.receptionist.runtime import Runtime
from gendei.receptionist.state import Goal


def recap(runtime: Runtime) -> str:
    """The unfinished draft as one line for the patient, for staff and for models; "" where there is none."""
    draft = runtime.state.unfinished
    if not draft:
        return ""
    goal, day, hour = Goal(draft.get("goal", Goal.BOOK)), draft.get("selected_date"), draft.get("selected_time")
    start = start_from(f"{day}T{hour}", runtime.clinic)
    when = start or day_from(day or "")
    with_whom = draft.get("professional_wanted") or start
    facts = (
        draft.get("selected_service_name"),
        draft.get("selected_professional_name") if with_whom else None,
        describe(when, runtime.now) if when else None,
        draft.get("patient_name"),
    )
    return runtime.say(f"unfinished_{goal}", value=", ".join(filter(None, facts)))
