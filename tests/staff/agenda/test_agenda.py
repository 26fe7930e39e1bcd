"""The agenda as staff see and change it: each change is the desk's, in the actor's name, and in the audit."""

from dataclasses import replace
from datetime import date

import pytest
from tests.booking.builders import MARIA, at
from tests.staff.agenda.office import ATENDENTE, GESTOR, HERE, OUTSIDER, READER, Office, wish

from gendei.booking.appointment import AppointmentStatus
from gendei.booking.slots import Refusal
from gendei.booking.time_blocks import BlockWish
from gendei.clinic import Contact, TimeOff
from gendei.conversation.outbound.proactive import Decline
from gendei.errors import NotFound
from gendei.staff.actors import Forbidden
from gendei.staff.agenda.agenda import CHANGED, AgendaRefused
from gendei.staff.audit import Action

MONDAY, TUESDAY = date(2026, 3, 2), date(2026, 3, 3)
S = AppointmentStatus


async def test_staff_book_a_new_patient_by_phone_between_the_slots_and_within_the_lead_time(office: Office) -> None:
    booked = (await office.agenda.book(ATENDENTE, wish("10:10"))).appointment
    assert (booked.start, booked.contact, booked.patient_name) == (at(2, "10:10"), MARIA, "Maria Silva")
    assert [(line.status, line.by) for line in booked.history] == [(S.PENDING, "Bia"), (S.CONFIRMED, "Bia")]
    assert booked.channel == "staff"


async def test_a_phone_without_the_ninth_digit_is_the_same_patient(office: Office) -> None:
    booked = (await office.agenda.book(ATENDENTE, wish("11:00", phone="+55 11 9999-0001"))).appointment
    assert booked.contact == MARIA


async def test_a_user_id_is_somebody_only_where_they_have_written(office: Office) -> None:
    known = Contact("BR.1349")
    with pytest.raises(NotFound):
        await office.agenda.book(ATENDENTE, wish("11:00", phone=None), known)
    await office.open_window(known)
    booked = (await office.agenda.book(ATENDENTE, wish("11:00", phone=None), known)).appointment
    assert (booked.contact, booked.patient_phone) == (known, None)


async def test_a_week_shows_everything_in_its_place(office: Office) -> None:
    own = (await office.agenda.book(ATENDENTE, wish("11:00"))).appointment
    gone = (await office.agenda.book(ATENDENTE, wish("14:00"))).appointment
    gone = (await office.agenda.cancel(ATENDENTE, gone.id, "engano")).appointment
    block = await office.blocks.add(ATENDENTE, BlockWish("ana", at(2, "15:00"), at(2, "16:00"), "Reunião"))
    closed = await office.blocks.add(ATENDENTE, BlockWish.whole_days(HERE, TUESDAY, TUESDAY, "Feriado"))
    view = await office.agenda.view(ATENDENTE, MONDAY, 7)
    ana, bruno = view.columns
    assert (view.first, view.last, dict(view.closed)) == (MONDAY, date(2026, 3, 8), {TUESDAY: "Feriado"})
    assert (ana.name, ana.active, [day.day.day for day in ana.days]) == ("Dra. Ana Souza", True, [2, 3, 4, 5, 6, 7, 8])
    assert (ana.days[0].appointments, ana.days[0].blocks) == ((own, gone), (block,))
    assert ana.days[0].hours == ((at(2, "08:00"), at(2, "12:00")), (at(2, "13:00"), at(2, "18:00")))
    assert (ana.days[1].hours, ana.days[1].blocks, ana.days[5].hours) == ((), (closed,), ())
    assert (bruno.days[0].appointments, bruno.days[0].blocks, bruno.days[1].blocks) == ((), (), (closed,))


async def test_one_professional_may_be_asked_for_and_who_left_is_shown_while_something_stands(office: Office) -> None:
    booked = (await office.agenda.book(ATENDENTE, wish("11:00", who="bruno"))).appointment
    ana = replace(HERE.professionals[0], time_off=(TimeOff(at(2, "08:00"), at(2, "09:00")),))
    office.clinics.known[HERE.id] = replace(HERE, professionals=(ana,))
    view = await office.agenda.view(ATENDENTE, MONDAY)
    only = await office.agenda.view(ATENDENTE, MONDAY, professional_id="ana")
    assert [(column.name, column.active) for column in view.columns] == [
        ("Dra. Ana Souza", True),
        ("Dr. Bruno Lima", False),
    ]
    assert (view.columns[1].days[0].appointments, view.columns[0].days[0].time_off) == ((booked,), ana.time_off)
    assert [appointment.professional_id for appointment in only.columns] == ["ana"]


