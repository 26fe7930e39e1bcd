"""A charge of a clinic: a deposit that is asked for, by PIX, with its ledger; and how what is found changes it.

gendei_clinics/{clinicId}/charges/{id}. Nothing here asks a provider or the store: each function gives the charge as it
is afterwards.
"""

import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Annotated

from gendei.clinic import ClinicId, Contact
from gendei.documents import document_id
from gendei.errors import NotFound
from gendei.payments.money_ledger import ChargeState, EntryKind, Ledger, LedgerEntry, LedgerRefused
from gendei.payments.provider import ChargeOrder, FoundCharge, FoundRefund, FoundStatus, RefundRequest, RefundState
from gendei.records import ABSENT_WHEN_EMPTY, ABSENT_WHEN_NONE, NOT_STORED, Moment, Record

CHARGES = "charges"
_ID = re.compile("[0-9a-f]{32}")
BY_HAND = "hand:"
"""How the ids of payments begin that staff entered."""
PROVIDER, CLOCK = "provider", "clock"
"""Causes of entries that no person caused."""
MOST_REFUNDS = 90
LATE_FOR = timedelta(hours=24)
"""How long after its end a charge is still looked at by itself; after that, reconciliation finds what came."""
_PENDING = frozenset({RefundState.ASKED, RefundState.IN_PROGRESS, RefundState.BY_HAND})
_OPEN_TO_NEWS = _PENDING | {RefundState.REFUSED}


@dataclass(frozen=True, slots=True)
class RefundOrder:
    """Money that shall go back. at: when its state was last told. reference: its id at the provider, once known.
    tries: how often it was refused before, each time under another id."""

    id: str
    payment_id: str
    cents: int
    cause: str
    at: Moment
    state: RefundState = RefundState.ASKED
    reference: Annotated[str, ABSENT_WHEN_EMPTY] = ""
    reason: Annotated[str, ABSENT_WHEN_EMPTY] = ""
    tries: Annotated[int, ABSENT_WHEN_EMPTY] = 0


@dataclass(frozen=True, slots=True)
class PixCharge:
    """appointment_id, contact, patient_id: what it is for, and whose. agreed: what the patient read and said yes to,
    word by word. reference: the provider's id of it, and code: what is copied to pay; both "" until it is made there.
    closed: the provider takes no payment of it any more. refund_until: until when a cancellation is refunded; None:
    always. trouble: what the provider refused last. due_at: when any process may look at it; None: nothing is to be
    done any more. attempts: how often in a row the provider could not be asked."""

    id: Annotated[str, NOT_STORED]
    clinic_id: Annotated[ClinicId, NOT_STORED]
    appointment_id: str
    contact: Contact
    patient_id: str
    professional_id: str
    service_id: str
    provider: str
    created_at: Moment
    pay_until: Moment
    agreed: str
    description: str
    entries: tuple[LedgerEntry, ...]
    refund_until: Annotated[Moment | None, ABSENT_WHEN_NONE] = None
    reference: Annotated[str, ABSENT_WHEN_EMPTY] = ""
    code: Annotated[str, ABSENT_WHEN_EMPTY] = ""
    closed: Annotated[bool, ABSENT_WHEN_EMPTY] = False
    refunds: Annotated[tuple[RefundOrder, ...], ABSENT_WHEN_EMPTY] = ()
    trouble: Annotated[str, ABSENT_WHEN_EMPTY] = ""
    due_at: Annotated[Moment | None, ABSENT_WHEN_NONE] = None
    attempts: Annotated[int, ABSENT_WHEN_EMPTY] = 0

    @property
    def ledger(self) -> Ledger:
        return Ledger(self.entries)

    @property
    def state(self) -> ChargeState:
        return self.ledger.state

    @property
    def path(self) -> str:
        return charge_path(self.clinic_id, self.id)

    @property
    def order(self) -> ChargeOrder:
        return ChargeOrder(self.id, self.ledger.asked, self.created_at, self.pay_until, self.description)

    @property
    def came_late(self) -> bool:
        """Whether money came for what was asked no more: its appointment may have gone to somebody else."""
        is_over = self.ledger.is_withdrawn or self.ledger.is_waived
        return is_over and self.state is ChargeState.PAID

    @property
    def last_entry_at(self) -> datetime:
        return max(entry.at for entry in self.entries)

    @property
    def pending_refunds(self) -> int:
        """Centavos that are to go back and have not."""
        return sum(order.cents for order in self.refunds if order.state in _PENDING)

    def must_close(self, now: datetime) -> bool:
        """Whether the provider is to take it back: its time is over, or it need not be paid any more."""
        return not self.closed and (now >= self.pay_until or not self.ledger.is_asking)

    def with_entry(self, kind: EntryKind, cents: int, at: datetime, cause: str, **more: str) -> "PixCharge":
        """Raises LedgerRefused."""
        return replace(self, entries=self.ledger.with_entry(LedgerEntry(kind, cents, at, cause, **more)).entries)


