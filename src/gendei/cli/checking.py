"""`gendei check`: clinics, prompts and verticals as data."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from gendei.checking import check_files
from gendei.cli.language import print_warnings, say, told
from gendei.clinics.file import warnings_of
from gendei.datafile import Problems, data_dir
from gendei.environment import environment
from gendei.mcp.texts import McpTexts
from gendei.settings import Settings


def check(
    files: Annotated[list[Path] | None, typer.Argument(metavar="[FILE...]", help="Clinic files to check too.")] = None,
) -> None:
    """Check prompts, phrases, intents, verticals and clinic files; nothing is stored and no key is needed."""
    settings, texts = Settings.load(), Problems()
    with texts.gather():
        McpTexts.load(data_dir("prompts", settings.prompts_dir))
    problems = (*check_files(settings, files or []), *texts.found)
    print_warnings(warnings_of(files or [], environment()))
    for problem in problems:
        print(told(problem), file=sys.stderr)
    if problems:
        raise typer.Exit(1)
    say("All well.")
