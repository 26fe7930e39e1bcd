"""Staff say that an answer was wrong, and what would have been right; how it is since."""

from dataclasses import dataclass, replace
from datetime import timedelta

from gendei.booking.appointment import Appointments
from gendei.cases.case import CASE, ClinicCase, LastResult, Wanted, case_path, cases_of, new_case_id
from gendei.cases.making import CaseDraft, NothingToPlay, PastTalk, draft_of
from gendei.clinic import Clinic, ClinicId
from gendei.clock import Clock
from gendei.conversation.stored.contacts import home_of
from gendei.conversation.stored.conversation import CONVERSATION
from gendei.conversation.stored.history import latest_messages, message_of
from gendei.documents import Documents, Query, Snapshot, Transaction, put, transact
from gendei.errors import NotFound
from gendei.messages.channels import Clinics
from gendei.staff.actors import Actor, Right, clinic_of
from gendei.staff.audit import Action, audit_write
from gendei.staff.patient_rows import of_contact
from gendei.staff.patients import key_of

MOST_CASES = 500
MOST_MESSAGES = 100
"""Before an answer, that are looked at."""
_BEHIND = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class RightAnswer:
    """What would have been right, as in ClinicCase."""

    wanted: Wanted
    said: tuple[str, ...] = ()
    service_id: str = ""


class ClinicCases:
    """For staff of the actor's clinic: who may write may say that an answer was wrong, and who manages removes it.
    Every call raises Forbidden, and NotFound for what is not of the clinic."""

    def __init__(self, documents: Documents, clinics: Clinics, clock: Clock) -> None:
        self._documents, self._clinics, self._clock = documents, clinics, clock

    async def draft(self, actor: Actor, contact: str, message_id: str) -> CaseDraft:
        """What a case of this answer would keep. Raises NotFound also where no words of the patient lead to it."""
        actor.require(Right.WRITE)
        clinic = await clinic_of(self._clinics, actor)
        return (await self._read(clinic, actor, contact, message_id))[0]

    async def add(self, actor: Actor, contact: str, message_id: str, judgement: RightAnswer) -> ClinicCase:
        """Keep the case; one of the same answer is replaced. Raises NotFound as `draft`."""
        actor.require(Right.WRITE)
        clinic, now = await clinic_of(self._clinics, actor), self._clock()
        draft, found = await self._read(clinic, actor, contact, message_id)

        async def attempt(transaction: Transaction) -> ClinicCase:
            message = await transaction.get(found.path)
            if message.data is None:
                raise NotFound
            case = ClinicCase(
                id=message.data.get("case") or new_case_id(),
                clinic_id=clinic.id,
                created_at=now,
                by=actor.name,
                now=draft.now,
                turns=draft.turns,
                wanted=judgement.wanted,
                said=tuple(draft.stand_ins.clean_fact(text) for text in judgement.said),
                service_id=judgement.service_id,
                had=draft.had,
            )
            transaction.put(message.path, message.data | {"case": case.id})
            transaction.put(case.path, CASE.write(case))
            audit = audit_write(actor, Action.CASE_ADDED, case.id, now, wanted=str(case.wanted))
            transaction.put(audit.path, audit.data or {})
            return case

        return await transact(self._documents, attempt)

    async def list(self, actor: Actor) -> list[ClinicCase]:
        """The newest first."""
        actor.require(Right.READ)
        return await stored_cases(self._documents, actor.clinic_id)

    async def remove(self, actor: Actor, case_id: str) -> ClinicCase:
        """Forget a case."""
        actor.require(Right.MANAGE)
        path = case_path(actor.clinic_id, case_id)

        async def attempt(transaction: Transaction) -> ClinicCase:
            found = await transaction.get(path)
            if found.data is None:
                raise NotFound
            transaction.delete(path)
            audit = audit_write(actor, Action.CASE_REMOVED, case_id, self._clock())
            transaction.put(audit.path, audit.data or {})
            return _case(actor.clinic_id, found)

        return await transact(self._documents, attempt)

    async def _read(self, clinic: Clinic, actor: Actor, contact: str, message_id: str) -> tuple[CaseDraft, Snapshot]:
        """The draft, and the answer that it is about."""
        documents, key = self._documents, await home_of(self._documents, key_of(actor, contact))
        home = await documents.get(key.path)
        if home.data is None:
            raise NotFound
        conversation = CONVERSATION.read(home.data)
        keys = [key, *(key.of(each) for each in map(type(key.contact), conversation.folded))]
        places = await documents.get_many([each.message_path(message_id) for each in keys])
        answer = next((found for found in places if found.exists), None)
        if answer is None:
            raise NotFound
        until = message_of(answer).timestamp + _BEHIND
        messages = await latest_messages(documents, conversation, MOST_MESSAGES, (until, ""))
        appointments = Appointments(documents, self._clock)
        booked = [
            found for each in keys for found in await appointments.of_contact(clinic, each.contact, upcoming_only=False)
        ]
        cards = [card.stored for each in keys for card in await of_contact(documents, clinic.id, each.contact)]
        given = [card.personal_data for card in cards if card.personal_data is not None]
        data = [text for each in given for text in (each.cpf, each.plan_card)]
        known = [name for card in cards for name in (card.name, card.phone, *card.names, *card.phones)]
        try:
            return draft_of(PastTalk(clinic, conversation, messages, booked, [*known, *data]), message_id), answer
        except NothingToPlay:
            raise NotFound from None


async def stored_cases(documents: Documents, clinic_id: ClinicId) -> list[ClinicCase]:
    """A clinic's cases, the newest first."""
    query = Query(cases_of(clinic_id), order_by=(("createdAt", True),), limit=MOST_CASES)
    return [_case(clinic_id, found) for found in await documents.query(query)]


async def keep_result(documents: Documents, case: ClinicCase, result: LastResult) -> None:
    """How the case ended; nothing where it was replaced or removed meanwhile."""
    found = await documents.get(case.path)
    if found.data is not None and (known := _case(case.clinic_id, found)).created_at == case.created_at:
        written = CASE.write(replace(known, result=result))
        await documents.commit([put(case.path, found.data | written, unchanged_since=found)])


def _case(clinic_id: ClinicId, found: Snapshot) -> ClinicCase:
    return CASE.read(found.data, id=found.id, clinic_id=clinic_id)
