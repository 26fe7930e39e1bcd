"""Deposits as a clinic asks for them by PIX: at which provider, until when they are paid, and when they go back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated

from gendei.records import ABSENT_WHEN_EMPTY


class DepositProvider(StrEnum):
    """Who makes charges and takes the money. MANUAL: the clinic's own key; staff say what came."""

    MERCADO_PAGO = "mercado_pago"
    PIX_API = "pix_api"
    MANUAL = "manual"


@dataclass(frozen=True, slots=True)
class ReceivingAccount:
    """An account at a provider. `sealed`: its credentials, encrypted for this clinic, provider and address alone, see
    gendei.payments.credentials; `settings`: what else the adapter needs, and managers may see."""

    settings: Annotated[Mapping[str, str], ABSENT_WHEN_EMPTY] = field(default_factory=dict, repr=False)
    sealed: Annotated[Mapping[str, str], ABSENT_WHEN_EMPTY] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class DepositRules:
    """provider: of new charges; an older charge stays where it was made, so that accounts may hold others too, by
    provider. merchant_name: whom the payer reads, "" for the clinic's name. key: the PIX key that is paid to.
    pay_within_minutes: from the yes to the end of the charge. refund_until_hours: before the appointment; who cancels
    until then gets it back. after_no_shows: who did not come so often in a year is asked for no_show_deposit_cents also
    where the service has no deposit; 0: nobody."""

    provider: DepositProvider
    merchant_name: Annotated[str, ABSENT_WHEN_EMPTY] = ""
    city: Annotated[str, ABSENT_WHEN_EMPTY] = ""
    key: Annotated[str, ABSENT_WHEN_EMPTY] = field(default="", repr=False)
    pay_within_minutes: int = 30
    refund_until_hours: int = 24
    after_no_shows: int = 0
    no_show_deposit_cents: int = 0
    accounts: Annotated[Mapping[str, ReceivingAccount], ABSENT_WHEN_EMPTY] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        if self.pay_within_minutes < 1 or self.refund_until_hours < 0 or self.after_no_shows < 0:
            raise ValueError(f"a deposit is paid within a minute or more, and its rules count from 0: {self}")
        if bool(self.after_no_shows) != bool(self.no_show_deposit_cents):
            raise ValueError(f"no-shows and what is asked after them are said together: {self}")

    def cents(self, deposit_cents: int, price_cents: int | None, no_shows: int) -> int:
        """The deposit of a visit whose own is `deposit_cents`, 0 for none, asked of who did not come `no_shows` times
        in a year. Never more than the price, where there is one."""
        if deposit_cents or not self.after_no_shows or no_shows < self.after_no_shows:
            return deposit_cents
        return self.no_show_deposit_cents if price_cents is None else min(self.no_show_deposit_cents, price_cents)

    def pay_until(self, now: datetime) -> datetime:
        return now + timedelta(minutes=self.pay_within_minutes)

    def refund_until(self, start: datetime) -> datetime:
        """Until when who cancels an appointment gets the deposit back."""
        return start - timedelta(hours=self.refund_until_hours)
