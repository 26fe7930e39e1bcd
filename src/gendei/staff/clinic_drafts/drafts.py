"""Drafts of clinics: gendei_drafts/{clinicId}, under the id that the clinic will have. A draft holds no credential: the
number is connected once the clinic is there."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Annotated, Any

from gendei.clinic import WEEKDAYS, Clinic, ClinicId
from gendei.clinics.directory import Directory
from gendei.clinics.field_paths import NoSuchField, Tree, as_file, as_tree, parsed, put_at
from gendei.clinics.fields import RESERVED_IDS
from gendei.clinics.stored import clinic_path
from gendei.clock import Clock
from gendei.documents import Documents, Query, Snapshot, Transaction, create, delete, document_id, put
from gendei.errors import Conflict, GendeiError, NotFound
from gendei.health_plan import plan_key
from gendei.records import AS_IT_IS, NOT_STORED, Moment, Record
from gendei.staff.actors import Actor, Forbidden, Right
from gendei.staff.clinic_changes.editing import ClinicCheck, Edit, Unfit
from gendei.staff.clinic_changes.history import ClinicChange, record
from gendei.staff.clinic_changes.refusing import ClinicProblem

DRAFTS = "gendei_drafts"
SOURCE = "staff"
LONGEST_ID = 40
ZONE = "America/Sao_Paulo"
USUAL_HOURS = {day: ["08:00-12:00", "13:00-18:00"] for day in WEEKDAYS[:5]}
MOST_SAME = 100


class DraftFault(StrEnum):
    NO_NAME = "no_name"
    TAKEN = "taken"
    UNFIT = "unfit"


class DraftRefused(GendeiError):
    """The draft was not begun, or is no clinic yet. `problems`: what is still wrong with it."""

    def __init__(self, fault: DraftFault, problems: Sequence[ClinicProblem] = ()) -> None:
        self.fault, self.problems = fault, tuple(problems)
        super().__init__(" ".join([str(fault), *(f"{each.field}: {each.problem} {each.remedy}" for each in problems)]))


@dataclass(frozen=True, slots=True)
class ClinicDraft:
    """`content`: as its file would have it, as far as it is filled in. `user_id`, `name`: who began it."""

    id: Annotated[ClinicId, NOT_STORED]
    created_at: Moment
    updated_at: Moment
    user_id: str
    name: str
    content: Annotated[Tree, AS_IT_IS] = field(default_factory=dict)

    @property
    def tree(self) -> Tree:
        tree: Tree = as_tree(self.content)
        return tree


CLINIC_DRAFT = Record(ClinicDraft, "gendei_drafts/{clinicId}")


class ClinicDrafts:
    """For who operates, and for the manager of the clinic that a draft will be. All raise Forbidden for others, and
    NotFound where there is no such draft."""

    def __init__(self, documents: Documents, directory: Directory, clock: Clock, check: ClinicCheck) -> None:
        self._documents, self._directory, self._clock, self._check = documents, directory, clock, check

    @property
    def check(self) -> ClinicCheck:
        return self._check

    async def begin(self, actor: Actor, vertical: str, name: str) -> ClinicDraft:
        """A new draft, with what is usual. Raises DraftRefused."""
        actor.require(Right.OPERATE)
        draft = await self.planned(vertical, name, actor)
        try:
            await self._documents.commit([create(draft_path(draft.id), CLINIC_DRAFT.write(draft))])
        except Conflict:
            raise DraftRefused(DraftFault.TAKEN) from None
        return draft

    async def planned(self, vertical: str, name: str, by: Actor) -> ClinicDraft:
        """What a new draft would be, under an id that nobody has: that of the name, or with a number behind it. Raises
        DraftRefused."""
        stem = plan_key(name)[:LONGEST_ID].strip("-")
        if not stem or not name.strip() or stem in RESERVED_IDS:
            raise DraftRefused(DraftFault.NO_NAME)
        ids = [stem, *(f"{stem[: LONGEST_ID - 4]}-{number}" for number in range(2, MOST_SAME))]
        for each in ids:
            clinic_id = ClinicId(each)
            standing = await self._documents.get_many([clinic_path(clinic_id), draft_path(clinic_id)])
            if not any(found.exists for found in standing):
                now = self._clock()
                return ClinicDraft(clinic_id, now, now, by.user_id, by.name, self._usual(clinic_id, vertical, name))
        raise DraftRefused(DraftFault.TAKEN)

    def _usual(self, clinic_id: ClinicId, vertical: str, name: str) -> dict[str, Any]:
        content = {"id": clinic_id, "name": name.strip(), "vertical": vertical, "timezone": ZONE, "hours": USUAL_HOURS}
        typical = self._check.verticals[vertical].typical_services if vertical in self._check.verticals else ()
        services = [
            {"id": plan_key(each.name), "name": each.name, "duration_minutes": each.duration_minutes}
            for each in typical
        ]
        return {**content, "services": services, "professionals": []}

    async def all(self, actor: Actor) -> list[ClinicDraft]:
        """Those that the actor may see, the newest first."""
        if not actor.may(Right.OPERATE):
            return [each for each in [await self.found(actor.clinic_id)] if each and actor.may(Right.MANAGE)]
        found = await self._documents.query(Query(DRAFTS, order_by=(("createdAt", True),)))
        return [CLINIC_DRAFT.read(each.data, id=ClinicId(each.id)) for each in found]

    async def found(self, clinic_id: str) -> ClinicDraft | None:
        return _of(await self._documents.get(draft_path(clinic_id))) if clinic_id else None

    async def get(self, actor: Actor, draft_id: str) -> ClinicDraft:
        self._require(actor, draft_id)
        draft = await self.found(draft_id)
        if draft is None:
            raise NotFound
        return draft

    async def fill_in(self, actor: Actor, draft_id: str, edits: Sequence[Edit]) -> ClinicDraft:
        """Set fields as the clinic's file would have them, whether or not it is a clinic by that. None says nothing of
        a field."""
        self._require(actor, draft_id)
        while True:
            found = await self._documents.get(draft_path(draft_id))
            draft = _of(found)
            if draft is None:
                raise NotFound
            tree = draft.tree
            for edit in edits:
                path = parsed(edit.field)
                if path[0] in {"id", "channels", "kept_in_file"}:
                    raise NoSuchField(edit.field)
                put_at(tree, path, edit.value)
            after = replace(draft, content=as_file(tree), updated_at=self._clock())
            try:
                await self._documents.commit([put(found.path, CLINIC_DRAFT.write(after), unchanged_since=found)])
            except Conflict:
                continue
            return after

    def clinic(self, draft: ClinicDraft) -> Clinic:
        """The clinic that it is by now. Raises Unfit."""
        return self._check.of_tree(draft.tree, {}, {})

    def problems(self, draft: ClinicDraft) -> tuple[ClinicProblem, ...]:
        """What keeps it from being one, in the words of the file's check."""
        try:
            self.clinic(draft)
        except Unfit as unfit:
            return unfit.problems
        return ()

    async def create(self, actor: Actor, draft_id: str) -> Clinic:
        """Make it a clinic, in the commit that ends the draft. Raises DraftRefused."""
        self._require(actor, draft_id)
        at_home, made = replace(actor, clinic_id=ClinicId(draft_id)), list[Clinic]()

        async def decide(transaction: Transaction, before: Clinic | None, revision: int) -> Clinic:
            draft = _of(await transaction.get(draft_path(draft_id)))
            if draft is None:
                raise NotFound
            if before is not None:
                raise DraftRefused(DraftFault.TAKEN)
            try:
                made[:] = [self.clinic(draft)]
            except Unfit as unfit:
                raise DraftRefused(DraftFault.UNFIT, unfit.problems) from None
            first = ClinicChange(revision, self._clock(), actor.user_id, actor.name, SOURCE, first=True)
            record(transaction, at_home, first)
            transaction.delete(draft_path(draft_id))
            return made[0]

        await self._directory.change(ClinicId(draft_id), decide)
        return made[0]

    async def drop(self, actor: Actor, draft_id: str) -> None:
        """Give it up. Only who operates may: whoever was invited has no other place."""
        actor.require(Right.OPERATE)
        await self.get(actor, draft_id)
        await self._documents.commit([delete(draft_path(draft_id))])

    def _require(self, actor: Actor, draft_id: str) -> None:
        if not actor.may(Right.OPERATE) and not (actor.may(Right.MANAGE) and actor.clinic_id == draft_id):
            raise Forbidden


def draft_path(clinic_id: str) -> str:
    return f"{DRAFTS}/{document_id(clinic_id)}"


def _of(found: Snapshot) -> ClinicDraft | None:
    return CLINIC_DRAFT.found(found, id=ClinicId(found.id))
