"""How patients liked their visits: scores by professional, service, weekday and hour, and why the low ones are low."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from gendei.booking.appointment import Conditions
from gendei.clinic import Clinic
from gendei.clinic_initiatives import SurveyPolicy
from gendei.documents import Documents, Query
from gendei.staff.presence_numbers import PresenceBy, sides
from gendei.surveys.survey import SURVEY, Survey, surveys_of


@dataclass(frozen=True, slots=True)
class SurveySide:
    """Of visits that were asked about. `name`: as in PresenceNumbers. `low`: scores of which it is asked why."""

    by: PresenceBy
    name: str
    asked: int
    answered: int
    low: int
    total: int

    @property
    def average(self) -> float | None:
        return self.total / self.answered if self.answered else None

    @property
    def answer_rate(self) -> float | None:
        """The share of those asked that answered."""
        return self.answered / self.asked if self.asked else None


@dataclass(frozen=True, slots=True)
class SurveyReason:
    """Why a visit got a low score, in the patient's words. `start`: in the clinic's zone."""

    start: datetime
    professional: str
    service: str
    score: int
    reason: str


@dataclass(frozen=True, slots=True)
class SurveyNumbers:
    """`sides`: sorted by each of PresenceBy; nothing where nobody was asked. `scores`: how often each was given, the
    lowest first. `reasons`: the latest first."""

    sides: tuple[SurveySide, ...] = ()
    scores: tuple[int, ...] = ()
    reasons: tuple[SurveyReason, ...] = ()

    @property
    def together(self) -> SurveySide | None:
        return next((side for side in self.sides if side.by is PresenceBy.ALL), None)


NO_SURVEYS = SurveyNumbers()


async def surveys_in(documents: Documents, clinic: Clinic, days: tuple[date, date], most: int) -> SurveyNumbers:
    """Of visits that began on the local days from the first to the last; nothing is asked of the store where the clinic
    asks nobody."""
    if clinic.survey is None:
        return NO_SURVEYS
    first, last = (datetime.combine(day, time(), clinic.timezone) for day in days)
    begun: Conditions = (("start", ">=", first), ("start", "<", last + timedelta(days=1)))
    found = await documents.query(Query(surveys_of(clinic.id), begun, (("start", False),), limit=most))
    return survey_numbers(clinic, [SURVEY.read(each.data, appointment_id=each.id) for each in found])


def survey_numbers(clinic: Clinic, surveys: Sequence[Survey]) -> SurveyNumbers:
    if not surveys:
        return NO_SURVEYS
    low = (clinic.survey or SurveyPolicy()).low
    scores = tuple(_side(by, name, of_name, low) for by, name, of_name in sides(clinic, surveys))
    given = [survey.score for survey in surveys]
    reasons = (
        SurveyReason(
            clinic.local(survey.start), survey.professional_name, survey.service_name, survey.score, survey.reason
        )
        for survey in reversed(surveys)
        if survey.score is not None and survey.reason
    )
    return SurveyNumbers(scores, tuple(given.count(score) for score in range(1, 6)), tuple(reasons))


def _side(by: PresenceBy, name: str, surveys: Sequence[Survey], low: int) -> SurveySide:
    scores = [survey.score for survey in surveys if survey.score is not None]
    return SurveySide(by, name, len(surveys), len(scores), sum(score <= low for score in scores), sum(scores))
