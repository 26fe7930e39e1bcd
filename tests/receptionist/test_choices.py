from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.receptionist.front_desk import demo_clinic

from gendei.booking.wallclock import start_text
from gendei.receptionist.offers.choices import Choice, Kind, choice, parse_choice, start_from


def test_an_id_carries_the_choice_itself():
    assert choice(Kind.SLOT, "profilaxia", "paula", "2026-11-24T14:00") == "slot|profilaxia|paula|2026-11-24T14:00"


def test_an_id_is_read_back_as_the_choice_it_was_made_from():
    assert parse_choice("cancel_now|c03a8860700d") == Choice(Kind.CANCEL_NOW, ("c03a8860700d",))


def test_a_slot_carries_the_offer_that_it_was_shown_in():
    made = choice(Kind.SLOT, "profilaxia", "paula", "2026-11-24T14:00", offer="a1b2c3")
    assert parse_choice(made) == Choice(Kind.SLOT, ("profilaxia", "paula", "2026-11-24T14:00"), "a1b2c3")


def test_an_id_of_before_offers_had_names_is_read_without_one():
    assert parse_choice("book|a|b|2026-11-24T14:00") == Choice(Kind.BOOK, ("a", "b", "2026-11-24T14:00"))


@pytest.mark.parametrize(
    "foreign",
    [
        None,
        "",
        "2",
        "slot",
        "slot|a|b",
        "slot|a|b|c|d",
        "do|steal",
        "service|",
        "SLOT|a|b|c",
        "book",
        "do|book|a1b2c3",
        "move|1|a1b2c3",
        "slot|a|b|c|A1B2C3",
        "slot|a|b|c|",
    ],
)
def test_an_id_that_is_not_ours_is_no_choice(foreign: str | None):
    assert parse_choice(foreign) is None


@given(st.text())
def test_any_text_can_come_back_as_an_id(text: str):
    found = parse_choice(text)
    assert found is None or str(found) == text


@pytest.mark.parametrize("args", [("a|b",), ("",), ("a", "b")])
def test_an_argument_that_would_break_the_id_is_refused(args: tuple[str, ...]):
    with pytest.raises(ValueError, match="service takes 1"):
        choice(Kind.SERVICE, *args)


def test_an_id_over_the_limit_of_a_list_row_is_refused():
    with pytest.raises(ValueError, match="200"):
        choice(Kind.SERVICE, "x" * 200)


def test_a_start_is_read_back_in_the_clinics_zone():
    clinic = demo_clinic("sorriso")
    start = datetime(2026, 11, 24, 14, 30, tzinfo=clinic.timezone)
    assert start_from(start_text(start), clinic) == start
    assert start_from("2026-02-31T10:00", clinic) is None
