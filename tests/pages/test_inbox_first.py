"""The inbox as staff work it: danger stands first and is heard until it is taken up, conversations are put off, chosen
together and begun, and canned replies are a "/" away."""

import re
from dataclasses import replace
from datetime import timedelta
from urllib.parse import quote

import pytest
from playwright.async_api import Page, expect
from tests.pages.agenda_cast import at, booked
from tests.pages.house import House
from tests.pages.inbox_people import (
    BIA,
    CAIO,
    JOAO,
    MARIA,
    MARIAS,
    OLGA,
    actor,
    choose,
    field_of,
    log_of,
    pass_time,
    row_of,
)
from tests.pages.test_inbox import COUNT_TONES

from gendei.clinic import MessageTemplate

DANGER = "estou com dor no peito e falta de ar"
EVA = "+5511999990009"
"""She never wrote."""


NOTE_ALARMS = """() => {
    window.alarms = new Set();
    const [begin, end] = [setInterval, clearInterval];
    window.setInterval = (work, pause) => {
        const id = begin(work, pause);
        if (pause === 6000) window.alarms.add(id);
        return id;
    };
    window.clearInterval = (id) => {
        window.alarms.delete(id);
        end(id);
    };
}"""


async def press(page: Page, name: str) -> None:
    await page.get_by_role("button", name=name, exact=True).click()


async def with_template(house: House) -> None:
    """The clinic has a template for messages of staff."""
    clinic = await house.gendei.directory.get(BIA.clinic_id)
    assert clinic is not None
    template = MessageTemplate("recado", parameters=("patient",))
    await house.gendei.directory.import_clinic(replace(clinic, templates={"staff_message": template}))


async def test_danger_stands_first_and_red_until_somebody_takes_it_up(house: House):
    await house.write(MARIA, DANGER, name="Maria")
    pass_time(house, timedelta(minutes=5))
    await house.write(JOAO, "quero falar com uma pessoa", name="João")
    bia, caio = await house.visit("/inbox", BIA), await house.visit(MARIAS, CAIO)
    names = bia.get_by_role("navigation", name="Conversas").locator(".i-name")
    await expect(caio.get_by_role("alert").get_by_text("Sinal de perigo há 5 min")).to_be_visible()
    await expect(names).to_have_text(["Maria", "João"])
    await expect(row_of(bia, "Maria")).to_contain_text("Perigo há 5 min")
    await expect(row_of(bia, "Maria")).to_have_css("background-color", "rgb(251, 233, 231)")
    await expect(bia).to_have_title("⚠ (2) Conversas · Gendei")
    await press(caio, "Estou cuidando")
    await expect(row_of(bia, "Maria")).not_to_contain_text("Perigo")
    await expect(bia).to_have_title("(2) Conversas · Gendei")
    await expect(log_of(caio)).to_contain_text("Caio está cuidando do alerta de perigo.")


@pytest.mark.slow
async def test_danger_is_heard_again_and_again_also_where_other_sounds_are_off(house: House):
    page = await house.visit("/inbox", BIA)
    await page.evaluate(COUNT_TONES)
    await page.evaluate(NOTE_ALARMS)
    await press(page, "Desligar o som dos avisos (o de perigo sempre toca)")
    await page.wait_for_function("new AudioContext().state === 'running'")
    await house.write(JOAO, "quero falar com uma pessoa", name="João")
    await expect(page).to_have_title("(1) Conversas · Gendei")
    assert await page.evaluate("window.tones") == 0
    await house.write(MARIA, DANGER, name="Maria")
    await page.wait_for_function("window.tones >= 8")
    await house.gendei.front_desk.conversations.take_over(actor(CAIO), MARIA)
    await expect(page).to_have_title("(1) Conversas · Gendei")
    await page.wait_for_function("window.alarms.size === 0")


async def test_the_other_clinics_people_are_told_of_no_danger(house: House):
    page = await house.visit("/inbox", OLGA)
    await house.write(MARIA, DANGER, name="Maria")
    await house.write(JOAO, "oi", name="João", clinic_id=OLGA.clinic_id)
    await expect(row_of(page, "João")).to_be_visible()
    await expect(page).to_have_title("Conversas · Gendei")


