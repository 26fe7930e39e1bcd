"""A reply as one text: numbered in order, whole where it fits, and never too long."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gendei.messages.limits import units
from gendei.messages.replies import Link, Option, Reply
from gendei.providers.numbered import MAX_TEXT, Unsendable, numbered_text

TEXTS = st.text(max_size=200) | st.builds(lambda text, times: text * times, st.text(), st.integers(1, 900))
OPTIONS = st.builds(Option, id=st.uuids().map(str), title=TEXTS, description=TEXTS, section=TEXTS)
OPTION_LISTS = st.lists(OPTIONS, max_size=10, unique_by=lambda option: option.id).map(tuple)


def test_a_reply_without_options_is_its_words():
    assert numbered_text(Reply("Olá!")) == "Olá!"


def test_options_are_numbered_below_the_words():
    reply = Reply("Qual horário?", (Option("a", "ter 14h"), Option("b", "ter 15h"), Option("c", "Outro dia")))
    assert numbered_text(reply) == "Qual horário?\n\n1. ter 14h\n2. ter 15h\n3. Outro dia"


def test_a_description_stands_behind_its_title():
    reply = Reply("Qual?", (Option("a", "Limpeza", "60 min, R$ 180,00"), Option("b", "Canal")))
    assert numbered_text(reply) == "Qual?\n\n1. Limpeza – 60 min, R$ 180,00\n2. Canal"


def test_a_section_is_a_heading_and_the_numbers_go_on():
    options = (
        Option("a", "14h", section="Terça"),
        Option("b", "15h", section="Terça"),
        Option("c", "9h", section="Quarta"),
    )
    assert numbered_text(Reply("Qual?", options)) == "Qual?\n\n*Terça*\n1. 14h\n2. 15h\n\n*Quarta*\n3. 9h"


def test_what_stands_behind_a_section_without_one_is_set_apart():
    options = (Option("a", "14h", section="Terça"), Option("b", "Outro dia"))
    assert numbered_text(Reply("Qual?", options)) == "Qual?\n\n*Terça*\n1. 14h\n\n2. Outro dia"


def test_the_numbers_are_the_places_in_the_reply_also_where_sections_alternate():
    options = tuple(Option(str(place), f"opção {place}", section="AB"[place % 2]) for place in range(4))
    lines = [line for line in numbered_text(Reply("Qual?", options)).splitlines() if ". " in line]
    assert lines == ["1. opção 0", "2. opção 1", "3. opção 2", "4. opção 3"]


def test_a_title_of_several_lines_takes_one():
    assert numbered_text(Reply("Qual?", (Option("a", "ter\n14h"),))) == "Qual?\n\n1. ter 14h"


def test_a_link_is_its_label_and_address():
    reply = Reply("Ficamos aqui:", link=Link("Mapa", "https://clinica.test/mapa"))
    assert numbered_text(reply) == "Ficamos aqui:\n\nMapa: https://clinica.test/mapa"


def test_long_words_are_cut_and_the_options_stay():
    text = numbered_text(Reply("palavra " * 1000, (Option("a", "Sim"), Option("b", "Não"))))
    assert (units(text) <= MAX_TEXT, text[-20:]) == (True, "palavra…\n\n1. Sim\n2. Não"[-20:])


def test_descriptions_go_before_options_do():
    options = tuple(Option(str(place), f"opção {place}", "d" * 600) for place in range(10))
    text = numbered_text(Reply("Qual?", options))
    assert ("ddd" in text, text.endswith("10. opção 9")) == (False, True)


def test_an_address_that_leaves_no_room_is_not_sent_in_part():
    with pytest.raises(Unsendable):
        numbered_text(Reply("Aqui:", link=Link("Mapa", "https://clinica.test/" + "a" * MAX_TEXT)))


@given(TEXTS.filter(str.strip), OPTION_LISTS, st.sampled_from([1024, MAX_TEXT]))
def test_any_reply_fits_with_every_number(text, options, limit):
    try:
        shown = numbered_text(Reply(text, options), limit)
    except Unsendable:
        assert limit < MAX_TEXT
    else:
        numbers = [line.partition(".")[0] for line in shown.splitlines()]
        assert units(shown) <= limit
        assert {str(place) for place in range(1, len(options) + 1)} <= set(numbers)


@given(st.text(max_size=300).filter(str.strip), st.text(max_size=300).filter(str.strip))
def test_the_address_of_any_link_is_whole(text, label):
    assert numbered_text(Reply(text, link=Link(label, "https://clinica.test/mapa"))).endswith(
        "https://clinica.test/mapa"
    )
