"""Gives conversations back to the bot in which no person of the clinic said anything for long.

Every process looks; whoever commits first did it, since the commit holds the conversation as it was read.
"""

import logging
from contextlib import suppress
from datetime import datetime, timedelta
from types import TracebackType
from typing import Self

from gendei.clinic import Clinic
from gendei.clock import Clock
from gendei.conversation.conversations import CONVERSATION, Conversation
from gendei.conversation.handover import Change, Handover
from gendei.conversation.history import Event, event_write
from gendei.conversation.ports import Clinics
from gendei.conversation.sweeping import Sweeping
from gendei.documents import Documents, Query, Write, document_id
from gendei.errors import NotFound
from gendei.messages.message import MessageRole

log = logging.getLogger(__name__)
SWEEP_SECONDS = 60.0
PAGE = 100


class Returning:
    """Use it as a context manager. `clinics`: each says after how many minutes (`Clinic.takeover`). `note`: what the
    bot is told of it."""

    def __init__(
        self,
        documents: Documents,
        clinics: Clinics,
        handover: Handover,
        clock: Clock,
        *,
        note: str,
        sweep_seconds: float = SWEEP_SECONDS,
    ) -> None:
        self._documents, self._clinics, self._handover, self._clock = documents, clinics, handover, clock
        self._note, self._sweep_seconds = note, sweep_seconds
        self._sweeping = Sweeping(self.sweep, sweep_seconds, log, "silent take-overs could not be looked for: %s")

    async def __aenter__(self) -> Self:
        self._sweeping.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._sweeping.stop()

    async def sweep(self) -> int:
        """Look once, at every clinic; how many conversations went back."""
        return sum([await self._of_clinic(clinic) for clinic in self._clinics.all()])

    async def _of_clinic(self, clinic: Clinic) -> int:
        minutes = clinic.takeover.return_after_minutes
        if not minutes:
            return 0
        until, returned = self._clock() - timedelta(minutes=minutes), 0
        silent = Query(
            f"gendei_clinics/{document_id(clinic.id)}/conversations",
            where=(("personAt", "<=", until),),
            order_by=(("personAt", False),),
            limit=PAGE,
        )
        while found := await self._documents.query(silent):
            for snapshot in found:
                conversation = CONVERSATION.read(snapshot.data or {})
                if conversation.is_human_takeover and conversation.folded_into is None:
                    with suppress(NotFound):  # erased meanwhile
                        change = leaving(self._note, until, self._clock())
                        done = await self._handover.change(clinic.id, conversation.contact, change)
                        returned += bool(done.writes)
            if len(found) < PAGE:
                break
            silent = silent.after(found[-1])
        return returned


def leaving(note: str, until: datetime, now: datetime) -> Change:
    """Back to the bot, which is told `note`, unless a person said something after `until`."""

    def change(conversation: Conversation) -> tuple[Conversation, list[Write]]:
        if not conversation.is_human_takeover or conversation.person_at is None or conversation.person_at > until:
            return conversation, []
        moment = conversation.after_last(now)
        event = event_write(conversation.key, Event.LEFT, moment)
        back = conversation.left(now)
        return (back.said(MessageRole.SYSTEM, note, moment) if note else back), [event]

    return change
