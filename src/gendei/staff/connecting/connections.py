"""Connections of a clinic: begun, gone on with by whoever asks or by the service, given up."""

import asyncio
import hmac
import logging
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import sha256
from secrets import token_hex, token_urlsafe
from weakref import WeakValueDictionary

from gendei.channel_kinds import CHANNEL_KINDS, Form
from gendei.clinic import ClinicId
from gendei.clinics.directory import Directory
from gendei.clock import Clock
from gendei.documents import Documents, Query, Snapshot, Write, create, put
from gendei.errors import Conflict, GendeiError, NotFound, SecretUnreadable
from gendei.secrets import SecretBox
from gendei.staff.actors import Actor, Right
from gendei.staff.audit import Action, audit_write
from gendei.staff.clinic_changes.changes import ClinicChanges
from gendei.staff.connecting.ledger import (
    CONNECTION,
    STEPS,
    ConnectionLedger,
    LedgerLine,
    SignUpBegun,
    Step,
    StepState,
    Way,
    collection_of,
    connection_path,
    connections_of,
    read_connection,
    secret_purpose,
)
from gendei.staff.connecting.looks import Looks
from gendei.staff.connecting.ports import QrCode, Sides, StepFailed
from gendei.staff.connecting.steps import StepOutcome, Steps, Work
from gendei.staff.connecting.texts import ConnectingRefusal, ConnectingTexts, StepFault

log = logging.getLogger(__name__)
BACK = "/connect/meta"
"""Where Meta leads back to, below our public address."""
STATE_LASTS = timedelta(minutes=15)
CLAIM = timedelta(seconds=30)
"""After which another process goes on, where the one that was at it has gone."""
LOOK_EVERY = timedelta(hours=6)
RETRY_FIRST, RETRY_LONGEST = 30.0, 3600.0
PIN = Form(r"[0-9]{6}", "6 digits")
Change = Callable[[ConnectionLedger], ConnectionLedger]
SECRETS = frozenset({"access_token", "api_key", "token", "client_token", "pin"})


class ConnectingRefused(GendeiError):
    """Nothing was done. `field`: what it is about, "" for none."""

    def __init__(self, reason: ConnectingRefusal, texts: ConnectingTexts, field: str = "", form: str = "") -> None:
        self.reason, self.field = reason, field
        self.text = texts.refusal(reason, field=field, form=form)
        super().__init__(self.text)


def forms_of(way: Way) -> dict[str, Form]:
    """What a way is given, by the names of the clinic file's fields; none of Embedded Signup."""
    kind = CHANNEL_KINDS[way.provider]
    if way is Way.META_SIGNUP:
        return {}
    wanted = (kind.external_id[0], *kind.secrets, "waba_id", "base_url")
    return {name: kind.forms[name] for name in wanted if name in kind.forms and name != "webhook_secret"}


def answers_of(way: Way) -> dict[str, Form]:
    """What may be told later: a number to choose, its PIN, and what it was given, once more."""
    number = CHANNEL_KINDS[way.provider].external_id
    own = {name: form for name, form in forms_of(way).items() if name in SECRETS or name == "waba_id"}
    return own | ({number[0]: number[1], "pin": PIN} if way.is_official else {})


