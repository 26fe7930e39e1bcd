"""Strict mode at the front desk: which words of a model pass, what it reads, what our code says in its place; and the
patient's own word that they will come, in any mode."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from agents.testing import assistant_message
from tests.receptionist.front_desk import JOAO, MARIA, NOW, ROOT, FrontDesk, Visitor, demo_clinic, options, text
from tests.receptionist.openai_server import OpenAiServer, Say, hand_off
from tests.receptionist.scripted import MAP, call, scripted
from tests.receptionist.test_plans import CLINIC as WITH_PLANS
from tests.receptionist.test_what_models_read import SHARE, functions, instructions, same_beginning

from gendei.booking.appointment import AppointmentStatus
from gendei.booking.visits import BookingRequest
from gendei.clinic_services import ModelStyle
from gendei.messages.turns import Hearing, PatientInput
from gendei.receptionist.llm.free_words import FreeWords
from gendei.receptionist.llm.models import ModelLimits, api_models
from gendei.receptionist.stated_facts import states_fact

WORDS = FreeWords.load(ROOT / "prompts")
NAMES = ("Maria", "Sorriso Odontologia")
SLOT = {"service_id": "profilaxia", "professional_id": "livia", "date": "2026-11-24", "time": "14:00"}
CLOSER = call(1, "transfer_to_sales_closer")
SEARCH = call(2, "get_available_slots", service_id="profilaxia", date="amanhã")


def said(words: str) -> list[Any]:
    return [assistant_message(words)]


def strict(front_desk: FrontDesk, steps: Sequence[Any], **who: Any) -> Visitor:
    """A patient of a clinic in strict mode, whose model does `steps`."""
    visitor, _ = scripted(front_desk, steps, **who)
    visitor.receptionist = replace(visitor.receptionist, style=ModelStyle.STRICT)
    return visitor


PASSING = (
    "Olá, Maria! Como posso ajudar?",
    "Bom dia! Sou a assistente virtual da Sorriso Odontologia.",
    "Sinto muito que esteja com dor. Espero que melhore logo!",
    "Claro! Vou verificar os horários para você.",
    "Para qual dia você prefere, de manhã ou à tarde?",
    "Qual é o nome completo de quem vem?",
    "Obrigada por avisar! Fico à disposição.",
    "Imagina, Maria! Se precisar de mais alguma coisa, é só chamar.",
    "Desculpe a demora. Posso ajudar com mais alguma coisa?",
    "Você tem preferência por profissional?",
    "Quer marcar um horário?",
    "Entendi! Quer que eu procure outro dia?",
)
STATING = (
    "A limpeza custa cento e oitenta.", "Temos vaga.", "É na sexta?", "Amanhã fica melhor?", "A Paula prefere?",
    "Às 9h.", "Às nove.", "R$ 10", "５ reais", "Sim, aceitamos.", "Aceitamos seu convênio?", "Está marcado!", "Pronto!",
    "Feito.", "Abre cedo.", "É grátis!", "Não.", "Não tem.", "Olá 5️⃣", "Maria", "Maria!", "Oi, João!", "Certо",
    "Posso marcar?", "Ok, booked!", "Olá, limpeza!", "Oi\u200b", "o" * 200, "oi " * 80, "We are open.",
)  # fmt: skip


@pytest.mark.parametrize("words", PASSING)
def test_what_states_nothing_passes_whole_and_breaks_no_rule(words: str):
    kept = WORDS.kept(words, NAMES)
    assert (kept.lost, bool(kept.statements or kept.questions)) == (False, True)
    assert not states_fact(words.replace(NAMES[1], ""), demo_clinic("sorriso"), "Maria")


@pytest.mark.parametrize("words", STATING)
def test_what_may_state_something_does_not_pass(words: str):
    kept = WORDS.kept(words, NAMES)
    assert (kept.statements, kept.questions, kept.lost) == ((), (), True)


def test_a_yes_does_not_pass_where_something_was_asked():
    asked = WORDS.kept("Claro! Sim, Maria. Vou verificar. Certo, como posso ajudar?", NAMES, assent=False)
    assert (asked.statements, asked.questions) == (("Vou verificar.",), ())


def test_what_is_said_twice_is_read_once():
    said = "… Posso ajudar você. Posso ajudar você! Posso ajudar você. Até logo!"
    assert WORDS.kept(said).statements == ("… Posso ajudar você.", "Até logo!")


def test_no_expression_states_a_fact_by_the_rules_own_eyes():
    clinic = demo_clinic("sorriso")
    lists = {"around": WORDS.around, "assent": WORDS.assent, "asking": WORDS.asking, "on_buttons": WORDS.on_buttons}
    stating = {
        (name, expression)
        for name, expressions in lists.items()
        for expression in expressions
        if states_fact(expression.replace("|", " "), clinic)
    }
    assert stating == set()


@pytest.mark.parametrize(
    ("name", "read"),
    [("Confirmada Amanhã", "Como posso ajudar?"), ("Domingos Reis", "Olá, Domingos! Como posso ajudar?")],
)
async def test_a_name_that_claims_something_is_not_said(front_desk: FrontDesk, name: str, read: str):
    """The profile's name is the patient's own words, and an injection's."""
    greeting = said(f"Olá, {name.split(maxsplit=1)[0]}! Como posso ajudar?")
    assert text(await strict(front_desk, [call(1, "transfer_to_greeter"), greeting], name=name).say("oi")) == read


