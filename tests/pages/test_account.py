"""The account, the team, tokens, canned replies and the audit: for whom, and of no other clinic."""

import asyncio
import logging
from dataclasses import replace
from datetime import timedelta
from urllib.parse import quote

import pyotp
import pytest
import segno
from argon2 import PasswordHasher
from nicegui import Client
from playwright.async_api import Page, expect
from tests.pages.house import BOA_VIDA, NOW, SORRISO, House, staff
from tests.pages.stage import NARROW, WIDE
from tests.pages.test_patients import book

from gendei.documents import put
from gendei.staff.access.totp import totp_uri
from gendei.staff.access.users import USER, User, user_path
from gendei.staff.actors import NO_CLINIC, Actor, Role, terminal
from gendei.staff.audit import PAGE, Action, audit_write
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.site import site_in

pytestmark = pytest.mark.slow

PASSWORD, NEW = "girassol na janela", "gerânio no quintal"
GILDA, ANA = staff("Gilda"), staff("Ana", role=Role.ATENDENTE)
OTTO = staff("Otto", SORRISO)
OLGA = staff("Olga", NO_CLINIC, Role.OPERADOR)
SCRIPT = "<script>window.broken=1</script>"


def with_password(user: User) -> User:
    """Who has PASSWORD, hashed at the least cost."""
    hashed = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PASSWORD)
    return replace(user, password_hash=hashed)


async def hired(house: House, *users: User) -> None:
    """These have accounts."""
    await house.gendei.documents.commit([put(user_path(user.id), USER.write(user)) for user in users])


async def stored(house: House, user: User) -> User:
    return await house.gendei.staff.accounts.find(terminal(), user.id)


async def sign_in_on(page: Page, user: User, password: str) -> None:
    await page.get_by_label("E-mail").fill(user.id)
    await page.get_by_label("Senha").fill(password)
    await page.get_by_role("button", name="Entrar").click()


async def test_the_password_is_changed_with_the_old_one_and_asked_for_anew(house):
    page = await house.visit("/account", with_password(ANA))
    await page.get_by_label("Senha atual").first.fill(PASSWORD)
    await page.get_by_label("Senha nova", exact=True).fill(NEW)
    await page.get_by_label("Senha nova, outra vez").fill(NEW)
    await page.get_by_role("button", name="Trocar a senha").click()
    await expect(page).to_have_url(f"{house.url}/login?next=/account")
    await sign_in_on(page, ANA, NEW)
    await expect(page.get_by_role("heading", name="Conta e acessos")).to_be_visible()


@pytest.mark.parametrize(
    ("old", "new", "again", "said"),
    [
        ("outra coisa", NEW, NEW, "A senha atual não está certa."),
        (PASSWORD, "senha12345", "senha12345", "Senha fácil demais."),
        (PASSWORD, NEW, f"{NEW}!", "As duas senhas novas não são iguais."),
    ],
)
async def test_why_a_password_is_not_changed_is_said(house, old, new, again, said):
    page = await house.visit("/account", with_password(ANA))
    await page.get_by_label("Senha atual").first.fill(old)
    await page.get_by_label("Senha nova", exact=True).fill(new)
    await page.get_by_label("Senha nova, outra vez").fill(again)
    await page.get_by_role("button", name="Trocar a senha").click()
    await expect(page.get_by_text(said)).to_be_visible()
    assert (await stored(house, ANA)).epoch == ANA.epoch


async def test_a_second_factor_is_set_up_with_its_code(house):
    page = await house.visit("/account", with_password(ANA))
    await page.get_by_role("button", name="Ligar o segundo fator").click()
    panel = page.get_by_role("region", name="Segundo fator")
    secret = (await panel.locator("code").inner_text()).replace(" ", "")
    picture = panel.get_by_role("img", name="Código QR com a chave do segundo fator")
    drawn = segno.make(totp_uri(secret, ANA.id), error="m").svg_inline(border=4, light="#fff", omitsize=True)
    assert await picture.locator("path.qrline").get_attribute("d") in drawn
    await expect(picture).to_be_visible()
    await panel.get_by_label("Código de 6 números").fill(pyotp.TOTP(secret).now())
    await panel.get_by_label("Senha atual").fill(PASSWORD)
    await panel.get_by_role("button", name="Conferir e ligar").click()
    await expect(page).to_have_url(f"{house.url}/login?next=/account")
    assert (await stored(house, ANA)).totp is not None


