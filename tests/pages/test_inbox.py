"""The inbox, as staff read it: what comes shows at once, in the order in which it matters."""

from datetime import timedelta

import pytest
from playwright.async_api import expect
from tests.pages.house import House, staff
from tests.pages.inbox_people import BIA, CAIO, JOAO, MARIA, MARIAS, OLGA, choose, log_of, pass_time, row_of, send
from tests.pages.stage import NARROW, WIDE

from gendei.clinic import Contact
from gendei.conversation.stored.conversation import CONVERSATION, Conversation
from gendei.documents import put
from gendei.messages.keys import ConversationKey
from gendei.staff.actors import NO_CLINIC, Role

COUNT_TONES = """() => {
    window.tones = 0;
    const begin = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (when) { window.tones += 1; begin.call(this, when); };
}"""


@pytest.mark.slow
async def test_a_message_shows_in_the_list_and_in_the_conversation_as_it_arrives(house: House):
    page = await house.visit("/inbox", BIA)
    await expect(page.get_by_text("Nenhuma conversa aberta.")).to_be_visible()
    await house.write(MARIA, "Oi, tudo bem?", name="Maria Silva")
    await row_of(page, "Maria Silva").click()
    await house.write(MARIA, "qual é o endereço?", name="Maria Silva")
    await expect(log_of(page).get_by_text("qual é o endereço?")).to_be_visible()
    await expect(log_of(page)).to_contain_text("Rua das Flores, 100")


async def test_who_waits_for_a_person_stands_first_and_is_called_out(house: House):
    page = await house.visit("/inbox", BIA)
    await house.write(JOAO, "quero falar com uma pessoa", name="João")
    await house.write(MARIA, "oi", name="Maria")
    await expect(page.get_by_role("navigation", name="Conversas").get_by_role("link").first).to_contain_text("João")
    await expect(row_of(page, "João")).to_contain_text("Aguarda há menos de 1 min")
    await expect(page).to_have_title("(1) Conversas · Gendei")


async def test_a_sound_is_made_for_a_new_call_and_not_for_an_old_one(house: House):
    await house.write(JOAO, "quero falar com uma pessoa", name="João")
    page = await house.visit("/inbox", BIA)
    await page.evaluate(COUNT_TONES)
    await page.get_by_role("searchbox").click()
    await page.wait_for_function("new AudioContext().state === 'running'")
    await house.write(MARIA, "quero falar com uma pessoa", name="Maria")
    await expect(page).to_have_title("(2) Conversas · Gendei")
    await page.wait_for_function("window.tones === 2")


NOTICES = """
    window.told = [];
    window.Notification = class {
      static permission = "granted";
      constructor(title, options) { window.told.push([title, options.body]); }
    };
    Object.defineProperty(document, "hidden", { get: () => true });
"""


async def test_who_looks_elsewhere_is_notified_of_a_new_call_and_of_no_other_clinics(house: House):
    pages = [await house.visit("/inbox", value) for value in (BIA, OLGA)]
    for page in pages:
        await page.add_init_script(NOTICES)
        await page.reload()
        await expect(page.get_by_role("searchbox")).to_be_visible()
    await house.write(MARIA, "bom dia", name="Maria")
    await house.write(JOAO, "quero falar com uma pessoa", name="João")
    mine, theirs = pages
    await mine.wait_for_function("window.told.length > 0")
    [[title, _]] = await mine.evaluate("window.told")
    assert ("João" in title, await theirs.evaluate("window.told")) == (True, [])
    for page in pages:
        await page.close()  # nobody else is to have its script


@pytest.mark.slow
@pytest.mark.parametrize("search", ["joao", "99999-0002", "atendente humano"])
async def test_a_search_finds_by_name_phone_and_text(house: House, search):
    await house.write(JOAO, "quero um atendente humano", name="João")
    await house.write(MARIA, "oi", name="Maria")
    page = await house.visit("/inbox", BIA)
    await page.get_by_role("searchbox").fill(search)
    await expect(row_of(page, "Maria")).to_have_count(0)
    await expect(row_of(page, "João")).to_be_visible()


async def test_filters_show_whose_turn_it_is(house: House):
    await house.write(JOAO, "quero falar com uma pessoa", name="João")
    await house.write(MARIA, "oi", name="Maria")
    page = await house.visit("/inbox", BIA)
    shown = {}
    for state in ("Aguardando", "Assistente", "Equipe", "Encerradas"):
        chip = page.get_by_role("group", name="Filtros").get_by_role("button", name=state)
        await chip.click()
        await expect(chip).to_have_attribute("aria-pressed", "true")
        names = page.get_by_role("navigation", name="Conversas").locator(".i-name")
        wanted = {"Aguardando": ["João"], "Assistente": ["Maria"]}.get(state, [])
        await expect(names).to_have_text(wanted)
        shown[state] = wanted
    assert len(shown) == 4


