"""Calendar feeds of professionals: gendei_feeds/{sha256 of the token}. The address is shown once, when it is made.

Who has the address reads the calendar, without signing in, until it is revoked.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, timedelta
from enum import StrEnum
from hashlib import sha256
from secrets import token_urlsafe
from typing import Annotated

from icalendar import Calendar, Event

from gendei.booking.appointment import Appointment, Appointments
from gendei.booking.time_blocks import TimeBlock, TimeBlocks
from gendei.clinic import ClinicId, Professional
from gendei.clock import Clock
from gendei.documents import Documents, Query, create, delete
from gendei.errors import NotFound
from gendei.messages.channels import Clinics
from gendei.records import NOT_STORED, Moment, Record
from gendei.staff.actors import Actor, Right, clinic_of
from gendei.staff.agenda.texts import AgendaTexts
from gendei.staff.audit import Action, audit_write
from gendei.texts import fill


def calendar_of(
    professional: Professional,
    appointments: Iterable[Appointment],
    blocks: Iterable[TimeBlock],
    texts: AgendaTexts,
    *,
    first_names: bool,
) -> bytes:
    """What takes the professional's time, out of `appointments` and `blocks` of everybody. Patients stand in it by
    initials, or by first name; a block without its reason. What nobody changed gives the same bytes."""
    calendar = Calendar()
    calendar.add("prodid", "-//Gendei//Agenda//PT")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", fill(texts.calendar.title, {"professional": professional.name}))
    for appointment in appointments:
        if appointment.professional_id == professional.id and appointment.status.takes_time:
            calendar.add_component(_visit(appointment, texts, first_names=first_names))
    for block in blocks:
        if block.professional_id in {None, professional.id}:
            calendar.add_component(_event(block, texts.calendar.blocked))
    return bytes(calendar.to_ical())


def initials(name: str) -> str:
    """ "Maria da Silva" as "M. S.": particles are left out."""
    words = [word for word in name.split() if word[0].isupper()] or name.split()
    return " ".join(f"{word[0].upper()}." for word in (words[:1] + words[1:][-1:]))


def _visit(appointment: Appointment, texts: AgendaTexts, *, first_names: bool) -> Event:
    name = appointment.patient_name
    who = name.split()[0] if first_names else initials(name)
    title = fill(texts.calendar.event, {"service": appointment.service_name, "who": who})
    event = _event(appointment, title)
    event.add("last-modified", appointment.updated_at.astimezone(UTC))
    return event


def _event(what: Appointment | TimeBlock, title: str) -> Event:
    event = Event()
    event.add("uid", f"{what.id}@gendei")
    event.add("dtstamp", what.created_at.astimezone(UTC))
    event.add("dtstart", what.start.astimezone(UTC))
    event.add("dtend", what.end.astimezone(UTC))
    event.add("summary", title)
    return event


FEEDS = "gendei_feeds"
PAST, AHEAD = timedelta(days=30), timedelta(days=90)
_TOKEN = re.compile(r"[\w-]{43}", re.ASCII)


class Shows(StrEnum):
    """How a feed names patients. Calendars are kept by others (Google, Apple), so the least is the default."""

    INITIALS = "initials"
    FIRST_NAME = "first_name"


@dataclass(frozen=True, slots=True)
class CalendarFeed:
    """`id` names it and opens nothing. `created_by`: the name of who made it."""

    id: Annotated[str, NOT_STORED]
    clinic_id: ClinicId
    professional_id: str
    shows: Shows
    created_by: str
    created_at: Moment


_FEEDS = Record(CalendarFeed, "gendei_feeds/{sha256}")


class CalendarFeeds:
    """For staff who manage the actor's clinic; `read` is for calendars."""

    def __init__(self, documents: Documents, clock: Clock, clinics: Clinics, texts: AgendaTexts) -> None:
        self._documents, self._clock, self._clinics, self._texts = documents, clock, clinics, texts
        self._appointments, self._blocks = Appointments(documents, clock), TimeBlocks(documents, clock)

    async def add(self, actor: Actor, professional_id: str, shows: Shows = Shows.INITIALS) -> tuple[CalendarFeed, str]:
        """A new feed of a professional, and the token of its address, /feeds/{token}.ics. Raises Forbidden, and
        NotFound for a professional of another clinic."""
        actor.require(Right.MANAGE)
        if (await clinic_of(self._clinics, actor)).professional(professional_id) is None:
            raise NotFound
        token, now = token_urlsafe(32), self._clock()
        feed = CalendarFeed(_id(token), actor.clinic_id, professional_id, shows, actor.name, now)
        made = audit_write(actor, Action.FEED_CHANGED, feed.id, now, change="added", professionalId=professional_id)
        await self._documents.commit([create(f"{FEEDS}/{feed.id}", _FEEDS.write(feed)), made])
        return feed, token

    async def list(self, actor: Actor) -> list[CalendarFeed]:
        """The clinic's feeds, the newest first."""
        actor.require(Right.MANAGE)
        found = await self._documents.query(Query(FEEDS, where=(("clinicId", "==", actor.clinic_id),)))
        feeds = [_FEEDS.read(snapshot.data, id=snapshot.id) for snapshot in found]
        return sorted(feeds, key=lambda feed: feed.created_at, reverse=True)

    async def revoke(self, actor: Actor, feed_id: str) -> None:
        """The address shows nothing any more. Raises NotFound for what `list` does not show."""
        feed = next((listed for listed in await self.list(actor) if listed.id == feed_id), None)
        if feed is None:
            raise NotFound
        gone = {"change": "revoked", "professionalId": feed.professional_id}
        entry = audit_write(actor, Action.FEED_CHANGED, feed.id, self._clock(), **gone)
        await self._documents.commit([delete(f"{FEEDS}/{feed.id}"), entry])

    async def read(self, token: str) -> bytes:
        """The iCalendar of 30 days back and 90 ahead, the same bytes while nothing changes. Raises NotFound for a token
        that is unknown or revoked, or whose clinic or professional is gone."""
        if not _TOKEN.fullmatch(token):
            raise NotFound
        feed = _FEEDS.found(await self._documents.get(f"{FEEDS}/{_id(token)}"), id=_id(token))
        clinic = await self._clinics.get(feed.clinic_id) if feed else None
        professional = clinic.professional(feed.professional_id) if feed and clinic else None
        if feed is None or clinic is None or professional is None:
            raise NotFound
        today = clinic.local(self._clock()).date()
        first, last = today - PAST, today + AHEAD
        appointments = await self._appointments.between(clinic, first, last)
        blocks = await self._blocks.between(clinic, first, last)
        whole_name = feed.shows is Shows.FIRST_NAME
        return calendar_of(professional, appointments, blocks, self._texts, first_names=whole_name)


def _id(token: str) -> str:
    return sha256(token.encode()).hexdigest()
