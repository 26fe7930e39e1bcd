"""The sentences that staff read in the agenda, from `prompts/agenda.yaml`."""

from typing import Annotated

from gendei.booking.appointment import AppointmentStatus, Attendance
from gendei.booking.slots import Refusal
from gendei.booking.time_blocks import BlockRefusal
from gendei.conversation.outbound.proactive import Decline
from gendei.datafile import StrictModel, Text
from gendei.texts import Catalogue, Each, Holds, fill
from gendei.waiting.entry import WaitingFault

QUEUED, UNAVAILABLE = "queued", "unavailable"
"""What becomes of a notice beside being declined."""


class _Calendar(StrictModel):
    """What a calendar feed shows."""

    title: Annotated[Text, Holds(("professional",))]
    event: Annotated[Text, Holds(("service", "who"))]
    blocked: Text


class AgendaTexts(Catalogue):
    """Sentences by Refusal (but for the one that staff never meet), BlockRefusal, WaitingFault, AppointmentStatus and
    Attendance; `notices` by Decline, QUEUED and UNAVAILABLE. `changed`: somebody else was faster. `closed`: a day
    without another reason."""

    file_name = "agenda.yaml"
    refusals: Annotated[dict[str, Text], Each(set(Refusal) - {Refusal.TOO_MANY}), Holds(("professional",))]
    changed: Text
    blocks: Annotated[dict[str, Text], Each(BlockRefusal)]
    waiting: Annotated[dict[str, Text], Each(WaitingFault)]
    statuses: Annotated[dict[str, Text], Each(AppointmentStatus)]
    attendances: Annotated[dict[str, Text], Each(Attendance)]
    closed: Text
    notices: Annotated[dict[str, Text], Each((*Decline, QUEUED, UNAVAILABLE))]
    calendar: _Calendar

    def refusal(self, reason: Refusal, professional: str) -> str:
        """Why the desk did not do it. `professional`: the name of who was asked for."""
        return fill(self.refusals[reason], {"professional": professional})
