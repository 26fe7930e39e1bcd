"""Who missed as often as the clinic says books with the team alone."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.journeys import town as town_of_tests
from tests.journeys.phone import Phone
from tests.journeys.town import open_town

from gendei.booking.appointment import AppointmentStatus
from gendei.clinic_initiatives import NoShowPolicy


@pytest.fixture(autouse=True)
def after_no_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    aurora, bromelia = town_of_tests.clinics()
    strict = replace(aurora, no_shows=NoShowPolicy(most=1))
    monkeypatch.setattr(town_of_tests, "clinics", lambda: (strict, bromelia))


async def test_who_missed_too_often_is_handed_over_at_the_next_booking_and_others_book(tmp_path: Path) -> None:
    async with open_town(tmp_path) as town:
        maria, joao = Phone(town, "+5511999990001", "Maria Silva"), Phone(town, "+5511999990002", "João Reis")
        missed = await town.book(maria.number, maria.name, "2026-11-23T11:00")
        await town.gendei.desk.set_status(await town.clinic(), missed.id, AppointmentStatus.NO_SHOW)
        for phone in (maria, joao):
            await phone.say("quero marcar uma limpeza quarta às 15h")
        [kept] = [data for data in await town.stored("gendei_clinics/aurora/tasks") if data["occasion"] == "take_over"]

        assert "alguém da nossa equipe precisa combinar isso" in maria.last.text
        assert "Posso marcar assim?" in joao.last.text
        assert kept["contact"] == maria.number
        assert [status for status, *_ in await town.agenda_of(maria.number)] == ["no_show"]
