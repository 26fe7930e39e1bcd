"""What a clinic answers questions with, and questions that nothing answered."""

from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import StrEnum
from typing import Annotated

from gendei.clinic import ClinicId
from gendei.documents import document_id
from gendei.knowledge.searchable import Searchable
from gendei.records import ABSENT_WHEN_EMPTY, ABSENT_WHEN_NONE, NOT_STORED, Day, Moment, Record


class EntryState(StrEnum):
    """PROPOSED: as written last, nobody approved it; what was approved before is still said."""

    PROPOSED = "proposed"
    APPROVED = "approved"
    RETIRED = "retired"


@dataclass(frozen=True, slots=True)
class ApprovedAnswer:
    """What patients are told. version: of the entry, as it was then."""

    questions: tuple[str, ...]
    answer: str
    version: int
    by: str
    at: Moment
    valid_until: Day | None = None

    def is_valid(self, today: date) -> bool:
        """Whether it may be said on this local day."""
        return self.valid_until is None or today <= self.valid_until


@dataclass(frozen=True, slots=True)
class KnowledgeEntry:
    """owner: who sees to it; source: where it is from. valid_until: the last local day on which it is said. version:
    counts what was written; by: who wrote it last. live: what was approved. cases: patients' questions that it has to
    answer. past_told: the approved version whose date is over, once who sees to it has a task."""

    id: Annotated[str, NOT_STORED]
    questions: tuple[str, ...]
    answer: str
    owner: str
    source: str
    version: int
    by: str
    at: Moment
    valid_until: Annotated[Day | None, ABSENT_WHEN_NONE] = None
    live: Annotated[ApprovedAnswer | None, ABSENT_WHEN_NONE] = None
    retired: bool = False
    cases: Annotated[tuple[str, ...], ABSENT_WHEN_EMPTY] = ()
    past_told: Annotated[int | None, ABSENT_WHEN_NONE] = None

    @property
    def state(self) -> EntryState:
        if self.retired:
            return EntryState.RETIRED
        approved = self.live is not None and self.live.version == self.version
        return EntryState.APPROVED if approved else EntryState.PROPOSED

    def approved(self, by: str, at: datetime) -> "KnowledgeEntry":
        """With what is written now as what patients are told."""
        live = ApprovedAnswer(self.questions, self.answer, self.version, by, at, self.valid_until)
        return replace(self, live=live, retired=False)

    def searchable(self, today: date) -> Searchable | None:
        """What is searched of it on this local day; None where it is not said."""
        if self.live is None or self.retired or not self.live.is_valid(today):
            return None
        return Searchable(self.id, self.live.questions, self.live.answer)


@dataclass(frozen=True, slots=True)
class KnowledgeRevision:
    """Changes with everything that is written of a clinic's entries, so that every process knows when to read them
    again. entries: how many there are."""

    revision: int = 0
    entries: int = 0


@dataclass(frozen=True, slots=True)
class KnowledgeGap:
    """Questions of one meaning that nothing answered. questions: the first of them, in patients' words without long
    numbers. count: how often it was asked. dismissed: staff do not want an answer; entry_id: what answers it now."""

    id: Annotated[str, NOT_STORED]
    questions: tuple[str, ...]
    count: int
    first_at: Moment
    last_at: Moment
    dismissed: bool = False
    entry_id: Annotated[str | None, ABSENT_WHEN_NONE] = None

    @property
    def is_open(self) -> bool:
        return not self.dismissed and self.entry_id is None


ENTRY = Record(KnowledgeEntry, "gendei_clinics/{clinicId}/knowledge/{id}")
REVISION = Record(KnowledgeRevision, "gendei_clinics/{clinicId}/knowledge_revision/current")
GAP = Record(KnowledgeGap, "gendei_clinics/{clinicId}/knowledge_gaps/{id}")


def entries_path(clinic_id: ClinicId) -> str:
    """The collection of a clinic's entries."""
    return f"gendei_clinics/{document_id(clinic_id)}/knowledge"


def revision_path(clinic_id: ClinicId) -> str:
    return f"gendei_clinics/{document_id(clinic_id)}/knowledge_revision/current"


def gaps_path(clinic_id: ClinicId) -> str:
    """The collection of a clinic's questions without an answer."""
    return f"gendei_clinics/{document_id(clinic_id)}/knowledge_gaps"
