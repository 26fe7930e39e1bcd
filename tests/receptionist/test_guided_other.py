import pytest
from tests.receptionist.front_desk import JOAO, MARIA, FrontDesk, Visitor, options, text

from gendei.booking.appointment import AppointmentStatus


async def book(visitor: Visitor, wish: str = "limpeza amanhã às 14h") -> None:
    await visitor.say(wish)
    await visitor.say("sim")


async def test_coming_appointments_are_shown_to_their_patient_alone(front_desk: FrontDesk):
    maria, joao = front_desk.visitor("sorriso"), front_desk.visitor("sorriso", contact=JOAO, name="João")
    await book(maria)
    assert "terça-feira, 24/11, às 14h" in text(await maria.say("quais meus horários?"))
    assert "Não encontrei" in text(await joao.say("quais meus horários?"))


async def test_an_appointment_is_moved(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    await book(maria)
    await maria.say("quero remarcar para quinta às 10h")
    told = await maria.say("sim")
    [moved] = await front_desk.desk.appointments_of(maria.clinic, MARIA)
    assert f"{moved.start:%d/%m %H:%M}" == "26/11 10:00"
    assert "foi remarcada" in text(told)


async def test_an_appointment_is_cancelled_only_after_a_yes(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    await book(maria)
    asked = await maria.say("quero cancelar minha consulta")
    assert len(await front_desk.desk.appointments_of(maria.clinic, MARIA)) == 1
    told = await maria.tap(options(asked)["Sim, cancelar"])
    assert await front_desk.desk.appointments_of(maria.clinic, MARIA) == []
    assert "foi cancelada" in text(told)


async def test_a_no_keeps_the_appointment(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    await book(maria)
    await maria.say("quero cancelar")
    await maria.say("não")
    assert len(await front_desk.desk.appointments_of(maria.clinic, MARIA)) == 1


@pytest.mark.parametrize("forged", ["cancel_now|{id}", "cancel|{id}", "move|{id}"])
async def test_somebody_elses_appointment_is_not_found(front_desk: FrontDesk, forged: str):
    maria, joao = front_desk.visitor("sorriso"), front_desk.visitor("sorriso", contact=JOAO, name="João")
    await book(maria)
    [hers] = await front_desk.desk.appointments_of(maria.clinic, MARIA)
    answer = await joao.tap(forged.format(id=hers.id))
    assert "Não encontrei" in text(answer)
    assert (await front_desk.desk.appointments_of(maria.clinic, MARIA))[0].status is AppointmentStatus.CONFIRMED


async def test_somebody_elses_appointment_cannot_be_moved_by_a_forged_id(front_desk: FrontDesk):
    maria, joao = front_desk.visitor("sorriso"), front_desk.visitor("sorriso", contact=JOAO, name="João")
    await book(maria)
    [hers] = await front_desk.desk.appointments_of(maria.clinic, MARIA)
    await joao.say("limpeza quinta às 10h")
    await joao.tap(f"move_now|{hers.id}|livia|2026-11-26T10:00")
    assert (await front_desk.desk.appointments_of(maria.clinic, MARIA))[0].start == hers.start


@pytest.mark.parametrize(
    ("question", "fact"),
    [
        ("quanto custa a limpeza?", "R$ 180,00"),
        ("onde fica a clínica?", "Avenida Boa Viagem"),
        ("que horas abrem?", "segunda"),
        ("quais serviços vocês têm?", "Profilaxia"),
        ("quem são os dentistas?", "Dra. Paula Lins"),
        ("como posso pagar?", "pagamento"),
        ("o que preciso levar?", "documento"),
        ("você é um robô?", "assistente virtual"),
    ],
)
async def test_a_question_is_answered_from_the_clinics_own_data(front_desk: FrontDesk, question: str, fact: str):
    assert fact in text(await front_desk.visitor("sorriso").say(question))


async def test_a_wish_for_a_person_hands_over_with_a_reason(front_desk: FrontDesk):
    outcome = await front_desk.visitor().say("quero falar com uma pessoa")
    assert outcome.takeover_reason == "pediu para falar com uma pessoa"
    assert "equipe" in text(outcome)
    assert outcome.agent == "support"


async def test_an_emergency_is_answered_first_and_reaches_staff(front_desk: FrontDesk):
    outcome = await front_desk.visitor().say("quero marcar", "to com dor no peito")
    assert "192" in text(outcome)
    assert outcome.takeover_reason is not None


@pytest.mark.parametrize(
    "words",
    [
        "sou a responsável pela Ana, quero marcar uma consulta pra ela",
        "sou secretária do Dr. João, preciso de um horário",
    ],
)
async def test_who_says_what_they_are_asks_for_no_person(front_desk: FrontDesk, words: str):
    outcome = await front_desk.visitor("sorriso").say(words)
    assert (outcome.takeover_reason, bool(outcome.replies)) == (None, True)


async def test_an_offer_of_wares_is_thanked_for_and_books_nothing(front_desk: FrontDesk):
    outcome = await front_desk.visitor("sorriso").say(
        "boa tarde, sou representante da Dental Max, gostaria de apresentar nossos produtos"
    )
    assert ("Obrigada pela mensagem" in text(outcome), options(outcome)) == (True, {})


async def test_nonsense_is_met_with_a_question_then_options_then_a_person(front_desk: FrontDesk):
    maria = front_desk.visitor()
    assert (await maria.say("blerg")).replies[-1].options == ()
    assert options(await maria.say("blorg"))
    assert (await maria.say("blurg")).takeover_reason is not None


async def test_audio_is_answered_with_a_wish_for_words(front_desk: FrontDesk):
    assert "escrever" in text(await front_desk.visitor().say("[audio]", kind="audio"))


async def test_several_messages_of_a_turn_are_read_together(front_desk: FrontDesk):
    outcome = await front_desk.visitor("sorriso").say("oi", "queria uma limpeza", "amanhã às 14h")
    assert "Confirmar" in options(outcome)


async def test_a_bare_yes_out_of_nowhere_is_greeted(front_desk: FrontDesk):
    assert options(await front_desk.visitor().say("sim"))


async def test_pain_is_met_with_care_and_the_nearest_way_to_help(front_desk: FrontDesk):
    maria = front_desk.visitor()
    assert "192" in text(await maria.say("minha barriga tá doendo muito"))
    told = await maria.say("não")
    assert "Sinto muito" in text(told)
    assert list(options(told)) == ["Marcar horário", "Falar com a equipe"]


async def test_pain_that_one_service_is_for_is_met_with_care_and_its_next_times(front_desk: FrontDesk):
    told = await front_desk.visitor("sorriso").say("meu dente tá doendo muito")
    assert "Sinto muito" in text(told)
    assert "os próximos horários para *Avaliação*" in text(told)


@pytest.mark.parametrize(
    "words",
    ["meu dente quebrou comendo pipoca", "dentadura quebrou", "caiu a restauração do meu dente", "trinquei o dente"],
)
async def test_what_broke_is_met_with_care_and_no_ambulance(front_desk: FrontDesk, words: str):
    told = text(await front_desk.visitor("sorriso").say(words))
    assert ("Sinto muito" in told, "192" in told) == (True, False)


@pytest.mark.parametrize(
    "words", ["meu dente quebrou e tá doendo", "meu filho caiu e quebrou o dente", "quebrei o braço"]
)
async def test_who_is_hurt_beside_it_reads_whom_to_call(front_desk: FrontDesk, words: str):
    assert "192" in text(await front_desk.visitor("sorriso").say(words))


@pytest.mark.parametrize("words", ["meu cpf é 529.982.247-25", "oi, cpf 52998224725", "anota aí: 529 982 247 25"])
async def test_a_number_that_is_told_tells_no_danger(front_desk: FrontDesk, words: str):
    assert "192" not in text(await front_desk.visitor("sorriso").say(words))


async def two_appointments(visitor: Visitor) -> None:
    await book(visitor, "limpeza amanhã às 14h")
    await book(visitor, "avaliação quinta às 10h")


@pytest.mark.parametrize(
    ("words", "which"),
    [("a limpeza", "24/11"), ("a de quinta", "26/11"), ("a das 10h", "26/11"), ("a segunda", "26/11")],
)
async def test_which_one_can_be_said_in_words(front_desk: FrontDesk, words: str, which: str):
    maria = front_desk.visitor("sorriso")
    await two_appointments(maria)
    await maria.say("quero cancelar minha consulta")
    asked = await maria.say(words)
    assert "Quer mesmo cancelar?" in text(asked)
    assert which in text(asked)
    assert len(await front_desk.desk.appointments_of(maria.clinic, MARIA)) == 2


async def test_which_one_is_moved_can_be_said_in_words_and_books_nothing_new(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    await two_appointments(maria)
    for words in ("quero remarcar", "a limpeza", "sexta às 9h50", "sim"):
        await maria.say(words)
    found = await front_desk.desk.appointments_of(maria.clinic, MARIA)
    assert len(found) == 2


async def test_a_greeting_is_nobodys_name(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    await maria.say("limpeza amanhã às 14h pra minha mãe")
    assert "o nome completo" in text(await maria.say("bom dia"))
    assert "Para: Rosa Lima" in text(await maria.say("Rosa Lima"))
    assert "Para: Maria Silva" in text(await maria.say("não, é pra mim mesma"))


async def test_hesitation_books_nothing_and_is_met_kindly(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    await maria.say("limpeza amanhã às 14h")
    assert "Sem problema" in text(await maria.say("vou pensar"))
    assert await front_desk.desk.appointments_of(maria.clinic, MARIA) == []


async def test_a_plan_that_is_accepted_gets_a_yes(front_desk: FrontDesk):
    assert "Sim, aceitamos Unimed." in text(await front_desk.visitor().say("vocês aceitam unimed?"))
