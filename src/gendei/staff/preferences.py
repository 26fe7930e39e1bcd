"""How a patient wants to be answered, as staff and programs see and change it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gendei.clock import Clock
from gendei.conversation.stored.contacts import home_of
from gendei.conversation.stored.conversation import CONVERSATION
from gendei.conversation.stored.outreach import OUTREACH, outreach_of, outreach_path
from gendei.documents import Documents, Transaction, transact
from gendei.errors import NotFound
from gendei.messages.preferences import Preferences
from gendei.staff.actors import Actor, Right
from gendei.staff.audit import Action, audit_write
from gendei.staff.contacts import key_of

NOTICES = "notices"


class PatientPreferences:
    """Every call is about the actor's clinic; a contact without a conversation there is NotFound. Any address of the
    patient names the conversation."""

    def __init__(self, documents: Documents, clock: Clock) -> None:
        self._documents, self._clock = documents, clock

    async def of(self, actor: Actor, contact: str) -> tuple[Preferences, bool]:
        """The preferences, and whether the patient takes notices that we start."""
        actor.require(Right.READ)
        key = await home_of(self._documents, key_of(actor, contact))
        found, outreach = await self._documents.get_many([key.path, outreach_path(key)])
        if found.data is None:
            raise NotFound
        wanted = outreach_of(outreach).opted_out_at is None
        return CONVERSATION.read(found.data).preferences, wanted

    async def change(self, actor: Actor, contact: str, changes: Mapping[str, Any]) -> Preferences:
        """Change fields of Preferences, and "notices" (true or false). Raises ValueError for a field or a value that
        there is not: nothing is changed then."""
        actor.require(Right.WRITE)
        key = await home_of(self._documents, key_of(actor, contact))
        notices = changes.get(NOTICES)
        if NOTICES in changes and not isinstance(notices, bool):
            raise ValueError("notices is true or false")
        fields = {name: value for name, value in changes.items() if name != NOTICES}

        async def attempt(transaction: Transaction) -> Preferences:
            found = await transaction.get(key.path)
            if found.data is None:
                raise NotFound
            conversation, now = CONVERSATION.read(found.data), self._clock()
            preferences = conversation.preferences.changed(fields)
            transaction.put(key.path, CONVERSATION.write(replace(conversation, preferences=preferences)))
            if notices is not None:
                outreach = await transaction.get(outreach_path(key))
                after = replace(outreach_of(outreach), opted_out_at=None if notices else now)
                transaction.put(outreach.path, OUTREACH.write(after))
            audit = audit_write(actor, Action.PATIENT_CHANGED, key.contact, now, preferences=sorted(changes))
            transaction.create(audit.path, audit.data or {})
            return preferences

        return await transact(self._documents, attempt)
