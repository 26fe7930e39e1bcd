"""Today and the last 30 days of a clinic, counted from what is stored anyway.

Nothing is counted while messages are handled: that would add a write to every turn. A day that is over is counted once,
when somebody first looks, and kept as gendei_clinics/{clinicId}/days/{yyyy-mm-dd}; today is counted anew, at most every
half minute a process. What changes later about a day that is kept (a send that fails the next day) is not in it;
no-shows are, since they are always read from the appointments.
"""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta

from gendei.booking.appointment import AppointmentStatus
from gendei.clinic import Clinic, ClinicId, Contact
from gendei.clock import Clock
from gendei.conversation.conversations import CONVERSATION, Conversation
from gendei.conversation.keys import ConversationKey
from gendei.conversation.ports import Clinics
from gendei.documents import Data, Documents, Query, document_id, put
from gendei.errors import NotFound
from gendei.staff.actors import Actor, Right
from gendei.staff.day_numbers import DAY, DayNumbers, Totals, counted

DAYS = 30
MOST_CONVERSATIONS = 3000
"""That are looked into, those used last first; `Numbers.complete` says whether these were all."""
MOST_MESSAGES = 1000
"""Of one conversation."""
PAGE = 200
AT_ONCE = 20
FRESH = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class Numbers:
    """`days`: the last 30, oldest first, today the last. `complete`: False where there was more than is looked into."""

    today: Totals
    last_30_days: Totals
    days: tuple[DayNumbers, ...]
    complete: bool


class ClinicNumbers:
    """For who manages the clinic."""

    def __init__(self, documents: Documents, clinics: Clinics, clock: Clock) -> None:
        self._documents, self._clinics, self._clock = documents, clinics, clock
        self._counted: dict[ClinicId, tuple[datetime, Numbers]] = {}
        self._counting: dict[ClinicId, asyncio.Lock] = {}

    async def read(self, actor: Actor) -> Numbers:
        """As of at most half a minute ago. Raises Forbidden, and NotFound where the clinic is gone."""
        actor.require(Right.MANAGE)
        clinic = await self._clinics.get(actor.clinic_id)
        if clinic is None:
            raise NotFound
        async with self._counting.setdefault(clinic.id, asyncio.Lock()):
            at, numbers = self._counted.get(clinic.id, (None, None))
            if at is None or numbers is None or not at <= self._clock() < at + FRESH:
                numbers = await self._count(clinic)
                self._counted[clinic.id] = (self._clock(), numbers)
        return numbers

    async def _count(self, clinic: Clinic) -> Numbers:
        today = clinic.local(self._clock()).date()
        days = [today - timedelta(days=back) for back in reversed(range(DAYS))]
        kept = await self._documents.get_many([_day_path(clinic.id, day) for day in days[:-1]])
        known = {day.day: day for day in map(DAY.found, kept) if day is not None}
        missing = [day for day in days if day not in known]
        fresh, complete = await self._count_days(clinic, missing)
        if complete:
            over = [put(_day_path(clinic.id, day), DAY.write(fresh[day])) for day in missing if day != today]
            await self._documents.commit(over)
        no_shows = await self._no_shows(clinic, days)
        everything = known | fresh
        counted_days = tuple(replace(everything[day], no_shows=no_shows.get(day, 0)) for day in days)
        return Numbers(Totals.of(counted_days[-1:]), Totals.of(counted_days), counted_days, complete)

    async def _count_days(self, clinic: Clinic, days: list[date]) -> tuple[dict[date, DayNumbers], bool]:
        """These days, which end with today."""
        since = _begin(clinic, days[0])
        conversations, complete = await self._used_since(clinic.id, since)
        told: dict[date, list[list[Data]]] = {day: [] for day in days}
        for start in range(0, len(conversations), AT_ONCE):
            some = conversations[start : start + AT_ONCE]
            for messages in await asyncio.gather(*(self._messages(conversation, since) for conversation in some)):
                complete = complete and len(messages) < MOST_MESSAGES
                for day, of_day in _by_day(clinic, messages).items():
                    if day in told:
                        told[day].append(of_day)
        bookings = await self._booked_since(clinic, since)
        return {day: counted(day, told[day], bookings.get(day, ()), 0) for day in days}, complete

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

    async def _messages(self, conversation: Conversation, since: datetime) -> list[Data]:
        """In order of time, also of the patient's other contacts."""
        pages = await asyncio.gather(
            *(
                self._documents.query(
                    Query(
                        f"{conversation.key.of(Contact(contact)).path}/messages",
                        where=(("timestamp", ">=", since),),
                        order_by=(("timestamp", True),),
                        limit=MOST_MESSAGES,
                    )
                )
                for contact in (conversation.contact, *conversation.folded)
            )
        )
        return sorted(
            (message.data or {} for page in pages for message in page), key=lambda message: message["timestamp"]
        )

    async def _booked_since(self, clinic: Clinic, since: datetime) -> Mapping[date, list[Data]]:
        query = Query(_appointments(clinic.id), where=(("createdAt", ">=", since),), order_by=(("createdAt", False),))
        days: dict[date, list[Data]] = {}
        for snapshot in await self._documents.query(query):
            data = snapshot.data or {}
            days.setdefault(clinic.local(data["createdAt"]).date(), []).append(data)
        return days

    async def _no_shows(self, clinic: Clinic, days: list[date]) -> Mapping[date, int]:
        missed = Query(
            _appointments(clinic.id),
            where=(
                ("status", "==", str(AppointmentStatus.NO_SHOW)),
                ("start", ">=", _begin(clinic, days[0])),
                ("start", "<", _begin(clinic, days[-1] + timedelta(days=1))),
            ),
            order_by=(("start", False),),
        )
        found = await self._documents.query(missed)
        by_day = [clinic.local((snapshot.data or {})["start"]).date() for snapshot in found]
        return {day: by_day.count(day) for day in set(by_day)}


def _by_day(clinic: Clinic, messages: Iterable[Data]) -> dict[date, list[Data]]:
    days: dict[date, list[Data]] = {}
    for message in messages:
        days.setdefault(clinic.local(message["timestamp"]).date(), []).append(message)
    return days


def _begin(clinic: Clinic, day: date) -> datetime:
    return datetime.combine(day, time.min, clinic.timezone)


def _appointments(clinic_id: ClinicId) -> str:
    return f"gendei_clinics/{document_id(clinic_id)}/appointments"


def _day_path(clinic_id: ClinicId, day: date) -> str:
    return f"gendei_clinics/{document_id(clinic_id)}/days/{day.isoformat()}"
