"""A survey of one visit: gendei_clinics/{clinicId}/surveys/{appointmentId}, made with the message that asks.

Scores are 1 to 5. Whose it is follows of the appointment, which knows when two contacts turn out to be one patient.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Annotated

from gendei.booking.appointment import Appointment, Appointments
from gendei.booking.erasing import ERASED
from gendei.clinic import Clinic, ClinicId, Contact
from gendei.clinic_initiatives import HIGHEST_SCORE, LOWEST_SCORE
from gendei.clock import Clock
from gendei.documents import Documents, Query, Transaction, Write, create, document_id, transact
from gendei.records import ABSENT_WHEN_EMPTY, ABSENT_WHEN_NONE, NOT_STORED, Moment, Record

MOST_REASON = 1000
"""Characters of a reason that are kept."""
SCORES = range(LOWEST_SCORE, HIGHEST_SCORE + 1)


@dataclass(frozen=True, slots=True)
class Survey:
    """start: of the visit. contact: who was asked. score: None until it is answered. reason: in the patient's words,
    where the score is low and they said it."""

    appointment_id: Annotated[str, NOT_STORED]
    contact: Contact
    professional_name: str
    service_name: str
    start: Moment
    asked_at: Moment
    score: Annotated[int | None, ABSENT_WHEN_NONE] = None
    answered_at: Annotated[Moment | None, ABSENT_WHEN_NONE] = None
    reason: Annotated[str, ABSENT_WHEN_EMPTY] = ""

    def __post_init__(self) -> None:
        if self.score is not None and self.score not in SCORES:
            raise ValueError(f"a score is {LOWEST_SCORE} to {HIGHEST_SCORE}, and not {self.score}")


SURVEY = Record(Survey, "gendei_clinics/{clinicId}/surveys/{appointmentId}")


def surveys_of(clinic_id: ClinicId) -> str:
    """The collection of a clinic's surveys."""
    return f"gendei_clinics/{document_id(clinic_id)}/surveys"


def survey_path(clinic_id: ClinicId, appointment_id: str) -> str:
    return f"{surveys_of(clinic_id)}/{document_id(appointment_id)}"


def new_survey(clinic: Clinic, appointment: Appointment, contact: Contact, now: datetime) -> Write:
    """A part of the commit that asks `contact`."""
    asked = Survey(
        appointment.id, contact, appointment.professional_name, appointment.service_name, appointment.start, now
    )
    return create(survey_path(clinic.id, appointment.id), SURVEY.write(asked))


async def asked_since(documents: Documents, clinic: Clinic, contact: Contact, since: datetime, but: str) -> bool:
    """Whether the contact was asked since then about any visit but this one."""
    mine = Query(surveys_of(clinic.id), where=(("contact", "==", contact),))
    found = [SURVEY.read(each.data, appointment_id=each.id) for each in await documents.query(mine)]
    return any(survey.asked_at > since and survey.appointment_id != but for survey in found)


class Surveys:
    """The answers. Every call raises NotFound for a visit of another contact or clinic, and for one of which nobody was
    asked."""

    def __init__(self, documents: Documents, clock: Clock) -> None:
        self._documents, self._clock = documents, clock
        self._appointments = Appointments(documents, clock)

    async def of(self, clinic: Clinic, contact: Contact, appointment_id: str) -> tuple[Survey, Appointment] | None:
        """None where nobody was asked."""
        appointment = await self._appointments.get(clinic, contact, appointment_id)
        found = await self._documents.get(survey_path(clinic.id, appointment_id))
        survey = SURVEY.found(found, appointment_id=appointment_id)
        return None if survey is None else (survey, appointment)

    async def score(self, clinic: Clinic, appointment_id: str, score: int) -> None:
        """Keep the score; the last one that was given counts. A reason belongs to the score that it was given for."""

        def scored(survey: Survey) -> Survey:
            same = survey.score == score
            return survey if same else replace(survey, score=score, answered_at=self._clock(), reason="")

        await self._change(clinic, appointment_id, scored)

    async def explain(self, clinic: Clinic, appointment_id: str, reason: str) -> None:
        """Keep why the score is low."""
        cut = reason.strip()[:MOST_REASON]
        await self._change(clinic, appointment_id, lambda survey: replace(survey, reason=cut))

    async def _change(self, clinic: Clinic, appointment_id: str, change: Callable[[Survey], Survey]) -> None:
        path = survey_path(clinic.id, appointment_id)
        await transact(self._documents, partial(_attempt, path=path, appointment_id=appointment_id, change=change))


async def _attempt(
    transaction: Transaction, path: str, appointment_id: str, change: Callable[[Survey], Survey]
) -> None:
    survey = SURVEY.found(await transaction.get(path), appointment_id=appointment_id)
    if survey is not None:
        transaction.put(path, SURVEY.write(change(survey)))


async def of_appointments(documents: Documents, clinic_id: ClinicId, ids: Sequence[str]) -> list[Survey]:
    """The surveys of these visits, as far as there are any."""
    found = await documents.get_many([survey_path(clinic_id, each) for each in ids]) if ids else []
    return [SURVEY.read(each.data, appointment_id=each.id) for each in found if each.exists]


async def forget_answers(documents: Documents, paths: Sequence[str]) -> None:
    """Keep what the clinic counts of these surveys, and nothing of the person: no contact, no words of theirs."""
    for path in paths:
        await transact(
            documents,
            partial(
                _attempt,
                path=path,
                appointment_id="",
                change=lambda survey: replace(survey, contact=ERASED, reason=""),
            ),
        )
