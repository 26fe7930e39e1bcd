"""What operators read: the sentences of the code, as they are written there, with {} for what is filled in."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from inspect import getdoc
from pathlib import Path
from pkgutil import walk_packages

import gendei
from gendei import commands
from gendei.channel_kinds import CHANNEL_KINDS
from gendei.cli import main
from gendei.cli.language import USAGE
from gendei.clinics.voice import _ADDRESS
from gendei.commands.knowledge import PROBLEMS
from gendei.ear.kinds import MessageKind
from gendei.errors import GendeiError
from gendei.portuguese import GAP
from gendei.receptionist.guided.danger import Judgement
from gendei.wrong_values import _SHAPES

SOURCE = Path(gendei.__file__).parent
ABOUT_FILES = re.compile(
    r"(channel_kinds|texts|clinics/(fields|voice)|staff/clinic_changes/editing|cli/stand_in|store/sqlite_backup)\.py"
)
REPORTS_FAULTS = re.compile(r"ConfigurationError\(|\b(file|self)\.(line_)?error\(|\bimport .*\brefusal\b")
"""By name, and by what they do: modules of which every sentence is about a file or a setting."""
FOR_OTHERS = re.compile(r"(web|mcp)/.*")
TERMINAL = re.compile(
    r"gendei\.(errors|secrets|cli|store|evaluation|staff\.(access|actors|operation|staff)|conversation\.backlog)"
)
"""Modules whose errors end a command."""
OTHERS = {
    "gendei.conversation.outbound.templates": "TemplateUnusable",
    "gendei.conversation.turns.handover": "NotFound",
    "gendei.providers.meta_templates": "TemplatesUnavailable",
    "gendei.staff.patient_data": "StillComing",
    "gendei.staff.templates.office": "NoAccount",
}
"""More of them, by module."""
NEVER_AT_A_TERMINAL = {
    *("Conflict", "LeaseLost", "NaiveTime", "UnguardedRead", "UnstorableValue", "SignInRefused", "TooManyAttempts"),
}
"""Errors that a caller catches, or that are a fault of the code's."""
SAID_BY = {"say", "worded", "BadParameter", "print_list", "confirm", "prompt"}
IN_PORTUGUESE_ALREADY = {"demo_pages", "phone", "terminal_phone"}
"""Modules of the commands."""
LABELS = {
    *("rules hear", "services", "professional", "day", "hour", "name", "ear believes", "danger", "goes by", "agent"),
    *("steps", "a person", "rule"),
    *(kind.value.replace("_", " ") for kind in MessageKind),
    *(judgement.name.lower() for judgement in Judgement),
}
"""What stands before the lines of `gendei explain`, and what the ear and the safety rules decide."""
COUNTED = {
    *("service", "professional", "attempt", "reminder", "character"),
    *("services", "professionals", "attempts", "reminders", "characters", "retry", "retries"),
}
SHOWN_WITH_MORE = {"template {} is {}", "cannot be used: is {}"}
"""What the provider says of a template, where it is shown: alone it is but a word."""
LIBRARIES = {
    *("Arguments", "Options", "Commands", "Error", "required", "[required]", "[default: {}]", "default: {default}"),
    *("Aborted.", "Aborted!", "Missing command.", "No such command {}.", "Got unexpected extra argument(s) ({})"),
    *("Try [blue]'{command_path} {help_option}'[/] for help.", "No such command {name!r}.", "Missing argument {}."),
    *("Missing option {}.", "Invalid value: {}", "Invalid value for {}: {}", "Value {} is not a valid {}."),
    *("No such option: {}", "{} (Possible options: {})", "No such command {}. Did you mean {}?"),
    *("Option {} requires an argument.", "Option {} does not take a value.", "{} is not one of {}."),
    *("File {} does not exist.", "File {} is a directory.", "Error: The two entered values do not match."),
    *("Input should be greater than or equal to {}", "Input should be less than or equal to {}"),
    *("String should have at least {} character", "String should have at most {} characters"),
}
"""Of typer, which reads the command line, and of pydantic."""
_SENTENCE = re.compile(r"\S+ .*[.?!]", re.DOTALL)
_OF_MACHINES = re.compile(r"https?://|[A-Z]{3,} [A-Z]{3,}|SELECT ")
_WORDS = re.compile(r"[A-Za-z]{2,} +[A-Za-z]{2,}")
_PART = re.compile(r"[A-Z]\w+ [\w{} ]+\w|[A-Z]\w+ [\w{} ]+ {}")


