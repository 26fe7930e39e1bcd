"""The ledger of one connection: gendei_clinics/{clinicId}/connections/{id}. Each step of its way is a line in it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Annotated

from gendei.clinic import ClinicId
from gendei.documents import Documents, Query, document_id
from gendei.records import ABSENT_WHEN_EMPTY, ABSENT_WHEN_NONE, NOT_STORED, Moment, Record

COLLECTION = "connections"


class Way(StrEnum):
    """How a number is connected: META_SIGNUP by Meta's Embedded Signup, META_TOKEN by hand with a token and ids."""

    META_SIGNUP = "meta_signup"
    META_TOKEN = "meta_token"  # noqa: S105  # the name of a way
    EVOLUTION = "evolution"
    ZAPI = "zapi"

    @property
    def is_official(self) -> bool:
        """By Meta's own API."""
        return self in {Way.META_SIGNUP, Way.META_TOKEN}

    @property
    def provider(self) -> str:
        return "meta" if self.is_official else str(self)


class Step(StrEnum):
    """AUTHORIZE: the clinic lets our app in at Meta. TOKEN: what the token opens. NUMBER: which number it is. REGISTER:
    for Cloud API. INSTANCE: the provider knows the instance. SCAN: the clinic's phone is linked. CHANNEL: the clinic
    has the number. SUBSCRIBE, CALLBACK, WEBHOOK: messages are posted to us. SYNC: of a number that stays in the phone's
    app, its history and contacts are asked for. ARRIVAL: what is posted to us arrives."""

    AUTHORIZE = "authorize"
    TOKEN = "token"  # noqa: S105  # the name of a step
    NUMBER = "number"
    REGISTER = "register"
    INSTANCE = "instance"
    SCAN = "scan"
    CHANNEL = "channel"
    SUBSCRIBE = "subscribe"
    CALLBACK = "callback"
    WEBHOOK = "webhook"
    SYNC = "sync"
    ARRIVAL = "arrival"


_META = (Step.TOKEN, Step.NUMBER, Step.REGISTER, Step.CHANNEL, Step.SUBSCRIBE, Step.CALLBACK, Step.SYNC, Step.ARRIVAL)
_LINKED = (Step.INSTANCE, Step.SCAN, Step.CHANNEL, Step.WEBHOOK, Step.ARRIVAL)
STEPS: Mapping[Way, tuple[Step, ...]] = {
    Way.META_SIGNUP: (Step.AUTHORIZE, *_META),
    Way.META_TOKEN: _META,
    Way.EVOLUTION: _LINKED,
    Way.ZAPI: _LINKED,
}
"""In their order. The clinic has the channel before anything is posted to us, so that no message finds nobody."""


class StepState(StrEnum):
    """SKIPPED: this number does not need the step. OPEN: not done yet, or somebody has to do something first."""

    OPEN = "open"
    DONE = "done"
    SKIPPED = "skipped"
    FAILING = "failing"


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """`fault`: why it is failing, one of `StepFault`. `attempts`: that failed in a row. `at`: of the last one."""

    step: Step
    state: StepState = StepState.OPEN
    at: Annotated[Moment | None, ABSENT_WHEN_NONE] = None
    fault: Annotated[str, ABSENT_WHEN_EMPTY] = ""
    attempts: Annotated[int, ABSENT_WHEN_EMPTY] = 0

    @property
    def is_over(self) -> bool:
        return self.state in {StepState.DONE, StepState.SKIPPED}


