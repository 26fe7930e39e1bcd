"""What follows from a clinic's data alone, made once and not in every turn."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from gendei.clinic import Clinic, ClinicId
from gendei.verticals import Vertical

T = TypeVar("T")


def of_clinic(make: Callable[[Clinic, Vertical], T]) -> Callable[[Clinic, Vertical], T]:
    """`make`, remembered for each clinic until it changes: the directory then gives another Clinic, which is seen in
    the next turn. The same goes for the vertical."""
    kept: dict[ClinicId, tuple[Clinic, Vertical, T]] = {}

    @wraps(make)
    def made(clinic: Clinic, vertical: Vertical) -> T:
        found = kept.get(clinic.id)
        if found is None or found[0] is not clinic or found[1] is not vertical:
            found = kept[clinic.id] = clinic, vertical, make(clinic, vertical)
        return found[2]

    return made


@of_clinic
def vertical_of(clinic: Clinic, vertical: Vertical) -> Vertical:
    """The vertical as the clinic has it: the same one in every turn, so that what follows from both is kept."""
    return vertical.for_clinic(clinic)
