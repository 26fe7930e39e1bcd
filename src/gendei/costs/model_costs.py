"""What calls of language models cost: tokens, and money in millionths of a US dollar, the currency of their prices."""

from dataclasses import dataclass, fields

from agents import Usage

from gendei.model_data import Price
from gendei.records import Record

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


SPENT = Record(Spent, "gendei_clinics/{clinicId}/model_usage/{yyyy-mm-dd}")


def spent_by(usage: Usage, price: Price) -> Spent:
    """What one answer of a model cost, whatever the provider left out counted as nothing."""
    read, written = usage.input_tokens or 0, usage.output_tokens or 0
    details = usage.input_tokens_details
    cached = min(details.cached_tokens or 0, read) if details else 0
    cost = (read - cached) * price.input + cached * price.cached_input + written * price.output
    return Spent(calls=1, input_tokens=read, cached_tokens=cached, output_tokens=written, cost_micros=round(cost))
