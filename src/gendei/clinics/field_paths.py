"""Fields of a clinic by name, as `services[limpeza].price_cents`, and what differs between two clinics, field by field.

A clinic's file is looked at as a tree of mappings: a list whose entries have a name or an id is a mapping by that, in
its order. The order itself is the field `services[]`. Values are plain: text, numbers, true or false, lists.
"""

import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Annotated, Any

from gendei.channel_kinds import CHANNEL_KINDS
from gendei.records import ABSENT_WHEN_EMPTY, AS_IT_IS

Path = tuple[str, ...]
Tree = dict[str, Any]
ORDER = ""
"""The last step of the path of a list's order."""
_ANY = "*"
_NAMED = {
    ("services",): "id",
    ("professionals",): "id",
    ("insurance",): "name",
    ("insurance", _ANY, "services"): "id",
    ("mcp_servers",): "name",
}
"""Lists whose entries go by a field of theirs. A channel goes by its provider and number."""
_CHANNELS = ("channels",)
_BY_NAME = frozenset({("insurance",), ("insurance", _ANY, "services")})
"""Lists of which an entry may be its name alone."""
_ENTRIES = frozenset({*_NAMED, _CHANNELS, ("templates",), ("overrides",)})
"""What comes and goes whole."""
SWITCHES = ("reminders", "waiting_list", "no_shows", "survey")
"""Groups that mean something when they are empty."""
_REQUIRED = frozenset({("hours",), *((name,) for name in SWITCHES)})
"""Groups that stay when they are empty."""
_STEP = re.compile(r"(?:^|\.)([A-Za-z0-9_-]+)|\[((?:[^\]\\]|\\.)*)\]")
_PLAIN = re.compile(r"[A-Za-z0-9_-]+")


class NoSuchField(ValueError):
    """A field that no clinic can have."""


@dataclass(frozen=True, slots=True)
class FieldChange:
    """`field`: as `services[limpeza].price_cents`. `old`, `new`: as the file has them, None where nothing is said; of a
    `secret` its placeholder."""

    field: str
    old: Annotated[Any, AS_IT_IS] = None
    new: Annotated[Any, AS_IT_IS] = None
    secret: Annotated[bool, ABSENT_WHEN_EMPTY] = False

    @property
    def path(self) -> Path:
        return parsed(self.field)

    @property
    def is_order(self) -> bool:
        return self.path[-1] == ORDER

    @property
    def reorders(self) -> bool:
        """Whether it is an order in which what stays stands otherwise than before."""
        return self.is_order and _shared(self.old, self.new) != _shared(self.new, self.old)


def parsed(field: str) -> Path:
    """The steps of a field's name. Raises NoSuchField."""
    steps, at = [], 0
    while at < len(field):
        found = _STEP.match(field, at)
        if found is None or (found[1] is not None and at == 0) != (at == 0):
            raise NoSuchField(field)
        steps.append(found[1] if found[1] is not None else re.sub(r"\\(.)", r"\1", found[2]))
        at = found.end()
    if not steps or ORDER in steps[:-1]:
        raise NoSuchField(field)
    return tuple(steps)


def dotted(path: Path) -> str:
    """The name of the field at `path`."""
    said = ""
    for index, step in enumerate(path):
        if step == ORDER or _is_list(path[:index]) or not _PLAIN.fullmatch(step):
            said += "[" + re.sub(r"([\]\\])", r"\\\1", step) + "]"
        else:
            said += f".{step}" if said else step
    return said


def overlaps(first: Path, second: Path) -> bool:
    """Whether one field is the other, or a part of it."""
    size = min(len(first), len(second))
    return first == second or (first[:size] == second[:size] and ORDER not in {first[-1], second[-1]})


def as_tree(value: Any, at: Path = ()) -> Any:
    """What a file holds at `at`, with its lists by name. A list with an entry that has no name, or with a name twice,
    stays a list; the check tells what is wrong with it."""
    if isinstance(value, list) and _is_list(at):
        entries = [_entry(each, at) for each in value]
        names = [name_of(at, entry) for entry in entries]
        if None in names or len(set(names)) < len(names):
            return value
        return {name: as_tree(entry, (*at, name)) for name, entry in zip(names, entries, strict=True) if name}
    if isinstance(value, dict):
        return {str(name): as_tree(part, (*at, str(name))) for name, part in value.items()}
    return value


def as_file(tree: Any, at: Path = ()) -> Any:
    """What a file holds, of its tree."""
    if not isinstance(tree, dict):
        return tree
    if not _is_list(at):
        return {name: as_file(part, (*at, name)) for name, part in tree.items()}
    entries = [as_file(entry, (*at, name)) for name, entry in tree.items()]
    key = _NAMED.get(_pattern(at), "")
    return [
        entry[key] if _pattern(at) in _BY_NAME and isinstance(entry, dict) and entry.keys() == {key} else entry
        for entry in entries
    ]


def located(location: Sequence[str | int], data: Any) -> Path:
    """The field at a location in a file's data, or of which that is a part: an entry without a name is none."""
    path: Path = ()
    for step in location:
        inner = None
        if isinstance(data, list) and isinstance(step, int):
            inner = data[step] if step < len(data) else None
        elif isinstance(data, dict):
            inner = data.get(step)
        named = name_of(path, _entry(inner, path)) if isinstance(step, int) else str(step)
        if named is None:
            return path
        path, data = (*path, named), inner
    return path


