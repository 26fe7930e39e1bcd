"""What the reception does beyond booking: overrides, arrivals, notes; by right, in the audit, in the own clinic."""

from dataclasses import replace
from datetime import date

import pytest
from tests.booking.builders import at
from tests.staff.agenda.office import ATENDENTE, GESTOR, HERE, OUTSIDER, READER, Office, wish

from gendei.booking.appointment import Attendance
from gendei.booking.personal_data import PersonalData
from gendei.booking.slots import Refusal
from gendei.clinic import Overriders, PersonalDatum
from gendei.errors import NotFound
from gendei.staff.actors import RIGHTS, Actor, Forbidden, Right, Role
from gendei.staff.agenda.agenda import AgendaRefused, Fitting
from gendei.staff.audit import Action

BIA = replace(ATENDENTE, rights=RIGHTS[Role.ATENDENTE])
CARLA = replace(GESTOR, rights=RIGHTS[Role.GESTOR])
OVER = Fitting(override=True)
SECOND = wish("11:10", name="João Lima", phone="11999990002")


async def audited(office: Office, subject: str) -> list[tuple[str, str]]:
    """(name, action), from A to Z: the clock stands still."""
    return sorted((entry.name, entry.action) for entry in await office.audit.search(GESTOR, subject=subject))


async def test_an_override_says_so_and_stands_in_the_audit_by_its_own_name(office: Office) -> None:
    await office.agenda.book(BIA, wish("11:00"))
    with pytest.raises(AgendaRefused) as refused:
        await office.agenda.book(BIA, SECOND)
    put_in = (await office.agenda.book(BIA, SECOND, fitting=OVER)).appointment
    moved = (await office.agenda.move(CARLA, put_in.id, at(2, "11:20"), fitting=OVER)).appointment
    free = (await office.agenda.move(BIA, put_in.id, at(2, "15:00"), fitting=OVER)).appointment
    assert (refused.value.overridable, put_in.override, moved.override, free.override) == (True, True, True, False)
    assert await audited(office, put_in.id) == [
        ("Bia", Action.MOVED),
        ("Bia", Action.OVERRIDDEN),
        ("Carla", Action.OVERRIDDEN),
    ]


@pytest.mark.parametrize(
    ("overriders", "actor", "may"),
    [
        (Overriders.STAFF, BIA, True),
        (Overriders.STAFF, ATENDENTE, False),
        (Overriders.MANAGERS, BIA, False),
        (Overriders.MANAGERS, CARLA, True),
        (Overriders.NOBODY, CARLA, False),
        (Overriders.STAFF, READER, False),
    ],
)
async def test_only_who_has_the_right_and_whom_the_clinic_lets_overrides(
    office: Office, overriders: Overriders, actor: Actor, may: bool
) -> None:
    office.clinics.known[HERE.id] = replace(HERE, booking=replace(HERE.booking, override=overriders))
    first = (await office.agenda.book(BIA, wish("11:00"))).appointment
    if may:
        assert (await office.agenda.book(actor, SECOND, fitting=OVER)).appointment.override
        return
    with pytest.raises(Forbidden):
        await office.agenda.book(actor, SECOND, fitting=OVER)
    with pytest.raises(Forbidden):
        await office.agenda.move(actor, first.id, at(2, "12:30"), fitting=OVER)
    view = await office.agenda.view(BIA, date(2026, 3, 2))
    assert view.columns[0].days[0].appointments == (first,)


async def test_what_no_override_mends_is_refused_without_a_hint(office: Office) -> None:
    with pytest.raises(AgendaRefused) as refused:
        await office.agenda.book(BIA, wish("09:00"), fitting=OVER)
    assert (refused.value.reason, refused.value.overridable) == (Refusal.PAST, False)


async def test_an_own_duration_is_kept_free(office: Office) -> None:
    long = (await office.agenda.book(BIA, wish("11:00"), fitting=Fitting(minutes=60))).appointment
    short = (await office.agenda.move(BIA, long.id, long.start, fitting=Fitting(minutes=15))).appointment
    assert (long.end, short.end, short.start) == (at(2, "12:00"), at(2, "11:15"), at(2, "11:00"))


async def test_arrivals_and_notes_stand_in_the_audit_without_a_word_of_them(office: Office) -> None:
    booked = (await office.agenda.book(BIA, replace(wish("11:00"), note="Traz exames."))).appointment
    there = (await office.agenda.set_attendance(BIA, booked.id, Attendance.ARRIVED, seen=booked.version)).appointment
    noted = (await office.agenda.set_note(CARLA, booked.id, "Está com febre.", seen=there.version)).appointment
    assert (there.attendance, noted.note, noted.attendance) == (Attendance.ARRIVED, "Está com febre.", there.attendance)
    assert await audited(office, booked.id) == [
        ("Bia", Action.ATTENDANCE_SET),
        ("Bia", Action.BOOKED),
        ("Carla", Action.NOTED),
    ]
    assert "febre" not in str(await office.audit.search(GESTOR))


async def test_an_arrival_before_its_day_is_refused_in_portuguese(office: Office) -> None:
    tomorrow = replace(wish("11:00"), start=at(3, "11:00"))
    booked = (await office.agenda.book(BIA, tomorrow)).appointment
    with pytest.raises(AgendaRefused) as refused:
        await office.agenda.set_attendance(BIA, booked.id, Attendance.ARRIVED)
    assert refused.value.text == "A chegada só se registra no dia da consulta."


async def test_a_reader_changes_and_an_outsider_finds_nothing(office: Office) -> None:
    booked = (await office.agenda.book(BIA, wish("11:00"))).appointment
    for actor, error in ((READER, Forbidden), (replace(OUTSIDER, rights=frozenset(Right)), NotFound)):
        with pytest.raises(error):
            await office.agenda.set_attendance(actor, booked.id, Attendance.ARRIVED)
        with pytest.raises(error):
            await office.agenda.set_note(actor, booked.id, "x")
        with pytest.raises(error):
            await office.agenda.move(actor, booked.id, at(2, "12:30"), fitting=OVER)
    assert await office.agenda.appointment(BIA, booked.id) == booked


async def test_personal_data_is_given_only_by_who_may_see_it_and_where_it_is_kept(office: Office) -> None:
    known = replace(wish("11:00"), personal_data=PersonalData(cpf="529.982.247-25"))
    with pytest.raises(AgendaRefused) as not_kept:
        await office.agenda.book(BIA, known)
    office.clinics.known[HERE.id] = replace(HERE, personal_data=(PersonalDatum.CPF,))
    with pytest.raises(Forbidden):
        await office.agenda.book(ATENDENTE, known)
    booked = (await office.agenda.book(BIA, known)).appointment
    assert await audited(office, booked.patient_id) == [("Bia", Action.PATIENT_CHANGED)]
    assert not_kept.value.reason == Refusal.NOT_KEPT
    assert "529" not in str(await office.audit.search(GESTOR))
