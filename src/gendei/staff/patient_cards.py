"""A patient's card: who the patient is, who books for whom, and what was booked."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from gendei.booking.appointment import Appointment, Appointments, AppointmentStatus
from gendei.booking.personal_data import UNKNOWN, PersonalData
from gendei.clinic import Clinic, ClinicId, Contact
from gendei.clock import Clock
from gendei.conversation.stored.conversation import CONVERSATION, Conversation
from gendei.conversation.stored.outreach import outreach_of, outreach_path
from gendei.documents import Documents, Snapshot
from gendei.messages.channels import Clinics
from gendei.messages.keys import ConversationKey
from gendei.staff.actors import Actor, Right, clinic_of
from gendei.staff.audit import Action, audit_write
from gendei.staff.patient_rows import Card, PatientRow, card_of, of_contact
from gendei.surveys.survey import Survey, of_appointments

MOST_SURVEYS = 50
"""Visits of which a card shows how they were liked."""


@dataclass(frozen=True, slots=True)
class Consent:
    """`opted_out_at`: wants nothing but answers. `no_marketing_since`: stopped marketing, as WhatsApp or they
    themselves say. `agreed_at`: agreed to marketing, and did not take it back."""

    opted_out_at: datetime | None
    no_marketing_since: datetime | None
    agreed_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Booker:
    """Who books for a patient. `name`: as WhatsApp tells it, None where it does not. `forms`: every address that is
    known (phones, WhatsApp ids), the contact itself first. `written`: whether there is a conversation, and when the
    last message of it was."""

    contact: Contact
    name: str | None
    forms: tuple[str, ...]
    consent: Consent
    written: bool
    last_message_at: datetime | None


@dataclass(frozen=True, slots=True)
class Visits:
    """How often a patient came, did not come and cancelled; `unmarked`: nobody noted what became of it."""

    came: int = 0
    missed: int = 0
    cancelled: int = 0
    unmarked: int = 0

    @classmethod
    def of(cls, past: Sequence[Appointment]) -> "Visits":
        counts = Counter(appointment.status for appointment in past)
        came, missed = counts[AppointmentStatus.COMPLETED], counts[AppointmentStatus.NO_SHOW]
        cancelled = counts[AppointmentStatus.CANCELLED]
        return cls(came, missed, cancelled, len(past) - came - missed - cancelled)


@dataclass(frozen=True, slots=True)
class Relative:
    """Somebody else for whom a patient's contacts book, with what comes next, whoever booked it."""

    row: PatientRow
    coming: tuple[Appointment, ...]


@dataclass(frozen=True, slots=True)
class PatientCard:
    """`bookers`: who books for the patient, the first one the record's own contact, of which `forms`, `consent` and
    `written` are. `coming`, `past`: the patient's own appointments in the clinic's zone, the next and the latest first,
    whoever booked them. `ids`: every id that leads to this card. `personal_data`: None for who may not see it.
    `surveys`: how they liked the latest of `past`, as far as they were asked."""

    patient: PatientRow
    notes: str
    created_at: datetime
    names: tuple[str, ...]
    phones: tuple[str, ...]
    bookers: tuple[Booker, ...]
    coming: tuple[Appointment, ...]
    past: tuple[Appointment, ...]
    visits: Visits
    relatives: tuple[Relative, ...]
    ids: frozenset[str]
    personal_data: PersonalData | None = None
    surveys: tuple[Survey, ...] = ()

    @property
    def family(self) -> tuple[PatientRow, ...]:
        """For whom else the contacts book."""
        return tuple(relative.row for relative in self.relatives)

    @property
    def family_coming(self) -> tuple[Appointment, ...]:
        return tuple(sorted((coming for relative in self.relatives for coming in relative.coming), key=_start))

    @property
    def forms(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.bookers[0].forms, *((self.patient.phone,) if self.patient.phone else ()))))

    @property
    def consent(self) -> Consent:
        return self.bookers[0].consent

    @property
    def written(self) -> bool:
        return self.bookers[0].written


