"""Who comes is who the patient named: a model books nobody whom it made up."""

from gendei.booking.slots import Refusal
from gendei.receptionist.runtime import Runtime, ToolResult, failed
from gendei.receptionist.understanding.language import words


def name_missing(runtime: Runtime, patient_name: str) -> ToolResult | None:
    """The refusal of a name of which the patient wrote no word, in this conversation or in their profile."""
    told = (runtime.user_name or "", runtime.state.patient_name or "", *runtime.earlier)
    known = set(words("\n".join((*told, *(message.text for message in runtime.inputs)))))
    if known.issuperset(words(patient_name)):
        return None
    return failed(Refusal.INVALID_NAME, runtime.say("refusal_invalid_name"))
