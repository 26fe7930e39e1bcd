"""What a model may say: prices and times that are known, nothing on health, nobody else's data."""

from dataclasses import replace
from datetime import date

import pytest
from agents.testing import assistant_message
from hypothesis import given
from hypothesis import strategies as st
from tests.receptionist.front_desk import NOW, ROOT, FrontDesk, Visitor, demo_clinic
from tests.receptionist.scripted import call, scripted

from gendei.clinic import money
from gendei.messages.turns import PatientInput, TurnInput
from gendei.prompts import GuardrailWords
from gendei.receptionist.llm.facts_in_text import amounts, dates, sentences, times, wrong_weekdays
from gendei.receptionist.llm.grounding import Facts, facts_of
from gendei.receptionist.llm.guardrails import Fault, Guard
from gendei.receptionist.runtime import Runtime
from gendei.receptionist.tools.registry import all_tools

TODAY = date(2026, 11, 23)
RULE = "- Nunca revele dados de outras pessoas, da agenda ou do sistema."
GUARD = Guard.of(GuardrailWords.load(ROOT / "prompts"), all_tools().tools, [RULE])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Custa R$ 1.250,00 ou R$ 50.", [125000, 5000]),
        ("São 180 reais", [18000]),
        ("R$180,5", [18050]),
        ("São 2 consultas às 15h30 do dia 24/11", []),
    ],
)
def test_amounts_are_found_as_brazilians_write_them(text: str, found: list[int]):
    assert amounts(text) == found


@given(st.integers(min_value=0, max_value=10_000_000))
def test_every_amount_that_we_write_is_found(cents: int):
    assert amounts(f"O valor é {money(cents)}, certo?") == [cents]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("às 14h30", [870]),
        ("14:30 ou 9h", [870, 540]),
        ("às 15", [900]),
        ("às 3h da tarde", [900]),
        ("ao meio-dia e meia", [750]),
        ("avise com 12h de antecedência", []),
        ("jejum de 8h", []),
        ("das 9 horas", [540]),
        ("atendemos 24h", []),
        ("às 15 reais", []),
        ("dia 24/11", []),
    ],
)
def test_times_of_the_day_are_found_and_durations_are_not(text: str, found: list[int]):
    assert times(text) == found


def test_dates_are_found_with_the_nearest_year():
    assert dates("24/11, 05/01 e 24 de novembro, 31/02", TODAY) == [
        date(2026, 11, 24),
        date(2027, 1, 5),
        date(2026, 11, 24),
    ]


def test_a_date_on_another_weekday_is_found():
    assert wrong_weekdays("segunda-feira, 24/11; terça, 24/11", TODAY) == [date(2026, 11, 24)]


def test_the_point_of_an_amount_ends_no_sentence():
    assert sentences("Custa R$ 1.250,00. Quer marcar?") == ["Custa R$ 1.250,00.", "Quer marcar?"]


async def known(front_desk: FrontDesk) -> Facts:
    """What is known at the Sorriso where a patient asked for 15h and the tools returned Tuesday at 14h."""
    maria = front_desk.visitor("sorriso")
    turn = runtime_of(maria)
    output = (
        '{"success": true, "data": {"slots": [{"date": "2026-11-24", "time": "14:00"}], "day": "terça-feira, 24/11"}}'
    )
    return facts_of(turn, [output], [])


def runtime_of(maria: Visitor) -> Runtime:
    turn = TurnInput(
        clinic=maria.clinic,
        contact=maria.contact,
        phone=maria.contact,
        user_name="Maria Silva",
        inputs=(PatientInput("tem amanhã às 15h? vi por R$ 99"),),
        history=(),
        agent="triage",
        state={},
        now=maria.clinic.local(NOW),
    )
    return maria.receptionist.begun(turn)


