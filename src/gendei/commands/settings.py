"""What a clinic's manager sets, each setting by its declaration."""

from dataclasses import fields
from inspect import getdoc
from typing import Any, get_type_hints

from pydantic import create_model

from gendei.commands.command import Arguments, Call, Command
from gendei.commands.shapes import Shape
from gendei.staff.actors import Right
from gendei.staff.inbox.canned import CANNED
from gendei.staff.settings import Setting

SETTINGS: tuple[Setting[Any], ...] = (CANNED,)


def change_of(setting: Setting[Any]) -> Command[Any, Any]:
    """The command that changes a setting; it takes what the setting holds, all of it, and gives what is kept."""
    body = create_model(f"{_name(setting)}Body", __base__=Arguments, __doc__=_doc(setting), **_fields(setting))

    async def change(call: Call, given: Any) -> Any:
        value = setting.record.kind(**{name: getattr(given, name) for name in body.model_fields})
        return await call.desks.front_desk.settings.change(call.actor, setting, value)

    change.__name__, change.__doc__ = f"set_{setting.name}", f"Change this setting. {_doc(setting)}"
    change.__annotations__["given"] = body
    return Command(change, right=Right.MANAGE)


def shape_of(setting: Setting[Any]) -> type[Shape]:
    """What a setting holds, as programs read it."""
    return create_model(f"{_name(setting)}Out", __base__=Shape, __doc__=_doc(setting), **_fields(setting))


def _name(setting: Setting[Any]) -> str:
    return setting.name.title().replace("_", "")


def _doc(setting: Setting[Any]) -> str:
    return getdoc(setting.record.kind) or ""


def _fields(setting: Setting[Any]) -> dict[str, Any]:
    kind = setting.record.kind
    types = get_type_hints(kind, include_extras=True)
    return {field.name: (types[field.name], ...) for field in fields(kind)}
