"""Another process at the same store: `other_process.py URL increment PATH TIMES` or `... put PATH NUMBER`."""

import asyncio
import os
import sys

from gendei.documents import Documents, Transaction, put, transact
from gendei.store.firestore import FirestoreDocuments
from gendei.store.sqlite import SqliteDocuments


async def open_store(url: str) -> Documents:
    if url.startswith("firestore://"):
        project = url.removeprefix("firestore://")
        return await FirestoreDocuments.open(project, emulator=os.environ["FIRESTORE_EMULATOR_HOST"])
    return await SqliteDocuments.open(url.removeprefix("sqlite:///"))


async def increment(transaction: Transaction, path: str) -> None:
    counter = await transaction.get(path)
    transaction.put(path, {"count": (counter.data or {"count": 0})["count"] + 1})


async def main(url: str, task: str, path: str, number: str) -> None:
    store = await open_store(url)
    if task == "put":
        await store.commit([put(path, {"count": int(number)})])
    else:
        for _ in range(int(number)):
            await transact(store, lambda transaction: increment(transaction, path))
    await store.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
