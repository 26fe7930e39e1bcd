"""What is known of language models as data: their prices, and words that an answer of theirs must not hold."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, Field

from gendei.datafile import StrictModel, Text, read_yaml

_PRICES_FILE = "prices.yaml"
_GUARDRAILS_FILE = "guardrails.yaml"

_Usd = Annotated[float, BeforeValidator(lambda given: float(given) if type(given) is int else given), Field(ge=0)]
_Words = Annotated[list[Text], Field(min_length=1)]


class Price(StrictModel):
    """US dollars for a million tokens. `cached_input`: for what the API had read before."""

    input: _Usd
    cached_input: _Usd
    output: _Usd


class _PriceFile(StrictModel):
    models: dict[str, Price]
    others: Price


@dataclass(frozen=True, slots=True)
class Prices:
    """`others`: what a model costs that the file does not name."""

    models: Mapping[str, Price]
    others: Price

    def of(self, model: str) -> Price:
        """The price of `model`, with or without the maker before its name ("openai/gpt-4.1"), or of its family: a
        dated version ("gpt-4.1-2025-04-14") costs what the name costs that it begins with."""
        name = model if model in self.models else model.rpartition("/")[2]
        family = max((one for one in self.models if name == one or name.startswith(f"{one}-2")), key=len, default=None)
        return self.models[family] if family else self.others


class GuardrailWords(StrictModel):
    """Expressions, as words one after the other; accents and capitals do not matter. See `prompts/guardrails.yaml`."""

    person: _Words
    assistant: _Words
    medicines: _Words
    taking: _Words
    conditions: _Words
    diagnosing: _Words
    reassuring: _Words
    declining: _Words
    free: _Words


def load_prices(folder: Path) -> Prices:
    """The prices of `folder`. Raises ConfigurationError."""
    content = read_yaml(folder / _PRICES_FILE).into(_PriceFile)
    return Prices(content.models, content.others)


def load_guardrail_words(folder: Path) -> GuardrailWords:
    """The guardrails' words of `folder`. Raises ConfigurationError."""
    return read_yaml(folder / _GUARDRAILS_FILE).into(GuardrailWords)
