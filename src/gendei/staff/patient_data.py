"""What the clinic keeps of a person: handed out in one piece, and erased, as a person may ask for."""

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gendei.booking.appointment import APPOINTMENT
from gendei.booking.desk import BookingDesk
from gendei.booking.erasing import ERASED, forget_person
from gendei.booking.patients import patient_id as id_of
from gendei.booking.patients import patients_of
from gendei.cases.case import case_path
from gendei.clinic import Clinic, ClinicId, Contact
from gendei.clock import Clock
from gendei.conversation.files.clinic_files import FOLDER
from gendei.conversation.files.media import MediaName, MediaStore
from gendei.conversation.files.quota import MediaQuota
from gendei.conversation.stored.contacts import home_of
from gendei.conversation.stored.conversation import CONVERSATION
from gendei.conversation.stored.follow_ups import tasks_of
from gendei.conversation.stored.history import message_of
from gendei.conversation.stored.outreach import outreach_of, outreach_path, recipients_of
from gendei.documents import Documents, Query, Snapshot, delete, document_id
from gendei.errors import GendeiError, NotFound
from gendei.knowledge.forgetting import forget_questions
from gendei.messages.channels import Clinics
from gendei.messages.keys import INBOX, OUTBOX, ConversationKey
from gendei.payments.forgetting import forget_payer
from gendei.payments.pix_charge import charges_of
from gendei.staff.access.users import USERS
from gendei.staff.actors import Actor, Right, clinic_of
from gendei.staff.audit import Action, audit_write
from gendei.staff.inbox.messages_shown import media_of
from gendei.staff.patient_rows import Card, card_of, of_contact
from gendei.staff.patients import key_of
from gendei.staff.tasks.stored import PERSONAL
from gendei.surveys.survey import forget_answers, survey_path
from gendei.waiting.entry import waiting_of

AT_ONCE = 400
"""Writes of one commit; Firestore takes 500."""


class StillComing(GendeiError):
    """Appointments are still to come. Cancel them first: the patient is told then, and the time is free again."""


@dataclass(frozen=True, slots=True)
class Whose:
    """`patient_id`: of one card. `contact`: of everybody whom this contact books for, and of who writes."""

    patient_id: str | None = None
    contact: str | None = None


@dataclass(frozen=True, slots=True)
class Erasure:
    """What goes: the cards of these names, what these contacts wrote and were sent, and so many messages, files and
    tasks. `past`: appointments that stay without the person; `coming`: those still to come, and while there are any
    nothing is erased. `shared`: contacts whose conversation stays, since they book for others too, with their names."""

    names: tuple[str, ...]
    contacts: tuple[str, ...]
    messages: int
    files: int
    tasks: int
    past: int
    coming: int
    shared: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class _Kept:
    """All there is. `aside`: what stands beside and says nothing of its own: links, holds, what waits to be sent, cases
    made of their messages. waiting: places on the waiting list. campaigns: among whose recipients they are.
    surveys: what they said of visits. charges: their deposits."""

    clinic: Clinic
    cards: Sequence[Card]
    contacts: Sequence[Contact]
    shared: Mapping[str, tuple[str, ...]]
    patients: Sequence[Snapshot]
    appointments: Sequence[Snapshot]
    conversations: Sequence[Snapshot]
    messages: Sequence[Snapshot]
    tasks: Sequence[Snapshot]
    personal_tasks: Sequence[Snapshot]
    wishes: Sequence[Snapshot]
    waiting: Sequence[Snapshot]
    campaigns: Sequence[Snapshot]
    surveys: Sequence[Snapshot]
    charges: Sequence[Snapshot]
    aside: Sequence[Snapshot] = field(default_factory=list)

    @property
    def files(self) -> dict[str, MediaName]:
        """Those in the conversations' own folders, by the message's id. What the clinic sends to many stays its own."""
        shown = ((found.id, media_of(self.clinic.id, message_of(found))) for found in self.messages)
        return {known: media.file for known, media in shown if media and media.file and media.file.folder != FOLDER}


