"""Feeds for calendars: what they show, to whom, and until when."""

from datetime import timedelta

import httpx
import pytest
from fastapi import FastAPI
from icalendar import Calendar
from tests.booking.builders import at
from tests.staff.agenda.office import ATENDENTE, GESTOR, OUTSIDER, Office, wish

from gendei.booking.appointment import AppointmentStatus
from gendei.booking.time_blocks import BlockWish
from gendei.errors import NotFound
from gendei.staff.actors import Forbidden
from gendei.staff.agenda.feeds import FEEDS, Shows, initials
from gendei.staff.audit import Action
from gendei.web.feeds import add_feeds
from gendei.web.problems import install_problems


def events(body: bytes) -> list[tuple[str, object, object]]:
    found = Calendar.from_ical(body).walk("VEVENT")
    return [(str(item["summary"]), item["dtstart"].dt, item["dtend"].dt) for item in found]


async def test_a_feed_shows_one_professionals_time_with_initials(office: Office) -> None:
    await office.agenda.book(ATENDENTE, wish("14:00", name="Maria da Silva"))
    await office.agenda.book(ATENDENTE, wish("15:00", who="bruno"))
    gone = (await office.agenda.book(ATENDENTE, wish("16:00"))).appointment
    await office.agenda.set_status(ATENDENTE, gone.id, AppointmentStatus.NO_SHOW)
    await office.blocks.add(ATENDENTE, BlockWish("ana", at(3, "08:00"), at(3, "12:00"), "consulta da filha"))
    _, token = await office.feeds.add(GESTOR, "ana")
    body = await office.feeds.read(token)
    assert events(body) == [
        ("Consulta Geral – M. S.", at(2, "14:00"), at(2, "14:30")),
        ("Bloqueado", at(3, "08:00"), at(3, "12:00")),
    ]
    assert [word for word in (b"Maria", b"filha", b"99999") if word in body] == []


async def test_the_first_name_is_shown_where_the_clinic_chooses_so(office: Office) -> None:
    await office.agenda.book(ATENDENTE, wish("14:00", name="Maria da Silva"))
    _, token = await office.feeds.add(GESTOR, "ana", Shows.FIRST_NAME)
    assert [title for title, _, _ in events(await office.feeds.read(token))] == ["Consulta Geral – Maria"]


async def test_it_reaches_thirty_days_back_and_ninety_ahead(office: Office) -> None:
    await office.agenda.book(ATENDENTE, wish("14:00"))
    _, token = await office.feeds.add(GESTOR, "ana")
    office.clock.forward(days=30)
    assert len(events(await office.feeds.read(token))) == 1
    office.clock.forward(days=1)
    assert events(await office.feeds.read(token)) == []


async def test_a_revoked_address_shows_nothing_and_the_others_stay(office: Office) -> None:
    feed, token = await office.feeds.add(GESTOR, "ana")
    kept, other = await office.feeds.add(GESTOR, "ana")
    await office.feeds.revoke(GESTOR, feed.id)
    with pytest.raises(NotFound):
        await office.feeds.read(token)
    assert (events(await office.feeds.read(other)), await office.feeds.list(GESTOR)) == ([], [kept])


async def test_the_store_does_not_hold_the_address(office: Office) -> None:
    feed, token = await office.feeds.add(GESTOR, "ana")
    stored = await office.documents.get(f"{FEEDS}/{feed.id}")
    assert token not in f"{stored}"
    assert len(token) == 43


async def test_only_who_manages_makes_feeds_and_it_is_in_the_audit(office: Office) -> None:
    with pytest.raises(Forbidden):
        await office.feeds.add(ATENDENTE, "ana")
    feed, _ = await office.feeds.add(GESTOR, "ana")
    await office.feeds.revoke(GESTOR, feed.id)
    entries = await office.audit.search(GESTOR, action=Action.FEED_CHANGED)
    assert sorted((entry.subject, entry.detail["change"]) for entry in entries) == [
        (feed.id, "added"),
        (feed.id, "revoked"),
    ]


async def test_another_clinic_makes_lists_and_revokes_nothing_of_it(office: Office) -> None:
    feed, token = await office.feeds.add(GESTOR, "ana")
    assert await office.feeds.list(OUTSIDER) == []
    with pytest.raises(NotFound):
        await office.feeds.revoke(OUTSIDER, feed.id)
    with pytest.raises(NotFound):
        await office.feeds.add(OUTSIDER, "zoe")
    assert events(await office.feeds.read(token)) == []


async def test_a_calendar_asks_again_only_for_what_changed(office: Office) -> None:
    app = FastAPI()
    add_feeds(app, office.feeds)
    install_problems(app)
    _, token = await office.feeds.add(GESTOR, "ana")
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://gendei.test") as client:
        first = await client.get(f"/feeds/{token}.ics")
        office.clock.now += timedelta(minutes=5)
        same = await client.get(f"/feeds/{token}.ics", headers={"If-None-Match": first.headers["etag"]})
        await office.agenda.book(ATENDENTE, wish("14:00"))
        changed = await client.get(f"/feeds/{token}.ics", headers={"If-None-Match": first.headers["etag"]})
        unknown = await client.get(f"/feeds/{'x' * 43}.ics")
    assert (first.status_code, first.headers["content-type"]) == (200, "text/calendar; charset=utf-8")
    assert first.headers["cache-control"] == "private, max-age=300"
    assert [same.status_code, changed.status_code, unknown.status_code] == [304, 200, 404]


@pytest.mark.parametrize(
    ("name", "expected"),
    [("Maria da Silva", "M. S."), ("Ana", "A."), ("josé", "J."), ("Ana Ana", "A. A.")],
)
def test_initials_leave_particles_out(name: str, expected: str) -> None:
    assert initials(name) == expected
