"""A real browser on the real service."""

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from nicegui import Client
from playwright.async_api import async_playwright, expect
from tests.conftest import PAGES_NOT_TESTED
from tests.pages.house import House, open_house
from tests.pages.stage import Stage, open_stage

from gendei.web.pages.mount import pages_running
from gendei.web.pages.site import site_in

HERE = Path(__file__).parent
expect.set_options(timeout=15_000)  # a busy machine is no defect


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests of this folder run on one loop: the browser and NiceGUI live through the whole session on it."""
    for item in items:
        if HERE in item.path.parents and pytest_asyncio.is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def stage() -> AsyncIterator[Stage]:
    """In Debian's chromium; skips, loudly, where there is none."""
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip(f"{PAGES_NOT_TESTED}: needs chromium on the PATH (apt-get install chromium)")
    async with pages_running(), async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        async with open_stage(browser) as stage:
            yield stage
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def house(stage: Stage, tmp_path: Path) -> AsyncIterator[House]:
    """The service with both demo clinics, on a store of its own."""
    async with open_house(stage, tmp_path) as house:
        yield house
        assert house.complaints == [], "a page's script failed, or something that it loads was refused"
    assert [value for value in Client.instances.values() if site_in(value.request.scope).gendei is house.gendei] == []


@pytest_asyncio.fixture(loop_scope="session")
async def demo_house(stage: Stage, tmp_path: Path) -> AsyncIterator[House]:
    """The same as a demo: with patients' phones."""
    async with open_house(stage, tmp_path, demo=True) as house:
        yield house
        assert house.complaints == [], "a page's script failed, or something that it loads was refused"