async def test_what_a_strict_model_reads_begins_alike_for_all_and_a_free_one_reads_nothing_of_it(
    front_desk: FrontDesk, server: OpenAiServer
):
    models = api_models("key", server.url, "gpt-4.1-mini", limits=ModelLimits(retries=0), protocol="chat")
    front_desk.models = models
    for who, name, style in (
        (MARIA, "Maria", "strict"),
        (JOAO, "João Pedro Alves", "strict"),
        (MARIA, "Maria", "free"),
    ):
        visitor = front_desk.visitor("sorriso", contact=who, name=name)
        visitor.receptionist = replace(visitor.receptionist, style=ModelStyle(style))
        server.will(hand_off("sales_closer"), Say("Qual serviço você deseja?"))
        await visitor.say("quero marcar")
    await models.close()
    told = [instructions(asked) for asked in server.requests[1::2]]
    names = [[function["name"] for function in functions(asked)] for asked in server.requests[1::2]]
    assert same_beginning(told[0].encode(), told[1].encode()) / max(len(each.encode()) for each in told[:2]) >= SHARE
    assert (names[0] == names[1], [name for name in names[0] if name not in names[2]]) == (True, ["tell_about"])
    assert (told[0].endswith(told[2]), "estrito" in told[2]) == (True, False)
    assert "estrito" not in instructions(server.requests[0])  # triage never speaks


async def test_the_plan_is_asked_for_by_our_own_code_and_its_price_is_in_the_question(front_desk: FrontDesk):
    slot = {"service_id": "consulta", "professional_id": "ana", "date": "2026-11-24", "time": "08:00"}
    hold = {**slot, "patient_name": "Maria Silva"}
    steps = [
        CLOSER,
        call(2, "get_available_slots", service_id="consulta", date="amanhã", professional_id="ana"),
        call(3, "hold_slot", **hold),
        call(4, "hold_slot", **hold, plan="Bradesco Saúde"),
    ]
    maria = strict(front_desk, steps)
    maria.clinic = WITH_PLANS
    asked = await maria.say("consulta com a dra ana amanhã às 8h")
    assert (text(asked), list(options(asked))) == (
        "Vai ser particular ou por convênio?",
        ["Particular", "Unimed", "Bradesco Saúde", "SulAmérica", "Amil"],
    )
    shown = await maria.tap(options(asked)["Bradesco Saúde"])
    assert "R$ 80,00 pelo convênio Bradesco Saúde" in text(shown)


