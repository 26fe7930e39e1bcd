"""One process of a service with a waiting list, and a clock that is put forward by hand."""

from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any, Self

from tests.booking.builders import JOAO, MARIA, TestClock, at, make_clinic, request
from tests.scheduler.office import PHRASES, VERTICALS, Clinics

from gendei.booking.appointment import Appointment
from gendei.booking.desk import BookingDesk
from gendei.booking.time_blocks import TimeBlocks
from gendei.clinic import Channel, Clinic, ClinicId, Contact, MessageTemplate, ProactivePolicy
from gendei.clinic_initiatives import WaitingListPolicy
from gendei.conversation.outbound.outbox_entry import OUTBOX_ENTRY, OutboxEntry
from gendei.conversation.outbound.proactive import Proactive
from gendei.conversation.outbound.reminders import Reminders
from gendei.conversation.work.following import Following, FollowingPace
from gendei.documents import Documents, Query
from gendei.messages.keys import OUTBOX
from gendei.receptionist.offers.choices import Kind, parse_choice, start_from
from gendei.scheduler.refilling import Refilling
from gendei.waiting.entry import WaitingEntry, WaitingWish
from gendei.waiting.refill import REFILL, REFILLS, Refill
from gendei.waiting.waiting_list import OfferName, Taken, WaitingList, WaitingPlace

ANNA, RITA = Contact("+5511999990003"), Contact("+5511999990004")
TEMPLATES = {
    "waiting_offer": MessageTemplate("vaga", "pt_BR", ("patient", "time"), 3),
    "waiting_taken": MessageTemplate("vaga_ocupada", "pt_BR", ("patient",)),
}
HERE = make_clinic(channels=(Channel("meta", "1001"),), templates=TEMPLATES, waiting_list=WaitingListPolicy())
THERE = replace(HERE, id=ClinicId("sorriso"), channels=(Channel("meta", "2002"),))
TUESDAY = at(3, "10:00")
EVER = datetime(2026, 1, 1, tzinfo=UTC)


def wish(service: str = "consulta", **changes: Any) -> WaitingWish:
    """For a fortnight, with anybody."""
    return WaitingWish(**({"service_id": service, "first": date(2026, 3, 2), "last": date(2026, 3, 16)} | changes))


def together(clinic: Clinic = HERE, at_once: int = 3) -> Clinic:
    """The clinic, which offers a time to several at once."""
    return replace(clinic, waiting_list=WaitingListPolicy(at_once=at_once), proactive=ProactivePolicy(per_day=9))


@dataclass
class Line:
    """Use it as a context manager. Nothing happens by itself: `turn_to` puts the clock forward and does what is due."""

    documents: Documents
    clock: TestClock = field(default_factory=lambda: TestClock(at(2, "10:00")))
    clinics: Clinics = field(default_factory=lambda: Clinics(HERE, THERE))
    joined: dict[str, Contact] = field(default_factory=dict)
    _open: AsyncExitStack = field(default_factory=AsyncExitStack)

    def __post_init__(self) -> None:
        self.following = Following(self.documents, self.clock, pace=FollowingPace(look_again=0.01))
        self.desk = BookingDesk(self.documents, self.clock, self.following.tell)
        self.blocks = TimeBlocks(self.documents, self.clock, self.following.tell)
        self.waiting = WaitingList(self.documents, self.clock, self.desk)
        proactive = Proactive(self.documents, self.clock, lambda _key: None)
        reminders = Reminders(self.documents, self.clock, proactive, PHRASES, VERTICALS)
        self.refilling = Refilling(reminders, self.clinics, self.waiting, seeks=False)
        self.following.register(self.refilling)

    async def __aenter__(self) -> Self:
        self.following.seeks = False
        for work in (self.following, self.refilling):
            await self._open.enter_async_context(work)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._open.aclose()

    async def fill(self, start: datetime = TUESDAY, who: Contact = RITA, clinic: Clinic = HERE) -> Appointment:
        """Somebody's appointment, at a time for which others wait."""
        return await self.desk.book(clinic, who, request(start, name="Rita Reis"))

    async def join(self, who: Contact, asked: WaitingWish | None = None, **more: Any) -> WaitingEntry:
        """Each a minute after the other."""
        self.clock.forward(seconds=1)
        clinic = more.pop("clinic", self.clinics.known(HERE.id))
        entry = await self.waiting.join(clinic, WaitingPlace(who, "Maria Silva", asked or wish(), **more))
        self.joined[entry.id] = who
        return entry

    async def work(self) -> None:
        """What is due now is done."""
        await self.following.sweep()
        await self.following.idle()
        await self.refilling.sweep()
        await self.refilling.idle()

    async def turn_to(self, moment: datetime) -> None:
        self.clock.now = moment
        await self.work()

    async def later(self, minutes: int) -> None:
        await self.turn_to(self.clock.now + timedelta(minutes=minutes))

    async def free(self, appointment: Appointment, clinic: Clinic = HERE) -> None:
        await self.desk.cancel(clinic, None, appointment.id)
        await self.work()

    async def entries(self, since: datetime = EVER) -> Sequence[OutboxEntry]:
        query = Query(OUTBOX, (("createdAt", ">=", since),), (("createdAt", False),))
        found = await self.documents.query(query)
        return [OUTBOX_ENTRY.read(snapshot.data or {}, id=snapshot.id) for snapshot in found]

    async def offered(self, clinic: Clinic = HERE) -> list[tuple[Contact, datetime]]:
        """To whom which start was offered, in order, as the messages say it."""
        refills = sorted(await self.refills(), key=lambda refill: refill.freed_at)
        made = [
            (self.joined[offer.entry_id], clinic.local(offer.start))
            for refill in refills
            for offer in refill.offers
            if refill.clinic_id == clinic.id and offer.sent == "queued"
        ]
        sent = [
            (entry.contact, clinic.local(name.start))
            for entry in await self.entries()
            if entry.clinic_id == clinic.id and (name := name_in(entry, clinic)) is not None
        ]
        assert sorted(made) == sorted(sent)
        return made

    async def say(self, who: Contact, clinic: Clinic = HERE, *, yes: bool = True) -> Taken | WaitingEntry:
        """The answer of a contact to the last offer that they were sent, a second later."""
        self.clock.forward(seconds=1)
        sent = [entry for entry in await self.entries() if entry.contact == who and name_in(entry, clinic)]
        name = name_in(sent[-1], clinic)
        assert name is not None
        known = self.clinics.known(clinic.id) or clinic
        made = await (self.waiting.take(known, who, name) if yes else self.waiting.decline(known, who, name))
        await self.work()
        return made

    async def refills(self) -> list[Refill]:
        return [REFILL.read(found.data, id=found.id) for found in await self.documents.query(Query(REFILLS))]


def name_in(entry: OutboxEntry, clinic: Clinic) -> OfferName | None:
    """What a yes to this message names."""
    chosen = next((parse_choice(option.id) for option in entry.reply.options), None)
    if chosen is None or chosen.kind is not Kind.WAITING_TAKE:
        return None
    entry_id, refill_id, professional_id, start = chosen.args
    moment = start_from(start, clinic)
    return OfferName(entry_id, refill_id, professional_id, moment) if moment else None


__all__ = ["ANNA", "JOAO", "MARIA", "RITA", "Line"]
