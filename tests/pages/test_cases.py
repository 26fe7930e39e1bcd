""" "Isto foi errado": an answer becomes a test of the clinic, which staff see on /cases."""

import pytest
from playwright.async_api import expect
from tests.pages.house import BOA_VIDA, SORRISO, House, open_house, staff
from tests.pages.stage import NARROW, WIDE

from gendei.cases.case import LastResult, Wanted
from gendei.clinic import ClinicId
from gendei.datafile import data_dir
from gendei.evaluation.clinic_cases import keep_results, kept_cases
from gendei.evaluation.trials import Plan, run
from gendei.staff.actors import Role
from gendei.staff.clinic_cases import keep_result, stored_cases

GILDA, ANA, OTTO = staff("Gilda"), staff("Ana", role=Role.ATENDENTE), staff("Otto", SORRISO)
ZULEIDE = "+5511999990077"
SCRIPT = "<img src=x onerror=window.broken=1>"


async def test_an_answer_that_was_wrong_becomes_a_test_and_its_result_is_seen(house: House) -> None:
    await house.write(ZULEIDE, "Oi, sou a Zuleide Tatagiba, vocês têm wifi?")
    page = await house.visit(f"/inbox?contact={ZULEIDE.replace('+', '%2B')}", ANA)
    await page.get_by_role("button", name="Isto foi errado").last.click()
    sheet = page.get_by_role("dialog", name="O que estaria certo?")
    await expect(sheet).to_contain_text("vocês têm wifi?")
    await expect(sheet).not_to_contain_text("Tatagiba")
    await sheet.get_by_role("button", name="Criar o teste").click()
    await expect(sheet.get_by_role("alert")).to_contain_text("Escreva o que a resposta tem de dizer.")
    await sheet.get_by_label("O que a resposta tem de dizer").fill(f"a senha está na recepção\n{SCRIPT}")
    await house.shoot(page, "cases-dialog")
    await sheet.get_by_role("button", name="Criar o teste").click()
    await expect(page.get_by_role("link", name="Virou um teste")).to_be_visible()

    [case] = await stored_cases(house.gendei.documents, BOA_VIDA)
    assert case.wanted is Wanted.ANSWER
    result = LastResult(house.gendei.clock(), "guided", ("not_said: a senha está na recepção",))
    await keep_result(house.gendei.documents, case, result)
    await page.goto(f"{house.url}/cases")
    article = page.get_by_role("article")
    await expect(article).to_contain_text("Ainda falha")
    await expect(article).to_contain_text("Não disse: a senha está na recepção")
    await expect(article.get_by_role("button", name="Apagar")).to_have_count(0)
    assert await page.evaluate("window.broken") is None

    theirs = await house.visit("/cases", OTTO)
    await expect(theirs.get_by_text("Nenhuma resposta foi marcada como errada.")).to_be_visible()
    manager = await house.visit("/cases", GILDA)
    await house.shoot(manager, "cases-wide")
    await manager.get_by_role("article").get_by_role("button", name="Apagar").click()
    await manager.get_by_role("dialog").get_by_role("button", name="Apagar").click()
    await expect(manager.get_by_text("Nenhuma resposta foi marcada como errada.")).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_nothing_sticks_out(house: House, size) -> None:
    await house.write(ZULEIDE, "quero falar com uma pessoa")
    page = await house.visit(f"/inbox?contact={ZULEIDE.replace('+', '%2B')}", GILDA, size=size)
    await page.get_by_role("button", name="Isto foi errado").last.click()
    await page.get_by_role("dialog").get_by_text("Tinha de perguntar").click()
    await page.get_by_role("dialog").get_by_role("button", name="Criar o teste").click()
    await expect(page.get_by_role("link", name="Virou um teste")).to_be_visible()
    await expect(page.get_by_text("Leia o que pediram antes").first).to_be_visible()
    assert await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    await house.shoot(page, f"inbox-reason-{size[0]}")
    for path in ("/cases", "/numbers"):
        await page.goto(house.url + path)
        await expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        await house.shoot(page, f"{path.strip('/')}-{size[0]}")


@pytest.mark.slow
async def test_a_case_is_played_from_its_page_as_the_clinic_is_today(stage, tmp_path) -> None:
    kept: list[House] = []

    async def play(clinic_id: ClinicId, case_id: str) -> None:
        """As the service does in a process of its own, which could not open a store in memory."""
        gendei = kept[0].gendei
        clinic = await gendei.directory.get(clinic_id)
        assert clinic is not None
        own = await kept_cases(gendei.documents, [clinic])
        cases = [case for case in own.cases if case.id.endswith(f"{clinic_id}/{case_id}")]
        trials = await run(gendei.settings, data_dir("evals"), Plan(cases, clinics=own.clinics))
        await keep_results(gendei.documents, own.kept, trials, gendei.clock(), "guided")

    async with open_house(stage, tmp_path, play_case=play) as house:
        kept.append(house)
        await house.write(ZULEIDE, "vocês têm wifi?")
        page = await house.visit(f"/inbox?contact={ZULEIDE.replace('+', '%2B')}", ANA)
        await page.get_by_role("button", name="Isto foi errado").last.click()
        await page.get_by_role("dialog").get_by_label("O que a resposta tem de dizer").fill("a senha está na recepção")
        await page.get_by_role("dialog").get_by_role("button", name="Criar o teste").click()
        await expect(page.get_by_role("link", name="Virou um teste")).to_be_visible()
        await page.goto(f"{house.url}/cases")
        await page.get_by_role("button", name="Testar agora").click()
        article = page.get_by_role("article")
        await expect(article).to_contain_text("Não disse: a senha está na recepção", timeout=60_000)
        theirs = await house.visit("/cases", OTTO)
        await expect(theirs.get_by_role("button", name="Testar agora")).to_have_count(0)
