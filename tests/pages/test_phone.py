"""The demo's phone: a patient books by tapping, over the same webhooks and the same stand-in as everything else."""

import pytest
from playwright.async_api import Locator, Page, expect
from tests.journeys.model import models_of
from tests.pages.house import BOA_VIDA, PNG, SORRISO, open_house, staff
from tests.pages.stage import NARROW
from tests.pages.thinking import ThinkingModel

from gendei.clinic import ClinicId, Contact
from gendei.web.pages.demo import PATIENTS, Patient

MARIA, JOAO, _ = PATIENTS
SCRIPT = "<script>window.broken=1</script><img src=x onerror=window.broken=1>"


def phone_of(page: Page, patient: Patient = MARIA) -> Locator:
    return page.get_by_role("region", name=patient.name)


async def say(phone: Locator, text: str) -> None:
    await phone.get_by_label("Mensagem").fill(text)
    await phone.get_by_role("button", name="Enviar", exact=True).click()


async def agenda_of(house, patient: Patient, clinic_id: ClinicId = BOA_VIDA) -> list[tuple[str, str]]:
    """(status, local start) of the patient's appointments."""
    clinic = await house.gendei.directory.get(clinic_id)
    found = await house.gendei.desk.appointments_of(clinic, Contact(patient.phone), upcoming_only=False)
    return [(str(appointment.status), f"{clinic.local(appointment.start):%Y-%m-%dT%H:%M}") for appointment in found]


async def test_a_patient_books_by_taps(demo_house):
    phone = phone_of(await demo_house.visit("/phone"))
    await phone.get_by_role("button", name="Quero marcar uma consulta amanhã à tarde").click()
    await phone.get_by_role("button", name="Ver horários").click()
    await phone.get_by_role("dialog").get_by_role("button", name="24/11 12h").click()
    await phone.get_by_role("button", name="Confirmar").click()
    await expect(phone.get_by_role("log")).to_contain_text("Sua consulta está confirmada!")
    assert await agenda_of(demo_house, MARIA) == [("confirmed", "2026-11-24T12:00")]
    assert (await agenda_of(demo_house, JOAO), await agenda_of(demo_house, MARIA, SORRISO)) == ([], [])


@pytest.mark.slow
async def test_the_clinics_place_shows_as_a_pin_or_on_a_plain_phone_as_a_link_to_the_map(demo_house):
    phone = phone_of(await demo_house.visit("/phone"))
    await say(phone, "onde fica?")
    await expect(phone.get_by_role("log").locator(".p-place")).to_contain_text("Rua das Flores, 100, São Paulo")
    await phone.get_by_role("switch", name="Sem botões").click()
    await say(phone, "onde fica?")
    await expect(phone.get_by_role("log")).to_contain_text("Ver no mapa: https://www.google.com/maps")


@pytest.mark.slow
async def test_enter_sends_and_the_ticks_tell_that_it_was_read(demo_house):
    phone = phone_of(await demo_house.visit("/phone"))
    await phone.get_by_label("Mensagem").fill("Oi")
    await phone.get_by_label("Mensagem").press("Enter")
    await expect(phone.get_by_role("log").locator(".p-mine .p-read")).to_have_count(1)
    await expect(phone.get_by_label("Mensagem")).to_have_value("")


@pytest.mark.slow
async def test_the_phone_shows_that_the_clinic_is_typing_until_it_has_answered(stage, tmp_path):
    model = ThinkingModel()
    async with open_house(stage, tmp_path, demo=True, models=models_of(model)) as house:
        phone = phone_of(await house.visit("/phone"))
        await expect(phone.get_by_text("online")).to_be_visible()
        await say(phone, "oi")
        await model.asked.wait()
        await expect(phone.get_by_text("digitando…")).to_be_visible()
        await expect(phone.locator(".p-typing")).to_be_visible()
        model.free.set()
        await expect(phone.get_by_text("Oi! Sou a assistente.")).to_be_visible()
        await expect(phone.get_by_text("online")).to_be_visible()


@pytest.mark.slow
async def test_a_photo_and_a_document_of_staffs_show_on_the_phone(demo_house):
    bia, desk = staff("Bia"), demo_house.gendei.front_desk
    await demo_house.sign_in(bia)
    phone = phone_of(await demo_house.visit("/phone"))
    await say(phone, "oi")
    await expect(phone.get_by_text("Sou a assistente virtual")).to_be_visible()
    for name, content in (("fachada.png", PNG), ("preparo.pdf", b"%PDF-1.7\n preparo")):
        file = await desk.own_files.add(bia.actor(), name, "", content)
        await desk.conversations.send_file(bia.actor(), MARIA.phone, file.id, "Veja.")
    await expect(phone.get_by_text("preparo.pdf")).to_be_visible()
    loaded = await phone.get_by_role("img", name="Imagem").evaluate(
        "(one) => one.decode().then(() => one.naturalWidth)"
    )
    assert loaded == 1


@pytest.mark.slow
async def test_what_one_patient_writes_shows_on_no_other_phone(demo_house):
    page = await demo_house.visit("/phone")
    await say(phone_of(page), "Oi")
    await expect(phone_of(page).get_by_role("button", name="Marcar horário")).to_be_visible()
    await expect(phone_of(page, JOAO).get_by_role("log")).to_have_text("")


