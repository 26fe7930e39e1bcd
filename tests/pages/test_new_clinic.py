"""A new clinic in the browser: from an empty store to a patient's first booking, without a terminal."""

import httpx
import pytest
import pytest_asyncio
from playwright.async_api import expect
from tests.journeys.town import unused_tls
from tests.pages.house import APP_SECRET, House, open_house, staff
from tests.pages.second_factor import proven_just_now
from tests.pages.stage import NARROW, WIDE

from gendei.clinic import ClinicId, Contact
from gendei.providers.stand_in.onboarding import StandInNumber
from gendei.providers.stand_in.phone import WebhookMaker
from gendei.staff.actors import NO_CLINIC, Role
from gendei.web.sign_up import first_invitation, invitation_link

APP_ID, ACCOUNT, NUMBER = "1029384756", "300000000000001", "800000000000001"
OPE, OTTO = staff("Ope", NO_CLINIC, Role.OPERADOR), staff("Otto", ClinicId("outra"))
MARIA, PASSWORD = "+5511999990001", "girassol-verde-nuvem"


@pytest_asyncio.fixture(loop_scope="session")
async def empty(stage, tmp_path):
    app = {"meta_app_id": APP_ID, "meta_signup_config": "5647382910", "public_url": stage.url}
    async with open_house(stage, tmp_path, empty=True, sign_up_by_invitation=True, **app) as house:
        house.graph.onboarding.app_id, house.graph.onboarding.app_secret = APP_ID, APP_SECRET
        yield house
        assert house.complaints == []


async def said_by_patient(house: House, text: str) -> str:
    body, headers = WebhookMaker(APP_SECRET.encode(), NUMBER, house.gendei.clock).text(MARIA, text)
    async with httpx.AsyncClient(verify=unused_tls()) as client:
        await client.post(f"{house.url}/webhooks/meta", content=body, headers=headers)
    await house.gendei.messaging.idle()
    return house.graph.sent_to(MARIA)[-1].text


@pytest.mark.slow
async def test_from_an_empty_store_to_the_first_booking(empty):
    token = await first_invitation(empty.gendei)
    page = await empty.visit(invitation_link(empty.url, token))
    await page.get_by_label("Nome da clínica").fill("Clínica Ipê")
    await page.get_by_label("Tipo de clínica").select_option("dental")
    await page.get_by_label("Seu nome").fill("Íris")
    await page.get_by_label("E-mail").fill("iris@ipe.test")
    await page.get_by_label("Senha").fill(PASSWORD)
    await page.get_by_role("button", name="Começar").click()
    await page.get_by_label("E-mail").fill("iris@ipe.test")
    await page.get_by_label("Senha").fill(PASSWORD)
    await page.get_by_role("button", name="Entrar").click()
    await expect(page.get_by_label("Nome", exact=True)).to_have_value("Clínica Ipê")

    await page.get_by_role("link", name="Serviços").click()
    service = page.get_by_role("region", name="Profilaxia (limpeza)")
    await service.get_by_label("Preço em reais").fill("180,00")
    await page.get_by_role("button", name="Tirar: Clareamento").click()
    await expect(page.get_by_role("region", name="Clareamento")).to_have_count(0)

    await page.goto(f"{empty.url}/inbox")  # left, and come back to
    await expect(page.get_by_label("Nome", exact=True)).to_have_value("Clínica Ipê")
    await page.get_by_role("link", name="Profissionais").click()
    await page.get_by_role("button", name="Acrescentar profissional").click()
    await page.get_by_role("dialog").get_by_label("Nome").fill("Dra. Paula Lins")
    await page.get_by_role("button", name="Acrescentar", exact=True).click()
    await expect(page.get_by_role("region", name="Dra. Paula Lins")).to_be_visible()

    await page.get_by_label("Mensagem").fill("quanto custa a limpeza?")
    await page.get_by_role("button", name="Enviar").click()
    await expect(page.get_by_role("log")).to_contain_text("R$ 180,00")
    await empty.shoot(page, "new-clinic")
    await page.get_by_role("link", name="Conferir e criar").click()
    await page.get_by_role("button", name="Criar a clínica").click()
    await proven_just_now(empty)
    await page.get_by_role("link", name="Conectar o WhatsApp").click()

    empty.graph.onboarding.account(ACCOUNT, StandInNumber(NUMBER))
    empty.graph.onboarding.signs_up_with = (ACCOUNT,)
    await page.get_by_text("WhatsApp oficial, entrando pelo Facebook").click()
    await page.get_by_role("button", name="Começar: WhatsApp oficial, entrando pelo Facebook").click()
    await page.get_by_role("button", name="Entrar com o Facebook").click()
    await expect(page.get_by_text("Conectado", exact=True)).to_be_visible()

    await said_by_patient(empty, "quero marcar uma limpeza amanhã às 8h")
    assert "confirmada" in await said_by_patient(empty, "sim")
    clinic = await empty.gendei.directory.get(ClinicId("clinica-ipe"))
    [booked] = await empty.gendei.desk.appointments_of(clinic, Contact(MARIA))
    assert (booked.service_id, booked.price_cents) == ("profilaxia-limpeza", 18000)
    again = await empty.visit(invitation_link(empty.url, token))
    await expect(again.get_by_text("Este convite já foi usado")).to_be_visible()
    empty.complaints[:] = [each for each in empty.complaints if "410" not in each]


async def test_an_operator_prepares_a_clinic_and_an_outsider_sees_nothing_of_it(empty):
    page = await empty.visit("/operator", OPE)
    await page.get_by_role("link", name="Nova clínica").click()
    await page.get_by_label("Nome da clínica").fill("Clínica Jasmim")
    await page.get_by_role("button", name="Começar").click()
    await page.get_by_role("link", name="Conferir e criar").click()
    await expect(page.get_by_text("Falta corrigir")).to_be_visible()
    await expect(page.get_by_role("button", name="Criar a clínica")).to_have_count(0)
    [draft] = await empty.gendei.drafts.all(OPE.actor())
    assert (draft.id, draft.content["name"]) == ("clinica-jasmim", "Clínica Jasmim")
    outsider = await empty.visit(f"/new-clinic?draft={draft.id}", OTTO)
    await expect(outsider.get_by_text("não existe mais")).to_be_visible()
    await expect(outsider.get_by_text("Jasmim")).to_have_count(0)
    assert empty.gendei.directory.all() == ()


@pytest.mark.slow
@pytest.mark.parametrize(("size", "dark"), [(WIDE, True), (NARROW, False)])
async def test_pictures(empty, size, dark):
    drafts = empty.gendei.drafts
    await drafts.begin(OPE.actor(), "fisio", "Clínica Jasmim")
    for step in ("clinic", "hours", "services", "finish"):
        page = await empty.visit(f"/new-clinic?draft=clinica-jasmim&step={step}", OPE, size=size, dark=dark)
        await expect(page.get_by_text("Converse com a clínica")).to_be_visible()
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        await empty.shoot(page, f"new-clinic-{step}-{size[0]}")
