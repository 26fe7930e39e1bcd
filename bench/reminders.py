"""What reminders by themselves cost: a look with nothing due, and a crowd that is due at once."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, cast
from zoneinfo import ZoneInfo

from bench.loop import run
from bench.report import Figure, Section
from bench.sizes import Sizes
from bench.town import percentile
from gendei.booking.desk import BookingDesk
from gendei.booking.visits import BookingRequest
from gendei.clinic import BookingPolicy, Channel, Clinic, ClinicId, Contact, MessageTemplate, Professional, Service
from gendei.clinic import TimeRange as Range
from gendei.conversation.inbound.inbox import InboundQueue
from gendei.conversation.outbound.proactive import Proactive
from gendei.conversation.outbound.reminders import Reminders
from gendei.conversation.stored.contacts import Contacts
from gendei.conversation.work.following import Following
from gendei.datafile import data_dir
from gendei.documents import Query
from gendei.messages.keys import OUTBOX
from gendei.messages.message import IncomingMessage, MessageType, Received
from gendei.prompts import load_phrases
from gendei.reminding import ReminderPolicy, ReminderRule
from gendei.scheduler.planner import Planner
from gendei.scheduler.scheduler import Scheduler
from gendei.store.sqlite import SqliteDocuments
from gendei.verticals import TERM_FORMS, load_verticals

GOAL_LOOK = 50.0
GOAL_CROWD = 5.0
GOAL_P99 = 100.0
WEBHOOKS_PER_SECOND = 50
"""That come in beside the crowd."""
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
        return self.clinics.get(ClinicId(f"clinica-{external_id.removeprefix('1000')}"))

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
        async with _webhooks(documents, town) as answered:
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
            Figure("webhooks beside them, p99", percentile(answered, 0.99), "at most", GOAL_P99, "ms"),
        ),
        method=(
            f"scheduler.Scheduler in one process on a SQLite file, with {CLINICS} clinics that remind by themselves. "
            f"A look is one sweep, median of {LOOKS}; then {crowd} appointments of as many patients are due at the "
            f"same moment, from the sweep until the last one stands in the outbox. Beside them "
            f"{WEBHOOKS_PER_SECOND} messages of other patients a second are put into the same store by the same "
            f"process, as a webhook does before its 200 (`InboundQueue.accept`); p99 is of these, from the moment at "
            f"which each was to come."
        ),
        seen=(
            f"the first sweep, which plans by each clinic's rules: {first:.2f} s",
            f"{len(answered)} webhooks, the slowest {max(answered):.1f} ms",
        ),
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


@asynccontextmanager
async def _webhooks(documents: SqliteDocuments, town: _Town) -> AsyncIterator[list[float]]:
    """Messages that come in meanwhile; how long each took until it was durable, in milliseconds since it came."""
    nothing = cast("Any", None)  # no status, echo or past message comes
    queue = InboundQueue(
        *(documents, town, nothing, Contacts(documents, town), town),
        on_waiting=lambda _key: None,
        on_echo=lambda _key: None,
        on_whole=lambda _key: None,
        is_attended=lambda: True,
        take_past=nothing,
    )
    answered: list[float] = []

    async def one(number: int, came: float) -> None:
        sender = Contact(f"+55218{number:08d}")
        message = IncomingMessage(f"wamid.{number}", sender, NOW, phone=sender, type=MessageType.TEXT, text="Olá!")
        await queue.accept("meta", [Received(f"1000{number % CLINICS}", (message,))])
        answered.append(1000 * (perf_counter() - came))

    async def all_of_them() -> None:
        began, number = perf_counter(), 0
        async with asyncio.TaskGroup() as tasks:
            while True:
                came = began + number / WEBHOOKS_PER_SECOND
                await asyncio.sleep(max(0.0, came - perf_counter()))
                tasks.create_task(one(number, came))
                number += 1

    coming = asyncio.create_task(all_of_them())
    try:
        yield answered
    finally:
        coming.cancel()
        with suppress(asyncio.CancelledError):
            await coming
