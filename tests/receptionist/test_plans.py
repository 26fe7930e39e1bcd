"""Health plans at the front desk: what is named, asked, told of prices, and never told."""

from dataclasses import replace

import pytest
from agents.testing import assistant_message
from tests.receptionist.front_desk import MARIA, ROOT, FrontDesk, Visitor, demo_clinic, options, text
from tests.receptionist.scripted import call, scripted

from gendei.clinic import ClinicId
from gendei.health_plan import PRIVATE, HealthPlan, PlanTerms
from gendei.receptionist.state import SchedulingAgentState
from gendei.receptionist.understanding.plan_names import plans_named
from gendei.verticals import load_verticals

PLANS = (
    HealthPlan("Unimed", terms=PlanTerms(covered=True, card_number=True)),
    HealthPlan(
        "Bradesco Saúde",
        services={
            "consulta": PlanTerms(price_cents=8000, professionals=("ana",)),
            "cardiologia": PlanTerms(covered=True, authorization=True, waiting_days=90),
        },
    ),
)
CLINIC = replace(demo_clinic("boa-vida"), plans=PLANS)
VERTICALS = load_verticals(ROOT / "verticals")
PRIVATE_PRICE = "R$ 250,00"


@pytest.fixture
def patient(front_desk: FrontDesk) -> Visitor:
    visitor = front_desk.visitor()
    visitor.clinic = CLINIC
    return visitor


async def booked(front_desk: FrontDesk) -> list[tuple[str, bool, int | None, int]]:
    found = await front_desk.desk.appointments_of(CLINIC, MARIA)
    return [(each.plan, each.covered, each.price_cents, each.deposit_cents) for each in found]


@pytest.mark.parametrize(
    ("said", "taken", "other", "plan"),
    [
        ("quero marcar limpeza pela Unimed", ["Unimed"], "", "Unimed"),
        ("tenho Bradesco", ["Bradesco Saúde"], "", "Bradesco Saúde"),
        ("é sul américa", ["SulAmérica"], "", "SulAmérica"),
        ("unimedd", ["Unimed"], "", "Unimed"),
        ("meu convênio é Bradesco Dental", [], "Bradesco Dental", None),
        ("atende golden cross?", [], "Golden Cross", None),
        ("pelo plano Vida Plena", [], "Vida Plena", None),
        ("aceita unimed e cassi?", ["Unimed"], "Cassi", None),
        ("minha filha Cássia", [], "", None),
        ("moro perto de um porto", [], "", None),
        ("particular mesmo", [], "", PRIVATE),
        ("não tenho convênio", [], "", PRIVATE),
        ("quanto sai, ela não tem convenio", [], "", None),
        ("ele não tem convênio", [], "", PRIVATE),
        ("não temos plano", [], "", PRIVATE),
        ("não tem convênio?", [], "", None),
        ("vocês não têm convênio", [], "", None),
        ("atendem particular?", [], "", None),
        ("meu plano alimentar", [], "", None),
    ],
)
def test_a_plan_is_known_by_its_name_however_it_is_written(said, taken, other, plan):
    found = plans_named(said, CLINIC, VERTICALS["med"])
    assert ([each.name for each in found.taken], found.other, found.plan) == (taken, other, plan)


async def test_a_tap_on_a_plan_shows_what_it_pays_and_the_booking_keeps_it(front_desk: FrontDesk, patient: Visitor):
    asked = await patient.say("quero marcar consulta geral amanhã às 8h")
    assert list(options(asked)) == ["Particular", "Unimed", "Bradesco Saúde", "SulAmérica", "Amil"]
    told = await patient.tap(options(asked)["Bradesco Saúde"])
    assert ("R$ 80,00" in text(told), PRIVATE_PRICE in text(told)) == (True, False)
    confirmed = text(await patient.tap(options(told)["Confirmar"]))
    assert "Convênio: Bradesco Saúde, R$ 80,00." in confirmed
    assert "sinal" not in confirmed
    assert await booked(front_desk) == [("Bradesco Saúde", False, 8000, 0)]


@pytest.mark.parametrize(
    ("answer", "plan"),
    [("particular", PRIVATE), ("não tenho convênio", PRIVATE), ("não", PRIVATE), ("é pela unimed", "Unimed")],
)
async def test_the_question_is_answered_in_words_too(front_desk: FrontDesk, patient: Visitor, answer: str, plan: str):
    await patient.say("quero marcar consulta geral amanhã às 8h")
    await patient.say(answer)
    await patient.say("sim")
    assert [found[0] for found in await booked(front_desk)] == [plan]


