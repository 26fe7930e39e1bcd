"""Words that point at shown times, and days and hours that are limited in many ways."""

from datetime import datetime

import pytest
from tests.receptionist.front_desk import MARIA, NOW, FrontDesk, options, text


@pytest.mark.parametrize(
    ("words", "hour"),
    [
        ("o das duas", "às 14h\n"),
        ("a das 14", "às 14h\n"),
        ("o primeiro horário", "às 13h30"),
        ("o último", "às 17h40"),
        ("qualquer um", "às 13h30"),
        ("tanto faz", "às 13h30"),
        ("qq um", "às 13h30"),
        ("o mais cedo", "às 13h30"),
        ("o quanto antes", "às 13h30"),
        ("o mais tarde possível", "às 17h40"),
        ("qual vc indica?", "às 13h30"),
    ],
)
async def test_a_shown_time_is_chosen_by_pointing_at_it(front_desk: FrontDesk, words: str, hour: str):
    maria = front_desk.visitor("sorriso")
    await maria.say("limpeza amanhã de tarde")
    asked = await maria.say(words)
    assert hour in text(asked)
    assert "Confirmar" in options(asked)
    assert await front_desk.desk.appointments_of(maria.clinic, MARIA) == []


@pytest.mark.parametrize("words", ["confirma", "pode ser esse", "esse mesmo", "sim"])
async def test_an_agreement_to_several_times_is_asked_which(front_desk: FrontDesk, words: str):
    maria = front_desk.visitor("sorriso")
    await maria.say("limpeza amanhã de tarde")
    assert "Qual destes horários" in text(await maria.say(words))


def hours(shown: dict[str, str]) -> list[str]:
    """The local clock of each shown time."""
    return [id_.split("|")[3][-5:] for id_ in shown.values() if id_.startswith("slot|")]


async def test_earlier_shows_only_what_is_before(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    await maria.say("limpeza amanhã às 14h")
    assert max(hours(options(await maria.say("tem mais cedo?")))) < "14:00"


async def test_later_shows_only_what_is_after(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    await maria.say("limpeza amanhã às 14h")
    assert min(hours(options(await maria.say("melhor mais tarde")))) > "14:00"


async def test_after_work_means_from_then_on(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    await maria.say("limpeza amanhã")
    assert min(hours(options(await maria.say("eu saio às 15h do trabalho")))) >= "15:00"


async def test_before_ten_shows_nothing_later(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    await maria.say("limpeza")
    assert max(hours(options(await maria.say("antes das 10")))) < "10:00"


def days(shown: dict[str, str]) -> set[str]:
    return {id_.split("|")[3][:10] for id_ in shown.values() if id_.startswith("slot|")}


async def test_from_thursday_on_is_more_than_thursday(front_desk: FrontDesk):
    shown = days(options(await front_desk.visitor("sorriso").say("limpeza a partir de quinta")))
    assert min(shown) == "2026-11-26"
    assert len(shown) > 1


async def test_any_day_but_monday_leaves_every_monday_out(front_desk: FrontDesk):
    shown = days(options(await front_desk.visitor("sorriso").say("limpeza qualquer dia menos segunda")))
    assert shown
    assert all(datetime.fromisoformat(day).weekday() != 0 for day in shown)


async def test_the_end_of_the_month_reaches_its_last_days(front_desk: FrontDesk):
    shown = days(options(await front_desk.visitor("sorriso").say("limpeza no fim do mês")))
    assert max(shown) == "2026-11-30"


async def test_the_first_time_of_a_day_goes_straight_to_the_question(front_desk: FrontDesk):
    asked = await front_desk.visitor("sorriso").say("limpeza, o primeiro horário de quinta")
    assert "quinta-feira, 26/11, às 9h" in text(asked)
    assert "Confirmar" in options(asked)


async def test_tomorrow_on_a_day_before_a_closed_one_offers_living_days(front_desk: FrontDesk):
    friday = NOW.replace(month=12, day=23)
    offered = await front_desk.visitor("sorriso", now=friday).say("limpeza amanhã")
    assert "fechados" in text(offered)
    assert "2026-12-24" not in days(options(offered))


async def test_in_the_evening_only_is_told_apart_and_the_latest_are_offered(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    await maria.say("limpeza")
    offered = await maria.say("só consigo à noite")
    assert "não tenho vaga" in text(offered).lower()
    assert min(hours(options(offered))) >= "17:00"


async def test_with_the_other_doctor_is_whoever_else_does_it(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    await maria.say("limpeza amanhã às 14h20 com a paula")
    shown = options(await maria.say("na verdade com a outra doutora"))
    assert {id_.split("|")[2] for id_ in shown.values() if id_.startswith("slot|")} == {"livia"}


async def test_a_bare_hour_chooses_where_there_are_fewer_options(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    await maria.say("limpeza dia 30 de manhã")
    assert "às 9h\n" in text(await maria.say("9"))
