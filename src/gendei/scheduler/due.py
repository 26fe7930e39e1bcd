"""What is due for an appointment, when, and what became of it: gendei_due/{id}, one document an appointment.

Nothing here reads or writes: given how the appointment stands, it follows what comes next. An appointment that was
moved begins anew; what would have been due before it was made, or moved, is left out.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, time, timedelta
from typing import Annotated

from gendei.booking.appointment import Appointment, AppointmentStatus
from gendei.clinic import Clinic, ClinicId, ProactivePolicy
from gendei.clinic_initiatives import SurveyAfter
from gendei.documents import document_id
from gendei.records import ABSENT_WHEN_EMPTY, ABSENT_WHEN_NONE, Moment, Record
from gendei.reminding import ReminderPurpose, ReminderRule

DUE = "gendei_due"
UNANSWERED = "unanswered"
UNMARKED, MISSED, SURVEY = "unmarked", "missed", "survey"
"""What is due after an appointment: nobody said whether the patient came; the patient did not; they are asked how it
was."""
AFTERWARDS = frozenset({UNMARKED, MISSED, SURVEY})
CORRECTED_WITHIN = timedelta(minutes=10)
"""So long staff may take back that somebody did not come, or came, before that one is written to."""
REMEMBERED_FOR = timedelta(days=3)
"""So long after a visit it is still worth asking how it was."""
TO_ANSWER = timedelta(hours=2)
"""How long who is asked whether they come may take, however late they are asked."""
BEFORE_QUIET = timedelta(hours=1)
"""What would come too late after quiet hours goes so long before them."""
KEPT_FOR = timedelta(days=90)
QUEUED, SUPERSEDED, TOO_LATE, FAILED = "queued", "superseded", "too_late", "failed"
"""Results, beside the reasons of a Decline. Superseded: a later reminder was due by then."""
_NOT_CONFIRMED = frozenset({AppointmentStatus.CONFIRMED, AppointmentStatus.AWAITING_CONFIRMATION})


@dataclass(frozen=True, slots=True)
class DueItem:
    """rule: what is sent; None where nobody answered, and after the appointment."""

    key: str
    at: datetime
    rule: ReminderRule | None = None

    @property
    def worth_waiting_until(self) -> datetime:
        """As long as half of the time to the appointment is left; a day for what is said after it."""
        if self.key in {MISSED, SURVEY}:
            return self.at + timedelta(days=1)
        return self.at + timedelta(hours=self.rule.hours_before / 2 if self.rule else 0)


@dataclass(frozen=True, slots=True)
class DueOutcome:
    """result: QUEUED or why nothing was sent."""

    at: Moment
    result: str


@dataclass(frozen=True, slots=True)
class DuePlan:
    """Of an appointment as it begins at `start`. due_at: when any process may see to it; None: nothing is due any more.
    attempts: how often a process began with what is due. put_off_until: what is due waits as long, since something
    passing speaks against it. outcomes: by DueItem.key."""

    clinic_id: ClinicId
    appointment_id: str
    start: Moment
    expire_at: Moment
    due_at: Annotated[Moment | None, ABSENT_WHEN_NONE] = None
    attempts: Annotated[int, ABSENT_WHEN_EMPTY] = 0
    put_off_until: Annotated[Moment | None, ABSENT_WHEN_NONE] = None
    outcomes: Annotated[Mapping[str, DueOutcome], ABSENT_WHEN_EMPTY] = field(default_factory=dict)

    def with_outcomes(self, outcomes: Mapping[str, DueOutcome]) -> "DuePlan":
        """What is known already stays."""
        return replace(self, outcomes={**outcomes, **self.outcomes}, attempts=0, put_off_until=None)


PLAN = Record(DuePlan, "gendei_due/{id}")


@dataclass(frozen=True, slots=True)
class DueKey:
    """Of one appointment."""

    clinic_id: ClinicId
    appointment_id: str

    @property
    def text(self) -> str:
        return f"{self.clinic_id}/{self.appointment_id}"

    @property
    def path(self) -> str:
        return f"{DUE}/{document_id(f'{self.clinic_id}_{self.appointment_id}')}"


def planned(
    clinic: Clinic, rules: Sequence[ReminderRule], appointment: Appointment, before: DuePlan | None
) -> DuePlan | None:
    """The plan of an appointment as it stands; None where nothing is due and nothing was done. rules: the clinic's, or
    its vertical's. before: the plan until now."""
    stood = before if before is not None and before.start == appointment.start else None
    plan = stood or DuePlan(clinic.id, appointment.id, appointment.start, appointment.start + KEPT_FOR)
    following = dues(clinic, rules, appointment, plan.outcomes)
    first = min((due.at for due in following), default=None)
    plan = replace(plan, due_at=max(first, plan.put_off_until or first) if first is not None else None)
    return plan if plan.due_at is not None or plan.outcomes else None


