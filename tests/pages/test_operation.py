"""The operator's pages: the deployment's clinics, numbers, queue, models and users; closed to clinics."""

import re
from dataclasses import replace
from shutil import copytree

import pytest
from agents.testing import ScriptedModel
from playwright.async_api import expect
from tests.attached.records import records_server
from tests.pages.house import BOA_VIDA, NOW, SORRISO, House, open_house, staff
from tests.pages.stage import NARROW, WIDE
from tests.receptionist.scripted import OneModel

from gendei.clinic import Contact
from gendei.clinic_services import McpServer
from gendei.conversation.outbound.channel_states import ChannelStates, Scope
from gendei.conversation.outbound.outbox_entry import OUTBOX_ENTRY, Deliveries, enqueue
from gendei.conversation.stored.conversation import CONVERSATION, Conversation
from gendei.conversation.stored.history import Author
from gendei.datafile import data_dir
from gendei.documents import put
from gendei.messages.replies import Reply
from gendei.receptionist.llm.models import ApiModels
from gendei.receptionist.tools.registry import FAILURES_IN_A_ROW
from gendei.staff.actors import NO_CLINIC, Role, terminal
from gendei.staff.audit import Action

pytestmark = pytest.mark.slow

OLGA = staff("Olga", NO_CLINIC, Role.OPERADOR)
WORDS = "segredo da paciente <script>window.broken=1</script>"
PAGES = ["/operator", "/operator/queue", "/operator/system", "/operator/users"]


async def failed_message(house: House) -> str:
    """Of Boa Vida's; the id of its entry."""
    conversation = Conversation(BOA_VIDA, Contact("+5511999995555"), NOW, NOW, provider="meta", external_id="1")
    said, writes = enqueue(conversation, [Reply(WORDS)], author=Author.BOT, now=NOW)
    entry = OUTBOX_ENTRY.read(writes[0].data or {}, id="").claimed("us", NOW).failed("131026 <b>no</b>", NOW)
    path = writes[0].path
    await house.gendei.documents.commit(
        [put(path, OUTBOX_ENTRY.write(entry)), writes[1], put(said.key.path, CONVERSATION.write(said))]
    )
    return path.rpartition("/")[2]


async def audited(house: House, action: Action) -> list[tuple[str, str]]:
    found = await house.gendei.staff.audit.search(terminal(BOA_VIDA), action=action)
    return [(entry.user_id, entry.subject) for entry in found]


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("role", [Role.ATENDENTE, Role.GESTOR])
async def test_clinics_find_the_operators_pages_closed(house, path, role):
    page = await house.visit(path, staff("Gilda", role=role))
    await expect(page.get_by_text("Sua conta não tem acesso a esta página.")).to_be_visible()
    await expect(page.get_by_text("Sorriso")).to_have_count(0)


async def test_who_chose_a_clinic_acts_for_it_and_leaves_it_again(house):
    page = await house.visit("/operator", OLGA)
    boa_vida = page.get_by_role("region", name="Clínica Boa Vida")
    await boa_vida.get_by_role("button", name="Atuar por esta clínica").click()
    await expect(page).to_have_url(f"{house.url}/inbox")
    assert await audited(house, Action.CLINIC_CHOSEN) == [(OLGA.id, OLGA.id)]
    await page.goto("/operator")
    await expect(page.get_by_text("Você está atuando pela Clínica Boa Vida.")).to_be_visible()
    await page.get_by_role("button", name="Sair desta clínica").click()
    await expect(page.get_by_role("button", name="Atuar por esta clínica")).to_have_count(2)


async def test_a_stopped_number_says_why_and_is_let_send_again(house):
    clinic = await house.gendei.directory.get(BOA_VIDA)
    states = ChannelStates(house.gendei.documents, house.gendei.clock, Deliveries())
    await states.stop(BOA_VIDA, clinic.channels[0], "131031 account locked", Scope.ALL)
    page = await house.visit("/operator", OLGA)
    boa_vida = page.get_by_role("region", name="Clínica Boa Vida")
    await expect(boa_vida).to_contain_text("131031 account locked")
    await boa_vida.get_by_role("button", name="Religar").click()
    await expect(boa_vida.get_by_text("Envia", exact=True)).to_have_count(len(clinic.channels))
    assert await audited(house, Action.CHANNEL_RESUMED) == [(OLGA.id, clinic.channels[0].external_id)]


async def test_a_number_says_when_a_patient_last_wrote(house):
    await house.write("+5511999990001", "Oi")
    page = await house.visit("/operator", OLGA)
    await expect(page.get_by_role("region", name="Clínica Boa Vida")).to_contain_text(
        "Última mensagem de paciente: 23/11/2026 09:0"
    )
    await expect(page.get_by_role("region", name="Sorriso")).to_contain_text("nenhuma nas conversas recentes")


async def test_what_failed_is_shown_without_its_words_and_given_up(house):
    item = await failed_message(house)
    page = await house.visit("/operator/queue", OLGA)
    row = page.get_by_role("group", name=item)
    await expect(row).to_contain_text("O WhatsApp não conseguiu entregar.")
    await expect(row).to_contain_text("131026 <b>no</b>")
    await expect(row).to_contain_text(" 1 tentativa ")
    await expect(page.get_by_text("segredo")).to_have_count(0)
    await row.get_by_role("button", name="Desistir").click()
    await page.get_by_role("dialog").get_by_role("button", name="Desistir").click()
    await expect(page.get_by_text("Nada espera e nada falhou.")).to_be_visible()
    assert await audited(house, Action.QUEUE_DROPPED) == [(OLGA.id, item)]


