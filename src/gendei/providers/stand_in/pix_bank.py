"""A stand-in of those who take PIX: charges that are paid, end and are refunded, with the faults that such services
have. `pix_faces` serves it as Mercado Pago and as a bank's PIX API."""

from collections import deque
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import count

from gendei.clock import Clock
from gendei.payments.br_code import PixCode


class BankFault(StrEnum):
    """How a request goes wrong. DOWN: nothing was done, and HTTP 503. DONE_THEN_DOWN: it was done, and HTTP 502.
    REFUSED: HTTP 400, and nothing was done. SILENT: it was done, and the answer is lost. GARBAGE: it was done, and the
    answer cannot be read."""

    DOWN = "down"
    DONE_THEN_DOWN = "done_then_down"
    REFUSED = "refused"
    SILENT = "silent"
    GARBAGE = "garbage"


class RefundOutcome(StrEnum):
    """What becomes of a refund that is asked for."""

    DONE = "done"
    IN_PROGRESS = "in_progress"
    REFUSED = "refused"


class BankRefused(Exception):
    """The bank does not do it: HTTP 400."""


@dataclass(slots=True)
class BankRefund:
    id: str
    number: int
    cents: int
    at: datetime
    state: RefundOutcome


@dataclass(slots=True)
class BankPayment:
    """id: the endToEndId."""

    id: str
    cents: int
    at: datetime
    refunds: list[BankRefund] = field(default_factory=list)


@dataclass(slots=True)
class BankCharge:
    """id: by whoever asked for it; number: the bank's own."""

    id: str
    number: int
    cents: int
    code: str
    description: str
    created_at: datetime
    expires_at: datetime
    removed: bool = False
    payments: list[BankPayment] = field(default_factory=list)


class PixBank:
    """One account. lenient: how long after its expiry a charge can still be paid, as real ones can. Nothing happens by
    itself: `pay` is the payer's doing, `settle_refunds` what the bank does in time."""

    def __init__(self, clock: Clock, *, lenient: timedelta = timedelta(0)) -> None:
        self.clock, self.lenient = clock, lenient
        self.charges: dict[str, BankCharge] = {}
        self.refund_outcome = RefundOutcome.DONE
        self.faults: deque[BankFault] = deque()
        self.asked: list[str] = []
        self._numbers = count(1_000_001)

    def make(self, charge_id: str, cents: int, description: str, expires_at: datetime) -> BankCharge:
        """Raises BankRefused where the id is taken: the caller says what that means."""
        if charge_id in self.charges:
            raise BankRefused
        number, now = next(self._numbers), self.clock()
        location = f"pix.example.com/{charge_id}"
        code = PixCode("Clinica de Exemplo", "Sao Paulo", location=location, once=True).text
        made = BankCharge(charge_id, number, cents, code, description, now, expires_at)
        self.charges[charge_id] = made
        return made

    def pay(self, code: str, *, twice: bool = False) -> BankPayment:
        """The payer copies the code and pays. Raises BankRefused where it cannot be paid (any more). twice: the bank
        takes a second payment of one code, which none should."""
        charge = next((each for each in self.charges.values() if each.code == code), None)
        if charge is None or charge.removed or (charge.payments and not twice):
            raise BankRefused
        now = self.clock()
        if now >= charge.expires_at + self.lenient:
            raise BankRefused
        payment = BankPayment(f"E18236120{now:%Y%m%d%H%M}s{next(self._numbers):010}", charge.cents, now)
        charge.payments.append(payment)
        return payment

    def remove(self, charge: BankCharge) -> None:
        """Raises BankRefused where it was paid or removed before."""
        if charge.removed or charge.payments:
            raise BankRefused
        charge.removed = True

    def refund(self, payment: BankPayment, refund_id: str, cents: int) -> BankRefund:
        """Raises BankRefused where more would go back than came. Of an id that it has, the refund as it is."""
        known = next((refund for refund in payment.refunds if refund.id == refund_id), None)
        if known is not None:
            return known
        gone = sum(refund.cents for refund in payment.refunds if refund.state is not RefundOutcome.REFUSED)
        if cents < 1 or gone + cents > payment.cents:
            raise BankRefused
        made = BankRefund(refund_id, next(self._numbers), cents, self.clock(), self.refund_outcome)
        payment.refunds.append(made)
        return made

    def settle_refunds(self, outcome: RefundOutcome = RefundOutcome.DONE) -> None:
        """What was in progress ends so."""
        for refund in self.refunds:
            if refund.state is RefundOutcome.IN_PROGRESS:
                refund.state = outcome

    @property
    def payments(self) -> list[BankPayment]:
        return [payment for charge in self.charges.values() for payment in charge.payments]

    @property
    def refunds(self) -> list[BankRefund]:
        return [refund for payment in self.payments for refund in payment.refunds]

    @property
    def balance(self) -> int:
        """Centavos that came and did not go back."""
        done = (refund.cents for refund in self.refunds if refund.state is RefundOutcome.DONE)
        return sum(payment.cents for payment in self.payments) - sum(done)
