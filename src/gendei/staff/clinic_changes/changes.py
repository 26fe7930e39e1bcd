"""Changing a clinic's data by its fields: merged, checked, stored with its history and audit in one commit, undone."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from gendei.clinic import Clinic
from gendei.clinics.directory import Directory, NumberTaken
from gendei.clinics.field_paths import FieldChange, Path, Tree, as_file, changed, differences, overlaps, said_at
from gendei.clinics.written import PLACEHOLDER, written
from gendei.clock import Clock, system_clock
from gendei.documents import Documents, Transaction
from gendei.errors import ConfigurationError, NotFound
from gendei.staff.actors import Actor, Right
from gendei.staff.clinic_changes.editing import ClinicCheck, Edit, Unfit, disputed, edited_tree
from gendei.staff.clinic_changes.effects import Effect, Effects
from gendei.staff.clinic_changes.history import ClinicChange, History, conflict_over, last_to_touch, record
from gendei.staff.clinic_changes.refusing import ChangeRefused, ClinicProblem, FieldConflict, problems_of
from gendei.staff.clinic_changes.texts import ChangeFault, ChangeTexts
from gendei.verticals import Vertical

PAGE = 50
GUARDED: tuple[Path, ...] = (
    *(("channels",), ("language_model",), ("mcp_servers",), ("templates",), ("deposits",)),
    *(("voice", "transcription"), ("voice", "synthesis")),
)
"""What costs or connects."""


@dataclass(frozen=True, slots=True)
class ClinicData:
    """A clinic's data as its file has them, with a placeholder for each secret; `version` goes with a change of it."""

    version: int
    content: Tree
    kept_in_file: bool


@dataclass(frozen=True, slots=True)
class ClinicPreview:
    """What a change would do. `fields`: what would be otherwise. With `problems` or `conflicts` it would be refused;
    `warnings`: what is probably not meant; `effects`: what it means for what stands."""

    version: int
    fields: tuple[FieldChange, ...] = ()
    problems: tuple[ClinicProblem, ...] = ()
    conflicts: tuple[FieldConflict, ...] = ()
    warnings: tuple[ClinicProblem, ...] = ()
    effects: tuple[Effect, ...] = ()


@dataclass(frozen=True, slots=True)
class ClinicChanged:
    """`version`: the clinic's now. `change`: None where nothing was otherwise."""

    version: int
    change: ClinicChange | None


Make = Callable[[Clinic, int], Awaitable[Clinic]]
"""The clinic that is to stand, of the one that does and its version."""


