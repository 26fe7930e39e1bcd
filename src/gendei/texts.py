"""Texts that people read, from data files: one loader, one syntax for placeholders, one check that none is missing.

A catalogue is a StrictModel whose fields are texts, or mappings from the values of a StrEnum to texts. `Each` says
which entries a mapping must have; `Holds` says which placeholders a text may have. A placeholder is a name in braces:
"{patient}". A brace that is meant as itself is doubled.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

from pydantic import BaseModel

from gendei.datafile import DataFile, Location, Problems, StrictModel, data_dir, nearest, read_yaml
from gendei.errors import ConfigurationError

M = TypeVar("M", bound=BaseModel)
_BRACES = re.compile(r"\{\{|\}\}|\{([^\W\d]+)\}|[{}]")


@dataclass(frozen=True, slots=True)
class Each:
    """Of a mapping: it has exactly these entries."""

    names: Iterable[str]


@dataclass(frozen=True, slots=True)
class Holds:
    """Of a text, or of all texts of a mapping: these placeholders and no others. A text without a `Holds` is shown as
    it is, braces too. `needs`: those that it must have. `of`: the one entry of a mapping that is meant."""

    names: Collection[str]
    needs: Collection[str] = ()
    of: str | None = None


class Catalogue(StrictModel):
    """All texts of one file of the prompts' folder."""

    file_name: ClassVar[str]

    @classmethod
    def load(cls, folder: Path) -> Self:
        """The texts of `folder`, completed by those that are shipped. Raises ConfigurationError for every entry that is
        unknown, and for every placeholder that nothing fills."""
        return _checked(read_completed(folder / cls.file_name), cls)


def read_texts(path: Path, model: type[M]) -> M:
    """The file at `path` as `model`, checked for completeness. Raises ConfigurationError with all that is wrong."""
    return _checked(read_yaml(path), model)


def read_completed(path: Path) -> DataFile:
    """The file at `path`, perhaps of an operator. Entries that it lacks, or all where there is no such file, are those
    of the shipped file of this name, so that an upgrade that needs more texts finds them. Lists are taken whole.
    Raises ConfigurationError."""
    shipped = data_dir("prompts") / path.name
    if not path.is_file() and shipped.is_file():
        return read_yaml(shipped)
    own = read_yaml(path)
    if not shipped.is_file() or path.samefile(shipped):
        return own
    return replace(own, data=_completed(own.data, read_yaml(shipped).data))


def _completed(own: Mapping[str, Any], shipped: Mapping[str, Any]) -> dict[str, Any]:
    both = {
        name: _completed(own[name], value) if isinstance(own[name], dict) and isinstance(value, dict) else own[name]
        for name, value in shipped.items()
        if name in own
    }
    return {**shipped, **own, **both}


def _checked(file: DataFile, model: type[M]) -> M:
    content = file.into(model)
    problems = Problems(list(_incomplete(file, content, ())))
    problems.raise_any()
    return content


def fill(text: str, values: Mapping[str, str]) -> str:
    """`text` with every placeholder filled, once: braces inside a value stay as they are. Raises KeyError for a
    placeholder without a value."""
    pieces = list(_pieces(text))
    pieces[1::2] = [values[name] for name in pieces[1::2]]
    return "".join(pieces)


@lru_cache(maxsize=4096)
def _pieces(text: str) -> tuple[str, ...]:
    """A text as it is and the name of a placeholder, by turns. Remembered: the same texts are filled again and
    again."""
    pieces, end = [""], 0
    for found in _BRACES.finditer(text):
        pieces[-1] += text[end : found.start()]
        end = found.end()
        if found[1]:
            pieces += [found[1], ""]
        else:
            pieces[-1] += found[0][0]
    pieces[-1] += text[end:]
    return tuple(pieces)


def placeholders(text: str) -> frozenset[str]:
    """The names in braces."""
    return frozenset(found[1] for found in _BRACES.finditer(text) if found[1])


def faults(text: str, known: Collection[str]) -> Iterator[tuple[int, str, str]]:
    """Where `text` has a brace that is no known placeholder: (offset, problem, remedy)."""
    for found in _BRACES.finditer(text):
        name = found[1]
        if name and name not in known:
            yield found.start(), f"there is no placeholder {{{name}}}.", nearest(name, known)
        elif len(found[0]) == 1:
            remedy = "Write {name} with letters and _, or double the brace."
            yield found.start(), f'a "{found[0]}" stands alone.', remedy


def _incomplete(file: DataFile, part: BaseModel, at: Location) -> Iterator[ConfigurationError]:
    for name, field in type(part).model_fields.items():
        value, here = getattr(part, name), (*at, name)
        for place, inner in _parts(value, here):
            yield from _incomplete(file, inner, place)
        for rule in field.metadata:
            if isinstance(rule, Each):
                yield from _entries(file, value, here, frozenset(map(str, rule.names)))
            elif isinstance(rule, Holds):
                texts = {here: value} if isinstance(value, str) else {(*here, key): value[key] for key in value}
                for place, text in texts.items():
                    if rule.of in {None, place[-1]}:
                        yield from _placeholders(file, place, text, rule)


def _parts(value: object, at: Location) -> Iterator[tuple[Location, BaseModel]]:
    """The models that `value` is, or holds as a mapping."""
    if isinstance(value, BaseModel):
        yield at, value
    elif isinstance(value, Mapping):
        yield from (((*at, name), inner) for name, inner in value.items() if isinstance(inner, BaseModel))


def _entries(
    file: DataFile, given: Mapping[str, object], at: Location, known: Collection[str]
) -> Iterator[ConfigurationError]:
    for name in sorted(given.keys() - known):
        yield file.error((*at, name), "there is no such entry.", nearest(name, known))
    for name in sorted(known - given.keys()):
        yield file.error(at, f"{name} is missing.", "Write it.")


def _placeholders(file: DataFile, at: Location, text: str, rule: Holds) -> Iterator[ConfigurationError]:
    for _, problem, remedy in faults(text, rule.names):
        yield file.error(at, problem, remedy)
    for name in sorted(set(rule.needs) - placeholders(text)):
        yield file.error(at, f"has no {{{name}}}.", "Write it where the value shall stand.")
