"""What a turn leaves behind: pure functions from a conversation and an outcome to the writes of one commit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from secrets import token_hex

from gendei.clinic import Contact
from gendei.conversation.files.media import fetch_writes
from gendei.conversation.inbound.inbox import done_writes, park_writes, readable
from gendei.conversation.outbound.outbox_entry import enqueue
from gendei.conversation.speech.spoken_answers import Notes
from gendei.conversation.speech.voice_notes import Heard
from gendei.conversation.stored.conversation import Conversation, Failure, FailureReason, Session, session_after
from gendei.conversation.stored.follow_ups import Occasion, follow_up
from gendei.conversation.stored.history import Author, Event, arrival_writes, event_write
from gendei.conversation.stored.outreach import OUTREACH, outreach_of
from gendei.documents import Snapshot, Write, put
from gendei.messages.called_for import CalledFor
from gendei.messages.channels import window_is_open
from gendei.messages.message import Arrival, MessageType
from gendei.messages.preferences import Preferences
from gendei.messages.replies import Reply
from gendei.messages.turns import DepositDue, LateNotice, LowScore, PatientInput, TurnOutcome

FOR_STAFF = frozenset({MessageType.IMAGE, MessageType.VIDEO, MessageType.DOCUMENT})
"""Files that the bot cannot open: the patient reads that staff will look at them."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The inbox entries of a turn, read as arrivals, and what the receptionist made of them; None where it was not
    asked: a person owned the conversation, or nothing of it wants an answer. `aliases`: the other contacts that these
    messages showed to be the patient's. `alarming`: a person has the conversation, and they speak of danger to health
    or life. `heard`: what their voice notes say; `notes`: the replies that are spoken. `answer_by`: what the clinic
    promises who is told in this turn that a person was called. `low_score`: what was tapped while a person has the
    conversation. `outreach`: what is kept of the patient's wishes, where the outcome changes them."""

    entries: Sequence[Snapshot]
    arrivals: Sequence[Arrival]
    outcome: TurnOutcome | None
    aliases: Sequence[Contact] = ()
    alarming: bool = False
    heard: Heard = field(default_factory=dict)
    notes: Notes = field(default_factory=dict)
    afterwards: Preferences | None = None
    answer_by: datetime | None = None
    low_score: LowScore | None = None
    outreach: Snapshot | None = None

    @property
    def unfetched(self) -> list[Arrival]:
        """The messages whose files the fetcher still has to bring."""
        return [
            arrival for arrival in self.arrivals if arrival.id not in self.heard or self.heard[arrival.id].media is None
        ]

    @property
    def wants_answer(self) -> bool:
        return any(arrival.message.starts_turn for arrival in self.arrivals)


@dataclass(frozen=True, slots=True)
class Recorded:
    """`to_speak`: what was said and is to be spoken too, once it is committed, and how. `charges`: those that it began,
    by id. `turn_id`: marks what enters
    the history."""

    conversation: Conversation
    writes: list[Write]
    to_speak: tuple[tuple[Reply, ...], Preferences] | None = None
    charges: tuple[str, ...] = ()
    turn_id: str = field(default_factory=lambda: token_hex(8))

    @property
    def as_one(self) -> list[Write]:
        """The writes, with what enters the history marked as one turn: which reply answers which message is not to be
        seen from the order, since a message may arrive while the one before it is being answered. And with the
        session that the turn belongs to."""
        marks, history = {"turn": self.turn_id}, f"{self.conversation.key.path}/messages/"
        if self.conversation.session is not None:
            marks["session"] = self.conversation.session.id
        return [
            replace(write, data={**write.data, **marks}) if write.data and write.path.startswith(history) else write
            for write in self.writes
        ]