class ClinicChanges:
    """All raise Forbidden without the right to manage the clinic, and NotFound where it is gone."""

    def __init__(
        self,
        documents: Documents,
        directory: Directory,
        clock: Clock,
        check: ClinicCheck,
        texts: ChangeTexts,
        real_clock: Clock = system_clock,
    ) -> None:
        """`real_clock`: what codes of a second factor go by."""
        self._real_clock = real_clock
        self._directory, self._clock, self._check, self._texts = directory, clock, check, texts
        self._history, self._effects = History(documents), Effects(documents, clock, texts)

    @property
    def verticals(self) -> Mapping[str, Vertical]:
        return self._check.verticals

    @property
    def kinds_of_clinic(self) -> Mapping[str, str]:
        """The verticals by their names for staff."""
        return {name: vertical.name.capitalize() for name, vertical in self._check.verticals.items()}

    async def read(self, actor: Actor) -> ClinicData:
        """The clinic's data as they stand now."""
        version, clinic = await self._now(actor)
        return ClinicData(version, as_file(written(clinic)), clinic.kept_in_file)

    async def history(self, actor: Actor, before: int | None = None, limit: int = PAGE) -> Sequence[ClinicChange]:
        """The changes, the newest first; of those before a version."""
        actor.require(Right.MANAGE)
        return await self._history.page(actor.clinic_id, limit, before)

    async def preview(
        self, actor: Actor, version: int, edits: Sequence[Edit], *, with_effects: bool = True
    ) -> ClinicPreview:
        """What `save` would do; nothing is changed. with_effects: also what it means for what stands, which reads the
        appointments ahead. Raises ChangeRefused where the clinic is kept in its file, or what changed since `version`
        is not known."""
        now, clinic = await self._now(actor)
        self._require_open(clinic)
        try:
            merged = await self._merged(clinic, now, version, edits)
            after, warnings = self._check.edited(clinic, merged), self._check.warnings(clinic, merged)
        except Unfit as unfit:
            return ClinicPreview(now, problems=unfit.problems)
        except ChangeRefused as refused:
            if not refused.conflicts:
                raise
            return ClinicPreview(now, conflicts=refused.conflicts)
        effects = await self._effects.of(clinic, after) if with_effects else ()
        return ClinicPreview(now, self._check.changes(clinic, after), warnings=warnings, effects=effects)

    async def drafted(self, actor: Actor, version: int, edits: Sequence[Edit]) -> Clinic:
        """The clinic that `save` would make, to try it; nothing is changed. Raises what `save` does."""
        now, clinic = await self._now(actor)
        try:
            return self._check.edited(clinic, await self._merged(clinic, now, version, edits))
        except Unfit as unfit:
            raise ChangeRefused(ChangeFault.INVALID, self._texts, problems=unfit.problems) from None

    async def save(
        self, actor: Actor, version: int, edits: Sequence[Edit], *, source: str, reason: str = ""
    ) -> ClinicChanged:
        """Set fields of the clinic as it was read at `version`; what others changed since stays. Raises ChangeRefused:
        where somebody else changed one of them meanwhile, the check finds something wrong, or the second factor was not
        proved a short time ago for what costs or connects."""

        async def make(clinic: Clinic, now: int) -> Clinic:
            return self._check.edited(clinic, await self._merged(clinic, now, version, edits))

        return await self._change(actor, make, source, reason)

    async def undo(
        self, actor: Actor, revision: int, *, source: str, anyway: bool = False, reason: str = ""
    ) -> ClinicChanged:
        """Take a change back, by a change. Raises NotFound, and ChangeRefused: where one of its fields was changed
        again since, unless `anyway`, and where what was before is not known."""
        actor.require(Right.MANAGE)
        change = await self._history.get(actor.clinic_id, revision)
        if change is None:
            raise NotFound
        self._require_undoable(change)

        async def make(clinic: Clinic, now: int) -> Clinic:
            tree = written(clinic)
            later = [entry for entry in await self._history.span(clinic.id, revision + 1, now) if entry]
            since = [field for field in change.fields if not _stands(field, tree, later)]
            if since and not anyway:
                conflicts = [conflict_over(field.field, said_at(tree, field.path), field.old, later) for field in since]
                raise ChangeRefused(ChangeFault.CHANGED_SINCE, self._texts, conflicts=conflicts)
            return self._check.edited(clinic, [Edit(field.field, field.old) for field in change.fields])

        return await self._change(actor, make, source, reason, revision)

    async def _now(self, actor: Actor) -> tuple[int, Clinic]:
        actor.require(Right.MANAGE)
        found = await self._directory.read(actor.clinic_id)
        if found is None:
            raise NotFound
        return found

    async def _change(
        self, actor: Actor, make: Make, source: str, reason: str, undoes: int | None = None
    ) -> ClinicChanged:
        actor.require(Right.MANAGE)
        made: ClinicChange | None = None
        after: Clinic | None = None

        async def decide(transaction: Transaction, clinic: Clinic | None, revision: int) -> Clinic | None:
            nonlocal made, after
            if clinic is None:
                raise NotFound
            self._require_open(clinic)
            try:
                after = await make(clinic, revision - 1)
            except Unfit as unfit:
                raise ChangeRefused(ChangeFault.INVALID, self._texts, problems=unfit.problems) from None
            made, fields = None, self._check.changes(clinic, after)
            if not fields:
                return None
            self.require_fresh_factor(actor, fields)
            who = (actor.user_id, actor.name, source)
            made = ClinicChange(revision, self._clock(), *who, fields, reason, undoes)
            record(transaction, actor, made)
            return after

        try:
            version = await self._directory.change(actor.clinic_id, decide)
        except ConfigurationError as error:
            told = error.for_clinics() if isinstance(error, NumberTaken) and not actor.may(Right.OPERATE) else error
            problems = list(problems_of(told, as_file(written(after)) if after else {}))
            raise ChangeRefused(ChangeFault.INVALID, self._texts, problems=problems) from None
        return ClinicChanged(version, made)

    async def _merged(self, clinic: Clinic, now: int, version: int, edits: Sequence[Edit]) -> list[Edit]:
        """What `edits` of the clinic as it was at `version` change, where nobody else changed the same since. Raises
        Unfit, and ChangeRefused."""
        if version == now:
            return list(edits)
        tree = written(clinic)
        entries = await self._history.span(clinic.id, version + 1, now) if version < now else [None]
        known = [entry for entry in entries if entry is not None]
        if len(known) < len(entries):
            raise ChangeRefused(ChangeFault.UNKNOWN_SINCE, self._texts)
        base = tree
        for entry in reversed(known):
            base = changed(base, entry.fields, back=True)
        theirs = [*differences(base, tree), *(field for entry in known for field in entry.fields if field.secret)]
        before = self._check.stood(clinic, base)
        wanted = edited_tree(clinic, base, edits)
        mine = self._check.changes(before, self._check.edited(before, edits))
        conflicts = [
            conflict_over(own.field, said_at(tree, own.path), own.new, known, secret=own.secret)
            for own in mine
            if any(disputed(own, other) for other in theirs)
        ]
        if conflicts:
            raise ChangeRefused(ChangeFault.EDITED, self._texts, conflicts=conflicts)
        as_wanted = [own.secret or (own.new is not None and not own.is_order) for own in mine]
        return [
            Edit(own.field, said_at(wanted, own.path) if told else own.new)
            for own, told in zip(mine, as_wanted, strict=True)
        ]

    def require_fresh_factor(self, actor: Actor, fields: Sequence[FieldChange]) -> None:
        """Of a person in a browser, for what costs or connects. Raises ChangeRefused."""
        if any(is_guarded(field.path) for field in fields):
            self.require_proven(actor)

    def require_proven(self, actor: Actor) -> None:
        """Raises ChangeRefused for a person in a browser who did not give the second factor's code a short time ago."""
        if actor.factor is None:
            return
        if not actor.factor.is_set:
            raise ChangeRefused(ChangeFault.FACTOR_MISSING, self._texts)
        if not actor.factor.is_fresh(self._real_clock()):
            raise ChangeRefused(ChangeFault.FACTOR_NEEDED, self._texts)

    def _require_open(self, clinic: Clinic) -> None:
        if clinic.kept_in_file:
            raise ChangeRefused(ChangeFault.KEPT_IN_FILE, self._texts)

    def _require_undoable(self, change: ClinicChange) -> None:
        if change.first:
            raise ChangeRefused(ChangeFault.FIRST, self._texts)
        lost = [field for field in change.fields if PLACEHOLDER.search(str(field.old))]
        if lost:
            conflicts = [FieldConflict(field.field, None, None, secret=True) for field in lost]
            raise ChangeRefused(ChangeFault.NOT_KEPT, self._texts, conflicts=conflicts)


def is_guarded(path: Path) -> bool:
    """Whether a change of the field asks for the second factor."""
    return any(overlaps(path, guarded) for guarded in GUARDED)


def _stands(field: FieldChange, tree: Tree, later: Sequence[ClinicChange]) -> bool:
    """Whether a field is still as the change made it, as far as can be told: of a secret, whether nobody touched it."""
    now = said_at(tree, field.path)
    if field.secret and last_to_touch(field.path, later):
        return False
    return not FieldChange(field.field, field.new, now).reorders if field.is_order else now == field.new