class PatientData:
    """For who manages the actor's clinic: every call raises Forbidden for anybody else, and NotFound for what is not of
    the clinic. `media`: None where no files are kept."""

    def __init__(self, documents: Documents, clinics: Clinics, clock: Clock, media: MediaStore | None) -> None:
        self._documents, self._clinics, self._clock, self._media = documents, clinics, clock, media
        self._desk = BookingDesk(documents, clock)

    async def export(self, actor: Actor, whose: Whose) -> dict[str, Any]:
        """Everything as it is stored, but for the personal tasks of staff; files by name. It stands in the audit."""
        kept = await self._kept(actor, whose)
        await self._documents.commit(self._audited(actor, kept, Action.PATIENT_EXPORTED, {}))
        files = [{"message": known, "folder": name.folder, "file": name.file} for known, name in kept.files.items()]
        return {
            "clinic": kept.clinic.id,
            "at": kept.clinic.local(self._clock()),
            "patients": _told(kept.patients),
            "appointments": _told(kept.appointments),
            "conversations": _told(kept.conversations),
            "messages": _told(kept.messages),
            "files": files,
            "tasks": _told(kept.tasks),
            "wishes": _told(kept.wishes),
            "waiting": _told(kept.waiting),
            "campaigns": _told(kept.campaigns),
            "surveys": _told(kept.surveys),
            "payments": _told(kept.charges),
        }

    async def plan(self, actor: Actor, whose: Whose) -> Erasure:
        """What `erase` would do now; nothing is changed."""
        return self._erasure(await self._kept(actor, whose))

    async def erase(self, actor: Actor, whose: Whose) -> Erasure:
        """Erase it for ever. Where the process dies on the way, the same call does the rest. Raises StillComing."""
        kept = await self._kept(actor, whose)
        erasure = self._erasure(kept)
        if erasure.coming:
            raise StillComing
        await forget_answers(self._documents, [found.path for found in kept.surveys])
        await forget_payer(self._documents, kept.clinic.id, [found.id for found in kept.charges])
        for found in kept.appointments:
            await forget_person(self._documents, found.path)
        told = [str((found.data or {}).get("content") or "") for found in kept.messages]
        await forget_questions(self._documents, kept.clinic.id, told)
        quota = MediaQuota(self._documents, self._clock)
        for message_id, file in kept.files.items():
            if self._media is not None:
                await self._media.remove(file)
            await quota.forget(kept.clinic.id, message_id)
        for contact in kept.contacts:
            await self._desk.release(kept.clinic, contact)
        wishes = [found for found in kept.wishes if not _wants_nothing(found)]
        gone = [*kept.tasks, *kept.personal_tasks, *kept.messages, *kept.waiting, *kept.campaigns, *kept.aside, *wishes]
        gone += kept.conversations
        for start in range(0, len(gone), AT_ONCE):
            await self._documents.commit([delete(found.path) for found in gone[start : start + AT_ONCE]])
        counts = {"messages": erasure.messages, "appointments": erasure.past}
        audited = self._audited(actor, kept, Action.PATIENT_ERASED, counts)
        await self._documents.commit([*(delete(found.path) for found in kept.patients), *audited])
        return erasure

    def _audited(self, actor: Actor, kept: _Kept, action: Action, detail: Mapping[str, Any]) -> list[Any]:
        """By ids, which tell nobody who it was."""
        subjects = [card.id for card in kept.cards] or [id_of(contact, "") for contact in kept.contacts]
        return [audit_write(actor, action, subject, self._clock(), **detail) for subject in subjects]

    def _erasure(self, kept: _Kept) -> Erasure:
        now, found = (
            self._clock(),
            [APPOINTMENT.read(each.data, zone=kept.clinic.timezone) for each in kept.appointments],
        )
        coming = sum(each.start > now and each.status.live for each in found)
        names = tuple(card.stored.name for card in kept.cards)
        counts = len(kept.messages), len(kept.files), len(kept.tasks), len(found) - coming, coming
        return Erasure(names, tuple(kept.contacts), *counts, kept.shared)

    async def _kept(self, actor: Actor, whose: Whose) -> _Kept:
        actor.require(Right.MANAGE)
        clinic, documents = await clinic_of(self._clinics, actor), self._documents
        if whose.patient_id:
            cards, contacts = [await card_of(documents, clinic.id, whose.patient_id)], list[Contact]()
        else:
            home = (await home_of(documents, key_of(actor, whose.contact or ""))).contact
            cards, contacts = await of_contact(documents, clinic.id, home), [home]
        contacts = list(dict.fromkeys([*contacts, *(each for card in cards for each in card.stored.all_contacts)]))
        own = {card.id for card in cards}
        others = {each: await of_contact(documents, clinic.id, each) for each in contacts}
        shared = {
            str(each): names
            for each, found in others.items()
            if (names := tuple(card.stored.name for card in found if card.id not in own))
        }
        kept = await self._found(clinic, cards, [each for each in contacts if each not in shared], shared)
        if not (kept.cards or kept.conversations):
            raise NotFound
        return kept

    async def _found(
        self, clinic: Clinic, cards: Sequence[Card], contacts: Sequence[Contact], shared: Mapping[str, tuple[str, ...]]
    ) -> _Kept:
        documents, base = self._documents, f"gendei_clinics/{document_id(clinic.id)}"
        ids = sorted({each for card in cards for each in card.ids})
        keys = await self._keys(clinic.id, contacts)
        everywhere = sorted({key.contact for key in keys})
        users = [user.id for who in (clinic.id, None) for user in await self._query(USERS, "clinicId", [who])]
        personal = [f"{base}/staff/{document_id(user)}/{PERSONAL}" for user in users]
        texts = [key.text for key in keys]
        messages = [found for key in keys for found in await documents.query(Query(f"{key.path}/messages"))]
        cases = {
            case_path(clinic.id, found.data["case"]) for found in messages if found.data and found.data.get("case")
        }
        aside = [
            *await self._query(f"{base}/contacts", "contact", everywhere),
            *await self._existing([f"{base}/holds/{document_id(each)}" for each in everywhere]),
            *await self._existing([f"{base}/address_book/{document_id(each)}" for each in everywhere]),
            *await self._existing(sorted(cases)),
            *[found for place in _WAITING for found in await self._query(place, "conversation", texts)],
        ]
        appointments = await self._of(f"{base}/appointments", ids, everywhere)
        return _Kept(
            clinic,
            cards,
            contacts,
            shared,
            patients=await self._existing([f"{patients_of(clinic.id)}/{each}" for each in ids]),
            appointments=appointments,
            conversations=await self._existing([key.path for key in keys]),
            messages=messages,
            tasks=await self._of(tasks_of(clinic.id), ids, everywhere),
            personal_tasks=[found for place in personal for found in await self._of(place, ids, everywhere)],
            wishes=await self._existing([outreach_path(key) for key in keys]),
            waiting=await self._of(waiting_of(clinic.id), ids, everywhere),
            campaigns=await self._of(recipients_of(clinic.id), ids, everywhere),
            surveys=await self._existing([survey_path(clinic.id, found.id) for found in appointments]),
            charges=await self._of(charges_of(clinic.id), ids, everywhere),
            aside=aside,
        )

    async def _keys(self, clinic_id: ClinicId, contacts: Sequence[Contact]) -> list[ConversationKey]:
        """Of these contacts, and of those that were folded into them."""
        keys = [ConversationKey(clinic_id, contact) for contact in contacts]
        found = await self._documents.get_many([key.path for key in keys])
        folded = (CONVERSATION.read(each.data).folded for each in found if each.data is not None)
        return list(dict.fromkeys([*keys, *(keys[0].of(Contact(each)) for those in folded for each in those)]))

    async def _of(self, collection: str, ids: Collection[str], contacts: Collection[str]) -> list[Snapshot]:
        """Of these patients, and of these contacts."""
        pages = await asyncio.gather(
            self._query(collection, "patientId", ids), self._query(collection, "contact", contacts)
        )
        return [*{found.path: found for page in pages for found in page}.values()]

    async def _query(self, collection: str, name: str, values: Iterable[str | None]) -> list[Snapshot]:
        queries = (Query(collection, where=((name, "==", value),)) for value in values if value != ERASED)
        return [found for page in await asyncio.gather(*map(self._documents.query, queries)) for found in page]

    async def _existing(self, paths: Sequence[str]) -> list[Snapshot]:
        return [found for found in await self._documents.get_many(paths) if found.exists]


_WAITING = (INBOX, OUTBOX, "gendei_media")
"""What is still to be answered, sent or fetched; each entry names its conversation."""


def _told(found: Iterable[Snapshot]) -> list[dict[str, Any]]:
    return [{"id": each.id, **(each.data or {})} for each in found]


def _wants_nothing(found: Snapshot) -> bool:
    """Whether it holds a wish to be left alone, which has to be known to be followed."""
    outreach = outreach_of(found)
    return outreach.opted_out_at is not None or outreach.no_marketing_since is not None
