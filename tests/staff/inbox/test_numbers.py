from datetime import timedelta

import pytest
from tests.conversation.cast import BOA_VIDA, JOAO, MARIA, MARIA_HERE, NOON, SORRISO, World, said, text
from tests.staff.inbox.desk import BIA, CAIO, OLGA
from tests.staff.inbox.records import booked

from gendei.booking.appointment import AppointmentStatus
from gendei.conversation.stored.history import Event, event_write
from gendei.messages.channels import Permanent
from gendei.messages.replies import Reply
from gendei.staff.actors import Forbidden
from gendei.staff.desks import FrontDesk
from gendei.staff.numbers import DAYS

DAY = 24 * 3600


async def ask(world: World, message_id: str, words: str = "oi", *, answered_after: float = 0, **fields: object) -> None:
    """A patient writes, and the answer comes `answered_after` seconds later."""
    async with world.messaging:
        world.receptionist.free.clear()
        while not world.receptionist.asked.empty():
            world.receptionist.asked.get_nowait()
        await world.accept(text(message_id, words, at=world.clock(), **fields))  # type: ignore[arg-type]  # as `text` takes them
        await world.asked()
        world.clock.advance(answered_after)
        world.receptionist.free.set()
        await world.idle()


async def test_a_day_is_counted_from_what_happened(world: World, desk: FrontDesk) -> None:
    await ask(world, "wamid.1", answered_after=2)
    await ask(world, "wamid.2", "e amanhã?", answered_after=40)
    world.receptionist.script.append(said("Já chamo.", takeover_reason="pediu um atendente"))
    await ask(world, "wamid.3", "quero uma pessoa", sender=JOAO, answered_after=6)
    await booked(world, "Maria", NOON + timedelta(days=3), created_at=NOON, service_name="Limpeza")
    await booked(world, "João", NOON + timedelta(days=4), created_at=NOON, channel="zapi")
    await booked(world, "Rui", NOON - timedelta(hours=2), AppointmentStatus.NO_SHOW)

    today = (await desk.numbers.read(CAIO)).today
    assert (today.conversations, today.without_person, today.median_first_answer) == (2, 0.5, 4)
    assert (today.takeovers, today.takeover_reasons) == (1, {"pediu um atendente": 1})
    assert (today.bookings, today.bookings_by_channel) == (2, {"meta": 1, "zapi": 1})
    assert today.bookings_by_service == {"Limpeza": 1, "Consulta": 1}
    assert (today.no_shows, today.failed_sends) == (1, 0)


async def test_a_send_that_failed_is_counted(world: World, desk: FrontDesk) -> None:
    world.provider.outcomes.append(Permanent("131026 undeliverable"))
    await ask(world, "wamid.1")

    assert (await desk.numbers.read(CAIO)).today.failed_sends == 1


async def test_a_persons_answer_is_an_answer_and_a_person(world: World, desk: FrontDesk) -> None:
    await ask(world, "wamid.1")
    world.clock.advance(DAY)
    await desk.conversations.take_over(BIA, MARIA, "convênio")
    async with world.messaging:
        await world.accept(text("wamid.2", "e o convênio?", at=world.clock()))
        await world.idle()
        world.clock.advance(90)
        await desk.conversations.send(BIA, MARIA, Reply("Aceitamos."))
        await world.idle()

    today = (await desk.numbers.read(CAIO)).today
    assert (today.conversations, today.without_person, today.median_first_answer) == (1, 0.0, 90)


async def test_days_end_at_the_clinics_midnight_and_thirty_of_them_are_summed(world: World, desk: FrontDesk) -> None:
    await ask(world, "wamid.1", answered_after=1)  # 9 in the morning in São Paulo
    world.clock.advance(14 * 3600 + 1800)  # half past eleven at night
    await ask(world, "wamid.2", answered_after=1, sender=JOAO)
    world.clock.advance(3600)
    await ask(world, "wamid.3", answered_after=5)

    numbers = await desk.numbers.read(CAIO)
    assert [day.conversations for day in numbers.days[-3:]] == [0, 2, 1]
    assert (len(numbers.days), numbers.complete) == (DAYS, True)
    assert (numbers.last_30_days.conversations, numbers.last_30_days.median_first_answer) == (3, 1)


async def test_a_day_that_is_over_is_kept_and_not_counted_again(world: World, desk: FrontDesk) -> None:
    await ask(world, "wamid.1")
    world.clock.advance(DAY)
    before = await desk.numbers.read(CAIO)
    late = event_write(MARIA_HERE, Event.TAKEN_OVER, NOON, detail="tarde demais")
    await world.documents.commit([late])
    await booked(world, "Rui", NOON, AppointmentStatus.NO_SHOW)
    world.clock.advance(60)

    after = await desk.numbers.read(CAIO)
    assert (before.days[-2].conversations, after.days[-2].takeovers) == (1, {})
    assert after.days[-2].no_shows == 1
    assert len(await world.all(f"gendei_clinics/{BOA_VIDA}/days", "day")) == DAYS - 1


async def test_a_day_older_than_thirty_is_out_of_it(world: World, desk: FrontDesk) -> None:
    await ask(world, "wamid.1")
    world.clock.advance(DAYS * DAY)

    assert (await desk.numbers.read(CAIO)).last_30_days.conversations == 0


async def test_without_anything_there_is_no_share_and_no_median(desk: FrontDesk) -> None:
    today = (await desk.numbers.read(CAIO)).today

    assert (today.conversations, today.without_person, today.median_first_answer) == (0, None, None)


async def test_numbers_are_of_the_own_clinic_and_for_who_manages_it(world: World, desk: FrontDesk) -> None:
    await ask(world, "wamid.1")
    await booked(world, "Maria", NOON, AppointmentStatus.NO_SHOW, created_at=NOON, clinic_id=SORRISO)

    theirs, ours = (await desk.numbers.read(OLGA)).today, (await desk.numbers.read(CAIO)).today
    assert (theirs.conversations, theirs.bookings, theirs.no_shows) == (0, 1, 1)
    assert (ours.conversations, ours.bookings, ours.no_shows) == (1, 0, 0)
    with pytest.raises(Forbidden):
        await desk.numbers.read(BIA)
