"""Who waits for a person longer than the clinic promises: a task, a sign in the inbox and, where the clinic has a phone
for it, a message to its staff."""

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from types import TracebackType
from typing import Self

from gendei.booking.dates import describe
from gendei.booking.dates.rendering import clock as spoken_time
from gendei.clinic import Clinic, Contact
from gendei.clock import Clock
from gendei.conversation.outbound.proactive import Opening, Proactive
from gendei.conversation.stored.conversation import CONVERSATION, Conversation
from gendei.conversation.stored.follow_ups import Occasion, follow_up
from gendei.conversation.stored.history import Event, event_write
from gendei.conversation.turns.handover import Change, Handover
from gendei.conversation.work.lanes import Sweeping
from gendei.documents import Documents, Query, Write, document_id
from gendei.errors import NotFound
from gendei.messages.channels import Clinics
from gendei.messages.replies import Reply

log = logging.getLogger(__name__)
SWEEP_SECONDS = 60.0
PAGE = 100
OF_USE = timedelta(hours=12)
"""How long somebody may want to know of it by phone."""
Alert = Callable[[Mapping[str, str]], str]
"""What the staff's phone is told, of the values that its template has too. No word of the patient's is among them."""


class Escalating:
    """Use it as a context manager. Several processes may look at once: each wait is told of once."""

    def __init__(  # its parts, given by name in messaging.py
        self,
        documents: Documents,
        clinics: Clinics,
        handover: Handover,
        proactive: Proactive,
        clock: Clock,
        *,
        alert: Alert,
        sweep_seconds: float = SWEEP_SECONDS,
    ) -> None:
        self._documents, self._clinics, self._clock = documents, clinics, clock
        self._handover, self._proactive, self._alert = handover, proactive, alert
        self._sweeping = Sweeping(self.sweep, sweep_seconds, log, "who waits for long could not be looked for: %s")

    async def __aenter__(self) -> Self:
        self._sweeping.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._sweeping.stop()

    async def sweep(self) -> int:
        """Look once, at every clinic; how many waits were told of."""
        return sum([await self._of_clinic(clinic) for clinic in self._clinics.all()])

    async def _of_clinic(self, clinic: Clinic) -> int:
        told = 0
        late = Query(
            f"gendei_clinics/{document_id(clinic.id)}/conversations",
            where=(("answerBy", "<=", self._clock()),),
            order_by=(("answerBy", False),),
            limit=PAGE,
        )
        while found := await self._documents.query(late):
            for snapshot in found:
                conversation = CONVERSATION.read(snapshot.data or {})
                if conversation.folded_into is None:
                    told += await self._tell(clinic, conversation)
            if len(found) < PAGE:
                break
            late = late.after(found[-1])
        return told

    async def _tell(self, clinic: Clinic, conversation: Conversation) -> bool:
        """The phone first, whose message has a name of its own and goes once: a process that dies before the commit
        leaves both to the next look."""
        if conversation.answer_by is None:
            return False
        await self._tell_phone(clinic, conversation, conversation.answer_by)
        with suppress(NotFound):  # erased meanwhile
            change = overdue(conversation.answer_by, self._clock())
            return bool((await self._handover.change(clinic.id, conversation.contact, change)).writes)
        return False

    async def _tell_phone(self, clinic: Clinic, conversation: Conversation, due: datetime) -> None:
        phone = Contact(clinic.takeover.staff_phone)
        if not phone or phone == conversation.contact or not conversation.waiting_for_person:
            return
        since, now = clinic.local(conversation.taken_over_at or due), self._clock()
        values = {
            "patient": conversation.user_name or conversation.phone or conversation.contact,
            "weekday_date": describe(since.date(), clinic.local(now)),
            "time": spoken_time(since.time()),
            "clinic_name": clinic.name,
            "address": clinic.address,
        }
        once = f"overdue/{conversation.key.text}/{due.isoformat()}"
        opening = Opening("staff_alert", Reply(self._alert(values)), values, once=once, until=now + OF_USE)
        await self._proactive.send(clinic, phone, opening)


def overdue(due: datetime, now: datetime) -> Change:
    """The wait that was to end by `due` is longer than promised, unless a person came or it was told already."""

    def change(conversation: Conversation) -> tuple[Conversation, list[Write]]:
        if not conversation.waiting_for_person or conversation.answer_by != due:
            return conversation, []
        event = event_write(conversation.key, Event.OVERDUE, conversation.after_last(now))
        why = conversation.takeover_reason or ""
        task = follow_up(conversation, Occasion.OVERDUE, now, about=due.isoformat(), description=why)
        return replace(conversation, answer_by=None, escalated_at=now, updated_at=now), [event, task]

    return change
