"""A process of a service with a waiting list, until it is killed: `other_process.py URL`."""

import asyncio
import sys
from contextlib import suppress

from tests.contracts.other_process import open_store
from tests.waiting.line import Clinics, Line
from tests.waiting.test_killed import CLINIC

from gendei.clock import system_clock
from gendei.errors import StoreError


async def main(url: str) -> None:
    """Do what is due, again and again, by the machine's clock."""
    async with Line(await open_store(url), system_clock, Clinics(CLINIC)) as line:  # type: ignore[arg-type]
        print("ready", flush=True)
        while True:
            with suppress(StoreError):
                await line.work()
            await asyncio.sleep(0.01)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
