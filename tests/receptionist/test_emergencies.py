"""Danger in the words that people find for it, and the words that only sound so."""

from pathlib import Path

import pytest
import yaml
from tests.receptionist.front_desk import FrontDesk, options, text
from tests.receptionist.test_understanding import hear

from gendei.messages.turns import AwaitedPerson

KINDS = ("urgent", "crisis", "violence")
LINES = yaml.safe_load((Path(__file__).parent / "emergencies.yaml").read_text())


async def test_staff_are_alarmed_by_both_kinds_in_any_vertical_and_not_by_what_only_sounds_so(front_desk: FrontDesk):
    receptionist = front_desk.visitor("sorriso").receptionist
    heard = {kind: [receptionist.alarming([words]) for words in LINES[kind]] for kind in KINDS}
    assert {kind: all(each) for kind, each in heard.items()} == dict.fromkeys(KINDS, True)
    assert not receptionist.alarming(["tô morrendo de saudade da dra Ana"])
    assert receptionist.alarming(["não sinto as pernas"])  # of fisio alone


@pytest.mark.parametrize("words", LINES["urgent"])
def test_danger_to_health_is_heard(words: str):
    assert hear(words, "boa-vida").wants("urgent", "crisis")


@pytest.mark.parametrize("words", LINES["crisis"])
def test_danger_to_life_from_oneself_is_heard(words: str):
    assert hear(words, "boa-vida").wants("crisis")


async def test_who_cuts_themselves_again_gets_a_person(front_desk: FrontDesk):
    answer = await front_desk.visitor("boa-vida").say("me cortei de novo")
    assert (answer.urgent, "188" in text(answer)) == (True, True)


@pytest.mark.parametrize("words", LINES["accidents"])
async def test_a_cut_by_accident_is_no_despair(front_desk: FrontDesk, words: str):
    assert not hear(words, "boa-vida").wants("crisis", "violence")
    assert "188" not in text(await front_desk.visitor("boa-vida").say(words))


@pytest.mark.parametrize("words", LINES["violence"])
async def test_what_somebody_else_does_is_no_despair(front_desk: FrontDesk, words: str):
    assert hear(words, "boa-vida").wants("violence")
    answer = await front_desk.visitor("boa-vida").say(words)
    assert ("190" in text(answer), "180" in text(answer), "188" in text(answer)) == (True, True, False)
    assert answer.urgent or "Sim, é urgente" in options(answer)


@pytest.mark.parametrize(
    "words",
    [
        "esse roxo no meu pescoço não foi queda doutora foi o pai dos meninos ontem e ele volta hoje de noite",
        "a moça que cuida do vovô aperta o braço dele e grita, ele fica tremendo quando ela chega perto",
    ],
)
async def test_violence_that_no_list_has_is_heard(front_desk: FrontDesk, words: str):
    assert not hear(words, "boa-vida").wants("violence")
    answer = await front_desk.visitor("boa-vida").say(words)
    assert ("190" in text(answer), "188" in text(answer)) == (True, False)
    assert answer.urgent or "Sim, é urgente" in options(answer)


async def test_who_is_hurt_by_somebody_gets_a_person_at_once(front_desk: FrontDesk):
    answer = await front_desk.visitor("boa-vida").say(LINES["violence"][0])
    assert (answer.urgent, str(answer.called_for)) == (True, "danger")
    assert "violência" in answer.takeover_reason


async def test_a_yes_to_the_question_of_violence_names_the_police(front_desk: FrontDesk):
    maria = front_desk.visitor("boa-vida")
    asked = await maria.say("meu ex me ameaçou, mas foi de brincadeira")
    answer = await maria.say("sim")
    assert (asked.urgent, answer.urgent, "190" in text(answer)) == (False, True, True)


@pytest.mark.parametrize("words", LINES["no_violence"])
def test_accidents_and_jokes_are_no_violence(words: str):
    assert not hear(words, "boa-vida").wants("violence")


@pytest.mark.parametrize("words", ["meu marido me bateu brincando", "meu irmão me bateu sem querer"])
async def test_what_a_grown_up_does_in_play_is_asked_about_and_nobody_called(front_desk: FrontDesk, words: str):
    answer = await front_desk.visitor("boa-vida").say(words)
    assert (answer.urgent, "180" in text(answer), "Sim, é urgente" in options(answer)) == (False, True, True)


@pytest.mark.parametrize("words", ["meu filho caiu da escada e quebrou o dente", "cai da escada e bati a cabeca"])
async def test_who_falls_down_the_stairs_asks_for_no_stairs(front_desk: FrontDesk, words: str):
    answer = await front_desk.visitor("boa-vida").say(words)
    assert answer.urgent or "Sim, é urgente" in options(answer)


def test_play_with_a_child_hides_nobody_elses_violence():
    assert hear("meu filho me bateu brincando mas meu marido me bateu de verdade", "boa-vida").wants("violence")


@pytest.mark.parametrize("words", LINES["neither"])
def test_what_is_no_danger_alarms_nobody(words: str):
    assert not hear(words, "boa-vida").wants("urgent", "crisis", "violence")


async def test_who_goes_on_after_an_alarm_that_nobody_answered_reads_whom_to_call_first(front_desk: FrontDesk):
    maria = front_desk.visitor("boa-vida")
    alarm = await maria.say("minha mãe tá com a boca torta e a fala enrolada")
    maria.awaited = AwaitedPerson(maria.clinic.local(maria.now), alarm.takeover_reason or "")
    for words in ("tem horario hj?", "será que precisa marcar?"):
        assert "192" in (await maria.say(words)).replies[0].text.split("Qual serviço")[0]


BURST = "a caixa d'água estourou, a sala virou uma piscina e o moço que conserta só vem quinta cedo"


async def test_what_bursts_at_home_is_no_danger_and_who_bleeds_beside_it_is(front_desk: FrontDesk):
    hurt = f"{BURST}, e meu pai escorregou, bateu a cabeça e não acorda"
    calm, grave = [await front_desk.visitor("sorriso").say(said) for said in (BURST, hurt)]
    assert (calm.urgent, options(calm).keys() & {"Sim, é urgente"}, grave.urgent) == (False, set(), True)
