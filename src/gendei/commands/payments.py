"""The clinic's deposits: seen with their sums, looked at again, waived, refunded, said to be paid. None is a tool: what
moves money is done by a person, who sees the charge."""

from datetime import date
from typing import Annotated

from pydantic import AwareDatetime, Field

from gendei.commands.command import Arguments, Call, Command
from gendei.commands.fields import Id
from gendei.commands.shapes import Shape
from gendei.payments.amounts import LARGEST_CENTS
from gendei.payments.money_ledger import ChargeState, EntryKind
from gendei.payments.pix_charge import PixCharge
from gendei.payments.provider import RefundState
from gendei.payments.reconciling import Discrepancy
from gendei.staff.actors import Right
from gendei.staff.payments.payment_book import PaymentBook, Sums
from gendei.staff.payments.payment_office import PaymentOffice

Cents = Annotated[int | None, Field(ge=1, le=LARGEST_CENTS, description="In centavos. Left out: all of it.")]
Note = Annotated[str, Field(min_length=1, max_length=200, description="Why; it stands in the ledger.")]


class ListPayments(Arguments):
    first: Annotated[date | None, Field(description="The first day. Left out: of the last day's month.")] = None
    last: Annotated[date | None, Field(description="The last day, included. Left out: today.")] = None


class OnePayment(Arguments):
    payment: Id


class WaivePayment(OnePayment):
    note: Note


class ReceivePayment(OnePayment):
    note: Note
    cents: Cents = None


class RefundPayment(OnePayment):
    cents: Cents = None


class RefundGiven(OnePayment):
    refund: Annotated[Id, Field(description="The id of the refund that was to be done by hand.")]


async def list_payments(call: Call, given: ListPayments) -> PaymentBook:
    """The deposits with something entered in some days, with their sums by day and by professional, and what the last
    comparisons with the payment provider found."""
    return await office_of(call).book(call.actor, given.first, given.last)


async def get_payment(call: Call, given: OnePayment) -> PixCharge:
    """One deposit with its ledger."""
    return await office_of(call).one(call.actor, given.payment)


async def look_at_payment(call: Call, given: OnePayment) -> PixCharge:
    """Ask the payment provider about a deposit at once. What it says is entered a moment later."""
    return await office_of(call).look(call.actor, given.payment)


async def waive_payment(call: Call, given: WaivePayment) -> PixCharge:
    """Do without what is still asked of a deposit. Its code is taken back at the provider."""
    return await office_of(call).waive(call.actor, given.payment, given.note)


async def receive_payment(call: Call, given: ReceivePayment) -> PixCharge:
    """Say that a deposit was paid otherwise, in cash or to the clinic's own key."""
    return await office_of(call).receive(call.actor, given.payment, given.note, given.cents)


async def refund_payment(call: Call, given: RefundPayment) -> PixCharge:
    """Give back a deposit or a part of it, also one that was kept. The provider is asked a moment later."""
    return await office_of(call).refund(call.actor, given.payment, given.cents)


async def refund_was_given(call: Call, given: RefundGiven) -> PixCharge:
    """Say that staff gave back what a refund by hand asked them to."""
    return await office_of(call).refunded(call.actor, given.payment, given.refund)


def office_of(call: Call) -> PaymentOffice:
    desks = call.desks
    return PaymentOffice(desks.documents, desks.clinics, desks.collector, desks.clinic_changes)


LIST_PAYMENTS = Command(list_payments, right=Right.MANAGE)
GET_PAYMENT = Command(get_payment, right=Right.MANAGE)
LOOK_AT_PAYMENT = Command(look_at_payment, right=Right.MANAGE)
WAIVE_PAYMENT = Command(waive_payment, right=Right.MANAGE, destructive=True)
RECEIVE_PAYMENT = Command(receive_payment, right=Right.MANAGE)
REFUND_PAYMENT = Command(refund_payment, right=Right.MANAGE, destructive=True)
REFUND_WAS_GIVEN = Command(refund_was_given, right=Right.MANAGE)


class EntryOut(Shape):
    """An entry of the ledger, never changed. `cause`: a user's id, or provider, patient, clock. `payment`: of a refund,
    the reference of the payment that went back."""

    kind: EntryKind
    cents: int
    at: AwareDatetime
    cause: str
    reference: str
    payment: str
    note: str


class RefundOut(Shape):
    """Money that is to go back. `state`: by_hand waits for staff, who say when it is done."""

    id: str
    cents: int
    at: AwareDatetime
    state: RefundState


class PaymentOut(Shape):
    """`state` follows of `entries`. `held`: received, and neither refunded nor kept. `trouble`: what the provider
    refused last, "" for nothing."""

    id: str
    state: ChargeState
    appointment_id: str
    patient_id: str
    professional_id: str
    service_id: str
    provider: str
    asked_cents: int
    held_cents: int
    created_at: AwareDatetime
    pay_until: AwareDatetime
    refund_until: AwareDatetime | None
    agreed: str
    entries: list[EntryOut]
    refunds: list[RefundOut]
    trouble: str

    @classmethod
    def at(cls, charge: PixCharge) -> "PaymentOut":
        return cls.of(
            charge,
            asked_cents=charge.ledger.asked,
            held_cents=charge.ledger.held,
            entries=[EntryOut.of(entry, payment=entry.of) for entry in charge.entries],
            refunds=[RefundOut.of(order) for order in charge.refunds],
        )


class SumsOut(Shape):
    """In centavos, of what was entered in the days. `left`: received and not refunded."""

    asked: int
    received: int
    refunded: int
    kept: int
    withdrawn: int
    waived: int
    left: int


class DaySumsOut(Shape):
    day: date
    sums: SumsOut


class ProfessionalSumsOut(Shape):
    professional_id: str
    name: str
    sums: SumsOut


class DifferenceOut(Shape):
    """Found by the comparison of `day`: `theirs` and `ours`, in centavos, received and not refunded. found: it is
    entered now; the others are for staff. `paymentId`: "" where there is none here."""

    day: str
    provider: str
    kind: Discrepancy
    reference: str
    payment_id: str
    theirs: int
    ours: int


class PaymentsOut(Shape):
    """The one that changed last first."""

    first: date
    last: date
    items: list[PaymentOut]
    together: SumsOut
    days: list[DaySumsOut]
    professionals: list[ProfessionalSumsOut]
    differences: list[DifferenceOut]

    @classmethod
    def read(cls, book: PaymentBook) -> "PaymentsOut":
        by_professional = book.professionals.items()
        return cls(
            first=book.first,
            last=book.last,
            items=[PaymentOut.at(charge) for charge in book.charges],
            together=_sums(book.together),
            days=[DaySumsOut(day=day, sums=_sums(sums)) for day, sums in book.days.items()],
            professionals=[
                ProfessionalSumsOut(professional_id=who, name=book.professional_name(who), sums=_sums(sums))
                for who, sums in by_professional
            ],
            differences=[
                DifferenceOut.of(found, day=each.day, provider=each.provider, payment_id=found.charge_id)
                for each in book.compared
                for found in each.differences
            ],
        )


def _sums(sums: Sums) -> SumsOut:
    return SumsOut.of(sums)
