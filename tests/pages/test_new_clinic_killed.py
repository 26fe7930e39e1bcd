"""The process behind the wizard is killed (SIGKILL) at each step: the next one goes on with what was typed, and one
clinic comes of it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.async_api import Page, expect
from tests.journeys.processes import Server, gendei_serve
from tests.journeys.town import NOW, settings_for
from tests.pages.house import heard, staff
from tests.pages.stage import Stage

from gendei.app import Gendei, open_gendei
from gendei.clinic import ClinicId
from gendei.documents import put
from gendei.staff.access.users import USER, User, user_path
from gendei.staff.actors import NO_CLINIC, Role
from gendei.web.sessions import LOOPBACK_COOKIE

pytestmark = pytest.mark.slow

OPE, OTTO = staff("Ope", NO_CLINIC, Role.OPERADOR), staff("Otto", ClinicId("outra"))
NOWHERE = "http://127.0.0.1:9"
IPE = ClinicId("clinica-ipe")
WAITS = (0.0, 0.005, 0.01, 0.02, 0.04, 0.08)
"""Seconds from the last press to the kill."""


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[Gendei]:
    """To look at the store while no process runs."""
    async with open_gendei(settings_for(folder, NOWHERE, now=NOW + timedelta(hours=5)), seeks=False) as gendei:
        yield gendei


async def signed_in(gendei: Gendei, user: User) -> str:
    _, cookie, write = gendei.staff.sessions.begin(user, "tests")
    await gendei.documents.commit([put(user_path(user.id), USER.write(user)), write])
    return cookie


class Wizard:
    """An operator's browser, in front of one process after the other."""

    def __init__(self, folder: Path, page: Page) -> None:
        self.folder, self.page, self._processes = folder, page, 0

    @asynccontextmanager
    async def at(self, step: str) -> AsyncIterator[Server]:
        """A new process, and the page of a step; killed on leaving, if it was not before."""
        self._processes += 1
        now = NOW + timedelta(minutes=self._processes)
        async with gendei_serve(self.folder, NOWHERE, now=now, cheap=True) as server:
            address = f"/new-clinic?draft={IPE}&step={step}" if step else "/new-clinic"
            await self.page.goto(str(server.client.base_url).rstrip("/") + address)
            await heard(self.page)
            yield server
            await server.kill()

    async def typed(self, label: str, text: str) -> None:
        await self.page.get_by_label(label, exact=True).first.fill(text)

    async def kept(self, field: str, value: object) -> None:
        """Until the running process has stored it."""
        async with opened(self.folder) as gendei:
            async with asyncio.timeout(20):
                while True:
                    draft = await gendei.drafts.found(IPE)
                    if draft is not None and value in str(draft.content.get(field)):  # type: ignore[operator]
                        return
                    await asyncio.sleep(0.02)


async def test_what_was_typed_is_there_after_a_kill_at_each_step_and_the_clinic_comes_once(
    stage: Stage, tmp_path: Path
) -> None:
    async with opened(tmp_path) as gendei:
        cookies = [await signed_in(gendei, user) for user in (OPE, OTTO)]
    async with stage.visitor(lambda _: None) as page, stage.visitor(lambda _: None) as other:
        for browser, value in zip((page, other), cookies, strict=True):
            cookie = {"name": LOOPBACK_COOKIE, "value": value, "domain": "127.0.0.1", "path": "/"}
            await browser.context.add_cookies([cookie])  # type: ignore[list-item]  # as Playwright has it
        wizard = Wizard(tmp_path, page)
        async with wizard.at(""):
            await wizard.typed("Nome da clínica", "Clínica Ipê")
            await page.get_by_role("button", name="Começar").click()
            await page.wait_for_url("**draft=*")
        async with wizard.at("clinic"):
            await expect(page.get_by_label("Nome", exact=True)).to_have_value("Clínica Ipê")
            await wizard.typed("Endereço", "Rua das Flores, 1")
            await wizard.kept("address", "Rua das Flores, 1")
        async with wizard.at("clinic"):
            await expect(page.get_by_label("Endereço", exact=True)).to_have_value("Rua das Flores, 1")
        async with wizard.at("professionals"):
            await page.get_by_role("button", name="Acrescentar profissional").click()
            await page.get_by_role("dialog").get_by_label("Nome").fill("Dra. Paula Lins")
            await page.get_by_role("button", name="Acrescentar", exact=True).click()
            await wizard.kept("professionals", "Dra. Paula Lins")
        for wait in WAITS:
            async with wizard.at("finish") as server:
                create = page.get_by_role("button", name="Criar a clínica")
                if not await create.count():
                    break  # the clinic is there since the last kill
                await other.goto(page.url)
                await expect(other.get_by_text("Rua das Flores")).to_have_count(0)
                await create.click()
                await asyncio.sleep(wait)
                await server.kill()
            async with opened(tmp_path) as gendei:
                made, draft = await gendei.directory.get(IPE), await gendei.drafts.found(IPE)
            assert (made is None) is (draft is not None)  # one of both, whenever it died
        async with wizard.at("finish"):
            create = page.get_by_role("button", name="Criar a clínica")
            await expect(create.or_(page.get_by_text("Nenhuma clínica em preparação")).first).to_be_visible()
            if await create.count():
                await create.click()
                await page.wait_for_url("**made=*")
        async with opened(tmp_path) as gendei:
            clinic = await gendei.directory.get(IPE)
            assert clinic is not None
            assert (clinic.name, clinic.address) == ("Clínica Ipê", "Rua das Flores, 1")
            assert [person.name for person in clinic.professionals] == ["Dra. Paula Lins"]
            assert [each.id for each in gendei.directory.all()] == [IPE]
