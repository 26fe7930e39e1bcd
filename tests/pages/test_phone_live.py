"""Speaking live from the demo's phone, in a browser whose microphone plays a file."""

import shutil
from contextlib import asynccontextmanager

import numpy as np
import pytest
import pytest_asyncio
from playwright.async_api import expect
from tests.pages.house import open_house
from tests.pages.stage import NARROW, open_stage
from tests.pages.test_phone import MARIA, agenda_of, phone_of
from tests.voice.studio import RATE, Studio, wav

from gendei.providers.stand_in.local_server import serve

pytestmark = pytest.mark.slow

NO_LOOP = "%noloop"


def spoken(seconds: float) -> np.ndarray:
    """Something that a browser's noise suppression takes for a voice: syllables, with overtones."""
    moments = np.arange(int(seconds * RATE)) / RATE
    voice = sum(
        np.sin(2 * np.pi * 140 * part * moments + 3 * np.sin(2 * np.pi * 3 * moments)) / part for part in range(1, 12)
    )
    syllables = np.clip(np.sin(2 * np.pi * 4 * moments), 0, 1)
    return (0.35 * voice * syllables / np.abs(voice).max()).astype(np.float32)


def silence(seconds: float) -> np.ndarray:
    return np.zeros(int(seconds * RATE), np.float32)


@asynccontextmanager
async def speaking_browser(stage, folder, *sounds: np.ndarray):
    """A browser whose microphone plays these sounds once, from the moment that a page listens."""
    file = folder / "microphone.wav"
    file.write_bytes(wav(np.concatenate(sounds)))
    flags = ["--no-sandbox", "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"]
    own = await stage.browser.browser_type.launch(
        executable_path=shutil.which("chromium"),
        args=[*flags, f"--use-file-for-fake-audio-capture={file}{NO_LOOP}"],
    )
    try:
        async with open_stage(own) as own_stage:
            yield own_stage
    finally:
        await own.close()


@pytest_asyncio.fixture(loop_scope="session")
async def studio():
    studio = Studio()
    async with serve(studio.app) as studio.url:
        yield studio


async def test_a_patient_books_by_speaking_to_the_page(stage, tmp_path, studio):
    studio.says += ["quero marcar uma consulta geral amanhã às 12h", "sim"]
    sounds = (silence(1), spoken(1.2), silence(6), spoken(1), silence(20))
    async with (
        speaking_browser(stage, tmp_path, *sounds) as own,
        open_house(own, tmp_path, demo=True, speech_url=f"{studio.url}/v1") as house,
    ):
        page = await house.visit("/phone", size=NARROW)
        phone = phone_of(page)
        await phone.get_by_role("button", name="Falar ao vivo").click()
        await expect(phone.get_by_role("status")).to_have_text("Ouvindo. Pode falar.")
        await expect(phone.get_by_role("log")).to_contain_text("quero marcar uma consulta geral", timeout=15_000)
        await expect(phone.get_by_role("status")).to_have_text("Falando…", timeout=15_000)
        await house.shoot(page, "phone-live-narrow")
        await expect(phone.get_by_role("log")).to_contain_text("Sua consulta está confirmada!", timeout=15_000)
        await phone.get_by_role("button", name="Encerrar").click()
        await expect(phone.get_by_role("button", name="Falar ao vivo")).to_be_visible()
        assert await agenda_of(house, MARIA) == [("confirmed", "2026-11-24T12:00")]
        assert house.complaints == []


async def test_without_a_microphone_the_page_says_so(stage, tmp_path, studio):
    async with open_house(stage, tmp_path, demo=True, speech_url=f"{studio.url}/v1") as house:
        page = await house.visit("/phone", size=NARROW)
        phone = phone_of(page)
        await phone.get_by_role("button", name="Falar ao vivo").click()
        await expect(phone.get_by_role("alert")).to_contain_text("tente de novo")
        await expect(phone.get_by_role("button", name="Falar ao vivo")).to_be_visible()


async def test_where_the_clinic_has_no_speech_there_is_no_button(demo_house):
    page = await demo_house.visit("/phone")
    await expect(phone_of(page).get_by_role("button", name="Falar ao vivo")).to_have_count(0)
