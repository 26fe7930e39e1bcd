"""The port of a payment provider: who makes charges, takes the money, and gives it back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from gendei.clinic import ClinicId
from gendei.errors import GendeiError


class ProviderUnavailable(GendeiError):
    """The payment provider did not answer, or not with anything that says what became of the request. Nothing is lost:
    the same is asked again by itself, under the same id."""

    def __init__(self, reason: str, retry_after: float = 0) -> None:
        """`reason` holds no secret, address or name of anybody; `retry_after`: seconds, as the provider asks."""
        self.reason, self.retry_after = reason, retry_after
        super().__init__(f"the payment provider cannot be asked: {reason}")


class ProviderRefused(GendeiError):
    """The payment provider refused what was asked. See the reason, and the clinic's account at the provider."""

    def __init__(self, reason: str, *, of_account: bool = False) -> None:
        """`reason` as in ProviderUnavailable; of_account: nothing of this account will be taken, whatever it is."""
        self.reason, self.of_account = reason, of_account
        super().__init__(f"the payment provider refused: {reason}")


class ForgedWebhook(GendeiError):
    """A webhook does not prove to come from the payment provider. Nothing was looked up and nothing changed."""


@dataclass(frozen=True, slots=True)
class PaymentAccount:
    """A clinic's account at a provider. `sealed`: its credentials, encrypted for this clinic and provider; `settings`:
    what else the adapter needs and the clinic's managers may see ("key", which may be somebody's CPF; "city")."""

    clinic_id: ClinicId
    provider: str
    settings: Mapping[str, str] = field(default_factory=dict, repr=False)
    sealed: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class ChargeOrder:
    """A charge to be made. id: ours, 32 letters and digits, under which the provider makes it once. description: what
    the payer reads at the bank; it names no patient."""

    id: str
    cents: int
    created_at: datetime
    pay_until: datetime
    description: str


class FoundStatus(StrEnum):
    """OPEN: the provider would take a payment of it. PAID: it was paid. ENDED: it takes none any more, and none
    came."""

    OPEN = "open"
    PAID = "paid"
    ENDED = "ended"


class RefundState(StrEnum):
    """ASKED: the provider is to be asked for it, or may have been. IN_PROGRESS: it has taken it. DONE: the money is
    back. REFUSED: it will not be done. BY_HAND: staff are to give it back, and to say so. VOID: it was not needed."""

    ASKED = "asked"
    IN_PROGRESS = "in_progress"
    DONE = "done"
    REFUSED = "refused"
    BY_HAND = "by_hand"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class FoundRefund:
    """reference: its id at the provider."""

    reference: str
    cents: int
    state: RefundState
    at: datetime


@dataclass(frozen=True, slots=True)
class FoundPayment:
    """id: of the payment, at the provider (PIX: endToEndId)."""

    id: str
    cents: int
    at: datetime
    refunds: tuple[FoundRefund, ...] = ()


@dataclass(frozen=True, slots=True)
class FoundCharge:
    """As a provider has a charge. id: ours; "" where it was not made by us. reference: its id there. code: what is
    copied to pay it; "" where it cannot be paid any more."""

    id: str
    reference: str
    status: FoundStatus
    code: str = ""
    payments: tuple[FoundPayment, ...] = ()


@dataclass(frozen=True, slots=True)
class RefundRequest:
    """id: ours, up to 35 letters and digits, under which it is done once. reference: of the charge, at the provider."""

    id: str
    reference: str
    payment_id: str
    cents: int


@dataclass(frozen=True, slots=True)
class PaymentWebhook:
    """As it came: header names in small letters, `query` of the address, the raw body, and when it came."""

    headers: Mapping[str, str]
    query: Mapping[str, str]
    body: bytes
    at: datetime


class PaymentProvider(Protocol):
    """An adapter. Every coroutine raises ProviderUnavailable where the outcome is not known, and ProviderRefused where
    it is sure that nothing was done; each may be repeated with the same ids, and is then done once.

    keeps_records: it can tell what was paid; otherwise staff say so."""

    keeps_records: bool

    async def create(self, account: PaymentAccount, order: ChargeOrder) -> FoundCharge:
        """The charge, made now or by an earlier call."""
        ...

    async def find(self, account: PaymentAccount, charge_id: str, reference: str) -> FoundCharge | None:
        """The charge by its id at the provider, or by ours where that is not known ("")."""
        ...

    async def cancel(self, account: PaymentAccount, charge_id: str, reference: str) -> FoundCharge:
        """Take an open charge back, so that nobody can pay it. What stands afterwards: it may just have been paid."""
        ...

    async def refund(self, account: PaymentAccount, request: RefundRequest) -> FoundRefund:
        """Give back a payment, or a part of it."""
        ...

    async def created_between(self, account: PaymentAccount, since: datetime, until: datetime) -> list[FoundCharge]:
        """All charges of the account that were made in that time, also those of others' making."""
        ...

    def hinted(self, account: PaymentAccount, webhook: PaymentWebhook) -> tuple[str, ...]:
        """References of the charges that a webhook says to look at: a hint, never a proof. Raises ForgedWebhook."""
        ...

    async def close(self) -> None: ...
