"""What messages cost: each day by the table of its own date, and nothing where no table names the category."""

from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest
from tests.staff.inbox.desk import PRICES

from gendei.costs.message_prices import MessagePrices
from gendei.errors import ConfigurationError
from gendei.messages.message import MessageCharge
from gendei.staff.message_costs import MessageCost, SentMessages, message_costs, sent_messages


@dataclass(frozen=True)
class Sent:
    day: date
    sent: tuple[SentMessages, ...]


def test_messages_are_counted_by_what_was_told_of_them() -> None:
    told = [
        MessageCharge("utility", charged=True),
        None,
        MessageCharge("service", charged=False),
        MessageCharge("utility", charged=False),
    ]
    assert sent_messages(told) == (SentMessages("utility", 2, 1), SentMessages("service", 1, 0))


def test_each_day_costs_what_its_own_table_says() -> None:
    days = [
        Sent(date(2026, 9, 30), (SentMessages("marketing", 2, 2), SentMessages("service", 5, 0))),
        Sent(date(2026, 10, 1), (SentMessages("service", 10, 10), SentMessages("referral_conversion", 1, 1))),
    ]
    assert message_costs(days, PRICES) == (
        MessageCost("marketing", 2, 2, 125_000, "USD"),
        MessageCost("service", 15, 10, 68_000, "USD"),
        MessageCost("referral_conversion", 1, 1, None, "USD"),
    )


def test_an_operator_writes_prices_of_their_own_and_tables_out_of_order_are_refused(tmp_path: Path) -> None:
    table = "  - {since: 2026-%s-01, source: contrato, prices: {utility: 0.04}}\n"
    own = tmp_path / "message_prices.yaml"
    own.write_text("currency: BRL\ncountry: Brasil\ntables:\n" + table % "01" + table % "07")
    assert MessagePrices.load(tmp_path).micros("utility", date(2026, 8, 1)) == 40_000
    own.write_text("currency: BRL\ncountry: Brasil\ntables:\n" + table % "07" + table % "01")
    with pytest.raises(ConfigurationError, match="not in order"):
        MessagePrices.load(tmp_path)
