"""A whole service in the process, with a clinic of its own for every task: signed webhooks in, the provider's
stand-in out, nothing in between that is not the product's."""

import asyncio
import random
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from secrets import token_urlsafe
from time import perf_counter

import httpx
from pydantic import SecretStr

from gendei.app import Gendei, open_gendei
from gendei.booking.appointment import Appointment
from gendei.booking.desk import StaffAct
from gendei.booking.slots import BookingRefused, Slot
from gendei.booking.visits import BookingRequest
from gendei.clinic import Channel, Clinic, ClinicId, Contact
from gendei.clinics.file import load_clinics
from gendei.conversation.stored.conversation import Conversation
from gendei.datafile import data_dir
from gendei.documents import Query
from gendei.evaluation.tasks import NOW, ZONE, Case, Goal
from gendei.messages.keys import INBOX, ConversationKey
from gendei.providers.stand_in.graph import GraphSimulator, Sent
from gendei.providers.stand_in.local_server import serve
from gendei.providers.stand_in.phone import SignedBody, TapKind, WebhookMaker
from gendei.secrets import SecretBox, channel_purpose, new_key
from gendei.settings import Settings
from gendei.verticals import load_verticals
from gendei.web.app import app_for

STRANGERS = ("Belarmino Taveira", "Zoraide Quintanilha", "Hermenegilda Falcão", "Eustáquio Barroso")
"""Other patients of the clinic, whose names nobody else may ever read."""
CAREGIVER = "Rosa Prado"
FULLNESS = 0.45
FILLED_DAYS = 6
NO_CLINICS: Mapping[str, Clinic] = {}
_QUIET = 0.02
_ACT = StaffAct("avaliação")


@dataclass(frozen=True)
class Practice:
    """The running service. `visit` opens the doors of a clinic for one patient."""

    gendei: Gendei
    graph: GraphSimulator
    client: httpx.AsyncClient
    secret: bytes
    clinics: dict[str, Clinic]
    box: SecretBox

    async def visit(self, case: Case, seed: int) -> "Visit":
        """A clinic like the case's with an agenda of its own, filled as `seed` has it, and a patient at its door."""
        chance = random.Random(f"{case.id}/{seed}/agenda")
        number = str(900_000_000_000_000 + chance.randrange(10**14))
        own_id = ClinicId(f"{case.clinic.rpartition('/')[2]}-{number}")
        clinic = self._own(self.clinics[case.clinic], own_id, number)
        await self.gendei.directory.import_clinic(clinic)
        patient = f"+55119{chance.randrange(10**8):08d}"
        visit = Visit(self, case, clinic, patient, WebhookMaker(self.secret, number, self.gendei.clock))
        await visit.prepare(chance)
        return visit

    def _own(self, template: Clinic, clinic_id: ClinicId, number: str) -> Clinic:
        token = self.box.seal("evaluation", channel_purpose(clinic_id, "meta", number, "access_token"))
        return replace(template, id=clinic_id, channels=(Channel("meta", number, {"access_token": token}, clinic_id),))


