"""Tells patients what becomes of their deposits: the code, the proof that it was paid, or that the time is over.

Follows the events of charges. What is told is read anew from the store, each thing is told once (`Opening.once`), and
where the conversation does not take it, staff have a task.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from gendei.booking.appointment import Appointment, Appointments, AppointmentStatus
from gendei.booking.dates import describe
from gendei.booking.dates.rendering import plain_clock
from gendei.booking.deposit_money import CHARGE_STREAM
from gendei.booking.deposits import is_unpaid
from gendei.booking.erasing import ERASED
from gendei.booking.events import AgendaEvent, EventKind
from gendei.booking.finder import SlotFinder
from gendei.channel_kinds import capabilities
from gendei.clinic import Clinic, money
from gendei.conversation.outbound.proactive import Decline, Declined, Opening
from gendei.conversation.outbound.reminders import Reminders, spoken_values
from gendei.conversation.stored.contacts import canonical, home_of
from gendei.conversation.stored.conversation import Conversation
from gendei.conversation.stored.follow_ups import Occasion, follow_up
from gendei.errors import GendeiError, NotFound
from gendei.messages.channels import Clinics
from gendei.messages.keys import ConversationKey
from gendei.messages.replies import Option, PixForm, PixPayment, Reply
from gendei.payments.money_ledger import ChargeState, EntryKind
from gendei.payments.pix_charge import BY_HAND, CHARGE, PixCharge, charge_path
from gendei.receptionist.offers.choices import Kind, choice
from gendei.receptionist.offers.rendering import slot_title

KEPT_FOR = timedelta(days=7)
"""Nobody needs to be told later than that."""
MOST_TIMES = 3
_S = AppointmentStatus


class DepositNews(StrEnum):
    """What there is to tell. CODE: it can be paid. PAID: and so the appointment is confirmed, by money or a waiver.
    EXPIRED: it was not paid in time. NOT_MADE: no code could be made. CAME_LATE: it was paid too late, and goes back.
    REFUNDED: it is back."""

    CODE = "code"
    PAID = "paid"
    EXPIRED = "expired"
    NOT_MADE = "not_made"
    CAME_LATE = "came_late"
    REFUNDED = "refunded"


def news_of(charge: PixCharge, appointment: Appointment) -> DepositNews | None:
    """What is to be told of a charge as it stands; None for nothing that was not told with what staff or the patient
    did themselves."""
    state, pending = charge.state, appointment.status is _S.PENDING
    if state is ChargeState.OPEN:
        return DepositNews.CODE if charge.code and pending else None
    if appointment.status.live and not pending and (state is ChargeState.PAID or charge.ledger.is_waived):
        return DepositNews.PAID
    if state is ChargeState.EXPIRED and is_unpaid(appointment):
        return DepositNews.EXPIRED if charge.code else DepositNews.NOT_MADE
    if is_unpaid(appointment) and charge.pending_refunds:
        return DepositNews.CAME_LATE
    return DepositNews.REFUNDED if state is ChargeState.REFUNDED else None


@dataclass(frozen=True, slots=True)
class DepositMessages:
    """A follower of the agenda's events. reminders: whose store, clock, sender and words it has."""

    reminders: Reminders
    clinics: Clinics
    name = "deposits"
    delay = timedelta(0)

    def wants(self, event: AgendaEvent) -> bool:
        return event.kind is EventKind.DEPOSIT

    async def follow(self, event: AgendaEvent) -> None:
        """Tell what there is to tell, unless it was told. Raises StoreError."""
        clinic = await self.clinics.get(event.clinic_id)
        charge_id = event.stream.subject.removeprefix(CHARGE_STREAM)
        found = await self.reminders.documents.get(charge_path(event.clinic_id, charge_id))
        charge = CHARGE.found(found, id=charge_id, clinic_id=event.clinic_id)
        if clinic is None or charge is None:
            return
        try:
            appointments = Appointments(self.reminders.documents, self.reminders.clock)
            appointment = await appointments.get(clinic, None, charge.appointment_id)
        except NotFound:
            return
        news = news_of(charge, appointment)
        if news is not None and appointment.contact != ERASED:
            await self._tell(clinic, charge, appointment, news)

    async def _tell(self, clinic: Clinic, charge: PixCharge, appointment: Appointment, news: DepositNews) -> None:
        now = self.reminders.clock()
        words = _Words(self.reminders, clinic, charge, appointment, now)
        times = await self._free_times(clinic, appointment) if news is DepositNews.CAME_LATE else ""
        replies = words.replies(news, times)
        until = charge.pay_until if news is DepositNews.CODE else now + KEPT_FOR
        for number, reply in enumerate(replies):
            name = f"deposit/{charge.id}/{news}" + (f"/{number}" if number else "")
            opening = Opening("deposit", reply, words.values, once=name, until=until, awaited=True)
            outcome = await self.reminders.proactive.send(clinic, appointment.contact, opening)
            if isinstance(outcome, Declined) and outcome.reason is not Decline.ALREADY:
                await self._leave_to_staff(clinic, appointment, news, words)
                return
        if news is DepositNews.NOT_MADE:
            await self._leave_to_staff(clinic, appointment, news, words)

    async def _leave_to_staff(
        self, clinic: Clinic, appointment: Appointment, news: DepositNews, words: "_Words"
    ) -> None:
        """A task, where the conversation is somebody's, or takes nothing; a web site's visitor asks by itself."""
        documents, now = self.reminders.documents, self.reminders.clock()
        key = await home_of(documents, ConversationKey(clinic.id, canonical(appointment.contact)))
        conversation = Conversation.read(await documents.get(key.path), key, now)
        if capabilities(conversation.provider).is_visit and news is DepositNews.CODE:
            return
        about = f"{appointment.charge_id}/{news}"
        told = words.task(news)
        task = follow_up(conversation, Occasion.DEPOSIT, now, about, description=told, appointment_id=appointment.id)
        if not (await documents.get(task.path)).exists:
            await documents.commit([task])

    async def _free_times(self, clinic: Clinic, appointment: Appointment) -> str:
        """The next ones for the same, as text; "" for none."""
        finder = SlotFinder(self.reminders.documents, self.reminders.clock)
        try:
            found = await finder.next_slots(
                clinic, appointment.service_id, professional_id=appointment.professional_id, limit=MOST_TIMES
            )
        except GendeiError:
            return ""
        return ", ".join(slot_title(slot.start) for slot in found)


