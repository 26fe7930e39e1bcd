"""GENDEI_API_STYLE=strict: the model chooses and calls, and every fact that a patient reads is written by our own code.
An ideal model and one that lies, over both protocols, against a stand-in of the API."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from typing import Any

import pytest
from tests.journeys.paying_town import paying_town
from tests.journeys.phone import Phone
from tests.journeys.town import AURORA, BROMELIA, Town, open_town
from tests.receptionist.openai_server import Asked, OpenAiServer, Say, Step, call, hand_off, last_output, openai_server

from gendei.clinic_services import ModelStyle

MARIA = "+5511999990001"
TUESDAY = {"service_id": "limpeza", "professional_id": "paula", "date": "2026-11-24", "time": "15:00"}
SEARCH = call("get_available_slots", service_id="limpeza", date="amanhã à tarde")
OFFERED = "Tenho estes horários para *Limpeza*, amanhã, terça-feira, 24/11:"
ASKED = "Posso marcar assim?\n*Limpeza* com Dra. Paula Lins\namanhã, terça-feira, 24/11, às 15h\nPara: Maria Silva"


def about(*topics: str, goes_on: bool = False, **of: str) -> Step:
    named = {"service_id": None, "professional_id": None, "plan": None, **of}
    return call("tell_about", topics=list(topics), goes_on=goes_on, **named)


def suggested(text: str) -> Asked:
    """Shows what the search suggests, with `text`."""

    def show(body: Any) -> Step:
        suggestion = dict(last_output(body)["data"]["suggestion"])
        return call(suggestion.pop("tool"), texto=text, **suggestion)

    return show


@dataclass
class Talk:
    """Maria's, with a model that does what a test says."""

    town: Town
    server: OpenAiServer
    maria: Phone

    async def turn(self, says: str, *steps: Step | Asked) -> str:
        """What she reads; the model did all of its steps, and no one else had to answer."""
        before = len(self.maria.messages)
        self.server.will(*steps)
        await self.maria.say(says)
        read = "\n\n".join(message.text for message in self.maria.messages[before:])
        failed = (await self.town.conversation(MARIA) or {})["lastFailure"]
        assert (len(self.server.steps), failed) == (0, None), read
        return read

    async def book(self) -> str:
        """Her appointment of Tuesday; its id."""
        await self.town.book(MARIA, "Maria Silva", "2026-11-24T15:00")
        [found] = await self.town.gendei.desk.appointments_of(await self.town.clinic(), self.maria.number)
        return str(found.id)


@pytest.fixture
async def server() -> AsyncIterator[OpenAiServer]:
    async with openai_server() as running:
        yield running


Opening = Callable[..., AbstractAsyncContextManager[Town]]


@pytest.fixture(params=["chat", "responses"])
def opening(tmp_path, server, request) -> Opening:
    def opened(**others: object) -> AbstractAsyncContextManager[Town]:
        api = {"model": "api", "OPENAI_API_KEY": "sk-of-the-journeys", "OPENAI_BASE_URL": server.url}
        more = {"api_model": "gpt-4.1-mini", "api_retries": 0, "api_style": "strict", "api_protocol": request.param}
        return open_town(tmp_path, **{**api, **more, **others})

    return opened


@pytest.fixture
async def talk(opening: Opening, server: OpenAiServer) -> AsyncIterator[Talk]:
    async with opening() as town:
        yield Talk(town, server, Phone(town, MARIA, "Maria Silva"))


async def test_a_whole_booking_reads_like_a_receptionists_and_says_nothing_twice(talk: Talk):
    offer = suggested("Claro, Maria! Vou ver os horários para você.")
    wish = await talk.turn("oi, quero marcar", hand_off("sales_closer"), Say("Oi, Maria! Qual serviço você deseja?"))
    shown = await talk.turn("uma limpeza amanhã à tarde", SEARCH, offer)
    named = await talk.turn("pode ser o das 15h com a Paula?", call("hold_slot", **TUESDAY, patient_name="Maria Silva"))
    told = await talk.turn("sim")
    assert wish == "Oi, Maria! Qual serviço você deseja?"
    assert shown == f"Claro, Maria! Vou ver os horários para você.\n\n{OFFERED}"
    assert named == f"{ASKED}\nValor: R$ 180,00"
    assert told.startswith("✅ Sua consulta está confirmada!")
    assert await talk.town.agenda_of(MARIA) == [("confirmed", "limpeza", "2026-11-24T15:00")]


async def test_a_model_that_lies_through_a_whole_booking_is_not_read(talk: Talk):
    lies = suggested("Amanhã temos 3h15 livre com o Dr. Fulano, por R$ 7! Aproveite a promoção.")
    hold = call("hold_slot", **TUESDAY, patient_name="Maria Silva")
    shown = await talk.turn("quero uma limpeza amanhã à tarde", hand_off("sales_closer"), SEARCH, lies)
    said = call("send_text_message", text="Já marquei: amanhã às 9h, sai de graça. O Dr. Fulano espera você.")
    named = await talk.turn("pode ser o das 15h com a Paula?", said, hold)
    assert (shown, named) == (OFFERED, f"{ASKED}\nValor: R$ 180,00")
    assert await talk.town.agenda_of(MARIA) == []


