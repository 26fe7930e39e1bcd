"""What happens in the agenda is told in the commit that makes it true: once, in order, and without anybody's words."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

import pytest
from tests.booking.builders import ANA, BRUNO, MARIA, MONDAY, OPEN, TestClock, at, hours, make_clinic, request, weekdays

from gendei.booking.appointment import Appointment, AppointmentStatus
from gendei.booking.desk import BookingDesk, StaffAct
from gendei.booking.events import AgendaEvent, AgendaPlace, Doer, DoerKind, EventKind, hours_extended, telling_imports
from gendei.booking.slots import BookingRefused
from gendei.booking.time_blocks import BlockWish, TimeBlocks
from gendei.clinic import Clinic, ClinicId, Professional, TimeOff
from gendei.clinics.directory import Directory
from gendei.conversation.work.following import Following, read_entry
from gendei.documents import Documents, Query
from gendei.messages.keys import EVENTS
from gendei.store.sqlite import SqliteDocuments

CLINIC = make_clinic()
ROSA = StaffAct("Rosa", user_id="rosa@boa-vida.example")
K, S = EventKind, AppointmentStatus


@dataclass(frozen=True)
class Told:
    """A desk whose every event is written."""

    documents: Documents
    clock: TestClock
    following: Following
    desk: BookingDesk
    blocks: TimeBlocks

    async def events(self, clinic_id: ClinicId = CLINIC.id) -> list[AgendaEvent]:
        found = [read_entry(event.data).event for event in await self.documents.query(Query(EVENTS))]
        return sorted(
            (owned for owned in found if owned.clinic_id == clinic_id), key=lambda event: (event.stream.text, event.seq)
        )

    async def kinds(self) -> list[str]:
        return [event.kind for event in await self.events()]

    async def booked(self) -> Appointment:
        return await self.desk.book(CLINIC, MARIA, request(at(2, "10:00")))


@pytest.fixture
async def told() -> AsyncIterator[Told]:
    documents, clock = await SqliteDocuments.open(":memory:"), TestClock()
    following = Following(documents, clock, tells_all=True)
    tell = following.tell
    yield Told(documents, clock, following, BookingDesk(documents, clock, tell), TimeBlocks(documents, clock, tell))
    await documents.close()


async def test_the_whole_life_of_an_appointment_is_told_in_order(told: Told) -> None:
    booked = await told.booked()
    await told.desk.confirm_presence(CLINIC, MARIA, booked.id)
    moved = await told.desk.move(CLINIC, None, booked.id, at(3, "15:00"), act=ROSA)
    await told.desk.cancel(CLINIC, MARIA, booked.id, "viajo nesse dia")
    events = await told.events()
    assert [(event.kind, event.doer.kind) for event in events] == [
        (K.BOOKED, DoerKind.PATIENT),
        (K.PRESENCE_CONFIRMED, DoerKind.PATIENT),
        (K.MOVED, DoerKind.STAFF),
        (K.TIME_FREED, DoerKind.STAFF),
        (K.CANCELLED, DoerKind.PATIENT),
        (K.TIME_FREED, DoerKind.PATIENT),
    ]
    assert len({event.id for event in events}) == len({event.seq for event in events}) == len(events)
    first, last = AgendaPlace("ana", at(2, "10:00"), at(2, "10:30")), AgendaPlace("ana", moved.start, moved.end)
    assert [(event.place, event.before) for event in events] == [
        (first, None),
        (first, None),
        (last, first),
        (first, None),
        (last, None),
        (last, None),
    ]
    assert {(event.appointment_id, event.contact, event.patient_id, event.service_id) for event in events} == {
        (booked.id, MARIA, booked.patient_id, "consulta")
    }
    assert events[2].doer.user_id == "rosa@boa-vida.example"


@pytest.mark.parametrize(
    ("marked", "kinds"),
    [
        (S.NO_SHOW, [K.BOOKED, K.MISSED, K.TIME_FREED, K.TAKEN_BACK]),
        (S.CONFIRMED_PRESENCE, [K.BOOKED, K.PRESENCE_CONFIRMED, K.TAKEN_BACK]),
    ],
)
async def test_what_staff_marked_and_took_back_is_told(told: Told, marked: S, kinds: list[K]) -> None:
    booked = await told.booked()
    await told.desk.set_status(CLINIC, booked.id, marked, ROSA)
    await told.desk.set_status(CLINIC, booked.id, S.CONFIRMED, ROSA)
    assert await told.kinds() == kinds


async def test_a_visit_that_took_place_is_told(told: Told) -> None:
    booked = await told.booked()
    await told.desk.confirm_presence(CLINIC, MARIA, booked.id)
    await told.desk.set_status(CLINIC, booked.id, S.COMPLETED, ROSA)
    assert (await told.kinds())[-1] == K.COMPLETED


async def test_time_that_is_over_is_not_free(told: Told) -> None:
    booked = await told.booked()
    told.clock.now = at(2, "11:00")
    await told.desk.set_status(CLINIC, booked.id, S.NO_SHOW, ROSA)
    assert await told.kinds() == [K.BOOKED, K.MISSED]


async def test_what_is_asked_again_is_told_once(told: Told) -> None:
    booked = await told.booked()
    await told.booked()
    await told.desk.confirm_presence(CLINIC, MARIA, booked.id)
    await told.desk.confirm_presence(CLINIC, MARIA, booked.id)
    await told.desk.move(CLINIC, MARIA, booked.id, at(2, "10:00"))
    assert await told.kinds() == [K.BOOKED, K.PRESENCE_CONFIRMED]


async def test_what_is_refused_is_not_told(told: Told) -> None:
    await told.booked()
    with pytest.raises(BookingRefused):
        await told.desk.book(CLINIC, MARIA, request(at(2, "10:00"), service="limpeza"))
    assert await told.kinds() == [K.BOOKED]


async def test_events_hold_nobodys_words(told: Told) -> None:
    booked = await told.booked()
    await told.desk.cancel(CLINIC, MARIA, booked.id, "viajo nesse dia", act=ROSA)
    stored = str([event.data for event in await told.documents.query(Query(EVENTS))])
    assert [word for word in ("Maria", "Silva", "viajo", "Rosa", "Geral") if word in stored] == []


async def test_another_clinics_events_are_its_own(told: Told) -> None:
    booked = await told.booked()
    other = make_clinic(id=ClinicId("sorriso"))
    await told.desk.book(other, MARIA, request(at(2, "10:00")))
    assert [event.appointment_id for event in await told.events()] == [booked.id]
    assert [event.kind for event in await told.events(other.id)] == [K.BOOKED]


@pytest.mark.parametrize("who", ["ana", None])
async def test_a_block_that_is_removed_frees_its_time(told: Told, who: str | None) -> None:
    wish = BlockWish(who, at(3, "08:00"), at(3, "12:00"), "Congresso")
    block = await told.blocks.add(CLINIC, wish, by="Rosa")
    assert await told.kinds() == []
    await told.blocks.remove(CLINIC, block.id, user_id="rosa@boa-vida.example")
    [event] = await told.events()
    assert (event.kind, event.place) == (K.TIME_FREED, AgendaPlace(who, at(3, "08:00"), at(3, "12:00")))
    assert (event.doer, event.appointment_id) == (Doer(DoerKind.STAFF, "rosa@boa-vida.example"), None)


async def test_a_block_that_is_over_frees_nothing(told: Told) -> None:
    block = await told.blocks.add(CLINIC, BlockWish("ana", at(2, "08:00"), at(2, "09:00")), by="Rosa")
    told.clock.now = at(2, "09:00")
    await told.blocks.remove(CLINIC, block.id)
    assert await told.kinds() == []


def _opened(before: Clinic, after: Clinic) -> list[tuple[str | None, datetime, datetime]]:
    events = hours_extended(before, after, 2, MONDAY)
    assert {(event.kind, event.doer.kind, event.seq) for event in events} <= {(K.TIME_FREED, DoerKind.OPERATOR, 2)}
    return [event.place for event in events]


def _ana(**changes: Any) -> tuple[Professional, ...]:
    return (replace(ANA, **changes), BRUNO)


def test_an_import_that_opens_a_day_frees_it_for_who_keeps_the_clinics_hours() -> None:
    before = make_clinic(professionals=_ana(hours=OPEN))
    after = replace(before, hours={**OPEN, 5: hours("08:00-12:00")})
    assert _opened(before, after) == [AgendaPlace("bruno", at(7, "08:00"), at(25, "12:00", 4))]


def test_an_import_that_takes_back_days_off_frees_them() -> None:
    away = TimeOff(at(4, "00:00"), at(6, "00:00"), "Congresso")
    before, after = make_clinic(professionals=_ana(time_off=(away,))), make_clinic()
    assert _opened(before, after) == [AgendaPlace("ana", at(4, "08:00"), at(5, "18:00"))]
    closed = make_clinic(closed=frozenset({date(2026, 3, 9)}))
    assert _opened(closed, make_clinic()) == [
        AgendaPlace("ana", at(9, "08:00"), at(9, "18:00")),
        AgendaPlace("bruno", at(9, "08:00"), at(9, "18:00")),
    ]


def test_somebody_new_has_all_their_hours_free() -> None:
    before = make_clinic(professionals=(ANA,))
    assert _opened(before, make_clinic()) == [AgendaPlace("bruno", at(2, "08:00"), at(1, "18:00", 5))]


def test_an_import_that_opens_nothing_tells_nothing() -> None:
    shorter = make_clinic(hours=weekdays("08:00-11:00 14:00-18:00"), professionals=(ANA,), name="Outro nome")
    assert _opened(make_clinic(), make_clinic()) == []
    assert _opened(make_clinic(), shorter) == []


async def test_the_import_itself_tells_what_it_opens(told: Told) -> None:
    directory = Directory(told.documents, told.clock, telling_imports(told.following.tell, told.clock))
    await directory.import_clinic(CLINIC)
    await directory.import_clinic(CLINIC)
    assert await told.kinds() == []
    await directory.import_clinic(replace(CLINIC, hours={**OPEN, 5: hours("08:00-12:00")}))
    assert [(event.kind, event.place.professional_id) for event in await told.events()] == [
        (K.TIME_FREED, "ana"),
        (K.TIME_FREED, "bruno"),
    ]
