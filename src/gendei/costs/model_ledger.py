"""What each clinic's conversations cost in language models, by day."""

from collections.abc import Sequence
from datetime import date

from gendei.clinic import ClinicId
from gendei.costs.ledger import EVERY_SECONDS, CostBook, CostLedger
from gendei.costs.model_costs import SPENT, Spent
from gendei.documents import Documents


class UsageLedger(CostLedger[Spent]):
    """In `model_usage`; days are of the clinic's zone."""

    def __init__(self, documents: Documents, every: float = EVERY_SECONDS) -> None:
        super().__init__(_book(documents), Spent(), every)


async def usage_of(documents: Documents, clinic_id: ClinicId, days: Sequence[date]) -> list[Spent]:
    """What each of `days` (of the clinic's zone) cost, as it is stored."""
    return await _book(documents).of(clinic_id, days)


def _book(documents: Documents) -> CostBook[Spent]:
    return CostBook(documents, "model_usage", SPENT, Spent())
