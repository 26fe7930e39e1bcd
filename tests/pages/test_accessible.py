"""WCAG 2.2 A and AA, as far as axe sees it: no violation on any page, wide and narrow, in light and in dark colours."""

import pytest
from nicegui import app
from playwright.async_api import Page
from starlette.routing import Route
from tests.pages.axe import in_scheme, violations
from tests.pages.every_page import SCENES, FullHouse, Scene, open_full_house
from tests.pages.house import House, staff
from tests.pages.stage import NARROW, WIDE, Size
from tests.pages.test_campaigns import previewed, some_came

NO_PAGES = (
    "/_nicegui",
    "/static",
    "/favicon",
    "/inbox/",
    "/campaigns.csv",
    "/campaigns/{campaign_id}.csv",
    "/knowledge/files",
    "/numbers/",
    "/payments/",
    "/phone/",
    "/frame-",
    "/sign-in-test",
    "/asked-first",
)
"""What the library serves, files, and what other tests try the frame on."""
PARTS = 3
"""Into which the scenes are dealt, for workers that run side by side."""


async def found(full: FullHouse, page: Page, scenes: list[Scene]) -> list[str]:
    """What is wrong with these, each in both schemes."""
    told = []
    for scene in scenes:
        await page.emulate_media(color_scheme="light")
        await scene.show(full, page)
        for dark in (False, True):
            await in_scheme(page, dark=dark)
            told += [f"{scene.name}, {'dark' if dark else 'light'}: {line}" for line in await violations(page)]
    return told


async def test_a_page_with_a_dialog_breaks_no_rule(house: House) -> None:
    page = await house.visit("/tasks", staff("Ana"), size=NARROW)
    await page.get_by_role("button", name="Nova tarefa").click()
    await page.get_by_role("dialog").get_by_label("Título").fill("Ligar")
    assert await violations(page) == []
    await in_scheme(page, dark=True)
    assert await violations(page) == []


async def test_what_breaks_a_rule_is_told(house: House) -> None:
    page = await house.visit("/login")
    await page.evaluate("document.querySelector('label[for=email]').remove()")
    await page.evaluate("document.querySelector('h1').style.color = '#777'; document.body.lang = 'xx'")
    assert {line.partition(":")[0] for line in await violations(page)} == {"label", "valid-lang"}


async def test_every_page_is_looked_at(house: House) -> None:
    shown = [(scene.leads_to or scene.path).partition("?")[0] for scene in SCENES]
    pages = [route for route in app.routes if isinstance(route, Route) and not route.path.startswith(NO_PAGES)]
    missing = [route.path for route in pages if not any(route.path_regex.match(path) for path in shown)]
    assert (missing, len(pages) > 20) == ([], True)


@pytest.mark.slow
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("part", range(PARTS))
async def test_no_page_breaks_a_rule(stage, tmp_path, part: int, size: Size) -> None:
    async with open_full_house(stage, tmp_path) as full:
        page = await full.house.visit("/login", size=size)
        assert await found(full, page, SCENES[part::PARTS]) == []


@pytest.mark.slow
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
async def test_no_campaign_breaks_a_rule(house: House, size: Size) -> None:
    await some_came(house)
    page = await house.visit("/campaigns", staff("Gilda"), size=size)
    await previewed(page)
    for dark in (False, True):
        await in_scheme(page, dark=dark)
        assert await violations(page) == []
