"""`gendei check`: clinics, prompts and verticals as data."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gendei.checking import check_files
from gendei.cli.language import print_warnings, say, told
from gendei.cli.running import run
from gendei.clinics.file import load_clinics, warnings_of
from gendei.datafile import Problems, data_dir
from gendei.environment import environment
from gendei.mcp.texts import McpTexts
from gendei.secrets import SecretBox, new_key
from gendei.settings import Settings
from gendei.verticals import load_verticals

if TYPE_CHECKING:
    from gendei.voice.voice_check import VoicesAsked


def check(
    files: Annotated[list[Path] | None, typer.Argument(metavar="[FILE...]", help="Clinic files to check too.")] = None,
) -> None:
    """Check prompts, phrases, intents, verticals and clinic files; nothing is stored and no key is needed. A speech
    service that is named is asked for its voice."""
    settings, texts = Settings.load(), Problems()
    with texts.gather():
        McpTexts.load(data_dir("prompts", settings.prompts_dir))
    problems = (*check_files(settings, files or []), *texts.found)
    print_warnings(warnings_of(files or [], environment()))
    if not problems and (voices := _voices(settings, files or [])) is not None:
        print_warnings(voices.unknown)
        problems = voices.refused
    for problem in problems:
        print(told(problem), file=sys.stderr)
    if problems:
        raise typer.Exit(1)
    say("All well.")


def _voices(settings: Settings, files: Sequence[Path]) -> "VoicesAsked | None":
    """What the speech services say, of files without problems; None where there is none."""
    box = SecretBox(new_key())
    verticals = load_verticals(data_dir("verticals", settings.verticals_dir))
    clinics = load_clinics(files, environment(), verticals, box, settings.private_networks)
    if not settings.speech_url and not any(clinic.voice.synthesis.base_url for clinic in clinics):
        return None
    from gendei.voice.voice_check import ask_for_voices  # noqa: PLC0415  # nothing else here is about sound

    return run(ask_for_voices(settings, clinics, box))