@pytest.mark.slow
async def test_a_conversation_is_put_off_and_comes_back(house: House):
    await house.write(MARIA, "oi", name="Maria")
    pass_time(house, timedelta(minutes=1))
    await house.write(JOAO, "oi", name="João")
    page = await house.visit(MARIAS, BIA)
    await choose(page, "Adiar…")
    await press(page, "Amanhã: 24/11, 08:00")
    await expect(row_of(page, "Maria")).to_have_count(0)
    await expect(page.locator(".i-head").get_by_text("Adiada até ter., 24/11, 08:00")).to_be_visible()
    await expect(log_of(page)).to_contain_text("Bia adiou a conversa até 24/11/2026 08:00.")
    await page.get_by_role("group", name="Filtros").get_by_role("button", name="Adiadas").click()
    await expect(row_of(page, "Maria")).to_be_visible()
    pass_time(house, timedelta(hours=23))
    await page.goto(f"{house.url}/inbox")
    await expect(page.get_by_role("navigation", name="Conversas").locator(".i-name")).to_have_text(["Maria", "João"])
    await expect(row_of(page, "Maria")).to_contain_text("Voltou, adiada por Bia")


@pytest.mark.slow
async def test_a_time_of_ones_own_is_chosen_and_taken_back(house: House):
    await house.write(MARIA, "oi", name="Maria")
    page = await house.visit(MARIAS, BIA)
    await choose(page, "Adiar…")
    await press(page, "Adiar")
    await expect(page.get_by_role("dialog").get_by_text("Escolha o dia e a hora.")).to_be_visible()
    await page.get_by_label("Outro dia e hora").fill("2026-11-23T08:00")
    await press(page, "Adiar")
    await expect(page.get_by_role("dialog").get_by_text("Escolha uma hora que ainda não passou.")).to_be_visible()
    await page.get_by_label("Outro dia e hora").fill("2026-11-25T16:30")
    await press(page, "Adiar")
    await expect(page.locator(".i-head").get_by_text("Adiada até qua., 25/11, 16:30")).to_be_visible()
    await choose(page, "Trazer de volta")
    await expect(row_of(page, "Maria")).to_be_visible()


@pytest.mark.slow
async def test_a_slash_finds_a_canned_reply_by_the_keyboard_alone(house: House):
    await house.write(MARIA, "oi", name="Maria Silva")
    page = await house.visit(MARIAS, BIA)
    field = field_of(page)
    await field.focus()
    await page.keyboard.type("/")
    options = page.get_by_role("listbox", name="Respostas prontas").get_by_role("option")
    await expect(options).to_have_count(5)
    await page.keyboard.press("Escape")
    await expect(options).to_have_count(0)
    await page.keyboard.type("enc")
    await expect(options).to_have_count(1)
    await page.keyboard.press("Enter")
    await expect(field).to_have_value("Obrigado pelo contato, Maria Silva! Se precisar de algo mais, é só escrever.")
    await expect(field).to_be_focused()
    assert len(house.graph.sent) == 1


@pytest.mark.slow
async def test_a_slash_within_a_text_is_only_a_slash(house: House):
    await house.write(MARIA, "oi", name="Maria")
    page = await house.visit(MARIAS, BIA)
    await field_of(page).focus()
    await page.keyboard.type("dia 24/11 e/ou amanhã /sim")
    await expect(page.get_by_role("listbox")).to_have_count(0)
    await page.keyboard.press("Enter")
    await expect(log_of(page).get_by_text("dia 24/11 e/ou amanhã /sim")).to_be_visible()


@pytest.mark.slow
async def test_several_are_closed_together_but_for_danger(house: House):
    await house.write(MARIA, DANGER, name="Maria")
    await house.write(JOAO, "oi", name="João")
    await house.write(EVA, "oi", name="Eva")
    page = await house.visit("/inbox", BIA)
    await press(page, "Marcar várias")
    await page.get_by_role("checkbox", name="Eva").check()
    await press(page, "Marcar todas")
    await expect(page.get_by_text("Marcadas: 3")).to_be_visible()
    await press(page, "Encerrar")
    await page.get_by_role("dialog").get_by_role("button", name="Encerrar", exact=True).click()
    await expect(page.get_by_text("Encerradas: 2. Ficaram por sinal de perigo: 1.")).to_be_visible()
    await expect(page.get_by_role("navigation", name="Conversas").locator(".i-name")).to_have_text(["Maria"])
    await expect(page.get_by_role("checkbox")).to_have_count(0)


@pytest.mark.slow
async def test_several_are_passed_on_together(house: House):
    for phone, name in ((MARIA, "Maria"), (JOAO, "João")):
        await house.write(phone, "oi", name=name)
    await house.sign_in(CAIO)
    page = await house.visit("/inbox", BIA)
    await press(page, "Marcar várias")
    await expect(page.get_by_role("checkbox")).to_have_count(2)  # both are there to be marked
    await press(page, "Marcar todas")
    await expect(page.get_by_role("checkbox", checked=True)).to_have_count(2)
    await press(page, "Passar para…")
    await page.get_by_role("radio", name="Caio").click()
    await press(page, "Salvar")
    await expect(page.get_by_text("Passadas: 2.")).to_be_visible()
    caio = await house.visit("/inbox", CAIO)
    await press(caio, "Minhas")
    await expect(caio.get_by_role("navigation", name="Conversas").get_by_role("link")).to_have_count(2)