CHARGE = Record(
    PixCharge,
    "gendei_clinics/{clinicId}/charges/{id}",
    derived={"state": lambda charge: charge.state.value, "lastEntryAt": lambda charge: charge.last_entry_at},
)


def charges_of(clinic_id: ClinicId) -> str:
    """The collection of a clinic's charges."""
    return f"gendei_clinics/{document_id(clinic_id)}/{CHARGES}"


def charge_path(clinic_id: ClinicId, charge_id: str) -> str:
    """Raises NotFound for what cannot be an id."""
    if not is_charge_id(charge_id):
        raise NotFound
    return f"{charges_of(clinic_id)}/{charge_id}"


def is_charge_id(text: str) -> bool:
    """Whether it looks like an id of ours."""
    return _ID.fullmatch(text) is not None


def new_charge_id() -> str:
    """Also its id at the provider: the PIX API wants 26 to 35 letters and digits."""
    return secrets.token_hex(16)


def found_at_provider(charge: PixCharge, found: FoundCharge, now: datetime, cause: str = CLOCK) -> PixCharge:
    """The charge, after what the provider has of it: payments and refunds are entered once, and what it ended is
    withdrawn, for that cause."""
    reference, code = found.reference or charge.reference, found.code or charge.code
    was_closed = charge.closed and bool(charge.reference)  # without one it was closed as never made, but it was
    closed = was_closed or found.status is not FoundStatus.OPEN
    after = replace(charge, reference=reference, code=code, closed=closed)
    for payment in found.payments:
        at = min(payment.at, now)
        after = after.with_entry(EntryKind.RECEIVED, payment.cents, at, PROVIDER, reference=payment.id)
        for refund in payment.refunds:
            after = refund_told(after, payment.id, refund)
    if found.status is FoundStatus.ENDED:
        after = withdrawn(after, now, cause)
    return without_surplus(after, now)


def withdrawn(charge: PixCharge, now: datetime, cause: str) -> PixCharge:
    """Asked no more, where it still was. Only once nobody can pay it any more."""
    ledger = charge.ledger
    if not ledger.is_asking:
        return charge
    after = charge.with_entry(EntryKind.WITHDRAWN, ledger.asked - ledger.received, now, cause)
    return refund_all(after, now, cause)


def refund_told(charge: PixCharge, payment_id: str, refund: FoundRefund, order_id: str = "") -> PixCharge:
    """After what a provider has of a refund: by its order where that is known (`order_id`, or by an earlier answer), or
    by the one that it must be: of the same payment and amount, and not known to have been taken."""
    order = next((each for each in charge.refunds if each.id == order_id), None)
    order = order or next((each for each in charge.refunds if each.reference == refund.reference), None)
    order = order or next((each for each in charge.refunds if _may_be(each, payment_id, refund)), None)
    after = charge
    if order is not None and (order.state in _OPEN_TO_NEWS or refund.state is RefundState.DONE):
        told = replace(order, state=refund.state, reference=refund.reference, at=refund.at)
        after = _with_order(charge, order, told)
    if refund.state is RefundState.DONE and refund.cents <= after.ledger.left_of(payment_id):
        cause = order.cause if order else PROVIDER
        more = {"reference": refund.reference, "of": payment_id}
        after = after.with_entry(EntryKind.REFUNDED, refund.cents, refund.at, cause, **more)
    return after


def refund_refused(charge: PixCharge, order: RefundOrder, reason: str, now: datetime) -> PixCharge:
    return _with_order(charge, order, replace(order, state=RefundState.REFUSED, reason=reason, at=now))


