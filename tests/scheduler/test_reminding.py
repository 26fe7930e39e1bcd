"""Reminders by themselves: each occasion once, at its time, or declined with a reason."""

from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace

import pytest
from tests.booking.builders import JOAO, MARIA, at, every_day, request
from tests.scheduler.office import ASKED, DAY, HERE, SOON, THERE, Office, reminding

from gendei.booking.appointment import AppointmentStatus
from gendei.clinic import Contact
from gendei.conversation.outbound.proactive import Decline
from gendei.conversation.stored.conversation import CONVERSATION, Conversation
from gendei.documents import Query, Snapshot, put
from gendei.messages.keys import EVENTS
from gendei.reminding import ReminderPolicy, ReminderPurpose, ReminderRule, Unanswered
from gendei.scheduler.due import QUEUED, SUPERSEDED, TOO_LATE
from gendei.scheduler.planner import NEW_RULE


async def test_each_reminder_leaves_at_its_time_and_once(office: Office) -> None:
    booked = await office.book(at(6, "15:00"))

    await office.turn_to(at(3, "14:59"))
    before = await office.sent()
    await office.through(at(6, "15:30"))

    assert before == []
    assert await office.sent() == [(MARIA, "Olá! Aqui é"), (MARIA, "Olá! Lembrete da"), (MARIA, "Olá! Lembrete da")]
    assert [entry.created_at for entry in await office.entries()] == [
        at(3, "15:29"),
        at(5, "15:29"),
        at(6, "13:29"),
    ]
    assert await office.results(booked) == dict.fromkeys((ASKED.key, DAY.key, SOON.key), QUEUED)


async def test_another_clinics_patient_gets_what_that_clinic_sends_and_nothing_of_this(office: Office) -> None:
    await office.book(at(6, "15:00"), JOAO, THERE)

    await office.through(at(6, "15:30"))

    assert (await office.sent(), len(await office.sent(THERE))) == ([], 1)


async def test_what_would_have_been_due_before_the_booking_is_left_out(office: Office) -> None:
    booked = await office.book(at(3, "15:00"))

    await office.through(at(3, "15:30"))

    assert await office.results(booked) == {DAY.key: QUEUED, SOON.key: QUEUED}


async def test_after_an_outage_the_latest_goes_and_the_earlier_say_why_not(office: Office) -> None:
    booked = await office.book(at(6, "15:00"))

    await office.turn_to(at(5, "18:00"))

    assert await office.results(booked) == {ASKED.key: SUPERSEDED, DAY.key: QUEUED}
    assert len(await office.sent()) == 1


async def test_a_crowd_of_one_clinic_does_not_hold_up_another(office: Office) -> None:
    crowd, other, first = [Contact(f"+55119777{number:05}") for number in range(16)], JOAO, at(6, "08:30")
    office.clinics.now_is(clinic := replace(HERE, hours=every_day("08:00-18:00")))
    for number, who in enumerate(crowd):
        await office.desk.book(clinic, who, request(first + timedelta(minutes=30 * number)))
    await office.book(at(6, "17:00"), other, THERE)

    await office.turn_to(at(5, "18:00"))

    order = [key.contact for key in office.queued]
    assert sorted(order) == sorted([*crowd, other])
    assert order.index(other) < len(crowd) / 2


async def test_after_an_outage_over_the_appointment_it_says_that_it_is_too_late(office: Office) -> None:
    booked = await office.book(at(6, "15:00"))

    await office.turn_to(at(16, "10:00"))

    assert await office.results(booked) == dict.fromkeys((ASKED.key, DAY.key, SOON.key), TOO_LATE)
    assert await office.sent() == []


async def test_who_confirmed_is_left_alone_but_for_what_is_for_them_too(office: Office) -> None:
    office.clinics.now_is(reminding(HERE, ASKED, DAY, replace(SOON, confirmed_too=True)))
    booked = await office.book(at(6, "15:00"))
    await office.through(at(3, "15:30"))
    await office.desk.confirm_presence(HERE, MARIA, booked.id)

    await office.through(at(6, "15:30"))

    assert await office.results(booked) == {ASKED.key: QUEUED, SOON.key: QUEUED}
    assert "Você já confirmou que vem" in (await office.entries())[-1].reply.text


