"""What WhatsApp asks for a message by its category: tables with date and source in `prompts/message_prices.yaml`."""

from collections.abc import Mapping
from datetime import date
from functools import cache
from pathlib import Path
from typing import Annotated, Self

from pydantic import BeforeValidator, Field, model_validator

from gendei.costs.ledger import MICRO
from gendei.datafile import StrictModel, Text, data_dir, refusal
from gendei.texts import read_completed

MARKETING = "marketing"
_Amount = Annotated[float, BeforeValidator(lambda given: float(given) if type(given) is int else given), Field(ge=0)]


class PriceTable(StrictModel):
    """Prices for one message from the day `since` on, in the file's currency. `source`: where they stand."""

    since: Annotated[date, Field(strict=False)]
    source: Text
    prices: dict[str, _Amount]


class MessagePrices(StrictModel):
    """`currency`: its code. `country`: of the recipients. `tables`: the oldest first."""

    currency: Annotated[str, Field(pattern="^[A-Z]{3}$")]
    country: Text
    tables: Annotated[list[PriceTable], Field(min_length=1)]

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if [table.since for table in self.tables] != sorted({table.since for table in self.tables}):
            raise refusal("the tables are not in order of their days.", "Put the oldest first, each day once.")
        return self

    @classmethod
    def load(cls, folder: Path) -> Self:
        """The prices of `folder`, or those that are shipped. Raises ConfigurationError."""
        return read_completed(folder / "message_prices.yaml").into(cls)

    def table_on(self, day: date) -> PriceTable | None:
        """None before the first."""
        return next((table for table in reversed(self.tables) if table.since <= day), None)

    def micros(self, category: str, day: date) -> int | None:
        """Millionths of the currency for one message of a category; None where the table does not name it."""
        table = self.table_on(day)
        amounts: Mapping[str, float] = table.prices if table else {}
        return round(amounts[category] * MICRO) if category in amounts else None

    def latest(self, category: str) -> int:
        """As `micros`, by the last table. Raises KeyError for a category that it does not name."""
        return round(self.tables[-1].prices[category] * MICRO)


@cache
def message_prices() -> MessagePrices:
    """The prices that come with the product."""
    return MessagePrices.load(data_dir("prompts"))
