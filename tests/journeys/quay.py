"""Clinics without a number, and all the providers that could give them one: the real service, and a stand-in of each
provider's API, over HTTP."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx
from starlette.types import ASGIApp, Receive, Scope, Send
from tests.journeys.town import APP_SECRET, AURORA, BROMELIA, NOW, clinics, settings_for
from tests.providers.evolution_simulator import EvolutionSimulator
from tests.providers.zapi_simulator import ZapiSimulator

from gendei.app import Gendei, open_gendei
from gendei.clinic import ClinicId
from gendei.documents import Documents, put
from gendei.providers.stand_in.graph import GraphSimulator
from gendei.providers.stand_in.local_server import serve
from gendei.providers.stand_in.onboarding import Onboarding, StandInAccount, StandInNumber
from gendei.providers.stand_in.phone import SignedBody, WebhookMaker
from gendei.staff.access.users import USER, User, user_path
from gendei.staff.actors import NO_CLINIC, RIGHTS, Actor, Right, Role
from gendei.web.app import app_for
from gendei.web.sessions import LOOPBACK_COOKIE

APP_ID, CONFIG = "1029384756", "5647382910"
ACCOUNT, NUMBER = "300000000000001", "800000000000001"
GLOBAL_KEY, ZAPI_INSTANCE, ZAPI_TOKEN, ZAPI_CLIENT = "global-key", "3QUAY00001", "T0KEN0FQUAY", "client-of-quay"
MARIA = "+5511999990001"


@dataclass
class Quay:
    """One running service among its providers. `restarted` stands for another process on the same store."""

    gendei: Gendei
    url: str
    client: httpx.AsyncClient
    graph: GraphSimulator
    evolution: EvolutionSimulator
    zapi: ZapiSimulator

    @property
    def meta(self) -> Onboarding:
        return self.graph.onboarding

    def account(self, number: StandInNumber | None = None) -> StandInAccount:
        return self.meta.account(ACCOUNT, number or StandInNumber(NUMBER))

    async def program(
        self, clinic_id: ClinicId = AURORA, *, rights: frozenset[Right] = RIGHTS[Role.GESTOR]
    ) -> "Program":
        """A program of a clinic's manager."""
        gestor = Actor(clinic_id, "rosa", "Rosa", RIGHTS[Role.GESTOR])
        _, token = await self.gendei.staff.tokens.add(gestor, "quay", rights)
        return Program(self, {"Authorization": f"Bearer {token}"})

    async def browser(self, clinic_id: ClinicId = AURORA, name: str = "Rosa") -> "Browser":
        """A signed-in manager's browser."""
        user = User(f"{name.lower()}@{clinic_id}.test", name, Role.GESTOR, clinic_id, NOW, password_hash="")
        session, cookie, write = self.gendei.staff.sessions.begin(user, "tests")
        await self.gendei.documents.commit([put(user_path(user.id), USER.write(user)), write])
        return Browser(self, user.actor(NO_CLINIC), session.id, cookie)

    async def hears(self, signed: SignedBody, path: str = "/webhooks/meta") -> int:
        """Deliver a webhook, and wait for what is answered."""
        body, headers = signed
        status = (await self.client.post(path, content=body, headers=headers)).status_code
        await self.gendei.messaging.idle()
        return status

    @property
    def maker(self) -> WebhookMaker:
        return WebhookMaker(APP_SECRET.encode(), NUMBER, self.gendei.clock)


@dataclass(frozen=True)
class Program:
    quay: Quay
    headers: dict[str, str]

    async def get(self, path: str = "") -> Any:
        return await self._json("GET", path)

    async def post(self, path: str = "", body: dict[str, Any] | None = None) -> Any:
        return await self._json("POST", path, json=body or {})

    async def status(self, method: str, path: str = "", body: dict[str, Any] | None = None) -> int:
        return (await self.ask(method, path, json=body)).status_code

    async def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        return await self.quay.client.request(method, f"/api/v1/connections{path}", headers=self.headers, **more)

    async def begin(self, way: str, **fields: str) -> Any:
        return await self.post("", {"way": way, "fields": fields})

    async def _json(self, method: str, path: str, **more: Any) -> Any:
        answer = await self.ask(method, path, **more)
        assert answer.status_code == 200, answer.text
        return answer.json()


