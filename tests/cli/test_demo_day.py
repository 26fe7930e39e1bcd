"""The demo begins on a working Tuesday, made by the product's own ways, and goes on where it was left."""

import asyncio
import shutil
from collections import Counter
from contextlib import asynccontextmanager
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest
from pydantic import SecretStr

from gendei.booking.appointment import AppointmentStatus, Attendance
from gendei.booking.visits import BookingRequest
from gendei.cli.data import read_clinics, store_clinics
from gendei.cli.demo_day.beginning import begin
from gendei.cli.demo_day.playing import play
from gendei.cli.demo_day.script import FIRST, moment_of, script_of, working_week
from gendei.cli.stand_in import beside_stand_in
from gendei.clinic import ClinicId, Contact
from gendei.clock import MovableClock, clock_from
from gendei.commands.campaigns import PREVIEW_CAMPAIGN, PreviewCampaign
from gendei.conversation.stored.follow_ups import Occasion
from gendei.datafile import data_dir
from gendei.settings import Settings
from gendei.staff.actors import terminal
from gendei.staff.inbox.rows import InboxFilter, State
from gendei.web.app import app_for

SUNDAY = datetime.fromisoformat("2026-11-22T15:00:00-03:00")
BOA_VIDA, SORRISO = ClinicId("boa-vida"), ClinicId("sorriso")
HERE = terminal(BOA_VIDA)


def settings_in(folder: Path, now: datetime = SUNDAY) -> Settings:
    return Settings.load(
        _env_file=None,
        database=f"sqlite:///{folder / 'demo.db'}",
        media=str(folder / "media"),
        secret_key=SecretStr("Sm91cm5leXMtYXJlLWxvY2tlZC13aXRoLXRoaXMhISE="),
        meta_app_secret=SecretStr("app-secret-of-the-demo"),
        meta_verify_token=SecretStr("demo"),
        prompts_dir=None,
        verticals_dir=None,
        now=now,
    )


def demo_clinics(settings: Settings):
    return read_clinics(settings, sorted(data_dir("clinics").glob("*.yaml")), {"META_TOKEN": "token"})


@asynccontextmanager
async def begun_beside(settings: Settings):
    """The stand-in of the Graph API, and the service as the demo has it when its address is printed."""
    clinics = demo_clinics(settings)
    await store_clinics(settings, clinics)
    clock = await begin(settings, clinics)
    async with beside_stand_in(settings, clock) as both:
        yield both


@asynccontextmanager
async def begun(settings: Settings):
    async with begun_beside(settings) as (_, gendei):
        yield gendei


async def rows(gendei, wanted: InboxFilter = InboxFilter(), clinic_id: ClinicId = BOA_VIDA):  # noqa: B008  # frozen
    return {row.name: row for row in (await gendei.front_desk.inbox.list(terminal(clinic_id), wanted)).rows}


