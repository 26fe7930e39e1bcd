"""Why guided calls a person, as one of the reasons that are counted."""

from gendei.messages.called_for import CalledFor
from gendei.receptionist.guided.guided_turn import GuidedTurn

_OF_REASON = {
    "complains": CalledFor.COMPLAINT,
    "arrived": CalledFor.ARRIVED,
    "file_asked": CalledFor.CANNOT,
    "staff_matter": CalledFor.CANNOT,
    "not_understood": CalledFor.NOT_UNDERSTOOD,
    "urgent": CalledFor.DANGER,
    "crisis": CalledFor.DANGER,
}
_MONEY = ("paid", "money_matter")
_ANSWERED_BY = {
    "info_unknown": CalledFor.UNKNOWN,
    "plan_waiting_unknown": CalledFor.UNKNOWN,
    "service_not_found": CalledFor.CANNOT,
    "apology": CalledFor.TOOL_FAILED,
    "not_understood": CalledFor.NOT_UNDERSTOOD,
    "not_understood_menu": CalledFor.NOT_UNDERSTOOD,
    "not_understood_again": CalledFor.NOT_UNDERSTOOD,
}
"""What the patient read last of us, where that is why they ask for a person."""


def called_for(turn: GuidedTurn, reason: str) -> CalledFor:
    """`reason`: names the phrase that staff read. Who asks for a person because the last answer was none is called a
    person for what that answer lacked."""
    heard = turn.runtime.heard
    if reason == "staff_matter" and heard is not None and heard.wants(*_MONEY):
        return CalledFor.MONEY
    if reason == "asked_for_person":
        last = turn.runtime.said[-1] if turn.runtime.said else ""
        return next((why for phrase, why in _ANSWERED_BY.items() if _holds(turn, last, phrase)), CalledFor.ASKED)
    return _OF_REASON.get(reason, CalledFor.ASKED)


def _holds(turn: GuidedTurn, text: str, phrase: str) -> bool:
    runtime = turn.runtime
    return any(wording and wording in text for wording in runtime.phrases.wordings(phrase, **runtime.words))
