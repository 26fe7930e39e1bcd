"""/knowledge: entries are written, compared, approved and retired; gaps are answered; a file and a starter set are
proposed; and another clinic sees none of it."""

from datetime import date

import pytest
from playwright.async_api import Page, expect
from tests.pages.axe import violations
from tests.pages.house import BOA_VIDA, SORRISO, House, staff
from tests.pages.stage import NARROW, WIDE, Size

from gendei.knowledge.knowledge_base import EntryDraft, KnowledgeBase
from gendei.staff.actors import Role

GILDA, ANA, OTTO = staff("Gilda"), staff("Ana", role=Role.ATENDENTE), staff("Otto", SORRISO)
ZULEIDE = "+5511999990077"
SCRIPT = "<img src=x onerror=window.broken=1>"
WIFI = "Temos wi-fi; a senha está na recepção."


def base_of(house: House) -> KnowledgeBase:
    return KnowledgeBase(house.gendei.documents, house.gendei.clock)


async def approved(house: House, entry_id: str, question: str, answer: str) -> None:
    clinic = await house.gendei.directory.get(BOA_VIDA)
    assert clinic is not None
    await base_of(house).write(clinic, entry_id, EntryDraft((question,), answer, source="recepção"), "Carla")
    await base_of(house).approve(clinic, entry_id, 1, "Carla")


async def test_an_entry_is_written_refused_compared_approved_tried_and_retired(house: House) -> None:
    await approved(house, "wifi", "Tem wi-fi?", WIFI)
    page = await house.visit("/inbox", GILDA)
    await page.get_by_role("button", name="Sua conta").click()
    await page.get_by_role("link", name="Respostas da clínica").click()
    await expect(page.get_by_role("article", name="Tem wi-fi?")).to_contain_text("aprovada por Carla")

    await page.get_by_role("button", name="Nova resposta").click()
    sheet = page.get_by_role("dialog", name="Escrever uma resposta")
    await sheet.get_by_label("Perguntas").fill("Tem wi-fi?\nTem internet?")
    await sheet.get_by_label("Resposta").fill("Fique tranquila, não é grave.")
    await sheet.get_by_label("Fonte").fill(SCRIPT)
    await expect(sheet.get_by_text("Diz que algo não é grave")).to_be_visible()
    await sheet.get_by_role("button", name="Propor").click()
    await expect(sheet.get_by_role("alert")).to_contain_text("Diz que algo não é grave")
    await sheet.get_by_label("Resposta").fill("Não temos wi-fi.")
    await sheet.get_by_role("button", name="Propor").click()
    written = page.get_by_role("article").filter(has_text="Não temos wi-fi.")
    await expect(written).to_contain_text("Proposta")

    await written.get_by_role("button", name="Aprovar").click()
    compared = page.get_by_role("dialog", name="Aprovar a resposta")
    await expect(compared.get_by_role("region", name="Outra, já aprovada: wifi")).to_contain_text(WIFI)
    await house.shoot(page, "knowledge-approve-wide")
    await compared.get_by_role("button", name="Aprovar").click()
    await expect(compared.get_by_role("alert")).to_contain_text("Compare as respostas")
    await compared.get_by_text("Li as duas").click()
    await compared.get_by_role("button", name="Aprovar").click()
    await expect(written).to_contain_text("aprovada por Gilda")

    await page.get_by_label("Pergunta, como o paciente escreveria").fill("tem internet?")
    await page.get_by_role("button", name="Perguntar").click()
    await expect(page.get_by_role("region", name="O que o paciente leria")).to_contain_text("Não temos wi-fi.")
    await written.get_by_role("button", name="Retirar").click()
    await page.get_by_role("dialog").get_by_role("button", name="Retirar").click()
    await expect(written).to_contain_text("Retirada")
    await page.get_by_label("Procurar").fill("recepcao")
    await expect(page.get_by_role("article")).to_have_count(1)
    assert await page.evaluate("window.broken") is None

    theirs = await house.visit("/knowledge", OTTO)
    await expect(theirs.get_by_text("Ainda não há respostas.")).to_be_visible()
    attendant = await house.visit("/knowledge", ANA)
    await expect(attendant.get_by_role("button", name="Mudar").first).to_be_visible()
    await expect(attendant.get_by_role("button", name="Aprovar")).to_have_count(0)


