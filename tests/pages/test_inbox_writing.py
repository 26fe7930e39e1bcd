"""Writing in the inbox: what WhatsApp lets out, what the browser keeps, and what else can be put into a message."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from struct import pack
from zlib import compress, crc32

import pytest
import pytest_asyncio
from playwright.async_api import Page, Route, expect
from tests.pages.house import PNG, House, staff
from tests.pages.inbox_people import BIA, CAIO, JOAO, MARIA, MARIAS, choose, field_of, log_of, pass_time, row_of, send

from gendei.clinic import MessageTemplate
from gendei.staff.actors import Role

pytestmark = pytest.mark.slow

CLOSED = "A janela de 24 horas do WhatsApp fechou."
A_DAY = timedelta(hours=25)


async def press(page: Page, name: str) -> None:
    await page.get_by_role("button", name=name, exact=True).click()


@pytest_asyncio.fixture(loop_scope="session")
async def with_template(house: House) -> None:
    """The clinic has a template for messages of staff."""
    clinic = await house.gendei.directory.get(BIA.clinic_id)
    assert clinic is not None
    template = MessageTemplate("recado", parameters=("patient",))
    await house.gendei.directory.import_clinic(replace(clinic, templates={"staff_message": template}))


async def test_outside_of_the_window_a_message_is_queued_and_can_be_taken_back(house: House):
    await house.write(MARIA, "oi", name="Maria")
    before = len(house.graph.sent)
    pass_time(house, A_DAY)
    page = await house.visit(MARIAS, BIA)
    await expect(page.get_by_text(CLOSED)).to_be_visible()
    await expect(page.get_by_role("button", name="Enviar", exact=True)).to_have_count(0)
    await field_of(page).fill("Seu resultado chegou.")
    await press(page, "Deixar na fila")
    await expect(log_of(page).get_by_role("img", name="Espera o paciente escrever")).to_be_visible()
    await expect(row_of(page, "Maria")).to_contain_text("1 na fila")
    await press(page, "Tirar da fila")
    await expect(log_of(page).get_by_text("Seu resultado chegou.")).to_have_count(0)
    assert len(house.graph.sent) == before


async def test_what_was_queued_goes_when_the_patient_writes(house: House):
    await house.write(MARIA, "oi", name="Maria")
    pass_time(house, A_DAY)
    page = await house.visit(MARIAS, BIA)
    await field_of(page).fill("Seu resultado chegou.")
    await press(page, "Deixar na fila")
    await expect(field_of(page)).to_have_value("")
    await house.write(MARIA, "bom dia", name="Maria")
    await expect(page.get_by_text(CLOSED)).to_have_count(0)
    await expect(log_of(page).get_by_role("img", name="Espera o paciente escrever")).to_have_count(0)
    assert "Seu resultado chegou." in [request.text for request in house.graph.sent]


async def test_outside_of_the_window_a_template_goes(house: House, with_template: None):
    await house.write(MARIA, "oi", name="Maria")
    pass_time(house, A_DAY)
    page = await house.visit(MARIAS, BIA)
    await field_of(page).fill("Seu resultado chegou.")
    await press(page, "Enviar modelo")
    await expect(page.get_by_text("O modelo vai ser enviado agora.")).to_be_visible()
    await house.gendei.messaging.idle()
    assert house.graph.sent[-1].payload["type"] == "template"


async def test_a_window_that_closes_under_an_open_page_refuses_kindly_and_the_text_stays(house: House):
    await house.write(MARIA, "oi", name="Maria")
    page = await house.visit(MARIAS, BIA)
    await field_of(page).fill("Ainda dá tempo?")
    pass_time(house, A_DAY)
    await press(page, "Enviar")
    await expect(page.get_by_text("A janela de 24 horas acabou de fechar.")).to_be_visible()
    await expect(page.get_by_text(CLOSED)).to_be_visible()
    await expect(field_of(page)).to_have_value("Ainda dá tempo?")


async def test_what_was_typed_survives_a_reload_and_belongs_to_its_conversation(house: House):
    await house.write(MARIA, "oi", name="Maria")
    await house.write(JOAO, "oi", name="João")
    page = await house.visit(MARIAS, BIA)
    await field_of(page).fill("Para a Maria")
    await row_of(page, "João").click()
    await expect(page.locator(".i-head-name")).to_have_text("João")
    await expect(field_of(page)).to_have_value("")
    await page.goto(MARIAS)
    await expect(field_of(page)).to_have_value("Para a Maria")


async def test_what_was_typed_survives_a_lost_connection_and_then_goes(house: House):
    await house.write(MARIA, "oi", name="Maria")
    page = await house.visit(MARIAS, BIA)
    await field_of(page).fill("Bom")
    await page.evaluate("window.socket.io.engine.close()")
    await field_of(page).fill("Bom dia")
    await expect(page.get_by_text("Sem conexão com o servidor.")).to_be_hidden()
    await press(page, "Enviar")
    await expect(log_of(page).get_by_text("Bom dia")).to_be_visible()
    await expect(field_of(page)).to_have_value("")


async def test_what_one_person_typed_is_not_shown_to_the_next_at_the_same_computer(house: House):
    await house.write(MARIA, "oi", name="Maria")
    page = await house.visit(MARIAS, BIA)
    await field_of(page).fill("Só meu")
    cookie = await house.sign_in(CAIO)
    [mine] = await page.context.cookies()
    await page.context.add_cookies([{"name": mine["name"], "value": cookie, "url": house.url}])
    await page.reload()
    await expect(field_of(page)).to_have_value("")


async def test_a_canned_reply_comes_filled_in_and_is_not_sent_by_itself(house: House):
    await house.write(MARIA, "oi", name="Maria")
    before = len(house.graph.sent)
    page = await house.visit(MARIAS, BIA)
    await page.get_by_label("Respostas prontas").click()
    await page.get_by_role("button", name="Saudação").click()
    await expect(field_of(page)).to_have_value("Olá, Maria! Aqui é Bia, da Clínica Boa Vida. Como posso ajudar?")
    await page.get_by_label("Respostas prontas").click()
    await page.get_by_role("button", name="Próxima consulta").click()
    await expect(page.get_by_text("Falta preencher o que está entre chaves.")).to_be_visible()
    assert len(house.graph.sent) == before


async def test_canned_replies_are_reached_and_left_by_keys(house: House):
    await house.write(MARIA, "oi", name="Maria")
    page = await house.visit(MARIAS, BIA)
    menu, reply = page.get_by_label("Respostas prontas"), page.get_by_role("button", name="Endereço")
    await menu.focus()
    await page.keyboard.press("Enter")
    await expect(reply).to_be_visible()
    await page.keyboard.press("Tab")
    await page.keyboard.press("Escape")
    await expect(reply).to_be_hidden()
    await expect(menu).to_be_focused()


async def test_buttons_go_with_a_message(house: House):
    await house.write(MARIA, "oi", name="Maria")
    page = await house.visit(MARIAS, BIA)
    for number, title in enumerate(("Sim, pode ser", "Não"), start=1):
        await press(page, "Acrescentar botão de resposta")
        await page.get_by_role("textbox", name=f"Botão {number}").fill(title)
    await send(page, "Pode ser às 15h?")
    await expect(log_of(page).get_by_text("Sim, pode ser")).to_be_visible()
    await house.gendei.messaging.idle()
    assert [title for _, title in house.graph.sent[-1].options] == ["Sim, pode ser", "Não"]


async def test_a_manager_changes_the_canned_replies_and_has_the_new_ones_at_once(house: House):
    await house.write(MARIA, "oi", name="Maria")
    page = await house.visit(MARIAS, BIA)
    await page.get_by_label("Respostas prontas").click()
    await press(page, "Editar respostas…")
    dialog = page.get_by_role("dialog")
    await press(page, "Acrescentar")
    await press(page, "Salvar")
    await expect(page.get_by_text("cada resposta precisa de título")).to_be_visible()
    await dialog.get_by_label("Título").last.fill("Estacionamento")
    await dialog.get_by_label("Texto").last.fill("Há vagas na {endereço}.")
    await press(page, "Salvar")
    await expect(dialog).to_be_hidden()
    await page.get_by_label("Respostas prontas").click()
    await page.get_by_role("button", name="Estacionamento").click()
    await expect(field_of(page)).to_have_value("Há vagas na Rua das Flores, 100, São Paulo.")


async def test_only_a_manager_is_offered_to_change_the_canned_replies(house: House):
    await house.write(MARIA, "oi", name="Maria")
    page = await house.visit(MARIAS, staff("Rosa", role=Role.ATENDENTE))
    await page.get_by_label("Respostas prontas").click()
    await expect(page.get_by_role("button", name="Saudação")).to_be_visible()
    await expect(page.get_by_role("button", name="Editar respostas…")).to_have_count(0)


async def test_a_photo_is_attached_seen_and_sent_with_its_caption(house: House, tmp_path: Path):
    photo = tmp_path / "fachada.png"
    photo.write_bytes(PNG)
    await house.write(MARIA, "oi", name="Maria")
    page = await house.visit(MARIAS, BIA)
    await page.locator("input[type=file]").set_input_files(photo)
    await expect(page.get_by_role("img", name="fachada.png")).to_be_visible()
    await page.reload()
    await expect(page.get_by_role("img", name="fachada.png")).to_be_visible()
    await page.get_by_role("textbox", name="Escreva uma mensagem").fill("A entrada é esta.")
    await house.shoot(page, "composer-photo")
    await press(page, "Enviar")
    await expect(log_of(page).get_by_role("img", name="Imagem")).to_be_visible()
    await house.gendei.messaging.idle()
    sent = house.graph.sent[-1]
    assert (sent.text, house.graph.uploads[sent.payload["image"]["id"]]) == ("A entrada é esta.", PNG)


def tall_png() -> bytes:
    """A grey picture, 300 by 900."""
    head = pack(">IIBBBBB", 300, 900, 8, 0, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", compress(b"\0" * 301 * 900)), (b"IEND", b""))
    chunks = (pack(">I", len(data)) + kind + data + pack(">I", crc32(kind + data)) for kind, data in parts)
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


async def test_a_picture_that_comes_after_its_message_is_scrolled_to_its_end(house: House, tmp_path: Path):
    photo = tmp_path / "fachada.png"
    photo.write_bytes(tall_png())
    await house.write(MARIA, "oi\n" * 40, name="Maria")
    page = await house.visit(MARIAS, BIA)
    await page.route("**/inbox/media**", held := Held())
    await page.locator("input[type=file]").set_input_files(photo)
    await expect(page.get_by_role("img", name="fachada.png")).to_be_visible()
    await press(page, "Enviar")
    await held.asked.wait()
    await choose(page, "Encerrar")
    await expect(log_of(page).get_by_text("Bia encerrou a conversa.")).to_be_in_viewport()
    held.free.set()
    await page.wait_for_function("document.querySelector('.i-log img').naturalHeight === 900")
    await expect(log_of(page).get_by_text("Bia encerrou a conversa.")).to_be_in_viewport()


class Held:
    """A route that lets nothing through before it is told."""

    def __init__(self) -> None:
        self.asked, self.free = asyncio.Event(), asyncio.Event()

    async def __call__(self, route: Route) -> None:
        self.asked.set()
        await self.free.wait()
        await route.continue_()


async def test_a_file_that_cannot_be_sent_is_refused_with_the_reason_and_the_text_stays(house: House, tmp_path: Path):
    fake = tmp_path / "foto.jpg"
    fake.write_bytes(b"PK\x03\x04 not a photo")
    await house.write(MARIA, "oi", name="Maria")
    page = await house.visit(MARIAS, BIA)
    await field_of(page).fill("Segue a foto.")
    async with page.expect_response("**/inbox/files**"):
        await page.locator("input[type=file]").set_input_files(fake)
    await expect(page.get_by_text("Este tipo de arquivo não pode ser enviado.")).to_be_visible()
    await expect(field_of(page)).to_have_value("Segue a foto.")
    house.complaints.clear()  # the browser notes every answer of 4xx


async def test_a_list_goes_with_a_message(house: House):
    await house.write(MARIA, "oi", name="Maria")
    page = await house.visit(MARIAS, BIA)
    await press(page, "Acrescentar lista de opções")
    await page.get_by_role("textbox", name="Texto que abre a lista").fill("Ver turnos")
    await page.get_by_role("textbox", name="Opção 1", exact=True).fill("Manhã")
    await page.get_by_role("textbox", name="Descrição (opcional) 1", exact=True).fill("8h às 12h")
    await press(page, "Mais uma opção")
    await page.get_by_role("textbox", name="Opção 2", exact=True).fill("Tarde")
    await house.shoot(page, "composer-list")
    await send(page, "Quando prefere?")
    await expect(log_of(page).get_by_text("Ver turnos")).to_be_visible()
    await house.gendei.messaging.idle()
    sent = house.graph.sent[-1]
    assert (sent.list_label, sent.options[0][1], sent.around) == ("Ver turnos", "Manhã", [("", "8h às 12h"), ("", "")])
