"""One conversation, page by page, as staff read it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from gendei.clinic import Clinic
from gendei.clock import Clock
from gendei.conversation.inbound.inbox import readable, waiting_entries
from gendei.conversation.outbound.failures import Explain
from gendei.conversation.stored.contacts import home_of
from gendei.conversation.stored.conversation import Conversation, Session, SessionStatus
from gendei.conversation.stored.history import HistoryMessage, Place, arrival_writes, latest_messages, message_of
from gendei.documents import Documents, Snapshot
from gendei.errors import NotFound
from gendei.messages.channels import Clinics
from gendei.messages.message import Arrival
from gendei.receptionist.llm.summaries import Memory
from gendei.staff.actors import Actor, Right
from gendei.staff.inbox.messages_shown import Item, items_of, queued_item
from gendei.staff.inbox.rows import Row, row_of
from gendei.staff.inbox.texts import InboxTexts
from gendei.staff.inbox.why import Account
from gendei.staff.patients import key_of

PAGE = 50


@dataclass(frozen=True, slots=True)
class View:
    """`row`: the conversation as the list has it. `items`: oldest first. `older`: the cursor of the page before this
    one; None: this is the beginning. `free_text`: whether text may go now; where not, `template` tells whether a
    template of the clinic's can carry a person's message, and queueing always works. `session`: the last; None before
    its first turn. `summary`: what a model wrote down of messages that it no longer reads, or what the session before
    left open; often empty."""

    row: Row
    items: tuple[Item, ...]
    older: str | None
    free_text: bool
    template: bool
    session: tuple[Session, SessionStatus] | None
    summary: str


class ConversationViews:
    """Reads only; what staff see is put into the audit by `ConversationActions.open`."""

    def __init__(
        self, documents: Documents, clinics: Clinics, clock: Clock, texts: InboxTexts, explain: Explain
    ) -> None:
        self._documents = documents
        self._clinics = clinics
        self._clock = clock
        self._texts = texts
        self._explain = explain

    def why(self, item: Item, clinic: Clinic) -> Account:
        """Why the bot said `item`, in sentences; empty for what nothing was recorded of."""
        return self._texts.why.account(item.reasons, clinic, clinic.local(item.at))

    def why_headings(self) -> Mapping[str, str]:
        """What stands above the sentences of each part."""
        return self._texts.why.headings

    async def view(self, actor: Actor, contact: str, *, before: str | None = None, limit: int = PAGE) -> View:
        """The newest page, with what still waits for its turn; or, with a cursor, an older one. Any address of the
        patient names the conversation. Raises Forbidden, NotFound, and ValueError for a cursor that is none of
        ours."""
        actor.require(Right.READ)
        limit = max(1, min(limit, PAGE))
        place = None if before is None else _place(before)
        key = await home_of(self._documents, key_of(actor, contact))
        found = await self._documents.get(key.path)
        arrivals = readable(await waiting_entries(self._documents, key)) if place is None else []
        if not found.exists and not arrivals:
            raise NotFound
        conversation = Conversation.read(found, key, self._clock())
        stored = await latest_messages(self._documents, conversation, limit, place)
        messages = stored + _waiting(conversation, arrivals)
        items = items_of(key.clinic_id, messages, self._texts, frozenset(arrival.id for arrival in arrivals))
        if place is None:
            items += tuple(queued_item(queued) for queued in conversation.queued)
        clinic = await self._clinics.get(key.clinic_id)
        row = row_of(conversation.received(arrivals), self._explain)
        return View(
            row=row,
            items=items,
            older=_cursor(stored[0]) if len(stored) == limit else None,
            free_text=row.window_is_open(self._clock()),
            template=clinic is not None and "staff_message" in clinic.templates,
            session=_session(conversation, self._clock()),
            summary=Memory.of(conversation.agent_state).summary.text or str(conversation.agent_state.get("recap", "")),
        )


def _session(conversation: Conversation, now: datetime) -> tuple[Session, SessionStatus] | None:
    session, is_closed = conversation.session, conversation.closed_at is not None
    if session is None:
        return None
    return session, session.status(now, is_human_takeover=conversation.has_person, is_closed=is_closed)


def _waiting(conversation: Conversation, arrivals: list[Arrival]) -> list[HistoryMessage]:
    """What waits for its turn, as the history will have it."""
    return [message_of(Snapshot(write.path, write.data)) for write in arrival_writes(conversation, arrivals)]


def _cursor(oldest: HistoryMessage) -> str:
    moment, name = oldest.place
    return f"{moment.isoformat()} {name}"


def _place(cursor: str) -> Place:
    moment, _, name = cursor.partition(" ")
    at = datetime.fromisoformat(moment)
    if not name or at.tzinfo is None:
        raise ValueError("a cursor is what a page gave")
    return at, name
