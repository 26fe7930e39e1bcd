"""Nobody's words run in the inbox, and files are only for those who may read them."""

import base64
from hashlib import sha256

import pytest
import pytest_asyncio
from playwright.async_api import Page, expect
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from tests.pages.house import House
from tests.pages.inbox_people import BIA, CAIO, MARIA, MARIAS, OLGA, choose, log_of, row_of, send

pytestmark = pytest.mark.slow

SCRIPT = "<script>window.broken=1</script><img src=x onerror=window.broken=1>"
PIXEL = base64.b64decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")
PAPER = b"%PDF-1.4 <script>parent.broken=1</script>"
PAGE = b"<script>parent.broken=1</script>"


async def test_script_in_a_name_and_in_a_text_shows_as_text(house: House):
    await house.write(MARIA, f"{SCRIPT} {{{{ 7*7 }}}}", name=SCRIPT)
    page = await house.visit("/inbox", BIA)
    await row_of(page, SCRIPT).click()
    await expect(page.locator(".i-head-name")).to_have_text(SCRIPT)
    await expect(log_of(page).get_by_text(f"{SCRIPT} {{{{ 7*7 }}}}")).to_be_visible()
    await send(page, SCRIPT)
    await expect(log_of(page).get_by_text(SCRIPT, exact=True)).to_be_visible()
    assert await page.evaluate("window.broken") is None


async def test_script_in_a_label_shows_as_text(house: House):
    label = "<img src=x onerror=x()>"
    await house.write(MARIA, "oi", name="Maria")
    page = await house.visit(MARIAS, BIA)
    await choose(page, "Etiquetas…")
    await page.get_by_role("combobox", name="Etiquetas").fill(label)
    await page.keyboard.press("Enter")
    await page.get_by_role("button", name="Salvar").click()
    await expect(page.locator(".i-head").get_by_text(label)).to_be_visible()


async def test_a_text_from_right_to_left_and_an_emoji_read_as_they_should(house: House):
    await house.write(MARIA, "مرحبا، أريد موعدًا", name="محمد")
    await house.write(MARIA, "😀", name="محمد")
    page = await house.visit(MARIAS, BIA)
    texts = log_of(page).locator(".i-in .i-text")
    await expect(texts).to_have_count(2)
    direction = "one => getComputedStyle(one).direction"
    assert [await item.evaluate(direction) for item in await texts.all()] == ["rtl", "ltr"]
    await expect(texts.last).to_have_class("i-text i-big")


async def test_an_over_long_text_is_folded_until_it_is_asked_for(house: House):
    await house.write(MARIA, "muito longo " * 300, name="Maria")
    page = await house.visit(MARIAS, BIA)
    await page.get_by_role("button", name="Mostrar tudo").click()
    await expect(page.get_by_role("button", name="Mostrar menos")).to_be_visible()


@pytest_asyncio.fixture(loop_scope="session")
async def files(house: House) -> House:
    """Maria has sent a picture, a document and a page."""
    contents = {"1": ("image/gif", PIXEL), "2": ("application/pdf", PAPER), "3": ("text/html", PAGE)}

    async def told(request: Request) -> Response:
        kind, content = contents[request.path_params["file"]]
        address = str(request.url.replace(path=f"/content/{request.path_params['file']}"))
        return JSONResponse({"id": "1", "mime_type": kind, "file_size": str(len(content)), "url": address})

    async def content(request: Request) -> Response:
        kind, body = contents[request.path_params["file"]]
        return Response(body, media_type=kind)

    assert isinstance(house.graph.app, Starlette)
    house.graph.app.router.routes += [Route("/content/{file}", content), Route("/{version}/{file}", told)]
    maker = await house.maker()
    for file, kind in (("1", "image"), ("2", "document"), ("3", "document")):
        mime, body = contents[file]
        digest = base64.b64encode(sha256(body).digest()).decode()
        part = {"id": file, "mime_type": mime, "sha256": digest}
        await house.post(maker.message(MARIA, {"type": kind, kind: part}, name="Maria", message_id=f"wamid.{file}"))
    await house.gendei.messaging.idle()
    return house


async def address_of(page: Page, selector: str, attribute: str) -> str:
    address = await log_of(page).locator(selector).get_attribute(attribute)
    assert address is not None
    return address


async def test_a_picture_is_shown_to_who_may_read_the_conversation_and_to_nobody_else(files: House):
    page = await files.visit(MARIAS, BIA)
    await expect(log_of(page).get_by_role("img", name="Imagem")).to_be_visible()
    address = await address_of(page, ".i-media img", "src")
    got = [
        await (await files.visit("/healthz", user)).request.get(f"{files.url}{address}") for user in (CAIO, OLGA, None)
    ]
    assert [entry.status for entry in got] == [200, 404, 404]
    assert (await got[0].body(), got[0].headers["content-type"]) == (PIXEL, "image/gif")


async def test_a_part_of_a_file_can_be_asked_for(files: House):
    page = await files.visit(MARIAS, BIA)
    address = await address_of(page, ".i-media img", "src")
    part = await page.request.get(f"{files.url}{address}", headers={"Range": "bytes=2-5"})
    assert (part.status, await part.body()) == (206, PIXEL[2:6])
    assert part.headers["content-range"] == f"bytes 2-5/{len(PIXEL)}"


async def test_a_document_is_downloaded_and_never_shown(files: House):
    page = await files.visit(MARIAS, BIA)
    address = await address_of(page, "a.i-file", "href")
    got = await page.request.get(f"{files.url}{address}")
    shown = [got.headers[text] for text in ("content-type", "content-disposition", "content-security-policy")]
    assert shown == ["application/octet-stream", "attachment", "default-src 'none'; sandbox"]
    assert await got.body() == PAPER


async def test_a_file_that_was_not_taken_is_said_to_be_missing(files: House):
    page = await files.visit(MARIAS, BIA)
    await expect(log_of(page).get_by_text("O arquivo não pôde ser recebido.")).to_have_count(1)
