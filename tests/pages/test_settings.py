"""/settings: the clinic's data as forms, checked as one types, reviewed before it is saved, undone from the history."""

from dataclasses import replace
from datetime import date

import pytest
from playwright.async_api import expect
from tests.pages.house import BOA_VIDA, SORRISO, House, staff
from tests.pages.stage import NARROW, WIDE
from tests.pages.test_patients import book

from gendei.staff.actors import RIGHTS, Actor, Role
from gendei.staff.clinic_changes.editing import Edit
from gendei.web.pages.clinic_settings.page import PAGES
from gendei.web.pages.clinic_settings.words import TEXTS

GILDA, ANA, OTTO = staff("Gilda"), staff("Ana", role=Role.ATENDENTE), staff("Otto", SORRISO)
BIA = Actor(BOA_VIDA, "bia", "Bia", RIGHTS[Role.GESTOR])


async def name_of(house: House) -> str:
    found = await house.gendei.directory.read(BOA_VIDA)
    assert found is not None
    return found[1].name


async def change(house: House, version: int, field: str, value: object) -> None:
    """What another editor does."""
    changes = house.gendei.desks.clinic_changes
    await changes.save(BIA, version, [Edit(field, value)], source="api")


async def review(page) -> None:
    await page.get_by_role("button", name="Ver o que muda").click()


async def save(page) -> None:
    await page.get_by_role("dialog").get_by_role("button", name="Salvar", exact=True).click()


async def test_a_field_is_changed_reviewed_saved_and_undone(house):
    page = await house.visit("/settings", GILDA)
    await page.get_by_label("Nome", exact=True).fill("Boa Vida Centro")
    await review(page)
    sheet = page.get_by_role("dialog")
    await expect(sheet.get_by_text("Clínica Boa Vida → Boa Vida Centro")).to_be_visible()
    await sheet.get_by_label("Por quê").fill("novo nome")
    await save(page)
    await expect(page.get_by_label("Nome", exact=True)).to_have_value("Boa Vida Centro")
    assert await name_of(house) == "Boa Vida Centro"

    await page.get_by_role("link", name="Histórico").click()
    change = page.get_by_role("article").first
    await expect(change).to_contain_text("Gilda")
    await expect(change).to_contain_text("novo nome")
    await change.get_by_role("button", name="Desfazer").click()
    await expect(page.get_by_text("desfaz a mudança 2")).to_be_visible()
    assert await name_of(house) == "Clínica Boa Vida"


@pytest.mark.slow
async def test_a_wrong_value_is_told_beside_its_field_as_one_types(house):
    page = await house.visit("/settings/services", GILDA)
    await page.get_by_label("Duração em minutos").first.fill("3")
    await expect(page.get_by_text("Não pode ser menor que 5. Escreva 5 ou mais.")).to_be_visible()
    await review(page)
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await page.get_by_label("Duração em minutos").first.fill("45")
    await expect(page.get_by_text("Não pode ser menor que 5.")).to_be_hidden()


@pytest.mark.slow
async def test_what_a_change_does_with_what_is_booked_is_shown_before_it_is_saved(house):
    await book(house)
    page = await house.visit("/settings/services", GILDA)
    await page.get_by_label("Preço em reais").first.fill("300,00")
    await review(page)
    told = page.get_by_role("dialog").get_by_text("1 horário marcado continua com o preço que tinha.")
    await expect(told).to_be_visible()
    await expect(page.get_by_role("dialog")).to_contain_text("R$ 250,00 → R$ 300,00")


async def test_two_editors_are_merged_field_by_field(house):
    page = await house.visit("/settings", GILDA)
    await page.get_by_label("Nome", exact=True).fill("De Gilda")
    await page.get_by_label("Endereço").fill("Rua de Gilda, 1")
    await page.get_by_label("Telefone").fill("+55 11 4002-1111")
    await change(house, 1, "name", "De Bia")
    await change(house, 2, "address", "Rua de Bia, 2")
    await review(page)
    name = page.get_by_role("radiogroup", name="Nome").first
    await expect(name).to_contain_text("Agora: De Bia (Bia, 23/11/2026")
    await expect(name).to_contain_text("O seu: De Gilda")
    await expect(page.get_by_role("region", name="O que só você mudou")).to_contain_text("4002-1111")
    await page.get_by_role("button", name="Continuar com o que escolhi").click()
    await expect(page.get_by_text("Escolha o que fica em cada campo.")).to_be_visible()

    await name.get_by_text("O seu: De Gilda").click()
    await page.get_by_text("Agora: Rua de Bia, 2").click()
    await page.get_by_role("button", name="Continuar com o que escolhi").click()
    await expect(page.get_by_role("dialog")).to_contain_text("De Bia → De Gilda")
    await save(page)
    await expect(page.get_by_role("textbox", name="Endereço")).to_have_value("Rua de Bia, 2")
    clinic = (await house.gendei.directory.read(BOA_VIDA))[1]
    assert (clinic.name, clinic.address, clinic.phone) == ("De Gilda", "Rua de Bia, 2", "+55 11 4002-1111")


