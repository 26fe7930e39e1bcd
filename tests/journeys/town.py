"""The town of the journeys: the real service on a file of its own, and the stand-in of the Graph API, over HTTP."""

import os
import ssl
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from hashlib import sha256
from pathlib import Path
from zoneinfo import ZoneInfo

import httpx
from pydantic import SecretStr
from starlette.types import ASGIApp, Receive, Scope, Send

from gendei.app import Gendei, open_gendei
from gendei.booking.appointment import Appointment
from gendei.booking.visits import BookingRequest
from gendei.clinic import Clinic, ClinicId, Contact
from gendei.clinics.file import load_clinics
from gendei.clock import Clock
from gendei.datafile import data_dir
from gendei.documents import Data, Documents, Query
from gendei.messages.keys import ConversationKey
from gendei.providers.stand_in.graph import GraphSimulator, Sent
from gendei.providers.stand_in.local_server import serve
from gendei.providers.stand_in.phone import SignedBody, WebhookMaker
from gendei.receptionist.llm.models import ApiModels
from gendei.secrets import SecretBox
from gendei.settings import Settings
from gendei.verticals import load_verticals
from gendei.web.app import app_for

CLINICS = Path(__file__).parent / "clinics"
AURORA, BROMELIA = ClinicId("aurora"), ClinicId("bromelia")
NUMBERS = {AURORA: "700000000000001", BROMELIA: "700000000000002"}
TOKENS = {"AURORA_TOKEN": "EAAG-token-of-aurora", "BROMELIA_TOKEN": "EAAG-token-of-bromelia"}
APP_SECRET = "app-secret-of-the-journeys"
VERIFY_TOKEN = "verify-token-of-the-journeys"
SECRET_KEY = "Sm91cm5leXMtYXJlLWxvY2tlZC13aXRoLXRoaXMhISE="
TEST_STORE = "GENDEI_TEST_STORE"
SAO_PAULO = ZoneInfo("America/Sao_Paulo")
NOW = datetime(2026, 11, 23, 9, 0, tzinfo=SAO_PAULO)
"""A Monday. Tuesday is the 24th; on Friday the 27th Aurora is closed."""
NEIGHBOUR, STRANGER = "+5519988880001", "+5592988880002"
"""The outsiders: a patient of Aurora and one of Bromélia, both with an appointment and no part in the journey."""
NAMES = ("Zoraide Quintanilha", "Belarmino Taveira")


def database_of(folder: Path) -> str:
    """GENDEI_DATABASE of the store that goes with `folder`: a file in it or, where GENDEI_TEST_STORE is "firestore", a
    project of its own on the emulator that FIRESTORE_EMULATOR_HOST names."""
    if os.environ.get(TEST_STORE) == "firestore":
        return f"firestore://journey-{sha256(str(folder).encode()).hexdigest()[:20]}"
    return f"sqlite:///{folder / 'town.db'}"


def settings_for(folder: Path, graph_url: str, *, quiet: float = 0, now: datetime = NOW, **others: object) -> Settings:
    """Everything that a journey's service needs, on the store of `folder`. `others`: more of Settings."""
    return Settings.load(
        _env_file=None,
        database=database_of(folder),
        media=str(folder / "media"),
        secret_key=SecretStr(SECRET_KEY),
        meta_app_secret=SecretStr(APP_SECRET),
        meta_verify_token=SecretStr(VERIFY_TOKEN),
        graph_url=graph_url,
        quiet_seconds=quiet,
        now=now,
        prompts_dir=None,
        verticals_dir=None,
        **{"model": "guided", **others},
    )


