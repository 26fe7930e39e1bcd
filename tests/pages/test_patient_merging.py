"""The card of somebody whom two phones book for, and two cards that become one."""

from dataclasses import replace
from datetime import timedelta
from urllib.parse import quote

import pytest
from playwright.async_api import Page, expect
from tests.pages.house import BOA_VIDA, NOW, SORRISO, House, staff
from tests.pages.stage import NARROW, WIDE
from tests.pages.test_patients import MARIA, TOMORROW, audited, book

from gendei.booking.appointment import AppointmentStatus
from gendei.booking.personal_data import PersonalData
from gendei.clinic import Contact, PersonalDatum
from gendei.conversation.stored.history import PATIENT_MESSAGE, PatientMessage
from gendei.documents import put
from gendei.messages.keys import ConversationKey
from gendei.messages.message import MessageType
from gendei.staff.actors import Role, terminal
from gendei.staff.audit import Action
from gendei.staff.patients import PatientEdit

pytestmark = pytest.mark.slow

PEDRO = Contact("+5511999990002")
ANA = staff("Ana", role=Role.ATENDENTE)
OUTSIDER = staff("Otto", SORRISO)


async def family(house: House) -> tuple[str, str, str]:
    """Maria, her son as she books for him, and as he books for himself; both write."""
    await house.write(MARIA.removeprefix("+"), "oi", name="Maria Souza")
    await house.write(PEDRO.removeprefix("+"), "oi", name="Pedrinho")
    mother = await book(house)
    hers = await book(house, "Pedro Souza", TOMORROW + timedelta(hours=1))
    his = await book(house, "Pedro S.", TOMORROW + timedelta(days=1), PEDRO)
    return mother.patient_id, hers.patient_id, his.patient_id


async def file(house: House, contact: Contact, name: str) -> None:
    """A document that a patient sent, as the history has it."""
    message = PatientMessage(
        content="[document]",
        type=MessageType.DOCUMENT,
        timestamp=NOW,
        sent_at=NOW,
        provider_message_id="wamid.pdf",
        tapped=None,
        details={"filename": name, "caption": "o pedido do médico"},
        media={"state": "stored", "folder": "a", "file": "b", "contentType": "application/pdf", "bytes": 9, "at": NOW},
    )
    path = ConversationKey(BOA_VIDA, contact).message_path("wamid.pdf")
    await house.gendei.documents.commit([put(path, PATIENT_MESSAGE.write(message))])


async def choose(page: Page, name: str = "Pedro S.") -> None:
    """Open the dialog and choose the other card."""
    await page.get_by_role("button", name="Juntar com outra ficha").click()
    await page.get_by_role("dialog").get_by_role("button", name=name).click()
    await expect(page.get_by_role("region", name="Depois de juntar")).to_be_visible()


async def test_mother_and_son_lead_to_each_other_with_what_is_booked(house):
    mother, hers, _ = await family(house)
    page = await house.visit(f"/patients/{hers}", ANA)
    relatives = page.get_by_role("region", name="Também marcam para").get_by_role("link")
    await expect(relatives).to_have_text(["Maria Souzater, 24/11/2026 09:00 · Consulta Geral · Dra. Ana Souza"])
    await relatives.click()
    await page.wait_for_url(f"**/patients/{mother}")
    await expect(relatives).to_contain_text(["Pedro Souzater, 24/11/2026 10:00"])


async def test_two_cards_are_shown_side_by_side_and_nothing_is_merged_before_the_yes(house):
    _, hers, his = await family(house)
    await house.gendei.front_desk.patients.edit(terminal(BOA_VIDA), his, PatientEdit(notes="alergia a látex"))
    page = await house.visit(f"/patients/{hers}", ANA)
    await choose(page)
    stays, joins = (page.get_by_role("region", name=name) for name in ("Esta ficha fica", "Esta passa a fazer parte"))
    await expect(stays).to_contain_text("Pedro Souza(11) 99999-0001Quem marca: Maria Souza (11) 99999-0001")
    await expect(joins).to_contain_text("Pedro S.(11) 99999-0002Quem marca: Pedrinho (11) 99999-0002")
    result = page.get_by_role("region", name="Depois de juntar")
    await expect(result).to_contain_text("Também comoPedro S.")
    await expect(result).to_contain_text("2 por vir, 0 no histórico")
    await expect(result).to_contain_text("alergia a látex")
    await page.get_by_role("button", name="Cancelar").or_(page.get_by_label("Fechar")).first.click()
    assert await audited(house, Action.PATIENT_MERGED) == []


async def test_after_the_yes_the_card_has_everything_and_the_old_address_leads_there(house):
    _, hers, his = await family(house)
    await file(house, PEDRO, "pedido.pdf")
    page = await house.visit(f"/patients/{hers}", ANA)
    await choose(page)
    await page.get_by_role("button", name="Juntar as fichas").click()
    await expect(page.get_by_role("region", name="Próximos horários").get_by_role("link")).to_have_count(3)
    await page.goto(f"{house.url}/patients/{his}")
    await expect(page.get_by_role("heading", name="Pedro Souza")).to_be_visible()
    writers = page.get_by_role("region", name="Quem escreve e marca")
    await expect(writers.get_by_role("link")).to_have_count(2)
    await expect(writers).to_contain_text("Pedrinho(11) 99999-0002")
    files = page.get_by_role("region", name="Documentos").get_by_role("link")
    await expect(files).to_have_text(["pedido.pdfo pedido do médico23/11/2026 09:00 · de Pedrinho"])
    assert sorted(await audited(house, Action.PATIENT_MERGED)) == sorted([(ANA.id, his), (ANA.id, hers)])


