"""A clinic's own PIX key as a static code. Nobody tells what was paid: staff look at their bank, and say so."""

from datetime import datetime

from gendei.payments.br_code import LONGEST_NAME, NotAPixCode, PixCode
from gendei.payments.pix_key import pix_key
from gendei.payments.provider import (
    ChargeOrder,
    ForgedWebhook,
    FoundCharge,
    FoundRefund,
    FoundStatus,
    PaymentAccount,
    PaymentWebhook,
    ProviderRefused,
    RefundRequest,
)


class ManualPix:
    """Implements `payments.provider.PaymentProvider`. The account's settings: "key", "merchant_name", "city"."""

    keeps_records = False

    async def create(self, account: PaymentAccount, order: ChargeOrder) -> FoundCharge:
        """The code names the amount, and carries the first letters of our id to the bank statement."""
        key = pix_key(account.settings.get("key", ""))
        if key is None:
            raise ProviderRefused("the account's PIX key is none", of_account=True)
        name, city = account.settings.get("merchant_name", ""), account.settings.get("city", "")
        try:
            code = PixCode(name, city, key=key.value, cents=order.cents, label=order.id[:LONGEST_NAME]).text
        except NotAPixCode as problem:
            raise ProviderRefused(f"no code can be made: {problem}", of_account=True) from None
        return FoundCharge(order.id, order.id, FoundStatus.OPEN, code)

    async def find(self, account: PaymentAccount, charge_id: str, reference: str) -> FoundCharge | None:
        """Open, as far as anybody knows; None where no code was made of it."""
        return FoundCharge(charge_id or reference, reference, FoundStatus.OPEN) if reference else None

    async def cancel(self, account: PaymentAccount, charge_id: str, reference: str) -> FoundCharge:
        """A static code stays payable; what comes late is seen at the bank, and entered by staff."""
        return FoundCharge(charge_id, reference, FoundStatus.ENDED)

    async def refund(self, account: PaymentAccount, request: RefundRequest) -> FoundRefund:
        raise ProviderRefused("staff give it back at their bank, and say so")

    async def created_between(self, account: PaymentAccount, since: datetime, until: datetime) -> list[FoundCharge]:
        return []

    def hinted(self, account: PaymentAccount, webhook: PaymentWebhook) -> tuple[str, ...]:
        raise ForgedWebhook

    async def close(self) -> None:
        return None
