"""A clinic's file over a clinic that staff may have changed since: what differs, and whose word counts."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from gendei.clinic import Clinic
from gendei.clinics.directory import Directory
from gendei.clinics.field_paths import (
    ORDER,
    FieldChange,
    Path,
    Tree,
    changed,
    differences,
    dotted,
    overlaps,
    parsed,
    put_at,
    said_at,
)
from gendei.clinics.written import Sealed, secrets_of, written
from gendei.clock import Clock
from gendei.documents import Documents, Transaction
from gendei.errors import GendeiError
from gendei.staff.actors import Actor
from gendei.staff.clinic_changes.editing import ClinicCheck, Unfit
from gendei.staff.clinic_changes.history import FILE, ClinicChange, History, conflict_over, record
from gendei.staff.clinic_changes.refusing import FieldConflict, errors_of

BATCH = 50


class Keep(StrEnum):
    """Whose word counts for what staff changed since the last import."""

    OURS = "ours"
    THEIRS = "theirs"


class StaffChanged(GendeiError):
    """Staff changed the clinic since its file was imported last, and the file says otherwise. Give --ours to keep what
    staff changed, or --theirs to take the file's. Nothing was changed."""

    def __init__(self, conflicts: Sequence[FieldConflict]) -> None:
        self.conflicts = tuple(conflicts)
        super().__init__()


@dataclass(frozen=True, slots=True)
class FileComparison:
    """What an import would change, and in which fields the file is against what staff changed since the last one: there
    `now` is what stands, and `mine` the file's. `stands`: whether there is such a clinic."""

    stands: bool
    fields: tuple[FieldChange, ...] = ()
    disputed: tuple[FieldConflict, ...] = ()


@dataclass(frozen=True, slots=True)
class _StaffWork:
    """What staff changed since the last import: the tree of before, the secrets, and the changes in their order."""

    base: Tree
    secrets: frozenset[Path]
    changes: tuple[ClinicChange, ...]


class FileImports:
    """The terminal's; nobody else imports files."""

    def __init__(self, documents: Documents, directory: Directory, clock: Clock, check: ClinicCheck) -> None:
        self._directory, self._clock, self._check = directory, clock, check
        self._history = History(documents)

    async def compare(self, theirs: Clinic) -> FileComparison:
        """What importing `theirs`, the clinic of a file, would do."""
        found = await self._directory.read(theirs.id)
        if found is None:
            return FileComparison(stands=False)
        version, now = found
        disputed = await self._disputed(now, version, theirs)
        return FileComparison(True, self._check.changes(now, theirs), tuple(disputed))

    async def bring(self, actor: Actor, theirs: Clinic, keep: Keep | None = None) -> ClinicChange:
        """Store the clinic of a file, in place of what stands; what was changed. Raises StaffChanged where that would
        take back what staff changed and nobody said whose word counts, and ConfigurationError."""
        made: list[ClinicChange] = []

        async def decide(transaction: Transaction, now: Clinic | None, revision: int) -> Clinic:
            who = (self._clock(), actor.user_id, actor.name, FILE)
            if now is None:
                made[:] = [ClinicChange(revision, *who, first=True)]
                record(transaction, actor, made[0])
                return theirs
            disputed = await self._disputed(now, revision - 1, theirs)
            if disputed and keep is None:
                raise StaffChanged(disputed)
            kept = disputed if keep is Keep.OURS else []
            after = self._with_staffs(now, theirs, kept) if kept else theirs
            against = tuple(FieldChange(field.field, field.mine, field.now, field.secret) for field in kept)
            made[:] = [ClinicChange(revision, *who, self._check.changes(now, after), kept=against)]
            record(transaction, actor, made[0])
            return after

        await self._directory.change(theirs.id, decide)
        return made[0]

    async def _disputed(self, now: Clinic, version: int, theirs: Clinic) -> list[FieldConflict]:
        """Of what staff changed since the last import, that of which the file says otherwise."""
        work, file = await self._staff_work(now, version), written(theirs)
        old, new = secrets_of(now), secrets_of(theirs)
        found: dict[str, FieldConflict] = {}
        for change in differences(work.base, written(now)):
            said = said_at(file, change.path)
            otherwise = said != change.new
            if change.is_order:
                otherwise = change.reorders and FieldChange(change.field, said, change.new).reorders
            if otherwise and not (change.path in old and change.path in new):
                found[change.field] = conflict_over(change.field, change.new, said, work.changes)
        for path in work.secrets & old.keys() & new.keys():
            if not self._check.same_secret(old[path], new[path]):
                found[dotted(path)] = conflict_over(dotted(path), None, None, work.changes, secret=True)
        return list(found.values())

    async def _staff_work(self, now: Clinic, version: int) -> _StaffWork:
        """Back to the last file, or to a change that nobody wrote down."""
        tree, secrets, changes = written(now), set[Path](), list[ClinicChange]()
        while version > 0:
            first = max(1, version - BATCH + 1)
            for entry in reversed(await self._history.span(now.id, first, version)):
                if entry is None or entry.source == FILE:
                    still = entry.kept if entry else ()
                    if entry and still:
                        changes.append(replace(entry, fields=still))
                    tree = changed(tree, still, back=True)
                    secrets |= _secret_paths(still, now)
                    return _StaffWork(tree, frozenset(secrets), tuple(reversed(changes)))
                changes.append(entry)
                tree = changed(tree, entry.fields, back=True)
                secrets |= _secret_paths(entry.fields, now)
            version = first - 1
        return _StaffWork(tree, frozenset(secrets), tuple(reversed(changes)))

    def _with_staffs(self, now: Clinic, theirs: Clinic, kept: Sequence[FieldConflict]) -> Clinic:
        """The file's clinic with the fields that stay as staff have them. Raises ConfigurationErrors where both
        together are no clinic."""
        tree, ours = written(theirs), written(now)
        paths = sorted((parsed(conflict.field) for conflict in kept), key=lambda path: path[-1] == ORDER)
        for path in paths:
            put_at(tree, path, said_at(ours, path))
        staffs = {
            path: sealed for path, sealed in secrets_of(now).items() if any(overlaps(path, each) for each in paths)
        }
        secrets: dict[Path, Sealed] = {**secrets_of(theirs), **staffs}
        present = {path: sealed for path, sealed in secrets.items() if said_at(tree, path) is not None}
        try:
            return self._check.of_tree(tree, present, {**now.secret_names, **theirs.secret_names})
        except Unfit as unfit:
            raise errors_of(theirs.id, unfit.problems) from None


def _secret_paths(fields: Sequence[FieldChange], clinic: Clinic) -> set[Path]:
    """The secrets that were changed, also with the entry that they are of."""
    own = secrets_of(clinic)
    return {
        path for path in own for field in fields if overlaps(path, field.path) and (field.secret or field.old is None)
    }
