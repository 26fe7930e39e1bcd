"""A patient of the demo sends a picture, a file and a voice note, on the way of every real message."""

import pytest
import pytest_asyncio
from playwright.async_api import Locator, Page, expect
from tests.pages.house import BOA_VIDA, PNG, SORRISO, House, open_house, staff
from tests.pages.stage import NARROW
from tests.pages.test_phone import JOAO, MARIA, phone_of
from tests.pages.test_phone_live import silence, speaking_browser, spoken
from tests.voice.studio import Studio, ogg, tone

from gendei.errors import NotFound
from gendei.providers.stand_in.local_server import serve
from gendei.staff.inbox.messages_shown import ShownMedia

PDF = b"%PDF-1.7\n1 0 obj\n"


@pytest_asyncio.fixture(loop_scope="session")
async def studio():
    studio = Studio()
    async with serve(studio.app) as studio.url:
        yield studio


def attached(name: str, mime_type: str, content: bytes) -> dict[str, object]:
    return {"name": name, "mimeType": mime_type, "buffer": content}


async def choose(page: Page, phone: Locator, button: str, file: dict[str, object]) -> None:
    async with page.expect_file_chooser() as chooser:
        await phone.get_by_role("button", name=button).click()
    await (await chooser.value).set_files([file])


async def kept(house: House) -> list[ShownMedia]:
    """The files of Maria's conversation, as staff have them."""
    await house.gendei.messaging.idle()
    view = await house.gendei.front_desk.views.view(staff("Bia").actor(), MARIA.phone)
    return [item.media for item in view.items if item.media]


async def test_a_picture_goes_with_what_was_typed_and_staff_open_it(demo_house):
    page = await demo_house.visit("/phone", size=NARROW)
    phone = phone_of(page)
    await phone.get_by_label("Mensagem").fill("onde vocês ficam?")
    await choose(page, phone, "Enviar foto ou arquivo", attached("foto.png", "image/png", PNG))
    await expect(phone.get_by_role("log")).to_contain_text("Rua das Flores, 100")
    await expect(phone.get_by_label("Mensagem")).to_have_value("")
    picture = phone.locator(".p-mine").get_by_role("img", name="Imagem")
    assert await picture.evaluate("(shown) => shown.decode().then(() => shown.naturalWidth)") == 1
    [file] = await kept(demo_house)
    assert (file.state, file.mime_type, file.size) == ("stored", "image/png", len(PNG))
    inbox = await demo_house.visit(f"/inbox?contact={MARIA.phone.replace('+', '%2B')}", staff("Bia"))
    shown = inbox.locator(".i-log img").first
    assert await shown.evaluate("(shown) => shown.decode().then(() => shown.naturalWidth)") == 1
    with pytest.raises(NotFound):
        await demo_house.gendei.front_desk.views.view(staff("Eva", SORRISO).actor(), MARIA.phone)


@pytest.mark.slow
async def test_a_document_shows_by_its_name_on_no_other_phone(demo_house):
    page = await demo_house.visit("/phone")
    await choose(page, phone_of(page), "Enviar foto ou arquivo", attached("guia.pdf", "application/pdf", PDF))
    await expect(phone_of(page).locator(".p-mine")).to_contain_text("guia.pdf")
    await expect(phone_of(page).get_by_role("log")).to_contain_text("a equipe vai ver")
    await expect(phone_of(page, JOAO).get_by_role("log")).to_have_text("")
    assert [(file.state, file.mime_type) for file in await kept(demo_house)] == [("stored", "application/pdf")]


@pytest.mark.slow
async def test_a_picture_that_is_too_large_is_not_sent_and_the_phone_says_so(demo_house):
    page = await demo_house.visit("/phone")
    phone = phone_of(page)
    large = attached("foto.jpg", "image/jpeg", b"\xff\xd8\xff" + bytes(5_000_000))
    await choose(page, phone, "Enviar foto ou arquivo", large)
    await expect(phone.get_by_role("alert")).to_contain_text("Fotos vão até 5 MB")
    await expect(phone.get_by_role("log")).to_have_text("")
    demo_house.complaints.clear()  # the browser's own line about the refusal


@pytest.mark.slow
async def test_without_a_microphone_a_sound_is_chosen_and_its_words_are_answered(stage, tmp_path, studio):
    studio.says += ["qual é o endereço?"]
    async with open_house(stage, tmp_path, demo=True, speech_url=f"{studio.url}/v1") as house:
        page = await house.visit("/phone")
        phone = phone_of(page)
        await choose(page, phone, "Gravar áudio", attached("voz.ogg", "audio/ogg", ogg(tone(2))))
        await expect(phone.get_by_role("log")).to_contain_text("Rua das Flores, 100")
        await expect(phone.locator(".p-mine audio")).to_have_count(1)
        [file] = await kept(house)
        view = await house.gendei.front_desk.views.view(staff("Bia").actor(), MARIA.phone)
        assert (file.state, file.mime_type) == ("stored", "audio/ogg")
        assert any("qual é o endereço?" in item.text for item in view.items)
        assert house.complaints == []


@pytest.mark.slow
async def test_what_is_no_sound_is_not_sent(demo_house):
    page = await demo_house.visit("/phone")
    phone = phone_of(page)
    await choose(page, phone, "Gravar áudio", attached("voz.mp3", "audio/mpeg", b"nothing that can be heard"))
    await expect(phone.get_by_role("alert")).to_contain_text("Não consegui ler esse áudio")
    await expect(phone.get_by_role("log")).to_have_text("")


@pytest.mark.slow
async def test_a_voice_note_is_recorded_thrown_away_and_sent(stage, tmp_path, studio):
    studio.says += ["qual é o endereço?"]
    async with (
        speaking_browser(stage, tmp_path, spoken(20), silence(5)) as own,
        open_house(own, tmp_path, demo=True, speech_url=f"{studio.url}/v1") as house,
    ):
        page = await house.visit("/phone", size=NARROW)
        phone = phone_of(page)
        await phone.get_by_role("button", name="Gravar áudio").click()
        await phone.get_by_role("button", name="Descartar áudio").click()
        await phone.get_by_role("button", name="Gravar áudio").click()
        await expect(phone.get_by_role("status")).to_have_text("Gravando 0:02")
        await house.shoot(page, "phone-recording-narrow")
        await phone.get_by_role("button", name="Enviar áudio").click()
        await expect(phone.get_by_role("log")).to_contain_text("Rua das Flores, 100")
        [file] = await kept(house)
        assert (file.state, file.mime_type) == ("stored", "audio/ogg")
        [heard] = studio.heard
        assert heard is not None
        assert house.complaints == []


@pytest.mark.parametrize("demo", [True, False])
async def test_only_who_has_a_phone_sends_and_reads_its_files(stage, tmp_path, demo):
    async with open_house(stage, tmp_path, demo=demo) as house:
        page = await house.visit("/healthz", staff("Ana", BOA_VIDA))
        for path in ("/phone/files?token=guessed", "/phone/files?token=guessed&message=wamid.1", "/phone/files"):
            sent = await page.request.post(house.url + path, data=PNG)
            assert (sent.status, (await page.request.get(house.url + path)).status) == (404, 404)