async def test_a_clash_is_refused_in_portuguese_with_what_is_free(office: Office) -> None:
    await office.agenda.book(ATENDENTE, wish("11:00"))
    with pytest.raises(AgendaRefused) as refused:
        await office.agenda.book(ATENDENTE, wish("11:10", name="João Lima", phone="11999990002"))
    assert (refused.value.reason, refused.value.text) == (
        Refusal.TAKEN,
        "Dra. Ana Souza já tem um compromisso nesse horário.",
    )
    assert refused.value.alternatives[0].start.date() == MONDAY


async def test_who_shares_a_phone_does_not_pass_for_who_stands_there(office: Office) -> None:
    standing = (await office.agenda.book(ATENDENTE, wish("11:00"))).appointment
    assert (await office.agenda.book(ATENDENTE, wish("11:00", name="maria sílva"))).appointment == standing
    with pytest.raises(AgendaRefused) as refused:
        await office.agenda.book(ATENDENTE, wish("11:00", name="Pedro Silva"))
    assert refused.value.reason == Refusal.TAKEN


@pytest.mark.parametrize(
    ("changes", "reason"),
    [({"phone": "123"}, "invalid_phone"), ({"phone": None}, "invalid_phone"), ({"name": " "}, "invalid_name")],
)
async def test_what_nobody_can_be_is_refused(office: Office, changes: dict[str, str], reason: str) -> None:
    with pytest.raises(AgendaRefused) as refused:
        await office.agenda.book(ATENDENTE, wish("11:00", **changes))
    assert refused.value.reason == reason


async def test_an_appointment_moves_to_another_professional(office: Office) -> None:
    before = (await office.agenda.book(ATENDENTE, wish("11:00"))).appointment
    change = await office.agenda.move(ATENDENTE, before.id, at(2, "15:00"), "bruno", seen=before.version)
    assert (change.appointment.professional_id, change.appointment.start, change.notice) == (
        "bruno",
        at(2, "15:00"),
        None,
    )
    assert change.appointment.version != before.version


async def test_of_two_pages_the_second_is_told_how_it_stands_now(office: Office) -> None:
    seen = (await office.agenda.book(ATENDENTE, wish("11:00"))).appointment
    moved = (await office.agenda.move(ATENDENTE, seen.id, at(2, "15:00"), seen=seen.version)).appointment
    for late in (
        office.agenda.move(GESTOR, seen.id, at(2, "16:00"), seen=seen.version),
        office.agenda.cancel(GESTOR, seen.id, seen=seen.version),
        office.agenda.set_status(GESTOR, seen.id, S.NO_SHOW, seen=seen.version),
    ):
        with pytest.raises(AgendaRefused) as refused:
            await late
        assert (refused.value.reason, refused.value.present) == (CHANGED, moved)
        assert refused.value.text.startswith("Mudou desde que você abriu")
    assert await office.agenda.appointment(ATENDENTE, seen.id) == moved


async def test_what_is_as_it_was_wanted_already_is_no_surprise(office: Office) -> None:
    seen = (await office.agenda.book(ATENDENTE, wish("11:00"))).appointment
    moved = (await office.agenda.move(ATENDENTE, seen.id, at(2, "15:00"), seen=seen.version)).appointment
    again = await office.agenda.move(GESTOR, seen.id, at(2, "15:00"), seen=seen.version, notify=True)
    assert (again.appointment, again.notice, await office.queued()) == (moved, None, [])


async def test_a_visit_is_followed_to_its_end_in_the_names_of_who_did_it(office: Office) -> None:
    booked = (await office.agenda.book(ATENDENTE, wish("11:00"))).appointment
    await office.agenda.set_status(GESTOR, booked.id, S.CONFIRMED_PRESENCE)
    done = (await office.agenda.set_status(ATENDENTE, booked.id, S.COMPLETED)).appointment
    assert [line.by for line in done.history] == ["Bia", "Bia", "Carla", "Bia"]
    with pytest.raises(AgendaRefused) as refused:
        await office.agenda.set_status(ATENDENTE, booked.id, S.NO_SHOW)
    assert refused.value.reason == Refusal.ILLEGAL_MOVE


async def test_every_change_is_in_the_audit_and_a_refusal_or_a_repetition_is_not(office: Office) -> None:
    booked = (await office.agenda.book(ATENDENTE, wish("11:00"))).appointment
    await office.agenda.book(ATENDENTE, wish("11:00"))
    await office.agenda.move(ATENDENTE, booked.id, at(2, "15:00"))
    with pytest.raises(AgendaRefused):
        await office.agenda.move(ATENDENTE, booked.id, at(2, "03:00"))
    await office.agenda.set_status(ATENDENTE, booked.id, S.NO_SHOW)
    entries = await office.audit.search(GESTOR, subject=booked.id)
    assert sorted((entry.action, entry.name) for entry in entries) == [
        (Action.BOOKED, "Bia"),
        (Action.MOVED, "Bia"),
        (Action.STATUS_SET, "Bia"),
    ]
    [moved] = [entry for entry in entries if entry.action == Action.MOVED]
    assert (moved.detail["start"], moved.detail["came_from"]["start"]) == (at(2, "15:00"), at(2, "11:00"))


