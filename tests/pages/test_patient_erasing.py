"""A copy of what is kept of a patient, and erasing it, on the patient's card."""

import asyncio
import json
from pathlib import Path

from playwright.async_api import expect
from tests.pages.house import staff
from tests.pages.stage import NARROW
from tests.pages.test_patients import ANA, MARIA, audited, book

from gendei.booking.appointment import AppointmentStatus
from gendei.staff.actors import terminal
from gendei.staff.audit import Action

GILDA = staff("Gilda")


async def test_who_manages_downloads_a_copy(house):
    booked = await book(house)
    page = await house.visit(f"/patients/{booked.patient_id}", GILDA)
    async with page.expect_download() as started:
        await page.get_by_role("button", name="Baixar dados").click()
    download = await started.value
    found = json.loads(await asyncio.to_thread(Path(await download.path()).read_text, "utf-8"))
    assert (download.suggested_filename, [each["name"] for each in found["patients"]]) == (
        "dados-do-paciente.json",
        ["Maria Souza"],
    )
    assert await audited(house, Action.PATIENT_EXPORTED) == [(GILDA.id, booked.patient_id)]


async def test_what_goes_and_what_stays_is_shown_before_it_is_erased_for_ever(house):
    await house.write(MARIA, "tenho pavor de agulha")
    booked = await book(house)
    page = await house.visit(f"/patients/{booked.patient_id}", GILDA)
    await page.get_by_role("button", name="Apagar dados").click()
    sheet = page.get_by_role("dialog")
    await expect(sheet.get_by_role("alert")).to_have_text("Há horários ainda por vir (1). Cancele antes de apagar.")
    await expect(sheet.get_by_role("button", name="Apagar para sempre")).to_have_count(0)
    await house.shoot(page, "erasing-refused")
    await house.gendei.agenda_desk.agenda.set_status(terminal(GILDA.clinic_id), booked.id, AppointmentStatus.NO_SHOW)
    page = await house.visit(f"/patients/{booked.patient_id}", GILDA, size=NARROW, dark=True)
    await page.get_by_role("button", name="Apagar dados").click()
    await expect(sheet).to_contain_text("Maria Souza")
    await expect(page.get_by_role("dialog")).to_contain_text("Horários que já passaram (1) ficam sem a pessoa")
    await house.shoot(page, "erasing-narrow")
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await page.get_by_role("button", name="Apagar para sempre").click()
    await expect(page).to_have_url(f"{house.url}/patients")
    await expect(page.get_by_text("Ainda não há pacientes.")).to_be_visible()
    await page.goto("/agenda?day=2026-11-24&professional=ana")
    await expect(page.get_by_text("Maria Souza")).to_have_count(0)
    assert await audited(house, Action.PATIENT_ERASED) == [(GILDA.id, booked.patient_id)]


async def test_who_does_not_manage_can_do_neither(house):
    booked = await book(house)
    page = await house.visit(f"/patients/{booked.patient_id}", ANA)
    await expect(page.get_by_role("button", name="Juntar")).to_have_count(1)
    for name in ("Baixar dados", "Apagar dados"):
        await expect(page.get_by_role("button", name=name)).to_have_count(0)
