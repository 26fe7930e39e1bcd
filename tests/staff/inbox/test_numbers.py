from datetime import UTC, date, datetime, timedelta

import pytest
from bench.cost import Counting
from tests.conversation.cast import BOA_VIDA, JOAO, MARIA, MARIA_HERE, NOON, SORRISO, World, said, text
from tests.staff.inbox.desk import BIA, CAIO, OLGA, PHRASES, PRICES
from tests.staff.inbox.records import booked

from gendei.booking.appointment import AppointmentStatus
from gendei.conversation.stored.history import Event, event_write
from gendei.documents import put
from gendei.messages.channels import Permanent
from gendei.messages.replies import Reply
from gendei.staff.actors import Forbidden
from gendei.staff.day_numbers import DAY as STORED
from gendei.staff.day_numbers import DayNumbers
from gendei.staff.desks import FrontDesk
from gendei.staff.numbers import MOST_MONTHS, ClinicNumbers

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
    assert (today.conversations, today.with_person, today.median_first_answer) == (2, 1, 4)
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
    assert (today.conversations, today.solved, today.median_first_answer) == (1, 0.0, 90)


async def test_days_end_at_the_clinics_midnight_and_those_of_the_month_are_summed(
    world: World, desk: FrontDesk
) -> None:
    await ask(world, "wamid.1", answered_after=1)  # 9 in the morning in São Paulo
    world.clock.advance(14 * 3600 + 1800)  # half past eleven at night
    await ask(world, "wamid.2", answered_after=1, sender=JOAO)
    world.clock.advance(3600)
    await ask(world, "wamid.3", answered_after=5)

    numbers = await desk.numbers.read(CAIO)
    assert [day.conversations for day in numbers.days[-3:]] == [0, 2, 1]
    assert ([day.day.day for day in numbers.days], numbers.complete) == ([1, 2, 3], True)
    assert (numbers.whole_month.conversations, numbers.whole_month.median_first_answer) == (3, 1)


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
    assert [kept["day"] for kept in await world.all(f"gendei_clinics/{BOA_VIDA}/days", "day")] == [
        "2026-02-01",
        "2026-02-02",
        "2026-02-03",
        "2026-03-01",
        "2026-03-02",
    ]  # of the month before, as many days as have begun in this one


async def test_a_month_begins_and_ends_at_the_clinics_midnight(world: World, desk: FrontDesk) -> None:
    world.clock.now = datetime(2026, 4, 1, 2, 30, tzinfo=UTC)  # half past eleven at night on the 31st in São Paulo
    await ask(world, "wamid.1")
    world.clock.advance(3600)
    await ask(world, "wamid.2", sender=JOAO)

    march, april = await desk.numbers.read(CAIO, date(2026, 3, 1)), await desk.numbers.read(CAIO)
    assert (march.whole_month.conversations, april.whole_month.conversations) == (1, 1)
    assert (len(march.days), march.today, len(april.days)) == (31, None, 1)


async def test_the_months_are_the_present_one_and_the_twelve_before_it(desk: FrontDesk) -> None:
    months = await desk.numbers.months(CAIO)

    assert (months[0], months[-1], len(months)) == (date(2026, 3, 1), date(2025, 3, 1), MOST_MONTHS + 1)
    for month in (date(2026, 4, 1), date(2025, 2, 1)):
        with pytest.raises(ValueError, match="month"):
            await desk.numbers.read(CAIO, month)


async def test_a_day_that_was_kept_before_outcomes_were_told_gets_them_and_keeps_the_rest(
    world: World, desk: FrontDesk
) -> None:
    await ask(world, "wamid.1", "oi, bom dia!")
    world.clock.advance(DAY)
    before = STORED.write(DayNumbers(NOON.date(), conversations=7, with_person=2, failed_sends=1))
    path = f"gendei_clinics/{BOA_VIDA}/days/2026-03-02"
    await world.documents.commit([put(path, before)])

    day = (await desk.numbers.read(CAIO)).days[1]
    assert (before.get("outcomes"), day.conversations, day.failed_sends) == (None, 7, 1)
    assert day.outcomes == {"nothing_asked": 1}
    assert STORED.found(await world.documents.get(path)) == day


@pytest.mark.parametrize("looks", [1, 2])
async def test_days_that_are_over_cost_a_read_each_however_often_they_are_looked_at(
    world: World, desk: FrontDesk, looks: int
) -> None:
    for number in range(20):
        await ask(world, f"wamid.{number}")
    world.clock.advance(DAY)
    await desk.numbers.read(CAIO)
    counting = Counting(world.documents)
    other = ClinicNumbers(counting, world.directory, world.clock, PHRASES, PRICES)
    for _ in range(looks):
        await other.read(CAIO)
    assert (
        sum(done.reads for done in counting.taken().values()) == 2 + 3 + 4
    )  # the days before today; as many of the month before; conversations, bookings, appointments and blocks: none


async def test_without_anything_there_is_no_share_and_no_median(desk: FrontDesk) -> None:
    today = (await desk.numbers.read(CAIO)).today

    assert (today.conversations, today.solved, today.median_first_answer) == (0, None, None)


async def test_numbers_are_of_the_own_clinic_and_for_who_manages_it(world: World, desk: FrontDesk) -> None:
    await ask(world, "wamid.1")
    await booked(world, "Maria", NOON, AppointmentStatus.NO_SHOW, created_at=NOON, clinic_id=SORRISO)

    theirs, ours = (await desk.numbers.read(OLGA)).today, (await desk.numbers.read(CAIO)).today
    assert (theirs.conversations, theirs.bookings, theirs.no_shows) == (0, 1, 1)
    assert (ours.conversations, ours.bookings, ours.no_shows) == (1, 0, 0)
    with pytest.raises(Forbidden):
        await desk.numbers.read(BIA)
