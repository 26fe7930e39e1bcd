"""What every command needs: settings, a loop, logs without anybody's words, and errors that say what to do."""

import asyncio
import functools
import gc
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar

import typer

from gendei.cli.language import told, usage_errors_told, worded
from gendei.errors import GendeiError

P = ParamSpec("P")
T = TypeVar("T")


class PortTaken(GendeiError):
    """Another program has this port, or the address is not this machine's. Choose another with --port or --host."""


@contextmanager
def uncollected() -> Iterator[None]:
    """Inside, the garbage collector rests. Imports make many objects and hardly any garbage, so that looking through
    them again and again takes up to a quarter of a start."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run a command's coroutine, on uvloop where there is one."""
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        return runner.run(main)


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop  # noqa: PLC0415  # absent on Windows
    except ImportError:
        return None
    return uvloop.new_event_loop


def reporting(command: Callable[P, None]) -> Callable[P, None]:
    """A command whose expected errors end it with their message and status 1, without a traceback."""

    @functools.wraps(command)
    def run_command(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            with usage_errors_told():
                command(*args, **kwargs)
        except GendeiError as error:
            print(_explained(error), file=sys.stderr)
            raise typer.Exit(1) from None
        except KeyboardInterrupt:
            raise typer.Exit(130) from None

    return run_command


def _explained(error: GendeiError) -> str:
    return f"gendei: {told(error)}"


def on_terminal() -> bool:
    """Whether a person can be asked."""
    return sys.stdin.isatty()


def counted(count: int, single: str, several: str = "") -> str:
    """ "1 retry", "2 retries". several: where it is not `one` with an s."""
    return f"{count} {worded(single if count == 1 else several or f'{single}s')}"
