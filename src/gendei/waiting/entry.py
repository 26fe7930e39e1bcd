"""Who waits, and for what: gendei_clinics/{clinicId}/waiting/{id}, in order of `created_at`."""

import re
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated

from gendei.booking.patients import patient_id
from gendei.booking.slots import Slot
from gendei.booking.wallclock import epoch_minute
from gendei.clinic import DAY_MINUTES, ClinicId, Contact
from gendei.clock import instant
from gendei.documents import document_id
from gendei.errors import NotFound
from gendei.records import ABSENT_WHEN_EMPTY, ABSENT_WHEN_NONE, NOT_STORED, Day, Moment, Record

_ID = re.compile("[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class WaitingWish:
    """professional_id: None for anybody. first, last: local days of a start, both included; `last` is also until when
    somebody waits. weekdays: 0 is Monday; empty for all. time_from, time_to: local minutes after midnight of a start,
    [from, to). notice_minutes: how long before its start a time has to be offered."""

    service_id: str
    first: Day
    last: Day
    professional_id: str | None = None
    weekdays: Annotated[tuple[int, ...], ABSENT_WHEN_EMPTY] = ()
    time_from: int = 0
    time_to: int = DAY_MINUTES
    notice_minutes: int = 0

    @property
    def hours(self) -> tuple[int, int]:
        return self.time_from, self.time_to

    def fits(self, slot: Slot, now: datetime) -> bool:
        """Whether a local slot is as it was asked for."""
        start = slot.start
        enough = instant(start) - instant(now) >= timedelta(minutes=self.notice_minutes)
        by_whom = self.professional_id in {None, slot.professional_id}
        on_day = self.first <= start.date() <= self.last and (not self.weekdays or start.weekday() in self.weekdays)
        return enough and by_whom and on_day and self.time_from <= start.hour * 60 + start.minute < self.time_to


@dataclass(frozen=True, slots=True)
class OpenOffer:
    """What is offered to who waits just now, and until when they may answer."""

    refill_id: str
    until: Moment


@dataclass(frozen=True, slots=True)
class WaitingEntry:
    """appointment_id: what they have already, and want earlier. plan: as appointments have it. by: who added it, as in
    an appointment's history. offer: not over unless its time is; offered: the slots (`slot_name`) that they were
    offered, and that nobody else took from them."""

    id: Annotated[str, NOT_STORED]
    clinic_id: Annotated[ClinicId, NOT_STORED]
    contact: Contact
    patient_name: str
    wish: WaitingWish
    created_at: Moment
    by: str
    appointment_id: Annotated[str | None, ABSENT_WHEN_NONE] = None
    plan: Annotated[str, ABSENT_WHEN_EMPTY] = ""
    offer: Annotated[OpenOffer | None, ABSENT_WHEN_NONE] = None
    offered: Annotated[tuple[str, ...], ABSENT_WHEN_EMPTY] = ()

    def is_free(self, now: datetime) -> bool:
        """Whether nothing is offered to them at this moment."""
        return self.offer is None or self.offer.until <= now

    @property
    def path(self) -> str:
        return entry_path(self.clinic_id, self.id)


class WaitingFault(StrEnum):
    """NO_LIST: the clinic has none. UNREACHABLE: a web site's visitor cannot be written to. TOO_MANY: they wait for
    enough already. PAST: the last day is over. NOT_COMING: what they want earlier is over or cancelled."""

    NO_LIST = "no_waiting_list"
    UNREACHABLE = "no_messages_to_site"
    TOO_MANY = "too_many_waiting"
    PAST = "wait_is_past"
    NOT_COMING = "not_coming_any_more"


def _whose(entry: WaitingEntry) -> str:
    """The card of who waits, by which their data is found."""
    return patient_id(entry.contact, entry.patient_name)


ENTRY = Record(WaitingEntry, "gendei_clinics/{clinicId}/waiting/{id}", derived={"patientId": _whose})


def waiting_of(clinic_id: ClinicId) -> str:
    """The collection of a clinic's entries."""
    return f"gendei_clinics/{document_id(clinic_id)}/waiting"


def entry_path(clinic_id: ClinicId, entry_id: str) -> str:
    """Raises NotFound for what cannot be an id."""
    if not _ID.fullmatch(entry_id):
        raise NotFound
    return f"{waiting_of(clinic_id)}/{entry_id}"


def new_id() -> str:
    return secrets.token_hex(6)


def slot_name(professional_id: str, start: datetime) -> str:
    """Names a slot of one clinic."""
    return f"{professional_id}|{epoch_minute(start)}"
