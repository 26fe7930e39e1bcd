"""The rows of the inbox: pure functions from conversations, and from what waits for its turn, to what staff see."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum

from gendei.channel_kinds import capabilities
from gendei.clinic import Contact
from gendei.conversation.outbound.failures import Explain
from gendei.conversation.stored.conversation import Conversation
from gendei.documents import Snapshot
from gendei.messages.called_for import CalledFor
from gendei.messages.keys import ConversationKey
from gendei.messages.message import Arrival, MessageRole

PREVIEW_CHARACTERS = 120
_MARKS = re.compile("[\u0300-\u036f]")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


class State(StrEnum):
    """Whose turn it is: a patient waits for a person and nobody came yet, and the bot goes on meanwhile; a person has
    it; the bot has it; closed."""

    WAITING = "waiting"
    PERSON = "person"
    BOT = "bot"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Row:
    """One conversation as the list shows it. Moments are aware, in UTC. `unread`: patients' messages that no person
    has seen. `overdue_since`: when the wait for a person became longer than the clinic promises. `window_ends_at`:
    None where the channel has no service window, or the patient never wrote; `has_window` tells these apart.
    `failure`: why the last message failed, in Portuguese. `texts`: the last 50 messages, which is what a search looks
    through. `danger_since`: the patient may be in danger, and nobody has taken it up. `snoozed_until`: where
    `snoozed_by` put it off, and it was not taken up since."""

    contact: Contact
    name: str | None
    phone: str | None
    preview: str
    preview_by: str
    last_message_at: datetime
    updated_at: datetime
    unread: int
    state: State
    waiting_since: datetime | None = None
    overdue_since: datetime | None = None
    taken_over_by: str | None = None
    takeover_reason: str | None = None
    called_for: CalledFor | None = None
    assigned_to: str | None = None
    assigned_name: str | None = None
    labels: tuple[str, ...] = ()
    has_window: bool = False
    window_ends_at: datetime | None = None
    failure: str | None = None
    queued: int = 0
    texts: tuple[str, ...] = field(default=(), repr=False)
    channel: str = ""
    danger_since: datetime | None = None
    snoozed_until: datetime | None = None
    snoozed_by: str | None = None

    @property
    def title(self) -> str:
        return self.name or self.phone or self.contact

    @property
    def is_nameless_visitor(self) -> bool:
        """Somebody on the clinic's web site who has not said who they are; the contact tells nobody anything."""
        return capabilities(self.channel).is_visit and self.name is None and self.phone is None

    def is_snoozed(self, now: datetime) -> bool:
        """Whether it was put off, and its time has not come. Danger is never put off."""
        return self.danger_since is None and self.snoozed_until is not None and now < self.snoozed_until

    def came_back(self, now: datetime) -> bool:
        """Whether the time that it was put off to has come, and nobody has taken it up since."""
        return self.snoozed_until is not None and self.snoozed_until <= now

    def active_at(self, now: datetime) -> datetime:
        """When something last happened in it: a message, or its time came. That somebody read it is nothing."""
        back = self.snoozed_until if self.snoozed_until and self.came_back(now) else self.last_message_at
        return max(back, self.last_message_at)

    def window_is_open(self, now: datetime) -> bool:
        """Whether free text may go at `now`."""
        return not self.has_window or (self.window_ends_at is not None and now < self.window_ends_at)


@dataclass(frozen=True, slots=True)
class InboxFilter:
    """What the list shall show; everything asked for must hold. `state` None: all that are not closed, or, where
    something is searched for, all. `search`: words of name, phone or the last 50 messages, without regard to accents
    and capitals. `assigned_to`: a user's id. `snoozed`: only what is put off, which else a search alone shows."""

    state: State | None = None
    label: str | None = None
    assigned_to: str | None = None
    unread_only: bool = False
    search: str = ""
    snoozed: bool = False

    def shows(self, row: Row, now: datetime) -> bool:
        searched = bool(self.search.strip())
        if self.state is None and row.state is State.CLOSED and not searched:
            return False
        put_off = row.is_snoozed(now)
        return (
            (put_off if self.snoozed else searched or not put_off)
            and (self.state is None or row.state is self.state)
            and (self.label is None or self.label in row.labels)
            and (self.assigned_to is None or row.assigned_to == self.assigned_to)
            and (not self.unread_only or row.unread > 0)
            and _matches(row, self.search)
        )


