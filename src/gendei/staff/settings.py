"""What a clinic's manager sets: gendei_clinics/{clinicId}/staff_settings/{name}.

A setting is declared once, as a Setting: the command, the API's routes and the entry in the audit are made of it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from gendei.clinic import ClinicId
from gendei.clock import Clock
from gendei.documents import Documents, Transaction, document_id, transact
from gendei.records import Record
from gendei.staff.actors import Actor, Right
from gendei.staff.audit import Action, audit_write

T = TypeVar("T")


class SettingRefused(ValueError):
    """A value that cannot be kept; the message says why, for developers. `field`: of the setting's kind. `cause`: the
    key of what pages say of it, None where they only say that it is invalid."""

    field: ClassVar[str]
    cause: ClassVar[str | None] = None


@dataclass(frozen=True, slots=True)
class Setting(Generic[T]):
    """`name`: of the document and the route. `record`: of a frozen dataclass, whose docstring is for programs.
    `checked`: what is kept of a value; raises SettingRefused. `audited`: what the audit tells of it."""

    name: str
    record: Record[T]
    checked: Callable[[T], T] = lambda value: value
    audited: Callable[[T], Mapping[str, Any]] = lambda _value: {}


class ClinicSettings:
    """`defaults`: by a setting's name, what holds in a clinic that never changed it, where that is not the kind's."""

    def __init__(self, documents: Documents, clock: Clock, defaults: Mapping[str, Any]) -> None:
        self._documents, self._clock, self._defaults = documents, clock, defaults

    async def get(self, clinic_id: ClinicId, setting: Setting[T]) -> T:
        """What holds in the clinic, whoever asks."""
        found = setting.record.found(await self._documents.get(_path(clinic_id, setting)))
        if found is None:
            default: T = self._defaults.get(setting.name) or setting.record.kind()
            return default
        return found

    async def read(self, actor: Actor, setting: Setting[T]) -> T:
        """Raises Forbidden."""
        actor.require(Right.READ)
        return await self.get(actor.clinic_id, setting)

    async def change(self, actor: Actor, setting: Setting[T], value: T) -> T:
        """`value` in place of what there was, as it is kept. Raises SettingRefused, and Forbidden without the right to
        manage."""
        actor.require(Right.MANAGE)
        kept, name = setting.checked(value), setting.name

        async def attempt(transaction: Transaction) -> T:
            found = await transaction.get(_path(actor.clinic_id, setting))
            transaction.put(found.path, setting.record.write(kept))
            entry = audit_write(actor, Action.SETTING_CHANGED, name, self._clock(), **setting.audited(kept))
            transaction.create(entry.path, entry.data or {})
            return kept

        return await transact(self._documents, attempt)


def _path(clinic_id: ClinicId, setting: Setting[Any]) -> str:
    return f"gendei_clinics/{document_id(clinic_id)}/staff_settings/{setting.name}"
