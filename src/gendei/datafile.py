"""Data files (YAML, and Markdown with YAML front matter) as checked models.

Whatever is wrong with a file becomes a ConfigurationError that names the file, the line, the field and what to
write. Values never stand in these errors where they came from the environment, so no credential is shown.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Set
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar, TypeVar, get_args

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, StringConstraints, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError
from rapidfuzz import process
from yaml.constructor import SafeConstructor

from gendei.errors import ConfigurationError, ConfigurationErrors
from gendei.wrong_values import in_words

M = TypeVar("M", bound=BaseModel)
Location = tuple[str | int, ...]
"""Where a value stands in its file: ("services", 0, "price_cents")."""

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
"""Text that is not empty, without the space around it."""

_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_FRONT_MATTER = re.compile(r"---[ \t]*\n(?P<front>.*?\n)---[ \t]*(?:\n|\Z)", re.DOTALL)
_YAML = "tag:yaml.org,2002:"
_DEEPEST = 40
_LOADER: type[Any] = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
"""libyaml's is 13 times as fast; every start reads all data files."""


class StrictModel(BaseModel):
    """A part of a data file: no unknown fields, no converted types. `meant`: what other words for a field mean."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
    meant: ClassVar[Mapping[str, str]] = {}


def refusal(problem: str, remedy: str) -> PydanticCustomError:
    """What a validator of a StrictModel raises; never put the value itself into the sentences."""
    return PydanticCustomError("refusal", "{problem} {remedy}", {"problem": problem, "remedy": remedy})


def _slug(value: str) -> str:
    if not re.fullmatch(r"[a-z0-9-]{1,40}", value):
        raise refusal("must be a short id.", "Use a-z, 0-9 and -, at most 40 characters.")
    return value


Slug = Annotated[str, AfterValidator(_slug)]
"""An id as files and paths of the store have it."""


def nearest(name: str, known: Collection[str]) -> str:
    """The remedy for an unknown name: the nearest known one, or all of them, those of a set from A to Z."""
    names = sorted(known) if isinstance(known, Set) else list(known)
    match = process.extractOne(name, names, score_cutoff=70)
    if match:
        return f'Did you mean "{match[0]}"?'
    return f"Known: {', '.join(names)}." if known else "There are none to choose from."


@dataclass(slots=True)
class Problems:
    """Gathers configuration errors so that the operator sees all of them at once."""

    found: list[ConfigurationError] = field(default_factory=list)

    @contextmanager
    def gather(self) -> Iterator[None]:
        """Keep a ConfigurationError of the block for later instead of raising it."""
        try:
            yield
        except ConfigurationError as error:
            self.found.extend(error.problems)

    def raise_any(self) -> None:
        """Raise what was found, if anything: one problem as itself, several as ConfigurationErrors, line by line."""
        if self.found:
            raise as_one(self.found)


def by_line(problems: Collection[ConfigurationError]) -> tuple[ConfigurationError, ...]:
    """The problems of each file from its first line to its last, each once; the files in the order of their first."""
    files = list(dict.fromkeys(problem.source for problem in problems))
    return tuple(sorted(dict.fromkeys(problems), key=lambda problem: (files.index(problem.source), problem.line)))


@dataclass(frozen=True, slots=True)
class DataFile:
    """A file as it was read.

    data: plain values (str, int, float, bool, None, list, dict, date, datetime).
    body, body_line: what follows the front matter of a Markdown file, and the line on which it begins.
    lines: the 1-based line of every value. variables: which values came from the environment, and from what.
    faults: what is wrong with the writing itself; `unread`: where it left no value, so that data has None there.
    """

    source: str
    data: dict[str, Any]
    lines: Mapping[Location, int]
    variables: Mapping[Location, str]
    body: str = ""
    body_line: int = 0
    faults: tuple[ConfigurationError, ...] = ()
    unread: frozenset[Location] = frozenset()

    def into(self, model: type[M]) -> M:
        """The whole file as `model`; raises every problem of its writing and of its values."""
        content = self.part(model, self.data, ())
        Problems([*self.faults]).raise_any()
        return content

    def part(self, model: type[M], data: object, at: Location) -> M:
        """`data`, which stands at `at` in this file, as `model`; raises every problem of the values in it, and with
        them those of the file's writing."""
        try:
            return model.model_validate(data)
        except ValidationError as error:
            details = error.errors(include_url=False)
        wrong = [self._translate(model, detail, at) for detail in details if not self.is_unread(at + detail["loc"])]
        raise as_one([*wrong, *self.faults])

    def has(self, at: Location) -> bool:
        """Whether the file itself holds a value at `at`."""
        return at in self.lines

    def value(self, at: Location) -> Any:
        """What stands at `at`, which the file has."""
        found: Any = self.data
        for step in at:
            found = found[step]
        return found

    def is_unread(self, at: Location) -> bool:
        """Whether a fault of the writing stands where this value does."""
        return any(at[:size] in self.unread for size in range(len(at) + 1))

    def error(self, at: Location, problem: str, remedy: str) -> ConfigurationError:
        """An error about the value at `at`, or about the nearest thing around it that the file has."""
        known = next(at[:size] for size in range(len(at), -1, -1) if at[:size] in self.lines)
        return self.line_error(self.lines[known], problem, remedy, field=_dotted(at))

    def line_error(self, line: int, problem: str, remedy: str, field: str = "") -> ConfigurationError:
        """An error about a line of the file, and a field when it has a name."""
        return ConfigurationError(self.source, f"line {line}, {field}" if field else f"line {line}", problem, remedy)

    def shown(self, at: Location, value: str) -> str:
        """`value` in quotes for an error message, or the variable's name where it came from the environment."""
        variable = self.variables.get(at)
        return f"the value of ${{{variable}}}" if variable else f'"{value}"'

    def _translate(self, model: type[BaseModel], detail: ErrorDetails, at: Location) -> ConfigurationError:
        inner, kind = detail["loc"], detail["type"]
        if inner and inner[-1] == "[key]":  # the name of an entry, which pydantic has below the entry
            inner = inner[:-1]
        if kind == "extra_forbidden":
            problem, remedy = "there is no such field.", _field_remedy(str(inner[-1]), _models_at(model, inner[:-1]))
        else:
            problem, remedy = in_words(kind, detail["msg"], detail.get("ctx", {}), detail["input"])
        return self.error(at + inner, problem, remedy)