@dataclass(frozen=True)
class Town:
    """One running service, seen from outside (client, graph) and, to look at what was stored, from inside."""

    gendei: Gendei
    graph: GraphSimulator
    client: httpx.AsyncClient

    def maker(self, clinic_id: ClinicId = AURORA) -> WebhookMaker:
        return WebhookMaker(APP_SECRET.encode(), NUMBERS[clinic_id], self.gendei.clock)

    async def post(self, signed: SignedBody) -> int:
        """Deliver a webhook; the HTTP status of the answer."""
        body, headers = signed
        return (await self.client.post("/webhooks/meta", content=body, headers=headers)).status_code

    async def idle(self) -> None:
        """Until everything that is due was answered and sent."""
        await self.gendei.messaging.idle()

    async def clinic(self, clinic_id: ClinicId = AURORA) -> Clinic:
        found = await self.gendei.directory.get(clinic_id)
        assert found is not None
        return found

    async def book(self, contact: str, name: str, when: str, clinic_id: ClinicId = AURORA) -> Appointment:
        """An appointment of the clinic's first service with its first professional, `when` as "2026-11-24T14:00"."""
        clinic = await self.clinic(clinic_id)
        start = datetime.fromisoformat(when).replace(tzinfo=clinic.timezone)
        request = BookingRequest(clinic.services[0].id, clinic.professionals[0].id, start, name)
        return await self.gendei.desk.book(clinic, Contact(contact), request)

    async def agenda_of(self, contact: str, clinic_id: ClinicId = AURORA) -> list[tuple[str, str, str]]:
        """(status, service, local start) of every appointment of a contact."""
        clinic = await self.clinic(clinic_id)
        found = await self.gendei.desk.appointments_of(clinic, Contact(contact), upcoming_only=False)
        return [
            (str(appointment.status), appointment.service_id, f"{clinic.local(appointment.start):%Y-%m-%dT%H:%M}")
            for appointment in found
        ]

    async def conversation(self, contact: str, clinic_id: ClinicId = AURORA) -> Data | None:
        key = ConversationKey(clinic_id, Contact(contact))
        return (await self.gendei.documents.get(key.path)).data

    async def stored(self, collection: str) -> list[Data]:
        found = await self.gendei.documents.query(Query(collection))
        return [snapshot.data or {} for snapshot in found]

    def sent_to(self, contact: str) -> list[Sent]:
        return self.graph.sent_to(contact)

    async def outsiders_saw(self) -> list[str]:
        """What an outsider got, or what anybody else was told of an outsider: nothing, after every journey."""
        seen = [
            f"{request.to} got: {request.text}" for request in self.graph.sent if request.to in {NEIGHBOUR, STRANGER}
        ]
        seen += [
            f"{request.to} was told: {request.text}"
            for request in self.graph.sent
            if any(name.split(maxsplit=1)[0] in request.text for name in NAMES)
        ]
        seen += [
            f"{request.to} over {request.phone_number_id}" for request in self.graph.sent if not _its_own_token(request)
        ]
        for contact, clinic_id, expected in _OUTSIDE:
            agenda = await self.agenda_of(contact, clinic_id)
            seen += [] if agenda == [expected] else [f"{contact} now has {agenda}"]
            seen += [f"{contact} has a conversation"] if await self.conversation(contact, clinic_id) else []
        return seen


_OUTSIDE: Sequence[tuple[str, ClinicId, tuple[str, str, str]]] = (
    (NEIGHBOUR, AURORA, ("confirmed", "limpeza", "2026-11-24T09:00")),
    (STRANGER, BROMELIA, ("confirmed", "consulta", "2026-11-24T09:00")),
)


def _its_own_token(one: Sent) -> bool:
    owner = next(clinic for clinic, number in NUMBERS.items() if number == one.phone_number_id)
    return one.token == TOKENS[f"{owner.upper()}_TOKEN"]


@cache
def clinics() -> tuple[Clinic, ...]:
    """Both clinics, through the import's own code."""
    return load_clinics(
        sorted(CLINICS.glob("*.yaml")), TOKENS, load_verticals(data_dir("verticals")), SecretBox(SECRET_KEY)
    )


@cache
def unused_tls() -> ssl.SSLContext:
    """Made once: it takes longer than a turn, and journeys speak plain HTTP."""
    return ssl.create_default_context()


@asynccontextmanager
async def open_town(
    folder: Path,
    *,
    quiet: float = 0,
    models: ApiModels | None = None,
    outsiders: bool = True,
    documents: Documents | None = None,
    clock: Clock | None = None,
    **others: object,
) -> AsyncIterator[Town]:
    """The service with both clinics, on 127.0.0.1, and with the outsiders, who on leaving saw nothing. False: the
    store in `folder` has them already, or goes away. `documents`: a store in place of the file in `folder`; `clock`: in
    place of the settings'. `others`: more of Settings."""
    graph = GraphSimulator()
    service: list[ASGIApp] = []

    async def one_address(scope: Scope, receive: Receive, send: Send) -> None:
        """The stand-in under /v26.0, where only it has paths, and the service elsewhere: one server stops sooner."""
        to_graph = scope["type"] == "lifespan" or scope["path"].startswith("/v26.0/")
        await (graph.app if to_graph else service[0])(scope, receive, send)

    async with serve(one_address) as url:
        settings = settings_for(folder, url, quiet=quiet, **others)
        async with open_gendei(settings, models=models, documents=documents, clock=clock) as gendei:
            for clinic in clinics():
                await gendei.directory.import_clinic(clinic)
            service.append(app_for(gendei))
            async with httpx.AsyncClient(base_url=url, verify=unused_tls()) as client:
                town = Town(gendei, graph, client)
                if not outsiders:
                    yield town
                    return
                await town.book(NEIGHBOUR, NAMES[0], "2026-11-24T09:00")
                await town.book(STRANGER, NAMES[1], "2026-11-24T09:00", BROMELIA)
                yield town
                await town.idle()
                assert await town.outsiders_saw() == []