@pytest.mark.slow
async def test_another_page_shows_the_same_phone_with_what_was_said_before(demo_house):
    await say(phone_of(await demo_house.visit("/phone")), "Oi")
    again = phone_of(await demo_house.visit("/phone"))
    await expect(again.get_by_role("button", name="Marcar horário")).to_be_visible()


@pytest.mark.slow
async def test_the_other_clinic_has_conversations_of_its_own(demo_house):
    page = await demo_house.visit("/phone")
    await say(phone_of(page), "Oi")
    await page.get_by_role("combobox").click()
    await page.get_by_role("option", name="Sorriso Odontologia").click()
    await expect(phone_of(page).get_by_text("Sorriso Odontologia")).to_be_visible()
    await expect(phone_of(page).get_by_role("log")).to_have_text("")


@pytest.mark.slow
async def test_without_buttons_the_options_come_as_numbered_text_and_a_number_chooses(demo_house):
    phone = phone_of(await demo_house.visit("/phone"))
    await phone.get_by_text("Sem botões").click()
    await say(phone, "Oi")
    await expect(phone.get_by_role("log")).to_contain_text("1. Marcar horário")
    await expect(phone.get_by_role("log").get_by_role("button")).to_have_count(0)
    await say(phone, "3")
    await expect(phone.get_by_role("log")).to_contain_text("Chamei alguém da nossa equipe")


@pytest.mark.slow
async def test_the_clock_moves_for_the_service_too(demo_house):
    page = await demo_house.visit("/phone")
    await expect(page.get_by_role("timer")).to_have_text("seg 23/11 · 09:00")
    await page.get_by_role("button", name="+ 1 dia").click()
    await expect(page.get_by_role("timer")).to_have_text("ter 24/11 · 09:00")
    await say(phone_of(page), "quero marcar uma consulta amanhã à tarde")
    await expect(phone_of(page).get_by_role("log")).to_contain_text("amanhã, quarta-feira, 25/11")


@pytest.mark.slow
async def test_the_clock_goes_to_a_moment_but_never_back(demo_house):
    page = await demo_house.visit("/phone")
    await page.get_by_role("button", name="Ir para…").click()
    await page.get_by_label("Dia e hora").fill("2026-11-20T10:00")
    await page.get_by_role("button", name="Ir", exact=True).click()
    await expect(page.get_by_text("O relógio só anda para a frente.")).to_be_visible()
    await page.get_by_label("Dia e hora").fill("2026-12-01T10:00")
    await page.get_by_role("button", name="Ir", exact=True).click()
    await expect(page.get_by_role("timer")).to_have_text("ter 01/12 · 10:00")


@pytest.mark.slow
async def test_script_in_a_text_shows_as_text(demo_house):
    page = await demo_house.visit("/phone")
    await say(phone_of(page), SCRIPT)
    await expect(phone_of(page).get_by_text(SCRIPT)).to_be_visible()
    assert await page.evaluate("window.broken") is None


async def test_script_in_a_name_shows_as_text(stage, tmp_path):
    mallory = Patient(f'{SCRIPT} " onclick="x', "+5511999990009")
    async with open_house(stage, tmp_path, demo=True, patients=[mallory]) as house:
        page = await house.visit("/phone")
        await expect(page.get_by_text(mallory.name)).to_be_visible()
        await page.get_by_role("button", name="Oi!").click()
        await expect(page.get_by_role("button", name="Marcar horário")).to_be_visible()
        assert (await page.evaluate("window.broken"), house.complaints) == (None, [])


@pytest.mark.slow
async def test_a_place_can_be_shared(demo_house):
    phone = phone_of(await demo_house.visit("/phone"))
    await phone.get_by_role("button", name="Enviar localização").click()
    await expect(phone.get_by_text("Avenida Paulista")).to_be_visible()
    await expect(phone.locator(".p-mine .p-failed")).to_have_count(0)


@pytest.mark.slow
async def test_on_a_narrow_screen_one_phone_is_shown_and_a_tab_brings_the_next(demo_house):
    page = await demo_house.visit("/phone", size=NARROW)
    await expect(page.get_by_role("region")).to_have_count(1)
    await page.get_by_role("button", name="João").click()
    await expect(phone_of(page, JOAO)).to_be_visible()
    await expect(phone_of(page)).to_be_hidden()
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")


async def test_the_demo_signs_in_to_the_staffs_pages_of_its_clinic(demo_house):
    page = await demo_house.visit("/healthz")
    answer = await page.request.get(f"{demo_house.url}/demo?clinic=sorriso", max_redirects=0)
    [cookie] = await page.context.cookies()
    session = await demo_house.gendei.staff.sessions.find(cookie["value"])
    assert session is not None
    assert (answer.headers["location"], session.actor.clinic_id, cookie["httpOnly"]) == ("/demo/sorriso", SORRISO, True)


@pytest.mark.parametrize("path", ["/phone", "/demo", "/demo/boa-vida"])
async def test_where_there_is_no_demo_nobody_finds_its_pages(house, path):
    page = await house.visit("/healthz", staff("Ana"))
    assert (await page.request.get(f"{house.url}{path}", max_redirects=0)).status == 404


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/phone?clinic=nowhere", "/demo?clinic=nowhere", "/demo/nowhere"])
async def test_a_clinic_that_the_demo_has_not_is_not_found(demo_house, path):
    page = await demo_house.visit("/healthz")
    assert (await page.request.get(f"{demo_house.url}{path}", max_redirects=0)).status == 404
