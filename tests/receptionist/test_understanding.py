from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.receptionist.front_desk import NOW, ROOT, demo_clinic

from gendei.prompts import load_intents
from gendei.receptionist.understanding.language import Vocabulary
from gendei.receptionist.understanding.one_wish import hear as hear_with_the_ear
from gendei.receptionist.understanding.patient_message import Understanding, understand
from gendei.verticals import load_verticals

VOCABULARY = Vocabulary.of(load_intents(Path(ROOT / "prompts")))
VERTICALS = load_verticals(ROOT / "verticals")
CLINICS = {name: demo_clinic(name) for name in ("boa-vida", "sorriso")}


def hear(text: str, clinic: str = "sorriso") -> Understanding:
    known = CLINICS[clinic]
    return understand(
        text,
        clinic=known,
        vocabulary=VOCABULARY,
        vertical=VERTICALS[known.vertical],
        now=known.local(NOW),
    )


def test_service_and_date_are_heard_in_one_message():
    heard = hear("quero marcar uma limpeza amanhã de tarde")
    assert heard.service is not None
    assert heard.when is not None
    assert (heard.service.id, heard.when.date) == ("profilaxia", date(2026, 11, 24))
    assert heard.wants("book")


def test_a_service_is_heard_with_a_typing_error():
    heard = hear("queria uma limpesa")
    assert heard.service is not None
    assert heard.service.id == "profilaxia"


def test_what_a_description_says_beats_half_a_nickname():
    """ "Mostrar exames" is a nickname of the return visit, and "exame" stands in both."""
    heard = hear("aquele exame com eletrocardiograma", "boa-vida")
    assert heard.service is not None
    assert heard.service.id == "check-up"


def test_the_verticals_word_for_an_appointment_gives_way_to_a_service_that_is_named():
    heard = hear("quero marcar uma consulta para limpeza")
    assert heard.service is not None
    assert heard.service.id == "profilaxia"


def test_a_name_with_the_verticals_word_in_it_is_heard_by_the_rest():
    heard = hear("uma consulta geral por favor", "boa-vida")
    assert heard.service is not None
    assert heard.service.id == "consulta"


def test_a_professional_is_heard_by_first_or_last_name():
    for text in ("com a dra paula", "queria com a Lins"):
        heard = hear(text)
        assert heard.professional is not None, text
        assert heard.professional.id == "paula"


def test_a_weekday_is_neither_a_service_nor_a_professional():
    heard = hear("segunda de manhã")
    assert (heard.services, heard.professional) == ((), None)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("é pra Joana Pereira", "Joana Pereira"),
        ("meu nome é Ana Maria dos Santos", "Ana Maria dos Santos"),
        ("queria marcar pro meu filho Pedro Souza quinta", "Pedro Souza"),
        ("é pra minha mãe", None),
        ("quero com a Paula", None),
    ],
)
def test_a_name_is_heard_where_one_is_told(text: str, name: str | None):
    assert hear(text).name == name


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("qnto custa a limpeza?", "price"),
        ("ONDE FICA", "address"),
        ("quero desmarcar", "cancel"),
        ("da pra remarcar?", "move"),
        ("quero falar com um atendente", "person"),
        ("vcs aceitam convenio", "insurance"),
        ("estou com muita falta de ar", "urgent"),
        ("não quero mais viver", "crisis"),
        ("que horas abrem?", "hours"),
        ("precisa de jejum?", "preparation"),
        ("obrigada!!", "thanks"),
    ],
)
def test_an_intent_is_heard(text: str, intent: str):
    assert intent in hear(text).intents


@given(st.text(max_size=400))
def test_any_text_is_understood_or_not_but_never_breaks(text: str):
    hear(text)


@pytest.mark.parametrize("opening", ["deixa eu te falar, ", "Bom, é o seguinte: ", "olha só... ", "é... então, "])
def test_how_somebody_begins_to_speak_says_nothing_of_what_follows(opening: str):
    told = "queria deitar e não ter mais segunda feira. nem terça. nem nada"
    clinic = CLINICS["sorriso"]
    vertical, now = VERTICALS[clinic.vertical], clinic.local(NOW)

    def heard(text: str) -> Understanding:
        return hear_with_the_ear(text, clinic=clinic, vocabulary=VOCABULARY, vertical=vertical, now=now)

    assert heard(opening + told) == heard(told)
    assert heard(opening).said
    assert heard("é, pode ser").wants("yes")
