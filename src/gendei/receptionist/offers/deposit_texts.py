"""Sentences about money that was asked, paid, kept or given back, made of a charge as it is stored."""

from datetime import datetime

from gendei.booking.appointment import BY_PATIENT
from gendei.booking.dates import describe
from gendei.booking.dates.rendering import plain_clock
from gendei.booking.deposits import is_refunded
from gendei.clinic import money
from gendei.payments.money_ledger import ChargeState
from gendei.payments.pix_charge import PixCharge
from gendei.receptionist.runtime import Runtime


def moment_text(at: datetime, runtime: Runtime) -> str:
    """ "hoje, segunda-feira, 23/11, às 15h30"."""
    local = runtime.clinic.local(at)
    return f"{describe(local.date(), runtime.now)}, às {plain_clock(local)}"


def if_cancelled(charge: PixCharge, runtime: Runtime) -> str:
    """What becomes of the money where the patient cancels now, said before the yes; "" where there is none."""
    held = charge.ledger.held - charge.pending_refunds
    if charge.state is ChargeState.OPEN or held < 1:
        return ""
    deposit = money(held)
    if is_refunded(charge, BY_PATIENT, runtime.now):
        return runtime.say("deposit_if_cancelled", deposit=deposit)
    until = moment_text(charge.refund_until, runtime) if charge.refund_until else ""
    return runtime.say("deposit_if_cancelled_late", deposit=deposit, refund_until=until)


def after_cancelling(charge: PixCharge, runtime: Runtime) -> str:
    """What became of the money with a cancellation, from the charge as it is stored."""
    if charge.pending_refunds:
        return runtime.say("deposit_goes_back", deposit=money(charge.pending_refunds))
    if charge.ledger.kept:
        return runtime.say("deposit_stays", deposit=money(charge.ledger.kept))
    return ""


def to_pay(charge: PixCharge, runtime: Runtime) -> str:
    """How much is open, and until when."""
    left = charge.ledger.asked - charge.ledger.received
    return runtime.say("deposit_to_pay", deposit=money(left), until=moment_text(charge.pay_until, runtime))


def reserved_text(charge: PixCharge, runtime: Runtime) -> str:
    """What a patient reads of a booking that waits for its deposit, from the committed charge."""
    return f"{to_pay(charge, runtime)}\n{runtime.say('deposit_code_follows')}"
