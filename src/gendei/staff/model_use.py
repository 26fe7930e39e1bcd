"""What staff and operators see of the language models: what a clinic's days cost, and how the API is doing."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from gendei.costs.model_costs import Spent, UsageLedger
from gendei.messages.channels import Clinics
from gendei.receptionist.llm.breaker import BreakerView
from gendei.receptionist.llm.clinic_models import ClinicModels
from gendei.receptionist.llm.models import ApiModels
from gendei.receptionist.llm.spending import ApiUse
from gendei.staff.actors import Actor, Right

MAX_DAYS = 92


@dataclass(frozen=True, slots=True)
class ModelDay:
    """`day` is the clinic's own, in its zone."""

    day: date
    spent: Spent


@dataclass(frozen=True, slots=True)
class ModelUse:
    """`models`: the deployment's; None where it has none. clinics, clinic_models: whose models answer each clinic."""

    ledger: UsageLedger
    models: ApiModels | None = None
    clinics: Clinics | None = None
    clinic_models: ClinicModels | None = None

    async def of(self, actor: Actor) -> ApiModels | None:
        """The models that answer the actor's clinic; None where guided does."""
        clinic = await self.clinics.get(actor.clinic_id) if self.clinics else None
        return self.clinic_models.of(clinic) if clinic and self.clinic_models else self.models

    async def days(self, actor: Actor, first: date, last: date) -> Sequence[ModelDay]:
        """What each day from `first` to `last` cost the actor's clinic, at most MAX_DAYS of them; what other processes
        spent in the last seconds is missing. Needs Right.MANAGE, or Right.OPERATE of an operator who acts for the
        clinic. Raises Forbidden."""
        if not actor.may(Right.OPERATE):
            actor.require(Right.MANAGE)
        count = min((last - first).days + 1, MAX_DAYS)
        asked = [first + timedelta(days=offset) for offset in range(max(count, 0))]
        await self.ledger.flush()
        spent = await self.ledger.stored(actor.clinic_id, asked)
        return list(map(ModelDay, asked, spent))

    async def rests(self, actor: Actor, day: date) -> str | None:
        """Why guided answers the actor's clinic in the API's place on `day`, its present day: "resting" where the API
        fails, "budget" where the day has cost enough; None where the API answers, or there is none. Needs Right.READ or
        Right.OPERATE. Raises Forbidden."""
        _require_sight(actor)
        models = await self.of(actor)
        return await ApiUse(models, self.ledger, actor.clinic_id, day).rests() if models else None

    def breaker(self, actor: Actor) -> BreakerView | None:
        """How the deployment's API is doing for this process; None where there is no API. Needs Right.READ or
        Right.OPERATE. Raises Forbidden."""
        _require_sight(actor)
        return self.models.breaker.view if self.models else None


def _require_sight(actor: Actor) -> None:
    """Any user may know why answers are plainer than usual. Raises Forbidden."""
    if not actor.may(Right.OPERATE):
        actor.require(Right.READ)