def refund_ordered(charge: PixCharge, cents: int, now: datetime, cause: str) -> PixCharge:
    """So much shall go back, of the last payments first. Raises LedgerRefused where so much is not there to go back."""
    after, left = charge, cents
    for payment_id, most in reversed(list(refundable(charge))):
        part = min(left, most)
        if part:
            state = RefundState.BY_HAND if payment_id.startswith(BY_HAND) else RefundState.ASKED
            order = RefundOrder(_order_id(after), payment_id, part, cause, now, state)
            after, left = replace(after, refunds=(*after.refunds, order)), left - part
    if left or cents < 1:
        raise LedgerRefused("more would go back than came")
    return after


def refund_all(charge: PixCharge, now: datetime, cause: str) -> PixCharge:
    """All that is there and not on its way back goes back; nothing where there is none."""
    cents = min(charge.ledger.held, sum(most for _, most in refundable(charge)))
    return refund_ordered(charge, cents, now, cause) if cents > 0 else charge


def without_surplus(charge: PixCharge, now: datetime) -> PixCharge:
    """What was paid beyond what was asked goes back: a code that was paid twice, or beside cash."""
    ledger = charge.ledger
    surplus = ledger.received - ledger.refunded - charge.pending_refunds - ledger.asked
    return refund_ordered(charge, surplus, now, CLOCK) if surplus > 0 else charge


def refundable(charge: PixCharge) -> Iterator[tuple[str, int]]:
    """Payments with what of each is neither back nor on its way."""
    for entry in charge.entries:
        if entry.kind is EntryKind.RECEIVED:
            under_way = (o.cents for o in charge.refunds if o.payment_id == entry.reference and o.state in _PENDING)
            yield entry.reference, max(0, charge.ledger.left_of(entry.reference) - sum(under_way))


def refunds_renewed(charge: PixCharge, now: datetime, patience: timedelta) -> PixCharge:
    """Refused refunds are asked for again under another id after a while; an order whose payment is back by another
    way is void, and what of it is not back yet is ordered anew."""
    after = charge
    for order in charge.refunds:
        left = after.ledger.left_of(order.payment_id)
        if order.state in {RefundState.ASKED, RefundState.REFUSED} and order.cents > left:
            after = _with_order(after, order, replace(order, state=RefundState.VOID, at=now))
            if (rest := _still_wanted(charge, after, order)) > 0 and len(after.refunds) < MOST_REFUNDS:
                more = RefundOrder(_order_id(after), order.payment_id, rest, order.cause, now)
                after = replace(after, refunds=(*after.refunds, more))
        elif order.state is RefundState.REFUSED and now >= order.at + patience and len(after.refunds) < MOST_REFUNDS:
            again = RefundOrder(
                _order_id(after), order.payment_id, order.cents, order.cause, now, tries=order.tries + 1
            )
            after = _with_order(after, order, replace(order, state=RefundState.VOID))
            after = replace(after, refunds=(*after.refunds, again))
    return after


def _still_wanted(charge: PixCharge, after: PixCharge, order: RefundOrder) -> int:
    """What is to go back of the payment by all orders, less what went back; `order` is void in `after`."""
    of_payment = [each for each in charge.refunds if each.payment_id == order.payment_id]
    wanted = sum(each.cents for each in of_payment if each.state is not RefundState.VOID)
    went = sum(e.cents for e in charge.entries if (e.kind, e.of) == (EntryKind.REFUNDED, order.payment_id))
    return min(wanted - went, dict(refundable(after)).get(order.payment_id, 0))


def refund_requests(charge: PixCharge) -> list[RefundRequest]:
    """What the provider is to be asked to give back."""
    return [
        RefundRequest(order.id, charge.reference, order.payment_id, order.cents)
        for order in charge.refunds
        if order.state is RefundState.ASKED
    ]


def _may_be(order: RefundOrder, payment_id: str, refund: FoundRefund) -> bool:
    is_same = (order.payment_id, order.cents) == (payment_id, refund.cents)
    return is_same and order.state is RefundState.ASKED and not order.reference


def _with_order(charge: PixCharge, before: RefundOrder, after: RefundOrder) -> PixCharge:
    return replace(charge, refunds=tuple(after if each.id == before.id else each for each in charge.refunds))


def _order_id(charge: PixCharge) -> str:
    """Up to 35 letters and digits, as the PIX API wants them."""
    return f"{charge.id}r{len(charge.refunds) + 1}"
