"""The language of the terminal: English, or Portuguese where the operator's settings or locale say so."""

import gettext
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial, reduce
from typing import Any

from gendei.environment import speaks_portuguese
from gendei.errors import ConfigurationError, GendeiError

USAGE = ("Usage", "OPTIONS", "COMMAND")
"""Words of the line that tells how a command is written."""


def worded(text: str) -> str:
    """A sentence, or a part of one, in the operator's language."""
    if not speaks_portuguese():
        return text
    from gendei.portuguese import in_portuguese  # noqa: PLC0415  # nobody else waits for it

    return in_portuguese(text)


def say(text: str, *, aside: bool = False) -> None:
    """Print a sentence. aside: to standard error."""
    print(worded(text), file=sys.stderr if aside else None)


def told(error: GendeiError) -> str:
    """What went wrong, and what to do."""
    if not speaks_portuguese():
        return str(error)
    from gendei.portuguese import explained  # noqa: PLC0415

    return explained(error)


def print_warnings(found: Iterable[ConfigurationError]) -> None:
    """What is taken as it stands, and should be looked at."""
    for warning in found:
        print(f"{worded('warning')}: {told(warning)}", file=sys.stderr)


def localized(command: Any) -> Any:
    """A command or group of typer's with its help in the operator's language."""
    if not speaks_portuguese():
        return command
    command.help = worded(command.help or "")
    for parameter in command.params:
        if getattr(parameter, "help", None):
            parameter.help = worded(parameter.help)
    usage, help_option = command.get_usage, command.get_help_option
    command.get_usage = lambda context: reduce(
        lambda line, word: line.replace(word, worded(word), 1), USAGE, usage(context)
    )

    def get_help_option(context: Any) -> Any:
        option = help_option(context)
        if option is not None:
            option.help = worded(option.help or "")
        return option

    command.get_help_option = get_help_option
    return command


@contextmanager
def usage_errors_told() -> Iterator[None]:
    """What typer says of wrong options and arguments comes out in the operator's language."""
    try:
        yield
    except Exception as error:
        message: Callable[[], str] | None = getattr(error, "format_message", None)
        if message is not None and not isinstance(message, partial):
            error.format_message = partial(_worded_message, message)  # type: ignore[attr-defined]  # as typer calls it
        raise


def _worded_message(message: Callable[[], str]) -> str:
    return worded(message())


def translate_frames() -> None:
    """Let typer's own words (its headings, "required") be looked up too. It asks gettext once, when it is imported."""
    if speaks_portuguese():
        gettext.gettext = worded  # type: ignore[assignment]  # the name of its argument differs
