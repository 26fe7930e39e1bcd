"""/connect: a number is connected in the browser, with what to do where a step fails."""

import pytest
import pytest_asyncio
from playwright.async_api import expect
from tests.pages.house import APP_SECRET, BOA_VIDA, SORRISO, House, open_house, staff
from tests.pages.second_factor import give_code, with_factor
from tests.pages.stage import NARROW, WIDE
from tests.providers.evolution_simulator import EvolutionSimulator
from tests.providers.zapi_simulator import ZapiSimulator

from gendei.documents import Query
from gendei.providers.stand_in.local_server import serve
from gendei.providers.stand_in.onboarding import StandInNumber
from gendei.staff.access.totp import new_totp_secret
from gendei.staff.actors import Role

GILDA, ANA, OTTO = staff("Gilda"), staff("Ana", role=Role.ATENDENTE), staff("Otto", SORRISO)
APP_ID, ACCOUNT, NUMBER = "1029384756", "300000000000001", "800000000000001"


def evolution():
    fields = {"Nome da instância": "recepcao", "Chave da instância ou do servidor": "key"}
    return EvolutionSimulator({"recepcao": "key"}), fields, "svg"


def zapi():
    fields = {"ID da instância": "recepcao", "Token da instância": "T0KENOFQUAY", "Token de segurança da conta": "c"}
    return ZapiSimulator({"recepcao": "T0KENOFQUAY"}, "c"), fields, "img"


LINKED = {"Evolution API, com o celular da clínica": evolution, "Z-API, com o celular da clínica": zapi}
"""What a phone is linked by: its provider, what it is given, and how the code comes."""


@pytest_asyncio.fixture(loop_scope="session")
async def quay(stage, tmp_path):
    """The house, with an app at Meta and an address where it is reached."""
    app = {"meta_app_id": APP_ID, "meta_signup_config": "5647382910", "public_url": stage.url}
    async with open_house(stage, tmp_path, **app) as house:
        house.graph.onboarding.app_id, house.graph.onboarding.app_secret = APP_ID, APP_SECRET
        yield house
        assert house.complaints == []


async def numbers_of(house: House) -> list[str]:
    return [channel.external_id for channel in (await house.gendei.directory.read(BOA_VIDA))[1].channels]


async def test_by_embedded_signup_with_a_wrong_pin_on_the_way(quay):
    quay.graph.onboarding.account(ACCOUNT, StandInNumber(NUMBER, pin="111222"), StandInNumber("800000000000009"))
    quay.graph.onboarding.signs_up_with = (ACCOUNT,)
    secret = new_totp_secret()
    page = await quay.visit("/connect", with_factor(quay, GILDA, secret))
    await page.get_by_text("WhatsApp oficial, entrando pelo Facebook").click()
    await page.get_by_role("button", name="Começar: WhatsApp oficial, entrando pelo Facebook").click()
    await give_code(page, secret)
    await page.get_by_role("button", name="Entrar com o Facebook").click()
    await expect(page.get_by_text("A conta tem mais de um número.")).to_be_visible()
    await page.get_by_role("button", name="Usar este número").first.click()
    await expect(page.get_by_text("O número já tem um PIN")).to_be_visible()
    await quay.shoot(page, "connect-failing")
    await page.get_by_label("PIN de seis dígitos do número").fill("111222")
    await page.get_by_role("button", name="Tentar de novo").click()
    await expect(page.get_by_text("Conectado", exact=True)).to_be_visible()
    assert NUMBER in await numbers_of(quay)
    outsider = await quay.visit("/connect", OTTO)
    await expect(outsider.get_by_text("Nenhum número está sendo conectado")).to_be_visible()
    clerk = await quay.visit("/connect", ANA)
    await expect(clerk.get_by_text("Conectar um número")).to_have_count(0)


async def test_nothing_is_connected_without_a_second_factor(quay):
    quay.graph.onboarding.account(ACCOUNT, StandInNumber(NUMBER))
    page = await quay.visit("/connect", GILDA)
    await page.get_by_text("WhatsApp oficial, com token e números de identificação").click()
    await page.get_by_label("Identificação do número de telefone").fill(NUMBER)
    await page.get_by_label("Token de acesso").fill(quay.graph.onboarding.token(ACCOUNT))
    await page.get_by_role("button", name="Começar: WhatsApp oficial, com token").click()
    await expect(page.get_by_text("só muda com a verificação em duas etapas")).to_be_visible()
    assert NUMBER not in await numbers_of(quay)
    assert await quay.gendei.documents.query(Query("connections", group=True)) == []


@pytest.mark.slow
@pytest.mark.parametrize("way", LINKED)
async def test_a_phone_is_linked_by_the_code_that_the_page_shows(quay, way):
    provider, fields, shown = LINKED[way]()
    secret = new_totp_secret()
    async with serve(provider.app) as address:
        page = await quay.visit("/connect", with_factor(quay, GILDA, secret))
        await page.get_by_text(way).click()
        begin = page.get_by_role("button", name=f"Começar: {way}")
        asked = page.locator(".o-way").filter(has=begin)
        for label, text in {**fields, "Endereço do servidor": address}.items():
            await asked.get_by_label(label).fill(text)
        await begin.click()
        await give_code(page, secret)
        code = page.get_by_role("img", name="Código para ler com o celular da clínica")
        await expect(code.locator(shown)).to_be_attached()
        await expect(page.get_by_text("Conectado", exact=True)).to_have_count(0)
        outsider = await quay.visit("/connect", OTTO)
        await expect(outsider.get_by_text("Nenhum número está sendo conectado")).to_be_visible()
        provider.scan("recepcao")
        await page.get_by_role("button", name="Tentar de novo").click()
        await expect(page.get_by_text("Conectado", exact=True)).to_be_visible()
        await expect(code).to_have_count(0)
    assert "recepcao" in await numbers_of(quay)
    assert all(f"{quay.url}/webhooks/" in str(told) for told in provider.webhooks.values())
    assert provider.webhooks


@pytest.mark.slow
@pytest.mark.parametrize(("size", "dark"), [(WIDE, False), (NARROW, True)])
async def test_pictures(quay, size, dark):
    quay.graph.onboarding.account(ACCOUNT, StandInNumber(NUMBER))
    secret = new_totp_secret()
    page = await quay.visit("/connect", with_factor(quay, GILDA, secret), size=size, dark=dark)
    await page.get_by_text("WhatsApp oficial, com token e números de identificação").click()
    await page.get_by_label("Identificação do número de telefone").fill(NUMBER)
    await page.get_by_label("Token de acesso").fill(quay.graph.onboarding.token(ACCOUNT))
    await page.get_by_role("button", name="Começar: WhatsApp oficial, com token").click()
    await give_code(page, secret)
    await expect(page.get_by_text("Conectado", exact=True)).to_be_visible()
    await page.get_by_role("button", name="Verificar agora").click()
    await expect(page.get_by_text("boa", exact=True)).to_be_visible()
    await quay.shoot(page, f"connect-{size[0]}")
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