def row_of(conversation: Conversation, explain: Explain) -> Row:
    """`explain`: gives the reason of a failure in Portuguese."""
    said = (message for message in reversed(conversation.messages) if message["role"] != MessageRole.SYSTEM)
    last = next(said, {"content": "", "role": ""})  # what the bot alone is told was said to nobody
    failure, since = conversation.last_failure, conversation.taken_over_at or conversation.updated_at
    has_window = capabilities(conversation.provider).has_window
    return Row(
        contact=conversation.contact,
        name=conversation.user_name,
        phone=conversation.phone,
        preview=_short(last["content"]),
        preview_by=last["role"],
        last_message_at=conversation.last_message_at or conversation.created_at,
        updated_at=conversation.updated_at,
        unread=conversation.unread,
        state=state_of(conversation),
        waiting_since=since if conversation.waiting_for_person else None,
        overdue_since=conversation.escalated_at if conversation.waiting_for_person else None,
        taken_over_by=conversation.taken_over_by,
        takeover_reason=conversation.takeover_reason,
        called_for=conversation.called_for,
        assigned_to=conversation.assigned_to,
        assigned_name=conversation.assigned_name,
        labels=conversation.labels,
        has_window=has_window,
        window_ends_at=conversation.window_ends_at if has_window else None,
        failure=None if failure is None else failure.explanation or explain(failure.reason, failure.detail),
        queued=len(conversation.queued),
        texts=tuple(message["content"] for message in conversation.messages),
        channel=conversation.provider,
        danger_since=conversation.danger_at,
        snoozed_until=conversation.snoozed_until,
        snoozed_by=conversation.snoozed_by,
    )


def state_of(conversation: Conversation) -> State:
    if conversation.waiting_for_person:
        return State.WAITING
    if conversation.is_human_takeover:
        return State.PERSON
    return State.CLOSED if conversation.closed_at is not None else State.BOT


def inbox_rows(
    known: Iterable[Conversation], arrivals: Mapping[ConversationKey, Sequence[Arrival]], explain: Explain
) -> list[Row]:
    """The rows of `known`, and of who has only just written, with what waits for its turn already in them, in no
    order."""
    conversations = {conversation.key: conversation for conversation in known}
    keys = dict.fromkeys((*conversations, *arrivals))
    rows = (row_now(key, conversations.get(key), arrivals.get(key, ()), explain) for key in keys)
    return [row for row in rows if row is not None]


def row_now(
    key: ConversationKey, known: Conversation | None, waiting: Sequence[Arrival], explain: Explain
) -> Row | None:
    """The row of `key` with what waits for its turn already in it; None where there is nothing to show. `known`: the
    conversation, where there is one."""
    conversation = None if known is None or known.folded_into is not None else known
    if spoken := [arrival for arrival in waiting if arrival.message.starts_turn]:
        moment = spoken[0].received_at
        conversation = (conversation or Conversation(key.clinic_id, key.contact, moment, moment)).received(spoken)
    return None if conversation is None else row_of(conversation, explain)


def in_order(rows: Iterable[Row], now: datetime) -> list[Row]:
    """Who may be in danger first, then who waits for a person, the longest wait first; then the last activity first.
    Nothing moves because somebody read it."""
    return sorted(rows, key=lambda row: _rank(row, now))


def fold(text: str) -> str:
    """For comparing: small letters without accents."""
    low = text.lower()
    return low if low.isascii() else _MARKS.sub("", _NOT_ASCII.sub(_decomposed, low))


def _decomposed(found: re.Match[str]) -> str:
    """One character at a time: a whole text would have its marks put in order, which takes quadratic time."""
    return unicodedata.normalize("NFKD", found[0])


def _rank(row: Row, now: datetime) -> tuple[bool, bool, float, float]:
    danger = row.danger_since is not None
    waits = danger or (row.state is State.WAITING and not row.is_snoozed(now))
    since = (row.danger_since or row.waiting_since or _LONG_AGO).timestamp() if waits else 0.0
    return not danger, not waits, since, -row.active_at(now).timestamp()


def _matches(row: Row, search: str) -> bool:
    """Whether every word of `search` stands in name, labels or messages, or its digits in the phone."""
    wanted = fold(search).split()
    if not wanted:
        return True
    digits = "".join(char for char in search if char.isdigit())
    if len(digits) >= 3 and digits in "".join(char for char in f"{row.phone} {row.contact}" if char.isdigit()):
        return True
    shown = fold("\n".join((row.name or "", row.contact, *row.labels, *row.texts)))
    return all(word in shown for word in wanted)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= PREVIEW_CHARACTERS else f"{line[: PREVIEW_CHARACTERS - 1]}…"


def cursor_behind(last: Snapshot) -> str:
    """What goes on behind `last`."""
    moment: datetime = (last.data or {})["updatedAt"]
    return f"{moment.isoformat()} {last.id}"


def place_in(collection: str, cursor: str) -> Snapshot:
    """The document that `cursor` goes on behind, as far as Query.after looks at it. Raises ValueError for what is no
    cursor."""
    moment, _, name = cursor.partition(" ")
    at = datetime.fromisoformat(moment)
    if not name or "/" in name or at.tzinfo is None:
        raise ValueError("a cursor is what a page gave")
    return Snapshot(f"{collection}/{name}", {"updatedAt": at})
