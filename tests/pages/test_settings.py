"""/settings: the clinic's data as forms, checked as one types, reviewed before it is saved, undone from the history."""

from dataclasses import replace

import pytest
from playwright.async_api import expect
from tests.pages.house import BOA_VIDA, SORRISO, House, staff
from tests.pages.stage import NARROW, WIDE
from tests.pages.test_patients import book

from gendei.clinics.file import ClinicYaml
from gendei.staff.actors import RIGHTS, Actor, Role
from gendei.staff.clinic_changes.editing import Edit
from gendei.web.pages.clinic_settings.form import TEXTS, help_of
from gendei.web.pages.clinic_settings.kinds import Kind, entry_model, said, specs_of, typed
from gendei.web.pages.clinic_settings.page import LISTS, PAGES, SECTIONS

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


async def test_a_wrong_value_is_told_beside_its_field_as_one_types(house):
    page = await house.visit("/settings/services", GILDA)
    await page.get_by_label("Duração em minutos").first.fill("3")
    await expect(page.get_by_text("Não pode ser menor que 5. Escreva 5 ou mais.")).to_be_visible()
    await review(page)
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await page.get_by_label("Duração em minutos").first.fill("45")
    await expect(page.get_by_text("Não pode ser menor que 5.")).to_be_hidden()


async def test_what_a_change_does_with_what_is_booked_is_shown_before_it_is_saved(house):
    await book(house)
    page = await house.visit("/settings/services", GILDA)
    await page.get_by_label("Preço em reais").first.fill("300,00")
    await review(page)
    told = page.get_by_role("dialog").get_by_text("1 horário marcado continua com o preço que tinha.")
    await expect(told).to_be_visible()
    await expect(page.get_by_role("dialog")).to_contain_text("R$ 250,00 → R$ 300,00")


async def test_who_changes_what_another_changed_meanwhile_sees_both_and_decides(house):
    page = await house.visit("/settings", GILDA)
    await page.get_by_label("Nome", exact=True).fill("De Gilda")
    await change(house, 1, "name", "De Bia")
    await review(page)
    sheet = page.get_by_role("dialog")
    await expect(sheet).to_contain_text("agora De Bia (Bia, 23/11/2026")
    await expect(sheet).to_contain_text("o seu: De Gilda")
    await sheet.get_by_role("button", name="Salvar o meu").click()
    await expect(sheet).to_be_hidden()
    assert await name_of(house) == "De Gilda"


async def test_who_takes_what_another_changed_keeps_the_rest_of_what_they_wrote(house):
    page = await house.visit("/settings", GILDA)
    await page.get_by_label("Nome", exact=True).fill("De Gilda")
    await page.get_by_label("Endereço").fill("Rua de Gilda, 1")
    await change(house, 1, "name", "De Bia")
    await review(page)
    await page.get_by_role("dialog").get_by_role("button", name="Ficar com o de agora").click()
    await expect(page.get_by_label("Endereço")).to_have_value("Rua de Gilda, 1")
    await expect(page.get_by_label("Nome", exact=True)).to_have_value("De Bia")
    clinic = (await house.gendei.directory.read(BOA_VIDA))[1]
    assert (clinic.name, clinic.address) == ("De Bia", "Rua de Gilda, 1")


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


async def test_a_clinic_that_is_kept_in_its_file_is_shown_and_not_changed(house):
    clinic = await house.gendei.directory.get(BOA_VIDA)
    await house.gendei.directory.import_clinic(replace(clinic, kept_in_file=True))
    page = await house.visit("/settings", GILDA)
    await expect(page.get_by_text("são mantidos em um arquivo")).to_be_visible()
    await expect(page.get_by_label("Nome", exact=True)).to_be_disabled()
    await expect(page.get_by_role("button", name="Ver o que muda")).to_have_count(0)


async def test_only_who_manages_sees_the_settings_and_only_their_own(house):
    page = await house.visit("/settings", ANA)
    await expect(page.get_by_text("Sua conta não tem acesso a esta página.")).to_be_visible()
    other = await house.visit("/settings", OTTO)
    await expect(other.get_by_label("Nome", exact=True)).to_have_value("Sorriso Odontologia")


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


def specs():
    for names in SECTIONS.values():
        for name in names:
            yield from specs_of(ClinicYaml, name)
    for group in LISTS:
        model = entry_model(ClinicYaml, group)
        for field in model.model_fields:
            if field != "id":
                yield from specs_of(model, field, (group, "x"), group)


@pytest.mark.parametrize("spec", list(specs()), ids=lambda spec: spec.key)
def test_every_field_has_its_label_and_its_help(spec):
    assert TEXTS[spec.key]
    assert help_of(spec) or TEXTS[f"{spec.key.rpartition('.')[0]}_help"]


@pytest.mark.parametrize(
    ("kind", "written", "value"),
    [
        (Kind.MONEY, "R$ 1.250,50", 125050),
        (Kind.MONEY, "250", 25000),
        (Kind.MONEY, "2,5", "2,5"),
        (Kind.NUMBER, "-23,5", -23.5),
        (Kind.NUMBER, "x", "x"),
        (Kind.HOURS, "8h às 12h30 e 14-18", ["08:00-12:30", "14:00-18:00"]),
        (Kind.HOURS, "manhã", ["manhã"]),
        (Kind.DAYS, "25/12/2026, 2027-01-01", ["2026-12-25", "2027-01-01"]),
        (
            Kind.AWAY,
            "21/12/2026 a 08/01/2027: Férias",
            [{"start": "2026-12-21", "end": "2027-01-08", "reason": "Férias"}],
        ),
        (Kind.AWAY, "21/12/2026 14:00 a 22/12/2026", [{"start": "2026-12-21 14:00", "end": "2026-12-22"}]),
        (Kind.LINES, " a \n\nb", ["a", "b"]),
        (Kind.TEXT, " ", None),
        (Kind.CHOICES, [], None),
    ],
)
def test_what_is_typed_becomes_what_the_file_has_and_back(kind, written, value):
    assert said(kind, written) == value
    if value is not None and value != written and not isinstance(value, float):
        assert said(kind, typed(kind, value)) == value
