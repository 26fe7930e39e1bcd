"""Today and a calendar month of a clinic, counted from what is stored anyway.

Nothing is counted while messages are handled: that would add a write to every turn. A day that is over is counted once,
when somebody first looks, and kept as gendei_clinics/{clinicId}/days/{yyyy-mm-dd}; today is counted anew, at most every
half minute a process. What changes later about a day that is kept (a send that fails the next day) is not in it; what
became of its appointments is, since these are always read.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import TypeVar

from gendei.booking.appointment import APPOINTMENT, Appointment, Appointments, AppointmentStatus
from gendei.booking.time_blocks import TimeBlocks
from gendei.clinic import Clinic, ClinicId, Contact
from gendei.clock import Clock
from gendei.conversation.stored.conversation import CONVERSATION, Conversation
from gendei.conversation.stored.history import HistoryMessage, message_of
from gendei.costs.message_prices import MessagePrices
from gendei.documents import Documents, Query, document_id, put
from gendei.messages.channels import Clinics
from gendei.messages.keys import ConversationKey
from gendei.prompts import Phrases
from gendei.staff.actors import Actor, Right, clinic_of
from gendei.staff.day_numbers import DAY, DayNumbers, Totals, counted
from gendei.staff.message_costs import MessageCost, message_costs
from gendei.staff.outcomes import Signs
from gendei.staff.plan_numbers import PlanNumbers, by_plan
from gendei.staff.presence_numbers import PresenceNumbers, presence
from gendei.staff.professional_numbers import ProfessionalNumbers, by_professional
from gendei.staff.refill_numbers import RefillNumbers, refills_of
from gendei.staff.survey_numbers import NO_SURVEYS, SurveyNumbers, surveys_in
from gendei.staff.talk_times import SOON, came_back

T = TypeVar("T")
MOST_MONTHS = 12
"""That can be looked at before the present one."""
MOST_CONVERSATIONS = 3000
"""That are looked into, those used last first; `Numbers.complete` says whether these were all."""
MOST_APPOINTMENTS = 5000
"""Of a month."""
MOST_MESSAGES = 1000
"""Of one conversation."""
PAGE = 200
AT_ONCE = 20
FRESH = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class Numbers:
    """`month`: its first day. `days`: of the month, oldest first, of the present one up to today. `today`: None in an
    earlier month. `professionals`, `plans`: of the appointments that begin in the month, to its end; `presence`: of
    those that began; `surveys`: of the visits in it; `messages`: what those sent cost. `before`: of the same days of
    the month before, for the trend. `complete`: False where there was more than is looked into."""

    month: date
    today: Totals | None
    whole_month: Totals
    days: tuple[DayNumbers, ...]
    professionals: tuple[ProfessionalNumbers, ...]
    plans: tuple[PlanNumbers, ...]
    complete: bool
    refills: RefillNumbers
    presence: tuple[PresenceNumbers, ...] = ()
    before: Totals | None = None
    surveys: SurveyNumbers = NO_SURVEYS
    messages: tuple[MessageCost, ...] = ()


class ClinicNumbers:
    """For who manages the clinic. `phrases`: what the bot says, by which messages are told apart."""

    def __init__(
        self, documents: Documents, clinics: Clinics, clock: Clock, phrases: Phrases, prices: MessagePrices
    ) -> None:
        self._prices = prices
        self._documents, self._clinics, self._clock, self._signs = documents, clinics, clock, Signs(phrases)
        self._appointments, self._blocks = Appointments(documents, clock), TimeBlocks(documents, clock)
        self._counted: dict[tuple[ClinicId, date], tuple[datetime, Numbers]] = {}
        self._counting: dict[ClinicId, asyncio.Lock] = {}

    async def months(self, actor: Actor) -> list[date]:
        """The first days of the months that can be looked at, the present one first. Raises Forbidden and NotFound."""
        present = (await self._clinic(actor))[1].replace(day=1)
        first = present.year * 12 + present.month - 1
        return [date((first - back) // 12, (first - back) % 12 + 1, 1) for back in range(MOST_MONTHS + 1)]

    async def read(self, actor: Actor, month: date | None = None) -> Numbers:
        """Of the month in which the day `month` lies, the present one where none is named, as of at most half a minute
        ago. Raises Forbidden, NotFound where the clinic is gone, and ValueError for a month that cannot be looked at.
        """
        clinic, today = await self._clinic(actor)
        first = (month or today).replace(day=1)
        if first not in await self.months(actor):
            raise ValueError(f"numbers are of the present month or of {MOST_MONTHS} before it")
        place = clinic.id, first
        async with self._counting.setdefault(clinic.id, asyncio.Lock()):
            at, numbers = self._counted.get(place, (None, None))
            if at is None or numbers is None or not at <= self._clock() < at + FRESH:
                numbers = await self._count(clinic, first, today)
                fresh = {known: found for known, found in self._counted.items() if found[0] + FRESH > self._clock()}
                self._counted = {**fresh, place: (self._clock(), numbers)}
        return numbers

    async def _clinic(self, actor: Actor) -> tuple[Clinic, date]:
        """The actor's clinic, and its today."""
        actor.require(Right.MANAGE)
        clinic = await clinic_of(self._clinics, actor)
        return clinic, clinic.local(self._clock()).date()

    async def _count(self, clinic: Clinic, first: date, today: date) -> Numbers:
        end = (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)
        until = min(end, today)
        days = [first + timedelta(days=number) for number in range((until - first).days + 1)]
        known, complete = await self._days(clinic, days, today)
        before = await self._before(clinic, first, until, today)
        booked = await self._appointments.page(clinic, (first, end), MOST_APPOINTMENTS)
        blocks = await self._blocks.between(clinic, first, end)
        missed = Counter(found.start.date() for found in booked if found.status is AppointmentStatus.NO_SHOW)
        counted_days = tuple(replace(known[day], no_shows=missed[day]) for day in days)
        return Numbers(
            month=first,
            today=Totals.of(counted_days[-1:]) if until == today else None,
            whole_month=Totals.of(counted_days),
            days=counted_days,
            plans=by_plan(booked),
            professionals=by_professional(clinic, (first, end), until, booked, blocks),
            complete=complete and len(booked) < MOST_APPOINTMENTS,
            refills=await refills_of(self._documents, clinic, (first, end), MOST_APPOINTMENTS),
            presence=presence(clinic, booked, self._clock()),
            before=before,
            surveys=await surveys_in(self._documents, clinic, (first, end), MOST_APPOINTMENTS),
            messages=message_costs(counted_days, self._prices),
        )

    async def _before(self, clinic: Clinic, first: date, until: date, today: date) -> Totals:
        """Of the month before: all of it where the month is over, else as many of its days."""
        last = first - timedelta(days=1)
        is_over = until < today or (until + timedelta(days=1)).day == 1
        number = last.day if is_over else min(until.day, last.day)
        days = [last.replace(day=day) for day in range(1, number + 1)]
        known, _ = await self._days(clinic, days, today)
        return Totals.of([known[day] for day in days])

    async def _days(self, clinic: Clinic, days: list[date], today: date) -> tuple[dict[date, DayNumbers], bool]:
        """These days, from what is kept; what is not is counted, and kept where the day is over. Of days that were kept
        by an earlier version, only what they do not tell is counted."""
        kept = await self._documents.get_many([_day_path(clinic.id, day) for day in days if day != today])
        known = {day.day: day for day in map(DAY.found, kept) if day is not None}
        missing = [day for day in days if day not in known or not known[day].tells_all]
        if not missing:
            return known, True
        fresh, complete = await self._count_days(clinic, missing)
        for day, counted_now in fresh.items():
            known[day] = known[day].completed(counted_now) if day in known else counted_now
        if complete:
            over = [put(_day_path(clinic.id, day), DAY.write(known[day])) for day in missing if day != today]
            await self._documents.commit(over)
        return known, complete

    async def _count_days(self, clinic: Clinic, days: list[date]) -> tuple[dict[date, DayNumbers], bool]:
        """These days, in order."""
        since, until = _begin(clinic, days[0]), _begin(clinic, days[-1] + timedelta(days=1))
        conversations, complete = await self._used_since(clinic.id, since)
        told: dict[date, list[list[HistoryMessage]]] = {day: [] for day in days}
        returned = Counter[date]()
        for start in range(0, len(conversations), AT_ONCE):
            some = conversations[start : start + AT_ONCE]
            for messages in await asyncio.gather(*(self._messages(each, since - SOON, until) for each in some)):
                complete = complete and len(messages) < MOST_MESSAGES
                returned.update(came_back(messages, clinic.local))
                for day, of_day in _by_day(messages, lambda message: clinic.local(message.timestamp)).items():
                    if day in told:
                        told[day].append(of_day)
        bookings = await self._booked_between(clinic, since, until)
        return {
            day: counted(day, told[day], bookings.get(day, ()), self._signs, returned[day]) for day in days
        }, complete

    async def _used_since(self, clinic_id: ClinicId, since: datetime) -> tuple[list[Conversation], bool]:
        query = Query(
            ConversationKey(clinic_id, Contact("-")).path.rpartition("/")[0],
            where=(("updatedAt", ">=", since),),
            order_by=(("updatedAt", True),),
            limit=PAGE,
        )
        used: list[Conversation] = []
        while found := await self._documents.query(query):
            read = (CONVERSATION.read(snapshot.data or {}) for snapshot in found)
            used += [conversation for conversation in read if conversation.folded_into is None]
            if len(found) < PAGE:
                break
            if len(used) >= MOST_CONVERSATIONS:
                return used, False
            query = query.after(found[-1])
        return used, True

    async def _messages(self, conversation: Conversation, since: datetime, until: datetime) -> list[HistoryMessage]:
        """In order of time, also of the patient's other contacts."""
        pages = await asyncio.gather(
            *(
                self._documents.query(
                    Query(
                        f"{conversation.key.of(Contact(contact)).path}/messages",
                        where=(("timestamp", ">=", since), ("timestamp", "<", until)),
                        order_by=(("timestamp", True),),
                        limit=MOST_MESSAGES,
                    )
                )
                for contact in (conversation.contact, *conversation.folded)
            )
        )
        return sorted((message_of(found) for page in pages for found in page), key=lambda message: message.timestamp)

    async def _booked_between(
        self, clinic: Clinic, since: datetime, until: datetime
    ) -> Mapping[date, list[Appointment]]:
        query = Query(
            _appointments(clinic.id),
            where=(("createdAt", ">=", since), ("createdAt", "<", until)),
            order_by=(("createdAt", False),),
        )
        booked = [APPOINTMENT.read(found.data, zone=clinic.timezone) for found in await self._documents.query(query)]
        return _by_day(booked, lambda appointment: clinic.local(appointment.created_at))


def _by_day(things: Iterable[T], local: Callable[[T], datetime]) -> dict[date, list[T]]:
    """By the day of the moment that `local` gives, in the clinic's zone."""
    days: dict[date, list[T]] = {}
    for thing in things:
        days.setdefault(local(thing).date(), []).append(thing)
    return days


def _begin(clinic: Clinic, day: date) -> datetime:
    return datetime.combine(day, time.min, clinic.timezone)


def _appointments(clinic_id: ClinicId) -> str:
    return f"gendei_clinics/{document_id(clinic_id)}/appointments"


def _day_path(clinic_id: ClinicId, day: date) -> str:
    return f"gendei_clinics/{document_id(clinic_id)}/days/{day.isoformat()}"
