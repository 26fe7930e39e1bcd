"""One turn: load, ask the receptionist, and record everything in ONE commit."""

import asyncio
import logging
import traceback
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import PurePath

from gendei.booking.opening import answer_by
from gendei.channel_kinds import capabilities
from gendei.clinic import Clinic, ClinicId, Contact
from gendei.clock import Clock
from gendei.conversation.inbound.inbox import (
    Activity,
    attempt_writes,
    count_stall,
    done_writes,
    mark_earlier,
    moved_writes,
    park_writes,
    readable,
    waiting_entries,
)
from gendei.conversation.speech.spoken_answers import Voice, can_be_heard, cannot_wait
from gendei.conversation.speech.voice_notes import Speech, input_of, said_in
from gendei.conversation.stored.contacts import Contacts, Shown
from gendei.conversation.stored.conversation import CONVERSATION, FIRST_AGENT, Conversation
from gendei.conversation.stored.outreach import outreach_path
from gendei.conversation.turns.afterwards import SpokenAfterwards
from gendei.conversation.turns.people import awaited_person, comes_back, person_before
from gendei.conversation.turns.recording import Recorded, Turn, earlier, excerpt, excerpts, record_parked, record_turn
from gendei.conversation.work.lease import Lease, LeaseLost
from gendei.documents import Documents, Snapshot, delete, put
from gendei.errors import Conflict, DocumentTooLarge, NaiveTime, StoreError, TooContended, UnstorableValue
from gendei.messages.channels import Clinics, Provider
from gendei.messages.keys import MEDIA, ConversationKey
from gendei.messages.message import Arrival
from gendei.messages.replies import Reply
from gendei.messages.turns import LowScore, Receptionist, TurnInput, TurnOutcome
from gendei.observing.loop_watch import LoopWatch
from gendei.observing.tracing import span
from gendei.off_loop import off_loop

log = logging.getLogger(__name__)
MAX_ATTEMPTS = 3
"""Turns over the same messages that may fail before the messages are set aside."""
MAX_DEATHS = 5
"""Processes in a row that may die in a turn which ran alone (see Lease) before its messages are set aside. More than
MAX_ATTEMPTS: a death says less than a failure, since whatever else kills processes may find the same turn again."""
MAX_STALLS = 2
"""Turns in a row that may hold the event loop of their process for STALL_SECONDS before what the sender writes is set
aside unread, until STALLS_KEPT_FOR is over."""
STALL_SECONDS = 5.0
"""Half of the time for which a lease is given: much longer, and another process takes the turn over and stalls too."""
MAX_COMMITS = 10
UNSTORABLE = (DocumentTooLarge, UnstorableValue, NaiveTime)
"""What no repetition of a commit cures."""
MARK_READ_SECONDS = 10.0
RESULTS = {LeaseLost: "lease_lost", StoreError: "store_failed", asyncio.CancelledError: "released"}
"""What a turn that ended with an error is counted as; at a stop it is released for another process to take."""


Scores = Callable[[Clinic, Contact, Sequence[str]], Awaitable[LowScore | None]]


async def nothing_scored(_clinic: Clinic, _contact: Contact, _taps: Sequence[str]) -> LowScore | None:
    """Of who asks nobody how it was."""
    return None


@dataclass(frozen=True, slots=True)
class TurnParts:
    """What a turn is made of. `apology` renders what the patient reads when no answer could be given. `alarming`:
    whether patients' texts speak of danger to health or life, of which staff hear even where the bot is silent."""

    documents: Documents
    clinics: Clinics
    receptionist: Receptionist
    providers: Mapping[str, Provider]
    apology: Callable[[Clinic], str]
    clock: Clock
    limit_seconds: float = 60.0
    scores: Scores = nothing_scored
    """Keeps what is tapped of a survey while a person has the conversation."""
    alarming: Callable[[Sequence[str]], bool] = lambda _: False
    activity: Activity = field(default_factory=Activity)
    begun: Callable[[ClinicId, str], None] = lambda _clinic, _charge: None
    """Told of a charge that a committed turn began: by its clinic and id."""
    speech: Speech | None = None
    """What hears voice notes and speaks answers; without it patients are asked to write."""
    watch: LoopWatch = field(default_factory=LoopWatch)


@dataclass(frozen=True, slots=True)
class Notifiers:
    """Who is told, after a commit, that there may be something to do: to send, to answer (messages that moved to
    another conversation), to fetch."""

    sending: Callable[[ConversationKey], None]
    waiting: Callable[[ConversationKey], None]
    fetching: Callable[[ConversationKey], None]