async def test_what_failed_is_tried_again(house):
    item = await failed_message(house)
    page = await house.visit("/operator/queue", OLGA)
    await page.get_by_role("group", name=item).get_by_role("button", name="Tentar de novo").click()
    await expect(page.get_by_role("button", name="Tentar de novo")).to_have_count(0)
    assert await audited(house, Action.QUEUE_REPLAYED) == [(OLGA.id, item)]


async def test_what_somebody_else_has_settled_is_refused_in_words(house):
    item = await failed_message(house)
    page = await house.visit("/operator/queue", OLGA)
    await house.gendei.operation.drop(terminal(), [item])
    await page.get_by_role("button", name="Tentar de novo").click()
    await expect(page.get_by_text("Isto já não é possível")).to_be_visible()


async def test_the_system_says_who_answers_what_is_configured_and_what_the_store_is(house):
    page = await house.visit("/operator/system", OLGA)
    await expect(page.get_by_role("region", name="Quem responde")).to_contain_text("Atendimento guiado")
    await expect(page.get_by_role("region", name="Configuração")).to_contain_text("Tudo certo")
    await expect(page.get_by_role("region", name="Banco de dados e processo")).to_contain_text("sqlite:///:memory:")


async def test_the_system_says_in_portuguese_what_became_wrong_with_its_files(stage, tmp_path):
    verticals = copytree(data_dir("verticals", None), tmp_path / "verticals")
    async with open_house(stage, tmp_path, verticals_dir=str(verticals)) as house:
        file = verticals / "dental.yaml"
        file.write_text(f"{file.read_text(encoding='utf-8')}\nnonsense: 1\n", encoding="utf-8")
        page = await house.visit("/operator/system", OLGA)
        region = page.get_by_role("region", name="Configuração")
        told = re.compile(r"dental.yaml: linha \d+, nonsense: não há esse campo\. Existem: ")
        await expect(region).to_contain_text(told)


async def test_an_operator_sees_everybody_and_a_clinics_gestor_none_of_that(house):
    await house.sign_in(staff("Otto", SORRISO))
    page = await house.visit("/operator/users", OLGA)
    await expect(page.get_by_role("group", name="Otto")).to_contain_text("otto@sorriso.test · sorriso")
    await page.get_by_role("button", name="Nova senha: Otto").click()
    await page.get_by_role("dialog").get_by_role("button", name="Nova senha").click()
    await expect(page.get_by_role("dialog").locator("code")).to_be_visible()


@pytest.mark.parametrize("size", [WIDE, NARROW])
@pytest.mark.parametrize("path", PAGES)
async def test_nothing_sticks_out(house, path, size):
    await failed_message(house)
    page = await house.visit(path, OLGA, size=size)
    await expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")


async def test_the_system_shows_what_clinics_own_servers_offer_and_how_it_went(stage, tmp_path):
    models = ApiModels(OneModel(ScriptedModel([])))
    async with (
        records_server() as records,
        open_house(stage, tmp_path, models=models, mcp_private_networks="127.0.0.0/8") as house,
    ):
        server = McpServer("prontuario", records.url, ("support",), ("ver_exame", "sumido"))
        gone = McpServer("laboratorio", "https://127.0.0.2:1/mcp", ("support",), ("coletas",))
        clinic = await house.gendei.directory.get(BOA_VIDA)
        await house.gendei.directory.import_clinic(replace(clinic, mcp_servers=(server, gone)))
        await house.gendei.attached.refresh()
        page = await house.visit("/operator/system", OLGA)
        region = page.get_by_role("region", name="Servidores MCP das clínicas")
        for words in ("prontuario_ver_exame", "0 chamadas, 0 falhas", "o servidor não tem esta ferramenta", "não foi"):
            await expect(region).to_contain_text(words)


async def test_the_system_shows_a_tool_that_rests_until_when_and_its_limit(stage, tmp_path):
    models = ApiModels(OneModel(ScriptedModel([])))
    async with (
        records_server() as records,
        open_house(stage, tmp_path, models=models, mcp_private_networks="127.0.0.0/8") as house,
    ):
        server = McpServer("prontuario", records.url, ("support",), ("ver_exame",), limits={"ver_exame": 2.5})
        clinic = await house.gendei.directory.get(BOA_VIDA)
        await house.gendei.directory.import_clinic(replace(clinic, mcp_servers=(server,)))
        await house.gendei.attached.refresh()
        [tool] = house.gendei.attached.of(await house.gendei.directory.get(BOA_VIDA), "support")
        for _ in range(FAILURES_IN_A_ROW):
            tool.health.count(house.gendei.clock(), "timed_out")
        page = await house.visit("/operator/system", OLGA)
        region = page.get_by_role("region", name="Servidores MCP das clínicas")
        await expect(region).to_contain_text("até 2,5 s; 3 chamadas, 3 falhas")
        await expect(region).to_contain_text("volta a ser tentada em")
        await expect(region).to_contain_text("Em descanso")
