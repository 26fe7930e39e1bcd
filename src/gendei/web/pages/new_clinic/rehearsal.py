"""A conversation with a clinic that is not there yet: the receptionist on an agenda in memory. Nothing is stored or
sent."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from gendei.app import build_receptionist
from gendei.booking.desk import BookingDesk
from gendei.clinic import Clinic, Contact
from gendei.clock import Clock
from gendei.documents import Documents
from gendei.messages.message import MessageRole
from gendei.messages.replies import Option, Reply
from gendei.messages.turns import PatientInput, TurnInput
from gendei.receptionist.answering import TeamReceptionist
from gendei.settings import Settings
from gendei.store.sqlite import SqliteDocuments

SOMEBODY = Contact("+5511900000000")
NAME = "Maria"


class DraftRehearsal:
    """Make it with `open_rehearsal`, and close it."""

    def __init__(self, receptionist: TeamReceptionist, documents: Documents, clock: Clock) -> None:
        self._receptionist, self._documents, self._clock = receptionist, documents, clock
        self.begin_anew()

    def begin_anew(self) -> None:
        """Forget what was said; what was booked stands in this agenda."""
        self._agent, self._state = "triage", dict[str, Any]()
        self._history: tuple[dict[str, str], ...] = ()

    async def say(self, clinic: Clinic, text: str, option: Option | None = None) -> Sequence[Reply]:
        """What the clinic answers, as it is now, to a text or a tap."""
        said = PatientInput(option.title, option.id, "interactive") if option else PatientInput(text, kind="text")
        turn = TurnInput(
            clinic=clinic,
            contact=SOMEBODY,
            phone=SOMEBODY,
            user_name=NAME,
            inputs=(said,),
            history=self._history,
            agent=self._agent,
            state=self._state,
            now=clinic.local(self._clock()),
            channel="rehearsal",
        )
        outcome = await self._receptionist.answer(turn)
        self._agent, self._state = outcome.agent, dict(outcome.state)
        told = "\n\n".join(reply.text for reply in outcome.replies)
        exchange = ((MessageRole.USER, said.text), (MessageRole.ASSISTANT, told))
        self._history += tuple({"role": str(role), "content": content} for role, content in exchange)
        return outcome.replies

    async def close(self) -> None:
        await self._documents.close()


async def open_rehearsal(settings: Settings, clock: Clock) -> DraftRehearsal:
    """It answers by the built-in receptionist alone: a draft costs nobody anything."""
    documents = await SqliteDocuments.open(":memory:")
    receptionist = build_receptionist(settings.model_copy(update={"model": "guided"}), BookingDesk(documents, clock))
    return DraftRehearsal(replace(receptionist, models=None), documents, clock)
