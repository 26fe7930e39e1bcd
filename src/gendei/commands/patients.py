"""Patients and their cards."""

from typing import Annotated

from pydantic import Field

from gendei.commands import shown
from gendei.commands.command import Arguments, Call, Command, Result
from gendei.commands.fields import Id
from gendei.staff.patients import PatientCard, PatientRow


class SearchPatients(Arguments):
    text: Annotated[str, Field(max_length=100, description="A name or a phone; empty: those that changed last.")] = ""
    limit: Annotated[int, Field(ge=1, le=50)] = 10


class GetPatient(Arguments):
    patient_id: Id


async def search_patients(call: Call, given: SearchPatients) -> list[PatientRow]:
    """Patients by name or phone, the best matches first."""
    return await call.desks.front_desk.patients.search(call.actor, given.text, given.limit)


async def get_patient(call: Call, given: GetPatient) -> PatientCard:
    """A patient's card: appointments to come and past, notes, family. That it was read goes into the audit."""
    return await call.desks.front_desk.patients.card(call.actor, given.patient_id)


def _found(_call: Call, rows: list[PatientRow]) -> Result:
    return {"patients": [shown.patient(row) for row in rows]}


def _card(call: Call, card: PatientCard) -> Result:
    return shown.patient_card(card, call.now, call.desks.agenda_desk.agenda.statuses)


COMMANDS = (
    Command(search_patients, _found),
    Command(get_patient, _card),
)