@dataclass(frozen=True, slots=True)
class _Words:
    """What is said of one charge, all of it from the store."""

    reminders: Reminders
    clinic: Clinic
    charge: PixCharge
    appointment: Appointment
    now: datetime

    @property
    def values(self) -> Mapping[str, str]:
        return spoken_values(self.clinic, self.appointment, self.now)

    def replies(self, news: DepositNews, times: str) -> list[Reply]:
        match news:
            case DepositNews.CODE:
                return self._code()
            case DepositNews.PAID:
                return [self._proof()]
            case DepositNews.EXPIRED:
                again = Option(choice(Kind.DEPOSIT_AGAIN, self.appointment.id), self._say("button_deposit_again"))
                return [Reply(self._say("deposit_expired"), (again,))]
            case DepositNews.CAME_LATE:
                text = self._say("deposit_came_late", deposit=money(self.charge.pending_refunds))
                text += f"\n{self._say('deposit_other_times', times=times)}" if times else ""
                other = Option(choice(Kind.SERVICE, self.appointment.service_id), self._say("button_do_other_time"))
                return [Reply(text, (other,))]
            case DepositNews.REFUNDED:
                return [Reply(self._say("deposit_refunded", deposit=money(self.charge.ledger.refunded)))]
            case DepositNews.NOT_MADE:
                return [Reply(self._say("deposit_not_made"))]

    def task(self, news: DepositNews) -> str:
        told = self._say(f"deposit_news_{news}")
        return self._say("deposit_task", deposit=money(self.charge.ledger.asked), news=told)

    def _code(self) -> list[Reply]:
        """The code alone, since patients copy a whole message, or the channel's own payment in its place; and the same
        as a picture, which another phone can pay by."""
        cents = self.charge.ledger.asked - self.charge.ledger.received
        said = {"deposit": money(cents), "until": self._moment(self.charge.pay_until)}
        rules = self.clinic.deposits
        pix = PixPayment(
            self.charge.id,
            PixForm.CODE,
            self.charge.code,
            cents,
            (rules.merchant_name if rules else "") or self.clinic.name,
            rules.key if rules else "",
            self._say("deposit_body", **said),
        )
        caption = Reply(self._say("deposit_caption", **said), pix=replace(pix, form=PixForm.QR, body=""))
        return [Reply(self.charge.code, pix=pix), caption]

    def _proof(self) -> Reply:
        """That it stands, and what it says of the money."""
        ledger = self.charge.ledger
        lines = [self._say("booking_confirmed")]
        if ledger.is_waived:
            lines.append(self._say("deposit_waived"))
            return Reply("\n".join(lines))
        came = [entry for entry in self.charge.entries if entry.kind is EntryKind.RECEIVED]
        by_hand = any(entry.reference.startswith(BY_HAND) for entry in came)
        paid = {"deposit": money(ledger.held), "at": self._moment(came[-1].at)}
        lines += [self._say("deposit_paid_late")] if ledger.is_withdrawn else []
        lines.append(self._say("deposit_paid_by_hand" if by_hand else "deposit_paid", **paid))
        pix = PixPayment(self.charge.id, PixForm.PAID, "", ledger.held, self.clinic.name)
        return Reply("\n".join(lines), pix=pix)

    def _moment(self, at: datetime) -> str:
        local = self.clinic.local(at)
        return f"{describe(local.date(), self.clinic.local(self.now))}, às {plain_clock(local)}"

    def _say(self, phrase: str, **values: str) -> str:
        line = self.reminders.phrases.say("appointment_line", 0, **self.values)
        words = {**self.reminders.verticals[self.clinic.vertical].for_clinic(self.clinic).words(), **self.values}
        return self.reminders.phrases.of(self.clinic).say(phrase, 0, **{**words, "line": line, **values}).strip()