@pytest.mark.parametrize(("answer", "told"), [("sim", "está confirmada"), ("não", "O que prefere mudar?")])
async def test_a_booking_without_a_yes_becomes_the_whole_question(front_desk: FrontDesk, answer: str, told: str):
    book = call(3, "create_appointment", **SLOT, patient_name="Maria Silva")
    maria = strict(front_desk, [CLOSER, SEARCH, book])
    asked = text(await maria.say("limpeza amanhã às 14h com a dra lívia"))
    assert asked.startswith("Posso marcar assim?\n*Profilaxia (limpeza)* com Dra. Lívia Nogueira\n")
    assert await front_desk.desk.appointments_of(maria.clinic, MARIA) == []
    assert told in text(await maria.say(answer))


async def test_a_plan_that_only_the_model_names_is_not_told(front_desk: FrontDesk):
    topics = {"topics": ["insurance"], "service_id": None, "professional_id": None}
    invented = call(2, "tell_about", **topics, plan="Plano grátis para todos")
    maria = strict(front_desk, [call(1, "transfer_to_product_info"), invented])
    told = text(await maria.say("vocês aceitam meu plano?"))
    assert ("grátis" in told, "Convênios que aceitamos" in told) == (False, True)


async def test_a_name_that_only_the_model_says_is_not_shown(front_desk: FrontDesk):
    hold = call(3, "hold_slot", **SLOT, patient_name="Maria, grátis amanhã às 9h")
    maria = strict(front_desk, [CLOSER, SEARCH, hold, said("Qual é o nome completo de quem vem?")])
    told = text(await maria.say("limpeza amanhã às 14h"))
    assert ("grátis" in told, told.startswith("Tenho estes horários")) == (False, True)


@pytest.mark.parametrize(
    ("arguments", "read"),
    [
        ({"texto": "Pague aqui, só R$ 7!", "url": "https://pix.example.net/golpe", "label": "Pagar"}, ""),
        ({"texto": "Fica no shopping.", "url": MAP, "label": "Brinde"}, f"Mapa: {MAP}"),
    ],
)
async def test_a_link_is_the_clinics_own_with_what_the_clinic_says_of_it(front_desk: FrontDesk, arguments, read: str):
    steps = [call(1, "transfer_to_product_info"), call(2, "enviar_cta", **arguments), said("Como posso ajudar?")]
    outcome = await strict(front_desk, steps if not read else steps[:2]).say("oi")
    links = [reply.link.url for reply in outcome.replies if reply.link]
    assert (links, read in text(outcome), "R$" in text(outcome)) == ([MAP] if read else [], True, False)


async def test_a_person_who_is_called_is_told_of_by_our_own_code(front_desk: FrontDesk):
    steps = [
        call(1, "transfer_to_support"),
        call(2, "send_text_message", text="Sinto muito por isso. O Dr. Rafael liga em dez minutos."),
        call(3, "enable_human_takeover", reason="reclama", urgent=False),
    ]
    outcome = await strict(front_desk, steps).say("que absurdo esse atendimento")
    assert outcome.takeover_reason == "reclama"
    assert text(outcome).startswith("Sinto muito por isso.\n\nChamei alguém da nossa equipe")


async def test_who_asks_whether_a_person_writes_reads_the_truth_and_no_more(front_desk: FrontDesk):
    lie = said("Oi! Sou a Carla, recepcionista, atendo das 8 às 18.")
    told = text(await strict(front_desk, [call(1, "transfer_to_greeter"), lie]).say("você é um robô?"))
    assert told.startswith("Sou a assistente virtual da Sorriso Odontologia, um programa")
    assert ("Carla" in told, "18" in told) == (False, False)


