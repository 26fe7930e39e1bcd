"""Two cards of one patient become one: what it would do, and doing it."""

from dataclasses import dataclass, replace
from enum import StrEnum

from rapidfuzz import fuzz

from gendei.booking.merging import contradictions, merge, together
from gendei.booking.patients import PATIENT, StoredPatient, card_in, patients_of
from gendei.clock import Clock
from gendei.documents import Documents, Transaction, transact
from gendei.errors import GendeiError, NotFound
from gendei.messages.channels import Clinics
from gendei.staff.actors import Actor, Right
from gendei.staff.audit import Action, audit_write
from gendei.staff.inbox.rows import fold
from gendei.staff.patient_cards import PatientCard, PatientCards
from gendei.staff.patient_rows import PatientRow, card_of, path_of
from gendei.staff.patients import MAX_NOTES

_ALIKE = 60
"""Of 100: names that are less alike may be those of two persons, which is told."""


class MergeFault(StrEnum):
    """Why two cards do not become one."""

    SAME = "same_patient"
    CONTRADICTING = "contradicting_patients"
    NOTES_TOO_LONG = "merged_notes_too_long"


class MergeRefused(GendeiError):
    """Nothing was changed. `fields`: by which the cards contradict each other."""

    def __init__(self, fault: MergeFault, fields: tuple[str, ...] = ()) -> None:
        self.fault, self.fields = fault, fields
        super().__init__(str(fault))


@dataclass(frozen=True, slots=True)
class MergePlan:
    """Both cards as they stand, and what the kept one would say. `names_differ`: so much that a person should look
    twice. `refused`: why it cannot be done, None where it can."""

    kept: PatientCard
    gone: PatientCard
    phone: str | None
    notes: str
    names_differ: bool
    refused: MergeRefused | None


class PatientMerging:
    """Every call is about the actor's clinic: an id of another one is NotFound, so cards of two clinics never meet."""

    def __init__(self, documents: Documents, clinics: Clinics, clock: Clock) -> None:
        self._documents, self._clock = documents, clock
        self._cards = PatientCards(documents, clinics, clock)

    async def plan(self, actor: Actor, kept_id: str, gone_id: str) -> MergePlan:
        """What `merge` would do now; that the cards were read stands in the audit. Raises NotFound and Forbidden."""
        actor.require(Right.WRITE)
        cards = [await card_of(self._documents, actor.clinic_id, each) for each in (kept_id, gone_id)]
        kept, gone = cards
        after = together(kept.stored, gone.stored, gone.id)
        name, other = (fold(card.stored.name) for card in cards)
        return MergePlan(
            kept=await self._cards.card(actor, kept.id),
            gone=await self._cards.card(actor, gone.id),
            phone=after.phone,
            notes=after.notes or "",
            names_differ=fuzz.token_set_ratio(name, other) < _ALIKE,
            refused=MergeRefused(MergeFault.SAME) if kept.id == gone.id else _refused(kept.stored, gone.stored),
        )

    async def merge(self, actor: Actor, kept_id: str, gone_id: str) -> PatientRow:
        """Make one card of two, in one commit: everything of `gone_id` is found at `kept_id` from then on, and its id
        leads there. What is one card already is left as it is. Raises MergeRefused, NotFound and Forbidden."""
        actor.require(Right.WRITE)
        kept, gone = [await card_of(self._documents, actor.clinic_id, each) for each in (kept_id, gone_id)]
        if kept_id == gone_id:
            raise MergeRefused(MergeFault.SAME)
        if kept.id != gone.id:
            await transact(self._documents, lambda transaction: self._merge(transaction, actor, kept_id, gone_id))
        return (await card_of(self._documents, actor.clinic_id, kept.id)).row

    async def _merge(self, transaction: Transaction, actor: Actor, kept_id: str, gone_id: str) -> None:
        collection = patients_of(actor.clinic_id)
        kept_id, kept = await card_in(transaction, collection, kept_id)
        gone_id, gone = await card_in(transaction, collection, gone_id)
        if kept is None or gone is None:
            raise NotFound
        path = path_of(actor.clinic_id, kept_id)
        if kept_id == gone_id:  # somebody else was faster
            transaction.put(path, PATIENT.write(kept))
            return
        if refused := _refused(kept, gone):
            raise refused
        now = self._clock()
        after = await merge(transaction, collection, (kept_id, kept), (gone_id, gone))
        transaction.put(path, PATIENT.write(replace(after, updated_at=now)))
        for subject, detail in ((kept_id, {"merged": gone_id}), (gone_id, {"into": kept_id})):
            entry = audit_write(actor, Action.PATIENT_MERGED, subject, now, **detail)
            transaction.create(entry.path, entry.data or {})


def _refused(kept: StoredPatient, gone: StoredPatient) -> MergeRefused | None:
    if fields := contradictions(kept, gone):
        return MergeRefused(MergeFault.CONTRADICTING, fields)
    if len(together(kept, gone, "").notes or "") > MAX_NOTES:
        return MergeRefused(MergeFault.NOTES_TOO_LONG)
    return None
