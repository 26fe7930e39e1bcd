"""The waiting list over the agenda."""

from dataclasses import replace

import pytest
from playwright.async_api import expect
from tests.mcp.test_outsiders import WaitingListPolicy
from tests.pages.agenda_cast import LUCIA, choose, open_agenda
from tests.pages.house import BOA_VIDA, House

pytestmark = pytest.mark.slow


async def test_somebody_is_put_on_the_list_seen_and_taken_off_again(house: House) -> None:
    clinic = await house.gendei.directory.get(BOA_VIDA)
    assert clinic is not None
    await house.gendei.directory.import_clinic(replace(clinic, waiting_list=WaitingListPolicy()))
    page = await open_agenda(house)
    await page.get_by_role("button", name="Espera").click()
    sheet = page.get_by_role("dialog")
    await expect(sheet.get_by_text("Ninguém espera agora.")).to_be_visible()
    await sheet.get_by_text("Pôr alguém na lista").click()
    await sheet.get_by_label("Paciente").fill("Rita Melo")
    await sheet.get_by_label("Telefone").fill("11 97777-6666")
    await choose(page, "Parte do dia", "À tarde")
    await sheet.get_by_role("button", name="Pôr na lista").click()
    await expect(sheet.get_by_text("Rita Melo · ")).to_be_visible()
    [entry] = await house.gendei.agenda_desk.waiting.list(LUCIA)
    assert (entry.contact, entry.wish.hours, entry.by) == ("+5511977776666", (720, 1080), "Ana")
    await sheet.get_by_role("button", name="Tirar").click()
    await expect(sheet.get_by_text("Ninguém espera agora.")).to_be_visible()
    assert await house.gendei.agenda_desk.waiting.list(LUCIA) == []
