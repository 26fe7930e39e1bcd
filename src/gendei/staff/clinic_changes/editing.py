"""A clinic with some of its fields set: checked as its file is, with its secrets kept."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from gendei.addresses import Networks
from gendei.clinic import Clinic
from gendei.clinics.field_paths import (
    ORDER,
    FieldChange,
    NoSuchField,
    Path,
    Tree,
    as_file,
    as_tree,
    differences,
    dotted,
    overlaps,
    parsed,
    put_at,
    renamed,
    value_at,
)
from gendei.clinics.file import clinic_of
from gendei.clinics.slips import likely_slips
from gendei.clinics.written import PLACEHOLDER, Sealed, secrets_of, with_sealed, written
from gendei.datafile import DataFile
from gendei.errors import ConfigurationError, SecretUnreadable
from gendei.secrets import SecretBox
from gendei.staff.clinic_changes.refusing import ClinicProblem, problems_of
from gendei.verticals import Vertical

STAND_IN_SECRET = "keptkeptkeptkept"  # noqa: S105  # in place of a secret that stays, for the check; it is never sealed
DEEPEST = 8
"""Levels of lists and groups within a value."""
_OF_THE_FILE = frozenset({("id",), ("kept_in_file",)})


@dataclass(frozen=True, slots=True)
class Edit:
    """`value`: as the clinic's file has it; None to say nothing of the field."""

    field: str
    value: Any


class Unfit(Exception):
    """Edits of which something is wrong."""

    def __init__(self, problems: Sequence[ClinicProblem]) -> None:
        self.problems = tuple(problems)
        super().__init__(f"{len(self.problems)} problems")


@dataclass(frozen=True)
class ClinicCheck:
    """The check of the clinic file, for who is no file. `open_box`: gives what seals secrets."""

    verticals: Mapping[str, Vertical]
    open_box: Callable[[], SecretBox]
    private: Networks = ()

    @cached_property
    def box(self) -> SecretBox:
        return self.open_box()

    def edited(self, before: Clinic, edits: Sequence[Edit]) -> Clinic:
        """`before` with `edits` made. A secret of which its own placeholder is said stays. Raises Unfit."""
        return self.of_tree(*self._edited(before, edits))

    def warnings(self, before: Clinic, edits: Sequence[Edit]) -> tuple[ClinicProblem, ...]:
        """What is probably not meant, of edits that are fit: amounts that hardly anybody means."""
        data = as_file(self._edited(before, edits)[0])
        slips = likely_slips(DataFile("", data, {(): 1}, {}))
        return tuple(problem for slip in slips for problem in problems_of(slip, data))

    def _edited(self, before: Clinic, edits: Sequence[Edit]) -> tuple[Tree, Mapping[Path, Sealed], Mapping[str, str]]:
        tree = edited_tree(before, written(before), edits)
        kept = kept_secrets(before, tree)
        return tree, kept, before.secret_names

    def of_tree(
        self, tree: Tree, kept: Mapping[Path, Sealed], names: Mapping[str, str], *, moved: bool = False
    ) -> Clinic:
        """The clinic of a tree in which `kept` are secrets as they are stored, and all others in the clear. names: the
        variables of secrets. moved: a secret may be kept for another address, where nothing is sent to it. Raises
        Unfit."""
        tree = deepcopy(tree)
        for path in kept:
            put_at(tree, path, STAND_IN_SECRET)
        data = as_file(tree)
        try:
            clinic = clinic_of(DataFile("", data, {(): 1}, {}), self.verticals, self.box, self.private, {})
        except ConfigurationError as error:
            raise Unfit(list(problems_of(error, data))) from None
        now = secrets_of(clinic)
        astray = [path for path, sealed in kept.items() if path in now and now[path].purpose != sealed.purpose]
        if astray and not moved:
            remedy = "Write it again; the one that is kept goes to no other address."
            raise Unfit([ClinicProblem(dotted(path), "is a secret for another address.", remedy) for path in astray])
        clinic = with_sealed(clinic, {path: sealed.text for path, sealed in kept.items()})
        known = {name: variable for name, variable in names.items() if parsed(name) in now}
        return replace(clinic, secret_names={**clinic.secret_names, **known})

    def stood(self, clinic: Clinic, tree: Tree) -> Clinic:
        """The clinic as it was once, to compare with: with whatever in place of its secrets of then."""
        tree, kept = deepcopy(tree), kept_secrets(clinic, tree)
        for path, text in list(_texts((), tree)):
            if path not in kept and PLACEHOLDER.fullmatch(text):
                put_at(tree, path, STAND_IN_SECRET)
        return self.of_tree(tree, kept, clinic.secret_names, moved=True)

    def changes(self, before: Clinic, after: Clinic) -> tuple[FieldChange, ...]:
        """What is otherwise."""
        return tuple(self._changes(before, after))

    def _changes(self, before: Clinic, after: Clinic) -> Iterator[FieldChange]:
        old, new = secrets_of(before), secrets_of(after)
        for change in differences(written(before), written(after)):
            if change.path not in old.keys() | new.keys():
                yield change
            elif change.path not in old.keys() & new.keys():
                yield replace(change, secret=True)
        for path in sorted(old.keys() & new.keys()):
            if not self.same_secret(old[path], new[path]):
                said, says = (value_at(written(clinic), path) for clinic in (before, after))
                yield FieldChange(dotted(path), said, says, secret=True)

    def same_secret(self, first: Sealed, second: Sealed) -> bool:
        """Whether both are sealed of the same text; what cannot be opened is like nothing else."""
        if first.text == second.text:
            return True
        try:
            return self.box.unseal(*first) == self.box.unseal(*second)
        except SecretUnreadable:
            return False


