"""What a turn on an API costs its clinic, and whether the clinic may ask the API now."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import TypeVar

from agents import Agent, ModelRefusalError, ModelResponse, ModelTimeoutError, RunContextWrapper, RunHooks

from gendei.clinic import ClinicId
from gendei.costs.model_costs import Prices, Spent, UsageLedger, spent_by
from gendei.errors import StoreError
from gendei.receptionist.llm.api_errors import Kind, SaidNothing, SaidUntrue, Trouble
from gendei.receptionist.llm.breaker import ModelResting
from gendei.receptionist.llm.models import ApiModels
from gendei.receptionist.tools.repeats import CalledAgain

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


FALLBACKS: Mapping[type[Exception], str] = {
    ModelResting: "resting",
    SaidNothing: "silent",
    SaidUntrue: "untrue",
    ModelRefusalError: "refused",
    CalledAgain: "repeated",
}
"""What guided answered in the API's place for, as it is counted; anything else is "failed"."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ApiUse:
    """One turn on the API of `models`, paid for by one clinic on one of its days. `ledger`: where costs are counted."""

    models: ApiModels
    ledger: UsageLedger | None
    clinic_id: ClinicId
    day: date

    def __post_init__(self) -> None:
        self.models.breaker.begin_turn()

    async def rests(self) -> str | None:
        """Why the API is not asked at all: it fails, or the clinic's day has cost enough."""
        if not self.models.breaker.lets_through:
            return "resting"
        budget = self.models.limits.daily_budget_usd
        if budget is None or self.ledger is None:
            return None
        try:
            spent = await self.ledger.today(self.clinic_id, self.day)
        except StoreError as error:
            _log.warning("what clinic %s has spent is not known: %s", self.clinic_id, type(error).__name__)
            return None
        return "budget" if spent.usd >= budget else None

    def count(self, spent: Spent) -> None:
        self.models.figures.spent += spent
        if self.ledger is not None:
            self.ledger.add(self.clinic_id, self.day, spent)

    def rested(self, why: str) -> None:
        """Guided answers in place of an API that was not asked."""
        self.models.figures.fallbacks[why] += 1
        self.count(Spent(guided_turns=1))

    def failed(self, error: Exception, spent: Spent) -> None:
        """Guided answers in place of an API that was asked, and cost `spent`."""
        _log.warning("model failed, guided answers: %s", type(error).__name__)
        self.count(spent + Spent(guided_turns=1))
        self.models.figures.fallbacks[FALLBACKS.get(type(error), "failed")] += 1
        if isinstance(error, ModelTimeoutError | TimeoutError):
            self.models.breaker.failed(Trouble(Kind.TIMED_OUT))