@pytest.mark.slow
async def test_what_was_looked_at_is_unread_no_more(house: House):
    await house.write(MARIA, "oi", name="Maria")
    page = await house.visit("/inbox", BIA)
    await expect(row_of(page, "Maria").get_by_label("Não lidas: 1")).to_be_visible()
    await row_of(page, "Maria").click()
    await expect(row_of(page, "Maria").get_by_label("Não lidas: 1")).to_be_hidden()


@pytest.mark.slow
async def test_nothing_moves_because_it_was_read(house: House):
    for phone, name in ((MARIA, "Maria"), (JOAO, "João"), ("+5511999990003", "Ana")):
        await house.write(phone, "oi", name=name)
        pass_time(house, timedelta(minutes=1))
    page = await house.visit("/inbox", BIA)
    names = page.get_by_role("navigation", name="Conversas").locator(".i-name")
    await expect(names).to_have_text(["Ana", "João", "Maria"])
    await row_of(page, "Ana").click()
    await expect(row_of(page, "Ana").get_by_label("Não lidas: 1")).to_be_hidden()
    await expect(names).to_have_text(["Ana", "João", "Maria"])
    await row_of(page, "Maria").click()
    await expect(row_of(page, "Maria").get_by_label("Não lidas: 1")).to_be_hidden()
    await expect(names).to_have_text(["Ana", "João", "Maria"])


@pytest.mark.slow
async def test_what_is_opened_among_the_unread_stays_until_another_is_opened(house: House):
    for phone, name in ((MARIA, "Maria"), (JOAO, "João")):
        await house.write(phone, "oi", name=name)
        pass_time(house, timedelta(minutes=1))
    page = await house.visit("/inbox", BIA)
    await page.get_by_role("button", name="Não lidas", exact=True).click()
    names = page.get_by_role("navigation", name="Conversas").locator(".i-name")
    await row_of(page, "João").click()
    await expect(row_of(page, "João").get_by_label("Não lidas: 1")).to_be_hidden()
    await expect(names).to_have_text(["João", "Maria"])
    await row_of(page, "Maria").click()
    await expect(names).to_have_text(["Maria"])


async def test_what_has_no_words_is_named_in_the_list_and_in_its_bubble(house: House):
    maker = await house.maker()
    place = {"latitude": -23.55, "longitude": -46.63, "name": "Casa"}
    await house.post(maker.message(MARIA, {"type": "location", "location": place}, name="Maria"))
    page = await house.visit(MARIAS, BIA)
    await expect(log_of(page).locator(".i-in")).to_contain_text("LocalizaçãoCasa")
    await expect(row_of(page, "Maria")).to_be_visible()
    await expect(page.locator(".i-desk")).not_to_contain_text("[location]")


@pytest.mark.slow
async def test_bubbles_show_buttons_lists_and_why_the_assistant_answered_so(house: House):
    await house.write(MARIA, "Quero marcar uma consulta amanhã à tarde", name="Maria")
    page = await house.visit(MARIAS, BIA)
    await log_of(page).locator("summary", has_text="Ver horários").click()
    await expect(log_of(page).get_by_text("24/11 12h")).to_be_visible()
    why = log_of(page).locator("details.i-steps")
    await why.get_by_text("Por que respondeu assim").click()
    await expect(why.get_by_role("heading", name="Entendeu")).to_be_visible()
    await expect(why.get_by_text("Serviço: Consulta Geral.")).to_be_visible()
    await expect(why.get_by_text("Horários livres: Consulta Geral")).to_be_visible()
    await expect(why).not_to_contain_text("get_available_slots")
    await why.get_by_text("Forma técnica").click()
    await expect(why.get_by_text('"tool": "get_available_slots"')).to_be_visible()
    await house.shoot(page, "inbox-why")


@pytest.mark.slow
async def test_ticks_rise_and_a_failure_gives_its_reason(house: House):
    await house.write(MARIA, "oi", name="Maria")
    page = await house.visit(MARIAS, BIA)
    await expect(log_of(page).get_by_role("img", name="Enviada")).to_be_visible()
    maker, [sent] = await house.maker(), house.graph.sent
    await house.post(maker.status(sent.id, "read", sent.reference))
    await expect(log_of(page).get_by_role("img", name="Lida")).to_be_visible()
    await send(page, "Oi, Maria")
    await expect(log_of(page).get_by_role("img", name="Enviada")).to_be_visible()
    refused = house.graph.sent[-1]
    error = {"code": 131026, "title": "Message undeliverable"}
    await house.post(maker.status(refused.id, "failed", refused.reference, error=error))
    await expect(log_of(page).get_by_role("img", name="Não enviada")).to_be_visible()
    await expect(log_of(page).locator(".i-problem")).not_to_be_empty()
    await expect(row_of(page, "Maria")).to_contain_text("Não enviada")


