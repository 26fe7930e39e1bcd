"""Patients, their cards, and how they want to be answered."""

from dataclasses import asdict
from typing import Annotated, Self

from pydantic import Field

from gendei.commands import shown
from gendei.commands.command import Arguments, Call, Command, Result, whole
from gendei.commands.fields import Address, Id
from gendei.messages.preferences import FASTEST, FEWEST, LANGUAGES, MOST, SLOWEST, VOICES, Answers, Preferences
from gendei.staff.actors import Right


class SearchPatients(Arguments):
    text: Annotated[str, Field(max_length=100, description="A name or a phone; empty: those that changed last.")] = ""
    limit: Annotated[int, Field(ge=1, le=50)] = 10


class GetPatient(Arguments):
    patient_id: Id


class PreferencesBody(Arguments):
    """`answers`: as_asked is by voice to who wrote by voice, where the clinic allows it. `voice`: empty for the
    clinic's. `rate`: 1.0 is ordinary. `language`: what the patient speaks in voice notes. `interruption`: in a live
    call, speech stops when the patient speaks. `context`: how many earlier messages the receptionist reads. `notices`:
    whether the patient takes reminders and other messages that the clinic starts."""

    answers: Answers
    voice: Annotated[str, Field(pattern=f"^({'|'.join(VOICES)}|)$", examples=["nova"])]
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


async def set_preferences(call: Call, given: SetPreferences) -> tuple[Preferences, bool]:
    """All of them, as they were got. What is as it was is not written, and so stands in no audit."""
    preferences = call.desks.front_desk.preferences
    before = PreferencesBody.standing(await preferences.of(call.actor, given.contact)).model_dump()
    if changes := {name: getattr(given, name) for name in before if getattr(given, name) != before[name]}:
        await preferences.change(call.actor, given.contact, changes)
    return await preferences.of(call.actor, given.contact)


SET_PREFERENCES = Command(set_preferences, right=Right.WRITE)
COMMANDS = (Command(search_patients, whole), Command(get_patient, whole), SET_PREFERENCES)