async def test_a_manager_makes_a_colleague_gestor(house):
    await house.sign_in(ANA)
    page = await house.visit("/account/team", GILDA)
    await page.get_by_role("button", name="Tornar gestor: Ana").click()
    await page.get_by_role("dialog").get_by_role("button", name="Tornar gestor").click()
    await expect(page.get_by_role("button", name="Tornar atendente: Ana")).to_be_visible()
    assert (await stored(house, ANA)).role is Role.GESTOR


async def test_another_session_of_ones_own_is_ended(house):
    elsewhere = await house.visit("/account", ANA)
    page = await house.visit("/account", ANA)
    await page.get_by_role("button", name="Encerrar").click()
    await expect(page.get_by_text("Este aqui")).to_have_count(1)
    await expect(page.get_by_role("button", name="Encerrar")).to_have_count(0)
    await elsewhere.reload()
    await expect(elsewhere).to_have_url(f"{house.url}/login?next=%2Faccount")


async def test_a_manager_adds_a_colleague_who_gets_in_with_what_is_shown_once(house):
    page = await house.visit("/account/team", GILDA)
    await page.get_by_label("Nome que pacientes e colegas veem").fill("Bia")
    await page.get_by_label("E-mail").fill("bia@boa-vida.test")
    await page.get_by_role("button", name="Criar conta").click()
    password = await page.get_by_role("dialog").locator("code").inner_text()
    await page.get_by_role("button", name="Pronto").click()
    await expect(page.get_by_role("group", name="Bia")).to_contain_text("Atendente")
    await expect(page.get_by_text(password)).to_have_count(0)
    door = await house.visit("/login?next=/account")
    await sign_in_on(door, staff("Bia"), password)
    await expect(door.get_by_role("heading", name="Conta e acessos")).to_be_visible()


async def test_a_colleague_is_kept_out_and_let_in_again(house):
    await hired(house, ANA)
    page = await house.visit("/account/team", GILDA)
    await page.get_by_role("button", name="Desativar: Ana").click()
    await page.get_by_role("dialog").get_by_role("button", name="Desativar").click()
    await expect(page.get_by_role("group", name="Ana")).to_contain_text("Desativado")
    assert (await stored(house, ANA)).disabled
    await page.get_by_role("button", name="Reativar: Ana").click()
    await expect(page.get_by_role("button", name="Desativar: Ana")).to_be_visible()


async def test_the_team_stands_in_the_order_of_its_names(house):
    team = [
        replace(ANA, address=f"{place}@boa-vida.test", name=name) for place, name in enumerate(("Zoé", "bia", "Ângela"))
    ]
    await hired(house, GILDA, *team)
    page = await house.visit("/account/team", GILDA)
    listed = page.get_by_role("region", name="Usuários").get_by_role("group")
    told = await listed.evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")
    assert told == ["Ângela", "bia", "Gilda", "Zoé"]


async def test_the_team_of_another_clinic_is_not_there(house):
    await hired(house, GILDA, ANA)
    page = await house.visit("/account/team", OTTO)
    await expect(page.get_by_role("region", name="Usuários").get_by_role("group")).to_have_count(1)
    await expect(page.get_by_text("Gilda")).to_have_count(0)


async def test_a_name_that_is_script_is_text(house):
    await hired(house, replace(ANA, name=SCRIPT))
    page = await house.visit("/account/team", GILDA)
    await expect(page.get_by_text(SCRIPT).first).to_be_visible()
    assert await page.evaluate("window.broken") is None


