"""Who has the same in the agenda already and wishes to book it: changed, or one more?"""

import pytest
from tests.receptionist.front_desk import JOAO, MARIA, FrontDesk, Visitor, options, text

from gendei.messages.turns import TurnOutcome

AGAIN = "olha, eu precisava da limpeza na quinta de manhã"


async def again(front_desk: FrontDesk) -> tuple[Visitor, TurnOutcome]:
    """Maria, who has a cleaning tomorrow, and what her wish for one on Thursday is answered."""
    maria = front_desk.visitor("sorriso")
    for said in ("limpeza amanhã às 14h", "sim"):
        await maria.say(said)
    return maria, await maria.say(AGAIN)


async def chosen(front_desk: FrontDesk, title: str) -> list[str]:
    """The days of what she has after tapping this, the first time that is shown, and a yes."""
    maria, asked = await again(front_desk)
    offered = await maria.tap(options(asked)[title])
    await maria.tap(next(iter(options(offered).values())))
    await maria.say("sim")
    return [f"{standing.start:%d/%m}" for standing in await front_desk.desk.appointments_of(maria.clinic, MARIA)]


async def test_it_is_asked_with_what_stands(front_desk: FrontDesk):
    _, asked = await again(front_desk)
    assert ("24/11" in text(asked), list(options(asked))) == (True, ["Mudar horário", "Cancelar", "Marcar horário"])


async def test_who_means_another_than_the_one_that_is_found_can_say_so(front_desk: FrontDesk):
    maria, _ = await again(front_desk)
    asked = await maria.say("cancela a de sexta")
    told = [await maria.tap(options(asked)["Não, é outro"])]
    await maria.say("cancela a de sexta")
    told.append(await maria.say("não"))
    assert ("É desse que você fala?" in text(asked), len(options(asked))) == (True, 2)
    assert [list(options(each)) for each in told] == [["Falar com a equipe", "Marcar horário"]] * 2
    standing = await front_desk.desk.appointments_of(maria.clinic, MARIA)
    assert [appointment.status.live for appointment in standing] == [True]


async def test_who_leaves_the_time_to_somebody_else_is_asked_about_a_cancellation(front_desk: FrontDesk):
    maria, _ = await again(front_desk)
    asked = await maria.say("já passou a dor, graças a Deus, podem atender outro na terça")
    assert "Sim, cancelar" in options(asked)


async def test_a_change_leaves_one_appointment_on_the_day_that_was_wished(front_desk: FrontDesk):
    assert await chosen(front_desk, "Mudar horário") == ["26/11"]


async def test_one_more_is_booked_on_the_day_that_was_wished(front_desk: FrontDesk):
    assert await chosen(front_desk, "Marcar horário") == ["24/11", "26/11"]


@pytest.mark.parametrize(("said", "days"), [("quero mudar", ["26/11"]), ("é mais uma", ["24/11", "26/11"])])
async def test_the_answer_may_be_typed(front_desk: FrontDesk, said: str, days: list[str]):
    maria, _ = await again(front_desk)
    offered = await maria.say(said)
    await maria.tap(next(iter(options(offered).values())))
    await maria.say("sim")
    assert [
        f"{standing.start:%d/%m}" for standing in await front_desk.desk.appointments_of(maria.clinic, MARIA)
    ] == days


async def test_a_question_beside_the_wish_leaves_no_second_appointment_either(front_desk: FrontDesk):
    maria, _ = await again(front_desk)
    assert "Mudar horário" in options(await maria.say("quanto custa a limpeza? queria na quinta de manhã"))


async def test_who_says_that_it_is_another_one_is_not_asked(front_desk: FrontDesk):
    maria, _ = await again(front_desk)
    assert "Mudar horário" not in options(await maria.say("outra limpeza na quinta às 9h"))


async def test_an_outsider_is_told_nothing_of_it(front_desk: FrontDesk):
    await again(front_desk)
    assert "24/11" not in text(await front_desk.visitor("sorriso", contact=JOAO, name="João").say(AGAIN))


async def told(front_desk: FrontDesk, said: str) -> tuple[Visitor, TurnOutcome]:
    """Maria, who has a cleaning tomorrow, a Tuesday, and what this is answered."""
    maria = front_desk.visitor("sorriso")
    for first in ("limpeza amanhã às 14h", "sim"):
        await maria.say(first)
    return maria, await maria.say(said)


OF_WHAT_STANDS = ["Mudar horário", "Cancelar", "Deixar como está"]
REASONS = ["na terça vou estar em Campinas o dia todo", "amanhã tenho plantão"]


