"""Every page of the product as somebody comes upon it, on the demo's full Tuesday: what is looked at for everybody."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pyotp
from playwright.async_api import Page, expect
from tests.pages.deposit_cast import asked
from tests.pages.house import APP_SECRET, NOW, House, clinics, heard, open_house, staff
from tests.pages.second_factor import with_factor
from tests.pages.stage import Stage
from tests.providers.evolution_simulator import EvolutionSimulator

from gendei.cli.demo_day.playing import play
from gendei.cli.demo_day.script import FIRST, moment_of, working_week
from gendei.clock import MovableClock
from gendei.providers.stand_in.local_server import serve
from gendei.staff.access.totp import new_totp_secret
from gendei.staff.access.users import User
from gendei.staff.actors import NO_CLINIC, Role
from gendei.staff.connecting.ledger import Way
from gendei.web.app import app_for
from gendei.web.pages.clinic_settings.page import PAGES as SETTINGS
from gendei.web.pages.new_clinic.steps import STEPS
from gendei.web.sessions import LOOPBACK_COOKIE
from gendei.web.sign_up import first_invitation

SECRET = new_totp_secret()
GILDA, FERNANDA, ANA = staff("Gilda"), staff("Fernanda"), staff("Ana", role=Role.ATENDENTE)
"""Fernanda has a second factor."""
OLGA = staff("Olga", NO_CLINIC, Role.OPERADOR)
APP_ID, EVOLUTION_KEY = "1029384756", "key-of-the-reception"
Walk = Callable[[Page], Awaitable[None]]


@dataclass
class FullHouse:
    """The service on the demo's Tuesday, with its conversations, agenda and tasks; a clinic that is prepared, and a
    number that is being connected."""

    house: House
    invitation: str
    _cookies: dict[str, str] = field(default_factory=dict)

    async def cookie(self, user: User) -> str:
        if user.id not in self._cookies:
            known = with_factor(self.house, user, SECRET) if user == FERNANDA else user
            self._cookies[user.id] = await self.house.sign_in(known)
        return self._cookies[user.id]


@dataclass(frozen=True)
class Scene:
    """A page, and what is done on it before it is looked at. `user`: who has it open; None for nobody. `path` may hold
    "{invitation}". `leads_to`: the page at which it ends, where that is another one."""

    name: str
    path: str
    user: User | None = GILDA
    walk: Walk | None = None
    leads_to: str = ""

    async def show(self, full: FullHouse, page: Page) -> None:
        """Bring it up in a browser that had another one before."""
        await page.context.clear_cookies()
        if self.user:
            cookie = {"name": LOOPBACK_COOKIE, "value": await full.cookie(self.user), "url": full.house.url}
            await page.context.add_cookies([cookie])
        await page.goto(self.path.format(invitation=full.invitation))
        if await page.locator(".nicegui-content").count():
            await heard(page)
        if self.walk:
            await self.walk(page)


def in_group(name: str) -> Walk:
    """A panel that a button opens."""

    async def walk(page: Page) -> None:
        await page.get_by_role("button", name=name, exact=True).click()
        await expect(page.get_by_role("group", name=name, exact=True)).to_be_visible()

    return walk


def press(*names: str) -> Walk:
    """Buttons or links by their names, one after the other."""

    async def walk(page: Page) -> None:
        for name in names:
            await page.get_by_role("button", name=name).or_(page.get_by_role("link", name=name)).first.click()
        await expect(page.get_by_role("dialog").or_(page.get_by_role("group", name="Sua conta")).first).to_be_visible()

    return walk


async def assistant_asked(page: Page) -> None:
    await page.get_by_role("button", name="Assistente da equipe").click()
    await page.get_by_label("Mensagem para o assistente").fill("cria tarefa ligar para João amanhã")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("log", name="Conversa com o assistente").get_by_role("article").last).to_contain_text(
        "Confirma?"
    )


async def connect_asked(page: Page) -> None:
    """For the code of the second factor."""
    await page.get_by_text("WhatsApp oficial, entrando pelo Facebook").last.click()
    await page.get_by_role("button", name="Começar: WhatsApp oficial, entrando pelo Facebook").click()
    await expect(page.get_by_role("dialog", name="Confirme que é você")).to_be_visible()


async def hand_back_asked(page: Page) -> None:
    await page.get_by_role("navigation", name="Conversas").get_by_role("link").first.click()
    await expect(page.get_by_role("log")).to_be_visible()
    back = page.get_by_role("button", name="Devolver")
    if not await back.count():
        await page.get_by_role("button", name="Assumir").click()
    await back.click()
    await expect(page.get_by_role("dialog")).to_be_visible()


async def card_opened(page: Page) -> None:
    await page.locator(".a-card").first.click()
    await expect(page.get_by_role("dialog")).to_be_visible()


async def chat_opened(page: Page) -> None:
    await page.get_by_role("button", name="Conversar").click()
    await expect(page.get_by_role("log")).to_contain_text("Como posso ajudar?")
    await page.get_by_label("Sua mensagem").fill("Quero marcar uma consulta amanhã à tarde")
    await page.get_by_label("Sua mensagem").press("Enter")
    await expect(page.get_by_role("log").get_by_role("button").first).to_be_visible()


async def conversation_opened(page: Page) -> None:
    await page.get_by_role("navigation", name="Conversas").get_by_role("link").first.click()
    await expect(page.get_by_role("log")).to_be_visible()


async def actions_opened(page: Page) -> None:
    await conversation_opened(page)
    await page.get_by_role("button", name="Ações").click()
    await expect(page.get_by_role("menu")).to_be_visible()


async def patient_opened(page: Page) -> None:
    await page.get_by_role("main").get_by_role("link").first.click()
    await page.wait_for_url("**/patients/*")
    await heard(page)


def in_dialog(*buttons: str, field: tuple[str, str] = ("", "")) -> Walk:
    """What a form asks back before it does it: a field is filled, and these buttons are pressed."""

    async def walk(page: Page) -> None:
        if field[0]:
            await page.get_by_label(field[0], exact=True).first.fill(field[1])
            await page.keyboard.press("Tab")
        for button in buttons:
            await page.get_by_role("button", name=button).first.click()
        await expect(page.get_by_role("dialog")).to_be_visible()

    return walk


async def number_begun(page: Page) -> None:
    """By a sign-in that nobody finishes."""
    await page.get_by_text("WhatsApp oficial, entrando pelo Facebook").last.click()
    begin = page.get_by_role("button", name="Começar: WhatsApp oficial, entrando pelo Facebook")
    enter = page.get_by_role("button", name="Entrar com o Facebook")
    await begin.click()
    asked = page.get_by_role("dialog", name="Confirme que é você")
    await expect(asked.or_(enter).first).to_be_visible()
    if await asked.count():
        await asked.get_by_label("Código do aplicativo").fill(pyotp.TOTP(SECRET).now())
        await asked.get_by_role("button", name="Continuar").click()
    await expect(enter.first).to_be_visible()


async def code_shown(page: Page) -> None:
    """For the clinic's phone to scan."""
    await expect(
        page.get_by_role("img", name="Código para ler com o celular da clínica").locator("svg")
    ).to_be_visible()