def dues(
    clinic: Clinic, rules: Sequence[ReminderRule], appointment: Appointment, outcomes: Mapping[str, DueOutcome]
) -> list[DueItem]:
    """What is still to be done for it, in order."""
    found = [*_before(clinic, rules, appointment, outcomes), *_after(clinic, appointment)]
    return sorted((due for due in found if due.key not in outcomes), key=lambda due: due.at)


def _before(
    clinic: Clinic, rules: Sequence[ReminderRule], appointment: Appointment, outcomes: Mapping[str, DueOutcome]
) -> list[DueItem]:
    policy = clinic.reminders
    if policy is None or appointment.status not in _NOT_CONFIRMED | {AppointmentStatus.CONFIRMED_PRESENCE}:
        return []
    made = made_at(appointment)
    found = [
        DueItem(rule.key, at, rule)
        for rule in rules
        if rule.is_for(appointment.service_id) and rule.key not in outcomes and _wanted(rule, appointment)
        for at in (_awake(clinic.proactive, clinic.local(appointment.start), timedelta(hours=rule.hours_before)),)
        if at >= made
    ]
    if policy.unanswered_hours_before is not None and UNANSWERED not in outcomes:
        found += _unanswered(appointment, timedelta(hours=policy.unanswered_hours_before), outcomes)
    return found


def _after(clinic: Clinic, appointment: Appointment) -> Iterator[DueItem]:
    if (asked_at := _survey_at(clinic, appointment)) is not None:
        yield DueItem(SURVEY, asked_at)
    policy = clinic.no_shows
    if policy is None:
        return
    if appointment.status.live and policy.unmarked_hours is not None:
        yield DueItem(UNMARKED, appointment.end + timedelta(hours=policy.unmarked_hours))
    if appointment.status is AppointmentStatus.NO_SHOW and policy.write:
        yield DueItem(MISSED, appointment.history[-1].at + CORRECTED_WITHIN)


def _survey_at(clinic: Clinic, appointment: Appointment) -> datetime | None:
    """When it is asked how the visit was: out of quiet hours, so that the question leaves as it is due."""
    policy, status = clinic.survey, appointment.status
    over = status is AppointmentStatus.COMPLETED
    if policy is None or not (over or (policy.after is SurveyAfter.ENDED and status.live)):
        return None
    at = appointment.end + timedelta(minutes=policy.delay_minutes)
    if over:
        at = max(at, appointment.history[-1].at + CORRECTED_WITHIN)
    return clinic.proactive.not_before(clinic.local(at))


def made_at(appointment: Appointment) -> datetime:
    """Since when it stands where it does."""
    moves = [change.at for change in appointment.history if change.moved_from is not None]
    return moves[-1] if moves else appointment.created_at


def _wanted(rule: ReminderRule, appointment: Appointment) -> bool:
    return appointment.status in _NOT_CONFIRMED or rule.confirmed_too


def _unanswered(appointment: Appointment, before: timedelta, outcomes: Mapping[str, DueOutcome]) -> Iterator[DueItem]:
    asked = [
        outcome.at
        for key, outcome in outcomes.items()
        if key.startswith(ReminderPurpose.CONFIRMATION) and outcome.result == QUEUED
    ]
    if asked and appointment.status in _NOT_CONFIRMED:
        yield DueItem(UNANSWERED, max(appointment.start - before, max(asked) + TO_ANSWER))


def _awake(policy: ProactivePolicy, start: datetime, before: timedelta) -> datetime:
    """So long before `start`, or on the evening before where quiet hours would keep it until after that."""
    at = (start - before).astimezone(start.tzinfo)
    if policy.not_before(at) < start:
        return at
    evening = datetime.combine(at.date(), time(policy.quiet_start // 60, policy.quiet_start % 60), start.tzinfo)
    return (evening if evening <= at else evening - timedelta(days=1)) - BEFORE_QUIET
