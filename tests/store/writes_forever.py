"""`writes_forever.py FILE`: create documents and print the id of each only when its commit was answered."""

import asyncio
import itertools
import sys

from gendei.documents import create
from gendei.store.sqlite import SqliteDocuments


async def main(path: str) -> None:
    store = await SqliteDocuments.open(path)
    numbers = itertools.count()

    async def write() -> None:
        for number in numbers:
            await store.commit([create(f"things/{number}", {"n": number}), create(f"copies/{number}", {"n": number})])
            print(number, flush=True)

    await asyncio.gather(*(write() for _ in range(8)))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