async def test_a_cancelled_appointment_is_not_reminded_of(office: Office) -> None:
    booked = await office.book(at(6, "15:00"))
    await office.desk.cancel(HERE, MARIA, booked.id)

    await office.through(at(6, "15:30"))

    assert (await office.sent(), await office.plan(booked)) == ([], None)


async def test_a_moved_appointment_is_reminded_of_anew(office: Office) -> None:
    booked = await office.book(at(6, "15:00"))
    await office.through(at(5, "16:00"))
    await office.desk.move(HERE, MARIA, booked.id, at(10, "09:00"))

    await office.through(at(10, "09:30"), minutes=60)

    days = [entry.reply.text.count("10/03") for entry in await office.entries()]
    assert days == [0, 0, 1, 1, 1]
    assert await office.results(booked) == dict.fromkeys((ASKED.key, DAY.key, SOON.key), QUEUED)


async def test_a_rule_is_for_the_services_that_it_names(office: Office) -> None:
    office.clinics.now_is(reminding(HERE, replace(DAY, services=("limpeza",))))
    await office.book(at(6, "15:00"))
    await office.book(at(6, "16:00"), JOAO, service="limpeza")

    await office.through(at(6, "17:00"))

    assert [contact for contact, _ in await office.sent()] == [JOAO]


async def test_what_quiet_hours_would_make_late_goes_on_the_evening_before(office: Office) -> None:
    early = reminding(HERE, ReminderRule(2))
    early = replace(early, proactive=replace(early.proactive, quiet_end=9 * 60))
    office.clinics.now_is(early)
    await office.book(at(6, "08:00"), clinic=early)

    await office.through(at(6, "09:00"))

    assert [entry.created_at for entry in await office.entries()] == [at(5, "19:00")]


async def test_a_clinic_without_rules_of_its_own_has_its_verticals(office: Office) -> None:
    office.clinics.now_is(replace(HERE, reminders=ReminderPolicy()))
    booked = await office.book(at(6, "15:00"))

    await office.through(at(6, "15:30"))

    assert await office.results(booked) == {DAY.key: QUEUED}


async def test_a_clinic_that_says_nothing_reminds_nobody_by_itself(office: Office) -> None:
    office.clinics.now_is(replace(HERE, reminders=None))
    booked = await office.book(at(6, "15:00"))

    await office.through(at(6, "15:30"))

    assert (await office.sent(), await office.plan(booked)) == ([], None)


async def test_rules_that_come_later_hold_for_what_was_booked_before_and_do_nothing_late(office: Office) -> None:
    office.clinics.now_is(replace(HERE, reminders=None))
    booked = await office.book(at(6, "15:00"))
    await office.turn_to(at(4, "10:00"))
    office.clinics.now_is(HERE)

    await office.through(at(6, "15:30"))

    assert await office.results(booked) == {ASKED.key: NEW_RULE, DAY.key: QUEUED, SOON.key: QUEUED}


