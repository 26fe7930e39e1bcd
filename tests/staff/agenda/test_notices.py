"""A patient whom staff want told is told once, also where the process that made the change ends before it can."""

import asyncio

from tests.booking.builders import MARIA, at
from tests.conversation.cast import PATIENCE
from tests.staff.agenda.office import ATENDENTE, HERE, Office, wish

from gendei.booking.appointment import Appointment
from gendei.booking.desk import StaffAct
from gendei.documents import Query
from gendei.messages.keys import EVENTS

BIA = StaffAct("Bia", notify=True)


async def booked(office: Office) -> Appointment:
    await office.open_window(MARIA)
    return (await office.agenda.book(ATENDENTE, wish("14:00"))).appointment


async def half_a_minute_later(office: Office) -> list[str]:
    """The first lines of what is queued when another process has looked."""
    office.clock.forward(seconds=30)
    async with office.following:
        await office.following.sweep()
        async with asyncio.timeout(PATIENCE):
            await office.following.idle()
    return [entry.reply.text.splitlines()[0] for entry in await office.queued()]


async def test_who_was_told_at_once_is_not_told_again(office: Office) -> None:
    appointment = await booked(office)
    change = await office.agenda.cancel(ATENDENTE, appointment.id, notify=True)
    assert change.notice is not None
    assert change.notice.queued
    assert await office.documents.query(Query(EVENTS)) == []
    assert len(await half_a_minute_later(office)) == 1


async def test_a_refused_notice_stays_refused_when_the_window_opens(office: Office) -> None:
    appointment = (await office.agenda.book(ATENDENTE, wish("14:00"))).appointment
    change = await office.agenda.cancel(ATENDENTE, appointment.id, notify=True)
    assert change.notice is not None
    assert not change.notice.queued
    await office.open_window(MARIA)
    assert await half_a_minute_later(office) == []


async def test_nobody_is_told_of_what_staff_did_not_want_told(office: Office) -> None:
    appointment = await booked(office)
    await office.agenda.cancel(ATENDENTE, appointment.id)
    assert await office.documents.query(Query(EVENTS)) == []
    assert await half_a_minute_later(office) == []


async def test_a_process_that_ends_after_the_change_leaves_the_notice_to_the_others(office: Office) -> None:
    appointment = await booked(office)
    await office.desk.move(HERE, None, appointment.id, at(3, "15:00"), act=BIA)  # and here it ends
    assert await office.queued() == []
    assert await half_a_minute_later(office) == ["🔁 Sua consulta foi remarcada."]
    [entry] = await office.queued()
    assert (entry.clinic_id, entry.contact, entry.initiative.purpose if entry.initiative else "") == (
        HERE.id,
        MARIA,
        "moved",
    )
    assert await half_a_minute_later(office) == ["🔁 Sua consulta foi remarcada."]


async def test_what_changed_again_meanwhile_is_not_told(office: Office) -> None:
    appointment = await booked(office)
    await office.desk.move(HERE, None, appointment.id, at(3, "15:00"), act=BIA)
    await office.agenda.cancel(ATENDENTE, appointment.id)
    assert await half_a_minute_later(office) == []


async def test_the_patient_of_another_clinic_is_told_nothing(office: Office) -> None:
    appointment = await booked(office)
    await office.desk.cancel(HERE, None, appointment.id, act=BIA)
    await half_a_minute_later(office)
    assert {entry.clinic_id for entry in await office.queued()} == {HERE.id}