class TurnRunner:
    """Runs turns."""

    def __init__(self, parts: TurnParts, contacts: Contacts, notifiers: Notifiers, voice: Voice | None = None) -> None:
        self._parts = parts
        self._voice = voice
        self._documents = parts.documents
        self._contacts = contacts
        self._clock = parts.clock
        self._notifiers = notifiers
        self._background: set[asyncio.Task[None]] = set()
        self._afterwards = SpokenAfterwards(parts.documents, parts.clinics, parts.clock, notifiers.sending)

    async def run(self, key: ConversationKey, lease: Lease) -> bool:
        """Take up what waits for `key`, under its lease, which the turn's commit ends. True when more may wait.

        Raises LeaseLost when another process took over (nothing of the turn is stored or sent), StoreError when
        the store failed (the messages keep waiting), and whatever broke the turn otherwise, after counting it.
        """
        entries = await waiting_entries(self._documents, key)
        if not entries:
            return False
        trace = (entries[0].data or {}).get("trace", "")
        with span("turn", trace, messages=len(entries)), self._parts.activity.turns.measured(RESULTS):
            return await self._attempt(key, lease, entries)

    async def _attempt(self, key: ConversationKey, lease: Lease, entries: Sequence[Snapshot]) -> bool:
        try:
            return await self._run(key, lease, entries)
        except asyncio.CancelledError:
            await self._hand_on(lease, entries)
            raise
        except LeaseLost:
            self._parts.activity.leases_lost += 1
            if lease.stalled:
                await count_stall(self._documents, entries, MAX_ATTEMPTS - 1)
            raise
        except Exception as error:
            if isinstance(error, UNSTORABLE) or not isinstance(error, StoreError):
                await self._documents.commit(attempt_writes(entries))
            raise

    def _stalled(self) -> bool:
        """Whether this turn held the event loop for long."""
        return self._parts.watch.longest_of(asyncio.current_task()) >= STALL_SECONDS

    async def spoken(self) -> bool:
        """Return once what follows its text by voice is enqueued, or never will be; whether that was so at first."""
        return await self._afterwards.idle()

    async def close(self) -> None:
        """Drop what still runs in the background."""
        await self._afterwards.close()
        for task in self._background:
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)

    async def _hand_on(self, lease: Lease, entries: Sequence[Snapshot]) -> None:
        """This process stops before the turn is done: end the lease, which is then nobody's death, and call another
        process (see gendei.conversation.wake_ups). Best effort, since the lease expires by itself."""
        calls = [put(entry.path, (entry.data or {}) | {"unattended": True}, unchanged_since=entry) for entry in entries]
        with suppress(LeaseLost, StoreError):
            await lease.confirm()
            await self._documents.commit([*calls, lease.release_write()])
            lease.released = True

    async def _run(self, key: ConversationKey, lease: Lease, entries: Sequence[Snapshot]) -> bool:
        clinic = await self._parts.clinics.get(key.clinic_id)
        if clinic is None:
            await self._documents.commit(park_writes(entries, "the clinic is gone"))
            self._parts.activity.parked += len(entries)
            return False
        deadly = lease.deaths_alone >= MAX_DEATHS or lease.stalls.count >= MAX_STALLS
        arrivals = readable(entry for entry in entries if _attempts(entry) < MAX_ATTEMPTS and not deadly)
        if len(arrivals) < len(entries):
            kept = {arrival.id for arrival in arrivals}
            await self._park(key, lease, clinic, [entry for entry in entries if entry.id not in kept])
            return True
        opened = await self._open(clinic, key, lease, entries, arrivals)
        if opened is None:
            return True
        turn = Turn(entries, arrivals, None, opened.aliases)
        if not opened.found.exists and not turn.wants_answer:
            await self._documents.commit(done_writes(entries))  # what asks for nothing opens no conversation
            return False
        await mark_earlier(self._documents, opened.conversation, arrivals)
        if turn.wants_answer and not opened.conversation.has_person:
            self._mark_read(clinic, next(arrival for arrival in reversed(arrivals) if arrival.message.starts_turn))
            try:
                async with lease.kept_alive():
                    turn = await self._answered(clinic, opened.conversation, turn)
            finally:
                lease.stalled = self._stalled()
            lease.forgiven = not lease.stalled
        try:
            return not await self._commit(key, lease, opened, lambda fresh: self._recorded(fresh, turn))
        except UNSTORABLE as error:
            outcome = self._apology(clinic, opened.conversation, describe(error))
            apology = replace(turn, outcome=replace(outcome, state={}))  # what it knew may be what has no room
        return not await self._commit(key, lease, opened, lambda fresh: self._recorded(fresh, apology))

    async def _recorded(self, conversation: Conversation, turn: Turn) -> Recorded | None:
        """Where a person has the conversation, danger is listened for here: nobody else did."""
        if conversation.has_person:
            told = excerpt("\n".join(arrival.message.text or "" for arrival in turn.arrivals))
            turn = replace(turn, alarming=await off_loop(len(told), lambda: self._parts.alarming([told])))
            taps = [arrival.message.button_payload for arrival in turn.arrivals if arrival.message.button_payload]
            clinic = await self._parts.clinics.get(conversation.clinic_id) if taps and turn.outcome is None else None
            if clinic is not None:
                turn = replace(turn, low_score=await self._parts.scores(clinic, conversation.contact, taps))
        if turn.outcome is not None and turn.outcome.opt_out is not None:
            turn = replace(turn, outreach=await self._documents.get(outreach_path(conversation.key)))
        return record_turn(conversation, turn, self._clock())

    async def _open(
        self,
        clinic: Clinic,
        key: ConversationKey,
        lease: Lease,
        entries: Sequence[Snapshot],
        arrivals: Sequence[Arrival],
    ) -> "_Opened | None":
        """The conversation that the arrivals belong to, with every address that they show linked to it. None when it
        is another than `key`'s: what waits has moved there."""
        shown = Shown.by(arrivals)
        aliases: tuple[Contact, ...] = ()
        found, link = await lease.confirm(key.path, key.link_path)
        conversation = Conversation.read(found, key, self._clock())
        if not link.exists and not shown.addresses <= {key.contact, *conversation.aliases}:
            aliases = (await self._contacts.join(clinic, key, shown)).aliases
            found, link = await lease.confirm(key.path, key.link_path)
        if link.exists:
            await self._move(clinic, key, lease, entries)
            return None
        return _Opened(found, link, Conversation.read(found, key, self._clock()), aliases)

    async def _move(self, clinic: Clinic, key: ConversationKey, lease: Lease, entries: Sequence[Snapshot]) -> None:
        """Let `entries` wait for the turn of the conversation that their sender belongs to, and bring there what was
        booked here."""
        home = await self._contacts.home(key)
        await self._contacts.move_in(clinic, key.contact, home.contact)
        await lease.confirm()
        try:
            await self._documents.commit([*moved_writes(entries, home), lease.release_write()])
        except Conflict as conflict:
            raise LeaseLost from conflict
        lease.released = True
        self._notifiers.waiting(home)

    async def _answered(self, clinic: Clinic, conversation: Conversation, turn: Turn) -> Turn:
        """The turn with its voice notes heard, answered, and the answer spoken where it is to be."""
        voice, preferences = self._voice, conversation.preferences
        if voice is not None:
            heard = await voice.listener.hear(clinic, conversation.key, turn.arrivals, preferences.language)
            turn = replace(turn, arrivals=[said_in(arrival, heard) for arrival in turn.arrivals], heard=heard)
        outcome = await self._answer(clinic, conversation, turn)
        if outcome.takeover_reason is not None:
            turn = replace(turn, answer_by=answer_by(clinic, self._clock(), at_any_hour=outcome.urgent))
        turn = replace(turn, outcome=outcome)
        if voice is None or not can_be_heard(turn.arrivals[-1].provider, turn.heard):
            return turn
        wanted = voice.speaker.by_voice(clinic, outcome, preferences, turn.heard)
        if wanted is None or cannot_wait(outcome):
            return replace(turn, afterwards=wanted)
        return replace(turn, notes=await voice.speaker.speak(clinic, conversation.key, outcome.replies, wanted))

    async def _answer(self, clinic: Clinic, conversation: Conversation, heard: Turn) -> TurnOutcome:
        """The receptionist's answer or, whatever happens, an apology with the reason for staff (promise 9)."""
        spoken = [arrival for arrival in heard.arrivals if arrival.message.starts_turn]
        known = conversation.with_sender(spoken)
        context, now = capabilities(known.provider).context, self._clock()
        resumes = comes_back(conversation, now)
        turn = TurnInput(
            clinic=clinic,
            contact=known.contact,
            phone=known.phone,
            channel=known.provider,
            user_name=known.user_name,
            inputs=excerpts([input_of(arrival, heard.heard) for arrival in spoken]),
            history=earlier(conversation.history[-context:] if context else conversation.history),
            agent=FIRST_AGENT if resumes else conversation.current_agent,
            state=conversation.agent_state,
            now=clinic.local(now),
            preferences=known.preferences,
            can_speak=self._voice is not None
            and self._voice.speaker.can_speak(clinic)
            and can_be_heard(known.provider, heard.heard),
            awaited=awaited_person(conversation, now),
            before=await person_before(self._documents, conversation, now),
            resumes=resumes,
        )
        try:
            async with asyncio.timeout(self._parts.limit_seconds):
                outcome = await self._parts.receptionist.answer(turn)
        except Exception as error:  # noqa: BLE001 - no failure of the receptionist may end in silence
            failure = describe(error)
        else:
            if outcome.replies:
                return outcome
            failure = "the receptionist gave no reply"
        return self._apology(clinic, conversation, failure)

    def _apology(self, clinic: Clinic, conversation: Conversation, failure: str) -> TurnOutcome:
        log.error("a turn of clinic %s failed: %s", clinic.id, failure)
        self._parts.activity.apologies += 1
        apology = Reply(self._parts.apology(clinic))
        return TurnOutcome((apology,), conversation.current_agent, conversation.agent_state, failure=failure)

    async def _commit(
        self,
        key: ConversationKey,
        lease: Lease,
        opened: "_Opened",
        record: Callable[[Conversation], Awaitable[Recorded | None]],
    ) -> bool:
        """Commit what `record` makes of the conversation, again on a fresh one when staff changed it meanwhile.
        False when `record` made nothing of it, or it became a part of another: the turn has to start over."""
        found, link = opened.found, opened.link
        for _ in range(MAX_COMMITS):
            recorded = await record(Conversation.read(found, key, self._clock()))
            if recorded is None or link.exists:
                return False
            writes = [put(key.path, CONVERSATION.write(recorded.conversation), unchanged_since=found), *recorded.as_one]
            if not found.exists:  # a conversation that is there is changed by the commit that links it elsewhere
                writes.append(delete(key.link_path, unchanged_since=link))
            try:
                await self._documents.commit([*writes, lease.release_write()])
            except Conflict:
                found, link = await lease.confirm(key.path, key.link_path)
            else:
                lease.released = True
                self._notifiers.sending(key)
                for charge_id in recorded.charges:
                    self._parts.begun(key.clinic_id, charge_id)
                if recorded.to_speak is not None and self._voice is not None:
                    self._afterwards.begin(recorded, self._voice.speaker)
                if any(write.path.startswith(f"{MEDIA}/") for write in writes):
                    self._notifiers.fetching(key)
                return True
        raise TooContended

    async def _park(self, key: ConversationKey, lease: Lease, clinic: Clinic, entries: Sequence[Snapshot]) -> None:
        """Set aside what cannot be read or keeps failing, with an apology, so that the others are answered."""
        opened = await self._open(clinic, key, lease, entries, ())
        if opened is None:
            return
        log.error("%d messages of clinic %s cannot be answered and are parked", len(entries), clinic.id)
        apology = Reply(self._parts.apology(clinic))

        async def record(fresh: Conversation) -> Recorded:
            return record_parked(fresh, entries, apology, self._clock())

        if await self._commit(key, lease, opened, record):
            self._parts.activity.parked += len(entries)

    def _mark_read(self, clinic: Clinic, last: Arrival) -> None:
        """Show that the message was read and an answer is coming; the turn does not wait for it."""
        provider = self._parts.providers.get(last.provider)
        ours = (last.provider, last.external_id)
        channel = next((known for known in clinic.channels if (known.provider, known.external_id) == ours), None)
        if provider is None or channel is None:
            return

        async def mark() -> None:
            try:
                async with asyncio.timeout(MARK_READ_SECONDS):
                    await provider.mark_read(channel, last.message, typing=True)
            except Exception as error:  # noqa: BLE001 - a courtesy; its failure changes nothing
                log.info("a message of clinic %s was not marked as read: %s", clinic.id, type(error).__name__)

        task = asyncio.create_task(mark())
        self._background.add(task)
        task.add_done_callback(self._background.discard)


@dataclass(frozen=True, slots=True)
class _Opened:
    """A conversation as it was read, and its own link, of which there is none."""

    found: Snapshot
    link: Snapshot
    conversation: Conversation
    aliases: tuple[Contact, ...]


def describe(error: BaseException) -> str:
    """The kind of an error and where it came from; its message may hold a patient's words and is left out."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {PurePath(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{place}"


def _attempts(entry: Snapshot) -> int:
    return int((entry.data or {}).get("attempts", 0))
