"""Deposits in words: what a yes to a booking or a cancellation means for the money, and how a deposit stands.

Every sentence is made of terms and ledger. What the patient read before a yes is kept, word by word, for the charge.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta

from gendei.booking.appointment import Appointment, AppointmentStatus
from gendei.booking.charges import charge as cost_of
from gendei.booking.deposit_desk import OwnDeposit
from gendei.booking.deposits import DepositTerms
from gendei.clinic import Service, money
from gendei.messages.replies import Reply
from gendei.payments.money_ledger import ChargeState
from gendei.receptionist.offers.choices import Choice, Kind, choice, without_offer
from gendei.receptionist.offers.deposit_texts import if_cancelled, moment_text, to_pay
from gendei.receptionist.offers.options import option_for
from gendei.receptionist.offers.rendering import appointment_line, lasting
from gendei.receptionist.runtime import Runtime

A_YEAR = timedelta(days=365)


async def booking_terms(
    runtime: Runtime, service: Service | None, professional_id: str, plan: str
) -> DepositTerms | None:
    """What is asked for this booking by a code; None for nothing, and where staff say how to pay."""
    rules = runtime.clinic.deposits
    if rules is None or service is None or runtime.deposits is None or not runtime.vertical.deposit:
        return None
    cost = cost_of(runtime.clinic, plan, service, professional_id)
    if cost is None or cost.covered:
        return None
    missed = await _missed(runtime) if rules.after_no_shows else 0
    cents = rules.cents(cost.deposit_cents, cost.price_cents, missed)
    if not cents:
        return None
    return DepositTerms(
        str(rules.provider),
        cents,
        timedelta(minutes=rules.pay_within_minutes),
        timedelta(hours=rules.refund_until_hours),
        description=f"Sinal {runtime.clinic.name}"[:100],
    )


async def _missed(runtime: Runtime) -> int:
    """How often they did not come within a year."""
    found = await runtime.desk.appointments_of(runtime.clinic, runtime.contact, upcoming_only=False)
    since = runtime.now - A_YEAR
    return sum(each.status is AppointmentStatus.NO_SHOW and each.start >= since for each in found)


def terms_text(terms: DepositTerms, start: datetime, runtime: Runtime) -> str:
    """What is asked, until when, what happens if it is not paid, and how it is got back."""
    minutes = int(terms.pay_within.total_seconds() // 60)
    deposit = money(terms.cents)
    asked = runtime.say("deposit_terms", deposit=deposit, lasts=lasting(minutes)).strip()
    return f"{asked}\n{_refund_terms(terms, start, runtime).strip()}"


def _refund_terms(terms: DepositTerms, start: datetime, runtime: Runtime) -> str:
    until = terms.refund_until(start)
    if until <= runtime.now:
        return runtime.say("deposit_terms_no_refund")
    return runtime.say("deposit_terms_refund", refund_until=moment_text(until, runtime))


def remember_terms(runtime: Runtime, asked: Choice, text: str, terms: DepositTerms | None = None) -> None:
    """What the patient has to read before a yes to `asked` counts."""
    name = without_offer(str(asked))
    known = runtime.state.terms
    same = (known.get("for"), known.get("text")) == (name, text)
    key = {"key": terms.key} if terms else {}
    runtime.state.terms = known if same else {"for": name, "text": text, **key}


async def read_charges(runtime: Runtime, appointments: Iterable[Appointment]) -> None:
    """Read the charges of these appointments, as they stand now."""
    if runtime.deposits is not None:
        runtime.charges.update(await runtime.deposits.charges(runtime.clinic, appointments))


def of_cancelling(appointment: Appointment, runtime: Runtime) -> str:
    """What a cancellation of it would mean for the money, which has to be read before the yes; "" for nothing."""
    charge = runtime.charges.get(appointment.charge_id)
    return if_cancelled(charge, runtime) if charge is not None and appointment.status.live else ""


def note_read(runtime: Runtime, replies: Iterable[Reply]) -> None:
    """Keep the message in which the patient reads the terms."""
    terms = runtime.state.terms
    for reply in replies if terms else ():
        if terms["text"] in reply.text:
            runtime.state.terms = {**terms, "read": reply.text}


def agreed_terms(runtime: Runtime, asked: Choice, terms: DepositTerms) -> DepositTerms | None:
    """The terms with what the patient read of them; None where they read others, or none, before their yes."""
    known = runtime.state.terms
    is_same = (known.get("for"), known.get("key")) == (without_offer(str(asked)), terms.key)
    return replace(terms, agreed=known["read"]) if is_same and "read" in known else None


def standing_reply(deposit: OwnDeposit, runtime: Runtime) -> Reply:
    """How a deposit stands, by the ledger, with what can be done about it."""
    charge, appointment = deposit.charge, deposit.appointment
    line = appointment_line(appointment, runtime)
    if charge.state is ChargeState.OPEN:
        by_hand = runtime.deposits is not None and not runtime.deposits.can_ask(charge)
        phrase = "deposit_code_comes" if not charge.code else "deposit_by_hand" if by_hand else "deposit_not_seen"
        text = f"{runtime.say(phrase, line=line).strip()}\n{to_pay(charge, runtime)}"
        kinds = [(Kind.DEPOSIT_LOOK, charge.id), (Kind.DEPOSIT_CODE, charge.id), (Kind.CANCEL, appointment.id)]
        return Reply(text, tuple(option_for(choice(*kind), runtime) for kind in kinds))
    if charge.state is ChargeState.PAID and appointment.status.live:
        return Reply(runtime.say("deposit_seen", line=line, deposit=money(charge.ledger.held)))
    if charge.pending_refunds:
        return Reply(runtime.say("deposit_on_way_back", line=line, deposit=money(charge.pending_refunds)))
    if charge.state is ChargeState.REFUNDED:
        return Reply(runtime.say("deposit_was_refunded", line=line, deposit=money(charge.ledger.refunded)))
    if charge.state is ChargeState.KEPT:
        return Reply(runtime.say("deposit_was_kept", line=line, deposit=money(charge.ledger.kept)))
    if charge.ledger.is_waived and appointment.status.live:
        return Reply(runtime.say("deposit_was_waived", line=line))
    again = option_for(choice(Kind.DEPOSIT_AGAIN, appointment.id), runtime)
    return Reply(runtime.say("deposit_too_late", line=line), (again,))