async def test_a_wrong_click_is_taken_back_and_the_audit_has_both(office: Office) -> None:
    booked = (await office.agenda.book(ATENDENTE, wish("11:00"))).appointment
    await office.agenda.set_status(ATENDENTE, booked.id, S.NO_SHOW)
    back = (await office.agenda.set_status(GESTOR, booked.id, S.CONFIRMED)).appointment
    assert (back.status, back.interval) == (S.CONFIRMED, booked.interval)
    entries = await office.audit.search(GESTOR, subject=booked.id, action=Action.STATUS_SET)
    assert sorted((entry.name, entry.detail["status"]) for entry in entries) == [
        ("Bia", "no_show"),
        ("Carla", "confirmed"),
    ]


async def test_a_no_show_whose_time_is_somebody_elses_is_not_taken_back(office: Office) -> None:
    missed = (await office.agenda.book(ATENDENTE, wish("11:00"))).appointment
    await office.agenda.set_status(ATENDENTE, missed.id, S.NO_SHOW)
    await office.agenda.book(ATENDENTE, wish("11:00", name="João Lima", phone="11999990002"))
    with pytest.raises(AgendaRefused) as refused:
        await office.agenda.set_status(ATENDENTE, missed.id, S.CONFIRMED)
    assert (refused.value.reason, refused.value.text) == (
        "taken",
        "Dra. Ana Souza já tem um compromisso nesse horário.",
    )


async def test_the_patient_is_told_of_a_move_where_the_window_is_open(office: Office) -> None:
    booked = (await office.agenda.book(ATENDENTE, wish("11:00"))).appointment
    await office.open_window(MARIA)
    change = await office.agenda.move(ATENDENTE, booked.id, at(3, "15:00"), notify=True)
    [entry] = await office.queued()
    assert change.notice is not None
    assert (change.notice.queued, change.notice.text) == (True, "O paciente será avisado pelo WhatsApp.")
    assert (entry.contact, entry.reply.text.splitlines()[0]) == (MARIA, "🔁 Sua consulta foi remarcada.")
    assert "Agora: amanhã, terça-feira, 03/03, às 15h" in entry.reply.text


async def test_outside_of_the_window_and_without_a_template_staff_read_why_nobody_was_told(office: Office) -> None:
    booked = (await office.agenda.book(ATENDENTE, wish("11:00"))).appointment
    change = await office.agenda.cancel(ATENDENTE, booked.id, "médica doente", notify=True)
    assert change.notice is not None
    assert (change.appointment.status, change.appointment.cancel_reason) == (S.CANCELLED, "médica doente")
    assert (change.notice.queued, change.notice.reason) == (False, Decline.NO_TEMPLATE)
    assert "24 horas" in change.notice.text


async def test_free_slots_are_those_of_the_bot(office: Office) -> None:
    await office.agenda.book(ATENDENTE, wish("11:00"))
    [found] = await office.agenda.slots(ATENDENTE, "consulta", MONDAY, professional_id="ana")
    assert found == (await office.desk.search_days(HERE, "consulta", MONDAY, professional_id="ana"))[0]
    with pytest.raises(AgendaRefused) as refused:
        await office.agenda.slots(ATENDENTE, "cirurgia", MONDAY)
    assert refused.value.reason == Refusal.UNKNOWN_SERVICE


async def test_another_clinic_sees_and_changes_nothing(office: Office) -> None:
    booked = (await office.agenda.book(ATENDENTE, wish("11:00"))).appointment
    for attempt in (
        office.agenda.appointment(OUTSIDER, booked.id),
        office.agenda.move(OUTSIDER, booked.id, at(2, "15:00")),
        office.agenda.cancel(OUTSIDER, booked.id),
        office.agenda.set_status(OUTSIDER, booked.id, S.NO_SHOW),
    ):
        with pytest.raises(NotFound):
            await attempt
    view = await office.agenda.view(OUTSIDER, MONDAY)
    assert [day.appointments for column in view.columns for day in column.days] == [(), ()]
    assert await office.agenda.page(OUTSIDER, (MONDAY, TUESDAY), 10) == []
    assert await office.agenda.appointment(ATENDENTE, booked.id) == booked


async def test_who_may_only_read_changes_nothing(office: Office) -> None:
    booked = (await office.agenda.book(ATENDENTE, wish("11:00"))).appointment
    assert await office.agenda.appointment(READER, booked.id) == booked
    for attempt in (
        office.agenda.book(READER, wish("14:00"), Contact("+5511999990002")),
        office.agenda.move(READER, booked.id, at(2, "15:00")),
        office.agenda.cancel(READER, booked.id),
        office.agenda.set_status(READER, booked.id, S.NO_SHOW),
    ):
        with pytest.raises(Forbidden):
            await attempt
