"""A process of a service that sends a campaign, until it is killed: `other_process.py URL`."""

import asyncio
import sys
from contextlib import suppress

from tests.campaigns.sender import Sender
from tests.campaigns.test_killed import CLINICS
from tests.contracts.other_process import open_store

from gendei.clock import system_clock
from gendei.errors import StoreError


async def main(url: str) -> None:
    """Do what is due, again and again, by the machine's clock."""
    async with Sender(await open_store(url), system_clock, CLINICS) as sender:  # type: ignore[arg-type]
        print("ready", flush=True)
        while True:
            with suppress(StoreError):
                await sender.work.sweep()
                await sender.work.idle()
            await asyncio.sleep(0.01)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
