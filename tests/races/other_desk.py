"""Another process at the same agenda: `other_desk.py URL TASK FIRST COUNT [APPOINTMENT]` lets COUNT contacts want
something at once, and prints (won, lost, lost without an offer).

book: 09:00 to 09:45. mixed: some book 11:00, staff book a little before it, and staff move APPOINTMENT to a little
after it, so that at most one of all these can stand.
"""

import asyncio
import json
import sys
from collections.abc import Iterator
from datetime import timedelta
from functools import partial

from tests.booking.builders import TestClock, at, request
from tests.contracts.other_process import open_store
from tests.races.racing import CLINIC, Attempt, contacts, race

from gendei.booking.desk import BookingDesk, StaffAct

NINE, ELEVEN = at(2, "09:00"), at(2, "11:00")
RECEPTION = StaffAct("Recepção")


def book(desk: BookingDesk, first: int, count: int) -> Iterator[Attempt]:
    for number, contact in enumerate(contacts(count, first)):
        yield partial(desk.book, CLINIC, contact, request(NINE + timedelta(minutes=5 * (number % 10)), "Paciente"))


def mixed(desk: BookingDesk, first: int, count: int, appointment: str) -> Iterator[Attempt]:
    *patients, of_staff = contacts(count, first)
    yield partial(desk.move, CLINIC, None, appointment, ELEVEN + timedelta(minutes=10), act=RECEPTION)
    yield partial(desk.book, CLINIC, of_staff, request(ELEVEN - timedelta(minutes=10)), act=RECEPTION)
    for patient in patients:
        yield partial(desk.book, CLINIC, patient, request(ELEVEN, "Paciente"))


async def main(url: str, task: str, first: str, count: str, *appointment: str) -> None:
    store = await open_store(url)
    desk = BookingDesk(store, TestClock())
    wants = mixed(desk, int(first), int(count), *appointment) if task == "mixed" else book(desk, int(first), int(count))
    ran = await race(wants)
    print(json.dumps([len(ran.winners), len(ran.losers), len(ran.empty_handed)]))
    await store.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
