"""/numbers."""

from datetime import date, datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from pydantic import Field

from gendei.commands.shapes import Shape
from gendei.staff.actors import Actor, Right
from gendei.staff.day_numbers import DayNumbers, Totals
from gendei.staff.numbers import Numbers
from gendei.staff.presence_numbers import PresenceBy
from gendei.staff.professional_numbers import ProfessionalNumbers
from gendei.web.api.access import Service
from gendei.web.api.problems import Unfit, errors
from gendei.web.sessions import require_actor

router = APIRouter(tags=["numbers"])
Manager = Annotated[Actor, Depends(require_actor(Right.MANAGE))]
MONTH = r"^\d{4}-(0[1-9]|1[0-2])$"


class TotalsOut(Shape):
    """`outcomes`: the conversations by what became of them (booked, moved, cancelled, presence and answered are wishes
    that were fulfilled; the others say why not), one for each day on which the patient wrote. `solved`: the share of
    the fulfilled ones, null where there was no conversation. `returned`: the share of those in which the patient came
    back within 48 hours. `medianFirstAnswer`, `medianBotAnswer`, `medianPersonAnswer`: seconds. `called`: why a person
    was called or came, once for each time: asked, unknown, cannot, rules, tool_failed, not_understood, danger, money,
    complaint, arrived, staff (nobody was called), untold (before this was kept)."""

    conversations: int
    with_person: int
    solved: float | None
    outcomes: dict[str, int]
    median_first_answer: float | None
    median_bot_answer: float | None
    median_person_answer: float | None
    returned: float | None
    called: dict[str, int]
    bookings: int
    bookings_by_channel: dict[str, int]
    bookings_by_service: dict[str, int]
    takeovers: int
    takeover_reasons: dict[str, int]
    no_shows: int
    failed_sends: int


class DayOut(TotalsOut):
    day: date

    @classmethod
    def at(cls, day: DayNumbers) -> "DayOut":
        return cls.of(Totals.of([day]), day=day.day)


class ProfessionalNumbersOut(Shape):
    """Of the appointments that begin in the month. Money is centavos: `valueCents` of all that were booked, `lostCents`
    of those that were cancelled or missed, but for `refilledCents`, in whose time somebody else came; `withoutPrice`
    have none. `byPatients`: booked through the bot. `occupancy`: the share of the working hours up to today that is
    taken, null without hours."""

    id: str
    name: str
    booked: int
    by_patients: int
    without_price: int
    came: int
    missed: int
    cancelled: int
    value_cents: int
    lost_cents: int
    refilled_cents: int
    open_minutes: int
    taken_minutes: int
    occupancy: float | None


class PlanNumbersOut(Shape):
    """Of the appointments that begin in the month, by health plan: `plan` is `particular` for none, and empty where
    nobody said. `valueCents`: what the patients pay; `withoutPrice` of the appointments have no price."""

    plan: str
    booked: int
    came: int
    missed: int
    cancelled: int
    value_cents: int
    without_price: int


class PresenceOut(Shape):
    """Of the appointments that began in the month, sorted `by` professional, service, weekday (`mon` to `sun`) or hour
    of the start (`08`); `all`: together. `confirmed`: who said an hour ahead at least that they come; `late`: of the
    cancelled, those within 24 hours of the start."""

    by: PresenceBy
    name: str
    booked: int
    confirmed: int
    missed: int
    cancelled: int
    late: int


class RefillNumbersOut(Shape):
    """Of time that became free in the month and was offered to who waits: `filled` of these times were taken,
    `valueCents` of them; `medianMinutes` from when a time became free to the yes, null where none was taken."""

    offered: int
    filled: int
    value_cents: int
    median_minutes: float | None


class SurveyOut(Shape):
    """Of visits of the month that were asked about, sorted as `presence` is: `average` of the scores 1 to 5, null
    without an answer; `low`: scores of which it is asked why."""

    by: PresenceBy
    name: str
    asked: int
    answered: int
    low: int
    average: float | None


class SurveyReasonOut(Shape):
    """Why a visit got a low score, in the patient's words."""

    start: datetime
    professional: str
    service: str
    score: int
    reason: str


class MessageCostOut(Shape):
    """Messages of which WhatsApp told a category: `charged` of them it bills, by the table of prices for `micros`
    millionths of `currency`; null where the table has no price."""

    category: str
    messages: int
    charged: int
    micros: int | None
    currency: str


class NumbersOut(Shape):
    """`complete` false: there was more than is looked into, and this is of the latest. `before`: the same days of the
    month before, all of it where the month is over."""

    month: Annotated[str, Field(examples=["2026-11"])]
    complete: bool
    totals: TotalsOut
    before: TotalsOut | None
    days: list[DayOut]
    professionals: list[ProfessionalNumbersOut]
    together: ProfessionalNumbersOut
    plans: list[PlanNumbersOut]
    presence: list[PresenceOut]
    refills: RefillNumbersOut
    surveys: list[SurveyOut]
    survey_reasons: list[SurveyReasonOut]
    messages: list[MessageCostOut]

    @classmethod
    def read(cls, numbers: Numbers) -> "NumbersOut":
        return cls(
            month=f"{numbers.month:%Y-%m}",
            complete=numbers.complete,
            totals=TotalsOut.of(numbers.whole_month),
            before=TotalsOut.of(numbers.before) if numbers.before else None,
            days=[DayOut.at(day) for day in numbers.days],
            professionals=[ProfessionalNumbersOut.of(who) for who in numbers.professionals],
            together=ProfessionalNumbersOut.of(ProfessionalNumbers.together(numbers.professionals)),
            plans=[PlanNumbersOut.of(plan) for plan in numbers.plans],
            presence=[PresenceOut.of(each) for each in numbers.presence],
            refills=RefillNumbersOut.of(numbers.refills),
            surveys=[SurveyOut.of(side) for side in numbers.surveys.sides],
            survey_reasons=[SurveyReasonOut.of(each) for each in numbers.surveys.reasons],
            messages=[MessageCostOut.of(cost) for cost in numbers.messages],
        )


@router.get("/numbers", responses=errors(404))
async def numbers(
    actor: Manager,
    gendei: Service,
    month: Annotated[
        str | None, Query(pattern=MONTH, description="In the clinic's zone; the present one where left out.")
    ] = None,
) -> NumbersOut:
    """What a calendar month was. It asks for the scope `manage`."""
    try:
        first = date.fromisoformat(f"{month}-01") if month else None
        return NumbersOut.read(await gendei.front_desk.numbers.read(actor, first))
    except ValueError as error:
        raise Unfit("query.month", "the present month, or one of the twelve before it") from error