def kept_secrets(clinic: Clinic, tree: Tree) -> dict[Path, Sealed]:
    """The clinic's secrets of which `tree` has the placeholder."""
    own = written(clinic)
    return {path: sealed for path, sealed in secrets_of(clinic).items() if value_at(tree, path) == value_at(own, path)}


def edited_tree(clinic: Clinic, tree: Tree, edits: Sequence[Edit]) -> Tree:
    """A copy of `tree` with the fields set, orders after what they are of. clinic: whose secrets' placeholders may be
    said. Raises Unfit."""
    own, tree = written(clinic), deepcopy(tree)
    placeholders = {path: value_at(own, path) for path in secrets_of(clinic)}
    problems: list[ClinicProblem] = []
    known: list[tuple[Path, Edit]] = []
    for edit in edits:
        if isinstance(edit.value, dict | list) and _is_deep(edit.value):
            problems.append(ClinicProblem(edit.field, "is nested too deeply.", "Flatten it."))
            continue
        try:
            known.append((parsed(edit.field), edit))
        except NoSuchField:
            problems.append(ClinicProblem(edit.field, "there is no such field.", "Name it as services[limpeza].name."))
    for path, edit in sorted(known, key=lambda each: each[0][-1] == ORDER):
        problems += _not_here(path, edit, placeholders)
        try:
            put_at(tree, path, deepcopy(edit.value))
        except NoSuchField:
            problems.append(ClinicProblem(edit.field, "there is no such field.", "Set the whole value of which it is."))
    remedy = "Take it out and add another one."
    problems += [ClinicProblem(dotted(path), "an id stays.", remedy) for path in renamed(tree)]
    if problems:
        raise Unfit(problems)
    return tree


def _is_deep(value: Any) -> bool:
    """Whether a value is nested deeper than any of a clinic's."""
    level = [value]
    for _ in range(DEEPEST):
        level = [part for each in level for part in (each.values() if isinstance(each, dict) else each)]
        level = [part for part in level if isinstance(part, dict | list)]
        if not level:
            return False
    return True


def _not_here(path: Path, edit: Edit, placeholders: Mapping[Path, Any]) -> Iterator[ClinicProblem]:
    if path in _OF_THE_FILE:
        yield ClinicProblem(edit.field, "is said by the clinic's file alone.", "Leave it as it is.")
    for at, text in _texts(path, as_tree(edit.value, path)):
        if PLACEHOLDER.search(text) and placeholders.get(at) != text:
            yield ClinicProblem(dotted(at), "names a variable.", "Only files do that; write the value.")


def _texts(path: Path, value: Any) -> Iterator[tuple[Path, str]]:
    """Every text of a value, where it stands."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for name, part in value.items():
            yield from _texts((*path, str(name)), part)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(path, part)


def disputed(own: FieldChange, other: FieldChange) -> bool:
    """Whether both change the same, and not to the same."""
    if own.is_order and not (own.reorders and other.reorders):
        return False
    return overlaps(own.path, other.path) and (own.new != other.new or own.secret or other.secret)