async def test_cards_of_two_cpfs_are_not_merged_and_the_page_shows_both(house):
    _, hers, his = await family(house)
    clinic = await house.gendei.directory.get(BOA_VIDA)
    await house.gendei.directory.import_clinic(replace(clinic, personal_data=(PersonalDatum.CPF,)))
    for card, cpf in ((hers, "52998224725"), (his, "11144477735")):
        edit = PatientEdit(personal_data=PersonalData(cpf=cpf))
        await house.gendei.front_desk.patients.edit(terminal(BOA_VIDA), card, edit)
    page = await house.visit(f"/patients/{hers}", ANA)
    await expect(page.get_by_label("CPF")).to_have_value("529.982.247-25")
    await choose(page)
    sides = [page.get_by_role("region", name=name) for name in ("Esta ficha fica", "Esta passa a fazer parte")]
    for side, cpf in zip(sides, ("529.982.247-25", "111.444.777-35"), strict=True):
        await expect(side).to_contain_text(f"CPF: {cpf}")
    await expect(page.get_by_role("alert").filter(has_text="coisas diferentes sobre quem é a pessoa")).to_be_visible()
    await expect(page.get_by_role("button", name="Juntar as fichas")).to_have_count(0)


async def test_who_manages_finds_all_that_was_done_to_both_cards(house):
    _, hers, his = await family(house)
    await house.gendei.front_desk.merging.merge(terminal(BOA_VIDA), hers, his)
    page = await house.visit(f"/patients/{his}", staff("Gilda"))
    await page.get_by_role("link", name="Ver na auditoria").click()
    rows = page.locator("tbody tr").filter(has_text="Juntou duas fichas")
    await expect(rows).to_have_count(2)
    await expect(rows.get_by_role("link", name="Pedro Souza")).to_have_count(2)


async def test_which_card_stays_can_be_changed(house):
    _, hers, his = await family(house)
    page = await house.visit(f"/patients/{hers}", ANA)
    await choose(page)
    await page.get_by_role("button", name="Trocar qual fica").click()
    await expect(page.get_by_role("region", name="Esta ficha fica")).to_contain_text("Pedro S.")
    await page.get_by_role("button", name="Juntar as fichas").click()
    await page.wait_for_url(f"**/patients/{his}")
    await expect(page.get_by_role("heading", name="Pedro S.")).to_be_visible()


async def test_names_of_two_persons_are_doubted(house):
    _, hers, _ = await family(house)
    page = await house.visit(f"/patients/{hers}", ANA)
    await page.get_by_role("button", name="Juntar com outra ficha").click()
    await page.get_by_label("Nome ou telefone da outra ficha").fill("maria")
    await page.get_by_role("dialog").get_by_role("button", name="Maria Souza").click()
    await expect(page.get_by_text("Os nomes são bem diferentes")).to_have_count(0)  # mother and son share one
    await page.get_by_role("button", name="Escolher outra").click()
    await book(house, "Otávio Reis", TOMORROW + timedelta(days=2), Contact("+5511999990009"))
    await page.get_by_label("Nome ou telefone da outra ficha").fill("otavio")
    await page.get_by_role("dialog").get_by_role("button", name="Otávio Reis").click()
    await expect(page.get_by_text("Os nomes são bem diferentes")).to_be_visible()


async def test_what_became_of_the_visits_is_counted(house):
    visit = await book(house, start=NOW + timedelta(minutes=30))
    clinic = await house.gendei.directory.get(BOA_VIDA)
    await house.gendei.desk.set_status(clinic, visit.id, AppointmentStatus.NO_SHOW)
    page = await house.visit(f"/patients/{visit.patient_id}", ANA)
    await expect(page.get_by_role("region", name="Histórico")).to_contain_text("1 falta")


@pytest.mark.parametrize("written", ["11 99999-0002", "pedrinho", "maria"])
async def test_the_list_finds_by_number_writer_and_family_and_says_why(house, written):
    await family(house)
    page = await house.visit("/patients", ANA)
    await page.get_by_label("Nome ou telefone").fill(written)
    found = page.get_by_label("Pacientes encontrados").get_by_role("link")
    expected = {
        "11 99999-0002": ["Pedro S.(11) 99999-0002"],
        "pedrinho": ["Pedro S.(11) 99999-0002pelo contato com Pedrinho"],
        "maria": ["Maria Souza(11) 99999-0001", "Pedro Souza(11) 99999-0001pelo contato com Maria Souza"],
    }
    await expect(found).to_have_text(expected[written])


async def test_another_clinic_finds_neither_card(house):
    _, hers, his = await family(house)
    for who in (hers, his, quote(PEDRO)):
        page = await house.visit(f"/patients/{who}", OUTSIDER)
        await expect(page.get_by_text("Paciente não encontrado nesta clínica.")).to_be_visible()


@pytest.mark.parametrize("size", [WIDE, NARROW])
@pytest.mark.parametrize("dark", [False, True])
async def test_nothing_sticks_out(house, size, dark):
    _, hers, _ = await family(house)
    await file(house, MARIA, "resultado-de-exame-muito-comprido-mesmo-do-laboratorio.pdf")
    page = await house.visit(f"/patients/{hers}", ANA, size=size, dark=dark)
    await expect(page.get_by_role("region", name="Documentos").get_by_role("link")).to_have_count(1)
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await choose(page)
    dialog = page.get_by_role("dialog").locator(".g-sheet")
    assert await dialog.evaluate("sheet => sheet.scrollWidth <= sheet.clientWidth")
