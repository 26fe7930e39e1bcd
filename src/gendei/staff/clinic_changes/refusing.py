"""Why a change of a clinic's data was not made."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from gendei.clinic import ClinicId
from gendei.clinics.field_paths import dotted, located
from gendei.errors import ConfigurationError, ConfigurationErrors, GendeiError
from gendei.portuguese import in_portuguese
from gendei.staff.clinic_changes.texts import ChangeFault, ChangeTexts


@dataclass(frozen=True, slots=True)
class ClinicProblem:
    """`problem`, `remedy`: the words of the clinic file's check. `within`: the rest of the way, where a part of the
    field is wrong that has no name of its own, as ("1", "hours_before")."""

    field: str
    problem: str
    remedy: str
    within: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """For staff."""
        return f"{in_portuguese(self.problem)} {in_portuguese(self.remedy)}".strip()


@dataclass(frozen=True, slots=True)
class FieldConflict:
    """A field that somebody else changed: what stands `now`, and what was to stand, each None where nothing is said or
    the value is a secret. `name`, `at`, `revision`: of who changed it last; empty where nobody wrote it down."""

    field: str
    now: Any
    mine: Any
    secret: bool = False
    name: str = ""
    at: datetime | None = None
    revision: int | None = None


class ChangeRefused(GendeiError):
    """The clinic was not changed. The reason says why; what is told of fields is in `problems` and `conflicts`."""

    def __init__(
        self,
        reason: ChangeFault,
        texts: ChangeTexts,
        *,
        problems: Sequence[ClinicProblem] = (),
        conflicts: Sequence[FieldConflict] = (),
    ) -> None:
        self.reason, self.text = reason, texts.refusals[reason]
        self.problems, self.conflicts = tuple(problems), tuple(conflicts)
        super().__init__(self.text)


def problems_of(error: ConfigurationError, data: Any) -> Iterator[ClinicProblem]:
    """What the check says of a clinic that is no file, by its fields. `data`: what was checked."""
    for problem in error.problems:
        where = problem.where.partition(", ")[2] if problem.line else problem.where
        steps = [int(step[1:-1]) if step.startswith("[") else step for step in re.findall(r"\[\d+\]|[^.\[\]]+", where)]
        field = located(steps, data)
        rest = tuple(map(str, steps[len(field) :]))
        yield ClinicProblem(dotted(field), problem.problem, problem.remedy, rest)


def errors_of(clinic_id: ClinicId, problems: Sequence[ClinicProblem]) -> ConfigurationErrors:
    """The problems as those of a file."""
    source = f"clinic {clinic_id}"
    return ConfigurationErrors([ConfigurationError(source, each.field, each.problem, each.remedy) for each in problems])
