"""One day of a clinic: forty-two conversations of seventeen kinds, three people of staff, a clock that is put forward.
What is graded stands in `grading.py`."""

from datetime import timedelta
from pathlib import Path

import pytest
from tests.clinic_day.clinic import TEAM, ClinicOfTheDay, open_clinic
from tests.clinic_day.grading import grade
from tests.clinic_day.patients import Patient
from tests.clinic_day.people import MONDAY, Kind, everybody
from tests.clinic_day.schedule import Schedule
from tests.clinic_day.staff import Colleague
from tests.clinic_day.transcript import Day

REMINDERS = MONDAY + timedelta(hours=18)
CLOSED = MONDAY + timedelta(days=1, hours=18, minutes=5)
SWEEPS = timedelta(minutes=10)


async def upkeep(clinic: ClinicOfTheDay, schedule: Schedule) -> None:
    """What a running service and the scheduler do by time, here by the day's clock."""
    reminded = False
    while schedule.now < CLOSED:
        await schedule.pause(SWEEPS.seconds / 60)
        if not reminded and schedule.now >= REMINDERS:
            await clinic.gendei.agenda_desk.reminders.remind(clinic.clinic, 24)
            reminded = True
        await clinic.gendei.messaging.escalating.sweep()
        await clinic.gendei.messaging.returning.sweep()
        await clinic.settle()


async def play(clinic: ClinicOfTheDay, seed: int) -> tuple[Day, set[str]]:
    """The day, and what staff did."""
    schedule = Schedule(clinic.clock)
    team = [Colleague(clinic, schedule, name, seed) for name in TEAM]
    patients = [Patient(clinic, schedule, person, seed) for person in everybody()]
    await schedule.run(
        [upkeep(clinic, schedule), *(colleague.work() for colleague in team), *(patient.play() for patient in patients)]
    )
    clinic.clock.move_to(CLOSED)
    for person in everybody():
        answers = await clinic.write(person, ["qual é o endereço de vocês?"])
        clinic.day.asked_last[clinic.phone(person)] = [sent.text for sent in answers]
    return await clinic.end(), {deed for colleague in team for deed in colleague.did}


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
async def test_nobody_is_lost_on_a_clinics_day(tmp_path: Path, seed: int) -> None:
    async with open_clinic(tmp_path) as clinic:
        day, did = await play(clinic, seed)
    assert grade(day) == {}
    assert did == {"answer", "take over", "hand back", "put off", "close"}


@pytest.mark.slow
async def test_the_same_seed_plays_the_same_day(tmp_path: Path) -> None:
    days = []
    for folder in (tmp_path / "first", tmp_path / "second"):
        folder.mkdir()
        async with open_clinic(folder) as clinic:
            day, _ = await play(clinic, 3)
        days.append(day.lines)
    assert days[0] == days[1]


def test_the_day_has_forty_conversations_of_every_kind() -> None:
    assert (len(everybody()) >= 40, {person.kind for person in everybody()}) == (True, set(Kind))
