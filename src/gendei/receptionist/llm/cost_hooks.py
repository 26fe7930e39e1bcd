"""What the calls of one turn's models cost."""

from typing import TypeVar

from agents import Agent, ModelResponse, RunContextWrapper, RunHooks

from gendei.costs.model_costs import Spent, spent_by
from gendei.model_data import Prices
from gendei.receptionist.llm.models import ApiModels

C = TypeVar("C")


class CostHooks(RunHooks[C]):
    """Follows the runs of one turn. `spent`: what their answered calls cost, also where the run failed in the end."""

    def __init__(self, models: ApiModels, prices: Prices) -> None:
        self._models = models
        self._prices = prices
        self.spent = Spent()

    async def on_llm_end(self, context: RunContextWrapper[C], agent: Agent[C], response: ModelResponse) -> None:
        name = self._models.name_of(agent.model if isinstance(agent.model, str) else "")
        self.spent += spent_by(response.usage, self._prices.of(name))