class Connections:
    """`open_box`: gives what seals credentials. All that take an actor raise Forbidden without the right to manage, and
    NotFound for what is not the clinic's."""

    def __init__(
        self,
        documents: Documents,
        directory: Directory,
        changes: ClinicChanges,
        clock: Clock,
        sides: Sides,
        texts: ConnectingTexts,
        open_box: Callable[[], SecretBox],
    ) -> None:
        self._documents, self._clock, self._open_box = documents, clock, open_box
        self.sides, self._steps, self.texts = sides, Steps(sides, directory, changes), texts
        self._changes = changes
        self._looks = Looks(documents, sides, texts)
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def all(self, actor: Actor) -> list[ConnectionLedger]:
        """The clinic's, the newest first."""
        actor.require(Right.MANAGE)
        return await connections_of(self._documents, actor.clinic_id)

    async def get(self, actor: Actor, connection_id: str) -> ConnectionLedger:
        actor.require(Right.MANAGE)
        return (await self._read(actor.clinic_id, connection_id))[1]

    @asynccontextmanager
    async def following(self, actor: Actor) -> AsyncIterator[AsyncIterator[Sequence[ConnectionLedger]]]:
        """The clinic's connections now and after each change."""
        actor.require(Right.MANAGE)

        async def states(changes: AsyncIterator[list[Snapshot]]) -> AsyncIterator[Sequence[ConnectionLedger]]:
            async for _ in changes:
                yield await connections_of(self._documents, actor.clinic_id)

        async with self._documents.watch(Query(collection_of(actor.clinic_id))) as changes:
            yield states(changes)

    async def begin(self, actor: Actor, way: Way, given: Mapping[str, str]) -> ConnectionLedger:
        """Begin a ledger and go as far as it goes. Raises ConnectingRefused for what is not as its field has to be, and
        ChangeRefused without the second factor. The same number again is the same ledger, with what was given now."""
        actor.require(Right.MANAGE)
        fields = self._checked(forms_of(way), given, complete=True)
        if way is Way.META_SIGNUP and not self.sides.meta.can_sign_up:
            raise ConnectingRefused(ConnectingRefusal.NOT_BY_SIGNUP, self.texts)
        self._changes.require_proven(actor)
        now, name = self._clock(), CHANNEL_KINDS[way.provider].external_id[0]
        for standing in await self.all(actor):
            same = standing.facts.get(name) == fields.get(name) if fields else standing.current_step is Step.AUTHORIZE
            if standing.way is way and same:
                return await self._told(actor, standing.id, fields, anew=bool(fields))
        mine = (actor.clinic_id, token_hex(10))
        connection = ConnectionLedger(
            *(mine[1], mine[0], way, now, now, actor.user_id, actor.name),
            lines=tuple(LedgerLine(step) for step in STEPS[way]),
            facts={field: text for field, text in fields.items() if field not in SECRETS},
            sealed=self._sealed(*mine, {field: text for field, text in fields.items() if field in SECRETS}),
            due_at=now + CLAIM,
        )
        begun = audit_write(actor, Action.CONNECTION_BEGUN, connection.id, now, way=str(way))
        await self._documents.commit([create(connection.path, CONNECTION.write(connection)), begun])
        return await self.advance(*mine)

    async def go_on(self, actor: Actor, connection_id: str, answers: Mapping[str, str]) -> ConnectionLedger:
        """Try again what failed, with what staff answer now. With a new credential every step is looked at again.
        Raises as `begin`."""
        connection = await self.get(actor, connection_id)
        self._changes.require_proven(actor)
        fields = self._checked(answers_of(connection.way), answers)
        return await self._told(actor, connection_id, fields, anew=bool(fields.keys() & SECRETS - {"pin"}))

    async def end(self, actor: Actor, connection_id: str) -> None:
        """Give it up; a channel that the clinic has by now stays."""
        await self.get(actor, connection_id)

        def ended(connection: ConnectionLedger) -> ConnectionLedger:
            return replace(connection, ended_at=self._clock(), due_at=None, begun=None, sealed={})

        end = audit_write(actor, Action.CONNECTION_ENDED, connection_id, self._clock())
        await self._change(actor.clinic_id, connection_id, ended, end)

    async def to_meta(self, actor: Actor, session: str, connection_id: str) -> str:
        """The address at Meta where staff let our app in. Its `state` is good once, for a while, in this session.
        Raises as `begin`."""
        connection = await self.get(actor, connection_id)
        self._changes.require_proven(actor)
        if connection.way is not Way.META_SIGNUP:
            raise ConnectingRefused(ConnectingRefusal.NOT_BY_SIGNUP, self.texts)
        state = token_urlsafe(32)
        begun = SignUpBegun(_digest(state), _digest(session), self._clock() + STATE_LASTS)
        await self._change(actor.clinic_id, connection_id, lambda now: replace(now, begun=begun))
        return self.sides.meta.dialog(self._back, state)

    async def returned(self, actor: Actor, session: str, state: str, code: str) -> ConnectionLedger:
        """Staff came back from Meta: exchange the code at once, since it is good for seconds. code: "" where they did
        not let us in. Raises ConnectingRefused for a state that is not this session's, was used or is over."""
        found = next((each for each in await self.all(actor) if self._began(each, session, state)), None)
        if found is None:
            raise ConnectingRefused(ConnectingRefusal.STATE, self.texts)
        used = False

        def use(connection: ConnectionLedger) -> ConnectionLedger:
            nonlocal used
            used = self._began(connection, session, state)
            return replace(connection, begun=None)

        await self._change(found.clinic_id, found.id, use)
        if not used:
            raise ConnectingRefused(ConnectingRefusal.STATE, self.texts)
        try:
            if not code:
                raise StepFailed(StepFault.DENIED)
            token = await self.sides.meta.exchange(code, self._back)
        except StepFailed as failed:
            fault = str(failed.fault)
            return await self._change(
                found.clinic_id,
                found.id,
                lambda now: now.with_line(Step.AUTHORIZE, StepState.FAILING, self._clock(), fault),
            )
        return await self._told(actor, found.id, {"access_token": token}, anew=True)

    async def code(self, actor: Actor, connection_id: str) -> QrCode | None:
        """What the clinic's phone has to scan now; None where there is nothing to scan (any more)."""
        connection = await self.get(actor, connection_id)
        if connection.current_step is not Step.SCAN:
            return None
        try:
            code = await self.sides.linked[connection.way.provider].code(self._work(connection).access)
        except StepFailed:
            code = None
        if code is None:
            await self.advance(connection.clinic_id, connection.id)
        return code

    async def look(self, clinic_id: ClinicId, connection_id: str) -> ConnectionLedger:
        """Look after a number that is connected, and have staff told of what is bad, once."""
        _, connection = await self._read(clinic_id, connection_id)
        try:
            work = self._work(connection)
            channel = await self._steps.channel_of(work)
        except StepFailed:  # the channel was taken out since: there is nothing to look after
            return await self._change(clinic_id, connection_id, lambda now: replace(now, due_at=None))
        findings = await self._looks.look(work, channel)

        def looked(now: ConnectionLedger) -> ConnectionLedger:
            moment = self._clock()
            return replace(now, findings=findings, looked_at=moment, due_at=moment + LOOK_EVERY)

        return await self._change(clinic_id, connection_id, looked)

    async def advance(self, clinic_id: ClinicId, connection_id: str) -> ConnectionLedger:
        """Do the steps that can be done now, each with a commit of its own."""
        async with self._lock(connection_path(clinic_id, connection_id)):
            while True:
                stood, connection = await self._read(clinic_id, connection_id)
                line = connection.current
                if line is None or connection.ended_at is not None:
                    return connection
                after, goes_on = await self._after(connection, line.step)
                with suppress(Conflict):  # somebody told something meanwhile: the step is done again on that
                    await self._documents.commit([put(after.path, CONNECTION.write(after), unchanged_since=stood)])
                    if not goes_on:
                        return after

    async def _after(self, connection: ConnectionLedger, step: Step) -> tuple[ConnectionLedger, bool]:
        """The ledger after a try of the step, and whether the next step can be tried."""
        now = self._clock()
        try:
            outcome = await self._steps.do(step, self._work(connection))
        except StepFailed as failed:
            log.warning("connection %s of clinic %s: %s failed: %s", connection.id, connection.clinic_id, step, failed)
            after = connection.with_line(step, StepState.FAILING, now, failed.fault)
            line = after.line(step)
            return replace(after, due_at=_again(now, failed, line.attempts if line else 1)), False
        return self._written(connection, step, outcome, now)

    def _written(
        self, connection: ConnectionLedger, step: Step, outcome: StepOutcome, now: datetime
    ) -> tuple[ConnectionLedger, bool]:
        line = connection.line(step)
        since = line.at if line and line.at and line.state is outcome.state else now
        after = replace(
            connection.with_line(step, outcome.state, since, outcome.fault),
            facts={**connection.facts, **outcome.facts},
            sealed={**connection.sealed, **self._sealed(connection.clinic_id, connection.id, outcome.secrets)},
            choices=outcome.choices,
        )
        if outcome.state is StepState.OPEN:
            wait = outcome.wait_seconds
            return replace(after, due_at=None if wait is None else now + timedelta(seconds=wait)), False
        return replace(after, due_at=now if after.is_connected else now + CLAIM), not after.is_connected

    async def _told(
        self, actor: Actor, connection_id: str, fields: Mapping[str, str], *, anew: bool
    ) -> ConnectionLedger:
        """Keep what staff told, and go on. The audit names the fields, and nothing of what is in them."""
        clinic_id = actor.clinic_id
        sealed = self._sealed(clinic_id, connection_id, {name: fields[name] for name in fields.keys() & SECRETS})

        def told(connection: ConnectionLedger) -> ConnectionLedger:
            now = self._clock()
            facts = {name: text for name, text in fields.items() if name not in SECRETS}
            after = connection.begun_anew(now) if anew else connection
            after = replace(after, facts={**connection.facts, **facts}, sealed={**connection.sealed, **sealed})
            return replace(after, due_at=now + CLAIM)

        answered = Action.CONNECTION_ANSWERED
        entry = [audit_write(actor, answered, connection_id, self._clock(), fields=sorted(fields))] if fields else []
        await self._change(clinic_id, connection_id, told, *entry)
        return await self.advance(clinic_id, connection_id)

    def _checked(
        self, forms: Mapping[str, Form], given: Mapping[str, str], *, complete: bool = False
    ) -> dict[str, str]:
        fields = {name: text.strip() for name, text in given.items() if text.strip()}
        if unknown := sorted(fields.keys() - forms.keys()):
            raise ConnectingRefused(ConnectingRefusal.UNKNOWN_ANSWER, self.texts, unknown[0])
        for name, form in forms.items():
            missing = complete and name not in fields and form.default is None
            if missing or (name in fields and not form.fits(fields[name])):
                raise ConnectingRefused(ConnectingRefusal.FORM, self.texts, name, form.in_words)
        return fields

    def _began(self, connection: ConnectionLedger, session: str, state: str) -> bool:
        begun = connection.begun
        if begun is None or begun.until < self._clock():
            return False
        same_state = hmac.compare_digest(begun.digest, _digest(state))
        return hmac.compare_digest(begun.session, _digest(session)) and same_state

    @property
    def _back(self) -> str:
        return f"{self.sides.public_url}{BACK}"

    def _work(self, connection: ConnectionLedger) -> Work:
        """Raises StepFailed where a credential cannot be read any more."""
        mine, box = (connection.clinic_id, connection.id), self._open_box()
        try:
            secrets = {name: box.unseal(text, secret_purpose(*mine, name)) for name, text in connection.sealed.items()}
        except SecretUnreadable:
            raise StepFailed(StepFault.SECRET_LOST) from None
        return Work(connection, secrets, self._clock())

    def _sealed(self, clinic_id: ClinicId, connection_id: str, secrets: Mapping[str, str]) -> dict[str, str]:
        box = self._open_box()
        return {name: box.seal(text, secret_purpose(clinic_id, connection_id, name)) for name, text in secrets.items()}

    async def _read(self, clinic_id: ClinicId, connection_id: str) -> tuple[Snapshot, ConnectionLedger]:
        found = await self._documents.get(connection_path(clinic_id, connection_id))
        if not found.exists:
            raise NotFound
        return found, read_connection(clinic_id, connection_id, found.data)

    async def _change(
        self, clinic_id: ClinicId, connection_id: str, change: Change, *beside: Write
    ) -> ConnectionLedger:
        """beside: what is written in the same commit."""
        while True:
            stood, connection = await self._read(clinic_id, connection_id)
            after = change(connection)
            with suppress(Conflict):
                ledger = put(after.path, CONNECTION.write(after), unchanged_since=stood)
                await self._documents.commit([ledger, *beside])
                return after

    def _lock(self, path: str) -> asyncio.Lock:
        return self._locks.setdefault(path, asyncio.Lock())


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _again(now: datetime, failed: StepFailed, attempts: int) -> datetime | None:
    if not failed.passing:
        return None
    wait = min(RETRY_LONGEST, RETRY_FIRST * 2 ** max(0, attempts - 1))
    return now + timedelta(seconds=max(wait, failed.wait_seconds))
