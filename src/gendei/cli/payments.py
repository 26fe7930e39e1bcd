"""`gendei payments`, the deposits of a clinic with their sums, and `gendei deposits`, what staff do about them.

A running service asks the providers; what is changed here is followed by it within some minutes."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Annotated, Any

import typer

from gendei.cli.language import say, worded
from gendei.cli.offers import checked, do
from gendei.cli.stored import AsJson, ClinicOption, Stored, in_store
from gendei.clinic import money
from gendei.commands import payments as commands
from gendei.commands.command import Command
from gendei.deposit_rules import DepositProvider
from gendei.observing.logs import escaped
from gendei.payment_adapters import PaymentAccounts
from gendei.payments.money_ledger import ChargeState, EntryKind
from gendei.payments.pix_charge import PixCharge
from gendei.secrets import SecretBox
from gendei.staff.payments.payment_book import CSV_COLUMNS, CSV_MORE, PaymentBook, Sums
from gendei.staff.payments.payment_office import PaymentRefused

PaymentArgument = Annotated[str, typer.Argument(help="As `gendei payments` prints.")]
Note = Annotated[str, typer.Option("--note", help="Why; it stands in the ledger.")]
Cents = Annotated[int | None, typer.Option("--cents", help="In centavos. Left out: all of it.")]


def list_payments(
    clinic: ClinicOption,
    since: Annotated[
        datetime | None, typer.Option("--from", formats=["%Y-%m-%d"], help="The first day. Left out: of the month.")
    ] = None,
    until: Annotated[
        datetime | None, typer.Option("--to", formats=["%Y-%m-%d"], help="The last day, included. Left out: today.")
    ] = None,
    as_csv: Annotated[bool, typer.Option("--csv", help="Every entry of the ledger in these days, as CSV.")] = False,
    as_json: AsJson = False,
) -> None:
    """List the deposits with something entered in some days, with their sums by day and professional."""
    days = {"first": since.date() if since else None, "last": until.date() if until else None}
    with _refusals_told():
        book: PaymentBook = do(commands.LIST_PAYMENTS, checked(commands.ListPayments, days), clinic)
    if as_csv:
        names = {name: name for name in (*CSV_COLUMNS, *CSV_MORE)}
        kinds = {str(kind): str(kind) for kind in (*EntryKind, *ChargeState)}
        print(book.csv(names, kinds), end="")
    elif as_json:
        print(json.dumps(commands.PaymentsOut.read(book).told(), ensure_ascii=False, indent=2))
    else:
        _print(book)


def look(clinic: ClinicOption, payment: PaymentArgument) -> None:
    """Have the payment provider asked about a deposit at once, by the running service."""
    _change(commands.LOOK_AT_PAYMENT, commands.OnePayment, clinic, payment=payment)


def waive(clinic: ClinicOption, payment: PaymentArgument, note: Note) -> None:
    """Do without what is still asked of a deposit."""
    _change(commands.WAIVE_PAYMENT, commands.WaivePayment, clinic, payment=payment, note=note)


def receive(clinic: ClinicOption, payment: PaymentArgument, note: Note, cents: Cents = None) -> None:
    """Say that a deposit was paid otherwise."""
    _change(commands.RECEIVE_PAYMENT, commands.ReceivePayment, clinic, payment=payment, note=note, cents=cents)


def refund(clinic: ClinicOption, payment: PaymentArgument, cents: Cents = None) -> None:
    """Give back a deposit or a part of it."""
    _change(commands.REFUND_PAYMENT, commands.RefundPayment, clinic, payment=payment, cents=cents)


def refund_was_given(
    clinic: ClinicOption,
    payment: PaymentArgument,
    refund: Annotated[str, typer.Argument(help="The refund that was to be done by hand.")],
) -> None:
    """Say that staff gave back what a refund by hand asked them to."""
    _change(commands.REFUND_WAS_GIVEN, commands.RefundGiven, clinic, payment=payment, refund=refund)


def address(
    clinic: ClinicOption,
    provider: Annotated[DepositProvider, typer.Option(help="Whose webhooks come there.")],
) -> None:
    """Print the address to which a payment provider posts its webhooks. It holds a secret."""
    print(_address(clinic, provider))


@in_store
async def _address(stored: Stored, clinic: str, provider: DepositProvider) -> str:
    accounts = PaymentAccounts(stored.directory, SecretBox(stored.settings.key), stored.settings.public_url)
    return accounts.webhook_address((await stored.clinic(clinic)).id, provider)


def _change(command: Command[Any, PixCharge], given: type[commands.OnePayment], clinic: str, **values: object) -> None:
    with _refusals_told():
        print(escaped(_line(do(command, checked(given, values), clinic))))


@contextmanager
def _refusals_told() -> Iterator[None]:
    """A refusal ends the command with its sentence, and status 1."""
    try:
        yield
    except PaymentRefused as refused:
        print(escaped(refused.text), file=sys.stderr)
        raise typer.Exit(1) from None


def _print(book: PaymentBook) -> None:
    for charge in book.charges:
        print(escaped(f"{_line(charge)} {book.professional(charge)}, {book.service(charge)}"))
        for order in charge.refunds:
            print(escaped(f"  {order.id} {order.state} {money(order.cents)}"))
    if not book.charges:
        say("There are no payments in these days.")
        return
    for day, sums in book.days.items():
        print(f"{day} {_told(sums)}")
    for professional, sums in book.professionals.items():
        print(escaped(f"{book.professional_name(professional)}: {_told(sums)}"))
    print(f"{worded('together')}: {_told(book.together)}")
    for each in book.compared:
        for found in each.differences:
            print(escaped(f"{each.day} {found.kind} {found.reference} {money(found.theirs)} / {money(found.ours)}"))


def _line(charge: PixCharge) -> str:
    asked, held = money(charge.ledger.asked), money(charge.ledger.held)
    return f"{charge.id} {charge.state} {asked} {worded('held')} {held} {charge.provider}"


def _told(sums: Sums) -> str:
    came, went = f"{worded('received')} {money(sums.received)}", f"{worded('refunded')} {money(sums.refunded)}"
    return f"{came}, {went}, {worded('kept')} {money(sums.kept)}, {worded('left')} {money(sums.left)}"
