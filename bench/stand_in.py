"""The Graph API's stand-in in a process of its own, so that its time is not counted.

`python -m bench.stand_in` prints its base URL and serves until its standard input ends.
"""

import asyncio
import sys

from bench.loop import run
from gendei.providers.stand_in.graph import GraphSimulator
from gendei.providers.stand_in.local_server import serve


async def _serve() -> None:
    async with serve(GraphSimulator().app) as url:
        print(url, flush=True)
        await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    run(_serve())
