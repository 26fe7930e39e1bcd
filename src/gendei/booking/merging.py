"""Two records of one person become one card, in the commit of a transaction."""

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from gendei.booking.patients import PATIENT, StoredPatient
from gendei.documents import Transaction

T = TypeVar("T")
P = TypeVar("P", bound=StoredPatient)
_JOINED = frozenset(
    {
        *("name", "contact", "phone", "created_at", "updated_at", "notes"),
        *("merged_into", "merged", "names", "contacts", "phones", "plan"),
    }
)
"""Fields of which `together` says what becomes of them. Whatever else a record has says who the person is."""


def contradictions(kept: StoredPatient, gone: StoredPatient) -> tuple[str, ...]:
    """The fields by which these are two persons: both have them, and they differ."""
    return tuple(field for name, ours, theirs in _of_person(kept, gone) for field in _differing(name, ours, theirs))


def together(kept: P, gone: StoredPatient, gone_id: str) -> P:
    """`kept` with everything of `gone`, whose id leads to it from now on."""
    more = {name: _either(ours, theirs) for name, ours, theirs in _of_person(kept, gone)}
    return replace(
        kept,
        phone=kept.phone or gone.phone,
        created_at=min(kept.created_at, gone.created_at),
        updated_at=max(kept.updated_at, gone.updated_at),
        notes="\n\n".join(_distinct(note for note in (kept.notes, gone.notes) if note)) or kept.notes or gone.notes,
        merged=_distinct((*kept.merged, gone_id, *gone.merged)),
        names=_distinct((*kept.names, gone.name, *gone.names), besides=kept.name),
        contacts=_distinct((*kept.contacts, *gone.all_contacts), besides=kept.contact),
        phones=_distinct(
            (phone for phone in (*kept.phones, gone.phone, *gone.phones) if phone), besides=kept.phone or gone.phone
        ),
        plan=kept.plan or gone.plan,
        **more,
    )


async def merge(
    transaction: Transaction, collection: str, kept: tuple[str, StoredPatient], gone: tuple[str, StoredPatient]
) -> StoredPatient:
    """Make the card `gone` a pointer to the card `kept`, which gets what it had. Each is an id and its record."""
    kept_id, card = kept
    gone_id, record = gone
    after = together(card, record, gone_id)
    transaction.put(f"{collection}/{kept_id}", PATIENT.write(after))
    transaction.put(f"{collection}/{gone_id}", PATIENT.write(pointer(record, kept_id)))
    for found in await transaction.get_many([f"{collection}/{pointed}" for pointed in record.merged]):
        before = PATIENT.found(found)
        if before is None:
            transaction.delete(found.path)
        else:
            transaction.put(found.path, PATIENT.write(pointer(before, kept_id)))
    return after


def pointer(record: StoredPatient, card_id: str) -> StoredPatient:
    """What stays of a record that is no card any more: who books for whom, and where the card is."""
    return StoredPatient(record.name, record.contact, None, record.created_at, record.updated_at, merged_into=card_id)


def _of_person(kept: StoredPatient, gone: StoredPatient) -> Iterator[tuple[str, Any, Any]]:
    """The fields that say who somebody is, each with what both records have."""
    for field in fields(kept):
        if field.name not in _JOINED:
            yield field.name, getattr(kept, field.name), getattr(gone, field.name, None)


def _differing(name: str, ours: Any, theirs: Any) -> Iterator[str]:
    """The field, where it differs; of a record within the record those of its fields that do."""
    if is_dataclass(ours) and is_dataclass(theirs):
        for field in fields(ours):
            yield from _differing(field.name, getattr(ours, field.name), getattr(theirs, field.name))
    elif ours and theirs and ours != theirs:
        yield name


def _either(ours: Any, theirs: Any) -> Any:
    """What the one says, else the other."""
    if not is_dataclass(ours) or isinstance(ours, type) or not is_dataclass(theirs):
        return ours or theirs
    both = {field.name: (getattr(ours, field.name), getattr(theirs, field.name)) for field in fields(ours)}
    return replace(ours, **{name: _either(*values) for name, values in both.items()})


def _distinct(values: Iterable[T], besides: T | None = None) -> tuple[T, ...]:
    return tuple(value for value in dict.fromkeys(values) if value != besides)
