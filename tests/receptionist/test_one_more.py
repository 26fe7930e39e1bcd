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
