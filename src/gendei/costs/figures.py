"""What language models did and cost in this process, as counters: no clinic's, no patient's."""

from collections import Counter
from dataclasses import dataclass, field

from gendei.costs.model_costs import Spent


@dataclass(slots=True, eq=False)
class ModelFigures:
    """`spent`: tokens and money. `fallbacks`: turns that guided answered in a model's place, by why. `corrections`:
    answers of a model that were not sent as they were, by what was wrong with them."""

    spent: Spent = field(default_factory=Spent)
    fallbacks: Counter[str] = field(default_factory=Counter)
    corrections: Counter[str] = field(default_factory=Counter)