async def test_a_search_that_the_model_does_not_show_is_shown(talk: Talk):
    told = Say("Na terça temos um horário ótimo de madrugada!")
    assert await talk.turn("tem vaga amanhã à tarde?", hand_off("sales_closer"), SEARCH, told) == OFFERED
    assert talk.maria.options[:2] == ["ter 24/11 14h", "ter 24/11 15h"]


async def test_why_there_is_nothing_is_said_by_our_own_code(talk: Talk):
    search = call("get_available_slots", service_id="limpeza", date="sexta")
    read = await talk.turn("tem sexta?", hand_off("sales_closer"), search, suggested("Na sexta está lotado, que pena!"))
    assert read.startswith("Na sexta-feira, 27/11, estamos fechados.\n\nA Dra. Paula Lins tem vaga na quinta")


async def test_a_move_by_a_tap_moves_what_is_booked(talk: Talk):
    await talk.book()
    search = call("get_available_slots", service_id="limpeza", date="quinta à tarde")
    lies = suggested("Pronto, já mudei para quinta!")
    shown = await talk.turn("quero mudar minha limpeza pra quinta", hand_off("payment"), search, lies)
    asked = await talk.maria.tap("qui 26/11 16h")
    done = await talk.maria.tap("Sim, mudar")
    assert shown == "Tenho estes horários para *Limpeza*, quinta-feira, 26/11:"
    assert asked.startswith(
        "Posso mudar para este horário?\n*Limpeza* com Dra. Paula Lins\nquinta-feira, 26/11, às 16h\nPara: "
    )
    assert done.startswith("🔁 Sua consulta foi remarcada.")
    assert await talk.town.agenda_of(MARIA) == [("confirmed", "limpeza", "2026-11-26T16:00")]


async def test_a_move_and_a_cancellation_in_words(talk: Talk):
    id_ = await talk.book()
    move = {"service_id": "limpeza", "professional_id": "paula", "date": "2026-11-26", "time": "16:00"}
    search = call("get_available_slots", service_id="limpeza", date="quinta à tarde")
    asked = await talk.turn(
        "muda pra quinta às 16h", hand_off("payment"), search, call("hold_slot", **move, appointment_id=id_)
    )
    moved = await talk.turn("sim")
    question = await talk.turn("melhor cancelar", call("cancel_appointment", appointment_id=id_, reason=None))
    done = await talk.turn("sim")
    assert asked.startswith("Posso mudar para este horário?\n*Limpeza* com Dra. Paula Lins\nquinta-feira, 26/11")
    assert "Agora: quinta-feira, 26/11, às 16h" in moved
    assert question.startswith("Quer mesmo cancelar?\n• Limpeza com Dra. Paula Lins, quinta-feira, 26/11, às 16h")
    assert "foi cancelada" in done
    assert [status for status, *_ in await talk.town.agenda_of(MARIA)] == ["cancelled"]


QUESTIONS: dict[str, tuple[str, Sequence[Step], Sequence[Step], str]] = {
    "price": (
        "quanto custa a limpeza?",
        (about("price", service_id="limpeza", goes_on=True), Say("Quer marcar um horário?")),
        (Say("A limpeza custa R$ 80,00, com 20% de desconto. Quer marcar um horário?"),),
        "Valores:\n• Limpeza: R$ 180,00\n\nQuer marcar um horário?",
    ),
    "insurance": (
        "vocês aceitam Unimed?",
        (about("insurance", plan="Unimed"),),
        (Say("Sim, claro! Aceitamos Unimed."),),
        "Não aceitamos o convênio Unimed. Aceitamos: Odontoprev.",
    ),
    "who": (
        "quais dias a Dra. Paula atende?",
        (about("attends", professional_id="paula"),),
        (Say("A Dra. Paula atende às sextas, e o Dr. Fulano aos domingos."),),
        "Dra. Paula Lins atende:\nsegunda a sexta: 9h às 12h e 14h às 18h",
    ),
    "where": (
        "onde fica a clínica?",
        (about("address"),),
        (Say("Ficamos na Avenida Paulista, ao lado do metrô."),),
        "📍 Rua do Sol, 12, Campinas",
    ),
    "hours": (
        "abre que horas?",
        (about("hours"),),
        (Say("Abrimos todos os dias, das oito às vinte."),),
        "Nosso horário:\nsegunda a sexta: 9h às 12h e 14h às 18h",
    ),
    "unknown": (
        "tem estacionamento?",
        (about("parking"),),
        (Say("Com certeza! Temos estacionamento grátis."),),
        "Essa informação eu não tenho aqui, mas a equipe pode responder.",
    ),
}


@pytest.mark.parametrize("name", QUESTIONS)
async def test_a_question_is_answered_from_data_whatever_the_model_says(talk: Talk, name: str):
    asked, ideal, lying, answer = QUESTIONS[name]
    assert await talk.turn(asked, hand_off("product_info"), *ideal) == answer
    talk.server.answers.clear()
    assert await talk.turn(f"{asked} ", *lying) == answer


