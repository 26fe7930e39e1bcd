"""The audit as people read it: looked for by name and by the clinic's days, and who and what by name."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, tzinfo
from itertools import product

from gendei.booking.patients import patients_of
from gendei.clinic import Contact
from gendei.conversation.stored.follow_ups import tasks_of
from gendei.documents import Documents, Snapshot, document_id
from gendei.errors import NotFound
from gendei.messages.keys import ConversationKey
from gendei.staff.access.accounts import Accounts
from gendei.staff.access.users import user_path
from gendei.staff.actors import NO_CLINIC, Actor
from gendei.staff.audit import PAGE, Action, Audit, AuditEntry, days_within
from gendei.staff.inbox.rows import fold
from gendei.staff.patient_rows import card_of
from gendei.staff.patients import PatientRecords

MOST_USERS, MOST_PATIENTS = 3, 3
"""Whom the words of a search are taken to mean."""
Named = tuple[str, str]
"""What is named: the part of an action before the dot, and an id."""
_FIELDS = {
    "patient": ("name",),
    "conversation": ("userName", "phone"),
    "appointment": ("patientName",),
    "task": ("title",),
    "user": ("name",),
    "session": ("name",),
}
"""By which field of its document each kind is known, or by the next one."""
OF_OTHERS = {"merged": "patient", "into": "patient", "to": "user"}
"""Details that are ids of something else, and of what."""


@dataclass(frozen=True, slots=True)
class AuditWish:
    """`user`: a name, an address or an account's id; `subject`: a patient's name or phone, or an id. `first`, `last`:
    days of the clinic's zone, both included. What is empty narrows nothing."""

    user: str = ""
    action: Action | None = None
    subject: str = ""
    first: date | None = None
    last: date | None = None


class AuditView:
    """For who manages the actor's clinic or, at none, operates. Every call raises Forbidden."""

    def __init__(self, documents: Documents, audit: Audit, accounts: Accounts, patients: PatientRecords) -> None:
        self._documents, self._audit, self._accounts, self._patients = documents, audit, accounts, patients

    async def search(
        self, actor: Actor, wish: AuditWish, zone: tzinfo, *, before: AuditEntry | None = None, limit: int = PAGE
    ) -> list[AuditEntry]:
        """The newest first, from behind `before`."""
        actor.require(actor.managing)
        users, subjects = await asyncio.gather(self._users(actor, wish.user), self._subjects(actor, wish.subject))
        within = days_within(wish.first, wish.last, zone)
        pages = await asyncio.gather(
            *(
                self._audit.search(
                    actor,
                    user_id=user,
                    action=wish.action,
                    subject=subject,
                    within=within,
                    before=before,
                    limit=limit,
                )
                for user, subject in product(users, subjects)
            )
        )
        found = {entry.id: entry for page in pages for entry in page}
        return sorted(found.values(), key=lambda entry: (entry.at, entry.id), reverse=True)[:limit]

    async def names(self, actor: Actor, entries: Iterable[AuditEntry]) -> dict[Named, str]:
        """What the subjects of these, and those that their details speak of, are called today; what has no name, or is
        not the clinic's, is left out."""
        actor.require(actor.managing)
        asked = dict.fromkeys(pair for entry in entries for pair in _named(entry))
        paths = {pair: path for pair in asked if (path := _path(actor, *pair))}
        found = dict(zip(paths, await self._documents.get_many(list(paths.values())), strict=True))
        named = {pair: _name(actor, pair[0], snapshot) for pair, snapshot in found.items()}
        for pair, snapshot in found.items():
            if card := (snapshot.data or {}).get("mergedInto"):
                named[pair] = (await card_of(self._documents, actor.clinic_id, card)).stored.name
        return {pair: name for pair, name in named.items() if name}

    async def _users(self, actor: Actor, text: str) -> list[str | None]:
        """The accounts that a name means; of anything else the account of that address or id."""
        wanted = fold(text.strip())
        if not wanted:
            return [None]
        users = await self._accounts.list(actor)
        named = [user.id for user in users if wanted in fold(user.name)] if "@" not in wanted else []
        return [*named[:MOST_USERS]] or [await self._accounts.known_as(actor, text.strip())]

    async def _subjects(self, actor: Actor, text: str) -> list[str | None]:
        """The id itself, and every id and contact of the patients that the words mean."""
        wanted = text.strip()
        if not wanted:
            return [None]
        if actor.clinic_id == NO_CLINIC:
            return [wanted]
        try:
            cards = [await card_of(self._documents, actor.clinic_id, wanted)]
        except NotFound:
            rows = await self._patients.search(actor, wanted, MOST_PATIENTS)
            cards = [await card_of(self._documents, actor.clinic_id, row.id) for row in rows]
        known = (known for card in cards for known in (*card.ids, *card.stored.all_contacts))
        return [*dict.fromkeys([wanted, *known])]


def _named(entry: AuditEntry) -> Iterable[Named]:
    yield entry.action.partition(".")[0], entry.subject
    yield from ((kind, str(entry.detail[name])) for name, kind in OF_OTHERS.items() if entry.detail.get(name))


def _path(actor: Actor, kind: str, known: str) -> str | None:
    """Where it stands; None for what has no name of its own."""
    clinic = f"gendei_clinics/{document_id(actor.clinic_id)}"
    if kind in {"user", "session"}:
        return user_path(known) if known else None
    if actor.clinic_id == NO_CLINIC or not known:
        return None
    match kind:
        case "patient" if _is_contact(known):  # its wishes for messages are the contact's
            return ConversationKey(actor.clinic_id, Contact(known)).path
        case "patient":
            return f"{patients_of(actor.clinic_id)}/{document_id(known)}"
        case "conversation":
            return ConversationKey(actor.clinic_id, Contact(known)).path
        case "appointment":
            return f"{clinic}/appointments/{document_id(known)}"
        case "task":
            return f"{tasks_of(actor.clinic_id)}/{document_id(known)}"
    return None


def _is_contact(known: str) -> bool:
    return known.startswith("+") or ":" in known or "." in known or "@" in known


def _name(actor: Actor, kind: str, snapshot: Snapshot) -> str:
    data = snapshot.data or {}
    if kind in {"user", "session"} and data.get("clinicId") not in {actor.clinic_id, None}:
        return ""
    fields = (*_FIELDS[kind], "userName") if kind == "patient" else _FIELDS[kind]
    return next((str(data[name]) for name in fields if data.get(name)), "")