def template(node: ast.AST) -> str | None:
    """A text as it stands in the code, with {} for each of an f-string's values."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        parts = (part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
        return "".join(map(str, parts))
    return None


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def texts(module: ast.AST) -> Iterator[str]:
    """Every text of a module but for docstrings and the parts of f-strings."""
    skipped: set[ast.AST] = set()
    for node in ast.walk(module):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            skipped |= {each.value for each in body if isinstance(each, ast.Expr)}
        if isinstance(node, ast.JoinedStr):
            skipped |= {part for part in ast.walk(node) if part is not node}
    for node in ast.walk(module):
        if node not in skipped and (found := template(node)):
            yield found


def either(node: ast.AST) -> Iterator[str]:
    """Both texts of `a if x else b`, or the one that there is."""
    for each in (node.body, node.orelse) if isinstance(node, ast.IfExp) else (node,):
        if found := template(each):
            yield found


def chosen(module: ast.AST) -> Iterator[str]:
    """Every text that is one of two."""
    for node in ast.walk(module):
        if isinstance(node, ast.IfExp):
            yield from either(node)


def of_files() -> Iterator[str]:
    """What is wrong with files and settings, and what to write."""
    for path in sorted(SOURCE.rglob("*.py")):
        name = path.relative_to(SOURCE).as_posix()
        reports = ABOUT_FILES.fullmatch(name) or REPORTS_FAULTS.search(path.read_text(encoding="utf-8"))
        if reports and not FOR_OTHERS.fullmatch(name):
            yield from (text for text in texts(tree(path)) if _SENTENCE.fullmatch(text.strip()))
            yield from (text for text in chosen(tree(path)) if _PART.fullmatch(text))
    for text in texts(tree(SOURCE / "wrong_values.py")):
        if _SENTENCE.fullmatch(text) or text in _SHAPES.values():
            yield re.sub(r"(?<!{){\w+}", "{}", text).replace("{{", "{").replace("}}", "}")
    for form in (_ADDRESS, *(form for kind in CHANNEL_KINDS.values() for form in kind.forms.values())):
        yield from (form.remedy, f"must be {form.in_words}.")


def errors() -> Iterator[type[GendeiError]]:
    """Those that end a command with their message."""
    for module in walk_packages(gendei.__path__, "gendei."):
        if TERMINAL.match(module.name) or module.name in OTHERS:
            import_module(module.name)
    pending = [GendeiError]
    while pending:
        kind = pending.pop()
        pending += kind.__subclasses__()
        here = TERMINAL.match(kind.__module__) or OTHERS.get(kind.__module__) == kind.__name__
        if here and kind.__name__ not in NEVER_AT_A_TERMINAL:
            yield kind


def of_errors() -> Iterator[str]:
    """Their docstrings, and what is said instead where they are raised."""
    kinds = {kind.__name__ for kind in errors()}
    for kind in errors():
        yield getdoc(kind) or ""
    for path in sorted(SOURCE.rglob("*.py")):
        name = "gendei." + path.relative_to(SOURCE).with_suffix("").as_posix().replace("/", ".")
        if TERMINAL.match(name) or name in OTHERS:
            for node in ast.walk(tree(path)):
                if isinstance(node, ast.Call) and _called(node) in {*kinds, "__init__"}:
                    yield from (found for each in node.args for found in either(each) if " " in found)
            yield from (text for text in chosen(tree(path)) if _PART.fullmatch(text) or text.startswith(("; ", "the ")))
    yield from _misfits()


def _called(call: ast.Call) -> str:
    return str(getattr(call.func, "id", getattr(call.func, "attr", "")))


def _misfits() -> Iterator[str]:
    """Why a template cannot be sent as the clinic file describes it."""
    module = tree(SOURCE / "conversation" / "outbound" / "templates.py")
    misfit = next(node for node in ast.walk(module) if isinstance(node, ast.FunctionDef) and node.name == "misfit")
    returned = [node.value for node in ast.walk(misfit) if isinstance(node, ast.Return) and node.value]
    yield from (text for node in returned if (text := template(node)) and text != "is {}")
    yield from SHOWN_WITH_MORE


def of_commands() -> Iterator[str]:
    """Descriptions of commands and options, and what they say."""
    yield from ("Gendei: a clinic's receptionist on WhatsApp.", "Show this message and exit.", "warning", *USAGE)
    yield from (*LABELS, *COUNTED, *LIBRARIES)
    yield from (problem.replace("{ids}", GAP) for problem in PROBLEMS.values())
    yield from (text for text, _ in main.GROUPS.values())
    for path in sorted((SOURCE / "cli").glob("*.py")):
        module = tree(path)
        assigned = {
            target.id: node.value
            for node in ast.walk(module)
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for call in (node for node in ast.walk(module) if isinstance(node, ast.Call)):
            yield from (text for each in call.keywords if each.arg == "help" for text in either(each.value))
            if _called(call) in SAID_BY:
                shown = (assigned.get(each.id, each) if isinstance(each, ast.Name) else each for each in call.args)
                yield from (text for each in shown for text in either(each) if _has_words(text))
    yield from _docstrings()
    yield from _described_arguments()


def printed_in_one_language() -> Iterator[str]:
    """What commands print with no look at the language: only the demo's texts, which are Portuguese for everybody."""
    for path in sorted((SOURCE / "cli").glob("*.py")):
        for call in ast.walk(tree(path)):
            if isinstance(call, ast.Call) and _called(call) == "print" and path.stem not in IN_PORTUGUESE_ALREADY:
                looked_up = {
                    part
                    for each in ast.walk(call)
                    if isinstance(each, ast.Call) and _called(each) in SAID_BY
                    for part in ast.walk(each)
                }
                written = (template(part) for part in ast.walk(call) if part not in looked_up)
                yield from (f"{path.name}: {text}" for text in written if text and _WORDS.search(text))