async def test_of_two_editors_the_second_sees_what_changed_and_loses_nothing(house: House) -> None:
    await approved(house, "wifi", "Tem wi-fi?", WIFI)
    page = await house.visit("/knowledge", ANA)
    await page.get_by_role("button", name="Mudar: Tem wi-fi?").click()
    sheet = page.get_by_role("dialog", name="Mudar a resposta")
    await sheet.get_by_label("Perguntas").fill("Tem wi-fi?\nTem internet?")
    await sheet.get_by_label("Resposta").fill("Temos, é só pedir.")
    clinic = await house.gendei.directory.get(BOA_VIDA)
    assert clinic is not None
    theirs = EntryDraft(("Tem wi-fi?", "Qual a senha?"), "Temos wi-fi grátis.", source="TI", version=1)
    await base_of(house).write(clinic, "wifi", theirs, "Bruno")
    await expect(page.get_by_text("Temos wi-fi grátis.")).to_be_visible()
    await sheet.get_by_role("button", name="Propor").click()
    await expect(sheet).to_contain_text("Bruno mudou esta resposta")
    await expect(sheet.get_by_role("region", name="Como está agora: Resposta")).to_contain_text("Temos wi-fi grátis.")
    await house.shoot(page, "knowledge-merge-wide")
    await sheet.get_by_role("button", name="Propor").click()
    await expect(page.get_by_text("Temos, é só pedir.")).to_be_visible()
    entry = await base_of(house).get(BOA_VIDA, "wifi")
    assert (entry.questions, entry.answer, entry.source, entry.version) == (
        ("Tem wi-fi?", "Qual a senha?", "Tem internet?"),
        "Temos, é só pedir.",
        "TI",
        3,
    )


async def test_a_gap_is_answered_tried_with_its_questions_and_approved(house: House) -> None:
    for question in ("vocês furam orelha?", "furam orelha de nenê?", "tem piscina?"):
        await base_of(house).note(BOA_VIDA, question)
    page = await house.visit("/knowledge/gaps", GILDA)
    await expect(page.get_by_role("article").first).to_contain_text("Perguntada 2 vezes")
    await page.get_by_role("button", name="Escrever a resposta: vocês furam orelha?").click()
    sheet = page.get_by_role("dialog", name="Escrever uma resposta")
    await sheet.get_by_label("Resposta").fill("Não furamos orelhas.")
    await sheet.get_by_role("button", name="Testar com estas perguntas").click()
    await expect(sheet).to_contain_text("Responde a 2 de 2 perguntas.")
    await sheet.get_by_role("button", name="Propor").click()
    approval = page.get_by_role("dialog", name="Aprovar a resposta")
    await expect(approval).to_contain_text("Responde a 2 de 2 perguntas.")
    await approval.get_by_role("button", name="Aprovar").click()
    await page.get_by_role("button", name="Dispensar: tem piscina?").click()
    await page.get_by_role("dialog").get_by_role("button", name="Dispensar").click()
    await expect(page.get_by_text("Nenhuma pergunta ficou sem resposta.")).to_be_visible()
    theirs = await house.visit("/knowledge/gaps", OTTO)
    await expect(theirs.get_by_text("Nenhuma pergunta ficou sem resposta.")).to_be_visible()


async def test_an_answer_is_mended_from_the_conversation_that_it_was_read_in(house: House) -> None:
    await approved(house, "elevador", "Tem elevador?", "O prédio tem dois elevadores.")
    await house.write(ZULEIDE, "tem elevador?")
    page = await house.visit(f"/inbox?contact={ZULEIDE.replace('+', '%2B')}", ANA)
    await page.get_by_role("button", name="Corrigir a resposta elevador (v1)").click()
    sheet = page.get_by_role("dialog", name="Mudar a resposta")
    await expect(sheet.get_by_role("region", name="Perguntas dos pacientes")).to_contain_text("tem elevador?")
    await sheet.get_by_label("Resposta").fill("O prédio tem um elevador.")
    await house.shoot(page, "knowledge-mend-wide")
    await sheet.get_by_role("button", name="Propor").click()
    await expect(sheet).to_be_hidden()
    entry = await base_of(house).get(BOA_VIDA, "elevador")
    assert (entry.answer, entry.live and entry.live.version, entry.by) == ("O prédio tem um elevador.", 1, "Ana")