class PatientCards:
    """Every call is about the actor's clinic; an id of another one is NotFound."""

    def __init__(self, documents: Documents, clinics: Clinics, clock: Clock) -> None:
        self._documents, self._clinics, self._clock = documents, clinics, clock
        self._appointments = Appointments(documents, clock)

    async def card(self, actor: Actor, patient_id: str) -> PatientCard:
        """Everything about one patient; that it was read goes into the audit. An id that was merged into another card
        gives that card. Raises NotFound and Forbidden."""
        actor.require(Right.READ)
        clinic, card = (
            await clinic_of(self._clinics, actor),
            await card_of(self._documents, actor.clinic_id, patient_id),
        )
        contacts = card.stored.all_contacts
        bookers, family, booked = await asyncio.gather(
            self._bookers(actor.clinic_id, contacts),
            self._family(actor.clinic_id, card),
            self._booked(clinic, contacts),
        )
        now, own = self._clock(), [found for found in booked.values() if found.patient_id in card.ids]
        past = tuple(found for found in reversed(own) if found.start <= now or not found.status.live)
        relatives = await self._relatives(clinic, family, booked)
        asked = [found.id for found in past[:MOST_SURVEYS]] if clinic.survey else []
        await self._documents.commit([audit_write(actor, Action.PATIENT_READ, card.id, now)])
        return PatientCard(
            patient=card.row,
            notes=card.stored.notes or "",
            created_at=card.stored.created_at,
            names=card.stored.names,
            phones=card.stored.phones,
            bookers=bookers,
            coming=tuple(found for found in own if found.start > now and found.status.live),
            past=past,
            visits=Visits.of(past),
            relatives=relatives,
            ids=card.ids,
            surveys=tuple(await of_appointments(self._documents, clinic.id, asked)),
            personal_data=(card.stored.personal_data or UNKNOWN) if actor.may(Right.PERSONAL_DATA) else None,
        )

    async def _bookers(self, clinic_id: ClinicId, contacts: Sequence[Contact]) -> tuple[Booker, ...]:
        keys = [ConversationKey(clinic_id, contact) for contact in contacts]
        paths = [path for key in keys for path in (key.path, outreach_path(key))]
        found = iter(await self._documents.get_many(paths))
        return tuple(_booker(contact, next(found), next(found)) for contact in contacts)

    async def _booked(self, clinic: Clinic, contacts: Sequence[Contact]) -> dict[str, Appointment]:
        """What these contacts booked, by id, in order of time."""
        pages = await asyncio.gather(
            *(self._appointments.of_contact(clinic, contact, upcoming_only=False) for contact in contacts)
        )
        return {found.id: found for found in sorted((found for page in pages for found in page), key=_start)}

    async def _family(self, clinic_id: ClinicId, card: Card) -> list[Card]:
        """For whom the patient's contacts book beside the patient."""
        pages = await asyncio.gather(
            *(of_contact(self._documents, clinic_id, contact) for contact in card.stored.all_contacts)
        )
        others = {other.id: other for page in pages for other in page}
        return [other for other in others.values() if other.id != card.id]

    async def _relatives(
        self, clinic: Clinic, family: Sequence[Card], booked: dict[str, Appointment]
    ) -> tuple[Relative, ...]:
        """These with their next appointments, also those that other contacts booked, by start."""
        asked = {found.contact for found in booked.values()}
        further = {contact for relative in family for contact in relative.stored.all_contacts} - asked
        everything, now = booked | await self._booked(clinic, sorted(further)), self._clock()
        coming = sorted((each for each in everything.values() if each.start > now and each.status.live), key=_start)
        return tuple(
            Relative(card.row, tuple(each for each in coming if each.patient_id in card.ids)) for card in family
        )


def _start(appointment: Appointment) -> datetime:
    return appointment.start


def _booker(contact: Contact, conversation: Snapshot, outreach: Snapshot) -> Booker:
    known, said = CONVERSATION.found(conversation), outreach_of(outreach)
    agreed_at = said.marketing.at if said.wants_marketing and said.marketing else None
    consent = Consent(said.opted_out_at, said.no_marketing_since, agreed_at)
    if known is None:
        return Booker(contact, None, (contact,), consent, written=False, last_message_at=None)
    forms = tuple(dict.fromkeys((contact, *_forms(known))))
    return Booker(contact, known.user_name, forms, consent, written=True, last_message_at=known.last_message_at)


def _forms(conversation: Conversation) -> list[str]:
    addresses = [address[name] for address in conversation.addresses.values() for name in ("phone", "userId")]
    return [form for form in (conversation.phone, conversation.user_id, *conversation.aliases, *addresses) if form]