async def test_a_token_is_shown_once_works_and_is_revoked(house):
    page = await house.visit("/account/tokens", GILDA)
    await page.get_by_label("Para que serve").fill("Site da clínica")
    await page.get_by_role("button", name="Criar chave").click()
    secret = await page.get_by_role("dialog").locator("code").inner_text()
    await page.get_by_role("button", name="Já copiei").click()
    await expect(page.get_by_text("Site da clínica")).to_be_visible()
    await expect(page.get_by_text(secret)).to_have_count(0)
    actor = await house.gendei.staff.tokens.actor_of(secret)
    assert (actor.clinic_id, sorted(actor.rights)) == (BOA_VIDA, ["read"])
    await page.get_by_role("button", name="Revogar: Site da clínica").click()
    await page.get_by_role("dialog").get_by_role("button", name="Revogar").click()
    await expect(page.get_by_text("Nenhuma chave.")).to_be_visible()
    assert await house.gendei.staff.tokens.actor_of(secret) is None


async def test_a_page_that_is_left_with_a_token_on_it_ends_quietly(house, caplog):
    page = await house.visit("/account/tokens", GILDA)
    await page.get_by_label("Para que serve").fill("Site da clínica")
    await page.get_by_role("button", name="Criar chave").click()
    await expect(page.get_by_role("dialog").locator("code")).to_be_visible()
    [client] = [value for value in Client.instances.values() if site_in(value.request.scope).gendei is house.gendei]
    await page.goto("about:blank")
    client.delete()
    for _ in range(5):
        await asyncio.sleep(0)
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []


async def test_canned_replies_are_written_and_one_with_an_unknown_space_is_refused(house):
    page = await house.visit("/account/replies", GILDA)
    await page.get_by_role("button", name="Acrescentar").click()
    new = page.get_by_role("group", name="Nova resposta")
    await new.get_by_label("Título").fill("Estacionamento")
    await new.get_by_label("Texto").fill("Há vagas, {pacient}.")
    await page.get_by_role("button", name="Salvar").click()
    await expect(page.get_by_text("Não foi salvo")).to_be_visible()
    await new.get_by_label("Texto").fill("Há vagas, {paciente}.")
    await page.get_by_role("button", name="Salvar").click()
    await expect(page.get_by_text("Salvo.", exact=True)).to_be_visible()
    mine, theirs = [await kept(house, item.actor()) for item in (GILDA, OTTO)]
    assert ("Estacionamento" in mine, "Estacionamento" in theirs) == (True, False)


async def test_canned_replies_are_put_in_another_order_and_removed(house):
    page = await house.visit("/account/replies", GILDA)
    before = await kept(house, GILDA.actor())
    await page.get_by_role("button", name=f"Mover para cima: {before[2]}").click()
    await page.get_by_role("button", name=f"Mover para baixo: {before[3]}").click()
    await page.get_by_role("button", name=f"Remover: {before[0]}").click()
    await expect(page.get_by_role("group")).to_have_count(len(before) - 1)
    await house.shoot(page, "account-replies")
    await page.get_by_role("button", name="Salvar").click()
    await expect(page.get_by_text("Salvo.", exact=True)).to_be_visible()
    _, second, third, fourth, *more = before
    assert await kept(house, GILDA.actor()) == [third, second, *more, fourth]


async def kept(house: House, actor: Actor) -> list[str]:
    return [item.title for item in await house.gendei.front_desk.canned.list(actor)]


async def deeds(house: House, count: int, subject: str = "paciente") -> None:
    """So many deeds of Ana's, one a write."""
    clock, documents = house.gendei.clock, house.gendei.documents
    for _ in range(count):
        await documents.commit([audit_write(ANA.actor(), Action.PATIENT_READ, subject, clock())])


