"""The commands that operators script against; each module holds the ones of one errand.

A module is imported when one of its commands runs: the receptionist takes seconds to import, and a new user none.
Lists of commands are made from the docstrings in the modules' source.
"""

import ast
import importlib
import importlib.metadata
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from gendei.cli.language import localized, usage_errors_told, worded
from gendei.cli.running import reporting, uncollected


class _Command(TyperCommand):
    """A command known by its name and docstring, whose module is imported once it is called or asked for its help."""

    def __init__(self, name: str, place: str) -> None:
        """place: "module:function" in this package."""
        self._module, self._function = place.split(":")
        super().__init__(name, help=worded(_docstrings(self._module)[self._function]))

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """Parse the arguments. The context is that of the real command, which runs in the place of this one."""
        with uncollected():
            module = importlib.import_module(f"{__package__}.{self._module}")
        loaded = typer.Typer(add_completion=False)
        loaded.command(self.name)(reporting(getattr(module, self._function)))
        command = localized(typer.main.get_command(loaded))
        with usage_errors_told():
            return command.make_context(info_name, args, parent, **extra)


@cache
def _docstrings(module: str) -> dict[str, str]:
    """The docstring of each function of a module of this package, from its source: the module is not imported."""
    source = Path(__file__).with_name(f"{module}.py").read_text(encoding="utf-8")
    functions = (node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef))
    return {function.name: ast.get_docstring(function) or "" for function in functions}


def _group(help_text: str, **places: str) -> typer.Typer:
    """`places`: name of a command to its "module:function" in this package."""

    class Group(TyperGroup):
        def __init__(self, **attrs: Any) -> None:
            super().__init__(**attrs)
            names = dict.fromkeys(places)  # for lists and suggestions
            self.commands = {**names, **self.commands}  # type: ignore[dict-item]  # get_command makes those of `places`
            localized(self)

        def make_context(self, *args: Any, **kwargs: Any) -> Any:
            with usage_errors_told():
                return super().make_context(*args, **kwargs)

        def resolve_command(self, *args: Any, **kwargs: Any) -> Any:
            with usage_errors_told():
                return super().resolve_command(*args, **kwargs)

        def get_command(self, ctx: Any, cmd_name: str) -> Any:
            place = places.get(cmd_name)
            return _Command(cmd_name, place) if place else super().get_command(ctx, cmd_name)

    return typer.Typer(
        cls=Group, help=help_text, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False
    )


app = _group(
    "Gendei: a clinic's receptionist on WhatsApp.",
    serve="serving:serve",
    demo="phone:demo",
    chat="phone:chat",
    check="checking:check",
    keygen="keys:keygen",
    backup="backup:backup",
    restore="backup:restore",
    eval="evaluate:evaluate",
    explain="explaining:explain",
    appointments="agenda:appointments",
    payments="payments:list_payments",
    remind="reminders:remind",
    tools="tools:tools",
    speech="speech:speech",
    costs="costs:costs",
    mcp="mcp:mcp",
    audit="audit:audit",
)
"""The `gendei` command."""
GROUPS: dict[str, tuple[str, dict[str, str]]] = {
    "clinics": (
        "Clinics in the store.",
        {"import": "data:import_clinics", "list": "clinics:list_clinics", "export": "clinics:export_clinic"}
        | {name: f"clinic_changes:{name}_clinic" for name in ("set", "undo")}
        | {"history": "clinic_changes:clinic_history"}
        | {"new": "new_clinic:new_clinic", "invite": "new_clinic:invite"},
    ),
    "queue": (
        "Messages that wait to be sent, are in doubt, failed or are parked.",
        {"show": "queue:show", "replay": "queue:replay", "drop": "queue:drop"},
    ),
    "templates": (
        "Approved message templates.",
        {"list": "templates:list_templates"} | {name: f"templates:{name}" for name in "sync create setup".split()},
    ),
    "channels": (
        "Connected numbers: those that were stopped, and new ones.",
        {"list": "channels:list_channels", "resume": "channels:resume"}
        | {"connect": "connecting:connect", "connections": "connecting:connections", "continue": "connecting:go_on"},
    ),
    "conversations": (
        "Conversations that a person has.",
        {"waiting": "conversations:waiting", "hand-back": "conversations:hand_back"},
    ),
    "patients": (
        "What is kept of a patient.",
        {"export": "patients:export", "erase": "patients:erase"},
    ),
    "knowledge": (
        "What a clinic answers its patients' questions with.",
        {"list": "knowledge:list_knowledge", "import": "knowledge:import_knowledge"}
        | {name: f"knowledge:{name}" for name in "export approve retire ask test read starter".split()}
        | {name: f"knowledge:{name}" for name in "gaps answer dismiss".split()},
    ),
    "waiting": (
        "Who is told of time that becomes free.",
        {"list": "waiting_entries:list_waiting", "add": "waiting_entries:add", "remove": "waiting_entries:remove"},
    ),
    "campaigns": (
        "Messages to many who agreed to marketing.",
        {"list": "campaigns:list_campaigns", "continue": "campaigns:go_on"}
        | {name: f"campaigns:{name}" for name in ("preview", "recipients", "pause", "stop")},
    ),
    "deposits": (
        "What staff do about deposits, which `gendei payments` lists.",
        {"given": "payments:refund_was_given"}
        | {name: f"payments:{name}" for name in "look waive receive refund address".split()},
    ),
    "users": (
        "Who may sign in to the staff pages.",
        {"add": "users:add", "list": "users:list_users"}
        | {name: f"users:{name}" for name in "role disable enable password totp sessions".split()},
    ),
    "tokens": (
        "Tokens for the JSON API.",
        {"add": "tokens:add", "list": "tokens:list_tokens", "revoke": "tokens:revoke"},
    ),
}
for group, (text, places) in GROUPS.items():
    app.add_typer(_group(text, **places), name=group)


def _tell_version(wanted: bool) -> None:
    if wanted:
        print(f"gendei {importlib.metadata.version('gendei')}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", is_eager=True, callback=_tell_version)
    ] = False,
) -> None:
    """Gendei: a clinic's receptionist on WhatsApp."""
