"""What reminders by themselves cost: a look with nothing due, and a crowd that is due at once."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from statistics import median
from time import perf_counter
from zoneinfo import ZoneInfo

from bench.loop import run
from bench.report import Figure, Section
from bench.sizes import Sizes
from gendei.booking.desk import BookingDesk
from gendei.booking.visits import BookingRequest
from gendei.clinic import BookingPolicy, Channel, Clinic, ClinicId, Contact, MessageTemplate, Professional, Service
from gendei.clinic import TimeRange as Range
from gendei.conversation.outbound.proactive import Proactive
from gendei.conversation.outbound.reminders import Reminders
from gendei.conversation.work.following import Following
from gendei.datafile import data_dir
from gendei.documents import Query
from gendei.messages.keys import OUTBOX
from gendei.prompts import load_phrases
from gendei.reminding import ReminderPolicy, ReminderRule
from gendei.scheduler.planner import Planner
from gendei.scheduler.scheduler import Scheduler
from gendei.store.sqlite import SqliteDocuments
from gendei.verticals import TERM_FORMS, load_verticals

GOAL_LOOK = 50.0
GOAL_CROWD = 5.0
CLINICS = 1_000
CROWD = 1_000
FEW = 20
"""Of the crowd, in a tiny run."""
LOOKS = 20
ZONE = ZoneInfo("America/Sao_Paulo")
NOW = datetime(2026, 3, 2, 9, tzinfo=ZONE)
DUE = datetime(2026, 3, 5, 12, tzinfo=ZONE)


@dataclass(slots=True)
class _Town:
    """The clinics, as a directory gives them, and the clock."""

    clinics: dict[ClinicId, Clinic]
    now: datetime = NOW

    def __call__(self) -> datetime:
        return self.now

    async def get(self, clinic_id: ClinicId) -> Clinic | None:
        return self.clinics.get(clinic_id)

    def known(self, clinic_id: ClinicId) -> Clinic | None:
        return self.clinics.get(clinic_id)

    async def by_channel(self, provider: str, external_id: str) -> Clinic | None:
        raise NotImplementedError(provider, external_id)

    def all(self) -> tuple[Clinic, ...]:
        return tuple(self.clinics.values())


def measure_reminders(workdir: Path, sizes: Sizes) -> Section:
    return run(_measure(workdir, CROWD if sizes.backlog >= CROWD else FEW))


async def _measure(workdir: Path, crowd: int) -> Section:
    town = _Town({ClinicId(f"clinica-{number}"): _clinic(number) for number in range(CLINICS)})
    documents = await SqliteDocuments.open(str(workdir / "reminders.db"))
    following = Following(documents, town)
    verticals = load_verticals(data_dir("verticals"))
    planner = Planner(documents, town, town, verticals)
    following.register(planner)
    phrases = load_phrases(data_dir("prompts"), TERM_FORMS)
    proactive = Proactive(documents, town, lambda _key: None)
    reminders = Reminders(documents, town, proactive, phrases, verticals)
    scheduler = Scheduler(documents, town, planner, reminders, seeks=False)
    following.seeks = False
    async with following, scheduler:
        began = perf_counter()
        await scheduler.sweep()
        first = perf_counter() - began
        looks = [await _timed_look(scheduler) for _ in range(LOOKS)]
        desk = BookingDesk(documents, town, following.tell)
        for number in range(crowd):
            clinic = town.clinics[ClinicId(f"clinica-{number % CLINICS}")]
            contact = Contact(f"+55119{number:08d}")
            await desk.book(clinic, contact, BookingRequest("consulta", "ana", DUE, f"Paciente {number}"))
        await following.idle()
        town.now = DUE - timedelta(hours=24)
        began = perf_counter()
        await scheduler.sweep()
        await scheduler.idle()
        took = perf_counter() - began
        queued = len(await documents.query(Query(OUTBOX)))
    await documents.close()
    if queued != crowd:
        raise RuntimeError(f"of {crowd} reminders {queued} were queued")
    return Section(
        title=f"Reminders by themselves: {CLINICS} clinics, {crowd} due at once",
        figures=(
            Figure("a look with nothing due", median(looks), "at most", GOAL_LOOK, "ms"),
            Figure(f"{crowd} due reminders are queued", took, "at most", GOAL_CROWD, "s"),
        ),
        method=(
            f"scheduler.Scheduler in one process on a SQLite file, with {CLINICS} clinics that remind by themselves. "
            f"A look is one sweep, median of {LOOKS}; then {crowd} appointments of as many patients are due at the "
            f"same moment, from the sweep until the last one stands in the outbox. Nothing else runs in the process."
        ),
        seen=(f"the first sweep, which plans by each clinic's rules: {first:.2f} s",),
    )


async def _timed_look(scheduler: Scheduler) -> float:
    """Milliseconds."""
    began = perf_counter()
    await scheduler.sweep()
    return 1000 * (perf_counter() - began)


def _clinic(number: int) -> Clinic:
    every_day = {weekday: (Range(8 * 60, 18 * 60),) for weekday in range(7)}
    pattern = Clinic(
        ClinicId(f"clinica-{number}"),
        f"Clínica {number}",
        "med",
        ZONE,
        every_day,
        (Service("consulta", "Consulta", 30),),
        (Professional("ana", "Dra. Ana Souza", ("consulta",)),),
        channels=(Channel("meta", f"1000{number}"),),
        booking=BookingPolicy(lead_minutes=0),
        templates={"reminder": MessageTemplate("lembrete", "pt_BR", ("patient", "time"), 3)},
    )
    return replace(pattern, reminders=ReminderPolicy((ReminderRule(24),)))
