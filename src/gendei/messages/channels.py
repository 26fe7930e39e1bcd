"""What a conversation needs of a channel, in our own types; adapters live in gendei.providers."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from gendei.channel_kinds import capabilities
from gendei.clinic import Channel, Clinic, ClinicId
from gendei.errors import GendeiError
from gendei.messages.message import FailureKind, IncomingMessage, OutgoingMessage


@dataclass(frozen=True, slots=True)
class Accepted:
    """The provider took the message; its fate comes by status. `message_id` is the provider's."""

    message_id: str


@dataclass(frozen=True, slots=True)
class Transient:
    """Certainly not sent; try again, not before `retry_after` seconds and as the `kind` asks (see backoff.py).
    `reason` starts with the provider's code, where there is one."""

    reason: str
    retry_after: float = 1.0
    kind: FailureKind = FailureKind.UNREACHABLE


@dataclass(frozen=True, slots=True)
class Permanent:
    """Certainly not sent, and trying again cannot help. `reason` tells operators why, and starts with the provider's
    code where there is one; `stop_channel` says that every message of this number will fail until somebody acts
    (token, lock, payment)."""

    reason: str
    stop_channel: bool = False
    kind: FailureKind = FailureKind.REFUSED

    @property
    def failure_kind(self) -> FailureKind:
        return FailureKind.CHANNEL if self.stop_channel else self.kind


@dataclass(frozen=True, slots=True)
class Unknown:
    """Nobody knows whether it was sent (time-out after the request left): wait for a status before sending again."""

    reason: str


Outcome = Accepted | Transient | Permanent | Unknown


class Provider(Protocol):
    """One kind of channel. Never raises for what the network or the provider does: it answers with an Outcome."""

    async def send(self, channel: Channel, message: OutgoingMessage) -> Outcome: ...

    async def mark_read(self, channel: Channel, message: IncomingMessage, *, typing: bool) -> None:
        """Show the patient that `message` was read and, with `typing`, that an answer is coming. Best effort."""
        ...

    async def close(self) -> None: ...


class Clinics(Protocol):
    """The clinics as this process knows them; a lookup that misses may ask the store and raise StoreUnavailable."""

    async def get(self, clinic_id: ClinicId) -> Clinic | None: ...

    def all(self) -> tuple[Clinic, ...]: ...

    async def by_channel(self, provider: str, external_id: str) -> Clinic | None:
        """The clinic that a connected number belongs to."""
        ...


SERVICE_WINDOW = timedelta(hours=24)
AD_WINDOW = timedelta(hours=72)


class WindowClosed(GendeiError):
    """The patient wrote last more than 24 hours ago, so WhatsApp takes only an approved template now."""


def window_end(opened_at: datetime, *, from_ad: bool) -> datetime:
    """When the window ends that a message of the patient opened at `opened_at`."""
    return opened_at + (AD_WINDOW if from_ad else SERVICE_WINDOW)


def window_is_open(provider: str, ends_at: datetime | None, now: datetime) -> bool:
    """Whether a free-form message may leave at `now`, by the conversation's `window_ends_at`; both are aware."""
    if not capabilities(provider).has_window:
        return True
    return ends_at is not None and now < ends_at
