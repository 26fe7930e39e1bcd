"""The grader of a clinic's day finds what is wrong in bad days, and nothing in a good one."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from tests.clinic_day.grading import RULES, grade
from tests.clinic_day.transcript import By, Conversation, Day, Line, Visit

from gendei.evaluation.tasks import ZONE

ALDA, RUI = "+5511977770001", "+5511977770002"
NOON = datetime(2026, 3, 3, 12, tzinfo=ZONE)
START = datetime(2026, 3, 4, 10, tzinfo=ZONE)
CONFIRMED = "✅ Sua consulta está confirmada!\n*Consulta* com Dra. Ana\nquarta-feira, 04/03, às 10h\nPara: Alda"
MOVED = "🔁 Sua consulta foi remarcada.\n*Consulta* com Dra. Ana\nAgora: quinta-feira, 05/03, às 9h"
CANCELLED = "Sua consulta foi cancelada: quarta-feira, 04/03, às 10h"
CALLED = "Chamei alguém da nossa equipe, que responde por aqui assim que puder."


def line(by: By, text: str, minutes: float = 0, contact: str = ALDA, *, with_person: bool = False) -> Line:
    return Line(NOON + timedelta(minutes=minutes), contact, by, text, with_person)


def visit(start: datetime = START, contact: str = ALDA, minutes: int = 30) -> Visit:
    return Visit(contact, "ana", start, start + timedelta(minutes=minutes))


def day(*lines: Line, **others: object) -> Day:
    return Day(lines=list(lines), team=("Rosa",), **others)


ASKED, ANSWERED = line(By.PATIENT, "quero marcar"), line(By.BOT, CONFIRMED)
TO_ROSA = line(By.PATIENT, "e o atestado?", with_person=True)

GOOD = {
    "a booking": day(ASKED, ANSWERED, visits=[visit()], asked_last={ALDA: ["Rua das Flores"]}),
    "a move": day(
        line(By.PATIENT, "mudar"), line(By.BOT, MOVED), before=[visit()], visits=[visit(START.replace(day=5, hour=9))]
    ),
    "a cancellation": day(
        line(By.PATIENT, "cancelar"), line(By.BOT, CANCELLED), before=[visit()], visits=[replace(visit(), lives=False)]
    ),
    "a promise with its task": day(line(By.PATIENT, "pessoa"), line(By.BOT, CALLED), tasks_about=[ALDA]),
    "a person who answered later": day(TO_ROSA, line(By.PERSON, "Já envio.", 40)),
    "a task in place of an answer": day(TO_ROSA, tasks_about=[ALDA]),
    "a person who has the conversation": day(conversations=[Conversation(ALDA, "Rosa")], asked_last={ALDA: []}),
}
BAD = {
    "nobody_is_unanswered": {
        "the bot said nothing": day(ASKED),
        "the bot answered an hour later": day(ASKED, line(By.BOT, "Oi!", 60)),
        "somebody else was answered": day(ASKED, line(By.BOT, "Oi!", contact=RUI)),
        "the first of two was answered": day(ASKED, line(By.BOT, "Oi!"), line(By.PATIENT, "marcar", 5)),
        "a person had it and said nothing": day(TO_ROSA),
        "a person said something before": day(line(By.PERSON, "Oi", -5), TO_ROSA, tasks_about=[RUI]),
    },
    "nobody_is_silenced": {
        "nobody has it": day(asked_last={ALDA: []}, conversations=[Conversation(ALDA)]),
        "somebody who is not of the team has it": day(asked_last={ALDA: []}, conversations=[Conversation(ALDA, "bot")]),
    },
    "every_promise_is_a_task": {
        "nobody was told": day(line(By.PATIENT, "pessoa"), line(By.BOT, CALLED)),
        "the task is about another": day(line(By.PATIENT, "pessoa"), line(By.BOT, CALLED), tasks_about=[RUI]),
        "a deposit": day(ASKED, line(By.BOT, "Há um sinal de R$ 50,00. A equipe envia como pagar.")),
    },
    "nothing_is_said_twice": {
        "the same twice": day(ASKED, line(By.BOT, "Oi!"), line(By.PATIENT, "oi"), line(By.BOT, "Oi!")),
    },
    "the_agenda_is_what_was_told": {
        "nothing was booked": day(ASKED, ANSWERED),
        "another hour was booked": day(ASKED, ANSWERED, visits=[visit(START.replace(hour=11))]),
        "somebody else's was booked": day(ASKED, ANSWERED, visits=[visit(contact=RUI)]),
        "booked and not told": day(ASKED, line(By.BOT, "Posso marcar?"), visits=[visit()]),
        "moved, and the old one stands": day(
            line(By.PATIENT, "mudar"), line(By.BOT, MOVED), before=[visit()], visits=[visit()]
        ),
        "cancelled, and it stands": day(
            line(By.PATIENT, "cancelar"), line(By.BOT, CANCELLED), before=[visit()], visits=[visit()]
        ),
        "cancelled, and not told": day(before=[visit()], visits=[replace(visit(), lives=False)]),
        "two at once": day(visits=[visit(contact="a"), visit(START + timedelta(minutes=20), "b")]),
        "a long one over the next but one": day(
            visits=[visit(contact="a", minutes=120), visit(START + timedelta(minutes=90), "b")]
        ),
    },
    "outsiders_see_nothing": {"a leak": day(leaks=["sorriso saw a conversation"])},
}


@pytest.mark.parametrize("name", GOOD)
def test_a_good_day_is_good(name: str) -> None:
    assert grade(GOOD[name]) == {}


@pytest.mark.parametrize(("rule", "name"), [(rule, name) for rule, days in BAD.items() for name in days])
def test_a_bad_day_is_found_by_its_rule_alone(rule: str, name: str) -> None:
    assert list(grade(BAD[rule][name])) == [rule]


def test_every_rule_can_fail() -> None:
    assert BAD.keys() == RULES.keys()