@pytest.mark.slow
async def test_a_booked_patient_without_a_conversation_leads_to_its_beginning(house: House):
    await with_template(house)
    await booked(house, at(10), "Eva Lima", phone=EVA)
    page = await house.visit(f"/inbox?contact={quote(EVA)}", BIA)
    await expect(page.get_by_role("heading", name="Nova conversa com Eva Lima")).to_be_visible()
    await expect(page.get_by_text("só sai o modelo aprovado da clínica")).to_be_visible()
    await page.get_by_role("textbox", name="Escreva uma mensagem").fill("Pode chegar 10 minutos antes?")
    await press(page, "Começar conversa")
    await expect(log_of(page)).to_be_visible()
    await house.gendei.messaging.idle()
    invitation = re.compile(r"quer falar com você|\[recado\] Eva Lima")  # before it was sent, and as it was sent
    await expect(log_of(page).get_by_text(invitation).first).to_be_visible()
    await expect(log_of(page).get_by_role("img", name="Espera o paciente escrever")).to_be_visible()
    await expect(page.locator(".i-head-state")).to_have_text("Com Bia")
    await house.write(EVA, "posso sim", name="Eva Lima")
    await expect(log_of(page).get_by_role("img", name="Espera o paciente escrever")).to_have_count(0)
    assert [sent.text for sent in house.graph.sent] == ["Eva Lima", "Pode chegar 10 minutos antes?"]


@pytest.mark.slow
async def test_an_appointment_and_a_patient_lead_to_the_beginning_too(house: House):
    await with_template(house)
    appointment = await booked(house, at(10), "Eva Lima", phone=EVA)
    for path, link in (
        (f"/agenda?day=2026-11-24&appointment={appointment.id}", "Ver conversa"),
        (f"/patients/{appointment.patient_id}", "Começar conversa"),
    ):
        page = await house.visit(path, BIA)
        await page.get_by_role("link", name=link, exact=True).click()
        await expect(page.get_by_role("heading", name="Nova conversa com Eva Lima")).to_be_visible()


@pytest.mark.slow
async def test_without_a_template_it_is_said_that_nothing_can_be_begun(house: House):
    await booked(house, at(10), "Eva Lima", phone=EVA)
    page = await house.visit(f"/inbox?contact={quote(EVA)}", BIA)
    await expect(page.get_by_text("A clínica não tem modelo aprovado para isso.")).to_be_visible()
    await expect(page.get_by_role("textbox", name="Escreva uma mensagem")).to_have_count(0)


async def test_a_new_conversation_is_begun_with_a_patient_or_with_any_phone(house: House):
    await with_template(house)
    await booked(house, at(10), "Eva Lima", phone=EVA)
    page = await house.visit("/inbox", BIA)
    await press(page, "Nova conversa")
    whom = page.get_by_label("Nome do paciente, ou telefone com DDD")
    await whom.fill("12")
    await press(page, "Usar este telefone")
    await expect(page.get_by_role("dialog").get_by_role("alert")).not_to_be_empty()
    await whom.fill("eva")
    await page.get_by_role("dialog").get_by_role("button", name="Eva Lima").click()
    await expect(page.get_by_role("heading", name="Nova conversa com Eva Lima")).to_be_visible()
    await press(page, "Nova conversa")
    await whom.fill("(11) 98888-7777")
    await press(page, "Usar este telefone")
    await expect(page.get_by_role("heading", name="Nova conversa com +5511988887777")).to_be_visible()
    await page.get_by_label("Nome do paciente (opcional)").fill("Rita")
    await page.get_by_role("textbox", name="Escreva uma mensagem").fill("Olá!")
    await press(page, "Começar conversa")
    await expect(log_of(page).get_by_text("Olá!")).to_be_visible()
    await house.gendei.messaging.idle()
    assert [sent.text for sent in house.graph.sent] == ["Rita"]


async def test_the_other_clinics_patient_leads_to_no_beginning(house: House):
    await with_template(house)
    await booked(house, at(10), "Eva Lima", phone=EVA)
    page = await house.visit(f"/inbox?contact={quote(EVA)}", OLGA)
    await expect(page.get_by_text("Conversa não encontrada.")).to_be_visible()
    assert "Eva" not in await page.content()
