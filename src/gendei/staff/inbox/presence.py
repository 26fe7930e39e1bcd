"""Who has which conversation open: gendei_clinics/{clinicId}/presence/{contact} {user}, believed for a minute."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated

from pydantic import Field

from gendei.clinic import ClinicId, Contact
from gendei.clock import Clock
from gendei.documents import Documents, Query, Snapshot, delete, document_id, put
from gendei.errors import Conflict
from gendei.messages.keys import ConversationKey
from gendei.records import Moment, Record
from gendei.staff.actors import Actor, Right
from gendei.staff.patients import key_of

BEAT_SECONDS = 20.0
"""How often a page that stands open says so."""
BELIEVED = timedelta(seconds=60)


@dataclass(frozen=True, slots=True)
class Present:
    """`name` has the conversation of `contact` open; `typing`: and something unsent in it."""

    contact: Contact
    user_id: str
    name: str
    typing: bool
    until: Annotated[Moment, Field(alias="expireAt")]


_PRESENT = Record(Present, "gendei_clinics/{clinicId}/presence/{contact} {user}")


class Presence:
    """Two people in one conversation see each other, whichever process serves them."""

    def __init__(self, documents: Documents, clock: Clock) -> None:
        self._documents, self._clock = documents, clock

    async def here(self, actor: Actor, contact: str, *, typing: bool = False) -> None:
        """The actor has the conversation open. To be said again every BEAT_SECONDS, and when `typing` changes."""
        actor.require(Right.READ)
        until, key = self._clock() + BELIEVED, key_of(actor, contact)
        here = Present(key.contact, actor.user_id, actor.name, typing, until)
        await self._documents.commit([put(_path(key, actor), _PRESENT.write(here))])

    async def gone(self, actor: Actor, contact: str) -> None:
        """The actor closed it; and what others left behind long ago is removed."""
        key = key_of(actor, contact)
        old = await self._documents.query(presences(actor.clinic_id))
        await self._documents.commit([delete(_path(key, actor))])
        for snapshot in old:
            if (snapshot.data or {})["expireAt"] < self._clock() - BELIEVED:
                with suppress(Conflict):
                    await self._documents.commit([delete(snapshot.path, unchanged_since=snapshot)])

    async def others(self, actor: Actor, contact: str) -> list[Present]:
        """Who else has the conversation open now, by name."""
        actor.require(Right.READ)
        key = key_of(actor, contact)
        everybody = present(await self._documents.query(presences(actor.clinic_id)), self._clock())
        return [
            snapshot for snapshot in everybody if snapshot.contact == key.contact and snapshot.user_id != actor.user_id
        ]


def presences(clinic_id: ClinicId) -> Query:
    return Query(f"gendei_clinics/{document_id(clinic_id)}/presence")


def present(found: Iterable[Snapshot], now: datetime) -> list[Present]:
    """Those that are still believed, by name."""
    everybody = map(_PRESENT.found, found)
    believed = (person for person in everybody if person and person.until > now)
    return sorted(believed, key=lambda person: (person.name.casefold(), person.user_id))


def _path(key: ConversationKey, actor: Actor) -> str:
    return f"{presences(key.clinic_id).collection}/{document_id(f'{key.contact} {actor.user_id}')}"
