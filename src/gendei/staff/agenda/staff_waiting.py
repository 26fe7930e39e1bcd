"""Staff see the clinic's waiting list, put people on it and take them off."""

from collections.abc import Sequence
from typing import NoReturn

from gendei.booking.patients import clean_phone
from gendei.booking.slots import BookingRefused
from gendei.clinic import Clinic, Contact
from gendei.conversation.stored.contacts import canonical, home_of
from gendei.documents import Write
from gendei.errors import GendeiError, NotFound
from gendei.messages.channels import Clinics
from gendei.messages.keys import ConversationKey
from gendei.staff.actors import Actor, Right, clinic_of
from gendei.staff.agenda.agenda import AgendaRefused
from gendei.staff.agenda.texts import AgendaTexts
from gendei.staff.audit import Action, audit_write
from gendei.waiting.entry import WaitingEntry, WaitingFault, WaitingWish
from gendei.waiting.waiting_list import WaitingList, WaitingPlace, WaitingRefused


class NotWaiting(GendeiError):
    """The waiting list was not changed. `reason`: why; `text`: the same for staff, in Portuguese."""

    def __init__(self, reason: WaitingFault, text: str) -> None:
        self.reason, self.text = reason, text
        super().__init__(f"waiting list: {reason}")


class StaffWaitingList:
    """For staff of the actor's clinic. Every call raises Forbidden without the right to read or write."""

    def __init__(self, waiting: WaitingList, clinics: Clinics, texts: AgendaTexts) -> None:
        self._waiting, self._clinics, self._texts = waiting, clinics, texts

    async def list(self, actor: Actor) -> list[WaitingEntry]:
        """Who waits, the longest first."""
        actor.require(Right.READ)
        return await self._waiting.all(await clinic_of(self._clinics, actor))

    async def get(self, actor: Actor, entry_id: str) -> WaitingEntry:
        """Raises NotFound."""
        actor.require(Right.READ)
        return await self._waiting.get(await clinic_of(self._clinics, actor), None, entry_id)

    async def add(
        self,
        actor: Actor,
        wish: WaitingWish,
        patient_name: str,
        phone_or_contact: str,
        appointment_id: str | None = None,
        *,
        rehearse: bool = False,
    ) -> WaitingEntry:
        """Put somebody on the list. Who waits for the same already keeps the place, with the new wish. rehearse: only
        refuse what would be refused. Raises NotWaiting, AgendaRefused, and NotFound for an appointment that is not
        theirs and a user id that never wrote."""
        actor.require(Right.WRITE)
        clinic = await clinic_of(self._clinics, actor)
        try:
            home = await self._home(clinic, phone_or_contact)
            place = WaitingPlace(home, patient_name, wish, appointment_id=appointment_id, by=actor.name)
            if rehearse:
                return await self._waiting.planned(clinic, place)
            return await self._waiting.join(clinic, place, lambda entry: self._audit(actor, Action.WAIT_ADDED, entry))
        except (BookingRefused, WaitingRefused) as refused:
            self._refuse(clinic, wish, refused)

    async def remove(self, actor: Actor, entry_id: str) -> WaitingEntry:
        """Take somebody off the list; what is offered to them goes to the next. Raises NotFound."""
        actor.require(Right.WRITE)
        clinic = await clinic_of(self._clinics, actor)
        beside = self._audit
        return await self._waiting.leave(
            clinic, None, entry_id, lambda entry: beside(actor, Action.WAIT_REMOVED, entry)
        )

    def _refuse(self, clinic: Clinic, wish: WaitingWish, refused: BookingRefused | WaitingRefused) -> NoReturn:
        if isinstance(refused, WaitingRefused):
            raise NotWaiting(refused.reason, self._texts.waiting[refused.reason]) from None
        who = clinic.professional(wish.professional_id or "")
        raise AgendaRefused(refused.reason, self._texts.refusal(refused.reason, who.name if who else "")) from None

    async def _home(self, clinic: Clinic, named: str) -> Contact:
        """Whose conversation it is, as for a booking."""
        address = named if not named.startswith("+") and "." in named else clean_phone(named)
        key = await home_of(self._waiting.documents, ConversationKey(clinic.id, canonical(address)))
        if not key.contact.startswith("+") and not (await self._waiting.documents.get(key.path)).exists:
            raise NotFound
        return key.contact

    def _audit(self, actor: Actor, action: Action, entry: WaitingEntry) -> Sequence[Write]:
        return [audit_write(actor, action, entry.id, self._waiting.clock(), serviceId=entry.wish.service_id)]
