"""The fields of the clinic file as pages show them, taken from the model that checks it: nothing is listed twice."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from types import NoneType
from typing import Any, TypeAlias, get_args

from pydantic import BaseModel, SecretStr
from pydantic.fields import FieldInfo

from gendei.channel_kinds import CHANNEL_KINDS, Form
from gendei.clinic import TEMPLATE_PARAMETERS, TEMPLATE_PURPOSES, PersonalDatum, TimeRange
from gendei.clinic_services import ToldFact
from gendei.clinics.field_paths import SWITCHES
from gendei.clinics.file import ClinicYaml
from gendei.clinics.own_words import shipped
from gendei.prompts import AGENTS
from gendei.verticals import Customs
from gendei.web.pages.clinic_settings.kinds import Kind


@dataclass(frozen=True, slots=True)
class Leaf:
    """One control. `key`: of its texts, without the names of entries. `default`: as the file has it. `choices`: what it
    may be, where that is always the same. optional: of a choice, whether nothing may be chosen."""

    name: str
    key: str
    kind: Kind
    default: Any = None
    choices: tuple[str, ...] = ()
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """Fields under a name. switched: it is on or off as a whole, and means something when it is empty."""

    name: str
    key: str
    fields: tuple["Spec", ...]
    switched: bool = False


@dataclass(frozen=True, slots=True)
class Several:
    """Entries that come and go. `named`: the field by which an entry goes, "" for none. keyed: entries stand under
    their names. `names`: those that there can be. `entry`: what an entry consists of, by its value."""

    name: str
    key: str
    entry: Callable[[Any], "Spec"]
    named: str = ""
    keyed: bool = False
    names: tuple[str, ...] = ()


Spec: TypeAlias = Leaf | Group | Several
CHANNELS = "channels"
FIXED = frozenset({"services.id", "professionals.id", "insurance.services.id", "mcp_servers.name"})
"""By which an entry goes: it is given with the entry, and stays."""
_OVERRIDES = "overrides"
PHRASES = "words.phrases"
_SWITCHED = frozenset({*SWITCHES, "deposits"})
_LONG = frozenset(
    {"words.greeting", "words.sign_off", "notes", "cancellation_policy", "services.description", "services.preparation"}
)
_OFFERED: Mapping[str, tuple[str, ...]] = {
    "templates.parameters": TEMPLATE_PARAMETERS,
    "reminders.at.template.parameters": TEMPLATE_PARAMETERS,
    "mcp_servers.agents": AGENTS,
    "booking.asks": (PersonalDatum.BIRTH_DATE, PersonalDatum.CPF),
    "mcp_servers.tells": tuple(ToldFact),
    **{f"overrides.{term}.gender": ("f", "m") for term in ("appointment", "client", "professional")},
}
"""Where the model of the file says by a function what there is."""
CHOSEN = frozenset(
    {"professionals.services", "insurance.professionals", "insurance.services.professionals", "reminders.at.services"}
)
"""Of which the clinic itself says what there is."""
_AS_TEXT = frozenset({"professionals.time_off"})
"""Entries that are typed one a line."""


def spec_of(model: type[BaseModel], name: str, above: str = "") -> Spec:
    """What the field `name` of `model` consists of."""
    field, key = model.model_fields[name], f"{above}.{name}" if above else name
    parts = list(_parts(field.annotation))
    inner = next((part for part in parts if _is(part, BaseModel)), None)
    if key == CHANNELS:
        return Several(name, key, _channel)
    if key == _OVERRIDES:
        return Group(name, key, _optional(Customs, key))
    if key == PHRASES:
        return Several(name, key, lambda _: Leaf("", f"{key}.text", Kind.LONG), keyed=True, names=tuple(shipped().own))
    if dict in parts and (inner or SecretStr in parts):
        entry = (lambda _: _group(inner, "", key)) if inner else (lambda _: Leaf("", f"{key}.value", Kind.SECRET))
        return Several(name, key, entry, keyed=True, names=TEMPLATE_PURPOSES if key == "templates" else ())
    if inner and list in parts and key not in _AS_TEXT:
        named = next((by for by in ("id", "name") if by in inner.model_fields), "")
        return Several(name, key, lambda _: _group(inner, "", key), named)
    if inner and key not in _AS_TEXT:
        return _group(inner, name, key)
    optional = NoneType in get_args(field.annotation)
    choices = _OFFERED.get(key) or _choices(parts)
    return Leaf(name, key, _kind(key, field, parts), _default(field), choices, optional)


def entry_model(model: type[BaseModel], name: str) -> type[BaseModel]:
    """Of what the entries of a list are made."""
    found: type[BaseModel] = next(part for part in _parts(model.model_fields[name].annotation) if _is(part, BaseModel))
    return found


def leaves(spec: Spec) -> Iterator[Leaf]:
    """Every control that there can be in it."""
    match spec:
        case Leaf():
            yield spec
        case Group(fields=fields):
            for field in fields:
                yield from leaves(field)
        case Several(key=key):
            values: list[Any] = [{"provider": kind} for kind in CHANNEL_KINDS] if key == CHANNELS else [{}]
            for value in values:
                yield from leaves(spec.entry(value))


def every_leaf() -> Iterator[Leaf]:
    """Of the whole file, but for what the file alone may say."""
    for name in ClinicYaml.model_fields:
        if name not in {"id", "kept_in_file"}:
            yield from leaves(spec_of(ClinicYaml, name))


def _group(model: type[BaseModel], name: str, key: str) -> Group:
    names = sorted(model.model_fields, key=lambda field: field != "name")
    fields = tuple(spec_of(model, field, key) for field in names if f"{key}.{field}" not in FIXED)
    return Group(name, key, fields, key in _SWITCHED)


def _optional(model: type[BaseModel], key: str) -> tuple[Spec, ...]:
    """Fields of which each may be left out, whatever the model says."""
    found = (spec_of(model, name, key) for name in model.model_fields)
    return tuple(
        Leaf(spec.name, spec.key, Kind.MAYBE if spec.kind is Kind.FLAG else spec.kind)
        if isinstance(spec, Leaf)
        else spec
        for spec in found
    )


def _channel(entry: Any) -> Group:
    """What the provider of the entry needs beside its number."""
    kind = CHANNEL_KINDS.get(str(entry.get("provider")))
    if kind is None:
        return Group("", CHANNELS, ())
    secrets = [Leaf(name, f"{CHANNELS}.{name}", Kind.SECRET) for name in kind.secrets]
    return Group("", CHANNELS, (*secrets, *(_setting(name, form) for name, form in kind.settings.items())))


def _setting(name: str, form: Form) -> Leaf:
    kind = Kind.FLAG if form.pattern == "true|false" else Kind.TEXT
    return Leaf(name, f"{CHANNELS}.{name}", kind, form.default or None)


def _kind(key: str, field: FieldInfo, parts: list[Any]) -> Kind:
    name = key.rpartition(".")[2]
    own = {"closed": Kind.DAYS, "time_off": Kind.AWAY, "vertical": Kind.CHOICE}.get(name)
    if own or key in _LONG:
        return own or Kind.LONG
    if SecretStr in parts:
        return Kind.SECRET
    if TimeRange in parts:
        return Kind.HOURS
    if dict in parts:
        return Kind.WORD_LISTS if list in parts else Kind.PAIRS
    if list in parts:
        return Kind.CHOICES if key in CHOSEN or key in _OFFERED or _choices(parts) else Kind.LINES
    if key in _OFFERED or _choices(parts):
        return Kind.CHOICE
    if bool in parts:
        return Kind.MAYBE if NoneType in get_args(field.annotation) else Kind.FLAG
    if (int in parts or float in parts) and tuple not in parts:
        return Kind.NUMBER if not name.endswith("_cents") else Kind.MONEY
    return Kind.TEXT


def _default(field: FieldInfo) -> Any:
    found = field.get_default(call_default_factory=False)
    return found.value if isinstance(found, Enum) else found if isinstance(found, bool | int | float | str) else None


def _choices(parts: list[Any]) -> tuple[str, ...]:
    enums = (part for part in parts if _is(part, Enum))
    return tuple(dict.fromkeys(str(member.value) for kind in enums for member in kind))


def _is(part: Any, kind: type) -> bool:
    return isinstance(part, type) and issubclass(part, kind)


def _parts(annotation: Any) -> Iterator[Any]:
    """The types of which an annotation consists."""
    if isinstance(annotation, type) and annotation is not NoneType:
        yield getattr(annotation, "__origin__", annotation)
    elif origin := getattr(annotation, "__origin__", None):
        yield origin
    for part in get_args(annotation):
        yield from _parts(part)
