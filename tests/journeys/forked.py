"""`gendei` in processes of their own that start at once.

To import the service takes seconds of processor time. One process per test run imports it, and each process that a test
starts is a fork of that one (multiprocessing's "forkserver"): nothing but imported modules is shared.
"""

import asyncio
import multiprocessing
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

from tests.cheap_passwords import hash_cheaply

from gendei.cli import app

_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(["gendei.cli.serving", "gendei.cli.mcp", "gendei.web.pages.mount"])


@dataclass(frozen=True)
class Forked:
    """A running process, with the methods of asyncio's. `output`: the file descriptor of what it writes, which whoever
    started it closes."""

    _process: BaseProcess
    output: int

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        """None while it runs; below 0, the signal that ended it."""
        return self._process.exitcode

    def terminate(self) -> None:
        self._process.terminate()

    def kill(self) -> None:
        self._process.kill()

    def join(self) -> None:
        self._process.join()

    async def wait(self) -> int:
        await asyncio.to_thread(self._process.join)
        assert self._process.exitcode is not None
        return self._process.exitcode


def start_gendei(
    folder: Path, variables: Mapping[str, str], *arguments: str, stream: int = 2, cheap: bool = False
) -> Forked:
    """Start `gendei` with `arguments` in `folder`; `variables` are its whole environment. `stream`: which of its
    streams is `output`, 1 or 2. `cheap`: passwords cost no time. Blocks for seconds the first time."""
    reader, writer = _FORKS.Pipe(duplex=False)
    with reader, writer:
        given = (folder, dict(variables), arguments, writer, stream, cheap)
        process = _FORKS.Process(target=_run, args=given, daemon=True)
        process.start()
        return Forked(process, os.dup(reader.fileno()))


def _run(
    folder: Path, variables: dict[str, str], arguments: tuple[str, ...], written: Connection, stream: int, cheap: bool
) -> None:
    """In the fork."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(variables)
    with written:
        os.dup2(written.fileno(), stream)
    sys.argv = ["gendei", *arguments]
    if cheap:
        hash_cheaply()
    app()