async def test_two_people_in_one_conversation_see_each_other(house: House):
    await house.write(MARIA, "oi", name="Maria")
    bia, caio = await house.visit(MARIAS, BIA), await house.visit(MARIAS, CAIO)
    await expect(bia.get_by_text("Caio também está nesta conversa")).to_be_visible()
    await caio.get_by_role("textbox", name="Escreva uma mensagem").fill("Bom")
    await expect(bia.get_by_text("Caio está escrevendo")).to_be_visible()
    await caio.close()
    await expect(bia.get_by_text("Caio está escrevendo")).to_be_hidden()


@pytest.mark.slow
async def test_on_a_narrow_screen_a_conversation_fills_it_and_back_leads_to_the_list(house: House):
    await house.write(MARIA, "oi", name="Maria")
    page = await house.visit("/inbox", BIA, size=NARROW)
    await row_of(page, "Maria").click()
    await expect(log_of(page)).to_be_visible()
    await expect(row_of(page, "Maria")).to_be_hidden()
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await page.get_by_role("button", name="Voltar à lista").click()
    await expect(row_of(page, "Maria")).to_be_visible()
    await row_of(page, "Maria").click()
    await expect(log_of(page)).to_be_visible()
    await page.go_back()
    await expect(row_of(page, "Maria")).to_be_visible()


@pytest.mark.slow
async def test_a_conversation_has_an_address_that_can_be_opened_again(house: House):
    await house.write(MARIA, "oi", name="Maria")
    page = await house.visit("/inbox", BIA)
    await row_of(page, "Maria").click()
    await expect(log_of(page)).to_be_visible()
    await page.reload()
    await expect(log_of(page).get_by_text("oi", exact=True)).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/inbox", MARIAS])
async def test_the_other_clinics_people_see_nothing(house: House, path):
    await house.write(MARIA, "meu exame deu positivo", name="Maria Silva")
    page = await house.visit(path, OLGA)
    await expect(page.get_by_text("Nenhuma conversa aberta.")).to_be_visible()
    await expect(page.get_by_text("Conversa não encontrada.")).to_have_count(int(path == MARIAS))
    assert not {"Maria", "positivo"} & set((await page.content()).replace("<", " ").split())


async def test_what_an_outsider_reads_stays_empty_when_more_comes(house: House):
    page = await house.visit(MARIAS, OLGA)
    await house.write(MARIA, "oi", name="Maria Silva")
    await house.write(JOAO, "oi", name="João", clinic_id=OLGA.clinic_id)
    await expect(row_of(page, "João")).to_be_visible()
    await expect(row_of(page, "Maria")).to_have_count(0)


async def test_who_has_chosen_no_clinic_reads_that(house: House):
    page = await house.visit("/inbox", staff("Otto", NO_CLINIC, Role.OPERADOR))
    await expect(page.get_by_text("Escolha uma clínica em Operação para abrir esta página.")).to_be_visible()


@pytest.mark.slow
async def test_two_hundred_conversations_are_listed(house: House):
    key = ConversationKey(BIA.clinic_id, Contact("-"))
    now = house.gendei.clock()
    phones = [Contact(f"+55119888{number:05}") for number in range(200)]
    for phone in phones:
        conversation = Conversation(BIA.clinic_id, phone, now, now, phone=phone)
        await house.gendei.documents.commit([put(key.of(phone).path, CONVERSATION.write(conversation))])
    page = await house.visit("/inbox", BIA)
    await expect(page.get_by_role("navigation", name="Conversas").get_by_role("link")).to_have_count(200)


@pytest.mark.slow
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_nothing_sticks_out_on_any_screen(house: House, size, dark):
    patients = {
        MARIA: ("Maria Silva", "Quero marcar uma consulta amanhã"),
        JOAO: ("João Pereira", "quero falar com uma pessoa"),
        "+5511999990003": ("Ana Beatriz", "😀🎉"),
        "+5511999990004": ("محمد", "مرحبا، أريد موعدًا"),
        "+5511999990005": ("A" * 120, "palavra" * 500),
    }
    for phone, (name, text) in patients.items():
        await house.write(phone, text, name=name)
    page = await house.visit("/inbox", BIA, size=size, dark=dark)
    for phone, (name, _) in patients.items():
        await row_of(page, name).click()
        await expect(page.locator(".i-head-name")).to_have_text(name)
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), phone
        await house.shoot(page, f"inbox-{size[0]}-{'dark' if dark else 'light'}-{phone[-1]}")
        if size is NARROW:
            await page.get_by_role("button", name="Voltar à lista").click()
    await house.shoot(page, f"inbox-{size[0]}-{'dark' if dark else 'light'}")


@pytest.mark.slow
async def test_a_closed_conversation_leaves_the_list_and_comes_back_reopened(house: House):
    await house.write(MARIA, "oi", name="Maria")
    page = await house.visit(MARIAS, BIA)
    await choose(page, "Encerrar")
    await expect(row_of(page, "Maria")).to_have_count(0)
    await expect(log_of(page)).to_contain_text("Bia encerrou a conversa.")
    await choose(page, "Reabrir")
    await expect(row_of(page, "Maria")).to_be_visible()
