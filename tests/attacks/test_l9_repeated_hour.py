"""L9: the hour that the wall clock shows twice, as clocks go back, is offered, told apart and booked both times."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.booking.builders import ANA, MARIA, TestClock, every_day, make_clinic, request
from tests.journeys.town import AURORA
from tests.web.api.conftest import Api, api_over, bearer
from tests.web.api.test_chat import headers_of, say, visit

from gendei.booking.availability import free_slots
from gendei.booking.dates import describe
from gendei.booking.desk import BookingDesk
from gendei.booking.wallclock import showing, spans, start_from, start_text, times, wall_midnight
from gendei.clinic import BookingPolicy, Service
from gendei.clock import MovableClock, instant
from gendei.receptionist.offers.rendering import slot_title
from gendei.staff.actors import Right
from gendei.store.sqlite import SqliteDocuments
from gendei.web.pages.agenda.geometry import lasting, side_by_side

NIGHTS = [
    ("America/New_York", date(2026, 11, 1), "01:30"),
    ("America/Santiago", date(2026, 4, 4), "23:30"),
    ("Australia/Lord_Howe", date(2026, 4, 5), "01:30"),
    ("America/Sao_Paulo", date(2019, 2, 16), "23:30"),
]
"""A zone, the day whose hour comes again, and a time of that hour."""


def moments(zone: str, day: date, clock: str) -> tuple[datetime, datetime]:
    first = datetime.fromisoformat(f"{day}T{clock}").replace(tzinfo=ZoneInfo(zone))
    return first, first.replace(fold=1)


@pytest.mark.parametrize(("zone", "day", "clock"), NIGHTS)
async def test_both_are_offered_held_booked_and_stored_in_order(zone: str, day: date, clock: str):
    clinic = make_clinic(timezone=ZoneInfo(zone), hours=every_day("00:00-24:00"), booking=BookingPolicy(0, 60))
    first, second = moments(zone, day, clock)
    documents, time = await SqliteDocuments.open(":memory:"), TestClock(instant(first) - timedelta(days=3))
    desk = BookingDesk(documents, time)
    (found,) = await desk.search_days(clinic, "consulta", day, professional_id="ana")
    same = [slot for slot in found.slots if f"{slot.start:%H:%M}" == clock]
    assert [instant(slot.start) for slot in same] == [instant(first), instant(second)]
    assert [instant(slot.start) for slot in found.slots] == sorted(instant(slot.start) for slot in found.slots)
    assert all(instant(slot.end) - instant(slot.start) == timedelta(minutes=30) for slot in found.slots)
    booked = []
    for slot in reversed(same):
        hold = await desk.hold(clinic, MARIA, "consulta", "ana", slot.start)
        booked.append(await desk.book(clinic, MARIA, request(hold.slot.start)))
    own = await desk.appointments_of(clinic, MARIA)
    assert [entry.id for entry in own] == [entry.id for entry in reversed(booked)]
    assert [showing(appointment.start) for appointment in own] == [1, 2]
    await documents.close()


@pytest.mark.parametrize(("zone", "day", "clock"), NIGHTS)
async def test_one_is_moved_to_the_other_and_cancelled_until_it_begins(zone: str, day: date, clock: str):
    clinic = make_clinic(timezone=ZoneInfo(zone), hours=every_day("00:00-24:00"), booking=BookingPolicy(0, 60))
    first, second = moments(zone, day, clock)
    documents, time = await SqliteDocuments.open(":memory:"), TestClock(instant(first) - timedelta(hours=5))
    desk = BookingDesk(documents, time)
    booked = await desk.book(clinic, MARIA, request(first))
    moved = await desk.move(clinic, MARIA, booked.id, second)
    assert (instant(moved.start), showing(moved.start)) == (instant(second), 2)
    time.now = instant(first) + timedelta(minutes=10)
    assert (await desk.confirm_presence(clinic, MARIA, booked.id)).start.fold == 1
    assert (await desk.cancel(clinic, MARIA, booked.id)).status == "cancelled"
    again = await desk.book(clinic, MARIA, request(second))
    assert instant(again.start) == instant(second)
    await documents.close()


async def test_a_hold_before_the_change_lasts_as_long_as_any_other():
    clinic = make_clinic(timezone=ZoneInfo("America/New_York"), hours=every_day("00:00-24:00"))
    late = datetime(2026, 11, 1, 1, 58, tzinfo=ZoneInfo("America/New_York"))
    documents = await SqliteDocuments.open(":memory:")
    hold = await BookingDesk(documents, TestClock(instant(late))).hold(
        clinic, MARIA, "consulta", "ana", late.replace(hour=9, minute=0)
    )
    assert instant(hold.expires_at) - instant(late) == timedelta(minutes=clinic.booking.hold_minutes)
    await documents.close()


ZONES = st.sampled_from([*(zone for zone, _, _ in NIGHTS), "Europe/Lisbon", "Atlantic/Azores", "America/Havana"])
MOMENTS = st.integers(1_483_228_800, 1_830_297_600).map(lambda second: datetime.fromtimestamp(second, UTC))
"""Of the years 2017 to 2027."""


@given(ZONES, MOMENTS)
def test_what_an_option_says_is_the_moment_that_it_was_made_of(zone: str, moment: datetime):
    local = moment.replace(second=0, microsecond=0).astimezone(ZoneInfo(zone))
    back = start_from(start_text(local), ZoneInfo(zone))
    assert (instant(back), back.fold) == (instant(local), local.fold)
    assert ("(2ª" in slot_title(local), "(2ª vez)" in describe(local, local)) == (local.fold == 1, local.fold == 1)
    assert len(slot_title(local)) <= 20


@given(ZONES, st.integers(0, 364 * 10), st.sampled_from([15, 30, 45, 60]), st.sampled_from([None, 15, 40]))
def test_every_day_offers_moments_that_differ_in_order_and_fit_their_range(
    zone: str, number: int, minutes: int, step: int | None
):
    day = date(2017, 1, 1) + timedelta(days=number)
    policy = BookingPolicy(0, 60, step_minutes=step)
    clinic = make_clinic(timezone=ZoneInfo(zone), hours=every_day("00:00-02:30 22:15-24:00"), booking=policy)
    service = Service("plantao", "Plantão", minutes)
    noon = datetime(day.year, day.month, day.day, 12, tzinfo=UTC) - timedelta(days=7)
    found = free_slots(clinic, service, [ANA], {}, (day, day), noon)["ana"]
    starts = [instant(slot.start) for slot in found]
    assert starts == sorted(set(starts))
    assert all(instant(slot.end) - instant(slot.start) == timedelta(minutes=minutes) for slot in found)
    assert {slot.start.date() for slot in found} <= {day}


def test_a_wall_minute_has_no_moment_where_it_is_skipped_and_two_where_it_comes_again():
    zone = ZoneInfo("America/New_York")
    counted = []
    for day in (date(2026, 3, 8), date(2026, 7, 1), date(2026, 11, 1)):
        wall = wall_midnight(day) + (150 if day.month == 3 else 90)
        counted.append(len(times(spans(zone, day, day), wall)))
    assert counted == [0, 1, 2]


def test_a_visit_over_the_change_is_drawn_as_long_as_it_takes():
    zone, day = ZoneInfo("America/New_York"), date(2026, 11, 1)
    start = datetime(2026, 11, 1, 1, 45, tzinfo=zone)
    end = datetime(2026, 11, 1, 1, 15, tzinfo=zone, fold=1)
    assert lasting(start, end, day) == (105, 135)
    second = lasting(start.replace(fold=1), start.replace(hour=2, minute=15), day)
    assert side_by_side([lasting(start, end, day), second]) == [(0, 2), (1, 2)]


BEFORE = datetime(2026, 10, 31, 9, tzinfo=ZoneInfo("America/New_York"))
FIRST, SECOND = "2026-11-01T01:00:00-04:00", "2026-11-01T01:00:00-05:00"


@pytest.fixture
async def night(tmp_path: Path) -> AsyncIterator[Api]:
    """Aurora in New York, open all night, on the day before clocks go back."""
    async with api_over(tmp_path) as api:
        clinic = await api.gendei.directory.get(AURORA)
        assert clinic is not None
        open_all_night = replace(
            clinic, timezone=ZoneInfo("America/New_York"), hours=every_day("00:00-04:00"), closed=frozenset()
        )
        await api.gendei.directory.import_clinic(open_all_night)
        assert isinstance(api.gendei.clock, MovableClock)
        api.gendei.clock._ahead = BEFORE - api.gendei.clock()  # the fixtures' day is after it
        own = await bearer(api.gendei, AURORA, Right.READ, Right.WRITE)
        api.client.headers.update(own)
        yield api


def wish(start: str, **changes: Any) -> dict[str, Any]:
    whom = {"patientName": "Maria Silva", "phone": "(11) 99999-0001"}
    return {"serviceId": "limpeza", "professionalId": "paula", "start": start, **whom, **changes}


async def test_the_api_offers_and_books_both(night: Api):
    found = (await night.client.get("/slots?serviceId=limpeza&from=2026-11-01&days=1")).json()
    offered = [slot["start"] for day in found["items"] for slot in day["slots"]]
    answers = [await night.client.post("/appointments", json=wish(start)) for start in (SECOND, FIRST)]
    listed = (await night.client.get("/appointments?from=2026-11-01&to=2026-11-01")).json()["items"]
    assert [start for start in offered if "T01:00" in start] == [FIRST, SECOND]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert [item["start"] for item in listed] == [FIRST, SECOND]
    other = await night.client.get("/appointments?from=2026-11-01&to=2026-11-01", headers=night.outsider)
    assert other.json()["items"] == []


async def test_a_patient_is_shown_both_and_books_the_second(night: Api):
    visitor = headers_of(await visit(night))
    asked = await say(night, visitor, "quero marcar uma limpeza dia 01/11 à 1h da manhã")
    options = {option["title"]: option["id"] for option in asked["messages"][-1]["options"]}
    second = next(title for title in options if "(2ª)" in title)
    assert any("(1ª)" in title for title in options)
    told = await say(night, visitor, second, choice=options[second])
    told = await say(night, visitor, "Ana Prado")
    yes = told["messages"][-1]["options"][0]
    assert "1h (2ª vez)" in told["message"]
    told = await say(night, visitor, yes["title"], choice=yes["id"])
    assert ("confirmada" in told["message"], "1h (2ª vez)" in told["message"]) == (True, True)
    listed = (await night.client.get("/appointments?from=2026-11-01&to=2026-11-01")).json()["items"]
    assert [item["start"] for item in listed] == [SECOND]
