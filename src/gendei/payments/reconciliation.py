"""What a day's reconciliation found, kept: gendei_clinics/{clinicId}/reconciliations/{provider}_{yyyy-mm-dd}."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Annotated

from gendei.clinic import ClinicId
from gendei.documents import Documents, Query, document_id
from gendei.payments.reconciling import Difference, Discrepancy
from gendei.records import ABSENT_WHEN_EMPTY, ABSENT_WHEN_NONE, NOT_STORED, Moment, Record

LAST = 30


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """since, until: of when charges were made that were compared. claimed_until: a process is at it, or died; attempts:
    how often one began. done_at: None while nothing is known. trouble: why it could not be done last."""

    id: Annotated[str, NOT_STORED]
    provider: str
    day: str
    since: Moment
    until: Moment
    claimed_until: Moment
    attempts: Annotated[int, ABSENT_WHEN_EMPTY] = 0
    done_at: Annotated[Moment | None, ABSENT_WHEN_NONE] = None
    trouble: Annotated[str, ABSENT_WHEN_EMPTY] = ""
    differences: Annotated[tuple[Difference, ...], ABSENT_WHEN_EMPTY] = ()

    @property
    def needs_staff(self) -> tuple[Difference, ...]:
        """Those that were not entered by themselves."""
        return tuple(each for each in self.differences if each.kind is not Discrepancy.FOUND)


RECONCILIATION = Record(Reconciliation, "gendei_clinics/{clinicId}/reconciliations/{provider_day}")


def reconciliations_of(clinic_id: ClinicId) -> str:
    return f"gendei_clinics/{document_id(clinic_id)}/reconciliations"


def reconciliation_path(clinic_id: ClinicId, provider: str, day: date) -> str:
    return f"{reconciliations_of(clinic_id)}/{document_id(f'{provider}_{day.isoformat()}')}"


async def last_reconciliations(documents: Documents, clinic_id: ClinicId) -> Sequence[Reconciliation]:
    """The newest first."""
    query = Query(reconciliations_of(clinic_id), order_by=(("until", True),), limit=LAST)
    return [RECONCILIATION.read(each.data, id=each.id) for each in await documents.query(query)]
