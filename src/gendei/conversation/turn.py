"""One turn: load, ask the receptionist, and record everything in ONE commit."""

import asyncio
import logging
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from gendei.clinic import Clinic
from gendei.clock import Clock
from gendei.conversation.conversations import Arrival, Conversation
from gendei.conversation.inbox import attempt_writes, park_writes, readable, waiting_entries
from gendei.conversation.keys import ConversationKey
from gendei.conversation.lease import Lease, LeaseLost
from gendei.conversation.ports import Clinics, Provider
from gendei.conversation.recording import Recorded, Turn, record_parked, record_turn
from gendei.documents import Documents, Snapshot, put
from gendei.errors import Conflict, DocumentTooLarge, NaiveTime, StoreError, TooContended, UnstorableValue
from gendei.receptionist.contract import PatientInput, Receptionist, TurnInput, TurnOutcome
from gendei.receptionist.replies import Reply

log = logging.getLogger(__name__)
MAX_ATTEMPTS = 3
"""Turns over the same messages that may fail before the messages are set aside."""
MAX_COMMITS = 10
UNSTORABLE = (DocumentTooLarge, UnstorableValue, NaiveTime)
"""What no repetition of a commit cures."""
MARK_READ_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class TurnParts:
    """What a turn is made of. `apology` renders what the patient reads when no answer could be given."""

    documents: Documents
    clinics: Clinics
    receptionist: Receptionist
    providers: Mapping[str, Provider]
    apology: Callable[[Clinic], str]
    clock: Clock
    limit_seconds: float = 60.0


class TurnRunner:
    """Runs turns. `on_committed` is told after each commit that may have put something into the outbox."""

    def __init__(self, parts: TurnParts, on_committed: Callable[[ConversationKey], None]) -> None:
        self._parts = parts
        self._documents = parts.documents
        self._clock = parts.clock
        self._on_committed = on_committed
        self._background: set[asyncio.Task[None]] = set()

    async def run(self, key: ConversationKey, lease: Lease) -> bool:
        """Take up what waits for `key`, under its lease, which the turn's commit ends. True when more may wait.

        Raises LeaseLost when another process took over (nothing of the turn is stored or sent), StoreError when
        the store failed (the messages keep waiting), and whatever broke the turn otherwise, after counting it.
        """
        entries = await waiting_entries(self._documents, key)
        if not entries:
            return False
        try:
            return await self._run(key, lease, entries)
        except Exception as error:
            if isinstance(error, UNSTORABLE) or not isinstance(error, LeaseLost | StoreError):
                await self._documents.commit(attempt_writes(entries))
            raise

    async def close(self) -> None:
        """Drop what still runs in the background."""
        for task in self._background:
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)

    async def _run(self, key: ConversationKey, lease: Lease, entries: Sequence[Snapshot]) -> bool:
        clinic = await self._parts.clinics.get(key.clinic_id)
        if clinic is None:
            await self._documents.commit(park_writes(entries, "the clinic is gone"))
            return False
        arrivals = readable(entry for entry in entries if _attempts(entry) + lease.deaths < MAX_ATTEMPTS)
        if len(arrivals) < len(entries):
            kept = {arrival.id for arrival in arrivals}
            await self._park(key, lease, clinic, [entry for entry in entries if entry.id not in kept])
            return True
        [found] = await lease.confirm(key.path)
        conversation = Conversation.read(found, key, self._clock())
        outcome = None
        if not conversation.is_human_takeover:
            self._mark_read(clinic, arrivals[-1])
            async with lease.kept_alive():
                outcome = await self._answer(clinic, conversation, arrivals)
        turn = Turn(entries, arrivals, outcome)
        try:
            return not await self._commit(key, lease, found, lambda fresh: record_turn(fresh, turn, self._clock()))
        except UNSTORABLE as error:
            apology = Turn(entries, arrivals, self._apology(clinic, conversation, describe(error)))
        return not await self._commit(key, lease, found, lambda fresh: record_turn(fresh, apology, self._clock()))

    async def _answer(self, clinic: Clinic, conversation: Conversation, arrivals: Sequence[Arrival]) -> TurnOutcome:
        """The receptionist's answer or, whatever happens, an apology with the reason for staff (promise 9)."""
        known = conversation.met(arrivals)
        turn = TurnInput(
            clinic=clinic,
            contact=known.contact,
            phone=known.phone,
            channel=known.provider,
            user_name=known.user_name,
            inputs=tuple(_input(one) for one in arrivals),
            history=conversation.history,
            agent=conversation.current_agent,
            state=conversation.agent_state,
            now=clinic.local(self._clock()),
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
        apology = Reply(self._parts.apology(clinic))
        return TurnOutcome((apology,), conversation.current_agent, conversation.agent_state, failure=failure)

    async def _commit(
        self, key: ConversationKey, lease: Lease, found: Snapshot, record: Callable[[Conversation], Recorded | None]
    ) -> bool:
        """Commit what `record` makes of the conversation, again on a fresh one when staff changed it meanwhile.
        False when `record` made nothing of it: the turn has to start over."""
        for _ in range(MAX_COMMITS):
            recorded = record(Conversation.read(found, key, self._clock()))
            if recorded is None:
                return False
            document = put(key.path, recorded.conversation.to_document(), unchanged_since=found)
            try:
                await self._documents.commit([document, *recorded.writes, lease.release_write()])
            except Conflict:
                [found] = await lease.confirm(key.path)
            else:
                lease.released = True
                self._on_committed(key)
                return True
        raise TooContended

    async def _park(self, key: ConversationKey, lease: Lease, clinic: Clinic, entries: Sequence[Snapshot]) -> None:
        """Set aside what cannot be read or keeps failing, with an apology, so that the others are answered."""
        log.error("%d messages of clinic %s cannot be answered and are parked", len(entries), clinic.id)
        [found] = await lease.confirm(key.path)
        apology = Reply(self._parts.apology(clinic))
        await self._commit(key, lease, found, lambda fresh: record_parked(fresh, entries, apology, self._clock()))

    def _mark_read(self, clinic: Clinic, last: Arrival) -> None:
        """Show that the message was read and an answer is coming; the turn does not wait for it."""
        provider = self._parts.providers.get(last.provider)
        ours = (last.provider, last.external_id)
        channel = next((one for one in clinic.channels if (one.provider, one.external_id) == ours), None)
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


def describe(error: BaseException) -> str:
    """The kind of an error and where it came from; its message may hold a patient's words and is left out."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {PurePath(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{place}"


def _attempts(entry: Snapshot) -> int:
    return int((entry.data or {}).get("attempts", 0))


def _input(arrival: Arrival) -> PatientInput:
    message = arrival.message
    return PatientInput(message.content, choice=message.button_payload, kind=str(message.type))
