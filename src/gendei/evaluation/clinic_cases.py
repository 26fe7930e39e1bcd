"""The cases that clinics keep, as tasks: `clinic/{clinicId}/{caseId}`."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from gendei.cases.case import ClinicCase, LastResult
from gendei.clinic import Clinic
from gendei.documents import Documents
from gendei.evaluation.tasks import ZONE, Case, Goal, Habits, Persona, ScriptedTurn, Standing, Task
from gendei.evaluation.trials import Trial
from gendei.staff.clinic_cases import keep_result, stored_cases

PREFIX = "clinic/"
_AS_WRITTEN = Persona(taps=True, habits=Habits(), openings={}, yes=["sim"], no=["não"], thanks=[])
"""Nobody's manner: a replay says what was said."""


@dataclass(frozen=True, slots=True)
class KeptCases:
    """`cases`: as they are played; `clinics`: in which, by the name that the cases have for them; `kept`: as they are
    stored, by the id that they are played under."""

    cases: Sequence[Case]
    clinics: Mapping[str, Clinic]
    kept: Mapping[str, ClinicCase]


async def kept_cases(documents: Documents, clinics: Iterable[Clinic]) -> KeptCases:
    """The cases of these clinics."""
    cases: list[Case] = []
    played: dict[str, Clinic] = {}
    kept: dict[str, ClinicCase] = {}
    for clinic in clinics:
        for stored in reversed(await stored_cases(documents, clinic.id)):
            case = Case(clinic=f"{PREFIX}{clinic.id}", task=task_of(stored), persona=_AS_WRITTEN)
            played[case.clinic], kept[case.id] = as_played(clinic), stored
            cases.append(case)
    return KeptCases(cases, played, kept)


def task_of(case: ClinicCase) -> Task:
    """A stored case in the format of the evaluation's tasks."""
    had = [
        Standing(service=each.service_id, professional=each.professional_id, start=datetime.fromisoformat(each.start))
        for each in case.had
    ]
    return Task(
        id=case.id,
        persona="as_written",
        goal=Goal.REPLAY,
        turns=[ScriptedTurn(texts=list(turn.texts), tapped=turn.tapped, place=turn.place) for turn in case.turns],
        wanted=case.wanted,
        service=case.service_id or None,
        expects=list(case.said),
        never=[],
        on=[],
        had=had,
        now=datetime.fromisoformat(case.now),
    )


def as_played(clinic: Clinic) -> Clinic:
    """The clinic without what reaches anybody outside, and without days that it is closed or somebody is off: cases
    play in a week of long ago, at the clinic's hours."""
    people = tuple(replace(professional, time_off=()) for professional in clinic.professionals)
    return replace(
        clinic,
        timezone=ZONE,
        professionals=people,
        closed=frozenset(),
        templates={},
        mcp_servers=(),
        language_model=None,
        deposits=None,
        reminders=None,
        secret_names={},
        kept_in_file=False,
    )


async def keep_results(
    documents: Documents, kept: Mapping[str, ClinicCase], trials: Iterable[Trial], at: datetime, model: str
) -> None:
    """Keep with each case how it ended; of several times, the first at which it failed."""
    results: dict[str, tuple[str, ...]] = {}
    for trial in trials:
        results[trial.case] = results.get(trial.case) or trial.wrong
    for case_id, wrong in results.items():
        await keep_result(documents, kept[case_id], LastResult(at, model, wrong))
