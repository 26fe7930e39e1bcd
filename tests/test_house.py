"""The house is in order: settings, dependencies, locks and documents say what the code says."""

import ast
import importlib.metadata
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import pytest
from pydantic import AliasChoices
from typer.testing import CliRunner

from gendei.channel_kinds import CHANNEL_KINDS
from gendei.cli import app as gendei
from gendei.settings import Settings

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "gendei"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
LOCKS = ("requirements.lock", "requirements-build.lock", "requirements-dev.lock")
CODE = sorted(path for folder in ("src", "tests", "bench") for path in (ROOT / folder).rglob("*.py"))
MOST_LINES = 400
SHARED = {
    "google.api_core": "google-api-core",
    "google.auth": "google-auth",
    "google.cloud": "google-cloud-firestore",
    "google.protobuf": "protobuf",
    "opentelemetry.exporter": "opentelemetry-exporter-otlp-proto-http",
    "opentelemetry.sdk": "opentelemetry-sdk",
    "opentelemetry.trace": "opentelemetry-api",
}
"""Packages under a name that several distributions share, and whose each is."""
FOUND_BY_OTHERS = {"httptools", "tzdata"}
"""What uvicorn and zoneinfo take where it is installed; our code imports neither."""


def documents(paths: list[Path]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("document", paths, ids=lambda path: str(path.relative_to(ROOT)))


def normal(name: str) -> str:
    """A distribution's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def names(requirements: list[str]) -> set[str]:
    return {normal(found[0]) for requirement in requirements if (found := re.match(r"[\w.-]+", requirement))}


RUN = names(PROJECT["project"]["dependencies"])
GROUPS = {
    group: names([entry for entry in entries if isinstance(entry, str)])
    for group, entries in PROJECT["dependency-groups"].items()
}


# Settings


def variables_of(settings: type[Settings]) -> set[str]:
    found = set()
    for name, field in settings.model_fields.items():
        alias = field.validation_alias
        choices = [str(choice) for choice in alias.choices] if isinstance(alias, AliasChoices) else []
        found.update(choices or [f"GENDEI_{name.upper()}"])
    return found


def test_every_variable_is_in_the_example_and_no_other():
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    assert set(re.findall(r"^(?:# )?([A-Z][A-Z0-9_]+)=", example, re.MULTILINE)) == variables_of(Settings)


def test_every_default_in_the_example_is_the_default():
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    shown = dict(re.findall(r"^# GENDEI_([A-Z_]+)=(.+)$", example, re.MULTILINE))
    defaults = {name.upper(): field.default for name, field in Settings.model_fields.items()}
    assert shown == {name: str(defaults[name]).replace("False", "false") for name in shown}


def test_the_example_as_it_stands_can_be_used(monkeypatch):
    for variable in variables_of(Settings):
        monkeypatch.delenv(variable, raising=False)
    assert Settings.load(_env_file=ROOT / ".env.example").database == "sqlite:///gendei.db"


def test_a_variable_that_is_empty_is_not_set(monkeypatch):
    for variable in variables_of(Settings):
        monkeypatch.setenv(variable, "")
    assert Settings.load(_env_file=None) == Settings.model_construct()


# Dependencies


def test_every_dependency_has_its_reason_and_every_reason_its_dependency():
    text = (ROOT / "docs/decisions/dependencies.md").read_text(encoding="utf-8")
    parts = re.split(r"^## To (?:build|train)", text, flags=re.MULTILINE)
    run, build, training = (set(re.findall(r"^\| `([\w.-]+)` \|", part, re.MULTILINE)) for part in parts)
    assert (run, build, training) == (RUN, GROUPS["build"] | GROUPS["dev"], GROUPS["training"])


def test_the_dependencies_are_what_the_code_imports():
    owners = importlib.metadata.packages_distributions()
    modules = {
        module
        for path in sorted((ROOT / "src").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for module in imports_of(node)
    }
    tops = {module.partition(".")[0] for module in modules}
    own = tops - sys.stdlib_module_names - {"gendei", "google", "opentelemetry"}
    shared = {owner for name, owner in SHARED.items() if any(f"{module}.".startswith(f"{name}.") for module in modules)}
    assert {normal(owners[top][0]) for top in own} | shared == RUN - FOUND_BY_OTHERS


def imports_of(node: ast.AST) -> list[str]:
    """The modules of an import statement, and what it takes from them, which may be modules too."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
        return [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return []


# Locks


@cache
def locked(lock: str) -> list[tuple[str, str]]:
    """Each package of a lock with all that stands about it; one that has versions of its own for some Pythons comes
    more than once."""
    text = (ROOT / lock).read_text(encoding="utf-8")
    entries = re.findall(r"^([\w.-]+)==(.*(?:\n    .*)*)", text, re.MULTILINE)
    return [(normal(name), rest) for name, rest in entries]


@pytest.mark.parametrize("lock", LOCKS)
def test_every_package_of_a_lock_is_pinned_with_hashes(lock):
    lines = (ROOT / lock).read_text(encoding="utf-8").splitlines()
    packages = [line for line in lines if line[:1] not in {"#", " ", ""}]
    assert (len(packages), [name for name, rest in locked(lock) if "--hash=sha256:" not in rest]) == (
        len(locked(lock)),
        [],
    )


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_holds_no_address(lock):
    assert re.findall(r"\w+://|--[\w-]*(?:index|links|host)\b", (ROOT / lock).read_text(encoding="utf-8")) == []


def test_there_is_no_other_lock():
    assert not (ROOT / "uv.lock").exists()


def test_the_locks_hold_what_they_are_for():
    wanted = {
        "requirements.lock": RUN,
        "requirements-build.lock": GROUPS["build"],
        "requirements-dev.lock": RUN | GROUPS["build"] | GROUPS["dev"],
    }
    missing = {lock: names - {name for name, _ in locked(lock)} for lock, names in wanted.items()}
    assert missing == {lock: set() for lock in LOCKS}


def test_the_locks_agree():
    everything = locked("requirements-dev.lock")
    parts = [*locked("requirements.lock"), *locked("requirements-build.lock")]
    assert [part for part in parts if part not in everything] == []


# Documents


def found(path: str) -> Path | None:
    """The file or folder that a document means: from the top, in the package, or among the tests."""
    candidates = (ROOT / path, ROOT / "src/gendei" / path, ROOT / "tests" / path)
    return next((candidate for candidate in candidates if candidate.exists()), None)


@cache
def symbols(path: Path) -> frozenset[str]:
    """What a module defines: names, and "Class.name" for what stands in a class."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return frozenset(defined(tree.body))


def defined(body: list[ast.stmt], prefix: str = "") -> list[str]:
    names = []
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            names.append(prefix + node.name)
        elif isinstance(node, ast.ClassDef):
            names += [prefix + node.name, *defined(node.body, f"{node.name}.")]
        elif isinstance(node, ast.Assign):
            names += [prefix + target.id for target in node.targets if isinstance(target, ast.Name)]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.append(prefix + node.target.id)
    return names


def code_spans(document: Path) -> list[str]:
    return re.findall(r"`([^`\n]+)`", document.read_text(encoding="utf-8"))


@documents(DOCUMENTS)
def test_every_name_in_a_document_stands_in_its_file(document):
    spans = [span for span in code_spans(document) if re.fullmatch(r"[\w/.-]+\.py::[\w.:]+", span)]
    pairs = [(path, name.replace("::", ".")) for path, _, name in (span.partition("::") for span in spans)]
    missing = [f"{path}::{name}" for path, name in pairs if (file := found(path)) is None or name not in symbols(file)]
    assert missing == []


@documents(DOCUMENTS)
def test_every_path_in_a_document_exists(document):
    path = re.compile(r"(?:src|tests|docs|prompts|verticals|clinics|[a-z_]+)/[\w/.-]*|[\w.-]+\.(?:py|md|toml|lock)")
    missing = [span for span in code_spans(document) if path.fullmatch(span) and found(span) is None]
    assert missing == []


@documents(DOCUMENTS)
def test_every_link_of_a_document_leads_somewhere(document):
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", document.read_text(encoding="utf-8"))
    assert [link for link in links if not (document.parent / link).exists()] == []


def test_the_layers_of_the_architecture_are_those_that_are_checked():
    text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`.+?`) \|", text.partition("## The way")[0], re.MULTILINE)
    contract, *_ = PROJECT["tool"]["importlinter"]["contracts"]
    assert [re.findall(r"`(\w+)`", row) for row in rows] == [layer.split(" | ") for layer in contract["layers"]]


def test_every_promise_has_a_test():
    rows = re.findall(r"^\| (\d+) \|(.*)$", (ROOT / "docs/architecture.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert [number for number, row in rows if "::test_" in row] == [str(number) for number in range(1, 12)]


def test_every_field_of_the_clinic_file_is_in_its_document():
    tree = ast.parse((ROOT / "src/gendei/clinics/file.py").read_text(encoding="utf-8"))
    explained = {"ClinicYaml", "_Service", "_Professional", "_Booking"}
    fields = {
        node.target.id
        for model in tree.body
        if isinstance(model, ast.ClassDef) and model.name in explained
        for node in model.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }
    assert fields - set(code_spans(ROOT / "docs/clinics.md")) == set()


# What is delivered


def test_everything_that_is_delivered_passes_the_check(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # away from the developer's own .env
    clinics = sorted(str(path) for path in (ROOT / "clinics").glob("*.yaml"))
    result = CliRunner().invoke(gendei, ["check", *clinics], env={"META_TOKEN": "none"})
    assert (len(clinics), result.output, result.exit_code) == (2, "All well.\n", 0)


def test_no_file_is_too_long():
    lengths = {str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines()) for path in CODE}
    assert {path: length for path, length in lengths.items() if length > MOST_LINES} == {}


# Names


@cache
def trees() -> Mapping[Path, ast.Module]:
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in CODE}


SAME_NAME = frozenset(
    "Action Answer Call Change ConversationList Declined Failure Fault Goal Item Kind Link Memory Option Patient "
    "Places Prices Problem Recorded Refused Said Say Scope Sent Service Session Shape Shown Speaker Speech State Tap "
    "Task Told TooMuch Trouble Unfit Written".split()
)
"""Public classes of two folders that never import each other's, in which each is the plain word for its own thing.
A new one takes a name of its own."""
SAME_FILE = frozenset(
    "agenda.py appointments.py blocks.py conversation.py fields.py page.py patients.py settings.py stored.py tasks.py "
    "texts.py".split()
)
"""The capability's own word (agenda, tasks), or its part of a mechanism (texts, page):
in more than two folders."""


def in_source(path: Path) -> bool:
    return path.is_relative_to(SOURCE)


def in_several(names: Iterable[str], most: int) -> frozenset[str]:
    """The names that come more than `most` times."""
    return frozenset(name for name, times in Counter(names).items() if times > most)


def test_no_two_public_classes_have_the_same_name():
    classes = [
        node.name
        for path in filter(in_source, CODE)
        for node in trees()[path].body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    ]
    assert in_several(classes, 1) == SAME_NAME


def test_no_file_name_stands_in_more_than_two_folders():
    files = [path.name for path in filter(in_source, CODE) if not path.name.startswith("__")]
    assert in_several(files, 2) == SAME_FILE


NAMED = ("src/gendei", "bench", "tests")
"""Where a loop variable has the name of the thing."""


def test_no_loop_variable_is_called_one():
    loops = ast.For | ast.AsyncFor | ast.comprehension
    nameless = [
        f"{path.relative_to(ROOT)}: {ast.unparse(loop.target)} in {ast.unparse(loop.iter)}"
        for path, tree in trees().items()
        if str(path.relative_to(ROOT)).startswith(NAMED)
        for loop in ast.walk(tree)
        if isinstance(loop, loops)
        and any(isinstance(part, ast.Name) and part.id == "one" for part in ast.walk(loop.target))
    ]
    assert nameless == []


TOLD = ("docs", "prompts", "verticals", "tests", *NAMED)
"""Where a text says a fact itself, and not from which "seed N" it came."""
SEEDS_OF_CHANCE = {"test_report.py", "test_house.py"}
"""Files that show the seed of a run's random numbers."""


def test_a_text_says_the_fact_and_not_the_seed_that_it_came_from():
    spoken = re.compile(r"(?<!--)\bseeds? \d", re.IGNORECASE)
    kinds = {".py", ".md", ".yaml", ".css", ".js", ".html"}
    files = [path for folder in TOLD for path in (ROOT / folder).rglob("*") if path.suffix in kinds]
    assert [
        str(path.relative_to(ROOT))
        for path in files
        if path.name not in SEEDS_OF_CHANCE and spoken.search(path.read_text(encoding="utf-8"))
    ] == []


OWN_CODE_OF_A_CHANNEL = ("providers/", "conversation/site/", "web/api/chat_", "web/pages/demo.py", "cli/templates.py")
"""What is about one channel by its nature: its adapter, the web site's chat, the demo's phone, Meta's templates."""


def test_nobody_asks_for_a_channels_name_where_a_capability_is_meant() -> None:
    names = "|".join(CHANNEL_KINDS)
    asks = re.compile(rf'[!=]= (?:WEB\b|"(?:{names})")|\bin {{[^}}]*(?:WEB\b|"(?:{names})")')
    found = [
        f"{path.relative_to(SOURCE)}: {line.strip()}"
        for path in sorted(SOURCE.rglob("*.py"))
        if not str(path.relative_to(SOURCE)).startswith(OWN_CODE_OF_A_CHANNEL)
        for line in path.read_text(encoding="utf-8").splitlines()
        if asks.search(line)
    ]

    assert found == []