async def test_the_audit_is_searched_and_read_page_by_page(house):
    await deeds(house, PAGE + 3)
    await deeds(house, 1, SCRIPT)
    page = await house.visit("/audit", GILDA)
    rows = page.locator("tbody tr")
    await expect(rows).to_have_count(PAGE)
    await page.get_by_role("button", name="Mostrar mais").click()
    await expect(rows).to_have_count(PAGE + 4)
    await page.get_by_label("A quem ou a quê (nome, telefone ou código)").fill(SCRIPT)
    await page.get_by_role("button", name="Procurar").click()
    await expect(rows).to_have_count(1)
    await expect(rows).to_contain_text(["Viu o cadastro"])
    await expect(rows.get_by_role("link")).to_have_attribute("href", f"/patients/{quote(SCRIPT, safe='')}")
    assert await page.evaluate("window.broken") is None


async def test_another_clinics_audit_is_empty(house):
    await deeds(house, 1)
    page = await house.visit("/audit", OTTO)
    await expect(page.get_by_text("Nada encontrado.")).to_be_visible()


@pytest.mark.parametrize("path", ["/account/team", "/account/replies", "/audit"])
async def test_who_does_not_manage_reads_that_kindly(house, path):
    page = await house.visit(path, ANA)
    await expect(page.get_by_text("Sua conta não tem acesso a esta página.")).to_be_visible()
    await expect(page.get_by_role("button", name="Salvar")).to_have_count(0)


async def test_an_operator_without_a_clinic_has_an_account_too(house):
    page = await house.visit("/account", OLGA)
    await expect(page.get_by_role("region", name="Você", exact=True)).to_contain_text("Operador")


@pytest.mark.parametrize("size", [WIDE, NARROW])
@pytest.mark.parametrize("path", ["/account", "/account/team", "/account/tokens", "/account/replies", "/audit"])
async def test_nothing_sticks_out(house, path, size):
    page = await house.visit(path, GILDA, size=size)
    await expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_every_deed_has_its_words():
    assert [value for value in Action if value not in page_texts("audit")] == []


async def test_what_was_changed_is_told_in_words(house):
    clock, documents = house.gendei.clock, house.gendei.documents
    detail = {"professionalId": "ana", "start": NOW, "came_from": {"professionalId": "ana"}, "status": "confirmed"}
    await documents.commit([audit_write(ANA.actor(), Action.MOVED, "a1", clock(), **detail)])
    page = await house.visit("/audit", GILDA)
    ana = "profissional: Dra. Ana Souza"
    told = f"{ana} · início: 23/11/2026 09:00 · antes: ({ana}) · estado: Marcada"
    await expect(page.get_by_role("cell", name=told)).to_be_visible()
    link = page.get_by_role("cell", name="a1").get_by_role("link")
    await expect(link).to_have_attribute("href", "/agenda?day=2026-11-23&professional=ana")


async def test_the_audit_names_patients_and_is_narrowed_by_day(house):
    await house.sign_in(ANA)
    visit = await book(house)
    clock, documents = house.gendei.clock, house.gendei.documents
    for action, subject in ((Action.PATIENT_READ, visit.patient_id), (Action.STATUS_SET, visit.id)):
        await documents.commit([audit_write(ANA.actor(), action, subject, clock())])
    clock.move_to(NOW + timedelta(days=1))
    await deeds(house, 1)
    page = await house.visit("/audit", GILDA)
    rows = page.locator("tbody tr")
    await expect(rows).to_have_count(3)
    await expect(rows.filter(has_text="Viu o cadastro").get_by_role("link", name="Maria Souza")).to_be_visible()
    await expect(rows.filter(has_text="Mudou o estado")).to_contain_text("Maria Souza")
    await page.get_by_label("Até").fill("2026-11-23")
    await page.get_by_role("button", name="Procurar").click()
    await expect(rows).to_have_count(2)
    await page.get_by_label("A quem ou a quê").fill("maria souza")
    await page.get_by_label("Pessoa").fill("ana")
    await page.get_by_role("button", name="Procurar").click()
    await expect(rows).to_have_text(
        ["23/11/2026 09:00Anaana@boa-vida.testViu o cadastroMaria Souza" + visit.patient_id]
    )
    await page.get_by_label("De", exact=True).fill("2026-11-24")
    await page.get_by_role("button", name="Procurar").click()
    await expect(page.get_by_text("Nada encontrado.")).to_be_visible()
