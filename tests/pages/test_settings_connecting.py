"""/settings: what costs or connects, and its secrets."""

from datetime import timedelta
from types import SimpleNamespace

import pyotp
import pytest
from playwright.async_api import expect
from tests.pages.house import BOA_VIDA
from tests.pages.second_factor import with_factor
from tests.pages.test_settings import GILDA, OTTO, review, save

from gendei.documents import Query, put
from gendei.staff.access.totp import new_totp_secret

CHANGE = """async ([form, body]) => {
  const headers = {"Content-Type": "application/json", "X-CSRF-Token": form};
  const answer = await fetch("/api/v1/clinic/data/changes", {method: "POST", headers, body: JSON.stringify(body)});
  return [answer.status, (await answer.json()).reason ?? ""];
}"""
"""A change by the API, in the session of the page."""


@pytest.mark.slow
async def test_what_costs_or_connects_wants_a_second_factor(house):
    page = await house.visit("/settings/channels", GILDA)
    await expect(page.get_by_role("note").get_by_role("link", name="ativar em Conta e acessos")).to_be_visible()
    await page.get_by_role("textbox", name="Token de acesso").fill("EAAG-novo")
    await review(page)
    await save(page)
    await expect(page.get_by_role("dialog")).to_contain_text("só muda com a verificação em duas etapas")
    assert (await house.gendei.directory.read(BOA_VIDA))[0] == 1
    house.complaints.clear()


@pytest.mark.slow
async def test_a_code_is_asked_for_where_none_was_given_for_ten_minutes(house):
    secret = new_totp_secret()
    page = await house.visit("/settings/channels", with_factor(house, GILDA, secret))
    await page.get_by_label("Conta do WhatsApp Business").fill("123456789")
    await review(page)
    await save(page)
    asked = page.get_by_role("dialog", name="Confirme que é você")
    await asked.get_by_label("Código do aplicativo").fill("000000")
    await asked.get_by_role("button", name="Continuar").click()
    await expect(asked.get_by_text("O código não está certo.")).to_be_visible()
    await asked.get_by_label("Código do aplicativo").fill(pyotp.TOTP(secret).now())
    await asked.get_by_role("button", name="Continuar").click()
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await expect(page.get_by_label("Conta do WhatsApp Business")).to_have_value("123456789")
    assert (await house.gendei.directory.read(BOA_VIDA))[0] == 2

    [session] = await house.gendei.documents.query(Query("gendei_sessions"))
    form = house.gendei.staff.sessions.form_token(SimpleNamespace(id=session.id))
    budget = {"field": "language_model.daily_budget_usd", "value": 3}
    assert await page.evaluate(CHANGE, [form, {"version": 2, "fields": [budget]}]) == [200, ""]
    proved = session.data["provedAt"] - timedelta(minutes=10)
    await house.gendei.documents.commit([put(session.path, {**session.data, "provedAt": proved})])
    house.gendei.staff.sessions._recent.clear()
    template = {"field": "templates.moved", "value": {"name": "mudou"}}
    plain = {"field": "notes", "value": "Há vagas."}
    refused = await page.evaluate(CHANGE, [form, {"version": 3, "fields": [plain, template]}])
    assert refused == [403, "second_factor_needed"]
    assert await page.evaluate(CHANGE, [form, {"version": 3, "fields": [plain]}]) == [200, ""]
    house.complaints.clear()


@pytest.mark.slow
async def test_a_secret_is_written_and_never_shown(house):
    secret = new_totp_secret()
    page = await house.visit("/settings/channels", with_factor(house, GILDA, secret))
    token = page.get_by_role("textbox", name="Token de acesso")
    await expect(token).to_have_value("")
    await expect(page.get_by_text("Guardado, não é mostrado").first).to_be_visible()
    await token.fill("EAAG-novo")
    await review(page)
    await expect(page.get_by_role("dialog")).to_contain_text("outro segredo")
    await save(page)
    asked = page.get_by_role("dialog", name="Confirme que é você")
    await asked.get_by_label("Código do aplicativo").fill(pyotp.TOTP(secret).now())
    await asked.get_by_role("button", name="Continuar").click()
    await expect(page.get_by_role("dialog")).to_have_count(0)
    channel = (await house.gendei.directory.read(BOA_VIDA))[1].channels[0]
    assert house.gendei.secrets.open_channel(channel, "access_token") == "EAAG-novo"
    assert "EAAG" not in await page.content()


@pytest.mark.slow
async def test_the_chat_of_the_web_site_has_its_snippet_and_its_preview(house):
    page = await house.visit("/settings/channels", GILDA)
    await expect(page.get_by_text(f'src="{house.url}/widget.js" data-site="boa-vida"')).to_be_visible()
    await page.get_by_role("button", name="Ver como fica").click()
    await page.locator("iframe").evaluate("frame => frame.scrollIntoView()")
    chat = page.frame_locator("iframe")
    await chat.get_by_role("button", name="Conversar").click()
    await expect(chat.get_by_role("dialog")).to_be_visible()
    outside = await house.visit("/settings", OTTO)
    answer = await outside.request.get(f"{house.url}/settings/site-preview?site=boa-vida")
    assert answer.status == 404
