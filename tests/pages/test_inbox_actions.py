"""What staff do with a conversation: take it over, hand it back, pass it on, and what two of them do at once."""

from typing import Any

import pytest
from playwright.async_api import Page, expect
from tests.journeys.model import models_of
from tests.pages.house import House, open_house, staff
from tests.pages.inbox_people import (
    BIA,
    CAIO,
    JOAO,
    MARIA,
    MARIAS,
    actor,
    choose,
    field_of,
    log_of,
    row_of,
    send,
)
from tests.pages.thinking import ThinkingModel

from gendei.clinic import Contact
from gendei.messages.keys import ConversationKey
from gendei.messages.preferences import Answers, Preferences

KEY = ConversationKey(BIA.clinic_id, Contact(MARIA))


async def press(page: Page, name: str) -> None:
    await page.get_by_role("button", name=name, exact=True).click()


async def history(house: House) -> list[dict[str, Any]]:
    found = await house.gendei.documents.get(KEY.path)
    assert found.data is not None
    return list(found.data["messages"])


async def test_what_the_bot_is_thinking_of_is_not_sent_after_a_take_over_and_the_page_says_so(stage, tmp_path):
    model = ThinkingModel()
    async with open_house(stage, tmp_path, models=models_of(model)) as house:
        maker = await house.maker()
        await house.post(maker.text(MARIA, "oi", name="Maria"))
        await model.asked.wait()
        page = await house.visit("/inbox", BIA)
        await row_of(page, "Maria").click()
        await press(page, "Assumir")
        await expect(log_of(page)).to_contain_text("Bia assumiu a conversa.")
        model.free.set()
        await house.gendei.messaging.idle()
        await expect(log_of(page)).to_contain_text("A assistente preparou uma resposta, que não foi enviada")
        assert ([request.text for request in house.graph.sent], house.complaints) == ([], [])


async def test_a_conversation_is_handed_back_with_a_note_that_the_bot_then_knows(house: House):
    await house.write(MARIA, "quero falar com uma pessoa", name="Maria")
    page = await house.visit(MARIAS, BIA)
    await choose(page, "Devolver")
    await page.get_by_label("Recado para a assistente (opcional)").fill("Já pagou o sinal.")
    await page.get_by_role("dialog").get_by_role("button", name="Devolver").click()
    await expect(page.get_by_text("A assistente atende")).to_be_visible()
    await expect(row_of(page, "Maria")).to_contain_text("Clínica: Chamei alguém")
    await expect(log_of(page)).to_contain_text("Bia devolveu a conversa à assistente.")
    await expect(log_of(page).get_by_text("Já pagou o sinal.")).to_be_visible()
    last = (await history(house))[-1]
    assert (last["role"], last["content"]) == ("system", "Já pagou o sinal.")


async def test_what_a_person_writes_reaches_the_patient_and_takes_the_conversation_over(house: House):
    await house.write(MARIA, "oi", name="Maria")
    page = await house.visit(MARIAS, BIA)
    await expect(page.get_by_text("Ao enviar, você assume a conversa.")).to_be_visible()
    await send(page, "Oi, Maria, aqui é a Bia.")
    await expect(log_of(page).get_by_text("Oi, Maria, aqui é a Bia.")).to_be_visible()
    await expect(page.locator(".i-head-state")).to_have_text("Com Bia")
    await expect(field_of(page)).to_have_value("")
    await house.gendei.messaging.idle()
    assert house.graph.sent[-1].text == "Oi, Maria, aqui é a Bia."


async def test_a_second_click_sends_nothing_twice(house: House):
    await house.write(MARIA, "oi", name="Maria")
    page = await house.visit(MARIAS, BIA)
    await field_of(page).fill("Bom dia!")
    await page.get_by_role("button", name="Enviar", exact=True).dblclick()
    await expect(log_of(page).get_by_text("Bom dia!")).to_be_visible()
    await house.gendei.messaging.idle()
    assert [request.text for request in house.graph.sent].count("Bom dia!") == 1


@pytest.mark.slow
async def test_a_page_shows_that_a_colleague_took_over_and_can_take_it_from_there(house: House):
    await house.write(MARIA, "oi", name="Maria")
    page = await house.visit(MARIAS, BIA)
    await expect(page.locator(".i-head-state")).to_have_text("A assistente atende")
    await house.gendei.front_desk.conversations.take_over(actor(CAIO), MARIA)
    await expect(page.locator(".i-head-state")).to_have_text("Com Caio")
    await expect(page.get_by_text("Caio está com a conversa. Ao enviar, você a assume.")).to_be_visible()
    await press(page, "Assumir de Caio")
    await expect(field_of(page)).to_be_focused()
    await expect(page.locator(".i-head-state")).to_have_text("Com Bia")


