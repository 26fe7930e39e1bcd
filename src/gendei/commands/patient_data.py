"""What the clinic keeps of a person: handed out, and erased."""

from typing import Annotated, Any

from pydantic import Field, model_validator

from gendei.commands.command import Arguments, Call, Command
from gendei.commands.fields import Address, Id
from gendei.staff.actors import Right
from gendei.staff.patient_data import Erasure, Whose


class OfPerson(Arguments):
    """One of the two. `patientId`: of one card; `contact`: of who writes, and of everybody whom they book for."""

    patient_id: Annotated[Id | None, Field(description="One patient's card, by its id.")] = None
    contact: Annotated[Address | None, Field(description="Who writes, with all whom they book for.")] = None

    @model_validator(mode="after")
    def _one_of_both(self) -> "OfPerson":
        if (self.patient_id is None) == (self.contact is None):
            raise ValueError("give a patient's id or a contact, and not both")
        return self

    @property
    def whose(self) -> Whose:
        return Whose(self.patient_id, self.contact)


async def export_patient(call: Call, given: OfPerson) -> dict[str, Any]:
    """Everything that is kept of a person, as data."""
    return await call.desks.front_desk.patient_data.export(call.actor, given.whose)


async def plan_erasing_patient(call: Call, given: OfPerson) -> Erasure:
    """What erasing a person would remove, and what would stay."""
    return await call.desks.front_desk.patient_data.plan(call.actor, given.whose)


async def erase_patient(call: Call, given: OfPerson) -> Erasure:
    """Erase a person for ever: cards, conversations with their files, tasks. Past appointments stay without them."""
    return await call.desks.front_desk.patient_data.erase(call.actor, given.whose)


EXPORT_PATIENT = Command(export_patient, right=Right.MANAGE)
PLAN_ERASING_PATIENT = Command(plan_erasing_patient, right=Right.MANAGE)
ERASE_PATIENT = Command(erase_patient, right=Right.MANAGE, destructive=True)
COMMANDS = (EXPORT_PATIENT, PLAN_ERASING_PATIENT, ERASE_PATIENT)
