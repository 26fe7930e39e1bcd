"""`gendei mcp`: the clinic for an assistant on this machine, over standard input and output."""

import os
import stat
from pathlib import Path
from typing import Annotated

import typer

from gendei.app import ServiceRole, open_gendei
from gendei.cli.language import say
from gendei.cli.running import run
from gendei.errors import ConfigurationError
from gendei.settings import Settings
from gendei.telemetry import configure_logs

OTHERS = stat.S_IRWXG | stat.S_IRWXO
"""What a file with a secret grants to nobody."""


def mcp(
    token: Annotated[str, typer.Option(help="A token of `gendei tokens add`; other users can see it in `ps`.")] = "",
    token_file: Annotated[Path | None, typer.Option(help="A file with the token and nothing else.")] = None,
) -> None:
    """Serve the Model Context Protocol until the input ends. What it sends leaves through a running `gendei serve`."""
    settings = Settings.load()
    configure_logs(settings)
    run(_serve(settings, token or _read(token_file)))


def _read(token_file: Path | None) -> str:
    remedy = "Give --token, or --token-file with a file that holds it."
    if token_file is None:
        raise ConfigurationError("--token", "", "is missing.", remedy)
    try:
        if os.name == "posix" and token_file.stat().st_mode & OTHERS:
            said = f"gendei: others on this machine may read {token_file}. Run `chmod 600 {token_file}`."
            say(said, aside=True)
        return token_file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        raise ConfigurationError("--token-file", "", "cannot be read.", remedy) from None


async def _serve(settings: Settings, token: str) -> None:
    from gendei.mcp.server import serve_stdio  # noqa: PLC0415  other commands need not wait for it

    async with open_gendei(settings, role=ServiceRole.WEB) as gendei:
        if await gendei.staff.tokens.actor_of(token) is None:
            raise ConfigurationError(
                "--token", "", "is not good, or not any more.", "Make one with `gendei tokens add`."
            )
        await serve_stdio(gendei, token)
