"""Processes that answer and send, beside the one that takes in: kept running while it runs."""

import asyncio
import logging
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from threading import Thread
from typing import Self

from gendei.app import ServiceRole

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 30.0
"""Seconds before a worker that ended is started anew; doubled while it ends early."""
EARLY_SECONDS = 60.0
STOP_SECONDS = 9.0
"""What a worker takes at the most to finish and hand on what it has (see serving.GRACE_SECONDS)."""
ATTACHED = "--attached"
_INPUT = 0
_log = logging.getLogger(__name__)


class Workers:
    """`count` workers, while the context is open. port: the first answers /healthz, /readyz and /metrics on the next
    one of this machine, the second on the one after it; 0 for any free ones."""

    def __init__(self, count: int, port: int) -> None:
        self._ports = [port and port + number for number in range(1, count + 1)]
        self._keepers: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        self._keepers = [asyncio.create_task(self._keep(port)) for port in self._ports]
        return self

    async def __aexit__(self, *_: object) -> None:
        for keeper in self._keepers:
            keeper.cancel()
        await asyncio.gather(*self._keepers, return_exceptions=True)

    async def _keep(self, port: int) -> None:
        loop, pause = asyncio.get_running_loop(), FIRST_PAUSE
        while True:
            began = loop.time()
            process = await _start(port)
            try:
                status = await process.wait()
            finally:
                await _stop(process)
            pause = FIRST_PAUSE if loop.time() - began > EARLY_SECONDS else min(2 * pause, LONGEST_PAUSE)
            _log.error("a worker ended with status %d and is started anew in %g s", status, pause)
            await asyncio.sleep(pause)


async def _start(port: int) -> Process:
    """In a session of its own: Ctrl+C in a terminal is for the process that keeps it. Its input stays open while that
    process lives."""
    options = ("--role", ServiceRole.WORKER.value, "--port", str(port), ATTACHED)
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "gendei.cli", "serve", *options, stdin=PIPE, start_new_session=True
    )


async def _stop(process: Process) -> None:
    if process.returncode is not None:
        return
    process.terminate()
    try:
        async with asyncio.timeout(STOP_SECONDS):
            await process.wait()
    except TimeoutError:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def end_with_keeper() -> None:
    """Stop this process as SIGTERM does once its input ends: whoever keeps it is gone, however that came."""

    def watch() -> None:
        while os.read(_INPUT, 1):  # past sys.stdin, whose lock would still be held at the end of the process
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    Thread(target=watch, name="gendei-keeper", daemon=True).start()