@dataclass(frozen=True, slots=True)
class NumberChoice:
    """A number of the account that staff can choose."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class SignUpBegun:
    """A sign-up at Meta that somebody went to: the digest of its `state`, the session that it is bound to, its end."""

    digest: str
    session: str
    until: Moment


@dataclass(frozen=True, slots=True)
class Finding:
    """What a look after the connected number found. `bad`: staff have to do something; `since`: when that began."""

    check: str
    value: str
    bad: bool = False
    since: Annotated[Moment | None, ABSENT_WHEN_NONE] = None


@dataclass(frozen=True, slots=True)
class ConnectionLedger:
    """`facts`: ids and addresses, as text that nobody reads anything into. `sealed`: credentials, each for its place
    (`secret_purpose`). `due_at`: when the service goes on by itself; None: when somebody asks. `findings`: of the last
    look after it, at `looked_at`. `ended_at`: staff gave it up."""

    id: Annotated[str, NOT_STORED]
    clinic_id: Annotated[ClinicId, NOT_STORED]
    way: Way
    created_at: Moment
    updated_at: Moment
    user_id: str
    name: str
    lines: tuple[LedgerLine, ...]
    facts: Mapping[str, str] = field(default_factory=dict)
    sealed: Mapping[str, str] = field(default_factory=dict, repr=False)
    choices: Annotated[tuple[NumberChoice, ...], ABSENT_WHEN_EMPTY] = ()
    begun: Annotated[SignUpBegun | None, ABSENT_WHEN_NONE] = None
    due_at: Annotated[Moment | None, ABSENT_WHEN_NONE] = None
    findings: Annotated[tuple[Finding, ...], ABSENT_WHEN_EMPTY] = ()
    looked_at: Annotated[Moment | None, ABSENT_WHEN_NONE] = None
    ended_at: Annotated[Moment | None, ABSENT_WHEN_NONE] = None

    @property
    def current(self) -> LedgerLine | None:
        """The first line that is not over; None where the number is connected."""
        return next((line for line in self.lines if not line.is_over), None)

    @property
    def current_step(self) -> Step | None:
        return self.current.step if self.current else None

    @property
    def is_connected(self) -> bool:
        return self.current is None

    @property
    def path(self) -> str:
        return connection_path(self.clinic_id, self.id)

    def line(self, step: Step) -> LedgerLine | None:
        return next((line for line in self.lines if line.step is step), None)

    def with_line(self, step: Step, state: StepState, now: datetime, fault: str = "") -> "ConnectionLedger":
        """The ledger with the line of `step` as it is now."""

        def written(line: LedgerLine) -> LedgerLine:
            if line.step is not step:
                return line
            return LedgerLine(step, state, now, fault, line.attempts + 1 if state is StepState.FAILING else 0)

        return replace(self, lines=tuple(map(written, self.lines)), updated_at=now)

    def begun_anew(self, now: datetime) -> "ConnectionLedger":
        """With every step to be looked at again: each finds what it did before."""
        return replace(self, lines=tuple(LedgerLine(line.step) for line in self.lines), updated_at=now, choices=())


CONNECTION = Record(ConnectionLedger, "gendei_clinics/{clinicId}/connections/{id}")


def connection_path(clinic_id: ClinicId, connection_id: str) -> str:
    return f"{collection_of(clinic_id)}/{document_id(connection_id)}"


def collection_of(clinic_id: ClinicId) -> str:
    return f"gendei_clinics/{document_id(clinic_id)}/{COLLECTION}"


def secret_purpose(clinic_id: ClinicId, connection_id: str, name: str) -> str:
    """What a credential of a connection is sealed for."""
    return f"{clinic_id}/connection/{connection_id}/{name}"


async def connections_of(documents: Documents, clinic_id: ClinicId) -> list[ConnectionLedger]:
    """The clinic's, the newest first, without those that were given up."""
    query = Query(collection_of(clinic_id), order_by=(("createdAt", True),))
    found = [read_connection(clinic_id, each.id, each.data) for each in await documents.query(query)]
    return [connection for connection in found if connection.ended_at is None]


def read_connection(clinic_id: ClinicId, connection_id: str, data: Mapping[str, object] | None) -> ConnectionLedger:
    return CONNECTION.read(data, id=connection_id, clinic_id=clinic_id)
