"""Text answers to shown options, before anything else is made of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.receptionist.front_desk import NOW, demo_clinic

from gendei.messages.turns import PatientInput
from gendei.receptionist.understanding.typed_choices import resolve_typed, typed_choice

CLINIC = demo_clinic("sorriso")
TUESDAY_14 = "slot|profilaxia|paula|2026-11-24T14:00|a1b2c3"
TUESDAY_15 = "slot|profilaxia|livia|2026-11-24T15:20|a1b2c3"
WEDNESDAY_9 = "slot|profilaxia|paula|2026-11-25T09:00|a1b2c3"
OTHER_DAY = "do|other_day"
TIMES = {
    TUESDAY_14: "ter 24/11 14h",
    TUESDAY_15: "ter 24/11 15h20",
    WEDNESDAY_9: "qua 25/11 9h",
    OTHER_DAY: "Outro dia",
}
SERVICES = {
    "service|avaliacao": "Avaliação",
    "service|profilaxia": "Profilaxia (limpeza)",
    "service|restauracao": "Restauração",
}


def shown(options: dict[str, str]) -> list[dict[str, str]]:
    return [{"id": id_, "title": title} for id_, title in options.items()]


def chosen(text: str, options: dict[str, str]) -> str | None:
    return typed_choice(text, shown(options), CLINIC, CLINIC.local(NOW))


@pytest.mark.parametrize("typed", ["2", "opção 2", "a 2", "a segunda", "quero a segunda", "o segundo", "2."])
def test_a_number_or_a_place_is_the_option_that_stands_there(typed: str):
    assert chosen(typed, TIMES) == TUESDAY_15


@pytest.mark.parametrize(
    "typed", ["14h", "às 14h", "14:00", "duas da tarde", "pode ser as 14h", "terça 14h", "24/11 às 14h"]
)
def test_an_hour_is_the_one_shown_time_at_that_hour(typed: str):
    assert chosen(typed, TIMES) == TUESDAY_14


@pytest.mark.parametrize("typed", ["14h com a dra livia", "quarta 14h", "16h", "14h não posso", "14h ou 15h20"])
def test_an_hour_with_more_to_it_or_at_another_time_chooses_nothing(typed: str):
    assert chosen(typed, TIMES) is None


def test_an_hour_that_two_shown_times_have_chooses_nothing():
    assert chosen("14h", TIMES | {"slot|profilaxia|livia|2026-11-25T14:00|a1b2c3": "qua 25/11 14h"}) is None


def test_a_title_that_two_options_have_chooses_nothing():
    assert chosen("ter 24/11 14h", TIMES | {"slot|profilaxia|livia|2026-11-24T14:00|a1b2c3": "ter 24/11 14h"}) is None


@pytest.mark.parametrize(
    "typed", ["profilaxia (limpeza)", "PROFILAXIA", "profilaxa", "porfilaxia", "quero profilaxia limpeza"]
)
def test_a_title_is_known_with_small_errors(typed: str):
    assert chosen(typed, SERVICES) == "service|profilaxia"


def test_digits_are_never_taken_for_a_typing_error():
    assert chosen("ter 24/11 13h", TIMES) is None


@pytest.mark.parametrize("typed", ["0", "5", "11", "99", "a décima"])
def test_a_number_beyond_the_list_chooses_nothing(typed: str):
    assert chosen(typed, TIMES) is None


def test_nothing_is_chosen_where_nothing_is_shown():
    assert chosen("1", {}) is None


def test_a_weekday_stays_a_date_where_days_are_shown():
    monday = TIMES | {"slot|profilaxia|paula|2026-11-30T09:00|a1b2c3": "seg 30/11 9h"}
    assert [chosen(typed, options) for typed, options in (("segunda", TIMES), ("segunda", monday))] == [None, None]


def test_a_place_named_like_a_shown_weekday_stays_a_date():
    monday = TIMES | {"day|2026-11-30": "seg 30/11"}
    assert chosen("a segunda", monday) is None


def test_a_place_is_a_place_where_no_days_are_shown():
    assert chosen("segunda", SERVICES) == "service|profilaxia"


def test_a_weekday_is_no_place_among_services_either():
    services = {f"service|{place}": f"Serviço {place}" for place in range(1, 8)}
    assert [chosen(said, services) for said in ("quarta", "sexta", "a sexta")] == [None, None, "service|6"]


def test_the_last_is_the_last_time_and_not_the_way_to_another_day():
    assert chosen("a última", TIMES) == WEDNESDAY_9


@pytest.mark.parametrize("typed", ["quero uma", "uma limpeza", "não", "oi", "quanto custa?", "1 e 2"])
def test_what_is_not_plainly_an_option_chooses_nothing(typed: str):
    assert chosen(typed, TIMES) is None


def test_only_typed_words_are_resolved():
    given_inputs = (PatientInput("2"), PatientInput("2", kind="image"), PatientInput("x", "do|book", "interactive"))
    resolved = resolve_typed(given_inputs, shown(TIMES), CLINIC, CLINIC.local(NOW))
    assert [item.choice for item in resolved] == [TUESDAY_15, None, "do|book"]


def test_an_option_that_is_only_words_takes_the_place_of_its_number():
    [resolved] = resolve_typed([PatientInput("1")], shown({"Sim": "Sim", "Não": "Não"}), CLINIC, CLINIC.local(NOW))
    assert resolved == PatientInput("Sim", "Sim")


@given(st.text(max_size=200), st.sampled_from([TIMES, SERVICES]))
def test_any_text_means_a_shown_option_or_none(text: str, options: dict[str, str]):
    assert chosen(text, options) in {None, *options}
