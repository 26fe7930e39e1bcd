"""What is kept of a person, handed out and erased in the terminal."""

import json
from datetime import datetime

import pytest
from tests.cli.conftest import AURORA, BROMELIA

from gendei.booking.desk import BookingDesk
from gendei.booking.visits import BookingRequest
from gendei.cli.stored import Stored, in_store
from gendei.clinic import Contact

MARIA = "+5511999990001"


@pytest.fixture
def booked(gendei):
    gendei("clinics", "import", AURORA, BROMELIA)

    @in_store
    async def book(stored: Stored) -> tuple[str, str]:
        clinic = await stored.clinic("aurora")
        start = datetime(2026, 11, 24, 14, tzinfo=clinic.timezone)
        wish = BookingRequest("limpeza", "paula", start, "Maria Silva")
        made = await BookingDesk(stored.documents, stored.clock).book(clinic, Contact(MARIA), wish)
        return made.id, made.patient_id

    return book()


def test_a_copy_is_printed_as_json_and_stands_in_the_audit(gendei, booked):
    found = json.loads(gendei("patients", "export", "--clinic", "aurora", "--contact", MARIA).stdout)
    assert [patient["name"] for patient in found["patients"]] == ["Maria Silva"]
    assert [visit["id"] for visit in found["appointments"]] == [booked[0]]
    assert "patient.exported" in gendei("audit", "--clinic", "aurora").stdout
    assert gendei("patients", "export", "--clinic", "bromelia", "--contact", MARIA).exit_code == 1


def test_nothing_goes_while_an_appointment_is_to_come_and_all_of_it_after_that(gendei, booked, monkeypatch):
    erase = ("patients", "erase", "--clinic", "aurora", "--patient", booked[1], "--yes")
    refused = gendei(*erase)
    assert (refused.exit_code, "Cancel them first" in refused.stderr) == (1, True)
    monkeypatch.setenv("GENDEI_NOW", "2026-11-25T09:00:00-03:00")
    told = gendei(*erase)
    assert (told.exit_code, told.stdout.splitlines()) == (
        0,
        [
            "cards: Maria Silva",
            f"conversations: {MARIA}",
            "messages: 0, files: 0, tasks: 0",
            "appointments that stay without the person: 1",
            "This is erased now.",
        ],
    )
    assert gendei(*erase).stderr == "gendei: There is no such thing for this clinic and this patient.\n"
    [listed] = json.loads(gendei("appointments", "--clinic", "aurora", "--json").stdout)
    assert (listed["id"], listed["patientName"], listed["patientPhone"]) == (booked[0], "—", None)


def test_who_is_meant_is_said_in_one_way(gendei, booked):
    for more in ((), ("--contact", MARIA, "--patient", booked[1])):
        assert gendei("patients", "export", "--clinic", "aurora", *more).exit_code == 2