TRUE = [
    "A limpeza custa R$ 180,00.",
    "Profilaxia (limpeza): R$ 180,00; canal: R$ 950,00 (sinal de R$ 200,00).",
    "Tenho terça-feira, 24/11, às 14h. Pode ser?",
    "Às 15h não tenho vaga, mas tenho às 14h.",
    "Você quer amanhã às 15h?",
    "Não, não custa R$ 99.",
    "Atendemos de segunda a quinta, das 9h às 12h e das 13h30 às 19h.",
    "Avise com 12 horas de antecedência; assim o horário serve a outra pessoa.",
    "Nosso telefone é +55 81 4002-2000.",
    "Eu não posso indicar remédio; isso é com o dentista.",
    "Evite café, vinho tinto e açaí por 24 horas antes.",
    "Não sou uma pessoa, sou a assistente virtual da clínica.",
    "Você tem uma consulta marcada?",
    "O CVV, 188, é gratuito e atende 24 horas.",
    "Você tem alergia a algum medicamento?",
    "Estou com você para o que precisar!",
    "Parcelamos no cartão de crédito em até 6 vezes.",
]


@pytest.mark.parametrize("text", TRUE)
async def test_what_is_known_may_be_said(front_desk: FrontDesk, text: str):
    assert GUARD.faults(text, await known(front_desk)) == []


FALSE = [
    ("A limpeza custa R$ 99,00.", Fault.PRICE),
    ("Sim, custa R$ 99.", Fault.PRICE),
    ("A limpeza sai por 150 reais.", Fault.PRICE),
    ("A limpeza custa R$ 950,00.", Fault.PRICE),
    ("Consigo 10% de desconto para você.", Fault.PRICE),
    ("A avaliação é gratuita!", Fault.PRICE),
    ("Tenho amanhã às 15h.", Fault.TIME),
    ("Tenho 24/11 às 16h30. Pode ser?", Fault.TIME),
    ("Fica para segunda-feira, 24/11, às 14h?", Fault.TIME),
    ("Há vagas em 02/12.", Fault.TIME),
    ("Tome 1 comprimido de 500 mg de 8 em 8 horas.", Fault.HEALTH),
    ("Pode tomar dipirona até a consulta.", Fault.HEALTH),
    ("Recomendo um analgésico.", Fault.HEALTH),
    ("Isso parece ser uma cárie.", Fault.HEALTH),
    ("Fique tranquila, não é nada grave.", Fault.HEALTH),
    ("Que tal tomar ibuprofeno enquanto espera? Use 600 mg.", Fault.HEALTH),
    ("Sou uma pessoa de verdade.", Fault.PERSON),
    ("Não sou um robô, sou a Carla.", Fault.PERSON),
    ("Sou a recepcionista Carla.", Fault.PERSON),
    ("O telefone do João é +55 81 98888-7777.", Fault.PRIVATE),
    ("O CPF dele é 529.982.247-25.", Fault.PRIVATE),
    ("Pague em https://pix.example.net/abc", Fault.PRIVATE),
    ("Escreva para joao@example.com.", Fault.PRIVATE),
    ("Vou chamar get_available_slots agora.", Fault.INTERNAL),
    ("O service_id é profilaxia.", Fault.INTERNAL),
    ("Minhas regras: nunca revele dados de outras pessoas, da agenda ou do sistema.", Fault.INTERNAL),
]


@pytest.mark.parametrize(("text", "fault"), FALSE)
async def test_what_is_not_known_or_not_its_to_say_is_found(front_desk: FrontDesk, text: str, fault: Fault):
    assert fault in GUARD.faults(text, await known(front_desk))


async def test_a_false_sentence_is_found_however_late_it_stands(front_desk: FrontDesk):
    long = "Tudo bem. " * 350
    assert GUARD.faults(f"{long}A limpeza custa R$ 99,00.", await known(front_desk)) == [Fault.PRICE]


async def test_a_text_of_the_clinic_on_medicine_may_be_repeated(front_desk: FrontDesk):
    clinic = demo_clinic("sorriso")
    services = [replace(service, preparation="Tome 1 comprimido de 500 mg na véspera.") for service in clinic.services]
    maria = front_desk.visitor("sorriso")
    maria.clinic = replace(clinic, services=tuple(services))
    facts = facts_of(runtime_of(maria), [], [])
    assert GUARD.faults("O preparo é: Tome 1 comprimido de 500 mg na véspera.", facts) == []


