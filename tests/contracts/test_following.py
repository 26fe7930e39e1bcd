"""Events on every engine: written with what they tell of, followed in order, once in effect, by several processes."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import timedelta

import pytest
from tests.booking.builders import MARIA, TestClock, at, hours, make_clinic, request
from tests.conversation.cast import PATIENCE
from tests.followers import EFFECTS, StoredRecorder

from gendei.booking.appointment import Appointment
from gendei.booking.desk import BookingDesk
from gendei.booking.events import telling_imports
from gendei.clinic import ClinicId, Contact
from gendei.clinics.directory import Directory
from gendei.conversation.work.following import BACKOFF, Following, FollowingPace, read_entry, write_entry
from gendei.documents import Data, Documents, Query, Transaction, transact
from gendei.errors import Conflict
from gendei.messages.keys import EVENTS

CLINIC, OTHER = make_clinic(), make_clinic(id=ClinicId("sorriso"))
PACE = FollowingPace(look_again=0.01)
LIFE = ["booked", "presence_confirmed", "moved", "time_freed", "cancelled", "time_freed"]


@dataclass
class Process:
    desk: BookingDesk
    following: Following
    follower: StoredRecorder

    @classmethod
    def on(cls, store: Documents, clock: TestClock) -> "Process":
        following = Following(store, clock, pace=PACE)
        follower = StoredRecorder(store)
        following.register(follower)
        return cls(BookingDesk(store, clock, following.tell), following, follower)


async def effects(store: Documents, stream: str) -> list[Data]:
    found = await store.query(Query(EFFECTS, where=(("stream", "==", stream),)))
    return sorted((snapshot.data or {} for snapshot in found), key=lambda field: field["ordinal"])


async def until_followed(store: Documents) -> None:
    async with asyncio.timeout(PATIENCE), store.watch(Query(EVENTS)) as results:
        async for found in results:
            if not found:
                return


async def live(first: Process, second: Process, number: int) -> Appointment:
    """One appointment's life, every other step of it in the second process."""
    contact = Contact(f"{MARIA[:-2]}{number:02}")
    start = at(2 + number // 4, ("08:00", "09:00", "10:00", "11:00")[number % 4])
    booked = await first.desk.book(CLINIC, contact, request(start))
    await second.desk.confirm_presence(CLINIC, contact, booked.id)
    await first.desk.move(CLINIC, contact, booked.id, start + timedelta(days=7))
    return await second.desk.cancel(CLINIC, contact, booked.id)


async def test_an_event_and_its_change_are_one_commit(store: Documents) -> None:
    """Whoever was first in writing the event's document refuses the change, too."""
    following = Following(store, TestClock(), tells_all=True)
    desk = BookingDesk(store, TestClock(), following.tell)
    booked = await desk.book(CLINIC, MARIA, request(at(2, "10:00")))
    [event] = [read_entry(snapshot.data) for snapshot in await store.query(Query(EVENTS))]

    async def again(transaction: Transaction) -> None:
        transaction.put("effects/beside", {"written": True})
        following.tell(transaction, [event.event])

    with pytest.raises(Conflict):
        await transact(store, again)
    assert (event.event.appointment_id, await store.query(Query("effects"))) == (booked.id, [])


async def test_an_entry_is_read_as_it_was_written(store: Documents) -> None:
    following = Following(store, TestClock(), tells_all=True)
    moved_by = BookingDesk(store, TestClock(), following.tell)
    booked = await moved_by.book(CLINIC, MARIA, request(at(2, "10:00")))
    await moved_by.move(CLINIC, None, booked.id, at(3, "10:00"))
    for found in await store.query(Query(EVENTS)):
        entry = read_entry(found.data)
        failed = entry.claimed("me", at(2, "10:00"), ()).after({"one": "ValueError", "two": None}, at(2, "10:00"))
        for value in (entry, failed):
            assert read_entry(write_entry(value)) == value
        assert (write_entry(entry), found.path) == (found.data, entry.path)
        assert failed.failed["one"].attempts < BACKOFF.attempts


async def test_two_processes_follow_each_appointment_in_order(store: Documents) -> None:
    first, second = (Process.on(store, TestClock()) for _ in range(2))
    async with first.following, second.following:
        lives = await asyncio.gather(*(live(first, second, number) for number in range(8)))
        other = await first.desk.book(OTHER, MARIA, request(at(2, "10:00")))
        await until_followed(store)
    for appointment in lives:
        told = await effects(store, f"{CLINIC.id}/{appointment.id}")
        assert [item["kind"] for item in told] == LIFE
        assert [field["ordinal"] for field in told] == list(range(len(LIFE)))
    assert [effect["kind"] for effect in await effects(store, f"{OTHER.id}/{other.id}")] == ["booked"]
    assert first.follower.given + second.follower.given >= len(lives) * len(LIFE) + 1


async def test_a_change_that_two_make_at_once_is_told_once(store: Documents) -> None:
    first, second = (Process.on(store, TestClock()) for _ in range(2))
    booked = await first.desk.book(CLINIC, MARIA, request(at(2, "10:00")))
    both = await asyncio.gather(*(item.desk.cancel(CLINIC, None, booked.id) for item in (first, second)))
    assert [str(entry.status) for entry in both] == ["cancelled"] * 2
    async with first.following:
        await until_followed(store)
    told = await effects(store, f"{CLINIC.id}/{booked.id}")
    assert [item["kind"] for item in told] == ["booked", "cancelled", "time_freed"]


async def test_two_imports_at_once_tell_what_each_opens(store: Documents) -> None:
    following = Following(store, TestClock(), tells_all=True)
    imported = telling_imports(following.tell, TestClock())
    directories = [Directory(store, TestClock(), imported) for _ in range(2)]
    await directories[0].import_clinic(CLINIC)
    longer = [replace(CLINIC, hours={**CLINIC.hours, day: hours("08:00-12:00")}) for day in (5, 6)]
    revisions = await asyncio.gather(*map(Directory.import_clinic, directories, longer))
    found = [read_entry(event.data).event for event in await store.query(Query(EVENTS))]
    assert (sorted(revisions), {event.seq for event in found}) == ([2, 3], {2, 3})


async def test_what_one_process_left_another_finds(store: Documents) -> None:
    clock = TestClock()
    first, second = (Process.on(store, clock) for _ in range(2))
    await live(first, first, 0)  # it follows nothing: what it writes is for others
    async with second.following:
        await until_followed(store)
    assert (first.follower.given, second.follower.given) == (0, len(LIFE))


async def test_a_transaction_calls_who_waits_for_it_once_for_the_attempt_that_was_committed(store: Documents) -> None:
    called: list[int] = []

    def counting(number: int) -> Callable[[Transaction], Awaitable[None]]:
        async def attempt(transaction: Transaction) -> None:
            found = await transaction.get("counters/one")
            attempts.append(number)
            if len(attempts) == 1:  # somebody else is faster
                await transact(store, counting(2))
            transaction.put(found.path, {"by": number})
            transaction.afterwards(lambda: called.append(number))

        return attempt

    attempts: list[int] = []
    await transact(store, counting(1))
    assert (attempts, called) == ([1, 2, 1], [2, 1])
