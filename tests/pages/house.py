"""The service as staff see it: in a browser, over HTTP on 127.0.0.1, with both demo clinics."""

from base64 import b64decode
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from pathlib import Path
from zoneinfo import ZoneInfo

import httpx
from playwright.async_api import Page
from pydantic import SecretStr
from tests.journeys.town import unused_tls
from tests.pages.stage import WIDE, Size, Stage

from gendei.app import Gendei, open_gendei
from gendei.clinic import Clinic, ClinicId
from gendei.clinics.file import load_clinics
from gendei.clock import MovableClock
from gendei.datafile import data_dir
from gendei.documents import put
from gendei.providers.stand_in.graph import GraphSimulator
from gendei.providers.stand_in.local_server import serve
from gendei.providers.stand_in.phone import SignedBody, WebhookMaker
from gendei.receptionist.llm.models import ApiModels
from gendei.secrets import SecretBox
from gendei.settings import Settings
from gendei.staff.access.users import USER, User, user_path
from gendei.staff.actors import Role
from gendei.verticals import load_verticals
from gendei.web.app import app_for
from gendei.web.pages.demo import PATIENTS, Patient, open_demo
from gendei.web.pages.mount import add_pages
from gendei.web.pages.site import Site
from gendei.web.sessions import LOOPBACK_COOKIE

BOA_VIDA, SORRISO = ClinicId("boa-vida"), ClinicId("sorriso")
SECRET_KEY = "Sm91cm5leXMtYXJlLWxvY2tlZC13aXRoLXRoaXMhISE="
APP_SECRET = "app-secret-of-the-house"
NOW = datetime(2026, 11, 23, 9, 0, tzinfo=ZoneInfo("America/Sao_Paulo"))
"""A Monday."""
PNG = b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==")
"""A picture of one point."""
SCREENSHOTS = Path(__file__).parents[2] / ".screenshots"


def staff(name: str, clinic_id: ClinicId = BOA_VIDA, role: Role = Role.GESTOR) -> User:
    """Somebody who works at a clinic, whose password nobody knows."""
    email = f"{name.lower()}@{clinic_id or 'gendei'}.test"
    return User(email, name, role, clinic_id, NOW, password_hash="")


@cache
def clinics() -> tuple[Clinic, ...]:
    """Both demo clinics, through the import's own code."""
    files = sorted(data_dir("clinics").glob("*.yaml"))
    return load_clinics(files, {"META_TOKEN": "token"}, load_verticals(data_dir("verticals")), SecretBox(SECRET_KEY))


async def heard(page: Page) -> None:
    """The service listens to the page: what is pressed or written before that is lost."""
    await page.wait_for_function("window.did_handshake")


@dataclass
class House:
    """One running service, seen through a browser, and from inside to look at what was stored."""

    gendei: Gendei
    graph: GraphSimulator
    url: str
    _stage: Stage
    _visitors: AsyncExitStack
    complaints: list[str] = field(default_factory=list)
    """What the browser's console says that is an error."""

    async def visit(self, path: str, user: User | None = None, *, size: Size = WIDE, dark: bool = False) -> Page:
        """A page in a browser of its own, signed in as `user`, or as nobody."""
        visitor = self._stage.visitor(self.complaints.append, size, "dark" if dark else "light")
        page = await self._visitors.enter_async_context(visitor)
        if user is not None:
            cookie = {"name": LOOPBACK_COOKIE, "value": await self.sign_in(user), "url": self.url}
            await page.context.add_cookies([cookie])
        await page.goto(path if "://" in path else self.url + path)
        if await page.locator(".g-shell").count():
            await heard(page)
        return page

    async def shoot(self, page: Page, name: str) -> Path:
        """A picture of what the page shows, for people to look at."""
        SCREENSHOTS.mkdir(exist_ok=True)
        target = SCREENSHOTS / f"{name}.png"
        await page.screenshot(path=target)
        return target

    async def sign_in(self, user: User) -> str:
        """Make the user, where there is none, and begin a session: the cookie's value."""
        documents, sessions = self.gendei.documents, self.gendei.staff.sessions
        _, cookie, write = sessions.begin(user, "tests")
        await documents.commit([put(user_path(user.id), USER.write(user)), write])
        return cookie

    async def write(self, phone: str, text: str, *, name: str = "Maria", clinic_id: ClinicId = BOA_VIDA) -> None:
        """A patient's message to a clinic, as a signed webhook, answered by the time this returns."""
        await self.post((await self.maker(clinic_id)).text(phone, text, name=name))
        await self.gendei.messaging.idle()

    async def maker(self, clinic_id: ClinicId = BOA_VIDA) -> WebhookMaker:
        """Of webhooks to a clinic's number."""
        clinic = await self.gendei.directory.get(clinic_id)
        assert clinic is not None
        return WebhookMaker(APP_SECRET.encode(), clinic.channels[0].external_id, self.gendei.clock)

    async def post(self, signed: SignedBody) -> None:
        """Deliver a webhook."""
        body, headers = signed
        async with httpx.AsyncClient(verify=unused_tls()) as client:
            answer = await client.post(f"{self.url}/webhooks/meta", content=body, headers=headers)
        assert answer.status_code == 200


@asynccontextmanager
async def open_house(
    stage: Stage,
    folder: Path,
    *,
    demo: bool = False,
    empty: bool = False,
    patients: Sequence[Patient] = PATIENTS,
    models: ApiModels | None = None,
    play_case: Callable[[ClinicId, str], Awaitable[None]] | None = None,
    **others: object,
) -> AsyncIterator[House]:
    """The service on a store in memory; its files in `folder`. With `demo`, it has the pages of the demo too; `empty`:
    without a clinic. `models`: what answers in place of the guided receptionist. `others`: more of Settings."""
    graph = GraphSimulator()
    async with serve(graph.app) as graph_url:
        settings = Settings.load(
            _env_file=None,
            database="sqlite:///:memory:",
            media=str(folder / "media"),
            secret_key=SecretStr(SECRET_KEY),
            meta_app_secret=SecretStr(APP_SECRET),
            meta_verify_token=SecretStr("verify"),
            graph_url=graph_url,
            quiet_seconds=0,
            **{"now": NOW, "meta_dialog_url": graph_url, **others},
        )
        clock = MovableClock(settings.start_clock())
        async with (
            open_gendei(settings, clock=clock, models=models) as gendei,
            open_demo(gendei, graph, clock, patients) as phones,
        ):
            for clinic in () if empty else clinics():
                await gendei.directory.import_clinic(clinic)
            app = app_for(gendei)
            add_pages(app, Site(gendei, phones if demo else None, play_case=play_case))
            async with stage.showing(app) as url, AsyncExitStack() as visitors:
                yield House(gendei, graph, url, stage, visitors)