def as_one(problems: Collection[ConfigurationError]) -> ConfigurationError:
    """One problem as itself, several as ConfigurationErrors, line by line."""
    told = by_line(problems)
    return told[0] if len(told) == 1 else ConfigurationErrors(told)


def read_yaml(path: Path, environment: Mapping[str, str] | None = None) -> DataFile:
    """Read a YAML file whose root is a mapping.

    environment: what "${NAME}" in a text value stands for; None leaves such text alone. Raises ConfigurationError
    for what cannot be read at all; repeated keys, variables that are not set, and values that YAML reads otherwise than
    they look are faults of the file, which `into` raises with the rest.
    """
    return _parse(str(path), _text(path), environment)


def read_markdown(path: Path) -> DataFile:
    """Read a Markdown file that opens with YAML front matter between two lines of "---"."""
    text = _text(path)
    match = _FRONT_MATTER.match(text)
    if match is None:
        remedy = 'Begin the file with a line "---", the fields, and another line "---".'
        raise ConfigurationError(str(path), "line 1", "the file has no front matter.", remedy)
    parsed = _parse(str(path), "\n" + match["front"], None)
    body = text[match.end() :]
    body_line = text.count("\n", 0, match.end()) + 1
    return replace(parsed, body=body, body_line=body_line)


def read_plain(path: Path) -> DataFile:
    """Read a text file that has a body and no fields."""
    return DataFile(str(path), {}, {(): 1}, {}, _text(path), 1)


def data_dir(name: str, explicit: str | Path | None = None) -> Path:
    """The folder of data files called `name` ("prompts", "verticals", "clinics").

    `explicit` (from the settings) wins; then the installed wheel's own copy; then the checkout's folder. Raises
    ConfigurationError when there is none.
    """
    package = Path(__file__).parent
    candidates = [Path(explicit)] if explicit else [package / "_data" / name, package.parents[1] / name]
    for folder in candidates:
        if folder.is_dir():
            return folder
    variable = f"GENDEI_{name.upper()}_DIR"
    raise ConfigurationError(str(candidates[-1]), "", "is not a folder.", f"Give the folder of {name} in {variable}.")


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ConfigurationError(str(path), "", f"cannot be read: {reason}.", "Check the path.") from None
    except UnicodeDecodeError:
        raise ConfigurationError(str(path), "", "is not UTF-8 text.", "Save the file as UTF-8.") from None


def _parse(source: str, text: str, environment: Mapping[str, str] | None) -> DataFile:
    try:
        loader = _LOADER(text)
        root = loader.get_single_node()
        if not isinstance(root, yaml.MappingNode):
            raise ConfigurationError(source, "line 1", "the file must hold fields.", "Write lines of `field: value`.")
        reader = _Reader(source, loader, environment)
        data = reader.mapping(root, ())
    except yaml.MarkedYAMLError as error:
        raise _unreadable(source, error) from None
    except yaml.YAMLError:
        raise ConfigurationError(source, "", "holds characters that YAML refuses.", "Remove them.") from None
    faults, unread = tuple(reader.problems.found), frozenset(reader.unread)
    return DataFile(source, data, reader.lines, reader.variables, faults=faults, unread=unread)


