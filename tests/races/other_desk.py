"""Another process at the same agenda: `other_desk.py URL FIRST COUNT` books 09:00 to 09:45 for COUNT contacts at once,
and prints (won, lost, lost without an offer)."""

import asyncio
import json
import sys
from datetime import timedelta
from functools import partial

from tests.booking.builders import TestClock, at, request
from tests.contracts.other_process import open_store
from tests.races.racing import CLINIC, contacts, race

from gendei.booking.desk import BookingDesk


async def main(url: str, first: str, count: str) -> None:
    store = await open_store(url)
    desk = BookingDesk(store, TestClock())
    starts = [at(2, "09:00") + timedelta(minutes=5 * number) for number in range(10)]
    ran = await race(
        partial(desk.book, CLINIC, one, request(starts[number % 10], "Paciente"))
        for number, one in enumerate(contacts(int(count), int(first)))
    )
    print(json.dumps([len(ran.winners), len(ran.losers), len(ran.empty_handed)]))
    await store.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