async def test_rules_that_are_planned_cost_no_read_of_a_clinic(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    await office.work()
    reads: list[str] = []
    plain = office.documents.query

    async def counted(query: Query) -> list[Snapshot]:
        reads.append(query.collection)
        return await plain(query)

    monkeypatch.setattr(office.planner, "documents", SimpleNamespace(query=counted))
    await office.planner.catch_up()
    assert reads == []


async def test_why_nothing_was_sent_is_written_down(office: Office) -> None:
    office.clinics.now_is(replace(HERE, templates={}))
    booked = await office.book(at(4, "15:00"))

    await office.through(at(4, "15:30"))

    assert await office.results(booked) == dict.fromkeys((DAY.key, SOON.key), str(Decline.NO_TEMPLATE))


@pytest.mark.parametrize("then", list(Unanswered))
async def test_who_does_not_answer_becomes_a_task_or_is_asked_once_more(office: Office, then: Unanswered) -> None:
    office.clinics.now_is(reminding(HERE, ASKED, unanswered_hours_before=48, unanswered=then))
    booked = await office.book(at(6, "15:00"))

    await office.through(at(6, "15:30"))

    tasks = await office.documents.query(Query(f"gendei_clinics/{HERE.id}/tasks"))
    asked = [entry.reply.text.split(":")[0] for entry in await office.entries()]
    told = [(snapshot.data or {})["description"] for snapshot in tasks]
    if then is Unanswered.TASK:
        assert (len(asked), [booked.service_name in each for each in told]) == (1, [True])
    else:
        assert (told, asked[1:]) == ([], ["Olá! Ainda não sabemos se você vem"])


async def test_a_task_for_who_did_not_answer_is_over_with_the_answer(office: Office) -> None:
    office.clinics.now_is(reminding(HERE, ASKED, unanswered_hours_before=48))
    booked = await office.book(at(6, "15:00"))
    await office.through(at(4, "15:30"))

    await office.desk.confirm_presence(HERE, MARIA, booked.id)
    await office.followed()

    [task] = await office.documents.query(Query(f"gendei_clinics/{HERE.id}/tasks"))
    assert (task.data or {})["status"] == "completed"


async def test_who_answers_is_not_asked_again(office: Office) -> None:
    office.clinics.now_is(reminding(HERE, ASKED, unanswered_hours_before=48, unanswered=Unanswered.ASK_AGAIN))
    booked = await office.book(at(6, "15:00"))
    await office.through(at(3, "15:30"))
    await office.desk.confirm_presence(HERE, MARIA, booked.id)

    await office.through(at(6, "15:30"))

    assert len(await office.sent()) == 1
    assert (await office.desk.appointment(HERE, MARIA, booked.id)).status is AppointmentStatus.CONFIRMED_PRESENCE


async def test_asked_late_there_is_time_to_answer_before_it_is_a_task(office: Office) -> None:
    office.clinics.now_is(reminding(HERE, ASKED, unanswered_hours_before=48))
    await office.book(at(6, "15:00"))

    await office.turn_to(at(4, "16:00"))
    await office.turn_to(at(4, "17:00"))
    soon = await office.documents.query(Query(f"gendei_clinics/{HERE.id}/tasks"))
    await office.turn_to(at(4, "16:00") + timedelta(hours=3))

    assert (soon, len(await office.documents.query(Query(f"gendei_clinics/{HERE.id}/tasks")))) == ([], 1)
    assert ASKED.purpose is ReminderPurpose.CONFIRMATION


async def test_a_clinic_that_reminds_nobody_pays_for_no_event(office: Office) -> None:
    office.clinics.now_is(replace(HERE, reminders=None))
    await office.desk.book(HERE, MARIA, request(at(6, "15:00")))
    assert await office.documents.query(Query(EVENTS)) == []


async def _person_has_it(office: Office, has: bool) -> None:
    conversation = Conversation(HERE.id, MARIA, created_at=office.clock.now, updated_at=office.clock.now)
    held = conversation.taken_over("", office.clock.now, "Rosa") if has else conversation
    await office.documents.commit([put(conversation.key.path, CONVERSATION.write(held))])


async def test_what_a_person_in_the_conversation_holds_up_goes_when_they_are_done(office: Office) -> None:
    booked = await office.book(at(6, "15:00"))
    office.clinics.now_is(reminding(HERE, DAY))
    await office.work()
    await _person_has_it(office, True)
    await office.through(at(5, "18:00"))
    held = await office.sent()
    await _person_has_it(office, False)

    await office.through(at(5, "20:00"))

    assert (held, len(await office.sent()), await office.results(booked)) == ([], 1, {DAY.key: QUEUED})


async def test_what_is_held_up_for_too_long_says_why(office: Office) -> None:
    office.clinics.now_is(reminding(HERE, DAY))
    booked = await office.book(at(6, "15:00"))
    await _person_has_it(office, True)

    await office.through(at(6, "15:30"))

    assert (await office.sent(), await office.results(booked)) == ([], {DAY.key: str(Decline.TAKEN_OVER)})


async def test_a_plan_that_cannot_be_read_holds_up_nobody_else(
    office: Office, caplog: pytest.LogCaptureFixture
) -> None:
    booked = await office.book(at(6, "15:00"))
    await office.documents.commit([put("gendei_due/a_of_another_version", {"dueAt": at(3, "10:00")})])

    await office.through(at(6, "15:30"))

    assert await office.results(booked) == dict.fromkeys((ASKED.key, DAY.key, SOON.key), QUEUED)
    assert "of_another_version cannot be read" in caplog.text


async def test_a_clinic_whose_vertical_is_gone_holds_up_nobody_else(office: Office) -> None:
    office.clinics.now_is(replace(THERE, vertical="gone", reminders=ReminderPolicy()))
    booked = await office.book(at(6, "15:00"))

    await office.through(at(6, "15:30"))

    assert await office.results(booked) == dict.fromkeys((ASKED.key, DAY.key, SOON.key), QUEUED)
