"""Several bookings, asked for at once or one after the other."""

import pytest
from tests.receptionist.front_desk import JOAO, MARIA, FrontDesk, Visitor, options, text

from gendei.receptionist.understanding.multi_booking import FurtherWish, WhoComes


async def booked(front_desk: FrontDesk, visitor: Visitor) -> list[tuple[str, str, str]]:
    """Service, local start and patient of each appointment that the visitor has."""
    found = await front_desk.desk.appointments_of(visitor.clinic, visitor.contact)
    return [
        (appointment.service_id, f"{visitor.clinic.local(appointment.start):%d/%m %H:%M}", appointment.patient_name)
        for appointment in found
    ]


async def test_a_mother_books_for_herself_and_then_for_her_daughter_without_asking_again(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    assert "um horário de cada vez" in text(await maria.say("limpeza pra mim e minha filha amanhã à tarde"))
    await maria.say("14h")
    following = await maria.say("sim")
    assert "confirmada" in text(following)
    assert "Vamos ao próximo horário, para sua filha" in text(following)
    assert any(id_.startswith("slot|profilaxia") for id_ in options(following).values())
    await maria.say("14h50")
    await maria.say("Bia Silva")
    await maria.say("sim")
    assert await booked(front_desk, maria) == [
        ("profilaxia", "24/11 14:00", "Maria Silva"),
        ("profilaxia", "24/11 14:50", "Bia Silva"),
    ]
    assert await front_desk.desk.appointments_of(maria.clinic, JOAO) == []


async def test_two_of_a_service_are_two_bookings_and_the_second_ones_name_is_asked(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    for words in ("2 limpezas amanhã de tarde", "14h", "sim"):
        await maria.say(words)
    assert "Em nome de quem" in text(await maria.say("14h50"))
    await maria.say("Ana Lima")
    await maria.say("sim")
    assert [name for _, _, name in await booked(front_desk, maria)] == ["Maria Silva", "Ana Lima"]


async def test_two_services_are_booked_one_after_the_other_on_the_day_that_was_said_once(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    for words in ("quero limpeza e clareamento quinta", "9h", "sim", "10h10", "sim"):
        await maria.say(words)
    assert await booked(front_desk, maria) == [
        ("profilaxia", "26/11 09:00", "Maria Silva"),
        ("clareamento", "26/11 10:10", "Maria Silva"),
    ]


async def test_each_service_keeps_its_own_day(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    assert "26/11" in text(await maria.say("marcar revisão pra quinta e limpeza na sexta"))
    await maria.say("9h")
    assert "27/11" in text(await maria.say("sim")).partition("Vamos ao próximo horário")[2]


async def test_another_one_after_a_booking_is_like_the_last(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    for words in ("limpeza amanhã às 14h", "sim"):
        await maria.say(words)
    assert "24/11" in text(await maria.say("e outra pra Ana"))
    assert "Para: Ana" in text(await maria.say("14h50"))
    await maria.say("sim")
    assert [start for _, start, _ in await booked(front_desk, maria)] == ["24/11 14:00", "24/11 14:50"]


async def test_another_one_before_the_yes_waits_for_it(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    await maria.say("limpeza amanhã às 14h")
    assert "Confirmar" in options(await maria.say("e mais uma pra minha filha"))
    assert "para sua filha" in text(await maria.say("sim"))


async def test_giving_up_the_first_gives_up_what_was_to_follow(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    await maria.say("limpeza pra mim e minha filha amanhã às 14h")
    await maria.say("deixa quieto")
    assert "then" not in maria.state
    assert await booked(front_desk, maria) == []


@pytest.mark.parametrize(
    "words",
    [
        "não quero limpeza, quero clareamento",
        "já fiz limpeza e agora quero clareamento",
        "quanto custa limpeza e clareamento?",
        "limpeza ou clareamento",
        "limpeza quinta e sexta não posso",
        "2 dias depois da limpeza posso comer?",
    ],
)
async def test_a_second_service_that_is_ruled_out_or_asked_about_is_no_second_booking(
    front_desk: FrontDesk, words: str
):
    maria = front_desk.visitor("sorriso")
    await maria.say(words)
    assert "then" not in maria.state


async def test_it_is_for_my_mother_corrects_the_booking_and_adds_none(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    await maria.say("limpeza amanhã às 14h")
    assert "Em nome de quem" in text(await maria.say("não, é pra minha mãe"))
    await maria.say("Rosa Lima")
    await maria.say("sim")
    assert await booked(front_desk, maria) == [("profilaxia", "24/11 14:00", "Rosa Lima")]


@pytest.mark.parametrize("words", ["cancela tudo", "cancela as duas", "quero cancelar todas"])
async def test_all_are_cancelled_after_one_yes_that_names_them_all(front_desk: FrontDesk, words: str):
    maria, joao = front_desk.visitor("sorriso"), front_desk.visitor("sorriso", contact=JOAO, name="João Reis")
    for said in ("limpeza amanhã às 14h", "sim", "avaliação quinta às 10h", "sim"):
        await maria.say(said)
    for said in ("limpeza sexta às 9h", "sim"):
        await joao.say(said)
    asked = await maria.say(words)
    assert "24/11" in text(asked)
    assert "26/11" in text(asked)
    assert len(await booked(front_desk, maria)) == 2
    await maria.tap(options(asked)["Sim, cancelar"])
    assert await front_desk.desk.appointments_of(maria.clinic, MARIA) == []
    assert len(await booked(front_desk, joao)) == 1


async def test_both_can_be_said_where_it_was_asked_which_one_to_cancel(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    for said in ("limpeza amanhã às 14h", "sim", "avaliação quinta às 10h", "sim", "quero cancelar", "as duas", "sim"):
        await maria.say(said)
    assert await booked(front_desk, maria) == []


async def test_a_yes_to_cancelling_one_does_not_cancel_the_others(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    for said in ("limpeza amanhã às 14h", "sim", "avaliação quinta às 10h", "sim"):
        await maria.say(said)
    one = options(await maria.say("cancelar a de amanhã"))["Sim, cancelar"]
    await maria.say("cancela as duas")
    await maria.tap(one)
    assert len(await booked(front_desk, maria)) == 2


async def test_a_son_and_a_daughter_who_are_named_are_booked_by_their_names(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    assert "um horário de cada vez" in text(await maria.say("limpeza pros meus filhos Ana e Pedro amanhã de tarde"))
    assert "Para: Ana" in text(await maria.say("14h"))
    assert "para Pedro" in text(await maria.say("sim"))
    assert "Para: Pedro" in text(await maria.say("14h50"))
    await maria.say("sim")
    assert [name for _, _, name in await booked(front_desk, maria)] == ["Ana", "Pedro"]


async def test_one_more_of_another_service_keeps_its_service_and_its_person(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    await maria.say("limpeza amanhã às 14h")
    await maria.say("e também um clareamento pra Ana")
    following = await maria.say("sim")
    assert any(id_.startswith("slot|clareamento") for id_ in options(following).values())
    assert maria.state["patient_name"] == "Ana"


def test_what_an_earlier_version_kept_as_words_is_still_booked():
    assert FurtherWish.of("e uma limpeza") == FurtherWish("e uma limpeza")
    kept = FurtherWish(person=WhoComes("minha filha Ana"))
    assert FurtherWish.of(kept.stored()) == kept
    assert (WhoComes("minha filha Ana").name, kept.for_whom) == ("Ana", "sua filha Ana")
