"""Every journey by the keyboard alone: what has the focus is seen, a dialog keeps it, and gives it back."""

import pyotp
import pytest
import pytest_asyncio
from playwright.async_api import expect
from tests.pages.agenda_cast import all_booked, at, card, open_agenda
from tests.pages.house import APP_SECRET, BOA_VIDA, House, heard, open_house, staff
from tests.pages.inbox_people import field_of, log_of, row_of
from tests.pages.keys import Keys
from tests.pages.second_factor import with_factor

from gendei.booking.appointment import AppointmentStatus
from gendei.clinic import ClinicId
from gendei.providers.stand_in.onboarding import StandInNumber
from gendei.staff.access.totp import new_totp_secret
from gendei.staff.actors import NO_CLINIC, Role, terminal

MARIA, PASSWORD = "+5511999990001", "girassol na janela"
GILDA, OPE = staff("Gilda"), staff("Ope", NO_CLINIC, Role.OPERADOR)
APP_ID, ACCOUNT, NUMBER = "1029384756", "300000000000001", "800000000000001"


async def test_a_conversation_is_taken_over_answered_and_handed_back_after_signing_in(house: House) -> None:
    await house.gendei.staff.accounts.add(terminal(BOA_VIDA), "rita@boa-vida.test", "Rita", Role.ATENDENTE, PASSWORD)
    await house.write(MARIA, "quero falar com uma pessoa")
    page = await house.visit("/inbox")
    keys = Keys(page)
    await expect(page.get_by_label("E-mail")).to_be_focused()
    await keys.write("rita@boa-vida.test")
    await keys.fill(page.get_by_label("Senha"), PASSWORD)
    await keys.press("Enter")
    await expect(row_of(page, "Maria")).to_be_visible()
    await keys.press("Tab")
    await expect(page.get_by_role("link", name="Pular para o conteúdo")).to_be_focused()
    await keys.press("Enter")
    await keys.use(row_of(page, "Maria"))
    await keys.use(page.get_by_role("button", name="Assumir"))
    await keys.fill(field_of(page), "Bom dia, sou a Rita.")
    await keys.use(page.get_by_role("button", name="Enviar", exact=True))
    await expect(log_of(page).get_by_text("Bom dia, sou a Rita.")).to_be_visible()
    await keys.use(page.get_by_role("button", name="Devolver"))
    await keys.enters(page.get_by_role("dialog"))
    await keys.use(page.get_by_role("dialog").get_by_role("button", name="Devolver"))
    await expect(page.get_by_role("button", name="Assumir")).to_be_visible()
    await house.gendei.messaging.idle()
    assert "Bom dia, sou a Rita." in [sent.text for sent in house.graph.sent]


@pytest.mark.slow
async def test_a_menu_opens_goes_through_its_entries_by_arrows_and_gives_the_focus_back(house: House) -> None:
    await house.write(MARIA, "oi")
    page = await house.visit(f"/inbox?contact=%2B{MARIA[1:]}", GILDA)
    keys, more = Keys(page), page.get_by_role("button", name="Ações")
    await keys.use(more)
    entries = page.get_by_role("menuitem")
    await keys.enters(page.get_by_role("menu"))
    for key, place in (("ArrowDown", 0), ("ArrowDown", 1), ("ArrowUp", 0), ("End", -1), ("Home", 0)):
        await keys.press(key)
        await expect(entries.locator("visible=true").nth(place)).to_be_focused()
    await keys.press("Escape")
    await expect(entries).to_have_count(0)
    await expect(more).to_be_focused()


@pytest.mark.slow
async def test_an_appointment_is_booked_moved_and_cancelled(house: House) -> None:
    page = await open_agenda(house)
    keys, dialog, begin = Keys(page), page.get_by_role("dialog"), page.get_by_role("button", name="Marcar")
    await keys.use(begin)
    await keys.stays_in(dialog)
    await keys.press("Escape")
    await expect(dialog).to_have_count(0)
    await expect(begin).to_be_focused()
    await keys.press("Enter")
    await keys.enters(dialog)
    await keys.fill(dialog.get_by_label("Hora", exact=True), "0900")
    await keys.fill(dialog.get_by_label("Nome de quem vem"), "Beatriz Lima")
    await keys.fill(dialog.get_by_label("Telefone"), "(11) 98888-7777")
    await keys.use(dialog.get_by_role("button", name="Marcar", exact=True))
    await expect(card(page, "Beatriz Lima")).to_contain_text("09:00")
    await expect(dialog).to_have_count(0)
    await keys.use(card(page, "Beatriz Lima"))
    await keys.enters(dialog)
    await keys.use(dialog.get_by_role("button", name="Mudar…"))
    await keys.enters(page.get_by_role("dialog", name="Mudar horário"))
    await keys.fill(dialog.get_by_label("Hora", exact=True), "1030")
    await keys.use(dialog.get_by_role("button", name="Mudar", exact=True))
    await expect(card(page, "Beatriz Lima")).to_contain_text("10:30")
    await expect(dialog).to_have_count(0)
    await keys.use(card(page, "Beatriz Lima"))
    await keys.enters(dialog)
    await keys.use(dialog.get_by_role("button", name="Cancelar…"))
    cancelling = page.get_by_role("dialog", name="Cancelar o horário")
    await keys.enters(cancelling)
    await keys.fill(cancelling.get_by_label("Motivo do cancelamento"), "A médica não vem.")
    await keys.use(cancelling.get_by_role("button", name="Cancelar o horário"))
    await expect(card(page, "Beatriz Lima")).to_have_count(0)
    [one] = await all_booked(house)
    assert (one.start, one.status) == (at(10, 30), AppointmentStatus.CANCELLED)