@pytest.mark.slow
async def test_a_conversation_is_passed_to_a_colleague(house: House):
    await house.write(MARIA, "oi", name="Maria")
    await house.sign_in(CAIO)
    page = await house.visit(MARIAS, BIA)
    await choose(page, "Passar para…")
    await page.get_by_role("radio", name="Caio").click()
    await press(page, "Salvar")
    await expect(page.get_by_text("Responsável Caio")).to_be_visible()
    await expect(log_of(page)).to_contain_text("Bia passou a conversa para Caio.")
    caio = await house.visit("/inbox", CAIO)
    await press(caio, "Minhas")
    await expect(row_of(caio, "Maria")).to_be_visible()


@pytest.mark.slow
async def test_labels_are_given_and_filter_the_list(house: House):
    await house.write(MARIA, "oi", name="Maria")
    await house.write(JOAO, "oi", name="João")
    page = await house.visit(MARIAS, BIA)
    await choose(page, "Etiquetas…")
    await expect(page.get_by_role("combobox", name="Etiquetas")).to_be_focused()
    await page.keyboard.type("orçamento")
    await page.keyboard.press("Enter")
    await press(page, "Salvar")
    await expect(page.locator(".i-head").get_by_text("orçamento")).to_be_visible()
    await press(page, "orçamento")
    await expect(row_of(page, "João")).to_have_count(0)
    await expect(row_of(page, "Maria")).to_be_visible()


@pytest.mark.slow
async def test_a_note_stands_among_the_messages_and_is_not_sent(house: House):
    await house.write(MARIA, "oi", name="Maria")
    before = len(house.graph.sent)
    page = await house.visit(MARIAS, BIA)
    await page.get_by_role("tab", name="Nota interna").click()
    await page.get_by_role("textbox", name="Escreva uma nota para a equipe").fill("Prefere de manhã.")
    await press(page, "Guardar nota")
    await expect(log_of(page).get_by_text("Prefere de manhã.")).to_be_visible()
    await expect(log_of(page).get_by_text("Nota de Bia · só a equipe vê")).to_be_visible()
    await house.gendei.messaging.idle()
    assert len(house.graph.sent) == before


async def test_a_page_whose_session_was_ended_does_nothing_more_and_leads_to_the_sign_in(house: House):
    bia = staff("Bia")
    await house.write(MARIA, "oi", name="Maria")
    page = await house.visit(MARIAS, bia)
    await expect(field_of(page)).to_be_visible()
    sessions = house.gendei.staff.sessions
    for session in await sessions.of_user(actor(), bia.id):
        await sessions.end(session)
    await press(page, "Assumir")
    await page.wait_for_url("**/login?next=*")
    found = await house.gendei.documents.get(KEY.path)
    assert (found.data or {})["isHumanTakeover"] is False


@pytest.mark.slow
async def test_the_patient_stands_beside_the_conversation(house: House):
    await house.write(MARIA, "oi", name="Maria")
    page = await house.visit(MARIAS, BIA)
    card = page.get_by_role("complementary", name="Ficha do paciente")
    await expect(card).to_contain_text("Ainda sem cadastro.")


@pytest.mark.slow
async def test_how_a_patient_wants_to_be_answered_is_seen_and_changed(house: House):
    await house.write(MARIA, "oi", name="Maria")
    page = await house.visit(MARIAS, BIA)
    card = page.get_by_role("complementary", name="Ficha do paciente")
    await expect(card).to_contain_text("Do jeito que o paciente manda")
    await press(page, "Mudar preferências")
    for field, option in (("Respostas", "Sempre em áudio"), ("Voz", "Onyx"), ("Velocidade da fala", "0,8×")):
        await page.get_by_role("combobox", name=field).click()
        await page.get_by_role("option", name=option, exact=True).click()
    await page.get_by_role("spinbutton").fill("500")
    await press(page, "Salvar")
    for line in ("Sempre em áudio", "Voz Onyx", "Fala a 0,8×"):
        await expect(card).to_contain_text(line)
    preferences, notices = await house.gendei.front_desk.preferences.of(actor(BIA), MARIA)
    assert (preferences, notices) == (Preferences(Answers.AUDIO, "onyx", 0.8, context=50), True)
