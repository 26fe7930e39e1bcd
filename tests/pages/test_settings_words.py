"""/settings/words: what the assistant says, tried in a conversation before it is saved."""

import pytest
from playwright.async_api import expect
from tests.pages.house import BOA_VIDA
from tests.pages.test_settings import GILDA, review, save

PATIENT = "+5511955554444"


@pytest.mark.slow
async def test_own_words_are_tried_refused_saved_and_read_by_patients(house):
    page = await house.visit("/settings/words", GILDA)
    await page.get_by_label("Saudação").fill("Oi! Consulta por R$ 90!")
    await expect(page.get_by_text("Diz quanto algo custa.")).to_be_visible()
    await page.get_by_label("Saudação").fill("Oi! Aqui é a assistente virtual da {clinic_name}, tudo bem?")
    await expect(page.get_by_text("Diz quanto algo custa.")).to_be_hidden()
    await page.get_by_role("button", name="Dizer outra frase de outro modo").click()
    sheet = page.get_by_role("dialog")
    await sheet.get_by_role("combobox").click()
    await page.get_by_role("option", name="Até logo! Quando precisar").click()
    await sheet.get_by_role("button", name="Acrescentar", exact=True).click()
    await page.get_by_label("Frase", exact=True).fill("Até breve, viu?")

    await page.get_by_role("button", name="Enviar").click()
    log = page.get_by_role("log")
    await expect(log).to_contain_text("Oi! Aqui é a assistente virtual da Clínica Boa Vida, tudo bem?")
    await page.get_by_label("Mensagem do paciente").fill("tchau")
    await page.get_by_role("button", name="Enviar").click()
    await expect(log).to_contain_text("Até breve, viu?")
    assert house.graph.sent == []

    await review(page)
    await save(page)
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await house.write(PATIENT, "oi")
    told = str(house.graph.sent)
    assert "Oi! Aqui é a assistente virtual da Clínica Boa Vida, tudo bem?" in told
    words = (await house.gendei.directory.read(BOA_VIDA))[1].words
    assert dict(words.phrases) == {"goodbye": "Até breve, viu?"}