@pytest.mark.slow
async def test_a_file_and_the_first_questions_become_proposals(house: House) -> None:
    page = await house.visit("/knowledge", ANA)
    await page.get_by_role("button", name="Ler um arquivo").click()
    sheet = page.get_by_role("dialog", name="Ler um arquivo")
    chosen = sheet.locator("input[type=file]")
    await chosen.set_input_files({"name": "a.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.4"})
    await expect(sheet.get_by_role("alert")).to_contain_text("está com defeito")
    house.complaints.clear()  # of the browser, about the status 422
    text = f"Tem elevador?\nSim, dois.\n\nÉ você?\nVocê é uma IA.\n\n{SCRIPT}?\nNão."
    await chosen.set_input_files({"name": "perguntas.txt", "mimeType": "text/plain", "buffer": text.encode()})
    await expect(sheet).to_contain_text("1 novas propostas.")
    await expect(sheet).to_contain_text("instruções a um modelo de linguagem")
    await house.shoot(page, "knowledge-file-wide")
    await sheet.get_by_role("button", name="Fechar").last.click()
    await expect(page.get_by_role("article", name="Tem elevador?")).to_contain_text("fonte: perguntas.txt")
    await page.get_by_role("button", name="Perguntas iniciais").click()
    await expect(page.get_by_role("dialog", name="Perguntas iniciais")).to_contain_text("novas propostas")
    assert await page.evaluate("window.broken") is None
    assert len(await base_of(house).all(BOA_VIDA)) > 20


async def fill_house(house: House) -> None:
    """Entries of every state, gaps, and long words."""
    await approved(house, "wifi", "Tem wi-fi?", WIFI)
    await approved(house, "longo", "Onde fica?", "Na rua " + "muito" * 40)
    clinic = await house.gendei.directory.get(BOA_VIDA)
    assert clinic is not None
    base = base_of(house)
    await base.write(clinic, "wifi", EntryDraft(("Tem wi-fi?",), "Não temos.", version=1), "Bruno")
    past = EntryDraft(("Atendem no feriado?",), "Não.", valid_until=date(2026, 11, 1))
    await base.write(clinic, "feriado", past, "Carla")
    await base.approve(clinic, "feriado", 1, "Carla")
    await base.write(clinic, "vagas", EntryDraft(("Onde estacionar?",), "[complete: onde fica]"), "Carla")
    for question in ("vocês furam orelha?", "furam orelha de nenê?", "tem piscina?"):
        await base.note(BOA_VIDA, question)


async def fits(page: Page) -> bool:
    return bool(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


@pytest.mark.slow
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
async def test_nothing_sticks_out_and_no_rule_is_broken(house: House, size: Size) -> None:
    await fill_house(house)
    page = await house.visit("/knowledge", GILDA, size=size)
    await expect(page.get_by_role("article", name="Atendem no feriado?")).to_contain_text("Vencida")
    await page.get_by_label("Pergunta, como o paciente escreveria").fill("tem wi-fi?")
    await page.get_by_role("button", name="Perguntar").click()
    await expect(page.get_by_text("O paciente leria:")).to_be_visible()
    assert (await fits(page), await violations(page)) == (True, [])
    await house.shoot(page, f"knowledge-{size[0]}")
    await page.get_by_role("button", name="Aprovar: Tem wi-fi?").click()
    await expect(page.get_by_role("dialog")).to_contain_text("O que leem hoje")
    assert (await fits(page), await violations(page)) == (True, [])
    await house.shoot(page, f"knowledge-approve-{size[0]}")
    await page.goto(f"{house.url}/knowledge/gaps")
    await page.get_by_role("button", name="Escrever a resposta: vocês furam orelha?").click()
    await page.get_by_role("button", name="Testar com estas perguntas").click()
    await expect(page.get_by_role("alert").filter(has_text="Escreva pelo menos uma pergunta")).to_be_visible()
    await page.get_by_label("Resposta", exact=True).fill("Não furamos.")
    await page.get_by_role("button", name="Testar com estas perguntas").click()
    await expect(page.get_by_text("Responde a 2 de 2 perguntas.")).to_be_visible()
    assert (await fits(page), await violations(page)) == (True, [])
    await house.shoot(page, f"knowledge-gap-{size[0]}")