async def test_who_does_not_answer_it_is_not_asked_again_and_reads_whose_price_it_is(
    front_desk: FrontDesk, patient: Visitor
):
    await patient.say("quero marcar consulta geral amanhã às 8h")
    told = text(await patient.say("pode ser"))
    assert ("Vai ser particular" in told, "Se for por convênio, me diga qual" in told) == (False, True)
    await patient.say("sim")
    assert await booked(front_desk) == [("", False, 25000, 5000)]


async def test_a_plan_that_was_named_before_is_not_asked_again(front_desk: FrontDesk, patient: Visitor):
    await patient.say("vocês aceitam Unimed?")
    told = text(await patient.say("quero marcar consulta geral amanhã às 8h"))
    assert ("coberto pelo convênio Unimed" in told, PRIVATE_PRICE in told) == (True, False)


async def test_who_came_by_a_plan_is_shown_it_the_next_time(front_desk: FrontDesk, patient: Visitor):
    await patient.say("quero marcar consulta geral amanhã às 8h pela Unimed")
    await patient.say("sim")
    later = front_desk.visitor()
    later.clinic = CLINIC
    assert "coberto pelo convênio Unimed" in text(await later.say("quero marcar cardiologia hoje às 13h"))
    changed = text(await later.say("dessa vez é particular"))
    assert ("particular, R$ 380,00" in changed, "Posso marcar assim?" in changed) == (True, True)


async def test_somebody_elses_plan_and_another_clinics_is_not_known(front_desk: FrontDesk, patient: Visitor):
    await patient.say("quero marcar consulta geral amanhã às 8h pela Unimed")
    await patient.say("sim")
    elsewhere = replace(CLINIC, id=ClinicId("x"))
    for hour, changes in enumerate(({"contact": "+5511999990009"}, {"name": "Rui Melo"}, {"clinic": elsewhere}), 9):
        other = front_desk.visitor()
        other.clinic = CLINIC
        for name, value in changes.items():
            setattr(other, name, value)
        asked = text(await other.say(f"quero marcar dermatologista amanhã às {hour}h"))
        assert ("Vai ser particular ou por convênio?" in asked, "Unimed" in asked) == (True, False)


async def test_a_plan_that_is_not_taken_for_it_is_told_with_the_private_price_and_others(
    front_desk: FrontDesk, patient: Visitor
):
    told = await patient.say("quero marcar dermatologista pelo Bradesco")
    assert "não fazemos Consulta com dermatologista" in text(told)
    assert ("R$ 340,00" in text(told), "Particular" in options(told), "Unimed" in options(told)) == (True, True, True)
    assert "Estes são os próximos horários" in text(await patient.say("então particular"))


async def test_who_else_takes_the_plan_is_offered(front_desk: FrontDesk, patient: Visitor):
    told = await patient.say("quero consulta geral com a Dra Carla pelo Bradesco")
    assert "A Dra. Carla Menezes não atende" in text(told)
    shown = await patient.tap(options(told)["Dra. Ana Souza"])
    assert {option.description for option in shown.replies[-1].options} - {""} == {"Dra. Ana Souza"}


async def test_only_those_who_take_the_plan_have_times_of_it(front_desk: FrontDesk, patient: Visitor):
    shown = await patient.say("quero consulta geral na terça pelo Bradesco")
    assert not any(option.description.startswith("Dra. Carla") for option in shown.replies[-1].options)


async def test_an_unknown_plan_is_denied_and_those_that_are_taken_are_named(front_desk: FrontDesk, patient: Visitor):
    told = await patient.say("quero marcar consulta geral amanhã às 8h pela Golden Cross")
    assert "Não aceitamos o convênio Golden Cross. Aceitamos: Unimed, Bradesco Saúde, SulAmérica, Amil." in text(told)
    assert PRIVATE_PRICE in text(told)
    assert "Posso marcar assim?" in text(await patient.tap(options(told)["Particular"]))