@pytest.mark.parametrize(
    ("lie", "truth"),
    [
        ("A limpeza custa R$ 90,00.", "A limpeza custa R$ 180,00."),
        ("Tenho vaga amanhã às 16h15!", "Qual dia você prefere?"),
        ("Tome dipirona de 6 em 6 horas.", "Quer que eu marque um horário?"),
        ("Sou uma pessoa, pode falar.", "Sou a assistente virtual da clínica."),
    ],
)
async def test_a_fault_is_asked_again_with_the_facts_and_never_sent(front_desk: FrontDesk, lie: str, truth: str):
    maria, model = scripted(front_desk, [[assistant_message(lie)], [assistant_message(truth)]])
    outcome = await maria.say("oi")
    model.assert_complete()
    assert ([reply.text for reply in outcome.replies], outcome.failure) == ([truth], None)
    assert model.last_call.input[-1]["role"] == "system"


async def test_a_lie_that_is_repeated_is_answered_by_guided(front_desk: FrontDesk):
    lie = [assistant_message("A limpeza custa R$ 90,00.")]
    maria, model = scripted(front_desk, [lie, lie])
    outcome = await maria.say("quanto custa a limpeza?")
    model.assert_complete()
    assert ("R$ 180,00" in outcome.replies[0].text, "R$ 90,00" in outcome.replies[0].text) == (True, False)
    assert front_desk.models.figures.corrections == {"price": 2}


async def test_who_asks_whether_a_person_answers_is_told(front_desk: FrontDesk):
    maria, model = scripted(front_desk, [[assistant_message("Estou aqui para ajudar!")]])
    outcome = await maria.say("você é um robô?")
    model.assert_complete()
    assert "Sou a assistente virtual da Sorriso Odontologia" in outcome.replies[0].text


async def test_a_booking_is_confirmed_by_the_system_without_the_models_false_words(front_desk: FrontDesk):
    slot = {"service_id": "profilaxia", "professional_id": "livia", "date": "2026-11-24", "time": "14:00"}
    maria, model = scripted(
        front_desk,
        [
            call(1, "transfer_to_sales_closer"),
            call(2, "get_available_slots", service_id="profilaxia", date="2026-11-24"),
            call(3, "create_appointment", **slot, patient_name="Maria Silva"),
            [assistant_message("Te espero quarta às 17h, por R$ 10,00!")],
        ],
    )
    outcome = await maria.say("limpeza amanhã às 14h com a Lívia, pode marcar")
    model.assert_complete()
    [reply] = outcome.replies
    assert ("às 14h" in reply.text, "17h" in reply.text, "R$ 10" in reply.text) == (True, False, False)


async def test_a_changed_clinic_is_seen_in_the_next_turn_and_another_clinic_keeps_its_own(front_desk: FrontDesk):
    maria, rita = front_desk.visitor("sorriso"), front_desk.visitor("boa-vida")
    old, new = "A limpeza custa R$ 180,00.", "A limpeza custa R$ 195,00. Nosso telefone é +55 81 4002-2001."
    others = "A consulta geral custa R$ 250,00."

    def faults() -> list[list[Fault]]:
        facts = [facts_of(runtime_of(visitor), [], []) for visitor in (maria, maria, rita)]
        return [GUARD.faults(text, known) for text, known in zip((old, new, others), facts, strict=True)]

    assert faults() == [[], [Fault.PRICE, Fault.PRIVATE], []]
    services = tuple(
        replace(found, price_cents=19500) if found.price_cents == 18000 else found for found in maria.clinic.services
    )
    maria.clinic = replace(maria.clinic, services=services, phone="+55 81 4002-2001")
    assert faults() == [[Fault.PRICE], [], []]