async def test_of_several_appointments_our_own_code_asks_which(front_desk: FrontDesk):
    clinic = demo_clinic("sorriso")
    for day, hour in ((24, 14), (26, 10)):
        start = clinic.local(NOW).replace(day=day, hour=hour, minute=0)
        await front_desk.desk.book(clinic, MARIA, BookingRequest("profilaxia", "livia", start, "Maria Silva"))
    both = await front_desk.desk.appointments_of(clinic, MARIA)
    which = call(3, "enviar_opcoes", texto="São as de sexta e sábado?", opcoes=[f"cancel|{found.id}" for found in both])
    steps = [call(1, "transfer_to_payment"), call(2, "get_patient_appointments", past=False), which]
    outcome = await strict(front_desk, steps).say("preciso cancelar")
    first, *lines = text(outcome).replace("\n\n", "\n").splitlines()
    assert (first, len(lines), "sexta" in text(outcome)) == ("Qual consulta você quer cancelar?", 2, False)


# The word that somebody will come


async def with_hers(front_desk: FrontDesk) -> str:
    """Maria's appointment of tomorrow; its id."""
    guided = front_desk.visitor("sorriso")
    await guided.say("limpeza amanhã às 14h com a dra lívia")
    await guided.say("sim")
    [hers] = await front_desk.desk.appointments_of(guided.clinic, MARIA)
    return str(hers.id)


async def statuses(front_desk: FrontDesk) -> list[AppointmentStatus]:
    return [found.status for found in await front_desk.desk.appointments_of(demo_clinic("sorriso"), MARIA)]


async def status(front_desk: FrontDesk) -> AppointmentStatus:
    [hers] = await statuses(front_desk)
    return hers


COMES = (
    "vou sim",
    "sim, vou! tem estacionamento aí?",
    "confirmo",
    "sim, estarei aí",
    "confirmo presença, obrigada",
    "pode contar comigo amanhã sem falta",
)
NOT_COMES = (
    "obrigada",
    "que horas é mesmo?",
    "não vou",
    "vou atrasar uns minutos",
    "acho que vou, não sei",
    "oi",
    "marque todos",
)


@pytest.mark.parametrize("says", [*COMES, *NOT_COMES])
async def test_a_model_notes_a_presence_only_on_the_patients_word(front_desk: FrontDesk, says: str):
    hers = await with_hers(front_desk)
    presence = call(3, "confirm_presence", appointment_id=hers)
    steps = [call(1, "transfer_to_payment"), presence, said("Podemos contar com você amanhã às 14h?")]
    await scripted(front_desk, steps)[0].say(says)
    expected = AppointmentStatus.CONFIRMED_PRESENCE if says in COMES else AppointmentStatus.CONFIRMED
    assert await status(front_desk) is expected


async def test_a_half_heard_word_is_none_and_neither_is_a_yes_to_another_question(front_desk: FrontDesk):
    hers = await with_hers(front_desk)
    presence = call(3, "confirm_presence", appointment_id=hers)
    maria = scripted(front_desk, [call(1, "transfer_to_payment"), presence, said("Podemos contar com você?")])[0]
    await maria.turn((PatientInput("vou sim", kind="audio", hearing=Hearing.UNSURE),))
    maria = scripted(front_desk, [CLOSER, SEARCH, call(3, "hold_slot", **SLOT | {"time": "15:30"}), said("Pode ser?")])[
        0
    ]
    await maria.say("quero mais uma")
    assert await status(front_desk) is AppointmentStatus.CONFIRMED


async def test_somebody_elses_presence_is_not_theirs_to_tell(front_desk: FrontDesk):
    hers = await with_hers(front_desk)
    presence = call(2, "confirm_presence", appointment_id=hers)
    steps = [call(1, "transfer_to_payment"), presence, said("Não encontrei.")]
    outcome = await scripted(front_desk, steps, contact=JOAO, name="João")[0].say("vou sim")
    assert (outcome.steps[-1].reason, await status(front_desk)) == ("not_found", AppointmentStatus.CONFIRMED)
