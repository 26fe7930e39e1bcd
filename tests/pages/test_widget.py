"""The chat on a clinic's own web site: a page of another origin, in a real browser."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import pytest_asyncio
from playwright.async_api import Locator, Page, expect
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route
from tests.handing import send_as_person
from tests.pages.house import BOA_VIDA, SORRISO, House
from tests.pages.stage import NARROW

from gendei.channel_kinds import WEB
from gendei.clinic import Channel, Contact
from gendei.documents import Query
from gendei.providers.stand_in.local_server import serve
from gendei.staff.actors import terminal
from gendei.web.widget.serving import widget_script

MOST_BYTES = 20_000
SCRIPT = "<img src=x onerror=window.broken=1><script>window.broken=1</script>"


@dataclass(frozen=True)
class ClinicSite:
    """The clinic's own web site, which is nobody's but its own."""

    house: House
    url: str

    async def visit(self, **how: object) -> Page:
        return await self.house.visit(self.url, **how)  # type: ignore[arg-type]  # as House.visit has it

    async def contact(self) -> Contact:
        """Of the one visitor there is."""
        found = await self.house.gendei.documents.query(Query(f"gendei_clinics/{BOA_VIDA}/conversations"))
        (contact,) = [(snapshot.data or {})["userPhone"] for snapshot in found]
        return Contact(contact)

    async def booked(self) -> list[str]:
        """The local starts of the visitor's appointments."""
        clinic = await self.house.gendei.directory.get(BOA_VIDA)
        found = await self.house.gendei.desk.appointments_of(clinic, await self.contact(), upcoming_only=False)
        return [f"{clinic.local(appointment.start):%Y-%m-%dT%H:%M}" for appointment in found]


@asynccontextmanager
async def open_site(house: House, *, allowed: bool = True) -> AsyncIterator[ClinicSite]:
    """A page with the snippet of docs/channels.md, on a port of its own."""

    async def page(_request: Request) -> HTMLResponse:
        snippet = f'<script src="{house.url}/widget.js" data-site="boa-vida" async></script>'
        return HTMLResponse(f"<!doctype html><html lang=pt-BR><title>Clínica</title><h1>Boa Vida</h1>{snippet}")

    async with serve(Starlette(routes=[Route("/", page), Route("/favicon.ico", page)])) as url:
        directory = house.gendei.directory
        for clinic_id, origin in (
            (BOA_VIDA, url if allowed else "https://other.test"),
            (SORRISO, "https://sorriso.test"),
        ):
            clinic = await directory.get(clinic_id)
            numbers = tuple(channel for channel in clinic.channels if channel.provider != WEB)
            site = Channel(WEB, clinic_id, {}, clinic_id, {"origins": origin})
            await directory.import_clinic(replace(clinic, channels=(*numbers, site)))
        yield ClinicSite(house, url)


@pytest_asyncio.fixture(loop_scope="session")
async def site(house: House) -> AsyncIterator[ClinicSite]:
    async with open_site(house) as site:
        yield site


async def opened(page: Page) -> Locator:
    await page.get_by_role("button", name="Conversar").click()
    chat = page.get_by_role("dialog", name="Clínica Boa Vida")
    await expect(chat.get_by_role("log")).to_contain_text("Como posso ajudar?")
    return chat


async def say(chat: Locator, words: str) -> None:
    await chat.get_by_label("Sua mensagem").fill(words)
    await chat.get_by_label("Sua mensagem").press("Enter")


async def test_a_visitor_books_by_taps_and_finds_the_conversation_again(site: ClinicSite) -> None:
    page = await site.visit(size=NARROW)
    chat = await opened(page)
    await say(chat, "Quero marcar uma consulta amanhã à tarde")
    await chat.get_by_role("button", name="24/11 12h").first.click()
    await expect(chat.get_by_role("log")).to_contain_text("nome completo")
    await say(chat, "Ana Prado")
    await chat.get_by_role("button", name="Confirmar").click()
    await expect(chat.get_by_role("log")).to_contain_text("Sua consulta está confirmada!")
    await site.house.shoot(page, "widget-narrow")
    assert await site.booked() == ["2026-11-24T12:00"]
    await page.reload()
    await page.get_by_role("button", name="Conversar").press("Enter")
    again = page.get_by_role("dialog", name="Clínica Boa Vida")
    await expect(again.get_by_role("log")).to_contain_text("Sua consulta está confirmada!")
    await expect(again.get_by_label("Sua mensagem")).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("button", name="Conversar")).to_be_focused()


