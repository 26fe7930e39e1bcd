"""The list of conversations, as staff read it."""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain

from gendei.clinic import ClinicId, Contact
from gendei.clock import Clock
from gendei.conversation.inbound.inbox import EntryStatus, readable
from gendei.conversation.outbound.failures import Explain
from gendei.conversation.stored.conversation import CONVERSATION, Conversation
from gendei.documents import Documents, Query, Snapshot
from gendei.messages.keys import INBOX, ConversationKey
from gendei.messages.message import Arrival
from gendei.staff.actors import Actor, Right
from gendei.staff.inbox.rows import InboxFilter, Row, cursor_behind, in_order, inbox_rows, place_in, row_now

LIVE_CONVERSATIONS = 200
"""The newest, which one query brings."""
MOST_SEARCHED = 1000
"""Conversations that one call looks through, newest first; its cursor goes on from there."""
MOST_WAITING = 200
LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
"""Before anything that is stored."""


@dataclass(frozen=True, slots=True)
class ConversationPage:
    """`cursor` gives the next page; None: there is none. A page may hold fewer rows than asked for, or none, and still
    have a next one, where few conversations fit the filter."""

    rows: tuple[Row, ...]
    cursor: str | None


class ConversationList:
    """Reads only. `explain`: gives the reason of a failure in Portuguese."""

    def __init__(self, documents: Documents, clock: Clock, explain: Explain) -> None:
        self._documents, self._clock, self._explain = documents, clock, explain

    async def list(
        self,
        actor: Actor,
        shown: InboxFilter | None = None,
        *,
        cursor: str | None = None,
        limit: int = LIVE_CONVERSATIONS,
    ) -> ConversationPage:
        """The conversations that `shown` asks for. The first page begins with all who may be in danger, wait for a
        person, were put off or have a message that still waits for its turn, wherever they stand; these count as one
        page with the newest. Within a
        page the order is `in_order`'s; from page to page it goes back in time. Raises Forbidden, and ValueError for a
        cursor that is none of ours."""
        actor.require(Right.READ)
        shown, limit = shown or InboxFilter(), max(1, min(limit, LIVE_CONVERSATIONS))
        now = self._clock()
        urgent = await self._urgent(actor.clinic_id)
        query = newest(actor.clinic_id, limit)
        if cursor is not None:
            query = query.after(place_in(query.collection, cursor))
        first = urgent.rows(self._explain) if cursor is None else []
        kept: list[Row] = []

        def page(last: Snapshot | None) -> ConversationPage:
            rows = in_order((*kept, *(row for row in first if shown.shows(row, now))), now)
            return ConversationPage(tuple(rows), None if last is None else cursor_behind(last))

        for _ in range(-(-MOST_SEARCHED // limit)):
            found = await self._documents.query(query)
            for position, snapshot in enumerate(found):
                conversation = CONVERSATION.read(snapshot.data or {})
                if conversation.key not in urgent.known:
                    row = row_now(conversation.key, conversation, (), self._explain)
                    kept += [row] if row and shown.shows(row, now) else []
                if len(kept) == limit:
                    more = position + 1 < len(found) or len(found) == limit
                    return page(snapshot if more else None)
            if len(found) < limit:
                return page(None)
            query = query.after(found[-1])
        return page(found[-1])

    async def _urgent(self, clinic_id: ClinicId) -> "_Urgent":
        *standing, entries = await asyncio.gather(
            *(self._documents.query(query) for query in (*standing_first(clinic_id), waiting_arrivals(clinic_id)))
        )
        arrivals = arrivals_of(entries)
        known: dict[ConversationKey, Conversation | None] = dict.fromkeys(arrivals)
        for snapshot in (*chain(*standing), *await self._documents.get_many([key.path for key in arrivals])):
            if snapshot.data is not None:
                conversation = CONVERSATION.read(snapshot.data)
                known[conversation.key] = conversation
        return _Urgent(known, arrivals)


@dataclass(frozen=True, slots=True)
class _Urgent:
    """What stands on the first page wherever it is in time; None: a contact without a conversation yet."""

    known: Mapping[ConversationKey, Conversation | None]
    arrivals: Mapping[ConversationKey, list[Arrival]]

    def rows(self, explain: Explain) -> list[Row]:
        return inbox_rows(
            (conversation for conversation in self.known.values() if conversation), self.arrivals, explain
        )


def newest(clinic_id: ClinicId, limit: int = LIVE_CONVERSATIONS) -> Query:
    return Query(_collection(clinic_id), order_by=(("updatedAt", True),), limit=limit)


def standing_first(clinic_id: ClinicId) -> list[Query]:
    """What is listed wherever it stands in time: who waits for a person, who may be in danger, what is put off or has
    come back."""
    here = _collection(clinic_id)
    return [
        Query(here, where=(("waitingForPerson", "==", True),), limit=MOST_WAITING),
        *(
            Query(here, where=((field, ">", LONG_AGO),), order_by=((field, False),), limit=MOST_WAITING)
            for field in ("dangerAt", "snoozedUntil")
        ),
    ]


def waiting_arrivals(clinic_id: ClinicId) -> Query:
    """Accepted messages whose turn has not run."""
    return Query(
        INBOX,
        where=(("clinicId", "==", clinic_id), ("status", "==", str(EntryStatus.WAITING))),
        order_by=(("receivedAt", False),),
        limit=MOST_WAITING,
    )


def arrivals_of(entries: Iterable[Snapshot]) -> dict[ConversationKey, list[Arrival]]:
    """What waits, by the conversation that it waits for, in order of arrival."""
    return {key: arrivals for key, line in lines_of(entries).items() if (arrivals := readable(line))}


def lines_of(entries: Iterable[Snapshot]) -> dict[ConversationKey, list[Snapshot]]:
    """The entries by the conversation that they wait for, in order of arrival."""
    lines: dict[str, list[Snapshot]] = {}
    for entry in sorted(entries, key=_place_in_line):
        lines.setdefault((entry.data or {})["conversation"], []).append(entry)
    return {ConversationKey.parse(text): line for text, line in lines.items()}


def _place_in_line(entry: Snapshot) -> tuple[datetime, int]:
    data = entry.data or {}
    return data["receivedAt"], data["ordinal"]


def _collection(clinic_id: ClinicId) -> str:
    return ConversationKey(clinic_id, Contact("-")).path.rpartition("/")[0]