QUESTIONS = {
    "quanto custa a consulta geral pela unimed?": ("Consulta Geral: coberto", PRIVATE_PRICE),
    "pela unimed tem que pagar alguma coisa?": ("coberto", "Formas de pagamento"),
    "vocês cobram consulta geral de quem tem unimed?": ("Consulta Geral: coberto", PRIVATE_PRICE),
    "quanto é a consulta geral pelo bradesco?": ("Consulta Geral: R$ 80,00", PRIVATE_PRICE),
    "quanto custa a consulta geral pela amil?": ("quem informa o valor é a equipe", PRIVATE_PRICE),
    "quanto fica a consulta geral pelo convênio?": ("depende de qual", PRIVATE_PRICE),
    "quanto custa a consulta geral pela golden cross?": ("Não aceitamos o convênio Golden Cross", "Sim, aceitamos"),
    "cardiologia pelo bradesco tem carência?": ("carência de 90 dias", "Sim, aceitamos"),
    "tem carência pela unimed?": ("Quem sabe dizer é a operadora", "Sim, aceitamos"),
    "tem carência?": ("carência de 90 dias", "Sim, aceitamos"),
    "vocês atendem pelo sus?": ("Não aceitamos o convênio SUS", "Sim, aceitamos"),
    "a dra carla atende bradesco?": ("Dra. Carla Menezes não atende pelo convênio Bradesco Saúde", "Sim, aceitamos"),
    "aceitam bradesco?": ("para: Consulta Geral, Consulta com cardiologista", "dermatologista"),
    "aceita amil?": ("Sim, aceitamos Amil.", "Não aceitamos"),
    "precisa de autorização para cardiologia pelo bradesco?": ("precisa autorizar antes", "R$ 380,00"),
}


@pytest.mark.parametrize("question", QUESTIONS)
async def test_questions_about_plans_are_answered_by_the_plans_own_terms(patient: Visitor, question: str):
    told = text(await patient.say(question))
    meant, never = QUESTIONS[question]
    assert (meant in told, never in told) == (True, False), told


async def test_where_no_waiting_time_is_known_the_operator_is_named(front_desk: FrontDesk):
    patient = front_desk.visitor()
    patient.clinic = replace(CLINIC, plans=())
    told = text(await patient.say("tem carência?"))
    assert ("operadora do plano" in told, "aceitamos" in told) == (True, False)


async def test_the_number_of_the_card_is_taken_before_and_after_the_booking(front_desk: FrontDesk, patient: Visitor):
    asked = text(await patient.say("quero marcar consulta geral amanhã às 8h pela Unimed"))
    assert "pede o número da carteirinha" in asked
    assert "Anotei o número da carteirinha." in text(await patient.say("carteirinha 0012 3456 7890"))
    assert "Já tenho o número" in text(await patient.say("sim"))
    assert "Anotei" in text(await patient.say("ops, a carteirinha é 0012 3456 7899"))
    [appointment] = await front_desk.desk.appointments_of(CLINIC, MARIA)
    stored = await front_desk.documents.get(f"gendei_clinics/{CLINIC.id}/patients/{appointment.patient_id}")
    assert stored.data is not None
    assert (stored.data["plan"], stored.data["personalData"]["planCard"]) == ("Unimed", "001234567899")


async def test_the_number_of_the_card_comes_with_the_wish_or_with_the_yes(front_desk: FrontDesk, patient: Visitor):
    await patient.say("quero marcar consulta geral amanhã às 8h, tenho Unimed, carteirinha 0012 3456 7890")
    assert "Já tenho o número da sua carteirinha." in text(await patient.say("sim"))
    await patient.say("quero marcar cardiologia quarta às 8h")
    assert "✅" in text(await patient.say("sim, a carteirinha é 0012 3456 7891"))
    [first, second] = await front_desk.desk.appointments_of(CLINIC, MARIA)
    stored = await front_desk.documents.get(f"gendei_clinics/{CLINIC.id}/patients/{second.patient_id}")
    assert (stored.data or {})["personalData"] == {"planCard": "001234567891"}
    assert (first.plan, second.plan) == ("Unimed", "Unimed")


async def test_a_question_in_between_is_answered_and_the_plan_asked_again(patient: Visitor):
    await patient.say("quero marcar consulta geral amanhã às 8h")
    told = await patient.say("qual a diferença de preço?")
    for line in ("• Particular: R$ 250,00", "• Unimed: coberto", "• Bradesco Saúde: R$ 80,00", "• Amil: quem informa"):
        assert line in text(told)
    assert next(iter(options(told))) == "Particular"
    assert "Se for por convênio, me diga qual" in text(await patient.say("tanto faz"))


