"""/payments: what came and went, the code before money moves, and only its clinic's managers see it."""

import httpx
import pytest
from playwright.async_api import Page, expect
from tests.journeys.town import unused_tls
from tests.pages.deposit_cast import asked
from tests.pages.house import BOA_VIDA, SORRISO, House, staff
from tests.pages.second_factor import give_code, with_factor
from tests.pages.stage import NARROW, WIDE

from gendei.payments.money_ledger import ChargeState
from gendei.staff.access.totp import new_totp_secret
from gendei.staff.actors import Role
from gendei.web.sessions import LOOPBACK_COOKIE

GILDA, ANA, OTTO = staff("Gilda"), staff("Ana", role=Role.ATENDENTE), staff("Otto", SORRISO)


def of(page: Page, name: str):
    return page.get_by_role("article", name=name)


@pytest.mark.slow
async def test_a_deposit_is_entered_and_given_back_with_the_code_and_its_sums_follow(house: House) -> None:
    charge, other = (
        await asked(house, "Maria Silva", 10, "+5511988880001"),
        await asked(house, "João Souza", 11, "+5511988880002"),
    )
    secret = new_totp_secret()
    page = await house.visit("/agenda?view=day", with_factor(house, GILDA, secret))
    await page.get_by_role("button", name="Sua conta").click()
    await page.get_by_role("link", name="Pagamentos").click()
    await of(page, "Maria Silva").get_by_role("button", name="Foi pago de outro modo").click()
    sheet = page.get_by_role("dialog", name="Foi pago de outro modo")
    await sheet.get_by_label("Por quê").fill("dinheiro")
    await sheet.get_by_role("button", name="Foi pago de outro modo").click()
    await give_code(page, secret)
    await expect(of(page, "Maria Silva").get_by_text("Pago", exact=True)).to_be_visible()
    await of(page, "Maria Silva").get_by_role("button", name="Devolver").click()
    await page.get_by_role("dialog").get_by_label("Valor, até R$ 50,00").fill("20,00")
    await page.get_by_role("dialog").get_by_role("button", name="Devolver").click()
    await of(page, "Maria Silva").get_by_role("button", name="A devolução foi feita").click()
    await page.get_by_role("dialog").get_by_role("button", name="A devolução foi feita").click()
    await expect(page.get_by_role("row", name="23/11/2026 R$ 100,00 R$ 50,00 R$ 20,00")).to_be_visible()
    await of(page, "João Souza").get_by_role("button", name="Dispensar").click()
    await page.get_by_role("dialog").get_by_label("Por quê").fill("retorno")
    await page.get_by_role("dialog").get_by_role("button", name="Dispensar").click()
    await expect(of(page, "João Souza").get_by_text("Dispensado", exact=True).first).to_be_visible()
    await of(page, "Maria Silva").get_by_text("Lançamentos").click()
    await expect(of(page, "Maria Silva").get_by_role("row", name="Devolvido R$ 20,00 Gilda")).to_be_visible()
    for (width, height), name in ((WIDE, "wide"), (NARROW, "narrow")):
        await page.set_viewport_size({"width": width, "height": height})
        assert await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        await house.shoot(page, f"payments-{name}")
    stands = [await house.gendei.payments.collector.charge(BOA_VIDA, each.id) for each in (charge, other)]
    assert [(each.state, each.ledger.held) for each in stands] == [(ChargeState.PAID, 3000), (ChargeState.EXPIRED, 0)]
    assert house.complaints == []


async def test_the_sheet_of_an_appointment_tells_its_deposit(house: House) -> None:
    await asked(house, "Maria Silva", 10, "+5511988880001")
    page = await house.visit("/agenda?view=day&day=2026-11-24", ANA)
    await page.locator(".a-card", has_text="Maria Silva").first.click()
    await expect(page.get_by_role("dialog").get_by_text("R$ 50,00, em aberto, até 23/11")).to_be_visible()


async def test_another_clinic_and_who_does_not_manage_see_nothing(house: House) -> None:
    await asked(house, "Maria Silva", 10, "+5511988880001")
    otto = await house.visit("/payments", OTTO)
    await expect(otto.get_by_text("Nenhum lançamento nesses dias.")).to_be_visible()
    ana = await house.visit("/payments", ANA)
    await expect(ana.get_by_text("Maria Silva")).to_have_count(0)
    found = {}
    async with httpx.AsyncClient(verify=unused_tls()) as client:
        for user in (GILDA, ANA, OTTO, None):
            headers = {"Cookie": f"{LOOPBACK_COOKIE}={await house.sign_in(user)}"} if user else {}
            answer = await client.get(f"{house.url}/payments/list.csv", headers=headers)
            found[user] = (answer.status_code, answer.text.count("\r\n"))
    assert found == {GILDA: (200, 2), ANA: (404, 0), OTTO: (200, 1), None: (404, 0)}
