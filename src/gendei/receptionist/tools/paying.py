"""How a patient's deposit stands, asked at the payment provider. The system tells it; nobody else says that it came."""

from gendei.booking.deposit_desk import OwnDeposit
from gendei.clinic import money
from gendei.messages.replies import PixForm, PixPayment, Reply
from gendei.messages.turns import DepositDue
from gendei.payments.money_ledger import ChargeState
from gendei.receptionist.offers.deposit_terms import standing_reply
from gendei.receptionist.offers.rendering import line_for_staff
from gendei.receptionist.runtime import Context, Runtime, ToolResult, failed
from gendei.receptionist.tools.refusals import ToolRefusal


async def check_deposit(
    context: Context, appointment_id: str | None = None, resend_code: bool = False, says_paid: bool = False
) -> ToolResult:
    """Ask the payment provider how the patient's deposit stands. The system tells the patient; add nothing to it.

    appointment_id: None for the one that is to be paid. says_paid: the patient says so, which proves nothing.
    """
    runtime = context.context
    own = await _own(runtime, appointment_id)
    if own is None or runtime.deposits is None:
        runtime.tell_own(Reply(runtime.say("deposit_none")))
        return failed(ToolRefusal.NO_DEPOSIT, runtime.say("deposit_none"))
    if runtime.deposits.can_ask(own.charge):
        own = await runtime.deposits.look(runtime.clinic, own)
    elif says_paid and own.charge.state is ChargeState.OPEN:
        runtime.says_paid.append(_for_staff(runtime, own))
    runtime.remember([own.appointment])
    runtime.charges[own.charge.id] = own.charge
    reply = standing_reply(own, runtime)
    runtime.tell_own(reply)
    if reply.options:
        runtime.state.shown = [{"id": option.id, "title": option.title} for option in reply.options]
    is_open = own.charge.state is ChargeState.OPEN
    if resend_code and is_open and own.charge.code:
        runtime.tell_own(Reply(own.charge.code, pix=_code(runtime, own)))
    status = "waiting_for_payment" if is_open else str(own.charge.state)
    return ToolResult(True, {"deposit": status, "patient_was_told": True})


async def _own(runtime: Runtime, appointment_id: str | None) -> OwnDeposit | None:
    """Of the appointment, or the one that is to be paid before others."""
    if runtime.deposits is None:
        return None
    found = runtime.owed or await runtime.deposits.recent(runtime.clinic, runtime.contact)
    meant = [each for each in found if appointment_id in {None, each.appointment.id}]
    return next(iter(sorted(meant, key=lambda each: not each.appointment.awaits_deposit)), None)


def _code(runtime: Runtime, own: OwnDeposit) -> PixPayment:
    """The code once more, as a text: a channel that knows payments takes one message of each."""
    left = own.charge.ledger.asked - own.charge.ledger.received
    return PixPayment("", PixForm.CODE, own.charge.code, left, runtime.clinic.name)


def _for_staff(runtime: Runtime, own: OwnDeposit) -> DepositDue:
    told = runtime.say(
        "deposit_task",
        line=line_for_staff(own.appointment, runtime),
        deposit=money(own.charge.ledger.asked),
        news=runtime.say("deposit_news_says_paid"),
    )
    return DepositDue(own.appointment.id, told)


TOOLS = (check_deposit,)