async def test_the_plan_of_what_is_booked_is_put_right_afterwards(front_desk: FrontDesk, patient: Visitor):
    await patient.say("quero marcar consulta geral amanhã às 8h particular")
    await patient.say("sim")
    told = text(await patient.say("esqueci, é pelo bradesco"))
    assert "Convênio: Bradesco Saúde, R$ 80,00." in told
    assert await booked(front_desk) == [("Bradesco Saúde", False, 8000, 0)]


async def test_a_yes_that_names_another_plan_is_asked_again_with_its_price(front_desk: FrontDesk, patient: Visitor):
    await patient.say("quero marcar consulta geral amanhã às 8h pela Unimed")
    told = text(await patient.say("sim, mas pelo bradesco"))
    assert ("R$ 80,00" in told, await booked(front_desk)) == (True, [])


async def test_an_old_yes_does_not_book_at_another_price(front_desk: FrontDesk, patient: Visitor):
    shown = await patient.say("quero marcar consulta geral amanhã às 8h pela Unimed")
    old = options(shown)["Confirmar"]
    await patient.say("na verdade é particular")
    again = text(await patient.tap(old))
    assert ("Posso marcar" in again, await booked(front_desk)) == (True, [])


async def test_a_clinic_that_only_names_its_plans_asks_nothing_and_keeps_what_is_said(front_desk: FrontDesk):
    patient = front_desk.visitor()
    patient.clinic = replace(CLINIC, plans=())
    assert "Posso marcar assim?" in text(await patient.say("quero marcar consulta geral amanhã às 8h"))
    told = text(await patient.say("é pela unimed"))
    assert ("quem informa o valor é a equipe" in told, PRIVATE_PRICE in told) == (True, False)
    await patient.say("sim")
    assert await booked(front_desk) == [("Unimed", False, None, 0)]


def test_a_conversation_from_before_goes_on_without_a_plan():
    assert SchedulingAgentState.from_dict({"state": "initial"}).plan == ""


async def test_a_model_that_names_the_private_price_to_who_comes_by_a_plan_is_asked_again(front_desk: FrontDesk):
    lie, truth = "A Consulta Geral custa R$ 250,00.", "Pela Unimed a Consulta Geral é coberta."
    patient, model = scripted(front_desk, [[assistant_message(lie)], [assistant_message(truth)]])
    patient.clinic = CLINIC
    assert text(await patient.say("quanto custa a consulta geral pela unimed?")) == truth
    model.assert_complete()


async def test_a_model_books_by_the_plan_that_the_patient_told_and_asks_where_they_told_none(front_desk: FrontDesk):
    slot = {"service_id": "consulta", "professional_id": "ana", "date": "2026-11-24", "time": "08:00"}
    search = {"service_id": "consulta", "date": "2026-11-24", "professional_id": None}
    question = "Posso marcar a Consulta Geral com a Dra. Ana Souza amanhã, terça, 24/11, às 8h, pela Unimed?"
    patient, model = scripted(
        front_desk,
        [
            call(1, "transfer_to_sales_closer"),
            call(2, "get_available_slots", **search, time_from=None, time_to=None),
            call(3, "create_appointment", **slot, patient_name="Maria Silva"),
            [assistant_message("É particular ou por qual convênio?")],
            call(4, "hold_slot", **slot, plan="Unimed"),
            [assistant_message(question)],
        ],
    )
    patient.clinic = CLINIC
    await patient.say("quero consulta geral amanhã às 8h")
    refused = next(call for call in model.calls if "ask_for_plan" in str(call.input))
    assert "Bradesco Saúde" in str(refused.input)
    await patient.say("Unimed")
    assert "Convênio: Unimed, coberto." in text(await patient.say("sim"))
    assert await booked(front_desk) == [("Unimed", True, None, 0)]
    model.assert_complete()


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("pelo Bradesco o cardiologista precisa de autorização?", "precisa autorizar antes"),
        ("pela Unimed precisa de autorização?", "a equipe pode responder"),
    ],
)
async def test_whether_a_plan_has_to_agree_is_told_by_its_terms(patient: Visitor, said: str, told: str):
    answer = text(await patient.say(said))
    assert (told in answer, "aceitamos" in answer.lower()) == (True, False)
