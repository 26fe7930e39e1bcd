"""What a clinic's messages cost by their category, as WhatsApp tells of each and the table of prices has it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Protocol

from gendei.costs.message_prices import MessagePrices
from gendei.messages.message import MessageCharge


@dataclass(frozen=True, slots=True)
class SentMessages:
    """Of one category: how many WhatsApp told of, and how many of them it charges."""

    category: str
    messages: int
    charged: int


@dataclass(frozen=True, slots=True)
class MessageCost:
    """As SentMessages, with what they cost in millionths of `currency`; None where no price is known."""

    category: str
    messages: int
    charged: int
    micros: int | None
    currency: str


class OfDay(Protocol):
    """A day's numbers."""

    @property
    def day(self) -> date: ...
    @property
    def sent(self) -> tuple[SentMessages, ...]: ...


def sent_messages(charges: Iterable[MessageCharge | None]) -> tuple[SentMessages, ...]:
    """By category, the most first; of messages of which nothing was told, nothing."""
    known = [charge for charge in charges if charge is not None]
    sent, charged = (
        Counter(charge.category for charge in known),
        Counter(charge.category for charge in known if charge.charged),
    )
    return tuple(SentMessages(category, count, charged[category]) for category, count in sent.most_common())


def message_costs(days: Sequence[OfDay], prices: MessagePrices) -> tuple[MessageCost, ...]:
    """Of several days, the dearest category first. Each day has the prices of its own date."""
    messages, charged, micros = Counter[str](), Counter[str](), Counter[str]()
    unknown: set[str] = set()
    for each in days:
        for sent in each.sent:
            messages[sent.category] += sent.messages
            charged[sent.category] += sent.charged
            price = prices.micros(sent.category, each.day) if sent.charged else 0
            if price is None:
                unknown.add(sent.category)
            else:
                micros[sent.category] += price * sent.charged
    costs = [
        MessageCost(
            category, count, charged[category], None if category in unknown else micros[category], prices.currency
        )
        for category, count in messages.items()
    ]
    return tuple(sorted(costs, key=lambda cost: (-(cost.micros or 0), cost.category)))
