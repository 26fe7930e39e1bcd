"""Two processes of a service that are killed and started again, by a module that prints "ready" once it works."""

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from random import Random

from tests.contracts.conftest import Engine

PROCESSES, FEWEST = 2, 5
"""Kills: on a machine with much else to do, processes take long to begin."""


async def killing(module: str, engine: Engine, rng: Random, until: float, pauses: tuple[float, float]) -> int:
    """Kill and start again one of the processes after pauses of so many seconds, until the loop's time is `until`, and
    FEWEST times at least; how often. `module`: run with the store's address."""
    running, kills = [await _started(module, engine) for _ in range(PROCESSES)], 0
    while asyncio.get_running_loop().time() < until or kills < FEWEST:
        await asyncio.sleep(rng.uniform(*pauses))
        place = rng.randrange(PROCESSES)
        running[place].kill()
        await running[place].wait()
        running[place], kills = await _started(module, engine), kills + 1
    for process in running:
        process.kill()
        await process.wait()
    return kills


async def _started(module: str, engine: Engine) -> Process:
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", module, engine.url, stdout=PIPE)
    assert process.stdout is not None
    await process.stdout.readline()
    return process