async def visits_of(gendei, day: date):
    return await gendei.agenda_desk.agenda.page(HERE, (day, day), 200)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Where the demo was left once it had begun."""
    folder = tmp_path_factory.mktemp("played")

    async def once():
        async with begun(settings_in(folder)):
            pass

    asyncio.run(once())
    return folder


@pytest.fixture
async def gendei(played, tmp_path):
    shutil.copytree(played, tmp_path, dirs_exist_ok=True)
    async with begun(settings_in(tmp_path)) as service:
        yield service


async def test_opened_on_a_sunday_it_shows_a_working_tuesday(gendei):
    clinic = await gendei.directory.get(BOA_VIDA)
    assert f"{clinic.local(gendei.clock()):%A %d/%m %H:%M}" == "Tuesday 24/11 10:20"


async def test_its_agenda_is_full_and_has_visits_of_every_kind(gendei):
    visits = await visits_of(gendei, date(2026, 11, 24))
    assert {visit.status for visit in visits} == {
        AppointmentStatus.CONFIRMED,
        AppointmentStatus.CONFIRMED_PRESENCE,
        AppointmentStatus.COMPLETED,
        AppointmentStatus.CANCELLED,
        AppointmentStatus.NO_SHOW,
    }
    assert {visit.attendance for visit in visits} == set(Attendance)
    assert Counter(visit.professional_id for visit in visits if visit.status.takes_time).keys() == {
        "ana",
        "bruno",
        "carla",
    }
    assert (any(visit.override for visit in visits), len(visits) > 25) == (True, True)
    blocks = await gendei.agenda_desk.blocks.list(HERE, date(2026, 11, 24), date(2026, 11, 24))
    assert [(block.professional_id, block.reason) for block in blocks] == [("ana", "Reunião da equipe")]


async def test_a_mother_booked_for_her_son_with_the_bot(gendei):
    [visit] = [each for each in await visits_of(gendei, date(2026, 11, 25)) if "Davi" in each.patient_name]
    assert (visit.patient_name, visit.contact) == (
        "Davi Alves Moreira",
        script_of(BOA_VIDA).phone_book()["Renata Alves"],
    )


async def test_the_danger_stands_first_and_each_kind_of_conversation_is_there(gendei):
    shown = await rows(gendei)
    assert next(iter(shown)) == "Antônio Ferreira"
    states = {name: row.state for name, row in shown.items()}
    assert {name: states[name] for name in ("Antônio Ferreira", "Sérgio Lima", "Otávio Reis", "Cláudia Nunes")} == {
        "Antônio Ferreira": State.WAITING,
        "Sérgio Lima": State.WAITING,
        "Otávio Reis": State.WAITING,
        "Cláudia Nunes": State.PERSON,
    }
    assert {states[name] for name in ("Helena Prado", "Lúcia Campos", "Rosângela Dutra")} == {State.BOT}
    assert [name for name, row in shown.items() if row.failure] == ["Bianca Melo"]
    assert list(await rows(gendei, InboxFilter(snoozed=True))) == ["Paulo Teixeira"]
    assert list(await rows(gendei, InboxFilter(state=State.CLOSED))) == ["Marta Ribas"]


@pytest.mark.parametrize(("name", "kind"), [("Rosângela Dutra", "audio/ogg"), ("Igor Bastos", "image/png")])
async def test_what_patients_sent_is_kept_for_staff(gendei, name, kind):
    view = await gendei.front_desk.views.view(HERE, script_of(BOA_VIDA).phone_book()[name])
    [media] = [item.media for item in view.items if item.media]
    assert (media.state, media.mime_type) == ("stored", kind)


async def test_its_tasks_tell_what_is_to_be_done(gendei):
    found = (await gendei.tasks.list(HERE)).tasks
    pending = {task.occasion for task in found if task.completed_at is None}
    assert pending >= {None, Occasion.URGENCY, Occasion.TAKE_OVER, Occasion.LATE, Occasion.FAILED_SEND}
    assert any(task.completed_at for task in found)


async def test_the_other_clinic_has_a_day_of_its_own_and_nothing_of_this(gendei):
    theirs = await rows(gendei, clinic_id=SORRISO)
    both = (set(theirs) & set(await rows(gendei))) - {None}  # who was reminded and never wrote has no name there
    assert (both, "Gabriela Torres" in theirs) == (set(), True)


async def test_its_templates_are_approved_and_a_campaign_has_somebody_to_go_to(gendei):
    plan = await PREVIEW_CAMPAIGN.do(await gendei.desks.call(HERE, "staff"), PreviewCampaign())
    states = (await gendei.desks.templates.state(HERE)).purposes
    found = {each.purpose: each.report.found.status for each in states if each.report and each.report.found}
    assert (plan.recipients > 3, plan.template.category) == (True, "MARKETING")
    assert (set(found.values()), {"reminder", "survey", "waiting_offer"} <= found.keys()) == ({"APPROVED"}, True)


async def test_it_goes_on_where_it_was_left(tmp_path):
    settings = settings_in(tmp_path)
    async with begun(settings) as gendei:
        before = {name or "" for name in await rows(gendei)}
        await gendei.front_desk.conversations.close(HERE, script_of(BOA_VIDA).phone_book()["Otávio Reis"])
        left = gendei.clock()
    async with begun(settings) as gendei:
        assert {name or "" for name in await rows(gendei)} == before - {"Otávio Reis"}
        assert abs(gendei.clock() - left) < timedelta(minutes=1)


async def test_where_something_is_stored_already_the_week_begins_after_it(tmp_path):
    settings = settings_in(tmp_path, datetime.fromisoformat("2026-11-24T12:00:00-03:00"))
    clinics = demo_clinics(settings)
    await store_clinics(settings, clinics)
    async with beside_stand_in(settings, settings.start_clock()) as (_, gendei):
        request = BookingRequest(
            "consulta", "ana", moment_of("wed 10:00", date(2026, 11, 23), clinics[0]), "Maria Silva"
        )
        await gendei.desk.book(clinics[0], Contact("+5511999990001"), request)
    clock = await begin(settings, clinics)
    assert clinics[0].local(clock()).date() == date(2026, 12, 1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("today", "tuesday"),
    [
        (date(2026, 11, 23), date(2026, 11, 24)),
        (date(2026, 11, 24), date(2026, 11, 24)),
        (date(2026, 11, 25), date(2026, 12, 1)),
        (date(2026, 12, 20), date(2027, 1, 12)),  # the weeks before have days off and vacations
        (date(2027, 2, 8), date(2027, 2, 16)),  # carnival
    ],
)
async def test_the_tuesday_is_of_a_week_in_which_everybody_works_and_the_script_can_be_played(tmp_path, today, tuesday):
    settings = settings_in(tmp_path)
    clinics = demo_clinics(settings)
    monday = working_week(clinics, today)
    assert monday + timedelta(days=1) == tuesday
    await store_clinics(settings, clinics)
    clock = MovableClock(clock_from(min(moment_of(FIRST, monday, clinic) for clinic in clinics)))
    async with beside_stand_in(settings.model_copy(update={"quiet_seconds": 0.0}), clock) as (graph, gendei):
        assert await play(gendei, graph, app_for(gendei), clock, monday) == []
