"""One clinic on three channels: the real service, and a stand-in of each provider's API, over HTTP."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from starlette.types import ASGIApp, Receive, Scope, Send
from tests.journeys.town import APP_SECRET, SECRET_KEY, settings_for
from tests.providers.evolution_simulator import EvolutionSimulator, EvolutionWebhooks
from tests.providers.zapi_simulator import ZapiSimulator, ZapiWebhooks

from gendei.app import Gendei, open_gendei
from gendei.clinic import ClinicId, Contact
from gendei.clinics.file import load_clinics
from gendei.datafile import data_dir
from gendei.documents import Data, Query
from gendei.messages.keys import ConversationKey
from gendei.providers.stand_in.graph import GraphSimulator, Memory
from gendei.providers.stand_in.local_server import serve
from gendei.providers.stand_in.phone import SignedBody, WebhookMaker
from gendei.secrets import SecretBox
from gendei.verticals import load_verticals
from gendei.web.app import app_for

CRAVO = ClinicId("cravo")
CLINIC = Path(__file__).parent / "channel_clinics" / "cravo.yaml"
SECRETS = {
    "CRAVO_TOKEN": "EAAG-token-of-cravo",
    "EVOLUTION_KEY": "api-key-of-cravo",
    "EVOLUTION_SECRET": "evolution-webhooks-of-cravo",
    "ZAPI_TOKEN": "T0KEN0FCRAV0",
    "ZAPI_CLIENT_TOKEN": "client-token-of-cravo",
    "ZAPI_SECRET": "zapi-webhooks-of-cravo",
}


@dataclass(frozen=True)
class Line:
    """One channel, from the outside: where its webhooks go, who writes them, and what arrived at the provider."""

    path: str
    maker: Any
    provider: Memory[Any]


@dataclass(frozen=True)
class Square:
    """The running service with its three lines."""

    gendei: Gendei
    client: httpx.AsyncClient
    lines: dict[str, Line]

    async def agenda_of(self, contact: str) -> list[tuple[str, str, str]]:
        """(status, service, local start) of every appointment of a contact."""
        clinic = await self.gendei.directory.get(CRAVO)
        found = await self.gendei.desk.appointments_of(clinic, Contact(contact), upcoming_only=False)
        return [
            (str(appointment.status), appointment.service_id, f"{clinic.local(appointment.start):%Y-%m-%dT%H:%M}")
            for appointment in found
        ]

    async def conversation(self, contact: str) -> Data | None:
        return (await self.gendei.documents.get(ConversationKey(CRAVO, Contact(contact)).path)).data

    async def history_of(self, contact: str) -> list[Data]:
        """The whole history of a conversation, oldest first."""
        path = ConversationKey(CRAVO, Contact(contact)).path
        found = await self.gendei.documents.query(Query(f"{path}/messages", order_by=(("timestamp", False),)))
        return [snapshot.data or {} for snapshot in found]


@dataclass(frozen=True)
class Caller:
    """Somebody who writes over one line and never taps anything. `number`: "+55..." or "123@lid"."""

    square: Square
    line: Line
    number: str
    name: str = "Maria Silva"

    @property
    def texts(self) -> list[str]:
        return [request.text for request in self.line.provider.sent_to(self.number)]

    async def deliver(self, signed: SignedBody) -> int:
        """Post a webhook of this line; the HTTP status, once everything was answered."""
        body, headers = signed
        response = await self.square.client.post(self.line.path, content=body, headers=headers)
        await self.square.gendei.messaging.idle()
        return response.status_code

    async def say(self, text: str, *, message_id: str | None = None) -> str:
        """Send a text; the last message there is once everything was answered, "" where there is none."""
        signed = self.line.maker.text(self.number, text, name=self.name, message_id=message_id)
        assert await self.deliver(signed) == 200
        return self.texts[-1] if self.texts else ""

    async def tap(self, option_id: str, title: str) -> str:
        assert await self.deliver(self.line.maker.tap(self.number, option_id, title, name=self.name)) == 200
        return self.texts[-1]


@asynccontextmanager
async def open_square(folder: Path, **others: object) -> AsyncIterator[Square]:
    """The service and the stand-ins behind one address on 127.0.0.1. `others`: more of Settings."""
    graph = GraphSimulator()
    evolution = EvolutionSimulator({"cravo": SECRETS["EVOLUTION_KEY"]})
    zapi = ZapiSimulator({"3CRAVO0001": SECRETS["ZAPI_TOKEN"]}, SECRETS["ZAPI_CLIENT_TOKEN"])
    stand_ins: dict[str, ASGIApp] = {"/v26.0/": graph.app, "/evolution/": evolution.app, "/zapi/": zapi.app}
    service: list[ASGIApp] = []

    async def one_address(scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        start = next((start for start in stand_ins if path.startswith(start)), None)
        if start is None and service:
            await service[0](scope, receive, send)
        elif start is None or start == "/v26.0/":
            await graph.app(scope, receive, send)
        else:
            await stand_ins[start]({**scope, "path": path.removeprefix(start.rstrip("/"))}, receive, send)

    async with serve(one_address) as url:
        environment = {**SECRETS, "STAND_IN": url}
        clinic = load_clinics([CLINIC], environment, load_verticals(data_dir("verticals")), SecretBox(SECRET_KEY))[0]
        async with open_gendei(settings_for(folder, url, **others)) as gendei:
            await gendei.directory.import_clinic(clinic)
            service.append(app_for(gendei))
            lines = {
                "meta": Line(
                    "/webhooks/meta", WebhookMaker(APP_SECRET.encode(), "700000000000003", gendei.clock), graph
                ),
                "evolution": Line(
                    "/webhooks/evolution/cravo",
                    EvolutionWebhooks("cravo", SECRETS["EVOLUTION_SECRET"], gendei.clock),
                    evolution,
                ),
                "zapi": Line(
                    f"/webhooks/zapi/cravo/{SECRETS['ZAPI_SECRET']}", ZapiWebhooks("3CRAVO0001", gendei.clock), zapi
                ),
            }
            async with httpx.AsyncClient(base_url=url, verify=False) as client:  # noqa: S501 - it speaks plain HTTP
                yield Square(gendei, client, lines)
