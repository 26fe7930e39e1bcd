"""Yes and no in the forms that patients write, when they count, and when not."""

from datetime import timedelta

import pytest
from tests.receptionist.front_desk import JOAO, MARIA, NOW, FrontDesk, Visitor, options, text

WISH = "limpeza amanhã às 14h com a dra lívia"


async def starts(front_desk: FrontDesk, visitor: Visitor) -> list[str]:
    found = await front_desk.desk.appointments_of(visitor.clinic, visitor.contact)
    return [f"{visitor.clinic.local(appointment.start):%d/%m %H:%M}" for appointment in found]


@pytest.mark.parametrize(
    "yes",
    [
        *("tá, pode ser", "claro", "com certeza", "aham", "👍", "👍🏽", "manda ver", "ok obrigada", "simm", "siiiim"),
        *("confrima", "pode confirmar por favor", "isso msm", "sim minha querida", "ta bom", "bora", "fechou", "👌"),
        *("pode marcar pra mim", "ok marca", "Sim!!!", "beleza então", "perfeito, obrigada viu", "yes", "uhum"),
        *("é", "eh", "é isso"),
    ],
)
async def test_a_yes_books(front_desk: FrontDesk, yes: str):
    maria = front_desk.visitor("sorriso")
    await maria.say(WISH)
    await maria.say(yes)
    assert await starts(front_desk, maria) == ["24/11 14:00"]
    assert await front_desk.desk.appointments_of(maria.clinic, JOAO) == []


@pytest.mark.parametrize(
    "no",
    [
        *(
            "não",
            "n",
            "não dá",
            "n posso",
            "não posso nesse",
            "não vai dar",
            "agora não",
            "👎",
            "negativo",
            "nao obrigada",
        ),
        *("deixa quieto", "prefiro não", "deixa pra lá", "esquece", "não quero mais", "desisto", "melhor não"),
    ],
)
async def test_a_no_books_nothing_and_asks_what_else(front_desk: FrontDesk, no: str):
    maria = front_desk.visitor("sorriso")
    await maria.say(WISH)
    assert options(await maria.say(no))
    assert await starts(front_desk, maria) == []


@pytest.mark.parametrize("words", ["deixa quieto", "prefiro não", "esquece"])
async def test_who_wants_it_left_alone_is_not_asked_what_to_change(front_desk: FrontDesk, words: str):
    maria = front_desk.visitor("sorriso")
    await maria.say(WISH)
    assert "não marquei nada" in text(await maria.say(words))


async def test_thanks_before_the_yes_reminds_of_it_and_books_nothing(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    await maria.say(WISH)
    assert "Confirmar" in options(await maria.say("obrigada"))
    assert await starts(front_desk, maria) == []


async def test_a_moment_leaves_the_question_as_it_is(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    await maria.say(WISH)
    assert "Sem pressa" in text(await maria.say("peraí um minutinho"))
    await maria.say("sim")
    assert await starts(front_desk, maria) == ["24/11 14:00"]


async def test_a_yes_after_another_topic_is_asked_again_with_the_facts(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    for words in ("avaliação quinta às 10h", "sim", WISH, "quais são meus horários marcados?"):
        await maria.say(words)
    asked = await maria.say("sim")
    assert "confira antes" in text(asked)
    assert "às 14h" in text(asked)
    assert await starts(front_desk, maria) == ["26/11 10:00"]


async def test_a_yes_long_after_the_question_is_asked_again_once(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    await maria.say(WISH)
    maria.now = NOW + timedelta(hours=3)
    assert "confira antes" in text(await maria.say("sim"))
    await maria.say("sim")
    assert await starts(front_desk, maria) == ["24/11 14:00"]


async def test_a_yes_after_a_finished_booking_neither_greets_nor_books(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    for words in (WISH, "sim"):
        await maria.say(words)
    told = await maria.say("sim")
    assert "Combinado!" in text(told)
    assert await starts(front_desk, maria) == ["24/11 14:00"]


async def test_the_same_wish_again_is_said_to_stand_already(front_desk: FrontDesk):
    maria, joao = front_desk.visitor("sorriso"), front_desk.visitor("sorriso", contact=JOAO, name="João Reis")
    for words in (WISH, "sim"):
        await maria.say(words)
    again = await maria.say(WISH)
    assert "já está na agenda" in text(again)
    assert "Mudar horário" in options(again)
    assert "já está na agenda" not in text(await joao.say(WISH))


async def test_a_slip_right_after_the_booking_moves_it(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    for words in (WISH, "sim", "errei, era pra quinta", "10h", "sim"):
        await maria.say(words)
    assert await starts(front_desk, maria) == ["26/11 10:00"]


async def test_another_appointment_can_be_cancelled_in_the_middle_of_a_booking(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    for words in ("limpeza quinta às 10h", "sim", "limpeza sexta de tarde"):
        await maria.say(words)
    asked = await maria.say("esquece, quero cancelar a de quinta")
    assert "Quer mesmo cancelar?" in text(asked)
    assert "26/11" in text(asked)
    await maria.say("sim")
    assert await front_desk.desk.appointments_of(maria.clinic, MARIA) == []


async def test_a_wrong_name_is_put_right(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    await maria.say(WISH)
    assert "Para: Maria Souza" in text(await maria.say("meu nome tá errado, é Maria Souza"))