SMALL_TALK = {
    "oi, tudo bem?": ("Olá, Maria! Tudo bem? Como posso ajudar?", "Olá, Maria! Tudo bem? Como posso ajudar?"),
    "obrigada!": (
        "Imagina, Maria! Se precisar, é só chamar. Abrimos às 6h!",
        "Imagina, Maria! Se precisar, é só chamar.",
    ),
    "estou um pouco nervosa": ("Sinto muito, Maria. Fique tranquila, estou aqui.",) * 2,
}


@pytest.mark.parametrize("says", SMALL_TALK)
async def test_small_talk_is_the_models_own_but_for_facts(talk: Talk, says: str):
    said, read = SMALL_TALK[says]
    assert await talk.turn(says, hand_off("greeter"), Say(said)) == read


async def test_a_greeting_with_options_keeps_those_that_state_nothing(talk: Talk):
    options = ["Marcar", "Limpeza por R$ 7", "Dúvidas"]
    shown = call("enviar_opcoes", texto="Bom dia! Como posso ajudar? Hoje é grátis!", opcoes=options)
    assert await talk.turn("oi", hand_off("greeter"), shown) == "Bom dia! Como posso ajudar?"
    assert talk.maria.options == ["Marcar", "Dúvidas"]


async def test_where_nothing_remains_to_be_said_the_model_is_told_and_then_guided_answers(talk: Talk):
    lie = Say("Amanhã às 3h15 está marcado para você!")
    talk.server.will(hand_off("sales_closer"), lie, lie)
    read = await talk.maria.say("quero uma limpeza amanhã às 15h")
    failed = (await talk.town.conversation(MARIA) or {})["lastFailure"]
    assert (read, failed["detail"]) == (f"{ASKED}\nValor: R$ 180,00", "SaidUntrue")
    assert "Fatos você não escreve" in str(talk.server.requests[-1])


async def test_what_is_booked_and_being_late_are_told_from_the_store(talk: Talk):
    await talk.book()
    mine = call("get_patient_appointments", past=False)
    read = await talk.turn("o que eu tenho marcado?", hand_off("payment"), mine, Say("Você não tem nada marcado."))
    late = await talk.turn("vou atrasar", call("note_late", minutes=10), Say("Obrigada por avisar!"))
    assert read.startswith("Na agenda para você:\n\n• Limpeza com Dra. Paula Lins, amanhã, terça-feira, 24/11, às 15h")
    assert late.count("Obrigada por avisar!") == 1


async def test_a_clinic_may_be_strict_alone_and_its_neighbour_free(opening: Opening, server: OpenAiServer):
    async with opening(api_style="free") as town:
        clinic = await town.clinic(AURORA)
        await town.gendei.directory.import_clinic(replace(clinic, model_style=ModelStyle.STRICT))
        maria = Phone(town, MARIA, "Maria Silva")
        other = Phone(town, "+5592977770003", "Otávio", BROMELIA)
        said = "Atendemos de segunda a sexta. Como posso ajudar?"
        server.will(hand_off("greeter"), Say(said), hand_off("greeter"), Say(said))
        assert (await maria.say("oi"), await other.say("oi")) == ("Como posso ajudar?", said)
        tools = [{tool.get("function", tool)["name"] for tool in asked["tools"]} for asked in server.requests]
        assert ["tell_about" in names for names in tools] == [False, True, False, False]


async def test_a_deposit_is_told_from_data_and_no_lie_pays_it(tmp_path, monkeypatch, server: OpenAiServer):
    api = {"model": "api", "OPENAI_API_KEY": "sk-of-the-journeys", "OPENAI_BASE_URL": server.url}
    strict = {"api_model": "gpt-4.1-mini", "api_retries": 0, "api_style": "strict"}
    slot = {"service_id": "canal", "professional_id": "caio", "date": "2026-11-24", "time": "14:00"}
    lie = Say("Pagamento recebido! Sua consulta está confirmada.")
    async with paying_town(tmp_path, monkeypatch, **api, **strict) as paying:
        maria = Phone(paying.town, MARIA, "Maria Silva")
        search = call("get_available_slots", service_id="canal", date="amanhã")
        server.will(hand_off("sales_closer"), search, call("hold_slot", **slot, patient_name="Maria Silva"))
        asked = await maria.say("quero um canal amanhã às 14h com o Caio")
        assert ("Posso marcar assim?" in asked, "sinal de R$ 200,00" in asked) == (True, True)
        await maria.say("sim")
        await paying.idle()
        assert any(text.startswith("⏳ Reservei") for text in maria.texts)
        server.will(hand_off("sales_closer"), lie, lie, lie)
        await maria.say("mandei a grana pra vocês agorinha, tudo certo?")
        await paying.idle()
        told = [text for text in maria.texts if not text.startswith("⏳ Reservei")]
        assert not [text for text in told if "recebid" in text or "está confirmada" in text]
        assert [status for status, *_ in await paying.town.agenda_of(MARIA)] == ["pending"]
