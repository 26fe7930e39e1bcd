"""The history of a clinic's data: gendei_clinics/{clinicId}/changes/{revision}, written once, in the commit of the
change."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from gendei.clinic import ClinicId
from gendei.clinics.field_paths import FieldChange, Path, overlaps, parsed
from gendei.documents import Documents, Query, Snapshot, Transaction, document_id
from gendei.records import ABSENT_WHEN_EMPTY, ABSENT_WHEN_NONE, Moment, Record
from gendei.staff.actors import Actor
from gendei.staff.audit import Action, audit_write
from gendei.staff.clinic_changes.refusing import FieldConflict

FILE = "file"
"""The source of what came with the clinic's file."""
MOST_AUDITED = 40
"""Fields that an entry of the audit names; the history has all of them."""


@dataclass(frozen=True, slots=True)
class ClinicChange:
    """One change: `revision` is the clinic's after it. `source`: where it was made. `undoes`: the revision whose change
    it takes back. `kept`: of a file, the fields that staff had changed and that stayed so; `old` is the file's value.
    `first`: before it there was no such clinic, and its fields are not told. No secret stands in it."""

    revision: int
    at: Moment
    user_id: str
    name: str
    source: str
    fields: tuple[FieldChange, ...] = ()
    reason: Annotated[str, ABSENT_WHEN_EMPTY] = ""
    undoes: Annotated[int | None, ABSENT_WHEN_NONE] = None
    kept: Annotated[tuple[FieldChange, ...], ABSENT_WHEN_EMPTY] = ()
    first: Annotated[bool, ABSENT_WHEN_EMPTY] = False


CHANGES = Record(ClinicChange, "gendei_clinics/{clinicId}/changes/{revision}")


def change_path(clinic_id: ClinicId, revision: int) -> str:
    return f"{_collection(clinic_id)}/{revision:010d}"


def record(transaction: Transaction, actor: Actor, change: ClinicChange) -> None:
    """Write the change down in the commit that makes it, and in the audit where something differs. Of repeated attempts
    the last counts, which is why nothing of it is guarded: the clinic's revision is."""
    transaction.put(change_path(actor.clinic_id, change.revision), CHANGES.write(change))
    if not change.fields:
        return
    names = [field.field for field in change.fields if not field.is_order or field.reorders]
    detail = {"revision": change.revision, "source": change.source, "fields": names[:MOST_AUDITED]}
    if change.undoes is not None:
        detail["undoes"] = change.undoes
    entry = audit_write(actor, Action.CLINIC_CHANGED, actor.clinic_id, change.at, **detail)
    transaction.create(entry.path, entry.data or {})


def last_to_touch(path: Path, changes: Sequence[ClinicChange]) -> ClinicChange | None:
    """Of changes in their order, the last one of the field or of a part of it."""
    touched = (change for change in reversed(changes) if any(overlaps(path, field.path) for field in change.fields))
    return next(touched, None)


def conflict_over(
    field: str, now: object, mine: object, later: Sequence[ClinicChange], *, secret: bool = False
) -> FieldConflict:
    """The conflict over a field, with the last of the `later` changes of it."""
    path = parsed(field)
    last = last_to_touch(path, later)
    hidden = secret or (last is not None and any(each.secret and overlaps(path, each.path) for each in last.fields))
    values = (None, None) if hidden else (now, mine)
    return FieldConflict(field, *values, hidden, *((last.name, last.at, last.revision) if last else ()))


class History:
    def __init__(self, documents: Documents) -> None:
        self._documents = documents

    async def get(self, clinic_id: ClinicId, revision: int) -> ClinicChange | None:
        """The change that made the revision; None where nobody wrote it down."""
        [found] = await self.span(clinic_id, revision, revision)
        return found

    async def span(self, clinic_id: ClinicId, first: int, last: int) -> list[ClinicChange | None]:
        """Those of the revisions from `first` to `last`, in order."""
        paths = [change_path(clinic_id, revision) for revision in range(first, last + 1)]
        return [CHANGES.found(found) for found in await self._documents.get_many(paths)]

    async def page(self, clinic_id: ClinicId, limit: int, before: int | None = None) -> Sequence[ClinicChange]:
        """The newest first, of those before a revision."""
        query = Query(_collection(clinic_id), order_by=(("revision", True),), limit=limit)
        if before is not None:
            query = query.after(Snapshot(change_path(clinic_id, before), {"revision": before}))
        return [CHANGES.read(found.data) for found in await self._documents.query(query)]


def _collection(clinic_id: ClinicId) -> str:
    return f"gendei_clinics/{document_id(clinic_id)}/changes"
