"""Every field of the clinic file, changed by its control in the settings' pages."""

import asyncio
from collections.abc import Sequence

import pytest
from playwright.async_api import Page, expect
from tests.journeys.town import AURORA
from tests.journeys.town import clinics as clinics_of_the_town
from tests.pages.house import BOA_VIDA, House, staff
from tests.pages.test_settings import review
from tests.web.api.deposit_fields import DEPOSITS
from tests.web.api.rest_of_fields import REST, keys_of

from gendei.staff.actors import RIGHTS, Actor, Role
from gendei.staff.clinic_changes.changes import ClinicPreview
from gendei.staff.clinic_changes.editing import Edit
from gendei.web.pages.clinic_settings.described import every_leaf
from gendei.web.pages.clinic_settings.page import PAGES, SECTIONS

ROSA, MANAGER = staff("Rosa", AURORA), Actor(AURORA, "bia", "Bia", RIGHTS[Role.GESTOR])
OPEN = [
    ("waiting_list", {}),
    ("no_shows", {}),
    ("survey", {}),
    DEPOSITS[-1],
    ("templates.reminder", {"name": "lembrete"}),
    ("words.phrases.info_unknown", "Isso quem sabe é a equipe."),
]
"""So that every part of the pages is shown."""
ALONE = {"mcp_servers.headers": "mcp_servers.headers.value", "words.phrases": "words.phrases.text"}
"""Entries that are one value each."""
TYPED = ".o-field input:not([role=combobox]):not([type=checkbox]), .o-field textarea"


async def change_everything(page: Page, checked: asyncio.Event) -> None:
    """Give every control another value; not all are good ones. Names come last, since another one is another entry.
    Each is `checked` before the next is written, as at a person's pace."""
    for folded in await page.get_by_role("button", name="Abrir: ").all():
        await folded.click()
    for choice in await page.locator(".o-field .q-select").all():
        chosen = choice.get_by_role("button", name="Remover")
        if await chosen.count():
            await chosen.first.click()
            continue
        await choice.click()
        offered = page.get_by_role("listbox").get_by_role("option")
        await expect(offered.first).to_be_visible()
        await page.locator("[role=listbox] [role=option][aria-selected=false]").first.click()
        await page.keyboard.press("Escape")
        await expect(offered).to_have_count(0)
    for box in await page.locator(".o-field").get_by_role("checkbox").all():
        await box.click()
    for field in reversed(await page.locator(TYPED).element_handles()):
        checked.clear()
        await field.fill(f"{await field.input_value()}1")
        async with asyncio.timeout(20):
            await checked.wait()


@pytest.mark.slow
async def test_every_field_is_changed_by_its_control(house: House, monkeypatch) -> None:
    aurora = next(clinic for clinic in clinics_of_the_town() if clinic.id == AURORA)
    await house.gendei.directory.import_clinic(aurora)
    changes = house.gendei.desks.clinic_changes
    for field, value in [*REST, *OPEN]:
        version = (await changes.read(MANAGER)).version
        await changes.save(MANAGER, version, [Edit(field, value)], source="api")
    looked = changes.preview
    changed: set[str] = set()
    checked, reviewed = asyncio.Event(), asyncio.Event()

    async def told(actor: Actor, version: int, edits: Sequence[Edit], *, with_effects: bool = True) -> ClinicPreview:
        changed.update(key for edit in edits for key in keys_of(edit.field, edit.value))
        seen = await looked(actor, version, edits, with_effects=with_effects)
        (reviewed if with_effects else checked).set()
        return seen

    monkeypatch.setattr(changes, "preview", told)
    left = {leaf.key for leaf in every_leaf()}
    for name, path, _ in PAGES[:-1]:
        page = await house.visit(path, ROSA)
        await change_everything(page, checked)
        reviewed.clear()
        await review(page)
        async with asyncio.timeout(20):
            await reviewed.wait()
        await page.close()
        assert {field.partition(".")[0] for field in changed} <= set(SECTIONS[name])
        left = {
            key for key in left if not any(f"{ALONE.get(field, field)}.".startswith(f"{key}.") for field in changed)
        }
        changed.clear()
    assert left == set()
    assert (await house.gendei.directory.read(BOA_VIDA))[0] == 1
