"""The script of a demo clinic's week until its Tuesday: what is booked, and what patients and staff say and do."""

from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints

from gendei.clinic import Clinic, ClinicId
from gendei.datafile import StrictModel, Text, read_yaml, refusal

DAYS = ("mon", "tue", "wed", "thu", "fri")
FIRST, BEGINS = "mon 07:30", "tue 10:20"
"""When the script begins, and when the demo does."""
WEEKS_AHEAD = 26
Moment = Annotated[str, StringConstraints(pattern=rf"^({'|'.join(DAYS)}) [0-2]\d:[0-5]\d$")]


class Was(StrEnum):
    """What had become of an appointment when the demo begins, unless it was booked and nothing else."""

    CANCELLED = "cancelled"
    PRESENCE = "presence"
    ARRIVED = "arrived"
    IN_ROOM = "in_room"
    COMPLETED = "completed"
    NO_SHOW = "no_show"


class ScriptedVisit(StrictModel):
    """An appointment that staff booked. `minutes`: where it is not the service's duration."""

    at: Moment
    professional: str
    service: str
    patient: Text
    was: Annotated[Was | None, Field(strict=False)] = None
    note: str = ""
    minutes: int | None = None
    override: bool = False


class ScriptedBlock(StrictModel):
    at: Moment
    minutes: int
    professional: str
    reason: Text


class Line(StrictModel):
    """One thing that is done in a conversation: the patient's, or, with `by`, a colleague's of `Script.team`.

    taps: the beginning of an option's title. fails: what staff answer does not reach the phone. snoozes: until then.
    """

    at: Moment
    by: str = ""
    says: str = ""
    taps: str = ""
    speaks: float = 0
    shows: str = ""
    takes: bool = False
    answers: str = ""
    fails: bool = False
    notes: str = ""
    labels: tuple[str, ...] = Field(default=(), strict=False)
    hands_back: bool = False
    to_do: str = ""
    snoozes: Moment | None = None
    closes: bool = False


class ScriptedTalk(StrictModel):
    """What a patient and the clinic say to each other."""

    patient: Text
    lines: tuple[Line, ...] = Field(strict=False)


class Task(StrictModel):
    """What a colleague noted to do."""

    at: Moment
    by: str
    title: Text
    due: str = ""
    patient: str = ""
    done: bool = False


class ScriptedAnswer(StrictModel):
    """What the clinic answers its patients, approved as the week begins."""

    id: Text
    questions: list[Text]
    answer: Text


def _in_order(talks: tuple[ScriptedTalk, ...]) -> tuple[ScriptedTalk, ...]:
    for talk in talks:
        moments = [_since_monday(line.at) for line in talk.lines]
        if moments != sorted(moments):
            raise refusal("holds a talk that is not in order.", "Put its lines in the order of `at`.")
    return talks


class Script(StrictModel):
    """`phones`: how the patients' invented phones begin. `team`: names by key, who runs the agenda first.
    `reminds`: when reminders and surveys that are due are sent. `agreed`: who agreed to marketing."""

    phones: Annotated[str, StringConstraints(pattern=r"^\+55\d{8}$")]
    team: dict[str, Text]
    reminds: tuple[Moment, ...] = Field(default=(), strict=False)
    agreed: tuple[Text, ...] = Field(default=(), strict=False)
    visits: tuple[ScriptedVisit, ...] = Field(strict=False)
    blocks: tuple[ScriptedBlock, ...] = Field(default=(), strict=False)
    talks: Annotated[tuple[ScriptedTalk, ...], Field(strict=False), AfterValidator(_in_order)] = ()
    tasks: tuple[Task, ...] = Field(default=(), strict=False)
    answers: tuple[ScriptedAnswer, ...] = Field(default=(), strict=False)

    def phone_book(self) -> dict[str, str]:
        """The invented phone of each patient, by name."""
        names = dict.fromkeys([*(talk.patient for talk in self.talks), *(visit.patient for visit in self.visits)])
        return {name: f"{self.phones}{number:03}" for number, name in enumerate(names, start=1)}


@cache
def script_of(clinic_id: ClinicId) -> Script | None:
    """The clinic's script, or None where there is none."""
    path = Path(__file__).with_name(f"{clinic_id}.yaml")
    return read_yaml(path).into(Script) if path.is_file() else None


def _since_monday(at: str) -> timedelta:
    day, _, clock = at.partition(" ")
    hour = time.fromisoformat(clock)
    return timedelta(days=DAYS.index(day), hours=hour.hour, minutes=hour.minute)


def moment_of(at: str, monday: date, clinic: Clinic) -> datetime:
    """The moment that `at` ("tue 10:20") names in the week of `monday`, in the clinic's zone."""
    return datetime.combine(monday, time(), clinic.timezone) + _since_monday(at)


def working_week(clinics: Iterable[Clinic], today: date, *, not_before: datetime | None = None) -> date:
    """The Monday of the first week whose Tuesday is not past, in which no clinic is closed and nobody is away on a
    working day. not_before: the week's script begins no earlier than then."""
    everybody = list(clinics)
    monday = today - timedelta(days=today.weekday())
    for _ in range(WEEKS_AHEAD):
        begins_late = all(not_before is None or moment_of(FIRST, monday, clinic) >= not_before for clinic in everybody)
        if monday + timedelta(days=1) >= today and begins_late and all(_works(clinic, monday) for clinic in everybody):
            return monday
        monday += timedelta(weeks=1)
    raise LookupError("no week of the next half-year is a whole working week")


def _works(clinic: Clinic, monday: date) -> bool:
    days = {monday + timedelta(days=number) for number in range(len(DAYS))}
    begin, end = (moment_of(f"{day} 00:00", monday, clinic) for day in (DAYS[0], DAYS[-1]))
    away = [off for professional in clinic.professionals for off in professional.time_off]
    return not days & set(clinic.closed) and not any(
        off.start < end + timedelta(days=1) and off.end > begin for off in away
    )
