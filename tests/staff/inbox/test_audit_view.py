"""The audit by name and by day: what is looked for in words, and what ids are called."""

from datetime import date, timedelta

import pytest
from tests.conversation.cast import BOA_VIDA, JOAO, MARIA, NOON, SORRISO, World, text
from tests.staff.inbox.desk import BIA, CAIO, OLGA, employ
from tests.staff.inbox.records import booked, patient

from gendei.booking.patients import patient_id
from gendei.clinic import ClinicId
from gendei.conversation.stored.follow_ups import TASK, StoredTask, tasks_of
from gendei.documents import put
from gendei.secrets import SecretBox, new_key
from gendei.staff.access.accounts import Accounts
from gendei.staff.access.passwords import Passwords
from gendei.staff.actors import Forbidden
from gendei.staff.audit import Action, Audit
from gendei.staff.audit_view import AuditView, AuditWish
from gendei.staff.desks import FrontDesk

TASK_ID = "0" * 20


@pytest.fixture
def audit(world: World) -> Audit:
    return Audit(world.documents, world.clock)


@pytest.fixture
def view(world: World, desk: FrontDesk, audit: Audit) -> AuditView:
    accounts = Accounts(world.documents, SecretBox(new_key()), Passwords(), world.clock)
    return AuditView(world.documents, audit, accounts, desk.patients)


async def zone(world: World, clinic_id: ClinicId = BOA_VIDA):  # a zone
    clinic = await world.directory.get(clinic_id)
    assert clinic is not None
    return clinic.timezone


async def found(world: World, view: AuditView, actor=CAIO, **wished) -> list[str]:
    entries = await view.search(actor, AuditWish(**wished), await zone(world))
    return [entry.subject for entry in entries]


@pytest.mark.parametrize("words", ["bia", "BÍA", BIA.user_id])
async def test_a_person_is_meant_by_name_or_address(world: World, view: AuditView, audit: Audit, words: str) -> None:
    await employ(world, BIA, CAIO)
    await audit.record(BIA, Action.CONVERSATION_READ, MARIA)
    await audit.record(CAIO, Action.CONVERSATION_READ, JOAO)

    assert await found(world, view, user=words) == [MARIA]


@pytest.mark.parametrize("words", ["maria silva", "Mária", "(11) 99999-0001", MARIA])
async def test_a_patient_is_meant_by_name_or_phone_with_conversation_and_card(
    world: World, view: AuditView, audit: Audit, words: str
) -> None:
    maria = await patient(world, "Maria Silva")
    for subject in (MARIA, maria, JOAO):
        await audit.record(BIA, Action.CONVERSATION_READ, subject)
        world.clock.advance(1)

    assert await found(world, view, subject=words) == [maria, MARIA]


async def test_what_was_done_to_a_card_is_found_by_either_id_after_a_merge(
    world: World, view: AuditView, audit: Audit, desk: FrontDesk
) -> None:
    kept, gone = await patient(world, "Pedro Souza"), await patient(world, "Pedro S.", JOAO)
    await audit.record(BIA, Action.PATIENT_READ, gone)
    world.clock.advance(1)
    await desk.merging.merge(BIA, kept, gone)

    for each in (kept, gone):
        assert sorted(await found(world, view, subject=each)) == sorted([kept, gone, gone])


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        (None, None, ["c", "b", "a"]),
        (date(2026, 3, 3), None, ["c", "b"]),
        (None, date(2026, 3, 2), ["a"]),
        (date(2026, 3, 3), date(2026, 3, 3), ["b"]),
    ],
)
async def test_days_are_the_clinics(
    world: World, view: AuditView, audit: Audit, first: date | None, last: date | None, expected: list[str]
) -> None:
    midnight = NOON.replace(hour=3) + timedelta(days=1)  # in São Paulo
    for subject, at in (("a", midnight - timedelta(seconds=1)), ("b", midnight), ("c", midnight + timedelta(days=1))):
        world.clock.now = at
        await audit.record(BIA, Action.TASK_ADDED, subject)

    assert await found(world, view, first=first, last=last) == expected


async def test_pages_go_on_behind_the_last_entry_whoever_is_looked_for(
    world: World, view: AuditView, audit: Audit
) -> None:
    maria = await patient(world, "Maria Silva")
    for number in range(6):
        await audit.record(BIA, Action.PATIENT_READ, maria if number % 2 else MARIA)
        world.clock.advance(number % 3)
    wish, place = AuditWish(subject="maria"), await zone(world)
    first = await view.search(CAIO, wish, place, limit=4)
    second = await view.search(CAIO, wish, place, limit=4, before=first[-1])

    assert len({entry.id for entry in (*first, *second)}) == len(first) + len(second) == 6


async def test_ids_are_called_by_what_stands_in_the_clinic(
    world: World, view: AuditView, audit: Audit, desk: FrontDesk
) -> None:
    async with world.messaging:
        await world.accept(text("wamid.1", "oi", sender_name="Mari"))
        await world.idle()
    await employ(world, BIA, OLGA)
    maria, other = await patient(world, "Maria Silva"), await patient(world, "Maria S.", JOAO)
    visit = await booked(world, "Maria Silva", NOON)
    task = StoredTask(NOON, NOON, title="Ligar para o laboratório")
    await world.documents.commit([put(f"{tasks_of(BOA_VIDA)}/{TASK_ID}", TASK.write(task))])
    await desk.merging.merge(BIA, maria, other)
    await audit.record(BIA, Action.CONVERSATION_READ, MARIA)
    await audit.record(BIA, Action.PATIENT_CHANGED, MARIA, changed=["opted_out"])
    await audit.record(BIA, Action.PATIENT_READ, other)
    await audit.record(BIA, Action.BOOKED, visit)
    await audit.record(BIA, Action.TASK_ADDED, TASK_ID)
    await audit.record(BIA, Action.ASSIGNED, MARIA, to=BIA.user_id)
    await audit.record(BIA, Action.USER_CHANGED, OLGA.user_id)  # of the other clinic
    await audit.record(BIA, Action.BOOKED, "gone")

    names = await view.names(CAIO, await view.search(CAIO, AuditWish(), await zone(world)))
    assert names == {
        ("conversation", MARIA): "Mari",
        ("patient", MARIA): "Mari",
        ("patient", maria): "Maria Silva",
        ("patient", other): "Maria Silva",
        ("appointment", visit): "Maria Silva",
        ("task", TASK_ID): "Ligar para o laboratório",
        ("user", BIA.user_id): "Bia",
    }


async def test_another_clinic_finds_and_names_nothing(world: World, view: AuditView, audit: Audit) -> None:
    maria = await patient(world, "Maria Silva")
    await audit.record(BIA, Action.PATIENT_READ, maria)
    ours = await view.search(CAIO, AuditWish(), await zone(world))

    assert await found(world, view, OLGA, subject="maria") == []
    assert await found(world, view, OLGA, subject=maria) == []
    assert await view.names(OLGA, ours) == {}
    theirs = await patient(world, "Maria Silva", clinic_id=SORRISO)
    assert theirs == maria == patient_id(MARIA, "Maria Silva")


async def test_who_does_not_manage_reads_no_audit(world: World, view: AuditView) -> None:
    with pytest.raises(Forbidden):
        await found(world, view, BIA)
    with pytest.raises(Forbidden):
        await view.names(BIA, [])
