"""What WhatsApp charges for messages, by Meta's category."""

from datetime import date
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import Field

from gendei.costs.ledger import MICRO
from gendei.datafile import StrictModel, read_yaml

MARKETING = "marketing"
_Usd = Annotated[float, Field(ge=0)]


class CategoryPrices(StrictModel):
    """US dollars for one delivered message."""

    marketing: _Usd
    utility: _Usd
    authentication: _Usd
    service: _Usd


class MessagePrices(StrictModel):
    """`as_of`: when Meta's list was looked up."""

    as_of: date
    brazil: CategoryPrices

    def micros(self, category: str) -> int:
        """The price of one of Meta's categories, in millionths of a US dollar. Raises KeyError for another."""
        usd: float = self.brazil.model_dump()[category]
        return round(usd * MICRO)


@cache
def message_prices() -> MessagePrices:
    """The prices that come with the product."""
    return read_yaml(Path(__file__).with_name("message_prices.yaml")).into(MessagePrices)