def record_turn(conversation: Conversation, turn: Turn, now: datetime) -> Recorded | None:
    """The turn applied to `conversation` as it stands at the commit, which may differ from what the receptionist
    saw: where a person took over meanwhile, the patient's messages stay and the bot's replies do not. None where
    it was given back to the bot, which has not been asked yet."""
    outcome = turn.outcome
    if outcome is None and not conversation.has_person and turn.wants_answer:
        return None
    heard = conversation.received(turn.arrivals).known_as(turn.aliases)
    heard, queued = _with_queued(replace(heard, session=_session(conversation, turn, now)), now)
    writes = [
        *arrival_writes(conversation, turn.arrivals, turn.heard, failed=bool(outcome and outcome.failure)),
        *fetch_writes(conversation.key, turn.unfetched, now),
        *done_writes(turn.entries),
        *queued,
    ]
    if turn.alarming:
        heard = heard.alarmed(now)
        writes.append(follow_up(heard, Occasion.URGENCY, now, about=turn.arrivals[0].id))
    if low_score := outcome.low_score if outcome else turn.low_score:
        writes.append(_low_score(heard, low_score, now))
    if outcome is None:
        return Recorded(heard, writes)
    if outcome.opt_out is not None and turn.outreach is not None:
        writes.append(_wish(turn.outreach, now, opted_out=outcome.opt_out))
    if conversation.has_person:
        if outcome.steps or outcome.replies:
            writes.append(event_write(conversation.key, Event.REPLY_DROPPED, now, reasons=outcome.reasons))
        return Recorded(replace(heard, patient_id=outcome.patient_id or heard.patient_id), writes)
    answered = _answered(heard, turn, outcome, now)
    to_speak = (outcome.replies, turn.afterwards) if turn.afterwards else None
    return Recorded(answered.conversation, writes + answered.writes, to_speak, outcome.charges)


def _wish(found: Snapshot, now: datetime, *, opted_out: bool) -> Write:
    """The patient wants nothing but answers from now on, or messages again; what else is kept of them stays."""
    known = outreach_of(found)
    return put(
        found.path, OUTREACH.write(known.opted_out(now) if opted_out else known.opted_in()), unchanged_since=found
    )


def _session(before: Conversation, turn: Turn, now: datetime) -> Session:
    """Also while a person has the conversation, and the bot's replies do not go."""
    replies = turn.outcome.replies if turn.outcome and not before.has_person else ()
    messages = sum(arrival.message.starts_turn for arrival in turn.arrivals) + len(replies)
    return session_after(before.session, messages, now, was_closed=before.closed_at is not None)


def _with_queued(heard: Conversation, now: datetime) -> tuple[Conversation, list[Write]]:
    """With what staff wrote for when the patient writes again, where the window is open now."""
    writes: list[Write] = []
    if heard.queued and window_is_open(heard.provider, heard.window_ends_at, now):
        for queued in heard.queued:
            heard, sending = enqueue(heard, [Reply(queued.text)], author=Author.STAFF, now=now, name=queued.name)
            writes += sending
        heard = replace(heard, queued=())
    return heard, writes


def _answered(heard: Conversation, turn: Turn, outcome: TurnOutcome, now: datetime) -> Recorded:
    wished = replace(heard, preferences=heard.preferences.changed(outcome.preferences))
    conversation, writes = enqueue(
        wished.answered(outcome.agent, outcome.state, outcome.patient_id, now),
        outcome.replies,
        author=Author.BOT,
        now=now,
        despite_takeover=outcome.takeover_reason is not None,
        reasons=outcome.reasons,
        notes=turn.notes,
    )
    if outcome.failure is not None:
        conversation = conversation.failed(Failure(FailureReason.TURN_FAILED, outcome.failure, now))
        writes.append(event_write(heard.key, Event.TURN_FAILED, now, detail=outcome.failure))
    if outcome.late is not None:
        writes.append(_late(conversation, outcome.late, now))
    writes += [_deposit(conversation, due, now) for due in outcome.deposits]
    if outcome.takeover_reason is not None:
        called = _called(conversation, outcome, turn.answer_by, now)
        return Recorded(called.conversation, writes + called.writes)
    if any(arrival.message.type in FOR_STAFF for arrival in turn.arrivals) and not conversation.waiting_for_person:
        session = conversation.session.id if conversation.session else now.date().isoformat()
        writes.append(follow_up(conversation, Occasion.FILE, now, about=session))
    return Recorded(conversation, writes)


def _called(conversation: Conversation, outcome: TurnOutcome, answer_by: datetime | None, now: datetime) -> Recorded:
    """A person is called. Who waits already has a task, and is news only for another reason; an urgency is one of its
    own."""
    reason, urgent = outcome.takeover_reason or "", outcome.urgent
    why = CalledFor.DANGER if urgent else outcome.called_for
    before, called = conversation, conversation.called_person(reason, now, answer_by, why)
    called = called.alarmed(now) if urgent else called
    writes: list[Write] = []
    if not before.waiting_for_person or reason not in (before.takeover_reason or ""):
        said_at = called.after_last(now)
        writes.append(event_write(called.key, Event.TAKEN_OVER, said_at, detail=reason, called_for=why))
    if urgent or not before.waiting_for_person:
        occasion = Occasion.URGENCY if urgent else Occasion.TAKE_OVER
        since = called.taken_over_at or now
        writes.append(follow_up(called, occasion, now, about=since.isoformat()))
    return Recorded(called, writes)


