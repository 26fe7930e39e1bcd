"""What staff and operators see of the language models: what a clinic's days cost, and how the API is doing."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from gendei.documents import Documents
from gendei.receptionist.api_use import ApiUse
from gendei.receptionist.breaker import BreakerView
from gendei.receptionist.ledger import UsageLedger, usage_of
from gendei.receptionist.models import ApiModels
from gendei.receptionist.usage import Spent
from gendei.staff.actors import Actor, Right

MAX_DAYS = 92


@dataclass(frozen=True, slots=True)
class ModelDay:
    """`day` is the clinic's own, in its zone."""

    day: date
    spent: Spent


@dataclass(frozen=True, slots=True)
class ModelUse:
    """`models`: those of this process; None where guided answers everything."""

    documents: Documents
    ledger: UsageLedger
    models: ApiModels | None = None

    async def days(self, actor: Actor, first: date, last: date) -> Sequence[ModelDay]:
        """What each day from `first` to `last` cost the actor's clinic, at most MAX_DAYS of them; what other processes
        spent in the last seconds is missing. Needs Right.MANAGE, or Right.OPERATE of an operator who acts for the
        clinic. Raises Forbidden."""
        if not actor.may(Right.OPERATE):
            actor.require(Right.MANAGE)
        count = min((last - first).days + 1, MAX_DAYS)
        asked = [first + timedelta(days=offset) for offset in range(max(count, 0))]
        await self.ledger.flush()
        spent = await usage_of(self.documents, actor.clinic_id, asked)
        return [ModelDay(*used) for used in zip(asked, spent, strict=True)]

    async def rests(self, actor: Actor, day: date) -> str | None:
        """Why guided answers the actor's clinic in the API's place on `day`, its present day: "resting" where the API
        fails, "budget" where the day has cost enough; None where the API answers, or there is none. Needs Right.READ or
        Right.OPERATE. Raises Forbidden."""
        if self.breaker(actor) is None or self.models is None:
            return None
        return await ApiUse(self.models, self.ledger, actor.clinic_id, day).rests()

    def breaker(self, actor: Actor) -> BreakerView | None:
        """How the API is doing for this process; None where there is no API. Any user may know why answers are plainer
        than usual. Needs Right.READ or Right.OPERATE. Raises Forbidden."""
        if not actor.may(Right.OPERATE):
            actor.require(Right.READ)
        return self.models.breaker.view if self.models else None
