"""`gendei costs`: what a clinic's WhatsApp messages cost."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import date
from typing import Annotated

import typer

from gendei.cli.language import worded
from gendei.cli.stored import AsJson, ClinicOption, Stored, in_store, print_list
from gendei.costs.ledger import MICRO
from gendei.costs.message_prices import MessagePrices
from gendei.datafile import data_dir
from gendei.errors import GendeiError
from gendei.prompts import load_phrases
from gendei.staff.actors import terminal
from gendei.staff.message_costs import MessageCost
from gendei.staff.numbers import ClinicNumbers
from gendei.verticals import TERM_FORMS

Month = Annotated[str, typer.Option("--month", help="The month, as 2026-11; the present one where left out.")]


class NoSuchMonth(GendeiError):
    """Messages are counted for the present month and the twelve before it, written as 2026-11."""


def costs(clinic: ClinicOption, month: Month = "", as_json: AsJson = False) -> None:
    """List what a clinic's WhatsApp messages cost in a month, by category."""
    nothing = "WhatsApp has told the category of no message of this month."
    print_list(_costs(clinic, month), _line, nothing, aside=True, row=_row if as_json else None)


def _line(cost: MessageCost) -> str:
    messages, charged = f"{cost.messages} {worded('messages')}", f"{cost.charged} {worded('charged')}"
    amount = worded("no price known") if cost.micros is None else f"{cost.currency} {cost.micros / MICRO:.4f}"
    return f"{cost.category}  {messages}, {charged}, {amount}"


def _row(cost: MessageCost) -> dict[str, object]:
    amount = None if cost.micros is None else cost.micros / MICRO
    return {
        "category": cost.category,
        "messages": cost.messages,
        "charged": cost.charged,
        "cost": amount,
        "currency": cost.currency,
    }


@in_store
async def _costs(stored: Stored, clinic_id: str, month: str) -> Sequence[MessageCost]:
    clinic = await stored.clinic(clinic_id)
    folder = data_dir("prompts", stored.settings.prompts_dir)
    numbers = ClinicNumbers(
        stored.documents,
        stored.directory,
        stored.clock,
        load_phrases(folder, TERM_FORMS),
        MessagePrices.load(folder),
    )
    with suppress(ValueError):
        first = date.fromisoformat(f"{month}-01") if month else None
        return (await numbers.read(terminal(clinic.id), first)).messages
    raise NoSuchMonth