def _unreadable(source: str, error: yaml.MarkedYAMLError) -> ConfigurationError:
    mark = error.problem_mark or error.context_mark
    where = f"line {mark.line + 1}" if mark else ""
    remedy = 'Check indentation, brackets and quotes; text with ${...}, ": " or "#" needs quotes.'
    return ConfigurationError(source, where, f"is not YAML: {error.problem}.", remedy)


class _Reader:
    """Turns YAML nodes into values, noting the line of each and gathering what is wrong."""

    def __init__(self, source: str, loader: SafeConstructor, environment: Mapping[str, str] | None) -> None:
        self.lines: dict[Location, int] = {}
        self.variables: dict[Location, str] = {}
        self.problems = Problems()
        self.unread: set[Location] = set()
        self._source, self._loader, self._environment = source, loader, environment

    def mapping(self, node: yaml.MappingNode, at: Location) -> dict[str, Any]:
        self.lines[at] = node.start_mark.line + 1
        values: dict[str, Any] = {}
        for key_node, value_node in node.value:
            line, key = key_node.start_mark.line + 1, key_node.value
            if not isinstance(key_node, yaml.ScalarNode):
                self._refuse(line, at, "a field name must be plain text.", "Write `name: value`.")
            elif key in values:
                first = self.lines[*at, key]
                self._refuse(line, (*at, key), "is written twice.", f"Keep one; the first is on line {first}.")
            else:
                self.lines[*at, key] = line
                values[key] = self._value(value_node, (*at, key))
        return values

    def _value(self, node: yaml.Node, at: Location) -> Any:
        self.lines[at] = node.start_mark.line + 1
        if len(at) > _DEEPEST:
            raise ConfigurationError(self._source, f"line {self.lines[at]}", "is nested too deeply.", "Flatten it.")
        if isinstance(node, yaml.MappingNode) and node.tag == f"{_YAML}map":
            return self.mapping(node, at)
        if isinstance(node, yaml.SequenceNode) and node.tag == f"{_YAML}seq":
            return [self._value(item, (*at, index)) for index, item in enumerate(node.value)]
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node, at)
        return self._unread(at, f"the tag {node.tag} is not used here.", "Remove the tag.")

    def _scalar(self, node: yaml.ScalarNode, at: Location) -> Any:
        written, kind = node.value, node.tag.removeprefix(_YAML)
        if kind == "str":
            return self._expand(written, at)
        if kind in {"int", "float"} and ":" in written:
            return self._unread(at, "YAML reads this time as a number.", f'Put it in quotes: "{written}".')
        if kind == "int" and re.match(r"[-+]?0\d", written):
            return self._unread(at, "a number that begins with 0 is read in base 8.", "Put it in quotes.")
        if kind == "bool" and written.lower() not in {"true", "false"}:
            return self._unread(
                at, f"YAML reads {written} as true or false.", "Write true or false, or put it in quotes."
            )
        try:
            return self._loader.construct_object(node)
        except ValueError:
            return self._unread(at, f"is not a valid {kind}.", "Correct it or put it in quotes.")

    def _expand(self, text: str, at: Location) -> str | None:
        environment = self._environment
        if environment is None:
            return text
        for name in _VARIABLE.findall(text):
            self.variables[at] = name
            if not environment.get(name):
                remedy = f"Write {name}=... into .env, or set it in the environment."
                self._unread(at, f"the variable {name} is not set.", remedy)
        if at in self.unread:
            return None
        return _VARIABLE.sub(lambda match: environment[match[1]], text)

    def _refuse(self, line: int, at: Location, problem: str, remedy: str) -> None:
        where = f"line {line}, {_dotted(at)}" if at else f"line {line}"
        self.problems.found.append(ConfigurationError(self._source, where, problem, remedy))

    def _unread(self, at: Location, problem: str, remedy: str) -> None:
        """A value that is none: what the model says of its absence is not told besides."""
        self.unread.add(at)
        self._refuse(self.lines[at], at, problem, remedy)


def _dotted(at: Location) -> str:
    path = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in at)
    return path.removeprefix(".")


def _field_remedy(name: str, models: Collection[type[BaseModel]]) -> str:
    """What to write for `name`, which none of the models has."""
    for model in models:
        if issubclass(model, StrictModel) and (field := model.meant.get(name.casefold())):
            return f'Write "{field}".'
    return nearest(name, list(dict.fromkeys(field for model in models for field in model.model_fields)))


def _models_at(model: type[BaseModel], at: Location) -> list[type[BaseModel]]:
    """The models that may stand at `at` inside `model`."""
    models = [model]
    for part in at:
        inside = [
            found
            for candidate in models
            for name, info in candidate.model_fields.items()
            if name == part
            for found in _models_in(info.annotation)
        ]
        models = inside or models
    return models


def _models_in(annotation: object) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from _models_in(argument)
