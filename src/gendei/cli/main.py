"""The commands that operators script against; each module holds the ones of one errand.

A module is imported when one of its commands is named: the receptionist takes seconds to import, and a new user none.
"""

import importlib
import importlib.metadata
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from gendei.cli.running import reporting


class _Commands(Mapping[str, Callable[..., Any]]):
    """Commands by their names, made when they are asked for; `places` has the "module:function" of each."""

    def __init__(self, places: Mapping[str, str], groups: Mapping[str, Any]) -> None:
        self._places, self._groups = places, groups

    def __getitem__(self, name: str) -> Any:
        if name in self._groups:
            return self._groups[name]
        module, function = self._places[name].split(":")
        one = typer.Typer(add_completion=False)
        one.command(name)(reporting(getattr(importlib.import_module(f"gendei.cli.{module}"), function)))
        return typer.main.get_command(one)

    def __iter__(self) -> Iterator[str]:
        yield from self._places
        yield from self._groups

    def __len__(self) -> int:
        return len(self._places) + len(self._groups)


def _group(help_text: str, **places: str) -> typer.Typer:
    """`places`: name of a command to its "module:function" in this package."""

    class Group(TyperGroup):
        def __init__(self, **attrs: Any) -> None:
            super().__init__(**attrs)
            self.commands = _Commands(places, self.commands)  # type: ignore[assignment]  # nobody adds to it

        def list_commands(self, ctx: Any) -> list[str]:
            return [*self.commands]

    return typer.Typer(
        cls=Group, help=help_text, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False
    )


app = _group(
    "Gendei: a clinic's receptionist on WhatsApp.",
    serve="serving:serve",
    demo="phone:demo",
    chat="phone:chat",
    check="checking:check",
    keygen="data:keygen",
    backup="backup:backup",
    restore="backup:restore",
    eval="evaluate:evaluate",
    appointments="agenda:appointments",
    remind="reminders:remind",
    tools="tools:tools",
    speech="tools:speech",
    mcp="mcp:mcp",
    audit="audit:audit",
)
"""The `gendei` command."""
app.add_typer(
    _group("Clinics in the store.", **{"import": "data:import_clinics", "list": "data:list_clinics"}), name="clinics"
)
app.add_typer(
    _group(
        "Messages that wait to be sent, are in doubt, failed or are parked.",
        show="queue:show",
        replay="queue:replay",
        drop="queue:drop",
    ),
    name="queue",
)
app.add_typer(
    _group("Approved message templates.", list="templates:list_templates", sync="templates:sync"), name="templates"
)
app.add_typer(
    _group("Connected numbers that were stopped.", list="channels:list_channels", resume="channels:resume"),
    name="channels",
)
app.add_typer(
    _group(
        "Conversations that a person has.",
        **{"waiting": "conversations:waiting", "hand-back": "conversations:hand_back"},
    ),
    name="conversations",
)
app.add_typer(
    _group(
        "Who may sign in to the staff pages.",
        add="users:add",
        list="users:list_users",
        role="users:role",
        disable="users:disable",
        enable="users:enable",
        password="users:password",  # noqa: S106  a command
        totp="users:totp",
        sessions="users:sessions",
    ),
    name="users",
)
app.add_typer(
    _group("Tokens for the JSON API.", add="tokens:add", list="tokens:list_tokens", revoke="tokens:revoke"),
    name="tokens",
)


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
