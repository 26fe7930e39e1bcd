"""Whom a campaign would go to: who agreed to marketing, of those whom the clinic's agenda names."""

from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from gendei.booking.appointment import APPOINTMENT, Appointment
from gendei.booking.erasing import ERASED
from gendei.campaigns.campaign import BETWEEN, CampaignAudience
from gendei.clinic import Clinic, Contact
from gendei.conversation.stored.outreach import Outreach, outreach_of, outreach_path
from gendei.documents import Documents, Query, document_id
from gendei.messages.keys import ConversationKey

LOOK_BACK = timedelta(days=5 * 365)
PAGE, AT_ONCE = 500, 200
_DAYS_OF_MONTH = 30.4375


@dataclass(slots=True)
class PastVisitor:
    """What the agenda says of a contact: the last visit, and for which services they came."""

    contact: Contact
    patient_id: str = ""
    patient_name: str = ""
    last_visit: datetime | None = None
    service_ids: set[str] = field(default_factory=set)
    coming: bool = False

    def add(self, appointment: Appointment, now: datetime) -> None:
        """Appointments come by their start."""
        if appointment.start > now:
            self.coming |= appointment.status.live
        elif appointment.end <= now and appointment.status.takes_time:
            self.last_visit = appointment.end
            self.patient_id, self.patient_name = appointment.patient_id, appointment.patient_name
            self.service_ids.add(appointment.service_id)

    def fits(self, audience: CampaignAudience, now: datetime) -> bool:
        if self.last_visit is None or (self.coming and audience.without_coming):
            return False
        if audience.service_ids and self.service_ids.isdisjoint(audience.service_ids):
            return False
        return self.last_visit <= now - timedelta(days=audience.months * _DAYS_OF_MONTH)


@dataclass(frozen=True, slots=True)
class FoundAudience:
    """visitors: whom it would go to. without_consent: who fits and never agreed to marketing; stopped: or took it back;
    lately: whom another campaign wrote to a short time ago."""

    visitors: tuple[PastVisitor, ...]
    without_consent: int = 0
    stopped: int = 0
    lately: int = 0


async def find_audience(
    documents: Documents, clinic: Clinic, audience: CampaignAudience, now: datetime
) -> FoundAudience:
    """One read for each appointment of the last five years and of those ahead, and one for each contact that fits."""
    visitors: dict[Contact, PastVisitor] = {}
    async for appointment in _appointments(documents, clinic, now - LOOK_BACK):
        if appointment.contact != ERASED:
            visitors.setdefault(appointment.contact, PastVisitor(appointment.contact)).add(appointment, now)
    fitting = [visitor for visitor in visitors.values() if visitor.fits(audience, now)]
    return _agreed(fitting, await _wishes(documents, clinic, [each.contact for each in fitting]), now)


def _agreed(fitting: Iterable[PastVisitor], wishes: Mapping[Contact, Outreach], now: datetime) -> FoundAudience:
    kept: list[PastVisitor] = []
    without = stopped = lately = 0
    for visitor in fitting:
        outreach = wishes[visitor.contact]
        if outreach.opted_out_at is not None or outreach.no_marketing_since is not None:
            stopped += 1
        elif not outreach.wants_marketing:
            without += 1
        elif was_lately(outreach, now):
            lately += 1
        else:
            kept.append(visitor)
    return FoundAudience(tuple(kept), without, stopped, lately)


def was_lately(outreach: Outreach, now: datetime) -> bool:
    """Whether a campaign wrote to them so short a time ago that another one may not."""
    return outreach.campaign_at is not None and now - outreach.campaign_at < BETWEEN


async def _appointments(documents: Documents, clinic: Clinic, since: datetime) -> AsyncIterator[Appointment]:
    collection = f"gendei_clinics/{document_id(clinic.id)}/appointments"
    query = Query(collection, (("start", ">=", since),), (("start", False),), limit=PAGE)
    while found := await documents.query(query):
        for each in found:
            yield APPOINTMENT.read(each.data, zone=clinic.timezone)
        if len(found) < PAGE:
            return
        query = query.after(found[-1])


async def _wishes(documents: Documents, clinic: Clinic, contacts: list[Contact]) -> dict[Contact, Outreach]:
    known: dict[Contact, Outreach] = {}
    for start in range(0, len(contacts), AT_ONCE):
        some = contacts[start : start + AT_ONCE]
        found = await documents.get_many([outreach_path(ConversationKey(clinic.id, each)) for each in some])
        known |= {contact: outreach_of(each) for contact, each in zip(some, found, strict=True)}
    return known
