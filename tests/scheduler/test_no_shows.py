"""After a no-show: who did not come is written to once, and staff are asked about who nobody said anything of."""

from dataclasses import replace

from tests.booking.builders import MARIA, at
from tests.scheduler.office import DAY, HERE, TEMPLATES, Office, reminding

from gendei.booking.appointment import AppointmentStatus
from gendei.clinic import MessageTemplate
from gendei.clinic_initiatives import NoShowPolicy
from gendei.conversation.outbound.proactive import Decline
from gendei.conversation.stored.outreach import OutreachBook
from gendei.documents import Query
from gendei.messages.keys import ConversationKey
from gendei.scheduler.due import MISSED, QUEUED, UNMARKED

WITH = {**TEMPLATES, "no_show": MessageTemplate("falta", "pt_BR", ("patient",), 1)}
AFTER = replace(HERE, reminders=None, templates=WITH, no_shows=NoShowPolicy())


async def tasks(office: Office) -> list[tuple[str, str]]:
    found = await office.documents.query(Query(f"gendei_clinics/{HERE.id}/tasks"))
    return [((task.data or {})["occasion"], (task.data or {})["status"]) for task in found]


async def test_who_did_not_come_reads_so_once_with_free_times_and_not_where_it_was_a_mistake(office: Office) -> None:
    office.clinics.now_is(AFTER)
    missed, wrong = await office.book(at(3, "10:00"), clinic=AFTER), await office.book(at(3, "11:00"), clinic=AFTER)
    await office.turn_to(at(3, "10:20"))
    await office.desk.set_status(AFTER, missed.id, AppointmentStatus.NO_SHOW)
    await office.desk.set_status(AFTER, wrong.id, AppointmentStatus.NO_SHOW)
    await office.turn_to(at(3, "10:25"))
    await office.desk.set_status(AFTER, wrong.id, AppointmentStatus.CONFIRMED)
    before = await office.sent()

    await office.through(at(3, "12:00"))
    await office.desk.set_status(AFTER, missed.id, AppointmentStatus.CONFIRMED)
    await office.desk.set_status(AFTER, missed.id, AppointmentStatus.NO_SHOW)
    await office.through(at(4, "12:00"))

    [entry] = await office.entries()
    assert (before, entry.contact, entry.initiative and entry.initiative.purpose) == ([], MARIA, "no_show")
    assert "*Consulta Geral* com Dra. Ana Souza" in entry.reply.text
    assert entry.reply.text.count("•") == 3
    assert [option.title for option in entry.reply.options] == ["Marcar horário"]
    assert (await office.results(missed))[MISSED] == QUEUED


async def test_staff_are_asked_two_hours_after_the_end_and_no_more_once_somebody_says_it(office: Office) -> None:
    office.clinics.now_is(reminding(AFTER, DAY))
    await office.work()
    forgotten = await office.book(at(4, "10:00"), clinic=AFTER)
    came = await office.book(at(4, "11:00"), clinic=AFTER)

    await office.turn_to(at(4, "12:29"))
    before = await tasks(office)
    await office.desk.set_status(AFTER, came.id, AppointmentStatus.CONFIRMED_PRESENCE)
    await office.desk.set_status(AFTER, came.id, AppointmentStatus.COMPLETED)
    await office.turn_to(at(4, "12:31"))
    asked = await tasks(office)
    await office.desk.set_status(AFTER, forgotten.id, AppointmentStatus.NO_SHOW)
    await office.turn_to(at(4, "20:00"))

    assert (before, asked, await tasks(office)) == ([], [("unmarked", "pending")], [("unmarked", "completed")])
    assert (await office.results(forgotten))[UNMARKED] == QUEUED
    assert UNMARKED not in await office.results(came)


async def test_who_opted_out_is_not_written_to(office: Office) -> None:
    office.clinics.now_is(AFTER)
    missed = await office.book(at(3, "10:00"), clinic=AFTER)
    await OutreachBook(office.documents, office.clock).opt_out(ConversationKey(HERE.id, MARIA))
    await office.turn_to(at(3, "10:40"))
    await office.desk.set_status(AFTER, missed.id, AppointmentStatus.NO_SHOW)

    await office.through(at(4, "12:00"))

    assert await office.sent() == []
    assert await office.results(missed) == {MISSED: str(Decline.OPTED_OUT)}
