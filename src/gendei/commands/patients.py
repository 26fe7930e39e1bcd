"""Patients, their cards, and how they want to be answered."""

from dataclasses import asdict
from typing import Annotated, Self

from pydantic import Field

from gendei.commands import shown
from gendei.commands.command import Arguments, Call, Command, Detail, Result, Say, Values, whole
from gendei.commands.fields import Address, Id
from gendei.messages.preferences import FASTEST, FEWEST, LANGUAGES, MOST, SLOWEST, VOICE, Answers, Preferences
from gendei.staff.actors import Right
from gendei.staff.patient_cards import PatientCard
from gendei.staff.patient_rows import PatientRow


class SearchPatients(Arguments):
    text: Annotated[str, Field(max_length=100, description="A name or a phone; empty: those that changed last.")] = ""
    limit: Annotated[int, Field(ge=1, le=50)] = 10


class GetPatient(Arguments):
    patient_id: Id


class MergePatients(Arguments):
    """`patientId` stays; `otherId` leads to it afterwards."""

    patient_id: Annotated[Id, Field(description="The card that stays.")]
    other_id: Annotated[Id, Field(description="The card of the same person that becomes part of it.")]


class PreferencesBody(Arguments):
    """`answers`: as_asked is by voice to who wrote by voice, where the clinic allows it. `voice`: as the clinic's
    speech service names it; empty for the clinic's, which is also spoken in where the service refuses another. `rate`:
    1.0 is ordinary. `language`: what the patient speaks in voice notes. `interruption`: in a live call, speech stops
    when the patient speaks. `context`: how many earlier messages the receptionist reads. `notices`: whether the patient
    takes reminders and other messages that the clinic starts."""

    answers: Answers
    voice: Annotated[str, Field(pattern=f"^({VOICE})?$", examples=["nova"])]
    rate: Annotated[float, Field(ge=SLOWEST, le=FASTEST, strict=True)]
    language: Annotated[str, Field(pattern=f"^({'|'.join(LANGUAGES)})$", examples=["pt-BR"])]
    interruption: Annotated[bool, Field(strict=True)]
    context: Annotated[int, Field(ge=FEWEST, le=MOST, strict=True)]
    notices: Annotated[bool, Field(strict=True)]

    @classmethod
    def standing(cls, found: tuple[Preferences, bool]) -> Self:
        """How they stand: the preferences, and whether the patient takes notices."""
        return cls(**asdict(found[0]), notices=found[1])


class SetPreferences(PreferencesBody):
    contact: Address


async def search_patients(call: Call, given: SearchPatients) -> Result:
    """Patients by name or phone, the best matches first."""
    found = await call.desks.front_desk.patients.search(call.actor, given.text, given.limit)
    return {"patients": [shown.patient(row) for row in found]}


async def get_patient(call: Call, given: GetPatient) -> Result:
    """A patient's card: appointments to come and past, notes, family. That it was read goes into the audit."""
    card = await call.desks.front_desk.patients.card(call.actor, given.patient_id)
    return shown.patient_card(card, call.now, call.desks.agenda_desk.agenda)


async def merge_patients(call: Call, given: MergePatients) -> PatientRow:
    """Make one card of two of the same person: appointments, notes, tasks, conversations and wishes of both are found
    there, and the other id leads to it. It cannot be undone. Two that are one already are left as they are."""
    return await call.desks.front_desk.merging.merge(call.actor, given.patient_id, given.other_id)


async def _preview_merge(call: Call, given: MergePatients, say: Say) -> tuple[MergePatients, Values]:
    plan = await call.desks.front_desk.merging.plan(call.actor, given.patient_id, given.other_id)
    if plan.refused:
        raise plan.refused
    doubt = say(Detail.NAMES_DIFFER) if plan.names_differ else ""
    return given, {"patient": _told(plan.kept), "other": _told(plan.gone), "details": doubt}


def _told(card: PatientCard) -> str:
    """Who it is, told apart from others of the same name."""
    return shown.in_line(f"{shown.shortened(card.patient.name)}, {card.patient.phone or card.patient.contact}")


async def set_preferences(call: Call, given: SetPreferences) -> tuple[Preferences, bool]:
    """All of them, as they were got. What is as it was is not written, and so stands in no audit."""
    preferences = call.desks.front_desk.preferences
    before = PreferencesBody.standing(await preferences.of(call.actor, given.contact)).model_dump()
    if changes := {name: getattr(given, name) for name in before if getattr(given, name) != before[name]}:
        await preferences.change(call.actor, given.contact, changes)
    return await preferences.of(call.actor, given.contact)


def _merged(_call: Call, row: PatientRow) -> Result:
    return {"patient": shown.patient(row)}


SET_PREFERENCES = Command(set_preferences, right=Right.WRITE)
MERGE_PATIENTS = Command(merge_patients, _merged, _preview_merge, destructive=True)
COMMANDS = (Command(search_patients, whole), Command(get_patient, whole), MERGE_PATIENTS, SET_PREFERENCES)
