"""M6: nobody books the agenda full: a contact has so many appointments ahead, fewer who proved no phone."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.booking.builders import JOAO, MARIA, Booking, TestClock, at, make_clinic, request
from tests.contracts.conftest import SHARED, Engine
from tests.journeys.town import AURORA
from tests.web.api.conftest import Api, api_over
from tests.web.api.test_chat import headers_of, say, visit

from gendei.booking.appointment import Appointment
from gendei.booking.desk import BookingDesk, StaffAct
from gendei.booking.holds import hold_path
from gendei.booking.ownership import change_owner
from gendei.booking.slots import BookingRefused, Refusal
from gendei.clinic import BookingPolicy, ClinicId, Contact
from gendei.clinics.stored import clinic_data, clinic_from, parts_data
from gendei.documents import delete
from gendei.messages.keys import ConversationKey

VISITOR, OTHER_VISITOR = Contact("web:somebody"), Contact("web:somebody-else")
CLINIC = make_clinic(booking=BookingPolicy(lead_minutes=0, horizon_days=60, most_ahead=4, most_ahead_of_visitor=2))
ELSEWHERE = replace(CLINIC, id=ClinicId("outra"))
NINE = at(2, "09:00")
STARTS = [NINE + timedelta(minutes=30 * number) for number in range(6)]


@pytest.fixture(params=SHARED)
async def booking(request: pytest.FixtureRequest) -> AsyncIterator[Booking]:
    engine: Engine = SHARED[request.param](request)
    documents, clock = await engine.open(), TestClock()
    yield Booking(BookingDesk(documents, clock), documents, clock)
    await documents.close()


async def attempt(booking: Booking, contact: Contact, start: datetime, **more: Any) -> Appointment | Refusal:
    try:
        return await booking.desk.book(
            CLINIC, contact, request(start, f"Pessoa {start:%H %M}".replace("0", "o")), **more
        )
    except BookingRefused as refused:
        return refused.reason


def refused(outcomes: Sequence[Appointment | Refusal]) -> list[Refusal]:
    return [outcome for outcome in outcomes if isinstance(outcome, Refusal)]


async def book(booking: Booking, contact: Contact, *starts: datetime) -> list[Appointment]:
    return [await booking.desk.book(CLINIC, contact, request(start)) for start in starts]


@pytest.mark.parametrize(("contact", "most"), [(VISITOR, 2), (MARIA, 4), (Contact("BR.1349"), 4)])
async def test_of_many_bookings_at_once_a_contact_keeps_so_many(booking: Booking, contact: Contact, most: int):
    await booking.desk.book(ELSEWHERE, contact, request(NINE))
    await booking.desk.book(CLINIC, JOAO, request(at(2, "15:00")))
    outcomes = await asyncio.gather(*(attempt(booking, contact, start) for start in STARTS))
    assert refused(outcomes) == [Refusal.TOO_MANY] * (len(STARTS) - most)
    assert len(await booking.desk.appointments_of(CLINIC, contact)) == most


async def test_what_was_booked_before_the_limit_was_counted_counts(booking: Booking):
    await book(booking, VISITOR, *STARTS[:2])
    await booking.documents.commit([delete(hold_path(CLINIC, VISITOR))])
    outcomes = await asyncio.gather(*(attempt(booking, VISITOR, start) for start in STARTS[2:4]))
    assert refused(outcomes) == [Refusal.TOO_MANY] * 2


async def test_what_is_cancelled_or_over_gives_its_place_back(booking: Booking):
    first, _ = await book(booking, VISITOR, *STARTS[:2])
    await booking.desk.cancel(CLINIC, VISITOR, first.id)
    assert refused([await attempt(booking, VISITOR, STARTS[2]), await attempt(booking, VISITOR, STARTS[3])]) == [
        Refusal.TOO_MANY
    ]
    booking.clock.forward(days=1)
    tomorrow = [start + timedelta(days=2) for start in STARTS[:3]]
    assert refused([await attempt(booking, VISITOR, start) for start in tomorrow]) == [Refusal.TOO_MANY]


async def test_moving_away_from_the_present_gives_no_place_back(booking: Booking):
    far = at(20, "09:00")
    for number, appointment in enumerate(await book(booking, VISITOR, *STARTS[:2])):
        await booking.desk.move(CLINIC, VISITOR, appointment.id, far + timedelta(minutes=30 * number))
    booking.clock.forward(days=1)
    assert await attempt(booking, VISITOR, at(4, "09:00")) is Refusal.TOO_MANY


async def test_at_the_limit_nothing_more_is_held_and_what_stands_can_be_moved(booking: Booking):
    first, _ = await book(booking, VISITOR, *STARTS[:2])
    with pytest.raises(BookingRefused) as caught:
        await booking.desk.hold(CLINIC, VISITOR, "consulta", "ana", STARTS[3])
    await booking.desk.hold(CLINIC, VISITOR, "consulta", "ana", STARTS[3], moving=True)
    moved = await booking.desk.move(CLINIC, VISITOR, first.id, STARTS[3])
    assert (caught.value.reason, caught.value.alternatives, moved.start) == (Refusal.TOO_MANY, (), STARTS[3])


async def test_a_hold_after_a_booking_keeps_the_count(booking: Booking):
    await book(booking, VISITOR, STARTS[0])
    await booking.desk.hold(CLINIC, VISITOR, "consulta", "ana", STARTS[1])
    await booking.desk.release(CLINIC, VISITOR)
    assert [await attempt(booking, JOAO, STARTS[1]) is Refusal.TAKEN, await attempt(booking, VISITOR, STARTS[1])] == [
        False,
        Refusal.TAKEN,
    ]
    await book(booking, VISITOR, STARTS[2])
    assert await attempt(booking, VISITOR, STARTS[3]) is Refusal.TOO_MANY


async def test_staff_book_any_number_and_theirs_take_no_place(booking: Booking):
    staff = StaffAct("Recepção")
    outcomes = [await attempt(booking, VISITOR, start, act=staff) for start in STARTS[:3]]
    outcomes += [await attempt(booking, VISITOR, start) for start in STARTS[3:5]]
    assert refused(outcomes) == []
    assert refused([await attempt(booking, VISITOR, STARTS[5])]) == [Refusal.TOO_MANY]
    assert isinstance(await attempt(booking, VISITOR, STARTS[5], act=staff), Appointment)


async def test_addresses_that_fold_into_one_contact_share_its_places(booking: Booking):
    await book(booking, VISITOR, *STARTS[:2])
    await book(booking, OTHER_VISITOR, STARTS[2])
    await change_owner(booking.desk, booking.documents, CLINIC, OTHER_VISITOR, VISITOR)
    assert len(await booking.desk.appointments_of(CLINIC, VISITOR)) == 3
    assert await attempt(booking, VISITOR, STARTS[4]) is Refusal.TOO_MANY
    phone = Contact("+5511999990077")
    await change_owner(booking.desk, booking.documents, CLINIC, VISITOR, phone)
    assert refused([await attempt(booking, phone, start) for start in STARTS[4:]]) == [Refusal.TOO_MANY]


async def test_the_same_booking_again_at_the_limit_is_the_one_that_stands(booking: Booking):
    _, second = await book(booking, VISITOR, *STARTS[:2])
    assert await book(booking, VISITOR, STARTS[1]) == [second]


def test_a_clinic_sets_its_limits_and_one_that_was_stored_before_has_the_defaults():
    data = clinic_data(CLINIC, 1)
    parts = [part for _, part in parts_data(CLINIC, 1)]
    stored = clinic_from(CLINIC.id, data, parts).booking
    old = {name: value for name, value in data["booking"].items() if not name.startswith("mostAhead")}
    before = clinic_from(CLINIC.id, {**data, "booking": old}, parts).booking
    assert (stored.most_ahead, stored.most_ahead_of_visitor) == (4, 2)
    assert (before.most_ahead, before.most_ahead_of_visitor) == (8, 2)


@pytest.fixture
async def api(tmp_path: Path) -> AsyncIterator[Api]:
    async with api_over(tmp_path) as opened:
        yield opened


async def book_by_chat(api: Api, who: dict[str, str], clock: str, name: str | None) -> dict[str, Any]:
    told = await say(api, who, f"quero marcar uma limpeza amanhã às {clock}")
    if name is not None:
        told = await say(api, who, name)
    if not told["messages"] or not told["messages"][-1]["options"]:
        return told
    yes = told["messages"][-1]["options"][0]
    return await say(api, who, yes["title"], choice=yes["id"])


async def test_an_anonymous_visitor_books_two_and_is_handed_to_a_person_with_a_sentence(api: Api):
    visitor, other = headers_of(await visit(api)), headers_of(await visit(api))
    booked = [
        await book_by_chat(api, visitor, clock, name) for clock, name in (("14h", "Ana Prado"), ("15h", "Bia Prado"))
    ]
    third = await book_by_chat(api, visitor, "16h", None)
    agenda = (await api.client.get("/appointments?from=2026-11-24&to=2026-11-25")).json()["items"]
    assert ["confirmada" in told["message"] for told in booked] == [True, True]
    assert ("alguém da nossa equipe" in third["message"], "até 2" in third["message"]) == (True, True)
    assert [item["start"][11:16] for item in agenda] == ["14:00", "15:00"]
    (row,) = [item for item in (await api.client.get("/conversations")).json()["items"] if item["waitingSince"]]
    told = await api.gendei.documents.get(ConversationKey(AURORA, Contact(row["contact"])).path)
    assert (told.data or {})["takeoverReason"].startswith("quer marcar mais horários do que a assistente pode marcar")
    assert "confirmada" not in (await say(api, visitor, "e às 17h?"))["message"]
    assert "confirmada" in (await book_by_chat(api, other, "16h", "Rui Sá"))["message"]


async def test_a_clinic_may_let_no_unproved_visitor_book(api: Api):
    clinic = await api.gendei.directory.get(AURORA)
    assert clinic is not None
    own = replace(clinic, booking=replace(clinic.booking, most_ahead_of_visitor=0))
    await api.gendei.directory.import_clinic(own)
    told = await book_by_chat(api, headers_of(await visit(api)), "14h", "Ana Prado")
    assert "alguém da nossa equipe" in told["message"]
    assert (await api.client.get("/appointments?from=2026-11-24&to=2026-11-25")).json()["items"] == []


async def test_staff_programs_are_not_limited(api: Api):
    clinic = await api.gendei.directory.get(AURORA)
    assert clinic is not None
    await api.gendei.directory.import_clinic(replace(clinic, booking=replace(clinic.booking, most_ahead=1)))
    for clock in ("09:00", "14:00", "15:00"):
        await api.book(clock)
