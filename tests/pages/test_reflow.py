"""WCAG 1.4.10: at a zoom of 400 % nobody has to scroll sideways to read a page or to use it."""

import pytest
from tests.pages.axe import SETTLED
from tests.pages.every_page import SCENES, open_full_house
from tests.pages.house import House
from tests.pages.reflow import ZOOMED, beside

SHIFTED = """() => {
  document.querySelector("h1").style.marginLeft = "-200px";
  document.querySelector("form").style.minWidth = "500px";
}"""


async def test_what_lies_beside_the_window_is_told(house: House) -> None:
    page = await house.visit("/login", size=ZOOMED)
    assert await beside(page) == []
    await page.evaluate(SHIFTED)
    told = " ".join(await beside(page))
    assert "wider" in told
    assert "h1" in told
    assert "button" in told


@pytest.mark.slow
async def test_no_page_is_scrolled_sideways_at_four_times_its_size(stage, tmp_path) -> None:
    async with open_full_house(stage, tmp_path) as full:
        page, told = await full.house.visit("/login", size=ZOOMED), []
        for scene in SCENES:
            await scene.show(full, page)
            for frame in page.frames:
                await frame.evaluate(SETTLED)
            told += [f"{scene.name}: {line}" for line in await beside(page)]
        assert told == []
