"""Alternatives: what comes closest to what was asked."""

from datetime import timedelta

from tests.booking.builders import at

from gendei.booking.finder import nearest
from gendei.booking.slots import Slot


def row(who: str, day: int, *clocks: str) -> list[Slot]:
    return [Slot(who, at(day, clock), at(day, clock) + timedelta(minutes=30)) for clock in clocks]


def told(slots: tuple[Slot, ...]) -> str:
    return " ".join(f"{slot.professional_id}{slot.start:%d-%H:%M}" for slot in slots)


def test_the_closest_to_the_asked_time_comes_first_before_or_after_it():
    free = {"ana": row("ana", 3, "08:00", "09:00", "11:00", "17:00")}
    assert told(nearest(free, at(3, "10:15"), "ana")) == "ana03-11:00 ana03-09:00 ana03-08:00 ana03-17:00"


def test_half_of_the_places_are_kept_for_the_professional_who_was_asked_for():
    free = {
        "ana": row("ana", 9, "08:00", "08:30", "09:00"),
        "bia": row("bia", 3, "09:30", "10:00", "10:30"),
    }
    assert told(nearest(free, at(3, "10:00"), "ana", limit=4)) == "bia03-10:00 bia03-09:30 ana09-08:00 ana09-08:30"


def test_places_that_one_side_cannot_fill_go_to_the_other():
    free = {"ana": row("ana", 3, "08:00"), "bia": row("bia", 3, "09:00", "09:30", "10:00")}
    assert told(nearest(free, at(3, "08:00"), "ana", limit=4)) == "ana03-08:00 bia03-09:00 bia03-09:30 bia03-10:00"
    assert told(nearest(free, at(3, "08:00"), "bia", limit=3)) == "ana03-08:00 bia03-09:00 bia03-09:30"


def test_no_more_than_ten_are_given():
    free = {"ana": row("ana", 3, *(f"{hour:02d}:00" for hour in range(20)))}
    assert len(nearest(free, at(3, "10:00"), None)) == 10


def test_nothing_free_is_nothing_near():
    assert nearest({"ana": []}, at(3, "10:00"), "ana") == ()