def _late(conversation: Conversation, late: LateNotice, now: datetime) -> Write:
    """One task for an appointment, or for a day where there is none, however often the patient says so."""
    about = late.appointment_id or now.date().isoformat()
    return follow_up(conversation, Occasion.LATE, now, about, description=late.told, appointment_id=late.appointment_id)


def _low_score(conversation: Conversation, low: LowScore, now: datetime) -> Write:
    """One task for a visit; told again, with the reason, it is to be seen to again."""
    about = low.appointment_id
    return follow_up(conversation, Occasion.LOW_SCORE, now, about, description=low.told, appointment_id=about)


def _deposit(conversation: Conversation, due: DepositDue, now: datetime) -> Write:
    """One task for an appointment."""
    about = due.appointment_id
    return follow_up(conversation, Occasion.DEPOSIT, now, about, description=due.told, appointment_id=about)


def record_parked(conversation: Conversation, entries: Sequence[Snapshot], apology: Reply, now: datetime) -> Recorded:
    """Messages that cannot be answered: what can be read of them is kept for staff, and the patient gets `apology`
    unless a person owns the conversation."""
    arrivals = readable(entries)
    reason = f"{len(entries)} unreadable or failing repeatedly"
    writes = [
        *arrival_writes(conversation, arrivals, failed=True),
        *fetch_writes(conversation.key, arrivals, now),
        *park_writes(entries, reason),
        event_write(conversation.key, Event.MESSAGES_PARKED, now, detail=reason),
    ]
    heard = conversation.received(arrivals) if arrivals else conversation
    said = heard.failed(Failure(FailureReason.PARKED, reason, now))
    writes.append(follow_up(said, Occasion.PARKED, now, about=entries[0].id))
    if said.has_person or not said.provider:
        return Recorded(said, writes)
    said, sending = enqueue(said, [apology], author=Author.BOT, now=now)
    return Recorded(said, writes + sending)


MOST_CHARACTERS = 1900
"""Of one turn, or of one earlier message: a page of text; who books writes a few lines. With what joins the parts it
stays below the 2,000 characters that the vocabulary listens to."""
GAP = " … "
"""Stands between the two ends of a text that is cut."""


def excerpt(text: str, most: int = MOST_CHARACTERS) -> str:
    """`text`, or its beginning and its end, in at most `most` characters together with a gap."""
    half = (most - len(GAP)) // 2
    return text if len(text) <= most else f"{text[:half]}{GAP}{text[-half:]}"


def excerpts(inputs: Sequence[PatientInput], most: int = MOST_CHARACTERS) -> tuple[PatientInput, ...]:
    """The messages of one turn with at most `most` characters of text in all, from the first and the last of them.

    A message between them loses its text, and is left out where it was nothing but text: pictures, places and tapped
    options are few and short, and count.
    """
    if sum(len(message.text) for message in inputs) <= most:
        return tuple(inputs)
    half = most // 2
    first = _ends(inputs, half)
    last = _ends(inputs[::-1], half)[::-1]
    kept = []
    for message, before, after in zip(inputs, first, last, strict=True):
        text = message.text if before + after >= len(message.text) else _cut(message.text, before, after)
        if text or message.choice or message.kind != "text":
            kept.append(replace(message, text=text))
    return tuple(kept)


def _ends(inputs: Sequence[PatientInput], room: int) -> list[int]:
    """How many characters of each message have a place, in this order."""
    taken = []
    for message in inputs:
        taken.append(min(room, len(message.text)))
        room -= taken[-1]
    return taken


def _cut(text: str, before: int, after: int) -> str:
    return GAP.join(part for part in (text[:before], text[len(text) - after :]) if part)


def earlier(history: Sequence[Mapping[str, str]]) -> tuple[Mapping[str, str], ...]:
    """Earlier messages ("role", "content"), each of them cut."""
    return tuple({**message, "content": excerpt(message["content"])} for message in history)
