"""What each step of connecting a number does. Each can be done again: it finds what it did before."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from secrets import randbelow, token_urlsafe

from gendei.channel_kinds import CHANNEL_KINDS
from gendei.clinic import Channel
from gendei.clinics.directory import Directory
from gendei.clinics.field_paths import dotted
from gendei.errors import NotFound
from gendei.staff.actors import Actor, Right
from gendei.staff.clinic_changes.changes import ClinicChanges
from gendei.staff.clinic_changes.editing import Edit
from gendei.staff.clinic_changes.refusing import ChangeRefused
from gendei.staff.clinic_changes.texts import ChangeFault
from gendei.staff.connecting.ledger import ConnectionLedger, NumberChoice, Step, StepState
from gendei.staff.connecting.ports import Access, MetaNumber, Sides, StepFailed
from gendei.staff.connecting.texts import StepFault

SOURCE = "staff"
"""Of the clinic's change: staff connect, whatever process goes on with it."""
SCAN_SECONDS, LATE_SCAN_SECONDS = 10.0, 300.0
SCAN_SOON, SCAN_LONGEST = timedelta(minutes=15), timedelta(days=7)
"""How long a code is looked after often, and how long at all; then somebody has to open it again."""
CONTACTS, HISTORY = "smb_app_state_sync", "history"
"""What Meta sends once of a number that stays in the WhatsApp Business app, in the order in which it is asked for."""


@dataclass(frozen=True, slots=True)
class StepOutcome:
    """What became of a step. `fault`: of one that is skipped for it. `wait_seconds`: after which an open step is looked
    at again by itself; None: somebody has to do something."""

    state: StepState = StepState.DONE
    facts: Mapping[str, str] = field(default_factory=dict)
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)
    choices: tuple[NumberChoice, ...] = ()
    fault: str = ""
    wait_seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Work:
    """A connection with its credentials in the clear."""

    connection: ConnectionLedger
    secrets: Mapping[str, str] = field(repr=False)
    now: datetime

    @property
    def facts(self) -> Mapping[str, str]:
        return self.connection.facts

    @property
    def access(self) -> Access:
        return Access(self.facts, self.secrets)

    @property
    def token(self) -> str:
        return self.secret("access_token", StepFault.TOKEN_OVER)

    def secret(self, name: str, otherwise: StepFault = StepFault.SECRET_LOST) -> str:
        """Raises StepFailed where there is none."""
        if not self.secrets.get(name):
            raise StepFailed(otherwise)
        return self.secrets[name]

    @property
    def number(self) -> str:
        """The number's name at its provider; "" as long as it is not known."""
        return self.facts.get(CHANNEL_KINDS[self.connection.way.provider].external_id[0], "")

    @property
    def on_behalf(self) -> Actor:
        """Who began it, whatever process goes on."""
        connection = self.connection
        return Actor(connection.clinic_id, connection.user_id, connection.name, frozenset({Right.MANAGE}))