@pytest.mark.slow
async def test_a_service_is_added_with_who_does_it_and_another_taken_out(house):
    page = await house.visit("/settings/services", GILDA)
    await page.get_by_role("button", name="Acrescentar serviço").click()
    await page.get_by_role("dialog").get_by_label("Nome").fill("Raio X")
    await page.get_by_role("button", name="Acrescentar", exact=True).click()
    added = page.get_by_role("region", name="Raio X")
    await added.get_by_label("Duração em minutos").fill("20")
    await expect(page.get_by_text('nenhum profissional realiza "raio-x"')).to_be_visible()
    await page.get_by_role("button", name="Tirar: Raio X").click()
    await expect(page.get_by_text('nenhum profissional realiza "raio-x"')).to_be_hidden()


@pytest.mark.slow
async def test_a_clinic_that_is_kept_in_its_file_is_shown_and_not_changed(house):
    clinic = await house.gendei.directory.get(BOA_VIDA)
    await house.gendei.directory.import_clinic(replace(clinic, kept_in_file=True))
    page = await house.visit("/settings", GILDA)
    await expect(page.get_by_text("são mantidos em um arquivo")).to_be_visible()
    await expect(page.get_by_label("Nome", exact=True)).to_be_disabled()
    await expect(page.get_by_role("button", name="Ver o que muda")).to_have_count(0)


async def test_only_who_manages_sees_the_settings_and_only_their_own(house):
    page = await house.visit("/settings", ANA)
    await expect(page.get_by_role("link", name="Ajustes")).to_have_count(0)
    await expect(page.get_by_text("Sua conta não tem acesso a esta página.")).to_be_visible()
    other = await house.visit("/inbox", OTTO)
    await other.get_by_role("link", name="Ajustes").first.click()
    await expect(other.get_by_label("Nome", exact=True)).to_have_value("Sorriso Odontologia")


RICH = {
    "closed": ["2026-12-25"],
    "location": {"latitude": -22.9, "longitude": -47.06},
    "insurance": [{"name": "Amil", "covered": True, "services": [{"id": "consulta", "waiting_days": 3}, "retorno"]}],
    "reminders": {"at": [{"hours_before": 24, "template": {"name": "amanha"}}, {"hours_before": 2}]},
    "templates": {"reminder": {"name": "lembrete", "parameters": ["time", "patient"]}},
    "channels": [
        {"provider": "meta", "phone_number_id": "106540352242922", "access_token": "abc"},
        {"provider": "web", "site": "boa-vida"},
    ],
    "language_model": {"api_key": "sk", "model": "gpt-6-luna", "daily_budget_usd": 2.5},
    "voice": {"answer_in_audio": False, "transcription": {"enabled": False, "per_minute": 5}},
    "mcp_servers": [
        {
            "name": "prontuario",
            "url": "https://mcp.example.com/mcp",
            "headers": {"X-Api-Key": "k"},
            "agents": ["support"],
            "tools": ["busca"],
            "fills": {"clinica": "clinic_id"},
            "limits": {"busca": 9.0},
        }
    ],
    "overrides": {"arrive_minutes_early": 20, "service_words": {"limpeza": ["faxina"]}, "convenio": False},
    "personal_data": ["cpf"],
}
"""Of every kind of field something."""


@pytest.mark.slow
async def test_a_form_that_nobody_touched_changes_nothing(house):
    changes = house.gendei.desks.clinic_changes
    await changes.save(BIA, 1, [Edit(name, value) for name, value in RICH.items()], source="api")
    for name, path, _ in PAGES[:-1]:
        page = await house.visit(path, GILDA)
        await review(page)
        await expect(page.get_by_text("Nada foi mudado nesta página."), name).to_be_visible()
        await page.close()


