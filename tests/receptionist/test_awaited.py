"""What the guided receptionist says while somebody of the clinic's people is awaited, and after they had it."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from tests.receptionist.front_desk import NOW, FrontDesk, options, text

from gendei.clinic import TakeoverPolicy
from gendei.messages.turns import AwaitedPerson, PersonBefore

PERSON = AwaitedPerson(NOW - timedelta(minutes=5), "pediu para falar com uma pessoa")


@pytest.mark.parametrize(
    ("clock", "when"),
    [
        ("2026-11-23T09:10", "assim que puder, hoje até as 18h"),
        ("2026-11-23T07:10", "hoje, a partir das 8h"),
        ("2026-11-23T17:50", "amanhã, terça-feira, 24/11, a partir das 8h"),
        ("2026-11-27T22:00", "amanhã, sábado, 28/11, a partir das 8h"),
        ("2026-11-28T22:00", "na segunda-feira, 30/11, a partir das 8h"),
    ],
)
async def test_an_answer_is_promised_by_the_opening_hours(front_desk: FrontDesk, clock: str, when: str):
    maria = front_desk.visitor("boa-vida", now=datetime.fromisoformat(clock).replace(tzinfo=NOW.tzinfo))
    assert f"responde por aqui {when}." in text(await maria.say("quero falar com uma pessoa"))


async def test_who_gives_no_hours_promises_none(front_desk: FrontDesk):
    maria = front_desk.visitor()
    maria.clinic = replace(maria.clinic, hours={})
    assert "responde por aqui assim que puder." in text(await maria.say("quero falar com uma pessoa"))


async def test_the_hours_are_told_where_the_clinic_promises_no_minutes_too(front_desk: FrontDesk):
    maria = front_desk.visitor(now=NOW.replace(hour=22))
    maria.clinic = replace(maria.clinic, takeover=TakeoverPolicy(answer_within_minutes=0))
    assert "amanhã, terça-feira" in text(await maria.say("quero falar com uma pessoa"))


async def test_who_waits_is_not_offered_a_person(front_desk: FrontDesk):
    waits, free = front_desk.visitor(awaited=PERSON), front_desk.visitor()
    shown = [options(await each.say("quanto custa?")) for each in (waits, free)]
    assert ["Falar com a equipe" in titles for titles in shown] == [False, True]


async def test_a_question_of_a_booking_is_not_followed_by_more(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso", awaited=PERSON)
    assert "equipe" not in text(await maria.say("quero uma limpeza"))


async def test_who_waits_for_longer_than_promised_is_asked_for_pardon(front_desk: FrontDesk):
    maria = front_desk.visitor(awaited=replace(PERSON, overdue=True))
    assert "Desculpe a demora" in text(await maria.say("cadê a atendente?"))


@pytest.mark.parametrize(
    "words", ["você recebeu meu recado?", "xyzzy plugh", "a moça de cabelo curto sabe do que se trata"]
)
async def test_what_makes_no_sense_is_for_the_team_and_not_asked_about(front_desk: FrontDesk, words: str):
    maria = front_desk.visitor(awaited=PERSON)
    said = [text(await maria.say(words)) for _ in range(4)]
    assert [("não entendi" in told, "equipe" in told) for told in said] == [(False, True)] * 4
    assert len(set(said)) > 1


async def test_a_yes_after_a_person_was_called_books_nothing(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    await maria.say("limpeza hoje às 15h10")
    await maria.say("quero falar com uma pessoa")
    maria.awaited = PERSON
    for word in ("sim", "pode ser", "ok"):
        await maria.say(word)
    assert await front_desk.desk.appointments_of(maria.clinic, maria.contact) == []


async def test_nor_does_a_yes_after_asking_again_for_the_person(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso", awaited=PERSON)
    for word in ("limpeza hoje às 15h10", "cadê a atendente?", "ok"):
        told = await maria.say(word)
    assert await front_desk.desk.appointments_of(maria.clinic, maria.contact) == []
    assert "Posso marcar assim?" in text(told)


@pytest.mark.parametrize(
    ("words", "minutes"),
    [
        ("vou atrasar uns quinze minutos", 15),
        ("chego em 20 min", 20),
        ("vou atrasar meia hora", 30),
        ("estou atrasada", None),
    ],
)
async def test_how_late_is_noted_where_it_is_said(front_desk: FrontDesk, words: str, minutes: int | None):
    maria = front_desk.visitor("sorriso")
    for said in ("limpeza hoje às 15h10", "sim", words):
        await maria.say(said)
    [standing] = await front_desk.desk.appointments_of(maria.clinic, maria.contact)
    assert standing.late is not None
    assert standing.late.minutes == minutes


async def test_who_is_late_for_what_began_is_noted_all_the_same(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    for said in ("limpeza hoje às 15h10", "sim"):
        await maria.say(said)
    maria.now = NOW.replace(hour=15, minute=20)
    assert "15h10" in text(await maria.say("to chegando, peguei trânsito"))


async def test_a_greeting_after_the_team_goes_on_and_introduces_nobody(front_desk: FrontDesk):
    told = [
        text(await front_desk.visitor(before=before).say("oi"))
        for before in (None, PersonBefore(NOW, "Rosa"), PersonBefore(NOW, "Rosa", is_open=True))
    ]
    assert ["Sou a assistente virtual" in greeting for greeting in told] == [True, False, False]
    assert ("agora eu continuo por aqui" in told[1], "O que ficou combinado" in told[2]) == (True, True)


async def test_a_foreigner_who_waits_is_not_asked_again(front_desk: FrontDesk):
    told = await front_desk.visitor(awaited=PERSON).say("hello, do you speak english?")
    assert ("Shall I call" in text(told), "Our team has your message" in text(told)) == (False, True)