class Steps:
    """Does the steps of any way. `do` raises StepFailed."""

    def __init__(self, sides: Sides, directory: Directory, changes: ClinicChanges) -> None:
        self._sides, self._directory, self._changes = sides, directory, changes
        self._all: Mapping[Step, Callable[[Work], Awaitable[StepOutcome]]] = {
            Step.AUTHORIZE: self._authorize,
            Step.TOKEN: self._token,
            Step.NUMBER: self._number,
            Step.REGISTER: self._register,
            Step.INSTANCE: self._instance,
            Step.SCAN: self._scan,
            Step.CHANNEL: self._channel,
            Step.SUBSCRIBE: self._subscribe,
            Step.CALLBACK: self._callback,
            Step.WEBHOOK: self._webhook,
            Step.SYNC: self._sync,
            Step.ARRIVAL: self._arrival,
        }

    async def do(self, step: Step, work: Work) -> StepOutcome:
        return await self._all[step](work)

    async def channel_of(self, work: Work) -> Channel:
        """The clinic's channel that this made. Raises StepFailed where there is none."""
        found = await self._directory.read(work.connection.clinic_id)
        mine = (work.connection.way.provider, work.number)
        for channel in found[1].channels if found else ():
            if (channel.provider, channel.external_id) == mine:
                return channel
        raise StepFailed(StepFault.NOT_TAKEN)

    async def _authorize(self, work: Work) -> StepOutcome:
        """Nothing but the way back from Meta does it."""
        return StepOutcome(StepState.DONE if work.secrets.get("access_token") else StepState.OPEN)

    async def _token(self, work: Work) -> StepOutcome:
        accounts = await self._sides.meta.accounts(work.token)
        if not accounts and not work.facts.get("waba_id"):
            raise StepFailed(StepFault.NO_ACCOUNT)
        pin = work.secrets.get("pin") or f"{randbelow(10**6):06d}"  # kept before it is used
        return StepOutcome(facts={"accounts": " ".join(accounts)}, secrets={"pin": pin})

    async def _number(self, work: Work) -> StepOutcome:
        known = work.facts.get("waba_id", "")
        found: list[tuple[str, MetaNumber]] = []
        for account in [known] if known else work.facts.get("accounts", "").split():
            found += [(account, number) for number in await self._sides.meta.numbers(work.token, account)]
        if work.number:
            found = [each for each in found if each[1].id == work.number]
        if not found:
            raise StepFailed(StepFault.NUMBER_UNKNOWN if work.number else StepFault.NO_NUMBER)
        if len(found) > 1:
            return StepOutcome(
                StepState.OPEN, choices=tuple(NumberChoice(number.id, number.shown) for _, number in found)
            )
        [(account, number)] = found
        await self._require_free(work, number.id)
        coexists = "true" if number.coexists else ""
        told = {"phone": number.phone, "name": number.name, "coexists": coexists}
        return StepOutcome(facts={"waba_id": account, "phone_number_id": number.id, **told})

    async def _require_free(self, work: Work, number: str) -> None:
        owner = await self._directory.by_channel(work.connection.way.provider, number)
        if owner is not None and owner.id != work.connection.clinic_id:
            raise StepFailed(StepFault.NUMBER_TAKEN)

    async def _register(self, work: Work) -> StepOutcome:
        """Never of a number that stays in the phone's app: it would leave it."""
        if work.facts.get("coexists"):
            return StepOutcome(StepState.SKIPPED)
        if not (await self._sides.meta.number(work.token, work.number)).is_registered:
            await self._sides.meta.register(work.token, work.number, work.secret("pin"))
        return StepOutcome()

    async def _instance(self, work: Work) -> StepOutcome:
        await self._require_free(work, work.number)
        secrets = await self._sides.linked[work.connection.way.provider].prepare(work.access)
        return StepOutcome(
            secrets={"webhook_secret": work.secrets.get("webhook_secret") or token_urlsafe(24), **secrets}
        )

    async def _scan(self, work: Work) -> StepOutcome:
        if await self._sides.linked[work.connection.way.provider].is_linked(work.access):
            return StepOutcome()
        line = work.connection.line(Step.SCAN)
        waited = work.now - (line.at if line and line.at else work.now)
        if waited > SCAN_LONGEST:
            return StepOutcome(StepState.OPEN)
        return StepOutcome(StepState.OPEN, wait_seconds=SCAN_SECONDS if waited < SCAN_SOON else LATE_SCAN_SECONDS)

    async def _channel(self, work: Work) -> StepOutcome:
        """By the way of every change of a clinic. Of a channel that stands already, what else is said of it stays."""
        provider = work.connection.way.provider
        kind, path = CHANNEL_KINDS[provider], ("channels", f"{provider}:{work.number}")
        values = {name: work.secret(name) for name in kind.secrets}
        values |= {name: text for name in kind.settings if (text := work.facts.get(name, ""))}
        edits = [Edit(dotted((*path, name)), text) for name, text in values.items()]
        try:
            data = await self._changes.read(work.on_behalf)
            await self._changes.save(work.on_behalf, data.version, edits, source=SOURCE)
        except NotFound:
            raise StepFailed(StepFault.NOT_TAKEN) from None
        except ChangeRefused as refused:
            if refused.reason is ChangeFault.KEPT_IN_FILE:
                raise StepFailed(StepFault.KEPT_IN_FILE) from None
            await self._require_free(work, work.number)
            meanwhile = refused.reason is not ChangeFault.INVALID
            raise StepFailed(StepFault.NOT_TAKEN, passing=meanwhile) from None
        return StepOutcome()

    async def _subscribe(self, work: Work) -> StepOutcome:
        await self._sides.meta.subscribe(work.token, work.facts["waba_id"])
        return StepOutcome()

    async def _callback(self, work: Work) -> StepOutcome:
        """After the plain subscription, without which Meta refuses it (#100). A deployment without a public address
        has the address of its app alone."""
        if not self._sides.public_url:
            return StepOutcome(StepState.SKIPPED)
        address = self._sides.arrival.callback(await self.channel_of(work))
        await self._sides.meta.subscribe(work.token, work.facts["waba_id"], address)
        return StepOutcome()

    async def _webhook(self, work: Work) -> StepOutcome:
        address = self._sides.arrival.callback(await self.channel_of(work))
        linked = self._sides.linked[work.connection.way.provider]
        await linked.post_to(work.access, address, work.secret("webhook_secret"))
        return StepOutcome()

    async def _sync(self, work: Work) -> StepOutcome:
        if not work.facts.get("coexists"):
            return StepOutcome(StepState.SKIPPED)
        try:
            for kind in (CONTACTS, HISTORY):
                await self._sides.meta.sync(work.token, work.number, kind)
        except StepFailed as failed:
            if failed.fault is not StepFault.SYNC_LATE:
                raise
            return StepOutcome(StepState.SKIPPED, fault=failed.fault)
        return StepOutcome()

    async def _arrival(self, work: Work) -> StepOutcome:
        await self._sides.arrival.arrives(await self.channel_of(work))
        return StepOutcome()