@dataclass
class Visit:
    """One patient of one clinic. `said`: the patient's messages; `seconds`: how long each answer took."""

    practice: Practice
    case: Case
    clinic: Clinic
    patient: str
    maker: WebhookMaker
    said: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    standing: Appointment | None = None
    _read: int = 0

    @property
    def profile(self) -> str:
        """The patient's name on WhatsApp, which is not always who comes."""
        return CAREGIVER if self.case.task.for_ else self.case.task.name

    async def prepare(self, chance: random.Random) -> None:
        """Book what the patient has already, then fill the agenda with others, leaving what the task asks for. A replay
        has an agenda without others, and not what the clinic does not offer any more."""
        task, desk = self.case.task, self.practice.gendei.desk
        if task.goal is Goal.REPLAY:
            for had in task.had:
                request = BookingRequest(had.service, had.professional, had.start.replace(tzinfo=ZONE), task.name)
                with suppress(BookingRefused):
                    await desk.book(self.clinic, Contact(self.patient), request, act=_ACT)
            return
        if task.has:
            start = task.has.start.replace(tzinfo=ZONE)
            request = BookingRequest(task.has.service, task.has.professional, start, task.name)
            self.standing = await desk.book(self.clinic, Contact(self.patient), request, act=_ACT)
        kept = await self._kept(chance)
        for professional in self.clinic.professionals:
            await self._fill(professional.id, professional.service_ids, kept, chance)

    async def _kept(self, chance: random.Random) -> Sequence[Slot]:
        """Two starts that the patient would be glad of; nobody else gets them."""
        task = self.case.task
        service = task.service or (task.has.service if task.has else None)
        if service is None or not task.on:
            return ()
        days = (max(task.on) - min(task.on)).days + 1
        found = await self.practice.gendei.desk.search_days(
            self.clinic, service, min(task.on), days, professional_id=task.professional
        )
        glad = [slot for day in found for slot in day.slots if task.wants(slot.start)]
        if not glad:
            raise ValueError(f"{self.case.id}: nothing is free that the task asks for")
        return chance.sample(glad, min(2, len(glad)))

    async def _fill(
        self, professional: str, services: Sequence[str], kept: Sequence[Slot], chance: random.Random
    ) -> None:
        desk, gap = self.practice.gendei.desk, timedelta(minutes=self.clinic.booking.buffer_minutes)
        service = chance.choice(services)
        found = await desk.search_days(
            self.clinic, service, NOW.date() + timedelta(days=1), FILLED_DAYS, professional_id=professional
        )
        for slot in (slot for day in found for slot in day.slots):
            near = any(
                other.professional_id == professional and slot.start < other.end + gap and other.start < slot.end + gap
                for other in kept
            )
            if near or chance.random() > FULLNESS:
                continue
            name = chance.choice(STRANGERS)
            request = BookingRequest(service, professional, slot.start, name)
            try:
                stranger = Contact(f"+55219{chance.randrange(10**8):08d}")
                await desk.book(self.clinic, stranger, request, act=_ACT)
            except BookingRefused:
                continue

    async def say(self, messages: Sequence[str]) -> list[Sent]:
        """The patient writes, perhaps in several messages; what the clinic answered."""
        self.said += messages
        bodies = [self.maker.text(self.patient, text, name=self.profile) for text in messages]
        return await self._answered(bodies)

    async def tap(self, sent: Sent, index: int) -> list[Sent]:
        """The patient taps an option of `sent`; what the clinic answered."""
        option, title = sent.options[index]
        kind: TapKind = "button_reply" if sent.payload["interactive"]["type"] == "button" else "list_reply"
        self.said.append(f"[{title}]")
        return await self._answered([self.maker.tap(self.patient, option, title, kind, name=self.profile)])

    async def _answered(self, bodies: Sequence[SignedBody]) -> list[Sent]:
        began = perf_counter()
        for body, headers in bodies:
            answer = await self.practice.client.post("/webhooks/meta", content=body, headers=headers)
            answer.raise_for_status()
        while await self._unheard():
            await asyncio.sleep(_QUIET)
            await self.practice.gendei.messaging.idle()
        self.seconds.append(perf_counter() - began)
        everything = self.practice.graph.sent_to(self.patient)
        new, self._read = everything[self._read :], len(everything)
        return new

    async def _unheard(self) -> bool:
        """Whether a message of the patient's still waits for its turn, as during the quiet window."""
        key = ConversationKey(self.clinic.id, Contact(self.patient))
        waiting = Query(
            INBOX,
            where=(("conversation", "==", key.text), ("status", "==", "waiting")),
            order_by=(("receivedAt", False),),
            limit=1,
        )
        return bool(await self.practice.gendei.documents.query(waiting))

    def heard(self) -> list[Sent]:
        """Everything that the patient read."""
        return self.practice.graph.sent_to(self.patient)

    async def appointments(self) -> list[Appointment]:
        """All of the patient's, whatever their status."""
        desk = self.practice.gendei.desk
        return await desk.appointments_of(self.clinic, Contact(self.patient), upcoming_only=False)

    async def agenda(self) -> list[Appointment]:
        """Everybody's, over the weeks that tasks are about."""
        return await self.practice.gendei.desk.appointments(self.clinic, NOW.date(), NOW.date() + timedelta(days=40))

    async def cost_usd(self) -> float:
        """What language models cost this clinic, which nobody else visits."""
        ledger = self.practice.gendei.model_use.ledger
        return (await ledger.today(self.clinic.id, NOW.date())).usd

    async def taken_over(self) -> bool:
        """Whether a person was called."""
        return (await self._conversation()).is_human_takeover

    async def with_person(self) -> bool:
        """Whether a person has the conversation, and the receptionist is silent by right."""
        return (await self._conversation()).has_person

    async def _conversation(self) -> Conversation:
        key, gendei = ConversationKey(self.clinic.id, Contact(self.patient)), self.practice.gendei
        return Conversation.read(await gendei.documents.get(key.path), key, gendei.clock())


@asynccontextmanager
async def open_practice(
    settings: Settings, folder: Path, now: datetime = NOW, at_home: Mapping[str, Clinic] = NO_CLINICS
) -> AsyncIterator[Practice]:
    """A service on a store in memory, with the model that `settings` choose, the clinics of `folder`, and `at_home`, by
    the names that cases have for them. `now`: when it begins."""
    secret, key = token_urlsafe(), new_key()
    async with AsyncExitStack() as stack:
        graph = GraphSimulator()
        graph_url = await stack.enter_async_context(serve(graph.app))
        own = settings.model_copy(
            update={
                "database": "sqlite:///:memory:",
                "graph_url": graph_url,
                "secret_key": SecretStr(key),
                "meta_app_secret": SecretStr(secret),
                "quiet_seconds": _QUIET,
                "now": now,
            }
        )
        gendei = await stack.enter_async_context(open_gendei(own))
        transport = httpx.ASGITransport(app=app_for(gendei))
        client = await stack.enter_async_context(httpx.AsyncClient(transport=transport, base_url="http://evaluation"))
        box = SecretBox(key)
        verticals = load_verticals(data_dir("verticals", settings.verticals_dir))
        own_clinics = folder / "clinics"
        found = sorted((own_clinics if own_clinics.is_dir() else folder.parent / "clinics").glob("*.yaml"))
        clinics = load_clinics(found, {}, verticals, box)
        yield Practice(
            gendei, graph, client, secret.encode(), {**{clinic.id: clinic for clinic in clinics}, **at_home}, box
        )