def _has_words(text: str) -> bool:
    return any(char.isalpha() for char in text.replace("{}", ""))


def _docstrings() -> Iterator[str]:
    places = {place for _, each in main.GROUPS.values() for place in each.values()}
    places |= set(re.findall(r'="(\w+:\w+)"', (SOURCE / "cli" / "main.py").read_text(encoding="utf-8")))
    for module, function in sorted(place.split(":") for place in places):
        yield main._docstrings(module)[function]


def _described_arguments() -> Iterator[str]:
    """Of the commands that the terminal offers as they are defined."""
    offered = re.compile(r"@offers\((?:\w+\.)?([A-Z_]+)")
    names = {found[1] for path in (SOURCE / "cli").glob("*.py") for found in offered.finditer(path.read_text("utf-8"))}
    modules = [import_module(found.name) for found in walk_packages(commands.__path__, "gendei.commands.")]
    defined = {name: getattr(module, name) for module in modules for name in names if hasattr(module, name)}
    assert defined.keys() == names
    for command in defined.values():
        yield from (field.description for field in command.arguments.model_fields.values() if field.description)


def flat(text: str) -> str:
    """As the catalogue has it: on one line."""
    return " ".join(text.split())


@cache
def read_by_operators() -> frozenset[str]:
    parts = (part for of in (of_files(), of_errors(), of_commands()) for text in of for part in text.split("\n\n"))
    return frozenset(flat(part) for part in parts if _has_words(part) and not _OF_MACHINES.match(part))
