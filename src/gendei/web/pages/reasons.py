"""Why a person stepped into a conversation, as staff read it, and where to avoid the next one."""

from typing import NamedTuple

from gendei.messages.called_for import CalledFor
from gendei.staff.talk_times import UNTOLD
from gendei.web.pages.page_texts import page_texts

TEXTS = page_texts("reasons")
_PLACES = {
    CalledFor.ASKED: "/inbox",
    CalledFor.UNKNOWN: "/knowledge/gaps",
    CalledFor.CANNOT: "/settings/assistant",
    CalledFor.RULES: "/settings/rules",
    CalledFor.TOOL_FAILED: "/connect",
    CalledFor.NOT_UNDERSTOOD: "/settings/services",
    CalledFor.DANGER: "/inbox",
    CalledFor.MONEY: "/settings",
    CalledFor.COMPLAINT: "/inbox",
    CalledFor.ARRIVED: "/agenda",
    CalledFor.STAFF: "/cases",
    UNTOLD: "/inbox",
}


class Advice(NamedTuple):
    """`avoid`: what would make it happen less; `link`: the words of the link to `place`, where that is done."""

    name: str
    avoid: str
    link: str
    place: str


def advice(reason: str) -> Advice:
    """`reason`: one of CalledFor, or UNTOLD; anything else is told as UNTOLD."""
    known = reason if reason in _PLACES else UNTOLD
    return Advice(TEXTS[known], TEXTS[f"avoid_{known}"], TEXTS[f"link_{known}"], _PLACES[known])