@pytest.mark.slow
async def test_lists_within_lists_are_filled_and_saved(house):
    page = await house.visit("/settings/insurance", GILDA)
    await page.get_by_role("button", name="Acrescentar convênio").click()
    await page.get_by_role("dialog").get_by_label("Nome").fill("Vida Boa")
    await page.get_by_role("button", name="Acrescentar", exact=True).click()
    plan = page.get_by_role("region", name="Vida Boa")
    await plan.get_by_role("button", name="Acrescentar serviço do convênio").click()
    await page.get_by_role("dialog").get_by_role("button", name="Acrescentar", exact=True).click()
    service = plan.get_by_role("region").first
    await service.get_by_label("O paciente paga, em reais").fill("0")
    await expect(service.get_by_text("Não há nada a pagar. Escreva covered: true no lugar.")).to_be_visible()
    await service.get_by_label("O paciente paga, em reais").fill("80,00")
    await page.get_by_role("button", name="Subir: Vida Boa").click()
    await review(page)
    await expect(page.get_by_role("dialog")).to_contain_text("O paciente paga, em reais: R$ 80,00")
    await save(page)
    await expect(page.get_by_role("dialog")).to_have_count(0)
    plans = (await house.gendei.directory.read(BOA_VIDA))[1].health_plans
    assert plans[-2].name == "Vida Boa"
    assert [terms.price_cents for terms in plans[-2].services.values()] == [8000]


@pytest.mark.slow
async def test_hours_are_painted_by_hand_and_by_keys_and_typed(house):
    page = await house.visit("/settings/hours", GILDA)
    monday = page.get_by_label("Segunda", exact=True)
    await monday.fill("08:15-12:00")
    await page.get_by_label("Terça", exact=True).fill("")
    await expect(page.get_by_role("gridcell", name="Segunda 08:00")).to_have_attribute("aria-selected", "true")
    await page.get_by_role("gridcell", name="Segunda 13:00").hover()
    await page.mouse.down()
    await page.get_by_role("gridcell", name="Terça 15:30").hover()
    await page.mouse.up()
    await expect(monday).to_have_value("08:15-12:00, 13:00-16:00")
    await expect(page.get_by_label("Terça", exact=True)).to_have_value("13:00-16:00")

    await page.get_by_role("gridcell", name="Segunda 15:30").click()
    await page.keyboard.press("ArrowUp")
    await page.keyboard.press("Space")
    await expect(monday).to_have_value("08:15-12:00, 13:00-15:00")
    await page.keyboard.press("Space")
    await page.keyboard.press("Shift+ArrowDown")
    await page.keyboard.press("Shift+ArrowDown")
    await expect(monday).to_have_value("08:15-12:00, 13:00-16:30")
    await review(page)
    await expect(page.get_by_role("dialog")).to_contain_text("08:15-12:00, 13:00-16:30")
    await save(page)
    await expect(page.get_by_role("dialog")).to_have_count(0)
    hours = (await house.gendei.directory.read(BOA_VIDA))[1].hours
    assert [str(part) for part in hours[1]] == ["13:00-16:00"]


@pytest.mark.slow
async def test_national_holidays_are_taken_over_one_by_one(house):
    page = await house.visit("/settings/hours", GILDA)
    listed = page.get_by_role("region", name="Feriados nacionais")
    await expect(listed.get_by_text("Sexta-feira Santa")).to_be_visible()
    await listed.get_by_role("button", name="Fechar: Sexta-feira Santa").click()
    await listed.get_by_role("button", name="Fechar: Corpus Christi").click()
    await expect(listed.get_by_role("button", name="Fechar: Corpus Christi")).to_have_count(0)
    await review(page)
    await save(page)
    await expect(page.get_by_role("dialog")).to_have_count(0)
    closed = (await house.gendei.directory.read(BOA_VIDA))[1].closed
    assert {date(2027, 3, 26), date(2027, 5, 27)} <= closed


@pytest.mark.slow
async def test_a_wrong_entry_without_a_name_is_told_at_its_field(house):
    page = await house.visit("/settings/messages", GILDA)
    add = page.get_by_role("button", name="Acrescentar lembrete")
    await add.click()
    added = page.get_by_role("region", name="Novo lembrete")
    await added.get_by_label("Horas antes").fill("900")
    await expect(added.get_by_text("Não pode ser maior que 720.")).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
async def test_every_section_fits_its_window(house, size, dark):
    for name, path, _ in PAGES:
        page = await house.visit(path, GILDA, size=size, dark=dark)
        await expect(page.get_by_role("link", name=TEXTS[name], exact=True)).to_be_visible()
        overflow = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        look = f"{'narrow' if size == NARROW else 'wide'}-{'dark' if dark else 'light'}"
        await house.shoot(page, f"settings-{name}-{look}")
        assert overflow <= 0, name
        await page.close()
