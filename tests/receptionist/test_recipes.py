"""The recipes of docs/models.md lead to the API that they name, as they stand but for the keys."""

import re
from pathlib import Path

import pytest

from gendei.costs.model_costs import load_prices
from gendei.datafile import data_dir
from gendei.receptionist.llm.api_dialects import Dialect, dialect_of
from gendei.settings import Settings

GUIDE = (Path(__file__).parents[2] / "docs" / "models.md").read_text(encoding="utf-8")
RECIPES = [
    dict(line.strip().split("=", 1) for line in text.splitlines())
    for text in re.findall(r"(?:^    [A-Z_]+=.+\n)+", GUIDE, re.MULTILINE)
]
LEAD_TO = [(Dialect.GEMINI, True), (Dialect.OPENROUTER, True), (Dialect.OPENAI, False)]


@pytest.mark.parametrize(("recipe", "expected"), list(zip(RECIPES, LEAD_TO, strict=True)))
def test_a_recipe_names_the_api_its_key_and_a_model_whose_price_is_known(
    monkeypatch: pytest.MonkeyPatch, recipe: dict[str, str], expected: tuple[Dialect, bool]
) -> None:
    for name, value in recipe.items():
        monkeypatch.setenv(name, value)
    settings, prices = Settings.load(), load_prices(data_dir("prompts"))
    assert (settings.model, settings.openai_api_key is not None) == ("api", True)
    assert (dialect_of(settings.openai_base_url), prices.of(settings.api_model or "") != prices.others) == expected
