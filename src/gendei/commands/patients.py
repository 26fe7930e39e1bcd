"""Patients and their cards."""

from typing import Annotated

from pydantic import Field

from gendei.commands import shown
from gendei.commands.command import Arguments, Call, Command, Result, whole
from gendei.commands.fields import Id


class SearchPatients(Arguments):
    text: Annotated[str, Field(max_length=100, description="A name or a phone; empty: those that changed last.")] = ""
    limit: Annotated[int, Field(ge=1, le=50)] = 10


class GetPatient(Arguments):
    patient_id: Id


async def search_patients(call: Call, given: SearchPatients) -> Result:
    """Patients by name or phone, the best matches first."""
    found = await call.desks.front_desk.patients.search(call.actor, given.text, given.limit)
    return {"patients": [shown.patient(row) for row in found]}


async def get_patient(call: Call, given: GetPatient) -> Result:
    """A patient's card: appointments to come and past, notes, family. That it was read goes into the audit."""
    card = await call.desks.front_desk.patients.card(call.actor, given.patient_id)
    return shown.patient_card(card, call.now, call.desks.agenda_desk.agenda.statuses)


COMMANDS = (Command(search_patients, whole), Command(get_patient, whole))
