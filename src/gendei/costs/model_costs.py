"""What calls of language models cost: prices, tokens, and money in US dollars, the currency of the prices."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pydantic import BeforeValidator, Field

from gendei.costs.ledger import MICRO, Cost, CostLedger
from gendei.datafile import StrictModel, read_yaml
from gendei.documents import Documents
from gendei.records import Record

if TYPE_CHECKING:
    from agents import Usage  # files are checked without the SDK

_Usd = Annotated[float, BeforeValidator(lambda given: float(given) if type(given) is int else given), Field(ge=0)]


class Price(StrictModel):
    """US dollars for a million tokens. `cached_input`: for what the API had read before."""

    input: _Usd
    cached_input: _Usd
    output: _Usd


class Prices(StrictModel):
    """By the models' names. `others`: what a model costs that the file does not name."""

    models: dict[str, Price]
    others: Price

    def of(self, model: str) -> Price:
        """The price of `model`, with or without the maker before its name ("openai/gpt-4.1"), or of its family: a
        dated version ("gpt-4.1-2025-04-14") costs what the name costs that it begins with."""
        name = model if model in self.models else model.rpartition("/")[2]
        families = (family for family in self.models if name == family or name.startswith(f"{family}-2"))
        family = max(families, key=len, default=None)
        return self.models[family] if family else self.others


def load_prices(folder: Path) -> Prices:
    """The prices of `folder`. Raises ConfigurationError."""
    return read_yaml(folder / "prices.yaml").into(Prices)


@dataclass(frozen=True, slots=True)
class Spent(Cost):
    """Sums. `cached_tokens` are a part of `input_tokens`. `turns`: that a model answered; `guided_turns`: that guided
    answered in its place. cost_micros: millionths of a US dollar. Failed calls are not counted."""

    turns: int = 0
    guided_turns: int = 0
    calls: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    cost_micros: int = 0

    @property
    def usd(self) -> float:
        return self.cost_micros / MICRO


SPENT = Record(Spent, "gendei_clinics/{clinicId}/model_usage/{yyyy-mm-dd}")
UsageLedger = CostLedger[Spent]


def usage_ledger(documents: Documents) -> UsageLedger:
    """What each clinic's conversations cost in language models, by day."""
    return CostLedger(documents, SPENT)


def spent_by(usage: "Usage", price: Price) -> Spent:
    """What one answer of a model cost, whatever the provider left out counted as nothing."""
    read, written = usage.input_tokens or 0, usage.output_tokens or 0
    details = usage.input_tokens_details
    cached = min(details.cached_tokens or 0, read) if details else 0
    cost = (read - cached) * price.input + cached * price.cached_input + written * price.output
    return Spent(calls=1, input_tokens=read, cached_tokens=cached, output_tokens=written, cost_micros=round(cost))


@dataclass(slots=True, eq=False)
class ModelFigures:
    """What language models did and cost in this process: no clinic's, no patient's. `spent`: tokens and money.
    `fallbacks`: turns that guided answered in a model's place, by why. `corrections`: answers of a model that were not
    sent as they were, by what was wrong with them."""

    spent: Spent = field(default_factory=Spent)
    fallbacks: Counter[str] = field(default_factory=Counter)
    corrections: Counter[str] = field(default_factory=Counter)
