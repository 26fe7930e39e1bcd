"""A person takes a conversation over, writes in it and gives it back, as staff's pages let them."""

from gendei.clinic import ClinicId, Contact
from gendei.conversation.turns.handover import Handover, handing_back, taking_over, writing
from gendei.messages.replies import Reply


async def take_over(handover: Handover, clinic_id: ClinicId, contact: Contact, by: str, reason: str) -> None:
    await handover.change(clinic_id, contact, taking_over(by, reason, handover.clock()))


async def hand_back(handover: Handover, clinic_id: ClinicId, contact: Contact, by: str, note: str = "") -> None:
    await handover.change(clinic_id, contact, handing_back(by, note, handover.clock()))


async def send_as_person(handover: Handover, clinic_id: ClinicId, contact: Contact, by: str, text: str) -> str:
    """The outbox entry's id."""
    changed = await handover.change(clinic_id, contact, writing(by, Reply(text), handover.clock()))
    return changed.writes[0].path.rpartition("/")[2]