async def test_words_of_staff_reach_the_page_as_words_and_a_lost_connection_is_said_and_made_up_for(
    site: ClinicSite,
) -> None:
    page = await site.visit(dark=True)
    chat = await opened(page)
    await say(chat, SCRIPT)
    await expect(chat.get_by_role("log")).to_contain_text(SCRIPT)
    await expect(chat.locator(".one")).to_have_count(3)
    contact, handover = await site.contact(), site.house.gendei.messaging.handover
    await send_as_person(handover, BOA_VIDA, contact, "Bia", f"Sou a *Bia*. {SCRIPT}")
    await expect(chat.get_by_role("log")).to_contain_text(f"Sou a Bia. {SCRIPT}")
    await expect(chat.get_by_role("log").locator("strong")).to_have_text("Bia")
    await site.house.shoot(page, "widget-dark")
    await page.context.set_offline(True)
    await say(chat, "ainda está aí?")
    await expect(chat.get_by_role("status")).to_have_text("Sem conexão. Tentando de novo…")
    await page.context.set_offline(False)
    await expect(chat.get_by_role("status")).to_have_text("Nossa equipe vai responder por aqui.")
    seen = await site.house.gendei.front_desk.views.view(terminal(BOA_VIDA), contact)
    asked = [item.text for item in seen.items].count("ainda está aí?")
    assert (asked, await page.evaluate("window.broken ?? null")) == (1, None)
    site.house.complaints.clear()  # the browser's own words on the connection that was cut


async def test_a_file_of_staffs_is_downloaded_under_its_name(site: ClinicSite) -> None:
    page = await site.visit()
    chat = await opened(page)
    await say(chat, "oi")
    await expect(chat.locator(".one")).to_have_count(3)
    desk, bia = site.house.gendei.front_desk, terminal(BOA_VIDA)
    file = await desk.own_files.add(bia, "preparo.pdf", "", b"%PDF-1.7\n preparo")
    await desk.conversations.send_file(bia, await site.contact(), file.id, SCRIPT)
    await expect(chat.get_by_role("log")).to_contain_text(SCRIPT)
    async with page.expect_download() as coming:
        await chat.get_by_role("button", name="Baixar preparo.pdf").click()
    kept = await coming.value
    assert (kept.suggested_filename, (await kept.path()).read_bytes()) == ("preparo.pdf", b"%PDF-1.7\n preparo")


async def test_a_site_that_the_clinic_does_not_allow_gets_nothing(house: House) -> None:
    async with open_site(house, allowed=False) as site:
        page = await site.visit()
        told: list[str] = []
        page.on("console", lambda message: told.append(message.text))
        await page.get_by_role("button", name="Conversar").click()
        chat = page.get_by_role("dialog")
        await expect(chat.get_by_role("log")).to_have_text("")
        await expect(chat.get_by_role("status")).to_have_text(
            "O atendimento por este site não está disponível. Fale com a clínica por telefone ou WhatsApp."
        )
        await expect(chat.get_by_label("Sua mensagem")).to_be_hidden()
        [why] = [text for text in told if text.startswith("Gendei: ")]
    assert (f'"boa-vida" for pages of {site.url}' in why, "other.test" in why) == (True, False)
    house.complaints.clear()  # the browser's own words on what it was refused


def test_the_script_is_small() -> None:
    assert len(widget_script()) < MOST_BYTES


async def test_the_demo_shows_it_on_a_page_of_ours(demo_house: House) -> None:
    page = await demo_house.visit("/demo/site?clinic=sorriso")
    await page.get_by_role("button", name="Conversar").click()
    await expect(page.get_by_role("dialog").get_by_role("log")).to_contain_text("Como posso ajudar?")
    await demo_house.shoot(page, "widget-demo")