def name_of(at: Path, entry: Any) -> str | None:
    """By which an entry of the list at `at` goes; None where it has none."""
    if not isinstance(entry, dict):
        return None
    if at == _CHANNELS:
        provider = entry.get("provider")
        kind = CHANNEL_KINDS.get(provider) if isinstance(provider, str) else None
        number = entry.get(kind.external_id[0]) if kind else None
        return f"{provider}:{number}" if isinstance(number, str) and number else None
    name = entry.get(_NAMED.get(_pattern(at), ""))
    return name if isinstance(name, str) and name else None


def value_at(tree: Any, path: Path) -> Any:
    """What stands there; None where nothing does. Of an order, the names."""
    for step in path:
        if step == ORDER:
            return list(tree) if isinstance(tree, dict) else None
        tree = tree.get(step) if isinstance(tree, dict) else None
    return tree


def said_at(tree: Tree, path: Path) -> Any:
    """The same as the file has it."""
    return as_file(value_at(tree, path), path)


def put_at(tree: Tree, path: Path, value: Any) -> None:
    """Set a field, or take it out where `value` is None. Raises NoSuchField."""
    *above, last = path
    node = tree
    for index, step in enumerate(above):
        if value is None and step not in node:
            return
        inner = node.setdefault(step, _new_entry(path[: index + 1]))
        if not isinstance(inner, dict):
            raise NoSuchField(dotted(path))
        node = inner
    if last == ORDER:
        _reorder(node, value, path)
    elif value is not None:
        whole = as_tree(_entry(value, path[:-1]), path)
        named = isinstance(whole, dict) and _is_list(path[:-1])
        node[last] = {**_new_entry(path), **whole} if named else whole
    else:
        node.pop(last, None)
        _prune(tree, tuple(above))


def differences(before: Any, after: Any, at: Path = ()) -> Iterator[FieldChange]:
    """What is otherwise in `after`, in the order of the file. Both are trees, with what stands at `at`."""
    if not (at and _comes_whole(at, before, after)):
        first, then = before or {}, after or {}
        for name in dict.fromkeys((*first, *then)):
            yield from differences(first.get(name), then.get(name), (*at, name))
        if first and _is_list(at) and list(then)[: len(first)] != list(first):
            yield FieldChange(dotted((*at, ORDER)), list(first), list(then))
    elif before != after or isinstance(before, bool) != isinstance(after, bool):
        yield FieldChange(dotted(at), as_file(before, at), as_file(after, at))


def changed(tree: Tree, changes: Sequence[FieldChange], *, back: bool = False) -> Tree:
    """A copy with `changes` made, or taken back; orders after what they are of."""
    tree = deepcopy(tree)
    for change in sorted(changes, key=lambda change: change.is_order):
        put_at(tree, change.path, change.old if back else change.new)
    return tree


def renamed(tree: Any, at: Path = ()) -> Iterator[Path]:
    """The entries of lists whose name is not the one that they go by."""
    for name, part in tree.items() if isinstance(tree, dict) else ():
        if _is_list(at) and name_of(at, part) not in {None, name}:
            yield (*at, name)
        yield from renamed(part, (*at, name))


def _comes_whole(at: Path, before: Any, after: Any) -> bool:
    """Whether what stands at `at` is one field: a value, or an entry that one side lacks."""
    if not (isinstance(before, dict | None) and isinstance(after, dict | None)) or before is after is None:
        return True
    if len(at) == 1 and at[0] in SWITCHES and None in (before, after):
        return True
    return at[:-1] == ("overrides",) or (_pattern(at[:-1]) in _ENTRIES and None in (before, after))


def _pattern(at: Path) -> Path:
    return (at[0], _ANY, *at[2:]) if len(at) > 2 else at


def _is_list(at: Path) -> bool:
    return at == _CHANNELS or _pattern(at) in _NAMED


def _entry(value: Any, at: Path) -> Any:
    """An entry of the list at `at`, of which the name alone may be given."""
    by_name = isinstance(value, str) and _pattern(at) in _BY_NAME
    return {_NAMED[_pattern(at)]: value} if by_name else value


def _new_entry(path: Path) -> Tree:
    """What an entry has that is only named, or a group of which nothing is said yet."""
    at, name = path[:-1], path[-1]
    if at == _CHANNELS:
        provider, _, number = name.partition(":")
        kind = CHANNEL_KINDS.get(provider)
        return {"provider": provider, **({kind.external_id[0]: number} if kind else {})}
    return {_NAMED[_pattern(at)]: name} if _is_list(at) else {}


def _prune(tree: Tree, path: Path) -> None:
    """Take out the groups that became empty."""
    while path and path not in _REQUIRED and value_at(tree, path) == {}:
        value_at(tree, path[:-1]).pop(path[-1])
        path = path[:-1]


def _reorder(node: Tree, names: Any, path: Path) -> None:
    known = [str(name) for name in names] if isinstance(names, list) else None
    if known is None or not _is_list(path[:-1]):
        raise NoSuchField(dotted(path))
    entries = sorted(node.items(), key=lambda entry: known.index(entry[0]) if entry[0] in known else len(known))
    node.clear()
    node.update(entries)


def _shared(names: Any, others: Any) -> list[str]:
    return [name for name in names or () if name in (others or ())]
