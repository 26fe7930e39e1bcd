"""Staff block time, of a professional or of the whole clinic, and free it again."""

from datetime import date, timedelta

from gendei.booking.appointment import Appointment, Appointments
from gendei.booking.events import Tell
from gendei.booking.time_blocks import BlockRefusal, BlockRefused, BlockWish, TimeBlock, TimeBlocks
from gendei.clock import Clock, instant
from gendei.documents import Documents, Write
from gendei.errors import GendeiError
from gendei.messages.channels import Clinics
from gendei.staff.actors import Actor, Right, clinic_of
from gendei.staff.agenda.texts import AgendaTexts
from gendei.staff.audit import Action, audit_write


class NotBlocked(GendeiError):
    """Nothing was blocked. `reason`: why; `text`: the same for staff, in Portuguese; `standing`: the appointments in
    the way, which may be moved or cancelled first, or left standing by asking again despite them."""

    def __init__(self, reason: BlockRefusal, text: str, standing: tuple[Appointment, ...]) -> None:
        self.reason, self.text, self.standing = reason, text, standing
        super().__init__(f"not blocked: {reason}")


class Blocks:
    """For staff of the actor's clinic. Every call raises Forbidden without the right to read or write. `tell`: gets
    the event of a block that was removed."""

    def __init__(self, documents: Documents, clock: Clock, clinics: Clinics, texts: AgendaTexts, tell: Tell) -> None:
        self._blocks, self._appointments = TimeBlocks(documents, clock, tell), Appointments(documents, clock)
        self._clock, self._clinics, self._texts = clock, clinics, texts

    async def list(self, actor: Actor, first: date, last: date) -> list[TimeBlock]:
        """What is blocked on the local days `first` to `last`, by start."""
        actor.require(Right.READ)
        return await self._blocks.between(await clinic_of(self._clinics, actor), first, last)

    async def add(self, actor: Actor, wish: BlockWish) -> TimeBlock:
        """Block time; every path of the desk and the bot's search obey it from then on. A holiday is
        `BlockWish.whole_days`. Raises NotBlocked."""
        actor.require(Right.WRITE)
        clinic = await clinic_of(self._clinics, actor)
        try:
            return await self._blocks.add(
                clinic, wish, by=actor.name, beside=lambda block: [self._audit(actor, Action.TIME_BLOCKED, block)]
            )
        except BlockRefused as refused:
            raise NotBlocked(refused.reason, self._texts.blocks[refused.reason], refused.standing) from None

    async def standing(self, actor: Actor, wish: BlockWish) -> tuple[Appointment, ...]:
        """What is booked in the time, as it stands now, by start. Raises NotBlocked where that is in the way."""
        actor.require(Right.READ)
        clinic = await clinic_of(self._clinics, actor)
        last = clinic.local(wish.end - timedelta(microseconds=1)).date()
        booked = await self._appointments.between(clinic, clinic.local(wish.start).date(), last)
        found = tuple(
            appointment
            for appointment in booked
            if appointment.status.takes_time
            and wish.professional_id in {None, appointment.professional_id}
            and instant(wish.start) < instant(appointment.end)
            and instant(appointment.start) < instant(wish.end)
        )
        if found and not wish.despite_appointments:
            raise NotBlocked(BlockRefusal.APPOINTMENTS, self._texts.blocks[BlockRefusal.APPOINTMENTS], found)
        return found

    async def remove(self, actor: Actor, block_id: str) -> TimeBlock:
        """Give the time back. Raises NotFound."""
        actor.require(Right.WRITE)
        clinic = await clinic_of(self._clinics, actor)
        return await self._blocks.remove(
            clinic, block_id, user_id=actor.user_id, beside=lambda block: [self._audit(actor, Action.TIME_FREED, block)]
        )

    def _audit(self, actor: Actor, action: Action, block: TimeBlock) -> Write:
        return audit_write(
            actor,
            action,
            block.id,
            self._clock(),
            professionalId=block.professional_id,
            start=block.start,
            end=block.end,
        )
