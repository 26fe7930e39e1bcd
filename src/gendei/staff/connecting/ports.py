"""What connecting asks of Meta, of the servers that act as a linked phone, and of the way back to ourselves."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from gendei.clinic import Channel
from gendei.staff.connecting.texts import StepFault

Facts = Mapping[str, str]


class StepFailed(Exception):
    """A step could not be done. `passing`: trying again later may do it; else somebody has to do something."""

    def __init__(self, fault: StepFault, *, passing: bool = False, wait_seconds: float = 0) -> None:
        self.fault, self.passing, self.wait_seconds = fault, passing, wait_seconds
        super().__init__(str(fault))


@dataclass(frozen=True, slots=True)
class MetaNumber:
    """A number of a WhatsApp account. `coexists`: it stays in the WhatsApp Business app of a phone; `is_registered`:
    for Cloud API. What Meta does not tell is ""."""

    id: str
    phone: str = ""
    name: str = ""
    coexists: bool = False
    is_registered: bool = False
    name_status: str = ""
    status: str = ""
    quality: str = ""
    limit: str = ""

    @property
    def shown(self) -> str:
        return " · ".join(filter(None, (self.phone, self.name))) or self.id


class MetaSide(Protocol):
    """Meta, for our app. Every call raises StepFailed."""

    @property
    def can_sign_up(self) -> bool:
        """Whether the deployment has an app and a configuration for Embedded Signup."""
        ...

    def dialog(self, back: str, state: str) -> str:
        """The address at Meta where a clinic lets our app in; it comes back to `back` with `state`."""
        ...

    async def exchange(self, code: str, back: str) -> str:
        """The token for the code that came back."""
        ...

    async def accounts(self, token: str) -> tuple[str, ...]:
        """The WhatsApp accounts that the token opens; none where Meta does not name any. Also checks whose it is."""
        ...

    async def numbers(self, token: str, account: str) -> list[MetaNumber]: ...

    async def number(self, token: str, number: str) -> MetaNumber: ...

    async def subscribe(self, token: str, account: str, callback: str = "") -> None:
        """Have what happens to the account posted to the app; with `callback`, to that address."""
        ...

    async def is_posted(self, token: str, account: str, callback: str) -> bool:
        """Whether Meta still posts the account's messages to our app; with `callback`, to that address."""
        ...

    async def register(self, token: str, number: str, pin: str) -> None: ...

    async def sync(self, token: str, number: str, kind: str) -> None:
        """Ask for what a phone's app has: "smb_app_state_sync" for contacts, "history". Once each."""
        ...


@dataclass(frozen=True, slots=True)
class QrCode:
    """`text`: what the phone reads. `picture`: the provider's own, as a data address; one of both may be missing."""

    text: str = ""
    picture: str = ""


@dataclass(frozen=True, slots=True)
class Access:
    """How to reach a linked phone's server: its address and ids, and the credentials in the clear."""

    facts: Facts
    secrets: Facts = field(repr=False)


class LinkedSide(Protocol):
    """A server that acts as a linked phone. Every call raises StepFailed."""

    async def prepare(self, access: Access) -> Facts:
        """Find the instance or make it; credentials that it has since then, in place of those given."""
        ...

    async def is_linked(self, access: Access) -> bool: ...

    async def code(self, access: Access) -> QrCode | None:
        """What to scan; None where it is linked already."""
        ...

    async def post_to(self, access: Access, address: str, secret: str) -> None:
        """Have its events posted to `address`, with `secret` in the way that this provider has for it."""
        ...

    async def is_posted(self, access: Access, address: str) -> bool:
        """Whether its events are still posted there, as far as the provider tells."""
        ...


class ArrivalSide(Protocol):
    async def arrives(self, channel: Channel) -> None:
        """Post what the provider would post, with nothing in it, to our public address. Raises StepFailed where it is
        not taken."""
        ...

    def callback(self, channel: Channel) -> str:
        """The address that the provider posts to. Raises StepFailed where the deployment has no public one."""
        ...


@dataclass(frozen=True)
class Sides:
    """`linked`: by provider. `public_url`: ours, "" where nobody said it. `unusable_templates`: those of the clinic's
    that cannot be sent by this channel, looked up now; None where it needs none."""

    meta: MetaSide
    linked: Mapping[str, LinkedSide]
    arrival: ArrivalSide
    unusable_templates: Callable[[Channel], Awaitable[Sequence[str] | None]]
    public_url: str = ""
