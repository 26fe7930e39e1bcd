"""A clinic's case: what a patient wrote before an answer that staff found wrong, with nothing of the patient in it, and
what would have been right. gendei_clinics/{clinicId}/cases/{id}."""

import secrets
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from gendei.clinic import ClinicId
from gendei.documents import document_id
from gendei.records import ABSENT_WHEN_EMPTY, ABSENT_WHEN_NONE, NOT_STORED, Moment, Record

MOST_TURNS = 20
"""Of the patient, that a case plays; those before them are left out."""


class Wanted(StrEnum):
    """What would have been right. ANSWER: an answer that says certain things. BOOKING: an appointment, after a few more
    questions at most. QUESTION: to ask back, and to change nothing. PERSON: to call a person."""

    ANSWER = "answer"
    BOOKING = "booking"
    QUESTION = "question"
    PERSON = "person"


@dataclass(frozen=True, slots=True)
class PatientTurn:
    """What the patient said in one go. `tapped`: the kind of the option that they tapped, whose title is the last text;
    `place`: which of the options of that kind it was, from 0."""

    texts: tuple[str, ...]
    tapped: Annotated[str, ABSENT_WHEN_EMPTY] = ""
    place: Annotated[int, ABSENT_WHEN_EMPTY] = 0


@dataclass(frozen=True, slots=True)
class HadAppointment:
    """What the patient had when it began. `start`: local, as "2026-03-05T09:50"."""

    service_id: str
    professional_id: str
    start: str


@dataclass(frozen=True, slots=True)
class LastResult:
    """How the case ended when it was last played. `wrong`: what was, empty where it passed: a kind (see
    gendei.evaluation.replay), and perhaps a colon and more. `model`: what answered."""

    at: Moment
    model: str
    wrong: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        return not self.wrong


@dataclass(frozen=True, slots=True)
class ClinicCase:
    """`now`: the local moment at which it plays, as "2026-03-04T14:32": the weekday and the hour of the conversation,
    by which every date in it was moved. `said`: what must be said, for an ANSWER; `service_id`: what must be booked,
    for a BOOKING, "" for anything. `by`: who of the clinic said that it was wrong."""

    id: Annotated[str, NOT_STORED]
    clinic_id: Annotated[ClinicId, NOT_STORED]
    created_at: Moment
    by: str
    now: str
    turns: tuple[PatientTurn, ...]
    wanted: Wanted
    said: Annotated[tuple[str, ...], ABSENT_WHEN_EMPTY] = ()
    service_id: Annotated[str, ABSENT_WHEN_EMPTY] = ""
    had: Annotated[tuple[HadAppointment, ...], ABSENT_WHEN_EMPTY] = ()
    result: Annotated[LastResult | None, ABSENT_WHEN_NONE] = None

    @property
    def path(self) -> str:
        return case_path(self.clinic_id, self.id)


CASE = Record(ClinicCase, "gendei_clinics/{clinicId}/cases/{id}")


def cases_of(clinic_id: ClinicId) -> str:
    return f"gendei_clinics/{document_id(clinic_id)}/cases"


def case_path(clinic_id: ClinicId, case_id: str) -> str:
    return f"{cases_of(clinic_id)}/{document_id(case_id)}"


def new_case_id() -> str:
    """Tells nothing of the conversation."""
    return secrets.token_hex(6)
