"""A clinic that reminds by itself: nobody runs anything, and the patient's tap finds its appointment."""

from dataclasses import replace
from datetime import timedelta

import pytest
from tests.journeys import town as town_of_tests
from tests.journeys.phone import Phone
from tests.journeys.town import NOW, open_town

from gendei.reminding import ReminderPolicy, ReminderPurpose, ReminderRule

ASKED = ReminderPolicy((ReminderRule(24, ReminderPurpose.CONFIRMATION),), unanswered_hours_before=12)


@pytest.fixture(autouse=True)
def reminding(monkeypatch):
    """Aurora reminds by itself, from its import on; Bromélia does not."""
    aurora, bromelia = town_of_tests.clinics()
    monkeypatch.setattr(town_of_tests, "clinics", lambda: (replace(aurora, reminders=ASKED), bromelia))


async def _work(town):
    """What a process does within a minute."""
    await town.gendei.scheduler.sweep()
    await town.gendei.scheduler.idle()
    await town.idle()


async def test_who_is_asked_the_day_before_confirms_by_a_tap_and_nobody_else_is_written_to(tmp_path):
    async with open_town(tmp_path) as monday:
        maria = Phone(monday, "+5511999990001", "Maria Silva")
        await maria.say("oi")
        await monday.book(maria.number, maria.name, "2026-11-24T16:00")
        await _work(monday)
        before = len(maria.texts)
    async with open_town(tmp_path, now=NOW + timedelta(hours=7), outsiders=False) as later:
        maria = Phone(later, "+5511999990001", "Maria Silva")
        await _work(later)
        asked = maria.texts
        await maria.tap("Confirmar presença")
        metrics = (await later.client.get("/metrics")).text
        assert (before, len(asked), "Você confirma que vem?" in asked[0]) == (1, 1, True)
        assert await later.agenda_of(maria.number) == [("confirmed_presence", "limpeza", "2026-11-24T16:00")]
        assert 'gendei_reminders_total{kind="confirmation",result="queued"} 1.0' in metrics
        assert await later.outsiders_saw() == []


async def test_who_does_not_answer_is_a_task_of_the_clinics_staff(tmp_path):
    async with open_town(tmp_path) as monday:
        maria = Phone(monday, "+5511999990001", "Maria Silva")
        await maria.say("oi")
        await monday.book(maria.number, maria.name, "2026-11-24T16:00")
        await _work(monday)
    async with open_town(tmp_path, now=NOW + timedelta(hours=7), outsiders=False) as later:
        await _work(later)
    async with open_town(tmp_path, now=NOW + timedelta(hours=23), outsiders=False) as morning:
        await _work(morning)
        [task] = await morning.stored("gendei_clinics/aurora/tasks")
        assert (task["occasion"], "Limpeza" in task["description"]) == ("unconfirmed", True)
        assert await morning.stored("gendei_clinics/bromelia/tasks") == []
