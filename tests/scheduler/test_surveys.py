"""After a visit: who came is asked how it was, once, at a fit hour, and not who wants none of it."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from tests.booking.builders import JOAO, MARIA, at
from tests.scheduler.office import HERE, TEMPLATES, THERE, Office

from gendei.booking.appointment import Appointment, AppointmentStatus
from gendei.clinic import Clinic, MessageTemplate
from gendei.clinic_initiatives import SurveyAfter, SurveyPolicy
from gendei.conversation.outbound.proactive import Decline
from gendei.conversation.stored.outreach import OutreachBook
from gendei.documents import Query, put
from gendei.messages.keys import ConversationKey
from gendei.scheduler.due import DUE, QUEUED, SURVEY, TOO_LATE
from gendei.scheduler.surveying import ASKED_LATELY
from gendei.surveys.survey import surveys_of

WITH = {**TEMPLATES, "survey": MessageTemplate("pesquisa", "pt_BR", ("patient", "clinic_name"), 5)}
ASKING = replace(HERE, reminders=None, templates=WITH, survey=SurveyPolicy())
ALL = replace(ASKING, survey=SurveyPolicy(SurveyAfter.ENDED, every_days=0))


async def done(office: Office, appointment: Appointment, at_: datetime, clinic: Clinic = ASKING) -> None:
    await office.turn_to(at_)
    await mark(office, appointment, clinic)
    await office.work()


async def mark(office: Office, appointment: Appointment, clinic: Clinic = ASKING) -> None:
    for status in (AppointmentStatus.CONFIRMED_PRESENCE, AppointmentStatus.COMPLETED):
        await office.desk.set_status(clinic, appointment.id, status)


async def asked(office: Office, clinic: Clinic = HERE) -> Sequence[str]:
    return [found.id for found in await office.documents.query(Query(surveys_of(clinic.id)))]


async def test_who_came_is_asked_once_after_the_delay_and_nobody_else(office: Office) -> None:
    office.clinics.now_is(ASKING)
    came, there = await office.book(at(3, "10:00"), clinic=ASKING), await office.book(at(3, "10:00"), clinic=THERE)
    unmarked, missed = (
        await office.book(at(3, "11:00"), who=JOAO, clinic=ASKING),
        await office.book(at(3, "14:00"), who=JOAO, clinic=ASKING),
    )
    await done(office, came, at(3, "10:25"))
    await mark(office, there, THERE)
    await office.turn_to(at(3, "12:29"))
    before = await office.sent()
    await office.turn_to(at(3, "12:31"))
    await office.turn_to(at(3, "14:20"))
    await office.desk.set_status(ASKING, missed.id, AppointmentStatus.NO_SHOW)
    await office.through(at(5, "18:00"))

    [entry] = await office.entries()
    assert (before, entry.contact, entry.initiative and entry.initiative.purpose) == ([], MARIA, "survey")
    assert [option.title[-2] for option in entry.reply.options] == ["1", "2", "3", "4", "5"]
    assert entry.reply.is_list
    assert await office.results(came) == {SURVEY: QUEUED}
    assert (await asked(office), await asked(office, THERE)) == ([came.id], [])
    assert SURVEY not in await office.results(unmarked) | await office.results(missed)


async def test_a_visit_that_nobody_marked_is_asked_about_where_the_clinic_says_so(office: Office) -> None:
    office.clinics.now_is(ALL)
    forgotten = await office.book(at(3, "10:00"), clinic=ALL)
    missed = await office.book(at(3, "14:00"), who=JOAO, clinic=ALL)
    await office.turn_to(at(3, "14:20"))
    await office.desk.set_status(ALL, missed.id, AppointmentStatus.NO_SHOW)
    await office.through(at(4, "12:00"))

    assert await asked(office) == [forgotten.id]


async def test_at_night_it_waits_for_the_morning_and_a_visit_marked_late_is_not_asked_about(office: Office) -> None:
    office.clinics.now_is(ALL)
    late, forgotten = await office.book(at(3, "17:30"), clinic=ALL), await office.book(at(3, "09:00"), JOAO, ASKING)
    office.clinics.now_is(ASKING)
    await done(office, late, at(3, "19:50"))
    await office.through(at(4, "07:59"))
    night = await office.sent()
    await office.turn_to(at(4, "08:01"))
    await done(office, forgotten, at(9, "10:00"))
    await office.turn_to(at(9, "10:30"))

    assert (night, await asked(office)) == ([], [late.id])
    assert await office.results(forgotten) == {SURVEY: TOO_LATE}


async def test_who_opted_out_or_stopped_marketing_or_was_asked_lately_is_left_alone(office: Office) -> None:
    office.clinics.now_is(ASKING)
    book = OutreachBook(office.documents, office.clock)
    first, again = (
        await office.book(at(3, "10:00"), clinic=ASKING),
        await office.book(at(10, "10:00"), clinic=ASKING),
    )
    much_later = await office.book(at(9, "10:00", month=4), clinic=ASKING)
    await done(office, first, at(3, "10:40"))
    await office.turn_to(at(3, "13:00"))
    await done(office, again, at(10, "10:40"))
    await office.turn_to(at(10, "13:00"))
    await done(office, much_later, at(9, "10:40", month=4))
    await office.turn_to(at(9, "13:00", month=4))
    results = [(await office.results(each))[SURVEY] for each in (first, again, much_later)]

    assert results == [QUEUED, ASKED_LATELY, QUEUED]
    for stop, reason in ((book.opt_out, Decline.OPTED_OUT), (book.stop_marketing, Decline.NO_MARKETING)):
        await book.opt_in(ConversationKey(HERE.id, JOAO))
        await stop(ConversationKey(HERE.id, JOAO))
        start = office.clock.now.replace(hour=10, minute=0) + timedelta(days=7)
        visit = await office.book(start, who=JOAO, clinic=ASKING)
        await done(office, visit, start + timedelta(minutes=40))
        await office.turn_to(start + timedelta(hours=3))
        assert await office.results(visit) == {SURVEY: str(reason)}


async def test_a_visit_taken_back_before_the_question_leaves_is_not_asked_about(office: Office) -> None:
    office.clinics.now_is(ASKING)
    wrong = await office.book(at(3, "10:00"), clinic=ASKING)
    await done(office, wrong, at(3, "10:40"))
    await office.desk.set_status(ASKING, wrong.id, AppointmentStatus.CONFIRMED)
    await office.through(at(5, "12:00"))

    assert await office.sent() == []


async def test_a_question_that_was_queued_by_a_process_that_died_is_queued_once(office: Office) -> None:
    office.clinics.now_is(ASKING)
    came = await office.book(at(3, "10:00"), clinic=ASKING)
    await done(office, came, at(3, "10:40"))
    await office.turn_to(at(3, "12:31"))
    [plan] = await office.documents.query(Query(DUE))
    before = {name: value for name, value in (plan.data or {}).items() if name != "outcomes"}
    await office.documents.commit([put(plan.path, before | {"dueAt": at(3, "12:32")})])
    await office.turn_to(at(3, "12:40"))

    assert len(await office.entries()) == 1
    assert await office.results(came) == {SURVEY: QUEUED}


def test_a_survey_whose_best_score_is_low_is_none() -> None:
    with pytest.raises(ValueError, match="best score"):
        SurveyPolicy(low=5)