async def factor_begun(page: Page) -> None:
    await page.get_by_role("button", name="Ligar o segundo fator").click()
    await expect(page.get_by_role("img", name="Código QR")).to_be_visible()


async def zoomed(page: Page) -> None:
    await page.get_by_role("button", name="Exibição").click()
    await page.get_by_text("Compacta").click()
    await expect(page.locator(".a-compact")).to_be_attached()
    await page.keyboard.press("Escape")


async def ledger_opened(page: Page) -> None:
    await page.get_by_role("article", name="Lia Prado").get_by_text("Lançamentos").click()
    await expect(page.get_by_role("article", name="Lia Prado").get_by_role("table")).to_be_visible()


SCENES = [
    Scene("login", "/login", None),
    Scene("sign-up", "/signup?invitation={invitation}", None),
    Scene("not-found", "/nowhere", None),
    Scene("inbox", "/inbox"),
    Scene("inbox-open", "/inbox", walk=conversation_opened),
    Scene("inbox-begin", "/inbox", walk=press("Nova conversa")),
    Scene("inbox-actions", "/inbox", walk=actions_opened),
    Scene("account-menu", "/tasks", walk=press("Sua conta")),
    Scene("agenda-day", "/agenda?view=day"),
    Scene("agenda-compact", "/agenda?view=day", walk=zoomed),
    Scene("agenda-look", "/agenda?view=day", walk=in_group("Exibição")),
    Scene("agenda-date", "/agenda?view=day", walk=in_group("Data")),
    Scene("agenda-waiting", "/agenda?view=day", walk=press("Espera")),
    Scene("agenda-week", "/agenda?view=week"),
    Scene("agenda-month", "/agenda?view=month"),
    Scene("agenda-card", "/agenda?view=day", walk=card_opened),
    Scene("agenda-book", "/agenda?view=day", walk=press("Marcar")),
    Scene("agenda-free", "/agenda?view=day", walk=press("Horários livres")),
    Scene("agenda-block", "/agenda?view=day", walk=press("Bloquear")),
    Scene("patients", "/patients"),
    Scene("patient", "/patients", walk=patient_opened, leads_to="/patients/somebody"),
    Scene("tasks", "/tasks"),
    Scene("task-new", "/tasks", walk=press("Nova tarefa")),
    Scene("numbers", "/numbers"),
    *(Scene(f"settings-{name}", path) for name, path, _ in SETTINGS),
    Scene("settings-review", "/settings", walk=in_dialog("Ver o que muda", field=("Nome", "Clínica Boa Vida Nova"))),
    Scene("settings-add", "/settings/services", walk=in_dialog("Acrescentar serviço")),
    Scene("templates", "/templates"),
    Scene("campaigns", "/campaigns"),
    Scene("payments", "/payments", walk=ledger_opened),
    Scene("cases", "/cases"),
    Scene("knowledge", "/knowledge"),
    Scene("knowledge-new", "/knowledge", walk=press("Nova resposta")),
    Scene("knowledge-file", "/knowledge", walk=press("Ler um arquivo")),
    Scene("knowledge-gaps", "/knowledge/gaps"),
    Scene("connect", "/connect"),
    Scene("connect-scan", "/connect", walk=code_shown),
    Scene("connect-asked", "/connect", FERNANDA, connect_asked),
    Scene("connect-begun", "/connect", FERNANDA, number_begun),
    Scene("factor", "/account", walk=factor_begun),
    Scene("inbox-hand-back", "/inbox", walk=hand_back_asked),
    Scene("account", "/account"),
    Scene("tokens", "/account/tokens"),
    Scene("replies", "/account/replies"),
    Scene("team", "/account/team"),
    Scene("audit", "/audit"),
    Scene("assistant", "/tasks", walk=assistant_asked),
    Scene("operator", "/operator", OLGA),
    Scene("operator-queue", "/operator/queue", OLGA),
    Scene("operator-system", "/operator/system", OLGA),
    Scene("operator-users", "/operator/users", OLGA),
    Scene("new-clinics", "/new-clinic", OLGA),
    *(Scene(f"new-clinic-{step}", f"/new-clinic?draft=clinica-jasmim&step={step}", OLGA) for step in STEPS),
    Scene("new-clinic-made", "/new-clinic?made=boa-vida", OLGA),
    Scene("no-access", "/operator", ANA),
    Scene("phones", "/phone", None),
    Scene("demo", "/demo/boa-vida"),
    Scene("widget-closed", "/demo/site?clinic=boa-vida", None),
    Scene("widget-open", "/demo/site?clinic=boa-vida", None, chat_opened),
]


