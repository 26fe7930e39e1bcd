"""Cases as programs read them."""

from typing import Annotated, Self

from pydantic import AwareDatetime, Field

from gendei.cases.case import ClinicCase, Wanted
from gendei.commands.shapes import Shape


class CaseResultOut(Shape):
    """How a case ended when it was last played. `wrong`: what was; empty where it passed."""

    at: AwareDatetime
    passed: bool
    model: str
    wrong: list[str]


class CaseOut(Shape):
    """`patient`: what the patient wrote, with stand-ins for all that told who it was. `now`: the local moment at which
    it plays. `said`: what must be said. `serviceId`: what must be booked. `result`: null where it was never played."""

    id: Annotated[str, Field(examples=["0f8c2d6be1a9"])]
    created_at: AwareDatetime
    by: str
    now: Annotated[str, Field(examples=["2026-03-04T14:32"])]
    patient: list[str]
    wanted: Wanted
    said: list[str]
    service_id: str | None
    result: CaseResultOut | None

    @classmethod
    def at(cls, case: ClinicCase) -> Self:
        return cls.of(
            case,
            patient=[text for turn in case.turns for text in turn.texts],
            said=list(case.said),
            service_id=case.service_id or None,
            result=CaseResultOut.of(case.result, wrong=list(case.result.wrong)) if case.result else None,
        )