@dataclass(frozen=True)
class Browser:
    """`actor`, `session`: who is signed in, as a page knows them."""

    quay: Quay
    actor: Actor
    session: str
    cookie: str

    async def get(self, url: str) -> httpx.Response:
        """Follow no redirect."""
        cookies = {"Cookie": f"{LOOPBACK_COOKIE}={self.cookie}"} if url.startswith(self.quay.url) else {}
        return await self.quay.client.get(url, headers=cookies, follow_redirects=False)

    async def goes_to_meta(self, connection: str) -> str:
        """Press the button: where Meta then leads back to."""
        there = await self.quay.gendei.desks.connections.to_meta(self.actor, self.session, connection)
        return (await self.get(there)).headers["location"]

    async def signs_up(self, connection: str) -> httpx.Response:
        return await self.get(await self.goes_to_meta(connection))


def lines(connection: Any) -> dict[str, str]:
    """The state of each step."""
    return {line["step"]: line["state"] for line in connection["lines"]}


def failing(connection: Any) -> tuple[str, str]:
    """The step that fails, and why."""
    return next((line["step"], line["fault"]) for line in connection["lines"] if line["state"] == "failing")


class Harbour:
    """The stand-ins at one address, which outlive the services that are opened in front of them."""

    def __init__(self) -> None:
        self.graph = GraphSimulator()
        self.evolution = EvolutionSimulator({}, GLOBAL_KEY)
        self.zapi = ZapiSimulator({ZAPI_INSTANCE: ZAPI_TOKEN}, ZAPI_CLIENT)
        self.graph.onboarding.app_id, self.graph.onboarding.app_secret = APP_ID, APP_SECRET
        self.service: list[ASGIApp] = []
        self.url = ""
        self._stand_ins: dict[str, ASGIApp] = {"/v26.0/": self.graph.app, "/evolution/": self.evolution.app}
        self._stand_ins["/zapi/"] = self.zapi.app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "/v26.0/")
        start = next((start for start in self._stand_ins if path.startswith(start)), None)
        if start is None:
            await self.service[-1](scope, receive, send)
        elif start == "/v26.0/":
            await self.graph.app(scope, receive, send)
        else:
            await self._stand_ins[start]({**scope, "path": path.removeprefix(start.rstrip("/"))}, receive, send)

    @asynccontextmanager
    async def opened(
        self, folder: Path, *, documents: Documents | None = None, **others: object
    ) -> AsyncIterator[Quay]:
        """The service on the store of `folder`; the clinics are there after the first time."""
        app = {"meta_app_id": APP_ID, "meta_signup_config": CONFIG, "meta_dialog_url": self.url, "public_url": self.url}
        settings = settings_for(folder, self.url, **{**app, **others})
        async with open_gendei(settings, documents=documents, seeks=False) as gendei:
            for clinic in clinics():
                if await gendei.directory.get(clinic.id) is None:
                    await gendei.directory.import_clinic(replace(clinic, channels=()))
            self.service.append(app_for(gendei))
            async with httpx.AsyncClient(base_url=self.url, verify=False) as client:  # noqa: S501 - it speaks plain HTTP
                yield Quay(gendei, self.url, client, self.graph, self.evolution, self.zapi)


@asynccontextmanager
async def open_harbour() -> AsyncIterator[Harbour]:
    harbour = Harbour()
    async with serve(harbour) as harbour.url:
        yield harbour


__all__ = ["AURORA", "BROMELIA", "Browser", "Harbour", "Program", "Quay", "failing", "lines", "open_harbour"]