@pytest.mark.slow
async def test_opening_hours_and_a_service_are_changed_and_saved(house: House) -> None:
    page = await house.visit("/settings/hours", GILDA)
    keys, dialog = Keys(page), page.get_by_role("dialog")
    await keys.fill(page.get_by_label("Segunda", exact=True), "08:00-12:00")
    await keys.reach(page.get_by_role("grid"))
    await keys.press("Home")
    review = page.get_by_role("button", name="Ver o que muda")
    await keys.use(review)
    await keys.stays_in(dialog)
    await keys.use(dialog.get_by_role("button", name="Salvar", exact=True))
    await expect(dialog).to_have_count(0)
    hours = (await house.gendei.directory.read(BOA_VIDA))[1].hours
    assert [str(part) for part in hours[0]] == ["08:00-12:00"]

    await page.goto("/settings/services")
    await heard(page)
    await keys.use(page.get_by_role("button", name="Acrescentar serviço"))
    await keys.enters(dialog)
    await keys.fill(dialog.get_by_label("Nome"), "Raio X")
    await keys.use(dialog.get_by_role("button", name="Acrescentar", exact=True))
    await expect(dialog).to_have_count(0)
    added = page.get_by_role("region", name="Raio X")
    await keys.fill(added.get_by_label("Duração em minutos"), "20")
    await expect(page.get_by_text('nenhum profissional realiza "raio-x"')).to_be_visible()


@pytest_asyncio.fixture(loop_scope="session")
async def empty(stage, tmp_path):
    app = {"meta_app_id": APP_ID, "meta_signup_config": "5647382910", "public_url": stage.url}
    async with open_house(stage, tmp_path, empty=True, **app) as house:
        house.graph.onboarding.app_id, house.graph.onboarding.app_secret = APP_ID, APP_SECRET
        yield house
        assert house.complaints == []


@pytest.mark.slow
async def test_a_clinic_is_made_in_the_wizard(empty: House) -> None:
    page = await empty.visit("/new-clinic", OPE)
    keys, dialog = Keys(page), page.get_by_role("dialog")
    await keys.fill(page.get_by_label("Nome da clínica"), "Clínica Ipê")
    await keys.use(page.get_by_role("button", name="Começar"))
    await page.wait_for_url("**draft=*")
    await keys.use(page.get_by_role("link", name="Profissionais"))
    await keys.use(page.get_by_role("button", name="Acrescentar profissional"))
    await keys.enters(dialog)
    await keys.fill(dialog.get_by_label("Nome"), "Dra. Paula Lins")
    await keys.use(dialog.get_by_role("button", name="Acrescentar", exact=True))
    await expect(page.get_by_role("region", name="Dra. Paula Lins")).to_be_visible()
    await keys.fill(page.get_by_label("Mensagem"), "oi")
    await keys.use(page.get_by_role("button", name="Enviar"))
    await expect(page.get_by_role("log")).to_contain_text("Clínica Ipê")
    await keys.use(page.get_by_role("link", name="Conferir e criar"))
    await keys.use(page.get_by_role("button", name="Criar a clínica"))
    await expect(page.get_by_role("button", name="Conectar o WhatsApp")).to_be_visible()
    assert await empty.gendei.directory.get(ClinicId("clinica-ipe")) is not None


@pytest.mark.slow
async def test_a_number_is_connected_by_hand(stage, tmp_path) -> None:
    app = {"meta_app_id": APP_ID, "public_url": stage.url}
    async with open_house(stage, tmp_path, **app) as house:
        onboarding = house.graph.onboarding
        onboarding.app_id, onboarding.app_secret = APP_ID, APP_SECRET
        onboarding.account(ACCOUNT, StandInNumber(NUMBER))
        secret = new_totp_secret()
        page = await house.visit("/connect", with_factor(house, GILDA, secret))
        keys, asked = Keys(page), page.get_by_role("dialog", name="Confirme que é você")
        await keys.use(page.get_by_role("button", name="WhatsApp oficial, com token e números de identificação").first)
        await keys.fill(page.get_by_label("Identificação do número de telefone"), NUMBER)
        await keys.fill(page.get_by_label("Token de acesso"), onboarding.token(ACCOUNT))
        await keys.use(page.get_by_role("button", name="Começar: WhatsApp oficial, com token"))
        await expect(asked.get_by_label("Código do aplicativo")).to_be_focused()
        await keys.write(pyotp.TOTP(secret).now())
        await keys.use(asked.get_by_role("button", name="Continuar"))
        await expect(page.get_by_text("Conectado", exact=True)).to_be_visible()
        assert house.complaints == []


@pytest.mark.slow
async def test_a_visitor_of_the_clinics_site_writes_in_its_chat(demo_house: House) -> None:
    page = await demo_house.visit("/demo/site?clinic=boa-vida")
    keys, chat, launch = Keys(page), page.get_by_role("dialog"), page.get_by_role("button", name="Conversar")
    await keys.use(launch)
    await expect(chat.get_by_label("Sua mensagem")).to_be_focused()
    await expect(chat.get_by_role("log")).to_contain_text("Como posso ajudar?")
    await keys.write("Quero marcar uma consulta amanhã à tarde")
    await keys.press("Enter")
    await keys.use(chat.get_by_role("log").get_by_role("button", name="24/11 12h").first)
    await expect(chat.get_by_role("log")).to_contain_text("nome completo")
    await keys.press("Escape")
    await expect(launch).to_be_focused()
