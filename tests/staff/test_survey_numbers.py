"""How visits were liked: pure functions on surveys."""

from dataclasses import replace

from tests.booking.builders import MARIA, at, make_clinic

from gendei.clinic_initiatives import SurveyPolicy
from gendei.staff.presence_numbers import PresenceBy
from gendei.staff.survey_numbers import NO_SURVEYS, SurveyNumbers, SurveySide, survey_numbers
from gendei.surveys.survey import Survey

CLINIC = make_clinic(survey=SurveyPolicy(low=2))
ASKED = Survey("a1", MARIA, "Dra. Ana Souza", "Consulta Geral", at(2, "10:00"), at(2, "12:30"))
MONTH = [
    ASKED,
    replace(ASKED, appointment_id="a2", score=5, start=at(3, "10:00")),
    replace(ASKED, appointment_id="a3", score=2, reason="Esperei.", service_name="Limpeza", start=at(3, "15:00")),
    replace(ASKED, appointment_id="a4", score=3, professional_name="Dr. Bruno Lima", start=at(4, "15:00")),
]


def sides(numbers: SurveyNumbers, by: PresenceBy) -> dict[str, tuple[int, int, int, float | None]]:
    return {each.name: (each.asked, each.answered, each.low, each.average) for each in numbers.sides if each.by is by}


def test_scores_are_counted_by_each_side_of_the_visit() -> None:
    found = survey_numbers(CLINIC, MONTH)
    assert found.together == SurveySide(PresenceBy.ALL, "", 4, 3, 1, 10)
    assert found.scores == (0, 1, 1, 0, 1)
    assert sides(found, PresenceBy.PROFESSIONAL) == {"Dra. Ana Souza": (3, 2, 1, 3.5), "Dr. Bruno Lima": (1, 1, 0, 3)}
    assert sides(found, PresenceBy.SERVICE) == {"Consulta Geral": (3, 2, 0, 4), "Limpeza": (1, 1, 1, 2)}
    assert sides(found, PresenceBy.WEEKDAY) == {"mon": (1, 0, 0, None), "tue": (2, 2, 1, 3.5), "wed": (1, 1, 0, 3)}
    assert sides(found, PresenceBy.HOUR) == {"10": (2, 1, 0, 5), "15": (2, 2, 1, 2.5)}
    assert [(each.service, each.score, each.reason) for each in found.reasons] == [("Limpeza", 2, "Esperei.")]


def test_where_nobody_was_asked_there_is_nothing() -> None:
    assert survey_numbers(CLINIC, []) == NO_SURVEYS
