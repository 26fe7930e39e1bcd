"""What calls of language models cost: tokens, and money in millionths of a US dollar, the currency of their prices."""

from collections.abc import Mapping
from dataclasses import dataclass, fields

from agents import Usage

from gendei.documents import Data
from gendei.model_data import Price

MICRO = 1_000_000


@dataclass(frozen=True, slots=True)
class Spent:
    """Sums. `cached_tokens` are a part of `input_tokens`. `turns`: that a model answered; `guided_turns`: that guided
    answered in its place. cost_micros: millionths of a US dollar; what failed calls cost nobody tells."""

    turns: int = 0
    guided_turns: int = 0
    calls: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    cost_micros: int = 0

    def __add__(self, other: "Spent") -> "Spent":
        return Spent(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(self)))

    @property
    def usd(self) -> float:
        """The cost in US dollars."""
        return self.cost_micros / MICRO

    def to_document(self) -> Data:
        return {name: getattr(self, attribute) for attribute, name in _FIELDS.items()}

    @classmethod
    def from_document(cls, data: Mapping[str, int] | None) -> "Spent":
        """What a document holds; nothing where there is none."""
        return cls(**{attribute: (data or {}).get(name, 0) for attribute, name in _FIELDS.items()})


_FIELDS = {
    "turns": "turns",
    "guided_turns": "guidedTurns",
    "calls": "calls",
    "input_tokens": "inputTokens",
    "cached_tokens": "cachedTokens",
    "output_tokens": "outputTokens",
    "cost_micros": "costMicros",
}


def spent_by(usage: Usage, price: Price) -> Spent:
    """What one answer of a model cost, whatever the provider left out counted as nothing."""
    read, written = usage.input_tokens or 0, usage.output_tokens or 0
    details = usage.input_tokens_details
    cached = min(details.cached_tokens or 0, read) if details else 0
    cost = (read - cached) * price.input + cached * price.cached_input + written * price.output
    return Spent(calls=1, input_tokens=read, cached_tokens=cached, output_tokens=written, cost_micros=round(cost))