@pytest.mark.parametrize("reason", REASONS)
async def test_a_reason_not_to_come_is_answered_with_what_can_be_done(front_desk: FrontDesk, reason: str):
    _, asked = await told(front_desk, reason)
    assert ("24/11" in text(asked), list(options(asked))) == (True, OF_WHAT_STANDS)


@pytest.mark.parametrize(("title", "days"), [("Cancelar", []), ("Deixar como está", ["24/11"])])
async def test_the_tap_decides_what_becomes_of_it(front_desk: FrontDesk, title: str, days: list[str]):
    maria, asked = await told(front_desk, "na terça vou estar em Campinas o dia todo")
    if yes := options(await maria.tap(options(asked)[title])).get("Sim, cancelar"):
        await maria.tap(yes)
    standing = await front_desk.desk.appointments_of(maria.clinic, MARIA)
    assert [f"{each.start:%d/%m}" for each in standing] == days


async def test_a_day_that_is_ruled_out_and_one_that_is_wished_move_it(front_desk: FrontDesk):
    _, offered = await told(front_desk, "terça não posso, sexta sim")
    assert ("Vamos mudar" in text(offered), "27/11" in text(offered)) == (True, True)


ELSE = ["quanto custa o clareamento?", "queria um canal na terça", "outra limpeza na terça", "que horas fecha amanhã?"]


@pytest.mark.parametrize("said", ELSE)
async def test_what_is_about_something_else_is_answered_as_such(front_desk: FrontDesk, said: str):
    _, answered = await told(front_desk, said)
    assert set(OF_WHAT_STANDS[:2]).isdisjoint(options(answered))


async def test_a_reason_of_who_has_nothing_is_no_wish_to_change(front_desk: FrontDesk):
    await told(front_desk, "oi")
    joao = front_desk.visitor("sorriso", contact=JOAO, name="João")
    answered = await joao.say(REASONS[0])
    assert ("24/11" in text(answered), set(OF_WHAT_STANDS[:2]).isdisjoint(options(answered))) == (False, True)


async def test_leave_it_after_a_menu_begins_nothing(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    await maria.say("quanto custa a limpeza?")
    assert options(await maria.say("pode deixar")) == {}


async def asked_to_cancel(front_desk: FrontDesk) -> Visitor:
    """Maria, who is asked whether to cancel tomorrow's cleaning."""
    maria, asked = await told(front_desk, "quero cancelar")
    assert "Sim, cancelar" in options(asked)
    return maria


@pytest.mark.parametrize(
    ("said", "expected"), [("não, quero na sexta", "27/11"), ("não, deixa a de terça", "fica como está")]
)
async def test_a_day_beside_the_no_moves_it_or_keeps_it(front_desk: FrontDesk, said: str, expected: str):
    maria = await asked_to_cancel(front_desk)
    answered = await maria.say(said)
    assert (expected in text(answered), "Qual serviço" in text(answered)) == (True, False)


async def test_who_needs_no_other_time_cancels(front_desk: FrontDesk):
    _, asked = await told(front_desk, "terça eu não vou, não precisa remarcar")
    assert "Sim, cancelar" in options(asked)


@pytest.mark.parametrize("said", ["dói?", "precisa tirar a roupa?"])
async def test_a_question_in_a_booking_that_nobody_noted_is_one_for_the_team(front_desk: FrontDesk, said: str):
    maria = front_desk.visitor("sorriso")
    await maria.say("limpeza amanhã de manhã")
    answered = await maria.say(said)
    assert ("a equipe" in text(answered), "não entendi" in text(answered)) == (True, False)
    assert [title for title in options(answered) if "24/11" in title] != []


async def test_a_question_of_another_service_leaves_the_booking_as_it_is(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    await maria.say("limpeza amanhã de manhã")
    answered = await maria.say("e o clareamento dói muito?")
    assert ("a equipe" in text(answered), "Profilaxia" in text(answered)) == (True, True)


async def test_a_name_in_small_letters_is_no_professional(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    for said in ("limpeza amanhã às 14h", "é para paula moreira"):
        answered = await maria.say(said)
    assert "Para: Paula Moreira" in text(answered)


@pytest.mark.parametrize("said", ["esqueci meu casaco aí na clínica", "deixei minha pasta com vocês ontem"])
async def test_what_was_left_behind_is_for_the_team(front_desk: FrontDesk, said: str):
    assert (await front_desk.visitor("sorriso").say(said)).takeover_reason is not None