@asynccontextmanager
async def open_full_house(stage: Stage, folder: Path) -> AsyncIterator[FullHouse]:
    monday = working_week(clinics(), NOW.date())
    begins = min(moment_of(FIRST, monday, clinic) for clinic in clinics())
    app = {"meta_app_id": APP_ID, "meta_signup_config": "5647382910", "public_url": stage.url}
    evolution = EvolutionSimulator({"recepcao": EVOLUTION_KEY})
    async with (
        serve(evolution.app) as base_url,
        open_house(stage, folder, demo=True, now=begins, sign_up_by_invitation=True, **app) as house,
    ):
        gendei, onboarding = house.gendei, house.graph.onboarding
        onboarding.app_id, onboarding.app_secret = APP_ID, APP_SECRET
        clock = gendei.clock
        assert isinstance(clock, MovableClock)
        await play(gendei, house.graph, app_for(gendei), clock, monday)
        await asked(house, "Lia Prado", 10, "+5511977776666", days=28)
        instance = {"instance": "recepcao", "base_url": base_url, "api_key": EVOLUTION_KEY}
        await gendei.desks.connections.begin(GILDA.actor(), Way.EVOLUTION, instance)
        await gendei.drafts.begin(OLGA.actor(), "fisio", "Clínica Jasmim")
        yield FullHouse(house, await first_invitation(gendei))
